//! From what both searches found to the move that is played.

use std::sync::Arc;

use tandem_alphabeta::Decision;
use tandem_alphabeta::value::is_decisive;
use tandem_chess::Move;
use tandem_nnue::WinRate;
use tandem_search::{Bound, Choice, Contender, Deliberation, Exchange, Progress};

use crate::hybrid::{Params, Schedule};
use crate::report::Report;
use crate::schedule::Findings;
use crate::task::Task;
use crate::verdict::{Disagreement, Model, Verdict};

/// Chooses the move, and says so: the last report is about it. It shows so many lines, and how all moves
/// stand if that is wanted.
pub fn conclude(
    params: &Params,
    model: &Model,
    task: &Task<'_>,
    findings: &Findings,
    shown: (usize, bool),
    report: &mut Report<'_>,
) -> Choice {
    count_borrowed(task, findings);
    let proven = findings.decision.map(|decision| decision.choice);
    let explored = task.slate.candidate();
    let verdict = judge(params, model, task, findings);
    let choice = match (verdict.follows_explorer, explored) {
        (true, Some(m)) => {
            let expected = findings.explored.choice.ponder;
            let is_expected = findings.explored.choice.best == Some(m);
            Choice { best: Some(m), ponder: expected.filter(|_| is_expected) }
        }
        _ => proven.unwrap_or(findings.explored.choice),
    };
    let deliberation = deliberate(task, findings, verdict, report);
    say(task, findings, choice, Arc::new(deliberation), shown, report);
    choice
}

/// What the exploring search took from the other is known only now.
fn count_borrowed(task: &Task<'_>, findings: &Findings) {
    let (counts, traffic) = (&findings.explored.counts, &task.slate.traffic);
    traffic.count(Exchange::LeafValue, counts.borrowed_values);
    traffic.count(Exchange::Evaluation, counts.borrowed_evaluations);
    traffic.count(Exchange::LikelyMove, counts.borrowed_moves);
}

/// Whose move is played.
fn judge(params: &Params, model: &Model, task: &Task<'_>, findings: &Findings) -> Verdict {
    let Some(explored) = task.slate.candidate() else {
        return Verdict::prover("nothing was explored");
    };
    let Some((decision, own)) = findings.decision.and_then(|d| Some((d, d.choice.best?))) else {
        return Verdict::explorer("there is no verifier");
    };
    if own == explored {
        return Verdict::prover("both agree");
    }
    if !params.uses_verifier {
        return Verdict::explorer("there is no verifier");
    }
    let standing = task.slate.standing(explored);
    if standing.proof > 0 && !is_decisive(decision.value) {
        return Verdict::explorer("it wins by force");
    }
    if standing.proof < 0 || is_decisive(decision.value) {
        return Verdict::prover("the result is certain");
    }
    match params.schedule {
        Schedule::Phased => by_threshold(task, decision, explored),
        Schedule::Concurrent => match disagreement(task, findings, decision, own, explored) {
            Some(disagreement) => Verdict::by_model(model, &disagreement),
            None => Verdict::prover("the explored move was not verified"),
        },
    }
}

fn by_threshold(task: &Task<'_>, decision: Decision, explored: Move) -> Verdict {
    let least = task.strategy.verification_depth as i32;
    let least = task.limits.depth.map_or(least, |depth| least.min(depth as i32));
    if decision.depth < least {
        return Verdict::explorer("alpha-beta has not looked deep enough to overrule");
    }
    match gap(task, decision, explored) {
        Some(gap) => Verdict::by_threshold(gap, task.strategy.override_centipawns),
        None => Verdict::prover("the explored move was not verified"),
    }
}

/// By how many centipawns alpha-beta prefers its own move, if it has looked at another alone.
fn gap(task: &Task<'_>, decision: Decision, explored: Move) -> Option<i32> {
    let is_another = decision.choice.best != Some(explored);
    let verified = task.slate.verified(explored).filter(|_| is_another)?;
    let rate = WinRate::of(task.game.position());
    Some(rate.centipawns(decision.value) - rate.centipawns(verified.value))
}

/// The disagreement as the model sees it, if alpha-beta has looked at the explored move.
fn disagreement(
    task: &Task<'_>,
    findings: &Findings,
    decision: Decision,
    own: Move,
    explored: Move,
) -> Option<Disagreement> {
    let verified = task.slate.verified(explored).filter(|_| own != explored)?;
    let rate = WinRate::of(task.game.position());
    let worth = |value: i32| rate.win(value) - rate.win(-value);
    let (ours, theirs) = (task.slate.standing(own), task.slate.standing(explored));
    Some(Disagreement {
        kind: task.kind,
        own: worth(decision.value),
        verified: worth(verified.value),
        depth: verified.depth,
        value_own: f64::from(ours.value),
        value_explored: f64::from(theirs.value),
        share_own: f64::from(task.slate.share(own)),
        share_explored: f64::from(task.slate.share(explored)),
        seconds: task.start.elapsed().as_secs_f64(),
        playouts: findings.explored.counts.playouts,
    })
}

