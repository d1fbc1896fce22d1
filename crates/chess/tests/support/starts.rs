//! The starting positions of Chess960 and of double Chess960.

/// The back rank with that Chess960 number, below 960, as capital letters; 518 is `RNBQKBNR`.
pub fn back_rank(number: usize) -> String {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let mut rank = [None; 8];
    rank[number % 4 * 2 + 1] = Some('B');
    rank[number / 4 % 4 * 2] = Some('B');
    place(&mut rank, number / 16 % 6, 'Q');
    let (first, second) = KNIGHTS[number / 96];
    // The second place is counted while the first is still free, so it is filled first.
    place(&mut rank, second, 'N');
    place(&mut rank, first, 'N');
    for letter in ['R', 'K', 'R'] {
        place(&mut rank, 0, letter);
    }
    rank.into_iter().flatten().collect()
}

/// Puts a letter on the free place with that number.
fn place(rank: &mut [Option<char>; 8], number: usize, letter: char) {
    if let Some(free) = rank.iter_mut().filter(|place| place.is_none()).nth(number) {
        *free = Some(letter);
    }
}

/// The starting position in which each side has the back rank of its number.
pub fn start_fen(white: usize, black: usize) -> String {
    let (white, black) = (back_rank(white), back_rank(black).to_lowercase());
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")
}
