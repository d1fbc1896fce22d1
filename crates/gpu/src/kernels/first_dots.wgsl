// The first layer by dot products of four bytes, which graphics hardware has.

// Eight products of neurons, a byte each.
alias Eight = vec2<u32>;

fn pack(lower: vec4<u32>, upper: vec4<u32>) -> Eight {
    let pairs = lower | upper << vec4<u32>(8u);
    return vec2<u32>(pairs.x | pairs.y << 16u, pairs.z | pairs.w << 16u);
}

// Four outputs of the first layer.
fn four(inputs: vec4<u32>, at: u32) -> vec4<i32> {
    return vec4<i32>(dot16(inputs, at), dot16(inputs, at + BYTES), dot16(inputs, at + 2u * BYTES), dot16(inputs, at + 3u * BYTES));
}

// Adds what sixteen products contribute to the first layer.
fn multiply(sums: ptr<function, Sums>, left: Eight, right: Eight, at: u32) {
    let inputs = vec4<u32>(left, right);
    (*sums).outputs[0] += four(inputs, at);
    (*sums).outputs[1] += four(inputs, at + 4u * BYTES);
    (*sums).outputs[2] += four(inputs, at + 8u * BYTES);
    (*sums).outputs[3] += four(inputs, at + 12u * BYTES);
}
