//! What a UCI engine says while it thinks.

use tandem_chess::{Move, Position};
use tandem_engine::Score;

use super::Thought;

/// The most positions that are believed. Sums of more would overflow.
const MOST_NODES: u64 = 1 << 44;
/// The most centipawns, or moves to mate, that are believed.
const HIGHEST_SCORE: i32 = 1_000_000;

/// Takes what an `info` line says into account. Lines about other than the best move, bounds and
/// texts change nothing but the counts.
pub fn heed(line: &str, thought: &mut Thought) {
    let mut words = line.split_ascii_whitespace().skip(1);
    let mut heard = Thought { score: None, ..*thought };
    let (mut is_first, mut is_exact) = (true, true);
    while let Some(word) = words.next() {
        match word {
            "string" => return,
            "depth" => heard.depth = number(words.next(), heard.depth),
            "nodes" => heard.nodes = number(words.next(), heard.nodes).min(MOST_NODES),
            "multipv" => is_first = words.next() == Some("1"),
            "lowerbound" | "upperbound" => is_exact = false,
            "score" => heard.score = score(words.next(), words.next()),
            "pv" => break,
            _ => {}
        }
    }
    thought.nodes = heard.nodes;
    if is_first && is_exact && heard.score.is_some() {
        *thought = heard;
    }
}

/// The move that an `info` line announces as the best one, if it is about the best line and its first
/// move is legal.
pub fn best_move(line: &str, position: &Position) -> Option<Move> {
    let mut words = line.split_ascii_whitespace().skip(1);
    loop {
        match words.next()? {
            "string" => return None,
            "multipv" if words.next() != Some("1") => return None,
            "pv" => return position.parse_uci(words.next()?).ok(),
            _ => {}
        }
    }
}

fn number<T: std::str::FromStr>(word: Option<&str>, otherwise: T) -> T {
    word.and_then(|word| word.parse().ok()).unwrap_or(otherwise)
}

fn score(kind: Option<&str>, value: Option<&str>) -> Option<Score> {
    let value = value?.parse::<i32>().ok()?.clamp(-HIGHEST_SCORE, HIGHEST_SCORE);
    match kind? {
        "cp" => Some(Score::Centipawns(value)),
        "mate" if value > 0 => Some(Score::Mate(2 * value - 1)),
        "mate" => Some(Score::Mate(2 * value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_exact_line_about_the_best_move_counts() {
        let mut thought = Thought::default();
        for line in [
            "info string depth 99 score cp 7 nodes 3",
            "info depth 5 seldepth 9 multipv 1 score cp -31 nodes 1000 nps 5 pv e2e4 depth 9",
            "info depth 6 multipv 2 score cp 500 nodes 2000",
            "info depth 7 score cp 99 lowerbound nodes 3000",
            "info depth 8 currmove e2e4",
            "info depth score cp nodes",
            "info",
        ] {
            heed(line, &mut thought);
        }
        let score = Some(Score::Centipawns(-31));
        assert_eq!(thought, Thought { score, depth: 5, nodes: 3000 });
    }

    #[test]
    fn mates_are_counted_in_plies() {
        let mut thought = Thought::default();
        heed("info depth 5 score mate 2", &mut thought);
        assert_eq!(thought.score, Some(Score::Mate(3)));
        heed("info depth 5 score mate -2", &mut thought);
        assert_eq!(thought.score, Some(Score::Mate(-4)));
    }

    #[test]
    fn only_the_first_line_announces_a_best_move() {
        let announced = |line| best_move(line, &Position::startpos()).map(|m| m.to_string());
        let line = "info depth 7 multipv 1 score cp 9 lowerbound nodes 3 pv e2e4 e7e5";
        assert_eq!(announced(line).as_deref(), Some("e2e4"));
        assert_eq!(announced("info depth 1 pv g1f3").as_deref(), Some("g1f3"));
        for line in [
            "info depth 7 multipv 2 score cp 9 pv e2e4 e7e5",
            "info string depth 1 pv e2e4",
            "info depth 3 score cp 1",
            "info depth 3 pv e2e5",
            "info depth 3 pv",
        ] {
            assert_eq!(announced(line), None, "{line}");
        }
    }
}
