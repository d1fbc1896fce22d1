// The feature transformer and the first layer. Each invocation owns a span of neurons of a side and those
// that are multiplied with them; nothing but sixteen sums and the piece-square value leaves it.

// Two neurons of 16 bits lie in each word. `whole` sums words, so that carries from the lower neuron
// spoil the upper one; `low` sums the lower halves alone, and the difference is the upper neuron's sum.
// The first SPAN groups of four words are of the first half of the neurons, the others their partners.
struct Neurons {
    whole: array<vec4<u32>, SPANS>,
    low: array<vec4<u32>, SPANS>,
}

struct Row {
    words: array<vec4<u32>, SPANS>,
}

const LOW: vec4<u32> = vec4<u32>(0xffffu);
const SPANS: u32 = 2u * SPAN;
// A row of pieces and a half of it, in units of four words.
const ROW: u32 = L1 / 8u;
const HALF: u32 = L1 / 16u;
// A row of threats, and of the first layer's weights; what one half of an invocation's neurons takes of it.
const BYTES: u32 = L1 / 16u;
const BYTE_SPAN: u32 = SPAN / 2u;

// Where a group of an invocation's neurons lies in a row.
fn place(unit: u32, group: u32) -> u32 {
    return SPAN * unit + group % SPAN + HALF * (group / SPAN);
}

fn start(unit: u32, side: u32, list: u32) -> Neurons {
    var neurons: Neurons;
    let kept = INCREMENTAL && lists[list + FROM_PARENT] == 1u;
    let first = (side ^ lists[list + FLIPPED]) * ROW;
    if (kept) {
        neurons.whole[$k] = parent[first + place(unit, $k)]; // each $k below SPANS
    } else {
        neurons.whole[$k] = layer(BIASES + place(unit, $k)); // each $k below SPANS
    }
    neurons.low[$k] = neurons.whole[$k] & LOW; // each $k below SPANS
    return neurons;
}

fn add_pieces(neurons: ptr<function, Neurons>, unit: u32, list: u32) {
    let added = lists[list + ADDED];
    for (var i = 0u; i < added; i++) {
        let row = piece_row(lists[list + HEAD + i], SPAN * unit);
        (*neurons).whole[$k] += row.words[$k]; // each $k below SPANS
        (*neurons).low[$k] += row.words[$k] & LOW; // each $k below SPANS
    }
    if (INCREMENTAL) {
        let removed = lists[list + REMOVED];
        for (var i = 0u; i < removed; i++) {
            let row = piece_row(lists[list + HEAD + added + i], SPAN * unit);
            (*neurons).whole[$k] -= row.words[$k]; // each $k below SPANS
            (*neurons).low[$k] -= row.words[$k] & LOW; // each $k below SPANS
        }
    }
}

// Clips four words of each half, multiplies, and packs the eight products.
fn products(first: vec4<u32>, second: vec4<u32>) -> Eight {
    let zero = vec4<i32>(0);
    let top = vec4<i32>(CLIP);
    let lower = clamp((vec4<i32>(first) << vec4<u32>(16u)) >> vec4<u32>(16u), zero, top)
        * clamp((vec4<i32>(second) << vec4<u32>(16u)) >> vec4<u32>(16u), zero, top);
    let upper = clamp(vec4<i32>(first) >> vec4<u32>(16u), zero, top)
        * clamp(vec4<i32>(second) >> vec4<u32>(16u), zero, top);
    return pack(vec4<u32>(lower) >> vec4<u32>(SHIFT), vec4<u32>(upper) >> vec4<u32>(SHIFT));
}

fn joined(whole: vec4<u32>, low: vec4<u32>) -> vec4<u32> {
    return (low & LOW) | (whole - low) & vec4<u32>(0xffff0000u);
}

fn paired(whole: vec4<u32>, low: vec4<u32>, other_whole: vec4<u32>, other_low: vec4<u32>) -> Eight {
    return products(joined(whole, low), joined(other_whole, other_low));
}

// This invocation's share of the piece-square value, from the side to move's view.
fn piece_squares(list: u32, lane: u32, side: u32, bucket: u32) -> i32 {
    var sum = 0;
    let added = lists[list + ADDED];
    let all = added + lists[list + REMOVED];
    for (var i = lane; i < all; i += LANES) {
        let value = psqt[8u * lists[list + HEAD + i] + bucket];
        sum += select(-value, value, i < added);
    }
    if (THREATS) {
        let seen = lists[list + THREATS_ADDED];
        let changed = seen + lists[list + THREATS_REMOVED];
        for (var i = lane; i < changed; i += LANES) {
            let value = psqt[8u * (22528u + lists[list + HEAD + PIECES + i]) + bucket];
            sum += select(-value, value, i < seen);
        }
    }
    if (INCREMENTAL && lane == 0u && lists[list + FROM_PARENT] == 1u) {
        let kept = 2u * ROW + 2u * (side ^ lists[list + FLIPPED]);
        sum += bitcast<i32>(parent[kept + bucket / 4u][bucket % 4u]);
    }
    return select(sum, -sum, side == 1u);
}

// Keeps the accumulator for the children, with the piece-square values of all buckets.
fn keep(neurons: Neurons, unit: u32, side: u32) {
    let row = side * ROW;
    parent[row + place(unit, $k)] = joined(neurons.whole[$k], neurons.low[$k]); // each $k below SPANS
}

fn keep_piece_squares(list: u32, lane: u32, side: u32) {
    for (var bucket = lane; bucket < 8u; bucket += LANES) {
        var sum = 0;
        for (var i = 0u; i < lists[list + ADDED]; i++) {
            sum += psqt[8u * lists[list + HEAD + i] + bucket];
        }
        if (THREATS) {
            for (var i = 0u; i < lists[list + THREATS_ADDED]; i++) {
                sum += psqt[8u * (22528u + lists[list + HEAD + PIECES + i]) + bucket];
            }
        }
        parent[2u * ROW + 2u * side + bucket / 4u][bucket % 4u] = bitcast<u32>(sum);
    }
}

@compute @workgroup_size(THREADS)
fn transform(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let lane = thread % LANES;
    let side = (thread / LANES) & 1u;
    let seat = thread / (2u * LANES);
    let position = group.x * SEATS + seat;
    let list = list_of(position, side);
    let bucket = lists[list + BUCKET];

    var sums: Sums;
    for (var unit = lane; unit < UNITS; unit += LANES) {
        var neurons = start(unit, side, list);
        add_pieces(&neurons, unit, list);
        if (THREATS) {
            add_threats(&neurons, unit, list);
        }
        if (KEEP && position == 0u) {
            keep(neurons, unit, side);
        }
        let at = FIRST + bucket * 16u * BYTES + side * (BYTES / 2u) + BYTE_SPAN * unit;
        multiply(&sums, paired(neurons.whole[2u * $k], neurons.low[2u * $k], neurons.whole[2u * $k + SPAN], neurons.low[2u * $k + SPAN]), paired(neurons.whole[2u * $k + 1u], neurons.low[2u * $k + 1u], neurons.whole[2u * $k + 1u + SPAN], neurons.low[2u * $k + 1u + SPAN]), at + $k); // each $k below BYTE_SPAN
    }
    sums.psqt = piece_squares(list, lane, side, bucket);
    if (KEEP && position == 0u) {
        keep_piece_squares(list, lane, side);
    }
    reduce(sums, thread, seat, group.x * SEATS);
}
