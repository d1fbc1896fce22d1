//! From one format to another.

use serde::Serialize;
use tandem_chess::Color;

use super::{DataError, Deduplicator, Filter, Format, Label, Record, SoundGames, Tally, Writer};

/// How games are converted.
pub struct Conversion<'a> {
    /// The format that is read.
    pub from: Format,
    /// The format that is written.
    pub to: Format,
    /// Positions that it drops lose their score, and are left out where the format has only positions.
    pub filter: Filter,
    /// Notices repeated games, which are left out, and positions, which are dropped.
    pub seen: Option<Deduplicator>,
    /// What scores are multiplied with, for teachers with another unit.
    pub scale: f64,
    /// Leave out games that the target cannot carry instead of ending there.
    pub skip_unfit: bool,
    /// Is told from time to time how many bytes have been read.
    pub on_progress: &'a mut dyn FnMut(u64),
}

/// What a conversion has counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Games read.
    pub games: u64,
    /// Damaged stretches passed over.
    pub damaged: u64,
    /// Games that the target could not carry.
    pub unfit: u64,
    /// Why the first of them could not.
    pub first_unfit: Option<String>,
    /// Games that were there before.
    pub repeated_games: u64,
    /// Positions that were there before.
    pub repeated_positions: u64,
    /// Keys that the search for repetitions had to forget; zero means that it was exact.
    pub forgotten: u64,
    /// What the filter saw and dropped.
    pub filter: Tally,
    /// Games written.
    pub written: u64,
    /// What the target has no place for, a sentence each.
    pub losses: Vec<String>,
}

/// Reads all games and writes them.
///
/// # Errors
/// The formats do not fit together, or a file cannot be read or written. What was written stays.
pub fn convert(
    how: Conversion<'_>,
    games: &mut SoundGames<'_>,
    writer: &mut dyn Writer,
) -> Result<Summary, DataError> {
    how.check()?;
    let outcome = convert_all(how, games, writer);
    if outcome.is_err() {
        // What is finished is worth keeping, whatever went wrong.
        let _ = writer.finish();
    }
    outcome
}

fn convert_all(
    mut how: Conversion<'_>,
    games: &mut SoundGames<'_>,
    writer: &mut dyn Writer,
) -> Result<Summary, DataError> {
    let mut summary = Summary::default();
    while let Some(mut record) = games.next_game()? {
        summary.games += 1;
        (how.on_progress)(games.offset());
        if how.seen.as_mut().is_some_and(|seen| !is_new(seen, &record)) {
            summary.repeated_games += 1;
            continue;
        }
        how.sift(&mut record, &mut summary);
        match writer.write(&record) {
            Ok(()) => summary.written += 1,
            Err(error @ DataError::Unfit { .. }) if how.skip_unfit => {
                summary.unfit += 1;
                summary.first_unfit.get_or_insert_with(|| error.to_string());
            }
            Err(DataError::Unfit { format, reason }) => {
                let reason = format!("{reason}, in game {}", summary.games);
                return Err(DataError::Unfit { format, reason });
            }
            Err(error) => return Err(error),
        }
    }
    for note in games.notes() {
        writer.note(note)?;
    }
    writer.finish()?;
    summary.damaged = games.damaged();
    summary.forgotten = how.seen.as_ref().map_or(0, Deduplicator::forgotten);
    summary.losses = writer.losses();
    Ok(summary)
}

/// A record without moves is a single position: those are told apart by their positions alone.
fn is_new(seen: &mut Deduplicator, record: &Record) -> bool {
    record.plies().is_empty() || seen.is_new_game(record)
}

impl Conversion<'_> {
    /// Whether the formats fit together: what could only end in nothing or in the middle is refused
    /// before anything is written.
    ///
    /// # Errors
    /// The target cannot carry what the source holds or the filter leaves.
    pub fn check(&self) -> Result<(), DataError> {
        let unfit = |reason: &str| {
            Err(DataError::Unfit { format: self.to.name(), reason: reason.to_owned() })
        };
        if !self.from.has_moves() && !self.to.has_bare_positions() {
            return unfit("positions in which no move is played, and bulletformat has no others");
        }
        if self.to == Format::Viri && (self.filter != Filter::NONE || self.seen.is_some()) {
            return unfit("games with holes, and a filter would leave positions without a score");
        }
        Ok(())
    }

    fn sift(&mut self, record: &mut Record, summary: &mut Summary) {
        let (filter, scale) = (&self.filter, self.scale);
        let seen = &mut self.seen;
        record.relabel(|sample| {
            let reasons = filter.judge(sample);
            summary.filter.count(reasons);
            if !reasons.is_empty() {
                return None;
            }
            if let Some(seen) = seen
                && !seen.is_new_position(sample.position.key())
            {
                summary.repeated_positions += 1;
                return None;
            }
            let scaled = |label: Label| {
                let value = f64::from(label.for_side(Color::White)) * scale;
                Label::new(Color::White, value.round() as i32)
            };
            sample.label.map(scaled)
        });
    }
}

#[cfg(test)]
mod tests {
    use tandem_chess::Random;

    use super::*;
    use crate::data::testing::random_record;
    use crate::data::{GamesReader, GamesWriter, Reader as _, create, open};

