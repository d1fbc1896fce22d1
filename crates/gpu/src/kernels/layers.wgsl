// The layers behind the first one, an invocation for each position.

fn clipped(value: i32) -> u32 {
    return u32(clamp(value >> 6u, 0, 127));
}

fn squared(value: i32) -> u32 {
    // A square that would not fit is clipped anyway.
    let word = clamp(value, -0x8000, 0x7fff);
    return u32(min((word * word) >> 19u, 127));
}

fn bias_of(bucket: u32, i: u32) -> i32 {
    return bitcast<i32>(layer(LAYER_BIASES + bucket * 13u + i / 4u)[i % 4u]);
}

@compute @workgroup_size(64)
fn finish(@builtin(global_invocation_id) id: vec3<u32>) {
    let position = id.x;
    let bucket = lists[list_of(position, 0u) + BUCKET];
    // Bytes 0 to 14 are the squares, bytes 15 to 29 the values themselves.
    var inputs: array<u32, 8>;
    var last = 0;
    for (var i = 0u; i < 16u; i++) {
        last = totals[position * 17u + i] + bias_of(bucket, i);
        if (i < 15u) {
            inputs[i / 4u] |= squared(last) << (8u * (i % 4u));
            let at = i + 15u;
            inputs[at / 4u] |= clipped(last) << (8u * (at % 4u));
        }
    }
    let first = vec4<u32>(inputs[0], inputs[1], inputs[2], inputs[3]);
    let second = vec4<u32>(inputs[4], inputs[5], inputs[6], inputs[7]);
    // The last output goes around the layers. 150/127 of it, without leaving 32 bits on the way.
    var sum = bias_of(bucket, 48u) + last / 127 * 150 + last % 127 * 150 / 127;
    for (var i = 0u; i < 32u; i++) {
        let at = SECOND + (bucket * 32u + i) * 2u;
        let value = bias_of(bucket, 16u + i) + dot16(first, at) + dot16(second, at + 1u);
        let weight = layer(THIRD + bucket * 2u + i / 16u)[(i / 4u) % 4u];
        sum += i32(clipped(value)) * extractBits(bitcast<i32>(weight), 8u * (i % 4u), 8u);
    }
    outputs[position] = vec2<i32>(totals[position * 17u + 16u] / 2, sum);
}
