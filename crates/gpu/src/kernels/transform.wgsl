// The feature transformer and the first layer. Each invocation owns sixteen neurons of a side and the
// sixteen that are multiplied with them; nothing but sixteen sums and the piece-square value leaves it.

// Two neurons of 16 bits lie in each word. `whole` sums words, so that carries from the lower neuron
// spoil the upper one; `low` sums the lower halves alone, and the difference is the upper neuron's sum.
struct Neurons {
    whole: array<vec4<u32>, 4>,
    low: array<vec4<u32>, 4>,
}

struct Row {
    words: array<vec4<u32>, 4>,
}

const LOW: vec4<u32> = vec4<u32>(0xffffu);
// A row of pieces and a half of it, in units of four words.
const ROW: u32 = L1 / 8u;
const HALF: u32 = L1 / 16u;
// A row of threats, and of the first layer's weights.
const BYTES: u32 = L1 / 16u;

fn start(unit: u32, side: u32, list: u32) -> Neurons {
    var neurons: Neurons;
    var row: Row;
    let at = 2u * unit;
    if (INCREMENTAL && lists[list + FROM_PARENT] == 1u) {
        let first = (side ^ lists[list + FLIPPED]) * ROW + at;
        row.words[0] = parent[first];
        row.words[1] = parent[first + 1u];
        row.words[2] = parent[first + HALF];
        row.words[3] = parent[first + HALF + 1u];
    } else {
        row.words[0] = layers[BIASES + at];
        row.words[1] = layers[BIASES + at + 1u];
        row.words[2] = layers[BIASES + at + HALF];
        row.words[3] = layers[BIASES + at + HALF + 1u];
    }
    neurons.whole[0] = row.words[0];
    neurons.whole[1] = row.words[1];
    neurons.whole[2] = row.words[2];
    neurons.whole[3] = row.words[3];
    neurons.low[0] = row.words[0] & LOW;
    neurons.low[1] = row.words[1] & LOW;
    neurons.low[2] = row.words[2] & LOW;
    neurons.low[3] = row.words[3] & LOW;
    return neurons;
}

fn add_pieces(neurons: ptr<function, Neurons>, unit: u32, list: u32) {
    let added = lists[list + ADDED];
    for (var i = 0u; i < added; i++) {
        let row = piece_row(lists[list + HEAD + i], 2u * unit);
        (*neurons).whole[0] += row.words[0];
        (*neurons).whole[1] += row.words[1];
        (*neurons).whole[2] += row.words[2];
        (*neurons).whole[3] += row.words[3];
        (*neurons).low[0] += row.words[0] & LOW;
        (*neurons).low[1] += row.words[1] & LOW;
        (*neurons).low[2] += row.words[2] & LOW;
        (*neurons).low[3] += row.words[3] & LOW;
    }
    if (INCREMENTAL) {
        let removed = lists[list + REMOVED];
        for (var i = 0u; i < removed; i++) {
            let row = piece_row(lists[list + HEAD + added + i], 2u * unit);
            (*neurons).whole[0] -= row.words[0];
            (*neurons).whole[1] -= row.words[1];
            (*neurons).whole[2] -= row.words[2];
            (*neurons).whole[3] -= row.words[3];
            (*neurons).low[0] -= row.words[0] & LOW;
            (*neurons).low[1] -= row.words[1] & LOW;
            (*neurons).low[2] -= row.words[2] & LOW;
            (*neurons).low[3] -= row.words[3] & LOW;
        }
    }
}

// Clips two words of each half, multiplies, and packs the eight products into two words.
fn products(first: vec4<u32>, second: vec4<u32>) -> vec2<u32> {
    let zero = vec4<i32>(0);
    let top = vec4<i32>(CLIP);
    let lower = clamp((vec4<i32>(first) << vec4<u32>(16u)) >> vec4<u32>(16u), zero, top)
        * clamp((vec4<i32>(second) << vec4<u32>(16u)) >> vec4<u32>(16u), zero, top);
    let upper = clamp(vec4<i32>(first) >> vec4<u32>(16u), zero, top)
        * clamp(vec4<i32>(second) >> vec4<u32>(16u), zero, top);
    let pairs = vec4<u32>(lower) >> vec4<u32>(SHIFT) | (vec4<u32>(upper) >> vec4<u32>(SHIFT)) << vec4<u32>(8u);
    return vec2<u32>(pairs.x | pairs.y << 16u, pairs.z | pairs.w << 16u);
}

fn joined(whole: vec4<u32>, low: vec4<u32>) -> vec4<u32> {
    return (low & LOW) | (whole - low) & vec4<u32>(0xffff0000u);
}

// Four outputs of the first layer.
fn four(inputs: vec4<u32>, at: u32) -> vec4<i32> {
    return vec4<i32>(dot16(inputs, at), dot16(inputs, at + BYTES), dot16(inputs, at + 2u * BYTES), dot16(inputs, at + 3u * BYTES));
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
    let first = side * ROW + 2u * unit;
    parent[first] = joined(neurons.whole[0], neurons.low[0]);
    parent[first + 1u] = joined(neurons.whole[1], neurons.low[1]);
    parent[first + HALF] = joined(neurons.whole[2], neurons.low[2]);
    parent[first + HALF + 1u] = joined(neurons.whole[3], neurons.low[3]);
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
        let left = products(joined(neurons.whole[0], neurons.low[0]), joined(neurons.whole[2], neurons.low[2]));
        let right = products(joined(neurons.whole[1], neurons.low[1]), joined(neurons.whole[3], neurons.low[3]));
        let inputs = vec4<u32>(left, right);
        let at = FIRST + bucket * 16u * BYTES + side * UNITS + unit;
        sums.outputs[0] += four(inputs, at);
        sums.outputs[1] += four(inputs, at + 4u * BYTES);
        sums.outputs[2] += four(inputs, at + 8u * BYTES);
        sums.outputs[3] += four(inputs, at + 12u * BYTES);
    }
    sums.psqt = piece_squares(list, lane, side, bucket);
    if (KEEP && position == 0u) {
        keep_piece_squares(list, lane, side);
    }
    reduce(sums, thread, seat, group.x * SEATS);
}
