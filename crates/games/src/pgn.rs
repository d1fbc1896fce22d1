//! Games as portable game notation.

use std::fmt::Write as _;
use std::time::SystemTime;

use tandem_chess::{Color, Game, Position};
use tandem_engine::Score;

use crate::adjudication::Ruling;
use crate::pace::Pace;
use crate::play::{Ending, Played, PlayedGame};
use crate::player::Fault;

const WIDTH: usize = 80;

/// What the headers of a game say beside the game itself.
pub struct Headers<'a> {
    /// What the games belong to.
    pub event: &'a str,
    /// The number of the pair and of the game in it.
    pub round: String,
    /// The names of White and Black.
    pub names: [&'a str; 2],
    /// How much they could think.
    pub paces: [Pace; 2],
    /// Whether it is Chess960.
    pub chess960: bool,
}

/// Writes a game with the players' scores, depths and times as comments.
#[must_use]
pub fn write(game: &PlayedGame, headers: &Headers<'_>) -> String {
    let mut text = tags(game, headers);
    text.push('\n');
    let result = result(&game.ending);
    let mut words = movetext(game);
    words.push(format!("{{{}}}", sentence(&game.ending, headers.names)));
    words.push(result.to_owned());
    let mut width = 0;
    for word in words.iter().flat_map(|word| word.split(' ')) {
        let gap = usize::from(width > 0);
        if width + gap + word.len() > WIDTH {
            text.push('\n');
            width = 0;
        } else if gap > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += word.len();
    }
    text.push_str("\n\n");
    text
}

fn tags(game: &PlayedGame, headers: &Headers<'_>) -> String {
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let (date, time) = now.trim_end_matches('Z').split_once('T').unwrap_or((&now, ""));
    let mut tags = vec![
        ("Event", headers.event.to_owned()),
        ("Site", "?".to_owned()),
        ("Date", date.replace('-', ".")),
        ("Round", headers.round.clone()),
        ("White", headers.names[0].to_owned()),
        ("Black", headers.names[1].to_owned()),
        ("Result", result(&game.ending).to_owned()),
    ];
    let start = game.opening.start();
    if headers.chess960 {
        tags.push(("Variant", "Chess960".to_owned()));
        tags.push(("SetUp", "1".to_owned()));
        tags.push(("FEN", start.shredder_fen()));
    } else if *start != Position::startpos() {
        tags.push(("SetUp", "1".to_owned()));
        tags.push(("FEN", start.to_string()));
    }
    tags.push(("UTCTime", time.to_owned()));
    let [white, black] = headers.paces.map(time_control);
    if white == black {
        tags.push(("TimeControl", white));
    } else {
        tags.push(("WhiteTimeControl", white));
        tags.push(("BlackTimeControl", black));
    }
    tags.push(("PlyCount", (game.opening.moves().len() + game.moves.len()).to_string()));
    tags.push(("Termination", termination(&game.ending).to_owned()));
    tags.iter().fold(String::new(), |mut text, (name, value)| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // A header is one line.
        let value = value.replace(char::is_control, " ");
        let _ = writeln!(text, "[{name} \"{value}\"]");
        text
    })
}

fn time_control(pace: Pace) -> String {
    pace.tc.map_or_else(|| pace.to_string(), |tc| tc.to_string())
}

/// The moves with their numbers; a comment goes with each move that a player made.
fn movetext(game: &PlayedGame) -> Vec<String> {
    let opening = game.opening.moves().iter().map(|&m| (m, "book".to_owned()));
    let played = game.moves.iter().map(|played| (played.m, comment(played)));
    let mut walk = Game::new(*game.opening.start());
    let mut words = Vec::new();
    for (m, comment) in opening.chain(played) {
        let position = walk.position();
        let number = position.fullmove_number();
        let san = position.san(m);
        words.push(match position.side_to_move() {
            Color::White => format!("{number}. {san} {{{comment}}}"),
            Color::Black => format!("{number}... {san} {{{comment}}}"),
        });
        walk.play(m).expect("the game was played by the rules");
    }
    words
}

