//! Who gives the scores.

use std::time::Duration;

use tandem_games::player::introduce;
use tandem_games::{PlayerSpec, Side};
use tandem_nnue::Networks;
use tandem_train::data::{Labeller, NetworkLabeller, SearchLabeller, UciLabeller, UciTeacher};

use super::args::{Args, Label};

/// A teacher that is there and can be asked.
pub enum Teacher {
    /// Nobody.
    None,
    /// The static evaluation of networks.
    Static(Networks),
    /// Our own search with networks and so many nodes.
    Search(Networks, u64),
    /// A UCI engine, and what it calls itself.
    Uci(Box<UciTeacher>, String),
}

impl Teacher {
    /// The teacher that was asked for.
    pub fn new(args: &Args) -> Result<Self, Box<dyn std::error::Error>> {
        if args.engine.is_some() && args.label != Label::Uci {
            return Err("--engine names a teacher for --label uci only".into());
        }
        Ok(match args.label {
            Label::None => Self::None,
            Label::Static => Self::Static(networks(args)?),
            Label::Search => Self::Search(networks(args)?, args.nodes),
            Label::Uci => {
                let engine = engine(args)?;
                let identity = introduce(std::slice::from_ref(&engine), false)?.swap_remove(0);
                let patience = Duration::from_secs_f64(args.patience);
                let teacher = UciTeacher { engine, patience, pawn: args.pawn };
                Self::Uci(Box::new(teacher), identity.engine)
            }
        })
    }

    /// Makes a teacher for each thread.
    pub fn maker(&self) -> Option<Box<dyn Fn() -> Box<dyn Labeller> + Sync + '_>> {
        Some(match self {
            Self::None => return None,
            Self::Static(networks) => Box::new(|| Box::new(NetworkLabeller::new(networks))),
            Self::Search(networks, nodes) => {
                Box::new(|| Box::new(SearchLabeller::new(networks, *nodes)))
            }
            Self::Uci(teacher, _) => {
                Box::new(|| Box::new(UciLabeller::new(UciTeacher::clone(teacher))))
            }
        })
    }

    /// What a file says about its scores.
    pub fn describe(&self, network: &str) -> String {
        match self {
            Self::None => "no scores".to_owned(),
            Self::Static(_) => format!("static scores of {network}"),
            Self::Search(_, nodes) => format!("scores of {nodes} nodes with {network}"),
            Self::Uci(teacher, name) => {
                let options = teacher.engine.options.iter();
                let options: Vec<_> =
                    options.map(|(name, value)| format!(", {name} {value}")).collect();
                let pawn = teacher.pawn.map_or("an even chance to win".into(), |pawn| {
                    format!("{pawn} in the internal unit")
                });
                format!(
                    "scores of {name} with {}{}, 100 centipawns being {pawn}",
                    teacher.engine.pace,
                    options.concat()
                )
            }
        }
    }
}

fn networks(args: &Args) -> Result<Networks, Box<dyn std::error::Error>> {
    let networks = tandem_engine::networks::load(&args.net, &args.small_net)?;
    networks.ok_or_else(|| "there is no network in this program: name one with --net FILE".into())
}

/// The engine as it was described; what it may think is said there or by `--nodes`.
fn engine(args: &Args) -> Result<PlayerSpec, Box<dyn std::error::Error>> {
    let missing = "--label uci needs a teacher: name one with --engine 'cmd=stockfish nodes=5000'";
    let mut engine = args.engine.clone().ok_or(missing)?;
    if engine.pace.tc.is_some() {
        return Err("--engine: a teacher has no clock; give it nodes, depth or movetime".into());
    }
    if !engine.odds.is_empty() || engine.side != Side::Both {
        return Err("--engine: odds and side are for matches, not for a teacher".into());
    }
    if engine.pace.is_open_ended() {
        engine.pace.nodes = Some(args.nodes);
    }
    Ok(engine)
}
