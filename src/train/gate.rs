//! `tandem train --gate`: the new network against the old one.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use tandem_train::{Decision, Gate, GateSettings};

use crate::matches::Progress;
use crate::output::outln;
use crate::{Code, Outcome};

/// The network has not won.
const NOT_PROMOTED: Code = Code(3);
/// The games have not decided, or were not all played.
pub const UNDECIDED: Code = Code(4);

/// Plays the gate in a folder of its own within `folder`, and says what was decided.
pub fn run(settings: &GateSettings, candidate: &Path, folder: &Path, stop: &AtomicBool) -> Outcome {
    let folder = folder.join("gate");
    let gate = Gate { settings, candidate, folder: &folder };
    let names = ["new", "old"].map(str::to_owned).to_vec();
    let progress = Progress::new(names, settings.sprt().ok());
    let record = gate.run(stop, &mut |standing, game| progress.show(standing, game));
    progress.finish();
    let record = record?;
    outln!("{record}");
    match record.decision {
        Decision::Promoted => Ok(()),
        Decision::NotPromoted => Err(NOT_PROMOTED.into()),
        Decision::Undecided => Err(UNDECIDED.into()),
    }
}
