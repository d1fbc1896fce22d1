// Lists the rows of the pieces, one invocation for each position and side.

@compute @workgroup_size(64)
fn list_pieces(@builtin(global_invocation_id) id: vec3<u32>) {
    let position = id.x >> 1u;
    let side = id.x & 1u;
    let board = board_of(position);
    let king = king_square(board, side);
    let vertical = 56u * side;
    let mirror = select(0u, 7u, (king & 7u) < 4u);
    let own = king ^ vertical;
    let file = own & 7u;
    let bucket = (7u - (own >> 3u)) * 4u + min(file, 7u - file);
    let list = list_of(position, side);

    var count = 0u;
    for (var half = 0u; half < 2u; half++) {
        var left = select(board.occupied.x, board.occupied.y, half == 1u);
        while (left != 0u) {
            let square = firstTrailingBit(left) + 32u * half;
            left &= left - 1u;
            let slot = slot_on(board, square);
            let kind = (slot >> 1u) - 1u;
            let foreign = (slot & 1u) ^ side;
            // Both kings share a plane.
            let plane = select(2u * kind + foreign, 10u, kind == 5u);
            lists[list + HEAD + count] = (square ^ vertical ^ mirror) + 64u * plane + 704u * bucket;
            count++;
        }
    }
    lists[list + ADDED] = count;
    lists[list + REMOVED] = 0u;
    lists[list + THREATS_ADDED] = 0u;
    lists[list + THREATS_REMOVED] = 0u;
    // Empty boards only fill up the last workgroup: their answer is not read.
    lists[list + BUCKET] = (max(count, 1u) - 1u) / 4u;
    lists[list + FROM_PARENT] = 0u;
    lists[list + FLIPPED] = 0u;
}
