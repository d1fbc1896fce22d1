//! What is known of a position so far, gathered from a search's reports.

use std::cmp::Reverse;

use serde_json::{Map, Value};
use tandem_chess::{CastlingNotation, Color, Game, Move, Position};
use tandem_engine::{
    Bound, Choice, Contender, Deliberation, Exchange, JudgedMove, MoveReport, Progress, Score,
    SearchMode, Side,
};
use tandem_hybrid::Classification;
use tandem_hybrid::classifier::{self, Toward};

use crate::record::{
    Analysis, BoundRecord, ContenderRecord, Judgement, Line, MoveRecord, Pvs, Reason, Root,
    SearchName, TypeRecord, VerdictRecord,
};

/// What is known of a position so far.
#[derive(Clone, Debug)]
pub struct Snapshot {
    game: Game,
    mode: SearchMode,
    notation: CastlingNotation,
    /// What was said last of each line of each search.
    lines: Vec<Progress>,
    /// What was said last of the best line by whoever has the say.
    root: Option<Progress>,
    moves: Vec<MoveReport>,
    judged: Vec<JudgedMove>,
    deliberation: Option<Deliberation>,
    notices: Vec<String>,
    choice: Option<Choice>,
}

impl Snapshot {
    /// Nothing is known yet of the position of that game.
    #[must_use]
    pub const fn new(game: Game, mode: SearchMode, notation: CastlingNotation) -> Self {
        Self {
            game,
            mode,
            notation,
            lines: Vec::new(),
            root: None,
            moves: Vec::new(),
            judged: Vec::new(),
            deliberation: None,
            notices: Vec::new(),
            choice: None,
        }
    }

    /// Takes a report into account.
    pub fn heed(&mut self, progress: &Progress) {
        if !progress.moves.is_empty() {
            self.moves.clone_from(&progress.moves);
        }
        if !progress.judged.is_empty() {
            self.judged.clone_from(&progress.judged);
        }
        if let Some(told) = &progress.deliberation {
            self.deliberation = Some(Deliberation::clone(told));
        }
        self.notices.extend(progress.notices.iter().cloned());
        let light = Progress {
            moves: Vec::new(),
            judged: Vec::new(),
            notices: Vec::new(),
            deliberation: None,
            ..progress.clone()
        };
        let is_final = progress.deliberation.as_ref().is_some_and(|told| told.is_final);
        // In tandem, the proving search has the say until the verdict.
        let known = self.root.as_ref().map(|root| root.side);
        let has_say = is_final || progress.side == Side::Prover || known != Some(Side::Prover);
        if progress.line == 1 && has_say {
            self.root = Some(light.clone());
        }
        self.lines.retain(|line| (line.side, line.line) != (progress.side, progress.line));
        self.lines.push(light);
    }

    /// The search has decided.
    pub const fn decide(&mut self, choice: Choice) {
        self.choice = Some(choice);
    }

    /// The score and the chances of the position for its side to move, as far as they are known.
    #[must_use]
    pub fn worth(&self) -> Option<(Score, Option<[u16; 3]>)> {
        self.root.as_ref().map(|root| (root.score, root.wdl))
    }

