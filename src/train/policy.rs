//! `tandem train policy`: from moves to a network that judges moves, and measuring such networks.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::json;
use tandem_nnue::PolicyNetwork;
use tandem_train::policy::{Measures, PolicyConfig, PolicyFiles, PolicyTrainer, evaluate};
use tandem_train::{ConfigError, Settings as _};

use super::course::{begin, train};
use crate::output::{out, outln};
use crate::{Outcome, interrupt};

/// The words after `tandem train policy`.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("task").required(true).multiple(true)))]
pub struct Args {
    /// Begin a training with the settings in that file
    #[arg(long, value_name = "FILE", group = "task")]
    config: Option<PathBuf>,
    /// Go on with the training in that folder, exactly as if it had not stopped
    #[arg(long, value_name = "DIR", group = "task", conflicts_with_all = ["config", "evaluate", "set"])]
    resume: Option<PathBuf>,
    /// Print all settings with their defaults and what they mean
    #[arg(long, group = "task", conflicts_with_all = ["config", "resume", "evaluate"])]
    example_config: bool,
    /// The folder for the network, the log, the curves, and the state to go on from
    #[arg(long, value_name = "DIR", default_value = "training", conflicts_with = "resume")]
    out: PathBuf,
    /// Change a setting: table.key=value
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Train nothing: measure how well that network foresees the moves in --data; of the settings only
    /// `[data]` counts
    #[arg(long, value_name = "FILE", group = "task", requires = "data")]
    evaluate: Option<PathBuf>,
    /// The files of moves, or folders of them, to measure with
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "evaluate")]
    data: Vec<PathBuf>,
    /// Measure with at most so many positions, the first of the files
    #[arg(long, value_name = "COUNT", requires = "evaluate", value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,
    /// Print one JSON object instead
    #[arg(long, requires = "evaluate")]
    json: bool,
}

impl Args {
    /// The settings with what the command line changes.
    fn config(&self) -> Result<PolicyConfig, ConfigError> {
        let file = self.config.as_deref();
        let config = file.map_or_else(|| Ok(PolicyConfig::default()), PolicyConfig::load)?;
        config.with(self.set.iter().map(String::as_str))
    }
}

/// Trains, measures, or prints what can be set.
pub fn run(args: &Args) -> Outcome {
    if args.example_config {
        out!("{}", PolicyConfig::EXAMPLE);
        return Ok(());
    }
    if let Some(file) = &args.evaluate {
        let network = Arc::new(PolicyNetwork::load(file)?);
        let files = PolicyFiles::find(&args.data, &args.config()?.data)?;
        let measures = evaluate(&network, &files, args.positions.unwrap_or(u64::MAX))?;
        return print(args, &network, &measures);
    }
    let stop = interrupt::signal()?;
    let (trainer, folder) = match &args.resume {
        Some(folder) => (PolicyTrainer::resume(folder)?, folder),
        None => (begin(args.config()?, &args.out)?, &args.out),
    };
    train(trainer, folder, &stop).map(drop)
}

/// Says what a network is worth.
fn print(args: &Args, network: &PolicyNetwork, measures: &Measures) -> Outcome {
    let name = network.digest().policy_name();
    if args.json {
        let mut object = serde_json::to_value(measures)?;
        object["network"] = json!(name);
        object["temperature"] = json!(network.temperature());
        outln!("{object}");
        return Ok(());
    }
    outln!("network        {name}, temperature {:.3}", network.temperature());
    outln!("positions      {}", measures.positions);
    outln!("cross-entropy  {:.4}", measures.cross_entropy);
    outln!("perplexity     {:.3}", measures.perplexity);
    outln!("top-1          {:.2} %", 100.0 * measures.top1);
    outln!("top-5          {:.2} %", 100.0 * measures.top5);
    Ok(())
}
