//! Results on standard output, for readers who may leave early.

use std::io::{self, Write as _};

/// Prints a text. Where the reader has gone (`tandem perft 4 --divide | head -1`) there is nobody
/// left to work for, and the program ends quietly.
pub fn print(text: std::fmt::Arguments<'_>) {
    if let Err(error) = write!(io::stdout(), "{text}") {
        if error.kind() != io::ErrorKind::BrokenPipe {
            eprintln!("tandem: cannot write the result: {error}");
            std::process::exit(1);
        }
        std::process::exit(0);
    }
}

/// `print!` by way of [`print()`].
macro_rules! out {
    ($($text:tt)*) => { $crate::output::print(format_args!($($text)*)) };
}

/// `println!` by way of [`print()`].
macro_rules! outln {
    () => { $crate::output::print(format_args!("\n")) };
    ($($text:tt)*) => { $crate::output::print(format_args!("{}\n", format_args!($($text)*))) };
}

pub(crate) use {out, outln};