    /// Plies completed.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.root.as_ref().map_or(0, |root| root.depth)
    }

    /// The best line that is known.
    #[must_use]
    pub fn pv(&self) -> &[Move] {
        self.root.as_ref().map_or(&[], |root| &root.pv)
    }

    /// The game whose position it is.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Everything, as programs read it.
    #[must_use]
    pub fn analysis(&self) -> Analysis {
        let position = self.game.position();
        let uci = |m: Move| position.uci(m, self.notation);
        let fen = match self.notation {
            CastlingNotation::Chess960 => position.shredder_fen(),
            CastlingNotation::Standard => position.to_string(),
        };
        let after = |m: Move, reply: Move| position.after(m).uci(reply, self.notation);
        let best = self.choice.and_then(|choice| choice.best);
        let ponder = self.choice.and_then(|choice| Some(after(choice.best?, choice.ponder?)));
        let mut lines: Vec<&Progress> = self.lines.iter().filter(|l| !l.pv.is_empty()).collect();
        lines.sort_by_key(|line| (line.side == Side::Explorer, line.line));
        Analysis {
            fen,
            side_to_move: if position.side_to_move() == Color::White { "white" } else { "black" },
            mode: mode_name(self.mode),
            best: best.map(uci),
            ponder,
            game_over: self.game.outcome().map(|outcome| outcome.to_string()),
            root: self.root.as_ref().map(|root| self.root_record(root)),
            lines: lines.into_iter().map(|line| self.line(line)).collect(),
            moves: self.moves(),
            kind: type_record(position),
            verdict: self.deliberation.as_ref().map(|told| self.verdict(told)),
            notices: self.notices.clone(),
        }
    }

    fn root_record(&self, root: &Progress) -> Root {
        let explored = self.moves.iter().find(|report| report.m.is_none());
        // A search that reports seldom may be behind one that reports often.
        let nodes = self.lines.iter().map(|line| line.nodes).chain([root.nodes]).max();
        let time = self.lines.iter().map(|line| line.time).chain([root.time]).max();
        let (nodes, time) = (nodes.unwrap_or(0), time.unwrap_or_default());
        Root {
            score: root.score.into(),
            bound: bound(root.bound),
            wdl: root.wdl,
            search: search_name(root.side),
            depth: root.depth,
            seldepth: root.seldepth,
            visits: explored.map(|report| report.visits),
            value: explored.map(|report| rounded(report.value)),
            draw: explored.map(|report| rounded(report.draw)),
            nodes,
            time_ms: time.as_millis() as u64,
            nps: (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64,
            hashfull: root.hashfull,
            tbhits: root.tbhits,
        }
    }

    fn line(&self, line: &Progress) -> Line {
        let (pv, san) = self.spell(&line.pv);
        Line {
            search: search_name(line.side),
            rank: line.line,
            score: line.score.into(),
            bound: bound(line.bound),
            wdl: line.wdl,
            depth: line.depth,
            pv,
            san,
        }
    }

    /// The moves of a line from the position on, as UCI and as people write them.
    fn spell(&self, line: &[Move]) -> (Vec<String>, Vec<String>) {
        let mut position = *self.game.position();
        line.iter()
            .map(|&m| {
                let words = (position.uci(m, self.notation), position.san(m));
                position = position.after(m);
                words
            })
            .unzip()
    }

    /// Every move that is known of, the best first: in the order of the lines, then by visits, then by what
    /// the proving search says.
    fn moves(&self) -> Vec<MoveRecord> {
        let position = self.game.position();
        let explored = |m: Move| self.moves.iter().find(|report| report.m == Some(m));
        let judged = |m: Move| self.judged.iter().find(|judged| judged.m == m);
        let line = |m: Move, side: Side| {
            let mine = self.lines.iter().filter(|line| line.side == side);
            mine.filter(|line| line.pv.first() == Some(&m)).min_by_key(|line| line.line)
        };
        let known = |m: &Move| explored(*m).is_some() || judged(*m).is_some();
        let mut moves: Vec<Move> = position.legal_moves().into_iter().filter(known).collect();
        let best = self.choice.and_then(|choice| choice.best);
        let first = best.or_else(|| self.pv().first().copied());
        let proven_order = |m: Move| line(m, Side::Prover).map_or(usize::MAX, |line| line.line);
        moves.sort_by_key(|&m| {
            let visits = explored(m).map_or(0, |report| report.visits);
            let score = judged(m).map_or(i32::MIN, |judged| order(judged.score));
            let effort = judged(m).map_or(0, |judged| (1e6 * judged.effort) as u64);
            (Some(m) != first, proven_order(m), Reverse(visits), Reverse(effort), Reverse(score))
        });
        let record = |(place, m): (usize, Move)| {
            let report = explored(m);
            let tried = report.filter(|report| report.visits > 0);
            let pv = |side| line(m, side).map(|line| self.spell(&line.pv).0);
            MoveRecord {
                m: position.uci(m, self.notation),
                san: position.san(m),
                order: place,
                visits: report.map(|report| report.visits),
                prior: report.map(|report| rounded(report.prior)),
                value: tried.map(|report| rounded(report.value)),
                draw: tried.map(|report| rounded(report.draw)),
                mate: report.and_then(|report| report.mate).map(Score::mate_in_moves),
                alphabeta: judged(m).map(|judged| Judgement {
                    score: judged.score.into(),
                    bound: bound(judged.bound),
                    depth: judged.depth,
                    effort: rounded(judged.effort),
                }),
                pvs: Pvs { alphabeta: pv(Side::Prover), mcts: pv(Side::Explorer) },
            }
        };
        moves.into_iter().enumerate().map(record).collect()
    }

    fn verdict(&self, told: &Deliberation) -> VerdictRecord {
        let follows = if told.follows_explorer { SearchName::Mcts } else { SearchName::AlphaBeta };
        let counts = Exchange::ALL.iter().zip(&told.exchanges);
        VerdictRecord {
            is_final: told.is_final,
            follows: told.is_final.then_some(follows),
            reason: told.reason,
            is_disagreement: told.is_disagreement(),
            probability: told.probability.map(|probability| round(probability, 4)),
            gap: told.gap,
            share: round(told.share, 4),
            alphabeta: told.proven.as_ref().map(|contender| self.contender(contender)),
            mcts: told.explored.as_ref().map(|contender| self.contender(contender)),
            playouts: told.playouts,
            nodes: told.nodes,
            exchanges: counts
                .map(|(exchange, &count)| (exchange.name().to_owned(), count.into()))
                .collect(),
        }
    }

    fn contender(&self, contender: &Contender) -> ContenderRecord {
        let position = self.game.position();
        let (pv, pv_san) = self.spell(&contender.pv);
        ContenderRecord {
            m: position.uci(contender.m, self.notation),
            san: position.san(contender.m),
            score: contender.score.into(),
            depth: contender.depth,
            visits: contender.visits,
            value: rounded(contender.value),
            pv,
            pv_san,
        }
    }
}

