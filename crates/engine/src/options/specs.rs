//! Every option, declared once.

use std::time::Duration;

use tandem_chess::Color;
use tandem_hybrid::{Schedule, StrategyTable};
use tandem_mcts::{ContemptMode, Noise, Params, Policy};

use super::{Backend, LeafKind, OptionKind, OptionSpec, Options, SearchMode};
use crate::networks::EMBEDDED_POLICY;
use crate::odds::{Odds, OddsMode};
use crate::strength::RATINGS;

/// The largest table that is offered, in MiB.
const MAX_HASH: i64 = 1 << 20;
const MAX_THREADS: i64 = 1024;
/// A limit of visits that is never reached.
const NEVER: i64 = 1_000_000_000;

/// The policy before anyone chooses.
const fn usual_policy() -> Policy {
    match EMBEDDED_POLICY {
        Some(_) => Policy::Network,
        None => Policy::Heuristic,
    }
}

impl Options {
    /// Every option, in the order in which UCI lists them.
    pub const SPECS: &'static [OptionSpec] = &[
        OptionSpec {
            name: "Hash",
            kind: OptionKind::Spin {
                default: 16,
                min: 1,
                max: MAX_HASH,
                set: |options, value| options.search.hash = value as usize,
            },
            about: "MiB of memory for what the search remembers",
        },
        OptionSpec {
            name: "Clear Hash",
            kind: OptionKind::Button,
            about: "forget what the search remembers",
        },
        OptionSpec {
            name: "Threads",
            kind: OptionKind::Spin {
                default: 1,
                min: 1,
                max: MAX_THREADS,
                set: |options, value| options.search.threads = value as usize,
            },
            about: "how many threads search",
        },
        OptionSpec {
            name: "MultiPV",
            kind: OptionKind::Spin {
                default: 1,
                min: 1,
                max: 256,
                set: |options, value| options.search.multi_pv = value as usize,
            },
            about: "how many best lines are shown",
        },
        OptionSpec {
            name: "Ponder",
            kind: OptionKind::Check { default: false, set: |_, _| {} },
            about: "tells that the GUI may let the engine think on the opponent's time",
        },
        OptionSpec {
            name: "Move Overhead",
            kind: OptionKind::Spin {
                default: 10,
                min: 0,
                max: 5000,
                set: |options, value| {
                    options.search.move_overhead = Duration::from_millis(value as u64);
                },
            },
            about: "milliseconds a move kept back for the way to the GUI",
        },
        OptionSpec {
            name: "EvalFile",
            kind: OptionKind::Text { set: |options, value| options.eval_file = value },
            about: "a network (.nnue) to evaluate with; empty for the one in the program, none for no network",
        },
        OptionSpec {
            name: "EvalFileSmall",
            kind: OptionKind::Text { set: |options, value| options.eval_file_small = value },
            about: "a small network for positions in which one side is far ahead",
        },
        OptionSpec {
            name: "SyzygyPath",
            kind: OptionKind::Text { set: |options, value| options.syzygy_path = value },
            about: "folders with Syzygy tablebases, separated by ':' (on Windows ';')",
        },
        OptionSpec {
            name: "SyzygyProbeDepth",
            kind: OptionKind::Spin {
                default: 1,
                min: 1,
                max: 100,
                set: |options, value| options.search.endgames.probe_depth = value as i32,
            },
            about: "ask the largest tables only with that much depth left; more suits slow disks",
        },
        OptionSpec {
            name: "SyzygyProbeLimit",
            kind: OptionKind::Spin {
                default: 7,
                min: 0,
                max: 7,
                set: |options, value| options.search.endgames.probe_limit = value as u32,
            },
            about: "the most pieces, kings included, for which the tables are asked",
        },
        OptionSpec {
            name: "Syzygy50MoveRule",
            kind: OptionKind::Check {
                default: true,
                set: |options, value| options.search.endgames.fifty_moves = value,
            },
            about: "whether a win that the fifty-move rule spoils counts as a draw",
        },
        OptionSpec {
            name: "SearchMode",
            kind: OptionKind::Choice {
                default: "AlphaBeta",
                words: &["AlphaBeta", "MCTS", "Hybrid"],
                set: |options, word| {
                    options.mode = match word {
                        "MCTS" => SearchMode::Mcts,
                        "Hybrid" => SearchMode::Hybrid,
                        _ => SearchMode::AlphaBeta,
                    };
                },
            },
            about: "which search answers: the one that proves, the one that explores, or both in tandem",
        },
        OptionSpec {
            name: "HybridSchedule",
            kind: OptionKind::Choice {
                default: "Concurrent",
                words: &["Phased", "Concurrent"],
                set: |options, word| {
                    options.hybrid.schedule =
                        if word == "Phased" { Schedule::Phased } else { Schedule::Concurrent };
                },
            },
            about: "Hybrid: one search after the other, as in the paper's Algorithm 1, or both side by side",
        },
        OptionSpec {
            name: "HybridStrategy",
            kind: OptionKind::Choice {
                default: "Tuned",
                words: &["Paper", "Tuned"],
                set: |options, word| {
                    options.hybrid.table =
                        if word == "Paper" { StrategyTable::Paper } else { StrategyTable::Tuned };
                },
            },
            about: "Hybrid: who gets how much of the work by the kind of position: as in the paper's Table 2, or our own numbers",
        },
        OptionSpec {
            name: "Classifier",
            kind: OptionKind::Check {
                default: true,
                set: |options, value| options.hybrid.uses_classifier = value,
            },
            about: "Hybrid: whether the kind of position decides on the strategy; otherwise all are taken for balanced",
        },
        OptionSpec {
            name: "Verifier",
            kind: OptionKind::Check {
                default: true,
                set: |options, value| options.hybrid.uses_verifier = value,
            },
            about: "Hybrid: whether alpha-beta has a say in the choice; otherwise the explored move is played",
        },
        OptionSpec {
            name: "HybridInfo",
            kind: OptionKind::Check {
                default: false,
                set: |options, value| options.hybrid_info = value,
            },
            about: "Hybrid: tell before the answer what both searches would play, and whose move is played and why",
        },
        OptionSpec {
            name: "Policy",
            kind: OptionKind::Choice {
                default: "network",
                words: &["network", "heuristic", "uniform"],
                set: |options, word| {
                    options.mcts.policy = match word {
                        "heuristic" => Policy::Heuristic,
                        "uniform" => Policy::Uniform,
                        _ => Policy::Network,
                    };
                },
            },
            about: "MCTS: where the likelihood of a move comes from before it is tried; without a policy network, network is heuristic",
        },
        OptionSpec {
            name: "PolicyFile",
            kind: OptionKind::Text { set: |options, value| options.policy_file = value },
            about: "MCTS: a policy network (.policy) to judge moves with; empty for the one in the program, none for no network",
        },
        OptionSpec {
            name: "LeafSearch",
            kind: OptionKind::Choice {
                default: "static",
                words: &["static", "quiescence", "depth1", "depth2", "depth3", "depth4"],
                set: |options, word| {
                    options.leaf = match word {
                        "quiescence" => LeafKind::Quiescence,
                        _ => word
                            .strip_prefix("depth")
                            .and_then(|depth| depth.parse().ok())
                            .map_or(LeafKind::Static, LeafKind::Depth),
                    };
                },
            },
            about: "MCTS: what is asked at a leaf: the evaluation, or a small search before it",
        },
        OptionSpec {
            name: "CPuct",
            kind: OptionKind::Number {
                default: || Params::default().c_puct(),
                min: 0.0,
                max: 100.0,
                set: |options, value| options.mcts.c_puct = Some(value),
            },
            about: "MCTS: how much is explored",
        },
        OptionSpec {
            name: "FpuReduction",
            kind: OptionKind::Number {
                default: || Params::default().fpu_reduction(),
                min: -10.0,
                max: 10.0,
                set: |options, value| options.mcts.fpu_reduction = Some(value),
            },
            about: "MCTS: by how much a move that was not tried yet is worse than its position",
        },
        OptionSpec {
            name: "PolicyTemperature",
            kind: OptionKind::Number {
                default: || usual_policy().temperature(),
                min: 0.1,
                max: 10.0,
                set: |options, value| options.mcts.policy_temperature = Some(value),
            },
            about: "MCTS: the higher, the more alike moves seem before they are tried",
        },
        OptionSpec {
            name: "RootNoise",
            kind: OptionKind::Check {
                default: false,
                set: |options, value| {
                    options.noise_wanted = value;
                    options.make_noise();
                },
            },
            about: "MCTS: noise on the likelihoods at the root, for self-play",
        },
        OptionSpec {
            name: "DirichletAlpha",
            kind: OptionKind::Number {
                default: || Noise::SELF_PLAY.alpha,
                min: 0.01,
                max: 10.0,
                set: |options, value| {
                    options.noise.alpha = value;
                    options.make_noise();
                },
            },
            about: "MCTS: the smaller, the fewer moves get most of the noise",
        },
        OptionSpec {
            name: "DirichletEpsilon",
            kind: OptionKind::Number {
                default: || Noise::SELF_PLAY.epsilon,
                min: 0.0,
                max: 1.0,
                set: |options, value| {
                    options.noise.epsilon = value;
                    options.make_noise();
                },
            },
            about: "MCTS: the share of the likelihoods that becomes noise",
        },
        OptionSpec {
            name: "ScLimit",
            kind: OptionKind::Nonzero {
                default: NEVER,
                min: -NEVER,
                max: NEVER,
                set: |options, value| {
                    options.mcts.sc_limit = Some(value).filter(|value| value.get().abs() < NEVER);
                },
            },
            about: "MCTS: visits after which the opponent's choices are frozen (search-contempt); our own if negative; 1000000000 for never",
        },
        OptionSpec {
            name: "ScTemperature",
            kind: OptionKind::Number {
                default: || 1.0,
                min: 0.01,
                max: 100.0,
                set: |options, value| {
                    let is_plain = (value - 1.0).abs() < f32::EPSILON;
                    options.mcts.sc_temperature = (!is_plain).then_some(value);
                },
            },
            about: "MCTS: the higher, the more alike the frozen choices become",
        },
        OptionSpec {
            name: "ContemptMode",
            kind: OptionKind::Choice {
                default: "play",
                words: &["play", "white", "black", "off"],
                set: |options, word| {
                    options.mcts.contempt_mode = match word {
                        "white" => ContemptMode::Against(Color::White),
                        "black" => ContemptMode::Against(Color::Black),
                        "off" => ContemptMode::Off,
                        _ => ContemptMode::Play,
                    };
                    options.hold_in_contempt();
                },
            },
            about: "MCTS: who the opponent is of whom ScLimit and Contempt speak: who is not to move, or always the same side",
        },
        OptionSpec {
            name: "DrawScore",
            kind: OptionKind::Number {
                default: || 0.0,
                min: -1.0,
                max: 1.0,
                set: |options, value| options.mcts.draw_score = value,
            },
            about: "MCTS: what a draw is worth to the side that thinks, from -1 (a loss) to 1 (a win)",
        },
        OptionSpec {
            name: "ShowContempt",
            kind: OptionKind::Check {
                default: false,
                set: |options, value| options.mcts.shows_contempt = value,
            },
            about: "MCTS: show scores as Contempt, UCI_RatingAdv and DrawScore make them look, instead of as they are",
        },
        OptionSpec {
            name: "Temperature",
            kind: OptionKind::Number {
                default: || 0.0,
                min: 0.0,
                max: 100.0,
                set: |options, value| options.mcts.temperature.start = value,
            },
            about: "MCTS: how much is left to chance when a move is chosen; 0 for nothing",
        },
        OptionSpec {
            name: "TempDecayMoves",
            kind: OptionKind::Spin {
                default: 0,
                min: 0,
                max: 1000,
                set: |options, value| options.mcts.temperature.decay_moves = value as u32,
            },
            about: "MCTS: moves in which Temperature falls to nothing; 0 if it does not fall",
        },
        OptionSpec {
            name: "TempDecayDelayMoves",
            kind: OptionKind::Spin {
                default: 0,
                min: 0,
                max: 1000,
                set: |options, value| options.mcts.temperature.delay_moves = value as u32,
            },
            about: "MCTS: moves before Temperature begins to fall",
        },
        OptionSpec {
            name: "TempCutoffMove",
            kind: OptionKind::Spin {
                default: 0,
                min: 0,
                max: 1000,
                set: |options, value| options.mcts.temperature.cutoff_move = value as u32,
            },
            about: "MCTS: the move from which on TempEndgame holds; 0 for never",
        },
        OptionSpec {
            name: "TempEndgame",
            kind: OptionKind::Number {
                default: || 0.0,
                min: 0.0,
                max: 100.0,
                set: |options, value| options.mcts.temperature.endgame = value,
            },
            about: "MCTS: Temperature does not fall below this",
        },
        OptionSpec {
            name: "TempValueCutoff",
            kind: OptionKind::Number {
                default: || 100.0,
                min: 0.0,
                max: 100.0,
                set: |options, value| options.mcts.temperature.value_cutoff = value,
            },
            about: "MCTS: moves that are worse than the best by more than so many per cent are not left to chance",
        },
        OptionSpec {
            name: "TempVisitOffset",
            kind: OptionKind::Number {
                default: || 0.0,
                min: -1000.0,
                max: 1000.0,
                set: |options, value| options.mcts.temperature.visit_offset = value,
            },
            about: "MCTS: added to the visits of each move before chance weighs them",
        },
        OptionSpec {
            name: "Odds",
            kind: OptionKind::Choice {
                default: "off",
                words: &["off", "auto", "pawn", "knight", "rook", "two-pieces", "queen"],
                set: |options, word| {
                    options.odds = match word {
                        "auto" => OddsMode::Auto,
                        "pawn" => OddsMode::Always(Odds::Pawn),
                        "knight" => OddsMode::Always(Odds::Knight),
                        "rook" => OddsMode::Always(Odds::Rook),
                        "two-pieces" => OddsMode::Always(Odds::TwoPieces),
                        "queen" => OddsMode::Always(Odds::Queen),
                        _ => OddsMode::Off,
                    };
                },
            },
            about: "play at odds with settings that suit them; auto sees what we began without",
        },
        OptionSpec {
            name: "Backend",
            kind: OptionKind::Choice {
                default: "auto",
                words: &["auto", "cpu", "gpu"],
                set: |options, word| {
                    options.backend = match word {
                        "cpu" => Backend::Cpu,
                        "gpu" => Backend::Gpu,
                        _ => Backend::Auto,
                    };
                },
            },
            about: "MCTS: where positions are evaluated; auto takes the GPU if it was measured to be faster",
        },
        OptionSpec {
            name: "BatchSize",
            kind: OptionKind::Spin {
                default: 0,
                min: 0,
                max: 4096,
                set: |options, value| options.mcts.batch = value as usize,
            },
            about: "MCTS: positions that a thread gathers at the most before they are evaluated together; 0 chooses, 1 evaluates at once",
        },
        OptionSpec {
            name: "VerboseMoveStats",
            kind: OptionKind::Check {
                default: false,
                set: |options, value| options.mcts.verbose = value,
            },
            about: "MCTS: tell of every move before the answer, as lc0 does",
        },
        OptionSpec {
            name: "OwnBook",
            kind: OptionKind::Check {
                default: false,
                set: |options, value| options.own_book = value,
            },
            about: "play from the book of BookFile while it lasts",
        },
        OptionSpec {
            name: "BookFile",
            kind: OptionKind::Text { set: |options, value| options.book_file = value },
            about: "an opening book in Polyglot's form (.bin)",
        },
        OptionSpec {
            name: "BestBookMove",
            kind: OptionKind::Check {
                default: false,
                set: |options, value| options.best_book_move = value,
            },
            about: "play the book's heaviest move instead of drawing one by weight",
        },
        OptionSpec {
            name: "UCI_Chess960",
            kind: OptionKind::Check {
                default: false,
                set: |options, value| options.chess960 = value,
            },
            about: "write castling as king takes rook, as Fischer random chess needs it",
        },
        OptionSpec {
            name: "UCI_ShowWDL",
            kind: OptionKind::Check {
                default: false,
                set: |options, value| options.show_wdl = value,
            },
            about: "show the chances to win, draw and lose in thousandths",
        },
        OptionSpec {
            name: "Contempt",
            kind: OptionKind::Spin {
                default: 0,
                min: -200,
                max: 200,
                set: |options, value| {
                    options.contempt = value as i32;
                    options.hold_in_contempt();
                },
            },
            about: "centipawns by which a draw is worse than nothing to the side that thinks; in MCTS each counts as 10 points of UCI_RatingAdv",
        },
        OptionSpec {
            name: "UCI_RatingAdv",
            kind: OptionKind::Spin {
                default: 0,
                min: -4000,
                max: 4000,
                set: |options, value| {
                    options.rating_advantage = value as i32;
                    options.hold_in_contempt();
                },
            },
            about: "how much stronger than the opponent we are, in Elo: a tenth of it adds to Contempt",
        },
        OptionSpec {
            name: "UCI_LimitStrength",
            kind: OptionKind::Check {
                default: false,
                set: |options, value| options.rating = value.then_some(options.elo),
            },
            about: "play at the rating of UCI_Elo",
        },
        OptionSpec {
            name: "UCI_Elo",
            kind: OptionKind::Spin {
                default: 1500,
                min: *RATINGS.start(),
                max: *RATINGS.end(),
                set: |options, value| {
                    options.elo = value;
                    options.rating = options.rating.map(|_| value);
                },
            },
            about: "the rating to play at, if UCI_LimitStrength is on",
        },
        OptionSpec {
            name: "UCI_AnalyseMode",
            kind: OptionKind::Check {
                default: false,
                set: |options, value| {
                    options.analysing = value;
                    options.hold_in_contempt();
                },
            },
            about: "the GUI analyses: always at full strength, and from no book",
        },
        OptionSpec {
            name: "UCI_Opponent",
            kind: OptionKind::Text { set: |options, value| options.opponent = value },
            about: "who the opponent is, with the rating by which Odds measures its contempt",
        },
        OptionSpec {
            name: "Seed",
            kind: OptionKind::Spin {
                default: 0,
                min: 0,
                max: (1 << 31) - 1,
                set: |options, value| {
                    options.seed = value as u64;
                    options.mcts.seed = options.seed;
                },
            },
            about: "where every choice that is left to chance begins",
        },
        OptionSpec {
            name: "Debug Log File",
            kind: OptionKind::Text { set: |options, value| options.log_file = value },
            about: "write the conversation to that file",
        },
    ];
}
