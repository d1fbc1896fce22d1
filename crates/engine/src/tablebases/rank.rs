//! Which moves of a covered position keep its result, and in which order.

use shakmaty_syzygy::{Dtz, MaybeRounded};
use tandem_chess::{Game, KeyHistory, Move, Position, RankedMove, RankedMoves, Wdl};

use super::Tablebases;

/// The rank of a win that the fifty-move rule cannot spoil if only such moves are played. A loss
/// without hope has its negative.
const SURE: i32 = 20_000;
/// Ranks of wins that need the shortest way, or more time than the fifty-move rule grants, lie
/// below this by the distance. Losses again have the negative.
const DOUBTFUL: i32 = 10_000;
/// Plies after which the fifty-move rule ends the game.
const FIFTY_MOVES: i32 = 100;

/// What a move leads to, for the side that makes it.
#[derive(Clone, Copy)]
struct Distance {
    /// Plies to the next capture or pawn move that keeps the result, this move included: positive
    /// if that side wins, negative if it loses, 0 for a draw, beyond 100 if the fifty-move rule
    /// spoils it.
    plies: i32,
    /// Whether it may be a ply more than that.
    is_rounded: bool,
}

/// Ranks the moves by how soon they force a capture or pawn move that keeps the result. Following
/// these ranks alone reaches it.
pub fn by_distance(tables: &Tablebases, game: &Game, fifty_moves: bool) -> Option<RankedMoves> {
    let clock = i32::from(game.position().halfmove_clock());
    // Where the position has come back once, dawdling has to end.
    let in_hurry = has_repeated(game);
    let moves = collect(game, |m, after, earlier| {
        let distance = distance(tables, after, earlier, fifty_moves)?;
        let total = distance.plies.abs() + clock;
        let rank = match distance.plies {
            0 => 0,
            1.. if is_sure_win(distance, clock) => SURE - i32::from(in_hurry) * distance.plies,
            1.. => DOUBTFUL - total,
            // So near that the opponent could take every step twice: the search knows best how to
            // make it hard.
            _ if 2 * distance.plies.abs() + clock < FIFTY_MOVES => -SURE,
            _ => total - DOUBTFUL,
        };
        // Under the rule a result counts in full as long as the count may stay within it.
        let counts = !fifty_moves || total <= FIFTY_MOVES;
        let wdl = match distance.plies {
            0 => Wdl::Draw,
            1.. if counts => Wdl::Win,
            1.. => Wdl::CursedWin,
            _ if counts => Wdl::Loss,
            _ => Wdl::BlessedLoss,
        };
        // Short ways to win and long ways to lose come first within a rank; an exact distance
        // before one that may be longer.
        let order = (distance.plies, distance.is_rounded);
        Some((order, RankedMove { m, rank, wdl }))
    })?;
    Some(RankedMoves { moves, makes_progress: true })
}

/// Ranks the moves by result alone, which needs no DTZ tables.
pub fn by_result(tables: &Tablebases, game: &Game, fifty_moves: bool) -> Option<RankedMoves> {
    let moves = collect(game, |m, after, earlier| {
        let wdl = if is_draw(after, earlier, fifty_moves) {
            Wdl::Draw
        } else {
            -tables.probe_wdl(after)?
        };
        let wdl = if fifty_moves { wdl } else { wdl.without_fifty_moves() };
        let rank = match wdl {
            Wdl::Win => SURE,
            Wdl::CursedWin => DOUBTFUL - FIFTY_MOVES,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => FIFTY_MOVES - DOUBTFUL,
            Wdl::Loss => -SURE,
        };
        Some(((0, false), RankedMove { m, rank, wdl }))
    })?;
    Some(RankedMoves { moves, makes_progress: false })
}

/// Judges every legal move by the position after it and the keys before that, and puts the best
/// first; none if one cannot be judged.
fn collect(
    game: &Game,
    judge: impl Fn(Move, &Position, &KeyHistory) -> Option<((i32, bool), RankedMove)>,
) -> Option<Vec<RankedMove>> {
    let position = game.position();
    let mut earlier = game.history().clone();
    earlier.push(position.key());
    let mut judged: Vec<_> = position
        .legal_moves()
        .into_iter()
        .map(|m| judge(m, &position.after(m), &earlier))
        .collect::<Option<_>>()?;
    judged.sort_by_key(|&(order, ranked)| (-ranked.rank, order));
    Some(judged.into_iter().map(|(_, ranked)| ranked).collect())
}

/// The distance for the side that has just moved to `after`.
fn distance(
    tables: &Tablebases,
    after: &Position,
    earlier: &KeyHistory,
    fifty_moves: bool,
) -> Option<Distance> {
    let precise = |plies| Some(Distance { plies, is_rounded: false });
    if after.is_checkmate() {
        return precise(1);
    }
    if is_draw(after, earlier, fifty_moves) {
        return precise(0);
    }
    if after.halfmove_clock() == 0 {
        return precise(match -tables.probe_wdl(after)? {
            Wdl::Win => 1,
            Wdl::CursedWin => 1 + FIFTY_MOVES,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => -1 - FIFTY_MOVES,
            Wdl::Loss => -1,
        });
    }
    let dtz = tables.exact_dtz(after)?;
    let Dtz(plies) = -dtz.ignore_rounding().add_plies(1);
    Some(Distance { plies, is_rounded: matches!(dtz, MaybeRounded::Rounded(_)) && plies != 0 })
}

/// Whether the fifty-move rule or a third occurrence ends the game in this position.
fn is_draw(position: &Position, earlier: &KeyHistory, fifty_moves: bool) -> bool {
    let is_out_of_moves = i32::from(position.halfmove_clock()) >= FIFTY_MOVES;
    (fifty_moves && is_out_of_moves && !position.is_checkmate())
        || earlier.occurrences(position).count() >= 2
}

/// Whether a win is reached within the fifty-move rule whichever such move is played, now and later.
fn is_sure_win(distance: Distance, clock: i32) -> bool {
    distance.plies + i32::from(distance.is_rounded) + clock <= FIFTY_MOVES
}

/// Whether a position has occurred twice since the last capture or pawn move.
fn has_repeated(game: &Game) -> bool {
    let mut position = *game.start();
    let mut keys = vec![position.key()];
    for &m in game.moves() {
        position = position.after(m);
        if position.halfmove_clock() == 0 {
            keys.clear();
        }
        keys.push(position.key());
    }
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}
