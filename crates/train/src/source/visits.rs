//! Samples from games with visits: the value that a search gave a position is its score.

use std::path::Path;

use tandem_chess::Position;
use tandem_games::visits::{Value, VisitedGame, VisitsReader};
use tandem_nnue::WinRate;

use super::{Samples, SourceError, games};
use crate::data::{Filter, GameResult, IllegalRecord, Label, Record, Recorder};

/// Whether a file's name says that it holds games with visits.
pub fn is_visits(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "visits")
}

/// The positions of a file that the filter lets through and that have a value. A damaged file ends with
/// an error that says where.
pub fn open<'a>(path: &'a Path, filter: &'a Filter) -> Result<Samples<'a>, SourceError> {
    let mut reader = VisitsReader::open(path).map_err(|error| games::failure(path, &error))?;
    let next = move || -> Result<Option<Record>, String> {
        let game = reader.next_game().map_err(|error| error.to_string())?;
        game.map(|game| record(&game)).transpose().map_err(|error| error.to_string())
    };
    Ok(games::samples(path, next, |record| games::positions(&record, filter)))
}

/// The game with scores.
fn record(game: &VisitedGame) -> Result<Record, IllegalRecord> {
    let (mut recorder, mut position) = (Recorder::new(game.start), game.start);
    for step in &game.steps {
        let label = step.value.map(|value| score(value, &position));
        recorder.play(step.m, label)?;
        position = position.after(step.m);
    }
    Ok(recorder.finish(GameResult::from(game.white)))
}

/// The score that means such chances, by the win-rate model.
fn score(value: Value, position: &Position) -> Label {
    // A file tells values to the ten-thousandth. What rounds to certain counts as half a step less.
    const LARGEST: f64 = 1.0 - 0.5 / 10_000.0;
    let q = (f64::from(value.q) / 10_000.0).clamp(-LARGEST, LARGEST);
    let score = WinRate::of(position).of_difference(q).round();
    Label::new(position.side_to_move(), score as i32)
}

#[cfg(test)]
mod tests {
    use tandem_games::end::End;
    use tandem_games::statistics::GameScore;
    use tandem_games::visits::{Step, VisitsWriter};

    use super::*;
    use crate::GameResult::{Loss, Win};
    use crate::{Files, Source as _};

    /// A game of those moves, with what the side to move thinks of each; a dash where nothing is known.
    fn game(moves: &str, white: GameScore) -> VisitedGame {
        let (start, mut position) = (Position::startpos(), Position::startpos());
        let step = |word: &str| {
            let (m, q) = word.split_once('=').unwrap();
            let m = position.parse_uci(m).unwrap();
            position = position.after(m);
            let value = q.parse().ok().map(|q| Value { q, draw: 0 });
            Step { m, value, visits: Vec::new() }
        };
        let steps = moves.split_whitespace().map(step).collect();
        VisitedGame { number: 0, start, steps, white, end: End::Mate }
    }

    fn samples(game: &VisitedGame, filter: &str) -> Result<Vec<crate::Sample>, SourceError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.visits");
        VisitsWriter::resume(&path, "", &[]).unwrap().write(game).unwrap();
        let files = Files::find(&[folder.path().to_owned()], &filter.parse().unwrap())?;
        files.open(0, 0)?.collect()
    }

    #[test]
    fn values_become_the_scores_that_mean_them_and_results_are_kept() {
        let game = game("e2e4=2000 d7d5=-3000 e4d5=5000 d8d5=0 b1c3=-", GameScore::Win);
        let all = samples(&game, "unscored").unwrap();
        assert_eq!(all.len(), 4);
        let mut position = game.start;
        for (sample, step) in all.iter().zip(&game.steps) {
            let wdl = tandem_nnue::Score::new(sample.score()).wdl(&position);
            let q = i32::from(wdl.win) - i32::from(wdl.loss);
            let told = i32::from(step.value.unwrap().q) / 10;
            assert!((q - told).abs() <= 3, "{q} {told}");
            position = position.after(step.m);
        }
        assert!(all.iter().map(crate::Sample::result).eq([Win, Loss, Win, Loss]));
        assert_eq!(samples(&game, "unscored,capture").unwrap(), all[..2]);
    }

    #[test]
    fn what_is_certain_is_a_large_score_and_no_more() {
        let game = game("e2e4=10000 e7e5=-10000 g1f3=9999", GameScore::Win);
        let scores: Vec<_> =
            samples(&game, "none").unwrap().iter().map(crate::Sample::score).collect();
        assert!(scores[0] == -scores[1] && scores[0] < 5000, "{scores:?}");
        assert!((1..scores[0]).contains(&scores[2]), "{scores:?}");
    }
}