/// What kind of position it is, and why.
#[must_use]
pub fn type_record(position: &Position) -> TypeRecord {
    let found = Classification::of(position);
    let fraction = |hundredths: u32| f64::from(hundredths) / 100.0;
    let value = |value| match value {
        classifier::Value::Flag(flag) => flag.into(),
        classifier::Value::Number(number) => number.into(),
        classifier::Value::Sides([white, black]) => Value::Object(Map::from_iter([
            ("white".to_owned(), white.into()),
            ("black".to_owned(), black.into()),
        ])),
    };
    let reason = |(term, weight): (&'static classifier::Term, u32)| Reason {
        term: term.name,
        toward: match term.toward {
            Toward::Tactical => "tactical",
            Toward::Strategic => "strategic",
        },
        weight: fraction(weight),
    };
    let features = found.features.list().into_iter();
    TypeRecord {
        name: found.kind.name(),
        tactical: fraction(found.tactical),
        strategic: fraction(found.strategic),
        tactical_share: round(found.tactical_share(), 4),
        features: features.map(|(name, found)| (name.to_owned(), value(found))).collect(),
        reasons: found.reasons().map(reason).collect(),
    }
}

/// A mode as the command line and JSON name it.
#[must_use]
pub const fn mode_name(mode: SearchMode) -> &'static str {
    match mode {
        SearchMode::AlphaBeta => "alphabeta",
        SearchMode::Mcts => "mcts",
        SearchMode::Hybrid => "hybrid",
    }
}

const fn search_name(side: Side) -> SearchName {
    match side {
        Side::Prover => SearchName::AlphaBeta,
        Side::Explorer => SearchName::Mcts,
    }
}

const fn bound(bound: Bound) -> BoundRecord {
    match bound {
        Bound::Exact => BoundRecord::Exact,
        Bound::Lower => BoundRecord::Lower,
        Bound::Upper => BoundRecord::Upper,
    }
}

/// A score as a number that sorts.
const fn order(score: Score) -> i32 {
    match score {
        Score::Centipawns(value) => value,
        Score::Mate(plies) if plies > 0 => 1_000_000 - plies,
        Score::Mate(plies) => -1_000_000 - plies,
    }
}

/// Without digits that mean nothing.
fn rounded(number: f32) -> f64 {
    round(f64::from(number), 5)
}

fn round(number: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (number * scale).round() / scale
}
