// The sum of sixteen products of bytes. Inputs are below 128, so that signed bytes hold them.
fn dot16(inputs: vec4<u32>, at: u32) -> i32 {
    let weights = layer(at);
    return dot4I8Packed(inputs.x, weights.x) + dot4I8Packed(inputs.y, weights.y)
        + dot4I8Packed(inputs.z, weights.z) + dot4I8Packed(inputs.w, weights.w);
}
