//! How far long work is, on a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over the bytes of a file. Where standard error is no terminal, nothing is shown.
pub fn bar(bytes: u64) -> ProgressBar {
    let style = "{bar:30} {percent:>3} % {bytes}/{total_bytes} {elapsed} (left {eta}) {msg}";
    let style = ProgressStyle::with_template(style).expect("the template is sound");
    ProgressBar::new(bytes).with_style(style)
}
