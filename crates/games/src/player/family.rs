//! An engine with everything that it has started itself: often it hides behind a script.

use std::collections::BTreeSet;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The families that have not been ended.
static LIVING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn living() -> MutexGuard<'static, BTreeSet<u32>> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A process group that is ended when this is dropped.
pub struct Family(u32);

impl Family {
    /// Has a command begin a family. A terminal's Ctrl-C no longer reaches it: engines are to hear of
    /// the end from us, so that an interrupted match does not look as if they had crashed.
    pub fn begin(command: &mut Command) {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(not(unix))]
        let _ = command;
    }

    /// The family of a process whose command began one.
    pub fn of(child: &Child) -> Self {
        living().insert(child.id());
        Self(child.id())
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        if living().remove(&self.0) {
            end(self.0);
        }
    }
}

/// Ends all engines at once, whatever they are doing, for a program that cannot wait for them.
pub fn end_all() {
    for family in std::mem::take(&mut *living()) {
        end(family);
    }
}

#[cfg(unix)]
fn end(family: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = Pid::from_raw(family.cast_signed()) {
        // Usually nobody of it is left.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end(_: u32) {}
