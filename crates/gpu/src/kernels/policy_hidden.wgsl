// The hidden layer of the policy network: an invocation for sixteen neurons of a position. The biases lie
// behind the rows, as one row more.

// For each position how many rows it has, and the rows, two to a word.
@group(1) @binding(0) var<storage, read> inputs: array<u32>;
@group(1) @binding(2) var<storage, read_write> hidden: array<vec4<u32>>;

const LOW: vec4<u32> = vec4<u32>(0xffffu);
// A row, in units of four words.
const ROW: u32 = 2u * UNITS;

// Eight neurons, two to a word. `whole` sums words, so that carries from the lower neuron spoil the upper one;
// `low` sums the lower halves alone, and the difference is the upper neuron's sum.
struct Eight {
    whole: vec4<u32>,
    low: vec4<u32>,
}

fn begin(words: vec4<u32>) -> Eight {
    return Eight(words, words & LOW);
}

fn added(sums: Eight, words: vec4<u32>) -> Eight {
    return Eight(sums.whole + words, sums.low + (words & LOW));
}

fn squared(neurons: vec4<i32>) -> vec4<u32> {
    let clipped = vec4<u32>(clamp(neurons, vec4<i32>(0), vec4<i32>(255)));
    return (clipped * clipped) >> vec4<u32>(9u);
}

// Eight bytes of what the layer passes on.
fn passed(sums: Eight) -> vec2<u32> {
    let lower = squared((vec4<i32>(sums.low) << vec4<u32>(16u)) >> vec4<u32>(16u));
    let upper = squared(vec4<i32>(sums.whole - sums.low) >> vec4<u32>(16u));
    let pairs = lower | upper << vec4<u32>(8u);
    return vec2<u32>(pairs.x | pairs.y << 16u, pairs.z | pairs.w << 16u);
}

@compute @workgroup_size(64)
fn hide(@builtin(global_invocation_id) id: vec3<u32>) {
    let unit = id.x % UNITS;
    let list = (id.x / UNITS) * INPUT_WORDS;
    let biases = ROWS * ROW + 2u * unit;
    var first = begin(layer(biases));
    var second = begin(layer(biases + 1u));
    let count = inputs[list];
    for (var i = 0u; i < count; i++) {
        let row = (inputs[list + 1u + i / 2u] >> (16u * (i & 1u))) & 0xffffu;
        let at = row * ROW + 2u * unit;
        first = added(first, layer(at));
        second = added(second, layer(at + 1u));
    }
    hidden[id.x] = vec4<u32>(passed(first), passed(second));
}
