// A position as the host packs it: four planes of 64 bits, the side to move first and at the bottom.
// Plane 0 marks the other side's pieces; planes 1 to 3 are the bits of the kind, from pawn 1 to king 6.

struct Board {
    planes: array<vec2<u32>, 4>,
    occupied: vec2<u32>,
}

fn board_of(position: u32) -> Board {
    var board: Board;
    board.planes[0] = boards[4u * position];
    board.planes[1] = boards[4u * position + 1u];
    board.planes[2] = boards[4u * position + 2u];
    board.planes[3] = boards[4u * position + 3u];
    board.occupied = board.planes[1] | board.planes[2] | board.planes[3];
    return board;
}

fn bit(plane: vec2<u32>, square: u32) -> u32 {
    return (select(plane.x, plane.y, square >= 32u) >> (square & 31u)) & 1u;
}

// The piece on a square: twice its kind, plus one for the other side; 0 where there is none.
fn slot_on(board: Board, square: u32) -> u32 {
    return bit(board.planes[0], square) | bit(board.planes[1], square) << 1u
        | bit(board.planes[2], square) << 2u | bit(board.planes[3], square) << 3u;
}

fn king_square(board: Board, side: u32) -> u32 {
    let kings = board.planes[2] & board.planes[3] & ~board.planes[1];
    let own = select(kings & ~board.planes[0], kings & board.planes[0], side == 1u);
    return select(firstTrailingBit(own.y) + 32u, firstTrailingBit(own.x), own.x != 0u);
}
