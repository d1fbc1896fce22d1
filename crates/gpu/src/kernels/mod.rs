//! The WGSL of the kernels, put together for one shape of network.
//!
//! A kernel is a few files of this folder behind the constants of the network. What is not needed is
//! left out, so a translator or driver never sees it.

use std::fmt::Write as _;

use tandem_nnue::{Architecture, FeatureSet};

use crate::limits::{FORWARD_THREADS, MAX_FEATURES};

const LISTS: &str = include_str!("lists.wgsl");
const BOARD: &str = include_str!("board.wgsl");
const FEATURES: &str = include_str!("features.wgsl");
const THREATS: &str = include_str!("threats.wgsl");
const DOT: &str = include_str!("dot.wgsl");
const TRANSFORM: &str = include_str!("transform.wgsl");
const TRANSFORM_THREATS: &str = include_str!("transform_threats.wgsl");
const REDUCE_PLAIN: &str = include_str!("reduce_plain.wgsl");
const REDUCE_SUBGROUP: &str = include_str!("reduce_subgroup.wgsl");
const LAYERS: &str = include_str!("layers.wgsl");

/// Words before the rows of a list.
pub(crate) const HEAD: usize = 8;
/// Threats that a list has room for: each of 32 pieces attacks at most eight others.
pub(crate) const MAX_THREATS: usize = 256;
/// The first binding of the weights of the pieces and of the threats.
pub(crate) const WEIGHTS: u32 = 11;
pub(crate) const THREAT_WEIGHTS: u32 = 20;
/// The binding of the numbering of threats.
pub(crate) const NUMBERING: u32 = 10;

/// How the sums of a workgroup are gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Through workgroup memory, on every device.
    Plain,
    /// By subgroup operations first.
    Subgroup,
}

impl std::fmt::Display for Variant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Plain => "plain",
            Self::Subgroup => "subgroup",
        })
    }
}

/// What a transform kernel does beside transforming.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Adds up all features.
    Fresh,
    /// The same, and keeps the accumulators as a parent's.
    Parent,
    /// Starts from a parent's accumulators where a list says so.
    Child,
}

/// A network's shape as the kernels see it, and how its rows are spread over bindings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The shape of the network.
    pub architecture: Architecture,
    /// How many rows of pieces one binding holds.
    pub rows_a_slice: usize,
    /// How many rows of threats one binding holds.
    pub threats_a_slice: usize,
}

/// More invocations than that for one side of a position take turns.
const MAX_LANES: usize = 96;

impl Shape {
    fn has_threats(&self) -> bool {
        self.architecture.features == FeatureSet::HalfKaThreats
    }

    /// Groups of sixteen neurons and their partners.
    fn units(&self) -> usize {
        self.architecture.l1 / 32
    }

    /// Invocations for one side of a position.
    fn lanes(&self) -> usize {
        self.units().min(MAX_LANES)
    }

    /// Positions that share a workgroup.
    pub(crate) fn seats(&self) -> usize {
        FORWARD_THREADS.div_ceil(2 * self.lanes())
    }

    /// Words of the list of one side of a position.
    pub(crate) fn list_words(&self) -> usize {
        HEAD + MAX_FEATURES + if self.has_threats() { MAX_THREATS } else { 0 }
    }

    /// How many bindings the weights of the pieces and of the threats take.
    pub(crate) fn slices(&self) -> (usize, usize) {
        let pieces = tandem_nnue::HALFKA_ROWS.div_ceil(self.rows_a_slice);
        (pieces, self.architecture.threat_rows().div_ceil(self.threats_a_slice))
    }

    /// The kernel that lists the pieces of packed positions.
    #[must_use]
    pub fn list_pieces(&self) -> String {
        self.source(&[LISTS, BOARD, FEATURES])
    }

    /// The kernel that lists the threats of packed positions, if the network sees them.
    #[must_use]
    pub fn list_threats(&self) -> Option<String> {
        self.has_threats().then(|| self.source(&[LISTS, BOARD, THREATS]))
    }

    /// The kernel of transformer and first layer.
    #[must_use]
    pub fn transform(&self, variant: Variant, role: Role) -> String {
        let (pieces, threats) = self.slices();
        let mut source = format!(
            "const INCREMENTAL: bool = {};\nconst KEEP: bool = {};\n\
             struct Sums {{ outputs: array<vec4<i32>, 4>, psqt: i32 }}\n",
            role == Role::Child,
            role == Role::Parent
        );
        source += &slices(pieces, "piece", WEIGHTS, self.rows_a_slice, Words::Of16Bits);
        source += &slices(threats, "threat", THREAT_WEIGHTS, self.threats_a_slice, Words::Of8Bits);
        let threats = if self.has_threats() { TRANSFORM_THREATS } else { NO_THREATS };
        let reduce = match variant {
            Variant::Plain => REDUCE_PLAIN,
            Variant::Subgroup => REDUCE_SUBGROUP,
        };
        self.source(&[&source, LISTS, DOT, TRANSFORM, threats, reduce])
    }

