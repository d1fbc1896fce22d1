//! What the suites with real files share.

#![allow(dead_code, reason = "each suite uses its part")]

#[path = "../../src/testing.rs"]
pub mod testing;

use std::sync::mpsc;

use tandem_engine::{Choice, Engine, Event, Limits, Options, Progress};

/// Sets an option that must be accepted, and answers with what the engine says to it.
pub fn set(engine: &mut Engine, name: &str, value: &str) -> Option<String> {
    engine.set_option(Options::find(name).unwrap(), value).unwrap()
}

/// Searches to the end, if need be by a word to stop, and answers with the choice and the last
/// report.
pub fn go(engine: &mut Engine, limits: Limits) -> (Choice, Progress) {
    let (sender, receiver) = mpsc::channel();
    let waits = !limits.answers_unasked();
    let mut last = None;
    engine.go(limits, move |event| {
        match event {
            Event::Progress(progress) => last = Some(progress.clone()),
            Event::Finished(choice) => {
                let last = last.take().expect("a report comes before the choice");
                sender.send((choice, last)).unwrap();
            }
        }
        true
    });
    if waits {
        std::thread::sleep(std::time::Duration::from_millis(50));
        engine.stop();
    }
    receiver.recv().unwrap()
}
