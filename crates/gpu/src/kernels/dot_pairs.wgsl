// The sum of sixteen products of bytes, for processors that would take dot products of bytes apart. A word of
// inputs, of at most 127, is multiplied crosswise with a word of weights, of at most 255, whose halves have been
// exchanged: so the upper half of the product of every other byte is the sum of two products, at most
// 2 * 127 * 255, below 2^16, as is the lower half. Weights have 128 added to be positive; what that adds is taken
// away again.

const BYTE: vec4<u32> = vec4<u32>(0x00ff00ffu);

fn dot16(inputs: vec4<u32>, at: u32) -> i32 {
    let weights = layer(at);
    let even = inputs & BYTE;
    let odd = (inputs >> vec4<u32>(8u)) & BYTE;
    let sums = ((even * (weights & BYTE)) >> vec4<u32>(16u))
        + ((odd * ((weights >> vec4<u32>(8u)) & BYTE)) >> vec4<u32>(16u));
    let both = even + odd;
    let halves = both.x + both.y + both.z + both.w;
    return i32(sums.x + sums.y + sums.z + sums.w) - 128 * i32((halves & 0xffffu) + (halves >> 16u));
}
