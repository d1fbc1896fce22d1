//! Repetition, the fifty-move rule and the end of games against the slow and obvious way: keep
//! every position as text and compare texts.

mod support;

use shakmaty::{Chess, Position as _};
use tandem_chess::{Game, Move, MoveKind, Outcome, Position};

use support::oracle::{self, Pair};
use support::random::Random;
use support::starts;

/// Shuffling is easy in these: pieces go back and forth, rights are lost, pawns may move.
const STARTS: [&str; 8] = [
    "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "7k/8/8/3n4/3N4/8/8/K7 w - - 0 1",
    "q6k/8/8/8/8/8/1K6/6Q1 w - - 90 80",
    "4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1",
    "4k3/8/8/2pP4/8/8/8/R3K3 w Q c6 0 1",
    "kb6/p7/P7/8/8/7p/7P/6BK w - - 0 1",
    "rk5r/8/8/8/8/8/8/1RK4R b HBha - 96 70",
];

/// A game in both programs and the texts of all its positions.
struct Record {
    game: Game,
    theirs: Chess,
    /// Pieces, side to move, castling and en-passant rights of each position, the present last.
    seen: Vec<String>,
}

impl Record {
    fn new(fen: &str) -> Self {
        let Pair { ours, theirs } = Pair::new(fen);
        Self { game: Game::new(ours), seen: vec![identity(&theirs)], theirs }
    }

    fn play(&mut self, m: Move) {
        self.theirs.play_unchecked(oracle::their_move(&self.theirs, &m.to_string()));
        self.game.play(m).expect("the move is legal");
        self.seen.push(identity(&self.theirs));
    }

    /// Half of the time the way back, if there is one: random moves alone rarely repeat.
    fn random_move(&self, random: &mut Random) -> Option<Move> {
        let moves = self.game.position().legal_moves();
        let back = self
            .game
            .moves()
            .iter()
            .nth_back(1)
            .filter(|m| m.kind() == MoveKind::Normal)
            .map(|m| Move::normal(m.to(), m.from()))
            .filter(|m| moves.contains(m));
        match back {
            Some(m) if random.below(2) == 0 => Some(m),
            _ => (!moves.is_empty()).then(|| random.pick(&moves)),
        }
    }

    fn repetitions(&self) -> usize {
        self.seen.iter().filter(|&seen| Some(seen) == self.seen.last()).count()
    }

    /// Every reason for which the game is over now.
    fn outcomes(&self) -> Vec<Outcome> {
        if self.theirs.is_checkmate() {
            return vec![Outcome::Checkmate(!self.game.position().side_to_move())];
        }
        [
            (self.theirs.is_stalemate(), Outcome::Stalemate),
            (self.theirs.is_insufficient_material(), Outcome::InsufficientMaterial),
            (self.theirs.halfmoves() >= 100, Outcome::FiftyMoves),
            (self.repetitions() >= 3, Outcome::ThreefoldRepetition),
        ]
        .into_iter()
        .filter_map(|(holds, outcome)| holds.then_some(outcome))
        .collect()
    }

    /// Whether some legal move leads to a position that counts as repeated in a search whose root
    /// lies `ply` plies back: one from after the root, or one that had occurred twice by then.
    fn can_repeat(&self, ply: usize) -> bool {
        let now = self.seen.len() - 1;
        self.theirs.legal_moves().into_iter().any(|m| {
            let mut next = self.theirs.clone();
            next.play_unchecked(m);
            let next = identity(&next);
            let before: Vec<usize> = (0..now).filter(|&number| self.seen[number] == next).collect();
            before.len() > 1 || before.iter().any(|&number| now - number < ply)
        })
    }

    fn check(&self) {
        let text = || format!("{} after {:?}", oracle::fen(&self.theirs), self.game.moves());
        assert_eq!(self.game.position().to_string(), oracle::fen(&self.theirs));
        assert_eq!(self.game.repetitions(), self.repetitions(), "repetitions of {}", text());
        let (outcome, possible) = (self.game.outcome(), self.outcomes());
        match outcome {
            Some(outcome) => assert!(possible.contains(&outcome), "{outcome:?} in {}", text()),
            None => assert!(possible.is_empty(), "{possible:?} missed in {}", text()),
        }
        for ply in [0, 1, 2, 3, 4, 6, 9, 1000] {
            let found = self.game.history().can_repeat(self.game.position(), ply);
            assert_eq!(found, self.can_repeat(ply), "repetition at ply {ply} of {}", text());
        }
    }
}

/// The four fields of a FEN that make two positions the same.
fn identity(position: &Chess) -> String {
    oracle::fen(position).split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[test]
fn shuffled_games_repeat_and_end_as_the_record_says() {
    let mut random = Random::new(50);
    let standard = starts::start_fen(518, 518);
    let (mut repeated, mut fifty) = (0, 0);
    for fen in STARTS.iter().copied().chain([standard.as_str()]) {
        for _ in 0..12 {
            let mut record = Record::new(fen);
            for _ in 0..120 {
                record.check();
                let Some(m) = record.random_move(&mut random) else {
                    break;
                };
                record.play(m);
            }
            repeated += usize::from(record.repetitions() >= 2);
            fifty += usize::from(record.theirs.halfmoves() >= 100);
        }
    }
    assert!(repeated >= 10 && fifty >= 10, "{repeated} repetitions, {fifty} long games");
}

#[test]
fn mate_on_the_hundredth_half_move_counts_before_the_fifty_move_rule() {
    let mut game = Game::new("7k/8/6K1/8/8/8/8/R7 w - - 99 90".parse().expect("a position"));
    let m = game.position().parse_san("Ra8#").expect("a move");
    game.play(m).expect("a legal move");
    assert_eq!(game.outcome(), Some(Outcome::Checkmate(tandem_chess::Color::White)));
}

#[test]
fn an_illegal_move_leaves_the_game_as_it_was() {
    let mut game = Game::new(Position::startpos());
    let mut random = Random::new(16);
    let legal = game.position().legal_moves();
    for _ in 0..1000 {
        let Some(m) = Move::from_bits(random.next() as u16).filter(|m| !legal.contains(m)) else {
            continue;
        };
        let error = game.play(m).expect_err("not legal").to_string();
        assert!(!error.is_empty() && !error.contains('\n'), "{error:?}");
        assert!(*game.position() == Position::startpos() && game.moves().is_empty());
    }
}

#[test]
fn lost_castling_rights_and_passed_pawns_make_another_position() {
    // The kings come back, but the right to castle does not.
    let mut game = Game::new("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse().expect("a position"));
    for round in 1..=3 {
        assert_eq!(game.repetitions(), round.max(2) - 1, "round {round}");
        for text in ["e1e2", "e8e7", "e2e1", "e7e8"] {
            let m = game.position().parse_uci(text).expect("a legal move");
            game.play(m).expect("a legal move");
        }
    }
    assert_eq!(game.outcome(), Some(Outcome::ThreefoldRepetition));

    // The right to take en passant lasts one move.
    let mut game = Game::new("4k3/8/8/8/2p5/8/3P4/4K3 w - - 0 1".parse().expect("a position"));
    for text in ["d2d4", "e8e7", "e1e2", "e7e8", "e2e1"] {
        let m = game.position().parse_uci(text).expect("a legal move");
        game.play(m).expect("a legal move");
    }
    assert_eq!(game.repetitions(), 1);
}
