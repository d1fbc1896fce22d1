//! What a running analysis knows, gathered from the searches' reports until the page is told.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use tandem_chess::Position;
use tandem_engine::{Contender, Deliberation, JudgedMove, MoveReport, Progress, Side};

use crate::messages::{Score, bound, line_text, move_text};

/// The moves of a line that are shown.
const LONGEST_LINE: usize = 24;

/// What a running analysis knows.
#[derive(Debug)]
pub struct Live {
    id: u64,
    position: Position,
    /// The last word on each line, by its rank.
    proven: BTreeMap<usize, Progress>,
    explored: BTreeMap<usize, Progress>,
    moves: Vec<MoveReport>,
    judged: Vec<JudgedMove>,
    deliberation: Option<std::sync::Arc<Deliberation>>,
    /// Positions visited, by the report that had seen most.
    nodes: u64,
    time: Duration,
    hashfull: u32,
    is_running: bool,
}

impl Live {
    /// Nothing is known yet.
    pub fn new(id: u64, position: &Position) -> Self {
        Self {
            id,
            position: *position,
            proven: BTreeMap::new(),
            explored: BTreeMap::new(),
            moves: Vec::new(),
            judged: Vec::new(),
            deliberation: None,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            is_running: true,
        }
    }

    /// A search has learnt something.
    pub fn heed(&mut self, progress: &Progress) {
        self.nodes = self.nodes.max(progress.nodes);
        self.time = self.time.max(progress.time);
        self.hashfull = progress.hashfull;
        if !progress.moves.is_empty() {
            self.moves.clone_from(&progress.moves);
        }
        if !progress.judged.is_empty() {
            self.judged.clone_from(&progress.judged);
        }
        if let Some(deliberation) = &progress.deliberation {
            self.deliberation = Some(deliberation.clone());
        }
        if progress.pv.is_empty() {
            return;
        }
        let lines = match progress.side {
            Side::Prover => &mut self.proven,
            Side::Explorer => &mut self.explored,
        };
        lines.insert(progress.line, progress.clone());
    }

    /// The search has ended.
    pub fn end(&mut self) {
        self.is_running = false;
    }

    /// All of it as a message.
    pub fn message(&self) -> String {
        let lines = |lines: &BTreeMap<usize, Progress>| {
            lines.values().map(|line| LineReply::new(line, &self.position)).collect()
        };
        let seconds = self.time.as_secs_f64();
        let (depth, seldepth) = self
            .proven
            .get(&1)
            .or_else(|| self.explored.get(&1))
            .map_or((0, 0), |line| (line.depth, line.seldepth));
        let reply = LiveReply {
            r#type: "analysis",
            id: self.id,
            running: self.is_running,
            depth,
            seldepth,
            nodes: self.nodes,
            nps: if seconds > 0.0 { (self.nodes as f64 / seconds) as u64 } else { 0 },
            milliseconds: self.time.as_millis() as u64,
            hashfull: self.hashfull,
            proven: lines(&self.proven),
            explored: lines(&self.explored),
            moves: self.moves(),
            deliberation: self
                .deliberation
                .as_ref()
                .map(|deliberation| DeliberationReply::new(deliberation, &self.position)),
        };
        serde_json::to_string(&reply).unwrap_or_default()
    }

    /// What both searches know of each move: the most visited first, and where none has been by what alpha-beta
    /// says, certain scores before bounds.
    fn moves(&self) -> Vec<MoveReply> {
        let mut moves: Vec<MoveReply> = Vec::new();
        let text = |m| move_text(&self.position, m);
        for report in self.moves.iter().rev() {
            let Some(m) = report.m else { continue };
            moves.push(MoveReply {
                visits: Some(report.visits),
                prior: Some(report.prior),
                value: (report.visits > 0).then_some(report.value),
                draw: (report.visits > 0).then_some(report.draw),
                ..MoveReply::new(text(m))
            });
        }
        for judged in &self.judged {
            let text = text(judged.m);
            let place = moves.iter().position(|known| known.m == text).unwrap_or_else(|| {
                moves.push(MoveReply::new(text));
                moves.len() - 1
            });
            moves[place].score = Some(judged.score.into());
            moves[place].bound = bound(judged.bound);
            moves[place].depth = Some(judged.depth);
            moves[place].effort = Some(judged.effort);
        }
        moves.sort_by(|a, b| {
            let key = |of: &MoveReply| {
                let is_certain = of.score.is_some() && of.bound.is_none();
                (of.visits.unwrap_or(0), is_certain, of.score.map(Score::worth))
            };
            key(b).cmp(&key(a))
        });
        moves
    }
}

#[derive(Serialize)]
struct LiveReply {
    r#type: &'static str,
    id: u64,
    running: bool,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    nps: u64,
    milliseconds: u64,
    hashfull: u32,
    proven: Vec<LineReply>,
    explored: Vec<LineReply>,
    moves: Vec<MoveReply>,
    deliberation: Option<DeliberationReply>,
}

/// One line of one of the searches.
#[derive(Serialize)]
struct LineReply {
    rank: usize,
    depth: u32,
    score: Score,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    wdl: Option<[u16; 3]>,
    pv: Vec<String>,
}

impl LineReply {
    fn new(line: &Progress, position: &Position) -> Self {
        Self {
            rank: line.line,
            depth: line.depth,
            score: line.score.into(),
            bound: bound(line.bound),
            wdl: line.wdl,
            pv: line_text(position, &line.pv[..line.pv.len().min(LONGEST_LINE)]),
        }
    }
}

/// What both searches know of one move.
#[derive(Serialize)]
struct MoveReply {
    #[serde(rename = "move")]
    m: String,
    visits: Option<u64>,
    prior: Option<f32>,
    value: Option<f32>,
    draw: Option<f32>,
    score: Option<Score>,
    bound: Option<&'static str>,
    depth: Option<u32>,
    effort: Option<f32>,
}

impl MoveReply {
    const fn new(m: String) -> Self {
        Self {
            m,
            visits: None,
            prior: None,
            value: None,
            draw: None,
            score: None,
            bound: None,
            depth: None,
            effort: None,
        }
    }
}

/// How two searches came to their choice, or how it looks so far.
#[derive(Serialize)]
struct DeliberationReply {
    #[serde(rename = "final")]
    is_final: bool,
    kind: &'static str,
    share: f64,
    proven: Option<ContenderReply>,
    explored: Option<ContenderReply>,
    gap: Option<i32>,
    probability: Option<f64>,
    follows_explorer: bool,
    reason: &'static str,
    playouts: u64,
    nodes: u64,
}

impl DeliberationReply {
    fn new(deliberation: &Deliberation, position: &Position) -> Self {
        let contender = |contender: &Option<Contender>| {
            contender.as_ref().map(|contender| ContenderReply {
                m: move_text(position, contender.m),
                score: contender.score.into(),
                depth: contender.depth,
                visits: contender.visits,
                value: contender.value,
            })
        };
        Self {
            is_final: deliberation.is_final,
            kind: deliberation.kind,
            share: deliberation.share,
            proven: contender(&deliberation.proven),
            explored: contender(&deliberation.explored),
            gap: deliberation.gap,
            probability: deliberation.probability,
            follows_explorer: deliberation.follows_explorer,
            reason: deliberation.reason,
            playouts: deliberation.playouts,
            nodes: deliberation.nodes,
        }
    }
}

/// A move that one of the searches would play.
#[derive(Serialize)]
struct ContenderReply {
    #[serde(rename = "move")]
    m: String,
    score: Score,
    depth: u32,
    visits: u64,
    value: f32,
}