    fn conversion(from: Format, to: Format) -> Conversion<'static> {
        Conversion {
            from,
            to,
            filter: Filter::NONE,
            seen: None,
            scale: 1.0,
            skip_unfit: false,
            on_progress: Box::leak(Box::new(|_| ())),
        }
    }

    fn games(count: usize, off_line: bool) -> Vec<u8> {
        let mut random = Random::new(17);
        let mut writer = GamesWriter::new(Vec::new(), "games");
        for _ in 0..count {
            writer.write(&random_record(&mut random, off_line)).unwrap();
        }
        writer.into_target()
    }

    fn run(bytes: &[u8], how: Conversion<'_>) -> Result<(Vec<u8>, Summary), DataError> {
        let folder = tempfile::tempdir().unwrap();
        let (source, target) = (folder.path().join("source"), folder.path().join("target"));
        std::fs::write(&source, bytes).unwrap();
        let mut games = SoundGames::strict(open(&source, how.from)?);
        let mut writer = create(&target, how.to)?;
        let summary = convert(how, &mut games, &mut *writer)?;
        Ok((std::fs::read(&target).unwrap(), summary))
    }

    #[test]
    fn to_viriformat_and_back_nothing_is_lost() {
        let bytes = games(100, false);
        let (viri, summary) = run(&bytes, conversion(Format::Games, Format::Viri)).unwrap();
        assert_eq!((summary.games, summary.written, summary.losses.len()), (100, 100, 0));
        let (again, _) = run(&viri, conversion(Format::Viri, Format::Games)).unwrap();
        assert_eq!(again, bytes);
    }

    #[test]
    fn to_binpack_and_back_only_chess960_games_are_left_out_and_stated() {
        let bytes = games(100, false);
        let error = run(&bytes, conversion(Format::Games, Format::Binpack)).unwrap_err();
        assert!(error.to_string().contains("castling rights of Chess960, in game "), "{error}");
        let how = Conversion { skip_unfit: true, ..conversion(Format::Games, Format::Binpack) };
        let (binpack, summary) = run(&bytes, how).unwrap();
        assert!(summary.unfit > 0 && summary.first_unfit.is_some());
        assert_eq!(summary.written + summary.unfit, 100);
        let (_, back) = run(&binpack, conversion(Format::Binpack, Format::Games)).unwrap();
        assert!(back.games > 50 && back.games <= summary.written);
    }

    #[test]
    fn bulletformat_takes_what_a_filter_keeps() {
        let bytes = games(50, true);
        let filter = Filter::default();
        let how = Conversion { filter, ..conversion(Format::Games, Format::Bullet) };
        let (bullet, summary) = run(&bytes, how).unwrap();
        assert_eq!(bullet.len() as u64, 32 * summary.filter.kept);
        assert!(summary.filter.kept < summary.filter.seen);
        assert!(summary.losses.iter().any(|loss| loss.contains("castling rights")));
        let (back, again) = run(&bullet, conversion(Format::Bullet, Format::Games)).unwrap();
        assert_eq!(again.games, summary.filter.kept);
        assert_eq!(run(&back, conversion(Format::Games, Format::Bullet)).unwrap().0, bullet);
    }

    #[test]
    fn games_before_damage_are_safe_in_the_target() {
        let folder = tempfile::tempdir().unwrap();
        let (source, target) = (folder.path().join("source"), folder.path().join("target"));
        let bytes = games(5, true);
        std::fs::write(&source, &bytes[..bytes.len() - 1]).unwrap();
        let mut sound = SoundGames::strict(open(&source, Format::Games).unwrap());
        let mut writer = create(&target, Format::Games).unwrap();
        let how = conversion(Format::Games, Format::Games);
        assert!(matches!(convert(how, &mut sound, &mut *writer), Err(DataError::Damage(_))));
        let mut sound = SoundGames::strict(open(&target, Format::Games).unwrap());
        assert_eq!(std::iter::from_fn(|| sound.next_game().unwrap()).count(), 4);
    }

    #[test]
    fn what_cannot_fit_is_refused_at_once() {
        for (from, to) in [(Format::Bullet, Format::Viri), (Format::Bullet, Format::Binpack)] {
            let error = run(&[], conversion(from, to)).unwrap_err().to_string();
            assert!(error.contains("no move is played"), "{error}");
        }
        let filter = Filter::default();
        let how = Conversion { filter, ..conversion(Format::Games, Format::Viri) };
        assert!(run(&[], how).unwrap_err().to_string().contains("games with holes"));
    }

    #[test]
    fn repetitions_go_and_scores_are_scaled() {
        let bytes = games(20, true).repeat(2);
        let seen = Some(Deduplicator::new(1));
        let how = Conversion { seen, scale: -2.0, ..conversion(Format::Games, Format::Games) };
        let (out, summary) = run(&bytes, how).unwrap();
        assert!(summary.repeated_games >= 20 && summary.repeated_positions > 0);
        assert_eq!(summary.forgotten, 0);
        let first = |bytes: &[u8]| {
            let mut reader = GamesReader::new(bytes, "games");
            std::iter::from_fn(|| reader.next_game().unwrap())
                .flat_map(|record| record.plies().to_vec())
                .find_map(|ply| ply.label)
        };
        let (before, after) = (first(&bytes).unwrap(), first(&out).unwrap());
        assert_eq!(after.for_side(Color::White), -2 * before.for_side(Color::White));
    }
}
