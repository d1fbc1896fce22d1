//! The WGSL of the kernels, put together for one shape of network.
//!
//! A kernel is a few files of this folder behind the constants of the network. What is not needed is
//! left out, so a translator or driver never sees it.

pub mod policy;

use std::fmt::Write as _;

use tandem_nnue::{Architecture, FeatureSet};

use crate::limits::{FORWARD_THREADS, MAX_FEATURES};

const LISTS: &str = include_str!("lists.wgsl");
const BOARD: &str = include_str!("board.wgsl");
const FEATURES: &str = include_str!("features.wgsl");
const THREATS: &str = include_str!("threats.wgsl");
const DOT: &str = include_str!("dot.wgsl");
const FIRST_DOTS: &str = include_str!("first_dots.wgsl");
const FIRST_PAIRS: &str = include_str!("first_pairs.wgsl");
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
/// How many groups of four words lie side by side in an image.
pub(crate) const IMAGE_WIDTH: usize = 2048;

/// Where kernels find weights, and how they multiply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// In buffers, with dot products of bytes: what graphics hardware is made for.
    Buffers,
    /// In images, with products of words. Software devices read four words of an image at once, but
    /// those of a buffer one by one, and take dot products of bytes apart.
    Images,
}

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
    /// Where weights are.
    pub reading: Reading,
    /// How many rows of pieces one binding holds.
    pub rows_a_slice: usize,
    /// How many rows of threats one binding holds.
    pub threats_a_slice: usize,
}

/// More invocations than that for one side of a position take turns.
const MAX_LANES: usize = 96;

/// Groups of eight neurons that one invocation owns, and as many partners. More make fewer sums to gather
/// and fewer reads of the lists, but need more registers and take longer to compile.
const SPAN: usize = 4;

impl Shape {
    fn has_threats(&self) -> bool {
        self.architecture.features == FeatureSet::HalfKaThreats
    }

    /// Groups of neurons that one invocation owns together with their partners.
    fn units(&self) -> usize {
        self.architecture.l1 / (16 * SPAN)
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
    pub(crate) fn slices_needed(&self) -> (usize, usize) {
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
        let (pieces, threats) = self.slices_needed();
        let mut source = format!(
            "const INCREMENTAL: bool = {};\nconst KEEP: bool = {};\n\
             struct Sums {{ outputs: array<vec4<i32>, 4>, psqt: i32 }}\n",
            role == Role::Child,
            role == Role::Parent
        );
        let piece_rows = Rows { name: "piece", first: WEIGHTS, a_slice: self.rows_a_slice };
        source += &self.slices(pieces, &piece_rows, Words::Of16Bits);
        let threat_rows =
            Rows { name: "threat", first: THREAT_WEIGHTS, a_slice: self.threats_a_slice };
        source += &self.slices(threats, &threat_rows, Words::Of8Bits);
        let first = match self.reading {
            Reading::Buffers => FIRST_DOTS,
            Reading::Images => FIRST_PAIRS,
        };
        let threats = if self.has_threats() { TRANSFORM_THREATS } else { NO_THREATS };
        let reduce = match variant {
            Variant::Plain => REDUCE_PLAIN,
            Variant::Subgroup => REDUCE_SUBGROUP,
        };
        self.source(&[&source, LISTS, DOT, first, TRANSFORM, threats, reduce])
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
            ("SPAN", SPAN),
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
            ("WIDTH", IMAGE_WIDTH),
        ] {
            let _ = writeln!(source, "const {name}: u32 = {value}u;");
        }
        let _ = writeln!(source, "const CLIP: i32 = {clip};");
        source += BINDINGS;
        source += &layers_in(self.reading, 0);
        source + &unrolled(&parts.join("\n"))
    }
}

