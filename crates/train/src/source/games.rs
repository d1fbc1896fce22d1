//! Samples from games with scores.

use std::path::Path;

use super::{Samples, SourceError};
use crate::data::{self, Filter, Format};
use crate::{GameResult, Sample};

/// The format that the name of a file tells.
pub fn format(path: &Path) -> Result<Format, SourceError> {
    Format::of(path).map_err(|error| failure(path, &error))
}

/// The positions of a file that the filter lets through and that have a score. A damaged file ends
/// with an error that says where.
pub fn open<'a>(path: &'a Path, filter: &'a Filter) -> Result<Samples<'a>, SourceError> {
    let mut games = data::open(path, format(path)?).map_err(|error| failure(path, &error))?;
    Ok(samples(
        path,
        move || games.next_game(),
        move |record: data::Record| positions(&record, filter),
    ))
}

/// The samples of the games that `next` gives, up to the end of the file or the first error.
pub fn samples<'a, G, S: Send + 'a, E: std::fmt::Display>(
    path: &'a Path,
    mut next: impl FnMut() -> Result<Option<G>, E> + Send + 'a,
    positions: impl Fn(G) -> Vec<S> + Send + 'a,
) -> Samples<'a, S> {
    let mut is_over = false;
    let games = std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        let game = next().map_err(|error| failure(path, &error)).transpose();
        is_over = !matches!(game, Some(Ok(_)));
        game
    });
    Box::new(games.flat_map(move |game| match game {
        Ok(game) => positions(game).into_iter().map(Ok).collect::<Vec<_>>(),
        Err(error) => vec![Err(error)],
    }))
}

/// What a reader says of a file.
pub fn failure(path: &Path, error: &impl std::fmt::Display) -> SourceError {
    // Readers name the file themselves, and one name is enough.
    let name = format!("{}: ", path.display());
    let said = error.to_string();
    let reason = said.strip_prefix(&name).unwrap_or(&said).to_owned();
    SourceError { path: path.to_owned(), place: None, reason }
}

/// What can be learnt from a game.
pub(super) fn positions(record: &data::Record, filter: &Filter) -> Vec<Sample> {
    let mut samples = Vec::with_capacity(record.positions());
    record.visit(|position| {
        if !filter.judge(position).is_empty() {
            return;
        }
        let Some(score) = position.score() else { return };
        let result = match (position.is_off_line, position.half_points()) {
            (true, _) => GameResult::Unknown,
            (_, 0) => GameResult::Loss,
            (_, 1) => GameResult::Draw,
            _ => GameResult::Win,
        };
        samples.extend(Sample::new(position.position, score.into(), result));
    });
    samples
}

#[cfg(test)]
mod tests {
    use tandem_chess::Random;

    use super::*;
    use crate::data::testing::random_record;
    use crate::{Files, Source as _};

    #[test]
    fn positions_that_the_filter_keeps_become_samples() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("some.games");
        let (mut random, mut expected) = (Random::new(3), Vec::new());
        let filter: Filter = "unscored,check,capture".parse().unwrap();
        let mut writer = data::create(&file, Format::Games).unwrap();
        for _ in 0..20 {
            let record = random_record(&mut random, true);
            record.visit(|sample| {
                if filter.judge(sample).is_empty() {
                    let result = if sample.is_off_line { 3 } else { sample.half_points() };
                    expected.push((i32::from(sample.score().unwrap()), result));
                }
            });
            writer.write(&record).unwrap();
        }
        writer.finish().unwrap();
        drop(writer);
        let files = Files::find(&[folder.path().to_owned()], &filter).unwrap();
        let found: Vec<_> = files
            .open(0, 0)
            .unwrap()
            .map(Result::unwrap)
            .map(|sample| (sample.score(), sample.result() as u8))
            .collect();
        assert!((0..=3).all(|result| found.iter().any(|sample| sample.1 == result)));
        assert_eq!(found, expected);
        assert_eq!(files.open(0, 7).unwrap().count(), found.len() - 7);

        let mut bytes = std::fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x55;
        std::fs::write(&file, bytes).unwrap();
        let error = files.open(0, 0).unwrap().find_map(Result::err).unwrap().to_string();
        assert!(error.starts_with(&format!("{}: damaged at byte ", file.display())), "{error}");
    }
}
