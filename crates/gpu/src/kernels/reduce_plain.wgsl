// Adds up what the invocations of a position have, through workgroup memory.

var<workgroup> shares: array<i32, SHARES>;

fn reduce(sums: Sums, thread: u32, seat: u32, first: u32) {
    for (var i = 0u; i < 4u; i++) {
        let four = sums.outputs[i];
        shares[(4u * i) * THREADS + thread] = four.x;
        shares[(4u * i + 1u) * THREADS + thread] = four.y;
        shares[(4u * i + 2u) * THREADS + thread] = four.z;
        shares[(4u * i + 3u) * THREADS + thread] = four.w;
    }
    shares[16u * THREADS + thread] = sums.psqt;
    workgroupBarrier();
    for (var i = thread; i < SEATS * 17u; i += THREADS) {
        let output = i % 17u;
        let begin = output * THREADS + (i / 17u) * 2u * LANES;
        var sum = 0;
        for (var j = 0u; j < 2u * LANES; j++) {
            sum += shares[begin + j];
        }
        totals[(first + i / 17u) * 17u + output] = sum;
    }
}