/// Repeats every line that ends with `// each $k below N` for each number. Drivers keep an array in
/// registers only where its indices are constants, and not all of them unroll loops.
fn unrolled(source: &str) -> String {
    let mut lines = String::with_capacity(2 * source.len());
    for line in source.lines() {
        let Some((line, bound)) = line.split_once("// each $k below ") else {
            lines += line;
            lines.push('\n');
            continue;
        };
        let bound = match bound {
            "SPANS" => 2 * SPAN,
            "SPAN" => SPAN,
            _ => SPAN / 2,
        };
        for k in 0..bound {
            lines += &line.replace("$k", &format!("{k}u"));
            lines.push('\n');
        }
    }
    lines
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
@group(0) @binding(1) var<storage, read> psqt: array<i32>;
@group(1) @binding(0) var<storage, read> boards: array<vec2<u32>>;
@group(1) @binding(1) var<storage, read_write> lists: array<u32>;
@group(1) @binding(2) var<storage, read_write> totals: array<i32>;
@group(1) @binding(3) var<storage, read_write> parent: array<vec4<u32>>;
@group(1) @binding(4) var<storage, read_write> outputs: array<vec2<i32>>;
";

/// Reads four words of the biases and layers.
const LAYER_IN_BUFFER: &str = "fn layer(at: u32) -> vec4<u32> { return layers[at]; }\n";
const LAYER_IN_IMAGE: &str = "
fn texel(at: u32) -> vec2<u32> { return vec2<u32>(at % WIDTH, at / WIDTH); }
fn layer(at: u32) -> vec4<u32> { return textureLoad(layers, texel(at)); }
";

/// Declares a table of weights, and the function that reads four words of it.
fn layers_in(reading: Reading, place: u32) -> String {
    let read = match reading {
        Reading::Buffers => LAYER_IN_BUFFER,
        Reading::Images => LAYER_IN_IMAGE,
    };
    binding(reading, place, "layers") + read
}

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

/// A table of rows that may be spread over several bindings.
struct Rows {
    name: &'static str,
    /// The first binding.
    first: u32,
    /// How many rows a binding holds.
    a_slice: usize,
}

/// Declares a table of weights.
fn binding(reading: Reading, binding: u32, name: &str) -> String {
    match reading {
        Reading::Buffers => {
            format!("@group(0) @binding({binding}) var<storage, read> {name}: array<vec4<u32>>;\n")
        }
        Reading::Images => format!(
            "@group(0) @binding({binding}) var {name}: texture_storage_2d<rgba32uint, read>;\n"
        ),
    }
}

impl Shape {
    /// The bindings of a table, and the function that reads a part of a row.
    fn slices(&self, count: usize, rows: &Rows, words: Words) -> String {
        let name = rows.name;
        let table = |slice: usize| format!("{name}_weights_{slice}");
        let mut source = String::new();
        for slice in 0..count {
            source += &binding(self.reading, rows.first + slice as u32, &table(slice));
        }
        if count == 0 {
            return source;
        }
        let _ =
            writeln!(source, "fn {name}_row(row: u32, unit: u32) -> Row {{\n    var found: Row;");
        for slice in 0..count {
            let begin = slice * rows.a_slice;
            let condition = match slice {
                _ if count == 1 => String::new(),
                _ if slice + 1 == count => "else ".into(),
                0 => format!("if (row < {}u) ", begin + rows.a_slice),
                _ => format!("else if (row < {}u) ", begin + rows.a_slice),
            };
            let body = self.reads(&table(slice), begin, words);
            let _ = writeln!(source, "    {condition}{{\n        {body}\n    }}");
        }
        source + "    return found;\n}\n"
    }

    /// Reads a part of a row. It lies in two halves, of which an invocation has a few groups of four words
    /// each.
    fn reads(&self, table: &str, begin: usize, words: Words) -> String {
        let (row, half, groups) = match words {
            Words::Of16Bits => ("ROW", "HALF", SPAN),
            Words::Of8Bits => ("BYTES", "(BYTES / 2u)", SPAN / 2),
        };
        let read = |place: String| match self.reading {
            Reading::Buffers => format!("{table}[{place}]"),
            Reading::Images => format!("textureLoad({table}, texel({place}))"),
        };
        let mut body = format!("let at = (row - {begin}u) * {row} + unit;");
        for i in 0..groups {
            let (first, second) = (read(format!("at + {i}u")), read(format!("at + {half} + {i}u")));
            let _ = write!(body, " found.words[{i}] = {first};");
            let _ = write!(body, " found.words[{}] = {second};", groups + i);
        }
        body
    }
}
