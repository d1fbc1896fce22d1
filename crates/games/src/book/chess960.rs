//! The start positions of Chess960 by their customary numbers.

use tandem_chess::Position;

/// How many there are.
pub const COUNT: usize = 960;

/// The start position of that number below [`COUNT`]; 518 is the usual one.
pub fn start(number: usize) -> Position {
    let row = back_row(number);
    let black: String = row.iter().collect();
    let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", black.to_uppercase());
    Position::from_fen(&fen).expect("every start position is legal")
}

/// The pieces of a side from the a-file to the h-file: the bishops on squares of both colours, then
/// the queen, then the knights, and the king between the rooks on what is left.
fn back_row(number: usize) -> [char; 8] {
    let mut row = [' '; 8];
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    row[2 * light + 1] = 'b';
    row[2 * dark] = 'b';
    let (knights, queen) = (rest / 6, rest % 6);
    put(&mut row, queen, 'q');
    let pairs = (0..5).flat_map(|one| (one + 1..5).map(move |two| (one, two)));
    let (one, two) = pairs.into_iter().nth(knights).unwrap_or((3, 4));
    // The second first, so that the places of the first are still counted as before.
    put(&mut row, two, 'n');
    put(&mut row, one, 'n');
    for piece in ['r', 'k', 'r'] {
        put(&mut row, 0, piece);
    }
    row
}

/// Puts a piece on the free square of that number.
fn put(row: &mut [char; 8], place: usize, piece: char) {
    if let Some(square) = row.iter_mut().filter(|square| **square == ' ').nth(place) {
        *square = piece;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_the_customary_ones() {
        let row = |number| back_row(number).iter().collect::<String>();
        assert_eq!(row(0), "bbqnnrkr");
        assert_eq!(row(518), "rnbqkbnr");
        assert_eq!(row(959), "rkrnnqbb");
        assert_eq!(start(518), Position::startpos());
    }

    #[test]
    fn all_are_different() {
        let mut all: Vec<[char; 8]> = (0..COUNT).map(back_row).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), COUNT);
    }
}
