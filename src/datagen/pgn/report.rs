//! What `tandem datagen pgn` says in the end.

use serde_json::json;
use tandem_train::data::{ImportReport, Writer};

use super::{Args, NAMED};
use crate::Outcome;
use crate::output::outln;

impl Args {
    /// Says what became of the games.
    pub fn print(&self, report: &ImportReport, writer: &dyn Writer, seconds: f64) -> Outcome {
        let speed = report.labelled as f64 / seconds.max(1e-9);
        if self.json {
            let mut object = json!({
                "file": self.out, "bytes": writer.bytes(), "seconds": seconds,
                "labels_per_second": speed, "losses": writer.losses(),
            });
            object["report"] = serde_json::to_value(report)?;
            outln!("{object}");
            return Ok(());
        }
        let named = if report.broken > NAMED && self.broken.is_none() {
            format!(", {NAMED} of them named")
        } else {
            String::new()
        };
        outln!(
            "games      {} read, {} broken{named}, {} without a result, {} repeated, {} written",
            report.games,
            report.broken,
            report.unfinished,
            report.repeated_games,
            report.written
        );
        outln!("positions  {}, {} of them off the line", report.positions, report.off_line);
        outln!("filter     {}", self.filter.without_scores());
        for line in report.filter.lines() {
            outln!("    {line}");
        }
        if self.dedup.is_some() {
            let exact =
                if report.forgotten == 0 { "" } else { ", not all noticed for want of memory" };
            outln!("repeated   {} positions{exact}", report.repeated_positions);
        }
        if report.unanswered > 0 {
            outln!("in vain    {} positions have no score: the teacher failed", report.unanswered);
        }
        outln!("scores     {} in {seconds:.1} s, {speed:.0} a second", report.labelled);
        for loss in writer.losses() {
            outln!("format     {loss}");
        }
        outln!("file       {}, {} bytes", self.out.display(), writer.bytes());
        Ok(())
    }
}
