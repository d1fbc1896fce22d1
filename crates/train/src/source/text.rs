//! Samples as lines of text: `FEN | score | result`, score and result from White's side.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use tandem_chess::{Color, Position};

use super::{Samples, SourceError};
use crate::{GameResult, Sample};

/// The samples of a text. A line is `FEN | score | result`: the score in the engine's internal unit
/// and the result 1.0, 0.5 or 0.0, both from White's side. Empty lines mean nothing.
pub fn open(path: &Path) -> Result<Samples<'_>, SourceError> {
    lines(path, |line| sample(line).map(Some))
}

/// What the lines of a text say, those that are empty or say nothing left out.
pub fn lines<'a, S: 'a>(
    path: &'a Path,
    read: impl Fn(&str) -> Result<Option<S>, String> + Send + 'a,
) -> Result<Samples<'a, S>, SourceError> {
    let file = File::open(path).map_err(|error| SourceError {
        path: path.to_owned(),
        place: None,
        reason: format!("cannot be opened ({error})"),
    })?;
    let lines = BufReader::with_capacity(1 << 20, file).lines().enumerate();
    Ok(Box::new(lines.filter_map(move |(number, line)| {
        let failure = |reason| SourceError {
            path: path.to_owned(),
            place: Some(format!("line {}", number + 1)),
            reason,
        };
        match line {
            Err(error) => Some(Err(failure(format!("cannot be read ({error})")))),
            Ok(line) if line.trim().is_empty() => None,
            Ok(line) => read(&line).map_err(failure).transpose(),
        }
    })))
}

fn sample(line: &str) -> Result<Sample, String> {
    let [fen, score, result] = line
        .split('|')
        .map(str::trim)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "expected 'FEN | score | result'".to_owned())?;
    let position: Position = fen.parse().map_err(|error| format!("bad FEN: {error}"))?;
    let score: i32 =
        score.parse().map_err(|_| format!("'{score}' is not a score in whole numbers"))?;
    let result = match result {
        "1.0" | "1" => GameResult::Win,
        "0.5" => GameResult::Draw,
        "0.0" | "0" => GameResult::Loss,
        _ => return Err(format!("'{result}' is not a result: expected 1.0, 0.5 or 0.0")),
    };
    let (score, result) = match position.side_to_move() {
        Color::White => (score, result),
        Color::Black => (score.saturating_neg(), result.reversed()),
    };
    Sample::new(&position, score, result).ok_or_else(|| "more than 32 pieces".to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::data::Filter;
    use crate::{Files, Source as _};

    const GOOD: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 30 | 0.5

rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 | 40 | 1.0
";

    fn file(text: &str) -> (tempfile::TempDir, Files) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("samples.txt"), text).unwrap();
        let files = Files::find(&[folder.path().to_owned()], &Filter::default()).unwrap();
        (folder, files)
    }

    #[test]
    fn scores_and_results_become_the_side_to_move_s() {
        let (folder, files) = file(GOOD);
        let samples: Vec<_> = files.open(0, 0).unwrap().map(Result::unwrap).collect();
        assert_eq!(samples.len(), 2);
        assert_eq!((samples[0].score(), samples[0].result()), (30, GameResult::Draw));
        assert_eq!((samples[1].score(), samples[1].result()), (-40, GameResult::Loss));
        let rest: Vec<_> = files.open(0, 1).unwrap().map(Result::unwrap).collect();
        assert_eq!(rest, samples[1..]);
        assert_eq!(files.open(0, 5).unwrap().count(), 0);
        drop(folder);
        assert!(files.open(0, 0).err().unwrap().to_string().contains("cannot be opened"));
    }

    #[test]
    fn bad_lines_are_named() {
        for (line, reason) in [
            ("nonsense", "FEN | score"),
            ("8/8/8/8/8/8/8/8 w - - 0 1 | 0 | 0.5", "FEN"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | x | 0.5", "'x'"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 1 | 2", "'2'"),
        ] {
            let (_folder, files) = file(&format!("{GOOD}{line}\n"));
            let error = files.open(0, 0).unwrap().find_map(Result::err).unwrap().to_string();
            assert!(error.contains("line 4") && error.contains(reason), "{error}");
        }
    }
}
