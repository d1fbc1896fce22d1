//! `tandem train`: from samples to a network, and through a gate to the place of the old one.

mod course;
mod gate;
mod generations;
mod policy;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::Subcommand;
use tandem_train::{Config, ConfigError, EXAMPLE, Finish, GateSettings, Settings as _, Trainer};

use self::course::{begin, train};
use crate::output::{out, outln};
use crate::{Outcome, interrupt};

/// The words after `tandem train`.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("what").required(true).multiple(true)))]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    other: Option<Other>,
    /// Begin a training with the settings in that file
    #[arg(long, value_name = "FILE", group = "what")]
    config: Option<PathBuf>,
    /// Go on with the training in that folder, exactly as if it had not stopped
    #[arg(long, value_name = "DIR", group = "what", conflicts_with_all = ["config", "candidate"])]
    resume: Option<PathBuf>,
    /// Print all settings with their defaults and what they mean
    #[arg(long, group = "what", conflicts_with_all = ["config", "resume", "candidate"])]
    example_config: bool,
    /// The folder for the network, the log, the curves, the state to go on from, and the gate
    #[arg(long, value_name = "DIR", default_value = "training", conflicts_with = "resume")]
    out: PathBuf,
    /// Change a setting: table.key=value
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Play the network against the old one, and put it in its place only if it wins: exit code 0;
    /// 3 if it does not win, 4 if the games do not decide
    #[arg(long)]
    gate: bool,
    /// Train nothing: this is the network for the gate, and of the settings only [gate] counts
    #[arg(long, value_name = "FILE", group = "what", requires = "gate")]
    candidate: Option<PathBuf>,
    /// The file whose place the network takes if it wins (`gate.promote_to`)
    #[arg(long, value_name = "FILE", requires = "gate")]
    promote_to: Option<PathBuf>,
    /// The old network, or none for the evaluation without one; unless this is said, the file of
    /// --promote-to (`gate.against`)
    #[arg(long, value_name = "FILE", requires = "gate")]
    against: Option<PathBuf>,
}

/// Other trainings than that of a network that evaluates positions.
#[derive(Subcommand)]
enum Other {
    /// Have networks play games, learn from them, and stand for election, again and again
    Loop(generations::Args),
    /// Train a network that says how likely each move is
    Policy(policy::Args),
}

impl Args {
    /// The settings with what the command line changes.
    fn changed(&self, config: &Config) -> Result<Config, ConfigError> {
        let mut config = config.clone();
        config.gate.promote_to = self.promote_to.clone().or(config.gate.promote_to);
        config.gate.against = self.against.clone().or(config.gate.against);
        config.with(self.set.iter().map(String::as_str))
    }
}

/// Trains, or prints what can be set.
pub fn run(args: &Args) -> Outcome {
    match &args.other {
        Some(Other::Loop(args)) => return generations::run(args),
        Some(Other::Policy(args)) => return policy::run(args),
        None => {}
    }
    if args.example_config {
        out!("{EXAMPLE}");
        return Ok(());
    }
    let stop = interrupt::signal()?;
    if let Some(folder) = &args.resume {
        if let Some(change) = args.set.iter().find(|change| !change.starts_with("gate.")) {
            return Err(format!(
                "--set {change}: a training that goes on keeps its settings; only those of the gate \
                 can change"
            )
            .into());
        }
        let trainer = Trainer::resume(folder)?;
        let settings = args.changed(trainer.config())?.gate;
        return whole(args, trainer, folder, &settings, &stop);
    }
    let config = args.config.as_deref().map_or_else(|| Ok(Config::default()), Config::load)?;
    let config = args.changed(&config)?;
    if let Some(candidate) = &args.candidate {
        return gate::run(&config.gate, candidate, &args.out, &stop);
    }
    let settings = config.gate.clone();
    whole(args, begin(config, &args.out)?, &args.out, &settings, &stop)
}

/// A training and its gate, if one is wanted.
fn whole(
    args: &Args,
    trainer: Trainer,
    folder: &Path,
    settings: &GateSettings,
    stop: &AtomicBool,
) -> Outcome {
    if args.gate {
        settings.check_files()?;
    }
    let is_trained = args.gate && trainer.is_complete();
    let finish = if is_trained { Finish::Complete } else { train(trainer, folder, stop)? };
    match finish {
        _ if !args.gate => Ok(()),
        Finish::Complete => gate::run(settings, &folder.join("network.nnue"), folder, stop),
        Finish::Interrupted => {
            outln!("undecided: the training was stopped before the gate");
            Err(gate::UNDECIDED.into())
        }
    }
}
