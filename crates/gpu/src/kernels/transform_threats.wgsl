// Threats have weights of eight bits, stored with 128 added: two of every four bytes are summed at a
// time, each in the room of sixteen bits, which 256 of them cannot exceed. What is taken away is added as
// its complement, which is 127 less the weight.

const EVEN: vec4<u32> = vec4<u32>(0x00ff00ffu);

fn add_threats(neurons: ptr<function, Neurons>, unit: u32, list: u32) {
    var sums: Row;
    let added = lists[list + THREATS_ADDED];
    for (var i = 0u; i < added; i++) {
        let bytes = threat_row(lists[list + HEAD + PIECES + i], unit);
        sums.words[0] += bytes.words[0] & EVEN;
        sums.words[1] += (bytes.words[0] >> vec4<u32>(8u)) & EVEN;
        sums.words[2] += bytes.words[1] & EVEN;
        sums.words[3] += (bytes.words[1] >> vec4<u32>(8u)) & EVEN;
    }
    var excess = 128u * added;
    if (INCREMENTAL) {
        let removed = lists[list + THREATS_REMOVED];
        for (var i = 0u; i < removed; i++) {
            let bytes = threat_row(lists[list + HEAD + PIECES + added + i], unit);
            sums.words[0] += ~bytes.words[0] & EVEN;
            sums.words[1] += (~bytes.words[0] >> vec4<u32>(8u)) & EVEN;
            sums.words[2] += ~bytes.words[1] & EVEN;
            sums.words[3] += (~bytes.words[1] >> vec4<u32>(8u)) & EVEN;
        }
        excess += 127u * removed;
    }
    let both = vec4<u32>(excess * 0x10001u);
    let one = vec4<u32>(excess);
    (*neurons).whole[0] += sums.words[0] - both;
    (*neurons).whole[1] += sums.words[1] - both;
    (*neurons).whole[2] += sums.words[2] - both;
    (*neurons).whole[3] += sums.words[3] - both;
    (*neurons).low[0] += (sums.words[0] & LOW) - one;
    (*neurons).low[1] += (sums.words[1] & LOW) - one;
    (*neurons).low[2] += (sums.words[2] & LOW) - one;
    (*neurons).low[3] += (sums.words[3] & LOW) - one;
}
