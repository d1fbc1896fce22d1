//! Samples as lines of text: `FEN | score | result`, score and result from White's side.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use tandem_chess::{Color, Position};

use super::{Samples, Source, SourceError};
use crate::{GameResult, Sample};

/// Text files, each a shard. A line is `FEN | score | result`: the score in the engine's internal
/// unit and the result 1.0, 0.5 or 0.0, both from White's side. Empty lines mean nothing.
#[derive(Clone, Debug)]
pub struct TextFiles(pub Vec<PathBuf>);

impl Source for TextFiles {
    fn shards(&self) -> usize {
        self.0.len()
    }

    fn open(&self, shard: usize, skip: u64) -> Result<Samples<'_>, SourceError> {
        let path = &self.0[shard];
        let file = File::open(path).map_err(|error| SourceError {
            path: path.clone(),
            place: None,
            reason: format!("cannot be opened ({error})"),
        })?;
        let lines = BufReader::with_capacity(1 << 20, file).lines().enumerate();
        let samples = lines.filter_map(move |(number, line)| {
            let failure = |reason| SourceError {
                path: path.clone(),
                place: Some(format!("line {}", number + 1)),
                reason,
            };
            match line {
                Err(error) => Some(Err(failure(format!("cannot be read ({error})")))),
                Ok(line) if line.trim().is_empty() => None,
                Ok(line) => Some(sample(&line).map_err(failure)),
            }
        });
        skipped(samples, skip)
    }
}

/// The samples behind the first ones, which must be readable.
fn skipped<'a>(
    mut samples: impl Iterator<Item = Result<Sample, SourceError>> + Send + 'a,
    skip: u64,
) -> Result<Samples<'a>, SourceError> {
    for _ in 0..skip {
        samples.next().transpose()?;
    }
    Ok(Box::new(samples))
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

impl TextFiles {
    /// The files that a list names, in the list's order. A folder stands for the files in it whose
    /// names end with `.txt`, in the order of their names.
    ///
    /// # Errors
    /// Where a folder cannot be read or a file does not exist.
    pub fn find(list: &[PathBuf]) -> Result<Self, SourceError> {
        let mut files = Vec::new();
        for path in list {
            let failure = |error: std::io::Error| SourceError {
                path: path.clone(),
                place: None,
                reason: format!("cannot be read ({error})"),
            };
            if !path.metadata().map_err(failure)?.is_dir() {
                files.push(path.clone());
                continue;
            }
            let mut found = Vec::new();
            for entry in path.read_dir().map_err(failure)? {
                found.push(entry.map_err(failure)?.path());
            }
            found.retain(|file: &PathBuf| Path::extension(file).is_some_and(|end| end == "txt"));
            found.sort();
            files.extend(found);
        }
        Ok(Self(files))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const GOOD: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 30 | 0.5

rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 | 40 | 1.0
";

    fn file(name: &str, text: &str) -> TextFiles {
        let file = format!("tandem-text-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(file);
        fs::write(&path, text).unwrap();
        TextFiles(vec![path])
    }

    #[test]
    fn scores_and_results_become_the_side_to_move_s() {
        let files = file("good", GOOD);
        let samples: Vec<_> = files.open(0, 0).unwrap().map(Result::unwrap).collect();
        assert_eq!(samples.len(), 2);
        assert_eq!((samples[0].score(), samples[0].result()), (30, GameResult::Draw));
        assert_eq!((samples[1].score(), samples[1].result()), (-40, GameResult::Loss));
        let rest: Vec<_> = files.open(0, 1).unwrap().map(Result::unwrap).collect();
        assert_eq!(rest, samples[1..]);
        assert_eq!(files.open(0, 5).unwrap().count(), 0);
        fs::remove_file(&files.0[0]).unwrap();
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
            let files = file("bad", &format!("{GOOD}{line}\n"));
            let error = files.open(0, 0).unwrap().find_map(Result::err).unwrap().to_string();
            assert!(error.contains("line 4") && error.contains(reason), "{error}");
            fs::remove_file(&files.0[0]).unwrap();
        }
    }
}
