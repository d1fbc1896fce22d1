//! A part of a work that needs nothing from the others, in a folder of its own.

use std::error::Error;
use std::path::{Path, is_separator};
use std::sync::atomic::AtomicBool;

use tandem_fleet::{Begun, Place, Work, Yield};

use crate::Outcome;

/// Whether that is a folder of shards and not the name of files: it ends as only folders do.
pub fn is_folder(out: &Path) -> bool {
    out.to_string_lossy().ends_with(is_separator)
}

/// Does a shard in a folder of shards, unless it is complete. `play` does it in the folder that it is given,
/// as far as an earlier run has not, and answers with nothing if it was stopped.
pub fn run(
    out: &Path,
    work: &Work,
    stop: &AtomicBool,
    play: impl FnOnce(&Path) -> Result<Option<Yield>, Box<dyn Error>>,
) -> Outcome {
    let place = Place::new(out, work.shard);
    let workplace = match place.begin(work, stop)? {
        Begun::Open(workplace) => workplace,
        Begun::Complete(_) => {
            eprintln!("{}: part {} is complete already", out.display(), work.shard);
            return Ok(());
        }
        Begun::Stopped => return Err(stopped(work).into()),
    };
    match play(workplace.folder()) {
        Ok(Some(done)) => {
            workplace.complete(done)?;
            Ok(())
        }
        Ok(None) => {
            workplace.stop();
            Err(stopped(work).into())
        }
        Err(error) => {
            workplace.fail(&error.to_string());
            Err(error)
        }
    }
}

fn stopped(work: &Work) -> String {
    format!("part {} was stopped before its end; the same command goes on with it", work.shard)
}
