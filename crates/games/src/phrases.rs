//! What several reports say in the same way.

use std::fmt::Write as _;

use crate::player::Identity;
use crate::spec::{PlayerSpec, Side};

/// A rate in percent.
pub fn percent(rate: Option<f64>) -> String {
    rate.map_or("unknown".to_owned(), |rate| format!("{:.1} %", rate * 100.0))
}

/// Who played and with what, in a few lines: as asked for, and as it turned out.
pub fn player(spec: &PlayerSpec, identity: &Identity) -> String {
    let mut text = format!("  {}: {}", spec.name, identity.engine);
    if let Some(hash) = &identity.program {
        let _ = write!(text, " (program {hash})");
    }
    let network = identity.network.as_deref().unwrap_or("its own or unknown");
    let _ = write!(text, ", network {network}");
    if let Some(priors) = &identity.priors {
        let _ = write!(text, ", priors {priors}");
    }
    let _ = write!(text, ", {}", spec.pace);
    if !spec.odds.is_empty() {
        let squares: Vec<String> = spec.odds.iter().map(ToString::to_string).collect();
        let _ = write!(text, ", without {}", squares.join(","));
    }
    if spec.side != Side::Both {
        let _ = write!(text, ", side {}", spec.side);
    }
    if spec.restart {
        text.push_str(", started anew for each game");
    }
    text.push('\n');
    if let Some(program) = &spec.program {
        let _ = writeln!(text, "    program: {program}");
    }
    let options: Vec<String> =
        spec.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let options = if options.is_empty() { "default".to_owned() } else { options.join(", ") };
    let _ = writeln!(text, "    options: {options}");
    text
}

/// How long a run took, and when it ended: now.
pub fn time(seconds: f64) -> String {
    let now = humantime::format_rfc3339_seconds(std::time::SystemTime::now());
    format!("time: {seconds:.0} s, {now}")
}
