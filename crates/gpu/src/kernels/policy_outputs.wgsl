// The outputs of the policy network: an invocation for each move that is asked for. Nothing is gathered across
// invocations, so that there is one kernel for devices with subgroups and without.

@group(0) @binding(2) var<storage, read> biases: array<i32>;
// For each move its slot, and above it the number of its position.
@group(1) @binding(1) var<storage, read> moves: array<u32>;
@group(1) @binding(2) var<storage, read_write> hidden: array<vec4<u32>>;
@group(1) @binding(3) var<storage, read_write> outputs: array<i32>;

@compute @workgroup_size(64)
fn judge(@builtin(global_invocation_id) id: vec3<u32>) {
    let asked = moves[id.x];
    let slot = asked & ((1u << SLOT_BITS) - 1u);
    let neurons = (asked >> SLOT_BITS) * UNITS;
    let weights = slot * UNITS;
    var sum = biases[slot];
    for (var i = 0u; i < UNITS; i++) {
        sum += dot16(hidden[neurons + i], weights + i);
    }
    outputs[id.x] = sum;
}