/// Score, depth and time, as other match programs write them: `+0.35/18 0.52s`.
fn comment(played: &Played) -> String {
    let seconds = played.elapsed.as_secs_f64();
    let score = match played.thought.score {
        None => return format!("{seconds:.3}s"),
        Some(Score::Centipawns(value)) => format!("{:+.2}", f64::from(value) / 100.0),
        Some(Score::Mate(plies)) => {
            let sign = if plies > 0 { '+' } else { '-' };
            format!("{sign}M{}", plies.abs())
        }
    };
    let thought = played.thought;
    format!("{score}/{} {seconds:.3}s n={}", thought.depth, thought.nodes)
}

/// The result as PGN writes it.
#[must_use]
pub fn result(ending: &Ending) -> &'static str {
    match ending.winner() {
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
        None => "1/2-1/2",
    }
}

/// The word of the PGN standard for a kind of ending.
fn termination(ending: &Ending) -> &'static str {
    match ending {
        Ending::Rules(_) => "normal",
        Ending::Ruling(_) => "adjudication",
        Ending::Fault(_, Fault::Overstepped(_)) => "time forfeit",
        Ending::Fault(_, Fault::Illegal(_)) => "rules infraction",
        Ending::Fault(..) => "abandoned",
    }
}

/// How a game ended, for people.
#[must_use]
pub fn sentence(ending: &Ending, names: [&str; 2]) -> String {
    let name = |color: Color| names[color.index()];
    // Braces would end the comment.
    let plain = |text: String| text.replace(['{', '}'], "'");
    match ending {
        Ending::Rules(outcome) => outcome.to_string(),
        Ending::Ruling(Ruling::Draw) => "draw by adjudication: both see nothing in it".to_owned(),
        Ending::Ruling(Ruling::Resignation(winner)) => {
            format!("{winner} wins by adjudication: {} sees itself lost", name(!*winner))
        }
        Ending::Ruling(Ruling::Tablebase(Some(winner))) => format!("{winner} wins by tablebase"),
        Ending::Ruling(Ruling::Tablebase(None)) => "draw by tablebase".to_owned(),
        Ending::Ruling(Ruling::TooLong) => "draw by adjudication: it took too long".to_owned(),
        Ending::Fault(culprit, fault) => plain(format!("{} {fault}", name(*culprit))),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tandem_chess::Outcome;

    use super::*;
    use crate::player::{Insight, Thought};

    fn mate() -> PlayedGame {
        let mut opening = Game::default();
        for text in ["f3", "e5"] {
            opening.play(opening.position().parse_san(text).unwrap()).unwrap();
        }
        let mut game = opening.clone();
        let mut moves = Vec::new();
        for (text, score) in [("g4", Score::Mate(-2)), ("Qh4", Score::Mate(1))] {
            let m = game.position().parse_san(text).unwrap();
            game.play(m).unwrap();
            let thought = Thought { score: Some(score), depth: 3, nodes: 77 };
            let elapsed = Duration::from_millis(5);
            moves.push(Played { m, thought, insight: Insight::default(), elapsed });
        }
        PlayedGame { opening, moves, ending: Ending::Rules(Outcome::Checkmate(Color::Black)) }
    }

    #[test]
    fn a_game_is_written_with_its_comments() {
        let headers = Headers {
            event: "a \"test\"",
            round: "1.1".to_owned(),
            names: ["A", "B"],
            paces: [Pace { nodes: Some(100), ..Pace::default() }; 2],
            chess960: false,
        };
        let text = write(&mate(), &headers);
        assert!(text.contains("[Event \"a \\\"test\\\"\"]\n"));
        assert!(text.contains("[Result \"0-1\"]\n"));
        assert!(text.contains("[PlyCount \"4\"]\n"));
        assert!(!text.contains("FEN"));
        let moves = text.split_once("\n\n").unwrap().1.replace('\n', " ");
        assert_eq!(
            moves.trim_end(),
            "1. f3 {book} 1... e5 {book} 2. g4 {-M2/3 0.005s n=77} 2... Qh4# {+M1/3 0.005s n=77} \
             {Black wins by checkmate} 0-1"
        );
        assert!(text.lines().all(|line| line.len() <= WIDTH));
    }
}
