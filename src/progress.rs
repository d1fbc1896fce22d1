//! How far many games have come, on standard error.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};

/// Games between notes where there is no terminal to draw on.
const NOTE_EVERY: u64 = 50;

/// A bar, or a note now and then.
pub struct GamesBar(Option<ProgressBar>);

impl GamesBar {
    /// Nothing has been played yet.
    pub fn new() -> Self {
        let style = "{bar:20} {pos}/{len} games, {elapsed} gone, {eta} left: {msg}";
        Self(std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template(style).expect("the template is sound");
            ProgressBar::new(0).with_style(style)
        }))
    }

    /// Shows that so many of all games are finished, and a line about them. What an earlier run did is
    /// shown first, before any game of this one.
    pub fn show(&self, games: u64, total: u64, is_first: bool, line: impl FnOnce() -> String) {
        match &self.0 {
            Some(bar) => {
                bar.set_length(total);
                if is_first {
                    // What an earlier run did says nothing about this one's pace.
                    bar.set_position(games);
                    bar.reset_eta();
                }
                bar.set_position(games);
                bar.set_message(line());
            }
            None if !is_first && games.is_multiple_of(NOTE_EVERY) => {
                eprintln!("{games}/{total} games: {}", line());
            }
            None => {}
        }
    }

    /// Says something beside the bar.
    pub fn say(&self, text: &str) {
        match &self.0 {
            Some(bar) => bar.suspend(|| eprintln!("{text}")),
            None => eprintln!("{text}"),
        }
    }

    /// Leaves the terminal clean.
    pub fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
