// What a side sees of a position: a head, rows of pieces, rows of threats. Rows that are added stand
// before rows that are taken away.

const ADDED: u32 = 0u;
const REMOVED: u32 = 1u;
const THREATS_ADDED: u32 = 2u;
const THREATS_REMOVED: u32 = 3u;
const BUCKET: u32 = 4u;
// Whether the rows lead from the parent's accumulator instead of the biases.
const FROM_PARENT: u32 = 5u;
// Whether the parent's other side was to move, so that its accumulators lie the other way round.
const FLIPPED: u32 = 6u;

fn list_of(position: u32, side: u32) -> u32 {
    return (2u * position + side) * LIST;
}
