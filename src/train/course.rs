//! A training as its user sees it, whatever is trained.

use std::fmt::Display;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tandem_train::{Finish, Observer, Progress, Run, Subject, TrainingSettings as _};

use crate::output::outln;

/// A training that has not begun, in a folder that holds none.
pub fn begin<S: Subject>(
    config: S::Settings,
    folder: &Path,
) -> Result<Run<S>, Box<dyn std::error::Error>> {
    if folder.join("state.bin").exists() {
        return Err(format!(
            "{0} holds a training already: go on with --resume {0}, or name another --out",
            folder.display()
        )
        .into());
    }
    Ok(Run::new(config)?)
}

/// Trains with the data of the settings, shows how it goes, and says how it ended.
pub fn train<S: Subject<Record: Display>>(
    mut run: Run<S>,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<Finish, Box<dyn std::error::Error>> {
    let course = run.config().course();
    if course.train.is_empty() {
        return Err("`data.train` names no files: there is nothing to learn from".into());
    }
    let samples = run.open(course.train)?;
    let validation = course.validation;
    let validation = (!validation.is_empty()).then(|| run.open(validation)).transpose()?;

    let mut bar = Bar::new(run.step(), run.steps());
    let finish = run.run(&*samples, validation.as_deref(), folder, &mut bar, stop);
    bar.finish();
    let finish = finish?;
    match finish {
        Finish::Interrupted => {
            let (step, steps) = (run.step(), run.steps());
            eprintln!(
                "stopped after step {step} of {steps}; go on with --resume {}",
                folder.display()
            );
        }
        Finish::Complete => {
            if let Some(record) = run.history().last() {
                let file = folder.join("network").with_extension(S::EXTENSION);
                outln!("{}  {record}", file.display());
            }
        }
    }
    Ok(finish)
}

/// The progress bar, on a terminal; the line of each superbatch everywhere.
pub struct Bar(ProgressBar);

impl Bar {
    /// So many of all steps are taken.
    pub fn new(step: u64, steps: u64) -> Self {
        let bar = ProgressBar::new(steps);
        let template = "{wide_bar} {pos}/{len} steps  {msg}";
        bar.set_style(ProgressStyle::with_template(template).expect("the template is valid"));
        bar.set_position(step);
        Self(bar)
    }

    /// Shows a step.
    pub fn show(&self, progress: &Progress) {
        let left = Duration::from_secs_f64(progress.seconds_left.min(1e9));
        let measured = match progress.top1 {
            None => format!("loss {:.6}", progress.loss),
            Some(top1) => format!("loss {:.4}  top-1 {:.2} %", progress.loss, 100.0 * top1),
        };
        self.0.set_position(progress.step);
        self.0.set_message(format!(
            "{measured}  {:.0}/s  {} left",
            progress.samples_per_second,
            indicatif::HumanDuration(left)
        ));
    }

    /// Leaves the terminal clean.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl<R: Display> Observer<R> for Bar {
    fn step(&mut self, progress: &Progress) {
        self.show(progress);
    }

    fn superbatch(&mut self, record: &R) {
        self.0.suspend(|| eprintln!("{record}"));
    }
}
