//! The same program several times at once, to hold threads against.

use std::process::{Command, Stdio};

/// What so many processes of this program print that are started together with those arguments.
pub fn outputs(count: usize, arguments: &[&str]) -> Result<Vec<String>, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let start = || Command::new(&program).args(arguments).stdout(Stdio::piped()).spawn();
    let children: Result<Vec<_>, _> = (0..count).map(|_| start()).collect();
    children
        .map_err(|error| format!("cannot start another process: {error}"))?
        .into_iter()
        .map(|child| {
            let output = child.wait_with_output().map_err(|error| error.to_string())?;
            String::from_utf8(output.stdout).map_err(|error| error.to_string())
        })
        .collect()
}
