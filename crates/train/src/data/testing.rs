//! What the tests of the data share.

use tandem_chess::{Color, Position, Random};

use super::{GameResult, Label, Reader, Record, Recorder};

/// A game in UCI moves; positions off its line stand in parentheses before the next move.
pub fn record(text: &str, result: GameResult) -> Record {
    let mut recorder = Recorder::new(Position::startpos());
    let text = text.replace('(', " ( ").replace(')', " ) ");
    let mut off_line: Option<(Position, Vec<_>)> = None;
    for word in text.split_whitespace() {
        match (word, &mut off_line) {
            ("(", _) => off_line = Some((*recorder.position(), Vec::new())),
            (")", Some((_, moves))) => {
                recorder.branch(moves, None).unwrap();
                off_line = None;
            }
            (_, Some((position, moves))) => {
                let m = position.parse_uci(word).unwrap();
                *position = position.after(m);
                moves.push(m);
            }
            (_, None) => recorder.play(recorder.position().parse_uci(word).unwrap(), None).unwrap(),
        }
    }
    recorder.finish(result)
}

/// A start position of standard chess, of Chess960, or of an endgame.
pub fn start(random: &mut Random) -> Position {
    const STARTS: [&str; 6] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 3 40",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 60",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    ];
    STARTS[random.below(STARTS.len())].parse().unwrap()
}

/// A game of random moves with random scores; positions off the line if wanted.
pub fn random_record(random: &mut Random, off_line: bool) -> Record {
    let start = start(random);
    random_record_from(random, start, off_line)
}

/// The same from that position.
pub fn random_record_from(random: &mut Random, start: Position, off_line: bool) -> Record {
    let mut recorder = Recorder::new(start);
    let label =
        |random: &mut Random| Some(Label::new(Color::White, random.below(4000) as i32 - 2000));
    for _ in 0..random.below(80) {
        let legal = recorder.position().legal_moves();
        if legal.is_empty() {
            break;
        }
        if off_line && random.below(3) == 0 {
            let first = legal[random.below(legal.len())];
            let score = label(random);
            recorder.branch(&[first], score).unwrap();
        }
        // Special moves are rare; so that none is missed, they come first where there are any.
        let special = legal.iter().position(|m| m.kind() != tandem_chess::MoveKind::Normal);
        let choice = match special {
            Some(place) if random.below(2) == 0 => place,
            _ => random.below(legal.len()),
        };
        let score = label(random);
        recorder.play(legal[choice], score).unwrap();
    }
    recorder.finish(GameResult::ALL[random.below(3)])
}

/// A network of random piece-square values: small, and made in a moment.
pub fn networks() -> tandem_nnue::Networks {
    use std::sync::Arc;

    use tandem_nnue::{Architecture, FeatureSet, Network, Networks, Parameters};

    let shape = Architecture { features: FeatureSet::HalfKa, l1: 128 };
    let mut parameters = Parameters::zero(shape, "random piece-square values");
    let mut random = Random::new(1);
    for value in &mut parameters.psqt {
        *value = random.below(20_000) as i32 - 10_000;
    }
    let network = Network::from_parameters(&parameters).unwrap();
    Networks::new(Arc::new(network), None).unwrap()
}

/// Everything that a reader gives, the sentences about damage included.
pub fn read_all(mut reader: impl Reader) -> Vec<Result<Record, String>> {
    let mut games = Vec::new();
    loop {
        match reader.next_game() {
            Ok(Some(record)) => games.push(Ok(record)),
            Ok(None) => return games,
            Err(error) => games.push(Err(error.to_string())),
        }
    }
}
