// Lists the rows of the threats: a workgroup for each position, an invocation for each square.

// For each pair of pieces the first row and two flags, then for each piece and square the number of
// its first attack and the attacks on an empty board.
@group(0) @binding(10) var<storage, read> numbering: array<vec4<u32>>;

const UNSEEN: u32 = 1u;
const MUTUAL: u32 = 2u;
const PLACES: u32 = 256u;

var<workgroup> found: array<atomic<u32>, 2>;

fn below(bits: vec2<u32>, square: u32) -> u32 {
    let low = select((1u << (square & 31u)) - 1u, 0xffffffffu, square >= 32u);
    let high = select(0u, (1u << (square & 31u)) - 1u, square >= 32u);
    return countOneBits(bits.x & low) + countOneBits(bits.y & high);
}

// Both sides may see the attack of a piece on another.
fn note(position: u32, board: Board, attacker: u32, origin: u32, flips: vec2<u32>, goal: u32) {
    let victim = slot_on(board, goal);
    for (var side = 0u; side < 2u; side++) {
        let flip = select(flips.x, flips.y, side == 1u);
        let own_origin = origin ^ flip;
        let own_goal = goal ^ flip;
        let pair = numbering[16u * (attacker ^ side) + (victim ^ side)];
        let doubled = pair.y == MUTUAL && own_origin < own_goal;
        if (pair.y == UNSEEN || doubled) {
            continue;
        }
        let place = numbering[PLACES + 64u * (attacker ^ side) + own_origin];
        let row = pair.x + place.x + below(place.yz, own_goal);
        let at = atomicAdd(&found[side], 1u);
        lists[list_of(position, side) + HEAD + PIECES + at] = row;
    }
}

// The eight directions, straight ones first, or the knight's jumps.
fn step_of(direction: u32, jumps: bool) -> vec2<i32> {
    let d = i32(direction & 3u);
    if (jumps) {
        let long = select(1, 2, direction >= 4u);
        let x = select(long, -long, (d & 1) == 1);
        let y = select(3 - long, long - 3, (d & 2) == 2);
        return vec2<i32>(x, y);
    }
    if (direction >= 4u) {
        return vec2<i32>(select(1, -1, (d & 1) == 1), select(1, -1, (d & 2) == 2));
    }
    let along = select(1, -1, (d & 1) == 1);
    return select(vec2<i32>(along, 0), vec2<i32>(0, along), d >= 2);
}

@compute @workgroup_size(64)
fn list_threats(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) square: u32,
) {
    let position = group.x;
    let board = board_of(position);
    let slot = slot_on(board, square);
    let kind = slot >> 1u;
    // Attacks are mirrored the other way than pieces.
    let flips = vec2<u32>(
        select(0u, 7u, (king_square(board, 0u) & 7u) >= 4u),
        56u ^ select(0u, 7u, (king_square(board, 1u) & 7u) >= 4u),
    );
    if (kind != 0u) {
        let slides = kind >= 3u && kind <= 5u;
        let forward = select(1, -1, (slot & 1u) == 1u);
        for (var direction = 0u; direction < 8u; direction++) {
            let step = step_of(direction, kind == 2u);
            let diagonal = direction >= 4u;
            let barred = (kind == 1u && !(diagonal && step.y == forward))
                || (kind == 3u && !diagonal) || (kind == 4u && diagonal);
            if (barred) {
                continue;
            }
            var at = vec2<i32>(i32(square & 7u), i32(square >> 3u));
            for (var steps = 0; steps < select(1, 7, slides); steps++) {
                at += step;
                if (any(at < vec2<i32>(0)) || any(at > vec2<i32>(7))) {
                    break;
                }
                let goal = u32(at.y * 8 + at.x);
                if (bit(board.occupied, goal) == 1u) {
                    note(position, board, slot, square, flips, goal);
                    break;
                }
            }
        }
    }
    workgroupBarrier();
    if (square < 2u) {
        lists[list_of(position, square) + THREATS_ADDED] = atomicLoad(&found[square]);
    }
}
