// Adds up what the invocations of a position have, first within each subgroup. Nothing depends on how
// large subgroups are or which invocations form one: positions that share a workgroup take turns.

var<workgroup> whole: array<atomic<i32>, WHOLE>;

fn reduce(sums: Sums, thread: u32, seat: u32, first: u32) {
    let leads = subgroupMin(thread) == thread;
    for (var turn = 0u; turn < SEATS; turn++) {
        let mine = seat == turn;
        let a = subgroupAdd(select(vec4<i32>(0), sums.outputs[0], mine));
        let b = subgroupAdd(select(vec4<i32>(0), sums.outputs[1], mine));
        let c = subgroupAdd(select(vec4<i32>(0), sums.outputs[2], mine));
        let d = subgroupAdd(select(vec4<i32>(0), sums.outputs[3], mine));
        let value = subgroupAdd(select(0, sums.psqt, mine));
        if (leads) {
            let at = 17u * turn;
            for (var i = 0u; i < 4u; i++) {
                atomicAdd(&whole[at + i], a[i]);
                atomicAdd(&whole[at + 4u + i], b[i]);
                atomicAdd(&whole[at + 8u + i], c[i]);
                atomicAdd(&whole[at + 12u + i], d[i]);
            }
            atomicAdd(&whole[at + 16u], value);
        }
    }
    workgroupBarrier();
    for (var i = thread; i < SEATS * 17u; i += THREADS) {
        totals[first * 17u + i] = atomicLoad(&whole[i]);
    }
}
