//! What a search prints, read as strictly as a match runner would.

use std::str::FromStr;
use std::time::Duration;

/// A score from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Score {
    Centipawns(i64),
    /// In moves; negative if the side to move is mated.
    Mate(i64),
}

impl Score {
    /// Greater is better for the side to move, mates beyond all centipawns.
    pub const fn rank(self) -> i64 {
        match self {
            Self::Centipawns(value) => value,
            Self::Mate(moves @ 1..) => 1_000_000 - moves,
            Self::Mate(moves) => -1_000_000 - moves,
        }
    }
}

/// On which side of the truth a score may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    Lower,
    Upper,
}

/// An `info` line with a score.
#[derive(Clone, Debug)]
pub struct Info {
    pub depth: u32,
    pub seldepth: u32,
    pub multipv: usize,
    pub score: Score,
    pub bound: Bound,
    pub wdl: Option<[u32; 3]>,
    pub nodes: u64,
    pub nps: u64,
    pub hashfull: u32,
    pub tbhits: u64,
    pub time: u64,
    pub pv: Vec<String>,
}

impl Info {
    /// Understands a line; none if it is not an `info` line, or one without a score.
    ///
    /// # Panics
    /// The line breaks the protocol.
    pub fn parse(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("info ")?;
        if rest.starts_with("string ") {
            return None;
        }
        let mut words = rest.split(' ');
        let mut score = None;
        let mut info = Self {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score: Score::Centipawns(0),
            bound: Bound::Exact,
            wdl: None,
            nodes: 0,
            nps: 0,
            hashfull: 0,
            tbhits: 0,
            time: 0,
            pv: Vec::new(),
        };
        while let Some(word) = words.next() {
            let mut number = || words.next().unwrap_or_default();
            match word {
                "depth" => info.depth = whole(number(), line),
                "seldepth" => info.seldepth = whole(number(), line),
                "multipv" => info.multipv = whole(number(), line),
                "nodes" => info.nodes = whole(number(), line),
                "nps" => info.nps = whole(number(), line),
                "hashfull" => info.hashfull = whole(number(), line),
                "time" => info.time = whole(number(), line),
                "tbhits" => info.tbhits = whole(number(), line),
                "cpuload" | "currmovenumber" => {
                    whole::<u64>(number(), line);
                }
                "currmove" => assert!(!number().is_empty(), "{line}"),
                "score" => {
                    score = Some(match number() {
                        "cp" => Score::Centipawns(whole(number(), line)),
                        "mate" => Score::Mate(whole(number(), line)),
                        other => panic!("score {other}? {line}"),
                    });
                }
                "lowerbound" => info.bound = Bound::Lower,
                "upperbound" => info.bound = Bound::Upper,
                "wdl" => info.wdl = Some([(); 3].map(|()| whole(number(), line))),
                "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
                other => panic!("'{other}' is no word of an info line: {line}"),
            }
        }
        info.score = score?;
        assert!(info.hashfull <= 1000, "{line}");
        if let Some(wdl) = info.wdl {
            assert_eq!(wdl.iter().sum::<u32>(), 1000, "{line}");
        }
        Some(info)
    }
}

fn whole<T: FromStr>(word: &str, line: &str) -> T {
    assert!(!word.starts_with('+'), "'{word}' in {line}");
    word.parse().unwrap_or_else(|_| panic!("'{word}' is no whole number: {line}"))
}

/// Everything that a search printed.
#[derive(Debug)]
pub struct Answer {
    /// The lines with scores, in order.
    pub infos: Vec<Info>,
    /// The sentences for people.
    pub strings: Vec<String>,
    pub best: String,
    pub ponder: Option<String>,
    /// How long the answer was waited for.
    pub took: Duration,
}

impl Answer {
    /// Understands the lines of a search, of which `bestmove` is the last.
    ///
    /// # Panics
    /// The lines break the protocol, or the one before `bestmove` has no score.
    pub fn parse(lines: &[String], took: Duration) -> Self {
        let (last, before) = lines.split_last().expect("at least bestmove");
        let (best, ponder) = match *last.split(' ').collect::<Vec<_>>() {
            ["bestmove", best] => (best.to_owned(), None),
            ["bestmove", best, "ponder", ponder] => (best.to_owned(), Some(ponder.to_owned())),
            _ => panic!("not a bestmove line: {last}"),
        };
        let (mut infos, mut strings) = (Vec::new(), Vec::new());
        for line in before {
            if let Some(string) = line.strip_prefix("info string ") {
                strings.push(string.to_owned());
            } else if let Some(info) = Info::parse(line) {
                infos.push(info);
            } else {
                let idle = line == "readyok" || line.starts_with("info ");
                assert!(idle, "a search printed '{line}'");
            }
        }
        let closing = before.iter().rfind(|line| {
            *line != "readyok" && !line.starts_with("info string ") && !line.contains(" currmove ")
        });
        let scored = closing.is_some_and(|line| Info::parse(line).is_some());
        assert!(scored, "no score before '{last}': {closing:?}");
        Self { infos, strings, best, ponder, took }
    }

    /// The last line of all about the best move.
    pub fn last(&self) -> &Info {
        self.infos.iter().rfind(|info| info.multipv == 1).expect("a first line")
    }

    /// The last line that claims to be exact about the best move.
    pub fn last_exact(&self) -> Option<&Info> {
        self.infos.iter().rfind(|info| info.multipv == 1 && info.bound == Bound::Exact)
    }

    /// The positions visited.
    pub fn nodes(&self) -> u64 {
        self.last().nodes
    }
}
