//! Our counts of the game tree against those in the data files, which `shakmaty` made.

mod support;

use tandem_chess::{Position, perft};

use support::suite;

/// One test a file, so that they run side by side.
macro_rules! data_files {
    ($($name:ident)*) => {
        const FILES: &[&str] = &[$(stringify!($name)),*];

        $(
            #[test]
            fn $name() {
                counts_agree(stringify!($name));
            }
        )*
    };
}

data_files! { castling checks chess960 dfrc en_passant promotion standard }

#[test]
fn every_data_file_is_counted() {
    assert_eq!(suite::names(), FILES);
}

fn counts_agree(name: &str) {
    let entries = suite::entries(name);
    assert!(!entries.is_empty(), "{name} holds no positions");
    for entry in entries {
        let position = Position::from_fen(&entry.fen)
            .unwrap_or_else(|error| panic!("{}: {}: {error}", entry.place, entry.fen));
        assert!(!entry.counts.is_empty(), "{} has no counts", entry.place);
        for (depth, count) in entry.counts {
            let ours = perft(&position, depth);
            assert_eq!(ours, count, "{} at depth {depth}: {}", entry.place, entry.fen);
        }
    }
}
