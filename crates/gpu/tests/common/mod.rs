//! What the tests of this crate share.

#![allow(dead_code, reason = "each test program uses its own part")]

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use tandem_chess::{Position, Random};
use tandem_gpu::Device;
use tandem_nnue::{Architecture, Evaluator, FeatureSet, Network, Networks, Outputs, Parameters};

/// The threat network of Stockfish 18.
pub const THREATS: &str = "nn-c288c895ea92";
/// The small network of Stockfish 18.
pub const SMALL: &str = "nn-37f18f62d772";
/// All four real networks.
pub const NAMES: [&str; 4] = [SMALL, "nn-ad9b42354671", "nn-5af11540bbfe", THREATS];

/// The device of this test program. Without one, GPU code is untested, which is a failure.
pub fn device() -> Device {
    static DEVICE: OnceLock<Device> = OnceLock::new();
    let open =
        || Device::open().unwrap_or_else(|error| panic!("these tests need a device: {error}"));
    DEVICE.get_or_init(open).clone()
}

/// Fails if wgpu has complained of anything.
pub fn assert_no_complaint(device: &Device) {
    assert_eq!(device.health().trouble(), None);
}

/// A real network.
pub fn real(name: &str) -> Arc<Network> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let cache = || {
        let cache = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
        cache.expect("HOME is set").join("tandem/nets")
    };
    let path = variable("TANDEM_NETS").unwrap_or_else(cache).join(format!("{name}.nnue"));
    assert!(path.exists(), "{} is missing: run scripts/networks", path.display());
    Arc::new(Network::load(path).unwrap())
}

/// The network in the program.
pub fn embedded() -> Arc<Network> {
    let bytes = include_bytes!("../../../../networks/default.nnue");
    Arc::new(Network::from_bytes(bytes).unwrap())
}

/// A network of random numbers. Large ones make every sum wrap around.
pub fn random(features: FeatureSet, l1: usize, large: bool) -> Arc<Network> {
    let mut random = Random::new(l1 as u64);
    let mut next = || (random.bits() >> 32) as i32;
    let small = |value: i32, bits: u32| if large { value } else { value >> bits };
    let mut numbers = Parameters::zero(Architecture::new(features, l1).unwrap(), "random");
    numbers.biases.fill_with(|| small(next(), 24) as i16);
    numbers.weights.fill_with(|| small(next(), 26) as i16);
    numbers.threat_weights.fill_with(|| small(next(), 28) as i8);
    numbers.threat_psqt.fill_with(|| small(next(), 16));
    numbers.psqt.fill_with(|| small(next(), 16));
    for layer in &mut numbers.layers {
        layer.fc0_biases.fill_with(|| small(next(), 18));
        layer.fc0_weights.fill_with(|| small(next(), 27) as i8);
        layer.fc1_biases.fill_with(|| small(next(), 18));
        layer.fc1_weights.fill_with(|| small(next(), 26) as i8);
        layer.fc2_bias = small(next(), 18);
        layer.fc2_weights.fill_with(|| small(next(), 26) as i8);
    }
    Arc::new(Network::from_parameters(&numbers).unwrap())
}

/// Positions of many kinds: known ones, bare endings, armies of promoted pieces, random games.
pub fn positions(count: usize) -> Vec<Position> {
    let golden = include_str!("../../../nnue/tests/data/golden.tsv").lines().skip(1);
    let mut all: Vec<Position> =
        golden.map(|line| line.split('\t').next().unwrap().parse().unwrap()).collect();
    all.extend(EXTREME.lines().map(|fen| fen.parse::<Position>().unwrap()));
    let mut random = Random::new(1);
    let mut position = Position::startpos();
    while all.len() < count {
        let moves = position.legal_moves();
        let is_over = moves.is_empty() || position.halfmove_clock() > 60;
        position = if is_over {
            Position::startpos()
        } else {
            position.after(moves[random.below(moves.len())])
        };
        all.push(position);
    }
    all.truncate(count);
    all
}

const EXTREME: &str = "\
8/8/8/4k3/8/8/8/4K3 w - - 0 1
8/8/8/4k3/8/8/8/K7 b - - 99 80
kr6/br6/2QQQQQQ/2QQQ3/8/8/8/7K w - - 0 1
7k/8/8/8/2qqq3/2qqqqqq/BR6/KR6 b - - 3 40
krqqqqqq/brqqq3/8/8/8/8/BRQQQ3/KRQQQQQQ w - - 0 1
krnnnnnn/brnnnn2/8/8/8/8/BRNNNN2/KRNNNNNN b - - 0 1
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1
rqbnnbrk/pppppppp/8/8/8/8/PPPPPPPP/RQBNNBRK w - - 0 1";

/// What the processor says.
pub fn expected(network: &Arc<Network>, positions: &[Position]) -> Vec<Outputs> {
    let networks = Networks::new(Arc::clone(network), None).unwrap();
    let mut evaluator = Evaluator::new(&networks, &Position::startpos());
    let outputs = |position: &Position| {
        evaluator.reset(position);
        evaluator.outputs()
    };
    positions.iter().map(outputs).collect()
}