fn deliberate(
    task: &Task<'_>,
    findings: &Findings,
    verdict: Verdict,
    report: &Report<'_>,
) -> Deliberation {
    let decision = findings.decision;
    let proven = decision.and_then(|d| Some(contender(task, d.choice.best?, report.best()?)));
    let candidate = task.slate.candidate();
    let features = decision
        .zip(candidate)
        .and_then(|(decision, m)| disagreement(task, findings, decision, decision.choice.best?, m))
        .map(|disagreement| disagreement.features().to_vec());
    let last = findings.explored.last.as_ref();
    let explored = candidate.and_then(|m| Some(contender(task, m, last?)));
    Deliberation {
        is_final: true,
        kind: task.kind.name(),
        share: findings.share,
        proven,
        explored,
        gap: decision.zip(candidate).and_then(|(decision, m)| gap(task, decision, m)),
        features,
        probability: verdict.probability,
        follows_explorer: verdict.follows_explorer,
        reason: verdict.reason,
        playouts: findings.explored.counts.playouts,
        evaluations: findings.explored.counts.evaluations(),
        nodes: report.nodes,
        exchanges: Exchange::ALL.map(|exchange| task.slate.traffic.of(exchange)),
    }
}

/// How it looks while both are at work.
pub fn so_far(task: &Task<'_>, report: &Report<'_>) -> Deliberation {
    let slate = &task.slate;
    let (proven, explored) = (slate.best(), slate.candidate());
    let gap = explored.filter(|_| explored != proven).and_then(|m| {
        let (verified, own) = (slate.verified(m)?, slate.judgement(proven?)?);
        let rate = WinRate::of(task.game.position());
        Some(rate.centipawns(own.value) - rate.centipawns(verified.value))
    });
    Deliberation {
        is_final: false,
        kind: task.kind.name(),
        share: task.share,
        proven: proven.and_then(|m| Some(contender(task, m, report.best()?))),
        explored: explored.and_then(|m| Some(contender(task, m, report.explored.as_ref()?))),
        gap,
        features: None,
        probability: None,
        follows_explorer: false,
        reason: "it is not decided yet",
        playouts: slate.playouts(),
        evaluations: 0,
        nodes: report.nodes.max(slate.nodes()),
        exchanges: Exchange::ALL.map(|exchange| slate.traffic.of(exchange)),
    }
}

/// A move that one of the searches would play, with what it reported last.
fn contender(task: &Task<'_>, m: Move, progress: &Progress) -> Contender {
    let standing = task.slate.standing(m);
    let is_its_line = progress.pv.first() == Some(&m);
    Contender {
        m,
        score: progress.score,
        depth: progress.depth,
        visits: standing.visits,
        value: standing.value,
        pv: if is_its_line { progress.pv.clone() } else { vec![m] },
    }
}

/// The last word: the best lines once more, that of the chosen move first in rank and last in order.
fn say(
    task: &Task<'_>,
    findings: &Findings,
    choice: Choice,
    deliberation: Arc<Deliberation>,
    (lines, with_moves): (usize, bool),
    report: &mut Report<'_>,
) {
    let explored = &findings.explored;
    let begins_with = |line: &&Progress| line.pv.first().copied() == choice.best;
    let mut others = report.lines.clone();
    others.sort_by_key(|line| line.line);
    let own = explored.last.as_ref().filter(begins_with);
    let proven = others.iter().find(begins_with).cloned();
    let first = if deliberation.follows_explorer { own.cloned().or(proven) } else { proven };
    let bare = || {
        let known = explored.last.as_ref().or(report.best())?;
        Some(Progress { pv: choice.best.into_iter().collect(), ..known.clone() })
    };
    let Some(first) = first.or_else(bare) else { return };
    if deliberation.follows_explorer && lines > 1 {
        others.retain(|line| line.pv.first().copied() != choice.best);
        for (place, line) in others.into_iter().enumerate().take(lines - 1).rev() {
            report.say(Progress { line: place + 2, ..line }, &task.slate);
        }
    }
    let moves = explored.last.as_ref().map_or_else(Vec::new, |last| last.moves.clone());
    let last = Progress {
        line: 1,
        bound: Bound::Exact,
        moves,
        judged: if with_moves { task.slate.judged() } else { Vec::new() },
        notices: explored.notices.clone(),
        deliberation: Some(deliberation),
        ..first
    };
    report.say(last, &task.slate);
}