    /// The kernel of the layers behind the first one.
    #[must_use]
    pub fn layers(&self) -> String {
        self.source(&[LISTS, DOT, LAYERS])
    }

    /// Every kernel by name, for translators.
    #[must_use]
    pub fn all(&self) -> Vec<(String, String)> {
        let mut all = vec![("pieces".into(), self.list_pieces()), ("layers".into(), self.layers())];
        all.extend(self.list_threats().map(|source| ("threats".into(), source)));
        for variant in [Variant::Plain, Variant::Subgroup] {
            for role in [Role::Fresh, Role::Parent, Role::Child] {
                all.push((format!("{variant} {role:?}"), self.transform(variant, role)));
            }
        }
        all
    }

    /// The constants and bindings, and then the parts.
    fn source(&self, parts: &[&str]) -> String {
        let l1 = self.architecture.l1;
        let threads = 2 * self.lanes() * self.seats();
        let (clip, shift) = if self.has_threats() { (255, 9) } else { (127, 7) };
        let places = LayerPlaces::new(l1);
        let mut source = format!("const THREATS: bool = {};\n", self.has_threats());
        for (name, value) in [
            ("L1", l1),
            ("SHIFT", shift),
            ("UNITS", self.units()),
            ("LANES", self.lanes()),
            ("SEATS", self.seats()),
            ("THREADS", threads),
            ("SHARES", 17 * threads),
            ("WHOLE", 17 * self.seats()),
            ("HEAD", HEAD),
            ("PIECES", MAX_FEATURES),
            ("LIST", self.list_words()),
            ("BIASES", 0),
            ("FIRST", places.first),
            ("SECOND", places.second),
            ("THIRD", places.third),
            ("LAYER_BIASES", places.biases),
        ] {
            let _ = writeln!(source, "const {name}: u32 = {value}u;");
        }
        let _ = writeln!(source, "const CLIP: i32 = {clip};");
        source += BINDINGS;
        source + &parts.join("\n")
    }
}

/// Where the parts of the layers' buffer begin, in units of four words.
pub(crate) struct LayerPlaces {
    pub first: usize,
    pub second: usize,
    pub third: usize,
    pub biases: usize,
    pub end: usize,
}

impl LayerPlaces {
    pub fn new(l1: usize) -> Self {
        let first = l1 / 8;
        let second = first + tandem_nnue::BUCKETS * l1;
        let third = second + tandem_nnue::BUCKETS * 64;
        let biases = third + tandem_nnue::BUCKETS * 2;
        Self { first, second, third, biases, end: biases + tandem_nnue::BUCKETS * 13 }
    }
}

const BINDINGS: &str = "
@group(0) @binding(0) var<storage, read> layers: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> psqt: array<i32>;
@group(1) @binding(0) var<storage, read> boards: array<vec2<u32>>;
@group(1) @binding(1) var<storage, read_write> lists: array<u32>;
@group(1) @binding(2) var<storage, read_write> totals: array<i32>;
@group(1) @binding(3) var<storage, read_write> parent: array<vec4<u32>>;
@group(1) @binding(4) var<storage, read_write> outputs: array<vec2<i32>>;
";

/// Stands where a network sees no threats.
const NO_THREATS: &str = "
fn add_threats(neurons: ptr<function, Neurons>, unit: u32, list: u32) {}
";

/// How wide the weights of a row are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    Of16Bits,
    Of8Bits,
}

/// The bindings of a table that is spread over several, and the function that reads a part of a row.
fn slices(count: usize, name: &str, first: u32, rows: usize, words: Words) -> String {
    let mut source = String::new();
    for slice in 0..count {
        let binding = first + slice as u32;
        let _ = writeln!(
            source,
            "@group(0) @binding({binding}) var<storage, read> {name}_weights_{slice}: \
             array<vec4<u32>>;"
        );
    }
    if count == 0 {
        return source;
    }
    let _ = writeln!(source, "fn {name}_row(row: u32, unit: u32) -> Row {{\n    var found: Row;");
    for slice in 0..count {
        let begin = slice * rows;
        let condition = match slice {
            _ if count == 1 => String::new(),
            _ if slice + 1 == count => "else ".into(),
            0 => format!("if (row < {}u) ", begin + rows),
            _ => format!("else if (row < {}u) ", begin + rows),
        };
        let table = format!("{name}_weights_{slice}");
        let body = match words {
            Words::Of16Bits => format!(
                "let at = (row - {begin}u) * ROW + unit;
        found.words[0] = {table}[at];
        found.words[1] = {table}[at + 1u];
        found.words[2] = {table}[at + HALF];
        found.words[3] = {table}[at + HALF + 1u];"
            ),
            Words::Of8Bits => format!(
                "let at = (row - {begin}u) * BYTES + unit;
        found.words[0] = {table}[at];
        found.words[1] = {table}[at + UNITS];"
            ),
        };
        let _ = writeln!(source, "    {condition}{{\n        {body}\n    }}");
    }
    source + "    return found;\n}\n"
}
