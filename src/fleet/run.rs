//! `tandem fleet run`: one task of a plan, on whichever machine.

use std::env;

use clap::Parser as _;
use tandem_fleet::Kind;
use tandem_fleet::{Begun, FleetError, Note, Place, Plan, Task, Yield, course};
use tandem_train::learning::News;

use crate::{Cli, Outcome, carry_out, interrupt};

/// Where schedulers say which task it is.
const VARIABLES: [&str; 2] = ["HQ_TASK_ID", "SLURM_ARRAY_TASK_ID"];

/// The words after `tandem fleet run`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    folder: super::Folder,
    /// Which task, counted from 1; what HyperQueue or Slurm say in the environment if not said
    #[arg(long)]
    task: Option<u64>,
}

/// Does the task, unless it is done. Why it fails is kept where `status` finds it.
pub fn run(args: &Args) -> Outcome {
    let plan = Plan::load(&args.folder.folder)?;
    let said = VARIABLES.iter().find_map(|name| env::var(name).ok()?.parse().ok());
    let number = args.task.or(said).ok_or("which task? say --task N")?;
    let task = plan.task(number)?;
    let place = plan.place(&task);
    let outcome = perform(&plan, &task, &place);
    if let Err(error) = &outcome {
        // Where the command got as far as its place, it has said itself what became of it.
        let note = Note::read(&place.unfinished());
        if note.is_none_or(|note| note.pid != std::process::id()) {
            place.refuse(&error.to_string());
        }
    }
    outcome
}

fn perform(plan: &Plan, task: &Task<'_>, place: &Place) -> Outcome {
    if place.complete().exists() {
        eprintln!("task {}: complete already", task.number);
        return Ok(());
    }
    plan.check_inputs()?;
    match task.stage.kind {
        Kind::Shards => {
            let words = std::iter::once("tandem".to_owned()).chain(plan.command(task.shard));
            let cli = Cli::try_parse_from(words)?;
            carry_out(cli.command.ok_or("the plan has no command")?)
        }
        Kind::Games { .. } | Kind::Step { .. } => of_loop(plan, task, place),
    }
}

/// A task of the learning loop.
fn of_loop(plan: &Plan, task: &Task<'_>, place: &Place) -> Outcome {
    let stop = interrupt::signal()?;
    let kind = task.stage.kind;
    let work = course::work(plan, &kind, place);
    let workplace = match place.begin(&work, &stop)? {
        Begun::Open(workplace) => workplace,
        Begun::Complete(_) => return Ok(()),
        Begun::Stopped => return Err("stopped while another process did the task".into()),
    };
    let mut listener = |news: News<'_>| {
        if let News::Begin(what) | News::Done(what) = news {
            eprintln!("{what}");
        }
    };
    let done: Result<Option<Yield>, FleetError> = match kind {
        Kind::Games { generation, part } => {
            let here = (place, workplace.folder());
            course::play(plan, (generation, part), here, &stop, &mut listener)
        }
        Kind::Step { generation, goal } => {
            course::advance(plan, (generation, goal), &stop, &mut listener)
        }
        Kind::Shards => return Err("this task is no part of a loop".into()),
    };
    match done {
        Ok(Some(done)) => {
            workplace.complete(done)?;
            Ok(())
        }
        Ok(None) => {
            workplace.stop();
            Err("stopped before the end; the same command goes on".into())
        }
        Err(error) => {
            workplace.fail(&error.to_string());
            Err(error.into())
        }
    }
}
