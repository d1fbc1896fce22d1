// The first layer without dot products of bytes, for processors that would take them apart. A word holds two
// inputs of at most 127, crosswise to two weights of at most 255, so that the upper half of the product of
// both words is the sum of two products: at most 2 * 127 * 255, below 2^16, as is the lower half. Weights
// have 128 added to be positive; what that adds is taken away again.

// Eight products of neurons, two to a word: for the even and the odd bytes of two words of weights.
alias Eight = vec4<u32>;

const BYTE: vec4<u32> = vec4<u32>(0x00ff00ffu);

fn pack(lower: vec4<u32>, upper: vec4<u32>) -> Eight {
    return vec4<u32>(
        lower.y | lower.x << 16u,
        upper.y | upper.x << 16u,
        lower.w | lower.z << 16u,
        upper.w | upper.z << 16u,
    );
}

fn sixteen(left: Eight, right: Eight, at: u32) -> i32 {
    let weights = layer(at);
    let even = ((weights & BYTE) * vec4<u32>(left.xz, right.xz)) >> vec4<u32>(16u);
    let odd = (((weights >> vec4<u32>(8u)) & BYTE) * vec4<u32>(left.yw, right.yw)) >> vec4<u32>(16u);
    let sums = even + odd;
    return i32(sums.x + sums.y + sums.z + sums.w);
}

// Four outputs of the first layer.
fn four(left: Eight, right: Eight, at: u32) -> vec4<i32> {
    return vec4<i32>(
        sixteen(left, right, at),
        sixteen(left, right, at + BYTES),
        sixteen(left, right, at + 2u * BYTES),
        sixteen(left, right, at + 3u * BYTES),
    );
}

// Adds what sixteen products contribute to the first layer.
fn multiply(sums: ptr<function, Sums>, left: Eight, right: Eight, at: u32) {
    let both = left + right;
    let halves = both.x + both.y + both.z + both.w;
    let excess = vec4<i32>(128 * i32((halves & 0xffffu) + (halves >> 16u)));
    (*sums).outputs[0] += four(left, right, at) - excess;
    (*sums).outputs[1] += four(left, right, at + 4u * BYTES) - excess;
    (*sums).outputs[2] += four(left, right, at + 8u * BYTES) - excess;
    (*sums).outputs[3] += four(left, right, at + 12u * BYTES) - excess;
}
