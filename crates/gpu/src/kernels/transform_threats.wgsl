// Threats have weights of eight bits, stored with 128 added: two of every four bytes are summed at a
// time, each in the room of sixteen bits, which 256 of them cannot exceed. What is taken away is added as
// its complement, which is 127 less the weight.

const EVEN: vec4<u32> = vec4<u32>(0x00ff00ffu);

fn add_threats(neurons: ptr<function, Neurons>, unit: u32, list: u32) {
    var sums: Row;
    let added = lists[list + THREATS_ADDED];
    for (var i = 0u; i < added; i++) {
        let bytes = threat_row(lists[list + HEAD + PIECES + i], BYTE_SPAN * unit);
        sums.words[2u * $k] += bytes.words[$k] & EVEN; // each $k below SPAN
        sums.words[2u * $k + 1u] += (bytes.words[$k] >> vec4<u32>(8u)) & EVEN; // each $k below SPAN
    }
    var excess = 128u * added;
    if (INCREMENTAL) {
        let removed = lists[list + THREATS_REMOVED];
        for (var i = 0u; i < removed; i++) {
            let bytes = threat_row(lists[list + HEAD + PIECES + added + i], BYTE_SPAN * unit);
            sums.words[2u * $k] += ~bytes.words[$k] & EVEN; // each $k below SPAN
            sums.words[2u * $k + 1u] += (~bytes.words[$k] >> vec4<u32>(8u)) & EVEN; // each $k below SPAN
        }
        excess += 127u * removed;
    }
    (*neurons).whole[$k] += sums.words[$k] - vec4<u32>(excess * 0x10001u); // each $k below SPANS
    (*neurons).low[$k] += (sums.words[$k] & LOW) - vec4<u32>(excess); // each $k below SPANS
}
