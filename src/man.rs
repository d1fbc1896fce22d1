//! `tandem man`: the manual, made from what `--help` says.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use crate::Outcome;
use crate::output::out;

/// The words after `tandem man`.
#[derive(clap::Args)]
pub struct Args {
    /// Write a page for the program and one for each subcommand into that folder, instead of printing the first
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// What no option says, in the language of manual pages.
const MORE: &str = r#".SH "EXIT STATUS"
0 for success, 1 for a failure, 2 for wrong usage.
.SH ENVIRONMENT
.TP
\fBTANDEM_IMAGES\fR
where decoded networks are kept, or \fBoff\fR
.TP
\fBTANDEM_SIMD\fR
the kernel of the networks: \fBscalar\fR, \fBavx2\fR, \fBavx512\fR or \fBneon\fR
.SH FILES
Decoded networks and measurements of the GPU are kept in \fItandem\fR in the user's folder of caches
(\fI~/.cache\fR on Linux). They can be deleted at any time.
"#;

/// When what stands here was last changed; pages want a date.
const DATE: &str = "2026-11-19";

/// Prints the page of the program, or writes all pages.
pub fn run(args: &Args) -> Outcome {
    // Pages about `help` would repeat all others.
    let mut program = crate::Cli::command().disable_help_subcommand(true);
    program.build();
    match &args.out {
        None => out!("{}", page(program)?),
        Some(folder) => fs::create_dir_all(folder)
            .and_then(|()| write(program, folder))
            .map_err(|error| format!("cannot write to {}: {error}", folder.display()))?,
    }
    Ok(())
}

/// Writes the page of that command and those of its subcommands.
fn write(command: Command, folder: &Path) -> io::Result<()> {
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        write(subcommand.clone(), folder)?;
    }
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    fs::write(folder.join(format!("{name}.1")), page(command)?)
}

fn page(command: Command) -> io::Result<String> {
    let is_program = command.get_name() == "tandem";
    let source = concat!("tandem ", env!("CARGO_PKG_VERSION"));
    let mut page = Vec::new();
    Man::new(command).date(DATE).source(source).render(&mut page)?;
    let page = String::from_utf8(page).map_err(io::Error::other)?;
    Ok(if is_program { page + MORE } else { page })
}
