//! `tandem train`: from samples to a network.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tandem_train::{
    Config, EXAMPLE, Finish, Observer, Progress, Record, Source, TextFiles, Trainer,
};

use crate::Outcome;
use crate::output::{out, outln};

/// The words after `tandem train`.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("what").required(true)))]
pub struct Args {
    /// Begin a training with the settings in that file
    #[arg(long, value_name = "FILE", group = "what")]
    config: Option<PathBuf>,
    /// Go on with the training in that folder, exactly as if it had not stopped
    #[arg(long, value_name = "DIR", group = "what")]
    resume: Option<PathBuf>,
    /// Print all settings with their defaults and what they mean
    #[arg(long, group = "what")]
    example_config: bool,
    /// The folder for the network, the log, the curves and the state to go on from
    #[arg(long, value_name = "DIR", default_value = "training", conflicts_with = "resume")]
    out: PathBuf,
}

/// Trains, or prints what can be set.
pub fn run(args: &Args) -> Outcome {
    match (&args.config, &args.resume) {
        (Some(config), _) => begin(config, &args.out),
        (_, Some(folder)) => train(Trainer::resume(folder)?, folder),
        _ => {
            out!("{EXAMPLE}");
            Ok(())
        }
    }
}

fn begin(config: &Path, folder: &Path) -> Outcome {
    let config = Config::load(config)?;
    if folder.join("state.bin").exists() {
        return Err(format!(
            "{0} holds a training already: go on with --resume {0}, or name another --out",
            folder.display()
        )
        .into());
    }
    train(Trainer::new(config)?, folder)
}

fn train(mut trainer: Trainer, folder: &Path) -> Outcome {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))?;

    let data = &trainer.config().data;
    if data.train.is_empty() {
        return Err("`data.train` names no files: there is nothing to learn from".into());
    }
    let samples = TextFiles::find(&data.train)?;
    let validation =
        (!data.validation.is_empty()).then(|| TextFiles::find(&data.validation)).transpose()?;
    let validation = validation.as_ref().map(|files| files as &dyn Source);

    let mut bar = Bar::new(&trainer);
    let finish = trainer.run(&samples, validation, folder, &mut bar, &stop);
    bar.0.finish_and_clear();
    match finish? {
        Finish::Interrupted => {
            let (step, steps) = (trainer.step(), trainer.config().training.steps());
            eprintln!(
                "stopped after step {step} of {steps}; go on with --resume {}",
                folder.display()
            );
        }
        Finish::Complete => {
            if let Some(record) = trainer.history().last() {
                outln!("{}  {}", folder.join("network.nnue").display(), summary(record));
            }
        }
    }
    Ok(())
}

/// A superbatch in one line.
fn summary(record: &Record) -> String {
    let validation =
        record.validation_loss.map(|loss| format!("  validation {loss:.6}")).unwrap_or_default();
    format!(
        "superbatch {}  loss {:.6}{validation}  {:.0} positions/s",
        record.superbatch, record.train_loss, record.samples_per_second
    )
}

/// The progress bar, on a terminal; the line of each superbatch everywhere.
struct Bar(ProgressBar);

impl Bar {
    fn new(trainer: &Trainer) -> Self {
        let bar = ProgressBar::new(trainer.config().training.steps());
        let template = "{wide_bar} {pos}/{len} steps  {msg}";
        bar.set_style(ProgressStyle::with_template(template).expect("the template is valid"));
        bar.set_position(trainer.step());
        Self(bar)
    }
}

impl Observer for Bar {
    fn step(&mut self, progress: &Progress) {
        let left = Duration::from_secs_f64(progress.seconds_left.min(1e9));
        self.0.set_position(progress.step);
        self.0.set_message(format!(
            "loss {:.6}  {:.0}/s  {} left",
            progress.loss,
            progress.samples_per_second,
            indicatif::HumanDuration(left)
        ));
    }

    fn superbatch(&mut self, record: &Record) {
        self.0.suspend(|| eprintln!("{}", summary(record)));
    }
}
