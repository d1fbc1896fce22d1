//! Men thrown on the board, possible or not.

use super::random::Random;

/// A board of FEN letters and spaces, a8 first.
type Board = [char; 64];

/// The first field of a FEN.
fn pieces(board: &Board) -> String {
    let ranks: Vec<String> = board
        .chunks(8)
        .map(|rank| {
            let mut text: String = rank.iter().collect();
            for gap in (1..=8).rev() {
                text = text.replace(&" ".repeat(gap), &gap.to_string());
            }
            text
        })
        .collect();
    ranks.join("/")
}

fn letters(text: &str) -> Vec<char> {
    text.chars().collect()
}

/// Both kings and up to ten other men anywhere, pawns on the last ranks included.
pub fn sparse(random: &mut Random) -> String {
    let mut board = [' '; 64];
    let kinds = letters("PNBRQpnbrq");
    for _ in 0..random.below(11) {
        board[random.below(64)] = random.pick(&kinds);
    }
    for king in ['K', 'k'] {
        board[random.below(64)] = king;
    }
    let (side, clock) = (random.pick(&["w", "b"]), random.below(120));
    format!("{} {side} - - {clock} 1", pieces(&board))
}

/// Up to seven pieces and six pawns a side, so that many men look at one square.
pub fn crowded(random: &mut Random) -> String {
    let mut board = [' '; 64];
    for (kinds, pawn) in [("NNBBRRQQ", 'P'), ("nnbbrrqq", 'p')] {
        for _ in 0..random.below(8) {
            board[random.below(64)] = random.pick(&letters(kinds));
        }
        for _ in 0..random.below(7) {
            board[8 + random.below(48)] = pawn;
        }
    }
    board[random.below(16)] = 'k';
    board[48 + random.below(16)] = 'K';
    format!("{} {} - - 0 1", pieces(&board), random.pick(&["w", "b"]))
}

/// Kings and rooks on their back ranks, pawns that may have made a double step, and claims about
/// both that are often false.
pub fn with_rights(random: &mut Random) -> String {
    let mut board = [' '; 64];
    let kinds = letters("NBRQnbrq");
    for _ in 0..random.below(4) {
        board[random.below(64)] = random.pick(&kinds);
    }
    for (rank, king, rook) in [(0, 'k', 'r'), (7, 'K', 'R')] {
        for _ in 0..random.below(4) {
            board[8 * rank + random.below(8)] = rook;
        }
        let rank = if random.below(8) == 0 { random.below(8) } else { rank };
        board[8 * rank + 1 + random.below(6)] = king;
    }
    // Pawns of the side that has just moved, those that may take them, and where they came from.
    let white = random.below(2) == 0;
    let (rank, pawn, taker) = if white { (3, 'p', 'P') } else { (4, 'P', 'p') };
    let file = random.below(8);
    board[8 * rank + random.below(8)] = taker;
    board[8 * rank + random.below(8)] = taker;
    board[8 * rank + file] = if random.below(6) == 0 { taker } else { pawn };
    let castling = match random.below(4) {
        0 => "-".to_owned(),
        1 => random.pick(&["KQkq", "Kq", "Qk", "KQ", "kq"]).to_owned(),
        _ => {
            let mut files = letters("ABCDEFGHabcdefgh");
            (0..=random.below(3)).map(|_| files.remove(random.below(files.len()))).collect()
        }
    };
    let passed = match random.below(4) {
        0 => "-".to_owned(),
        1 => format!("{}{}", random.pick(&letters("abcdefgh")), random.pick(&['3', '6'])),
        _ => format!("{}{}", (b'a' + file as u8) as char, if white { '6' } else { '3' }),
    };
    format!("{} {} {castling} {passed} 0 1", pieces(&board), if white { "w" } else { "b" })
}
