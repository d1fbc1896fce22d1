//! Ctrl-C during long work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What becomes true when the user wants to leave. Who asks twice does not want to wait for what is
/// still being thought about.
pub fn signal() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let signal = stop.clone();
    ctrlc::set_handler(move || {
        if signal.swap(true, Ordering::Relaxed) {
            tandem_games::player::end_all();
            std::process::exit(130);
        }
    })?;
    Ok(stop)
}
