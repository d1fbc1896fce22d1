//! What one thread of an import does with a bundle of games.

use super::parse::parse;
use super::{BrokenGame, Excursions, ImportReport, PgnGame};
use crate::data::{Deduplicator, Filter, Label, LabelError, Labeller, Mark, Record};
use crate::turnstile::Turnstile;
use tandem_games::Shard;

/// How games become records.
#[derive(Clone, Debug)]
pub struct ImportSettings {
    /// Which positions get a score; rules about scores themselves do not count here.
    pub filter: Filter,
    /// Positions off the lines, if wanted.
    pub excursions: Option<Excursions>,
    /// How many threads work.
    pub threads: usize,
    /// Which games of each collection are ours.
    pub shard: Shard,
}

/// Some games of the file, in order.
pub struct Bundle {
    /// Its number, from 0.
    pub number: u64,
    /// The games, or what is broken about them.
    pub games: Vec<Result<PgnGame, BrokenGame>>,
    /// Where in the file it ends.
    pub end: Mark,
}

/// What has become of a bundle.
pub struct Done {
    /// Games to write, in order.
    pub records: Vec<Record>,
    /// Games that could not be used.
    pub broken: Vec<BrokenGame>,
    /// What was counted.
    pub report: ImportReport,
    /// Where in the file the bundle ends.
    pub end: Mark,
}

/// A game on its way, and which of its positions are to get a score.
struct Candidate {
    record: Record,
    wanted: Vec<bool>,
}

/// Reads, sifts and labels. None if the import was broken off.
pub fn work(
    bundle: Bundle,
    settings: &ImportSettings,
    seen: &Turnstile<Option<Deduplicator>>,
    labeller: Option<&mut (dyn Labeller + '_)>,
) -> Result<Option<Done>, LabelError> {
    let (records, broken) = (Vec::new(), Vec::new());
    let mut done = Done { records, broken, report: ImportReport::default(), end: bundle.end };
    let filter = settings.filter.without_scores();
    let mut candidates = Vec::new();
    for game in bundle.games {
        done.report.games += 1;
        let parsed = game.and_then(|game| Ok((parse(&game)?, game.number)));
        let (record, number) = match parsed {
            Ok(parsed) => parsed,
            Err(broken) => {
                let is_unfinished = broken.reason == "the game has no result";
                let report = &mut done.report;
                *(if is_unfinished { &mut report.unfinished } else { &mut report.broken }) += 1;
                done.broken.extend((!is_unfinished).then_some(broken));
                continue;
            }
        };
        let record = settings.excursions.map_or(record.clone(), |some| some.add(&record, number));
        candidates.push(Candidate { record, wanted: Vec::new() });
    }
    let passed = seen.pass(bundle.number, |dedup| {
        candidates
            .retain_mut(|candidate| sift(candidate, &filter, dedup.as_mut(), &mut done.report));
    });
    if passed.is_none() {
        return Ok(None);
    }
    if let Some(labeller) = labeller {
        for candidate in &mut candidates {
            let wanted = candidate.wanted.iter().filter(|wanted| **wanted).count() as u64;
            let labelled = label(candidate, labeller)?;
            done.report.labelled += labelled;
            done.report.unanswered += wanted - labelled;
        }
    }
    for Candidate { record, .. } in candidates {
        done.report.written += 1;
        done.report.positions += record.positions() as u64;
        done.report.off_line += record.branches().len() as u64;
        done.records.push(record);
    }
    Ok(Some(done))
}

impl ImportSettings {
    /// Makes a game known that was imported before an interruption, so that it is not imported again.
    pub fn remember(&self, record: &Record, seen: &mut Deduplicator) {
        let filter = self.filter.without_scores();
        seen.is_new_game(record);
        record.visit(|sample| {
            if filter.judge(sample).is_empty() {
                seen.is_new_position(sample.position.key());
            }
        });
    }
}

/// Decides which positions of a game get a score; false if the game was there before.
fn sift(
    candidate: &mut Candidate,
    filter: &Filter,
    mut dedup: Option<&mut Deduplicator>,
    report: &mut ImportReport,
) -> bool {
    if let Some(dedup) = dedup.as_deref_mut()
        && !dedup.is_new_game(&candidate.record)
    {
        report.repeated_games += 1;
        return false;
    }
    let forgotten = dedup.as_deref().map_or(0, Deduplicator::forgotten);
    let wanted = &mut candidate.wanted;
    candidate.record.visit(|sample| {
        let reasons = filter.judge(sample);
        report.filter.count(reasons);
        let mut is_wanted = reasons.is_empty();
        if let Some(dedup) = dedup.as_deref_mut()
            && is_wanted
        {
            is_wanted = dedup.is_new_position(sample.position.key());
            report.repeated_positions += u64::from(!is_wanted);
        }
        wanted.push(is_wanted);
    });
    report.forgotten += dedup.map_or(0, |dedup| dedup.forgotten()) - forgotten;
    true
}

/// Gives the wanted positions of a game their scores and says how many there are.
fn label(candidate: &mut Candidate, labeller: &mut dyn Labeller) -> Result<u64, LabelError> {
    let Candidate { record, wanted } = candidate;
    let mut wanted = wanted.iter();
    let mut labels = Vec::with_capacity(record.positions());
    let mut next = |labeller: &mut dyn Labeller, side| {
        let is_wanted = wanted.next().copied().unwrap_or(false);
        let score = if is_wanted { labeller.score()? } else { None };
        labels.push(score.map(|score| Label::new(side, score)));
        Ok(())
    };
    labeller.begin(record.start())?;
    let mut branches = record.branches().iter().peekable();
    let mut side = record.start().side_to_move();
    for ply in 0..=record.plies().len() {
        while let Some(branch) = branches.next_if(|branch| branch.at == ply) {
            for &m in &branch.moves {
                labeller.push(m);
            }
            next(labeller, if branch.moves.len() % 2 == 0 { side } else { !side })?;
            for _ in &branch.moves {
                labeller.pop();
            }
        }
        if let Some(ply) = record.plies().get(ply) {
            next(labeller, side)?;
            labeller.push(ply.m);
            side = !side;
        }
    }
    let count = labels.iter().flatten().count() as u64;
    let mut labels = labels.into_iter();
    record.relabel(|_| labels.next().flatten());
    Ok(count)
}
