//! Wins, draws and losses of several settings in self-play: what Figures 2 and 3 of the paper show.

use crate::paper::Published;
use crate::picture::{Bar, bars};
use crate::report::{Finding, Picture, Table, Verdict, estimate, is_telling, number, percent};
use crate::statistics::difference;
use crate::{LabError, Point};

/// The move up to which the paper compares games.
pub const REPEATS_AT: usize = 10;
const PICTURE: &str = "wdl.svg";

/// Games of self-play, and what the paper says about its own with the same setting.
pub struct Row {
    /// Ours.
    pub point: Point,
    /// The paper's.
    pub published: Option<Published>,
}

/// All figures of those rows beside the paper's.
pub fn table(first: &str, rows: &[Row]) -> Table {
    let mut table = Table::new(
        "Games of self-play, results for White. Repeated are games that equal an earlier one up to move 10; \
         their interval holds as if games did not depend on each other.",
        &[
            first,
            "W-D-L",
            "paper",
            "decisive",
            "paper",
            "(w+l)/d",
            "paper",
            "half-moves",
            "paper",
            "repeated",
            "paper",
        ],
    );
    for Row { point, published } in rows {
        let results = point.results();
        let theirs =
            |text: fn(&Published) -> String| published.as_ref().map_or("-".to_owned(), text);
        table.rows.push(vec![
            point.plan.title.clone(),
            format!("{}-{}-{}", results.wins, results.draws, results.losses),
            theirs(|paper| format!("{}-{}-{}", paper.wins, paper.draws, paper.losses)),
            percent(point.decisive()),
            theirs(|paper| format!("{} %", 100 * paper.decisive() / paper.games())),
            estimate(point.ratio(), 3),
            theirs(|paper| number(Some(paper.ratio()), 3)),
            estimate(point.plies(), 0),
            theirs(|paper| number(Some(paper.plies), 0)),
            percent(point.repeats(REPEATS_AT)),
            theirs(|paper| format!("{:.0} %", 100.0 * paper.repeats)),
        ]);
    }
    table
}

/// The same as bars.
pub fn picture(rows: &[Row]) -> Result<Picture, LabError> {
    let mut list = Vec::new();
    for Row { point, published } in rows {
        let results = point.results();
        let (label, parts) =
            (point.plan.title.clone(), [results.wins, results.draws, results.losses]);
        list.push(Bar { label, parts, is_paper: false });
        if let Some(paper) = published {
            let parts = [paper.wins, paper.draws, paper.losses];
            list.push(Bar { label: "(paper)".to_owned(), parts, is_paper: true });
        }
    }
    let meaning = ["White won", "drawn", "Black won"];
    let caption = "Wins, draws and losses by setting, beside the paper's".to_owned();
    Ok(Picture { file: PICTURE, caption, svg: bars(PICTURE, meaning, &list)? })
}

/// Whether the share of decisive games of each row is that of the paper, as far as two samples tell.
pub fn beside_the_paper(rows: &[Row]) -> Vec<Finding> {
    let compare = |row: &Row| {
        let (paper, results) = (row.published?, row.point.results());
        let more =
            difference((results.decisive(), results.games()), (paper.decisive(), paper.games()));
        let claim = format!(
            "{}: {} of {} games are decisive",
            row.point.plan.title,
            paper.decisive(),
            paper.games()
        );
        let measured = format!(
            "{} of {}; {} more than in the paper",
            results.decisive(),
            results.games(),
            percent(more)
        );
        Some(Finding::new(claim, measured, Verdict::equal(more, 0.0)))
    };
    rows.iter().filter_map(compare).collect()
}

/// Whether the one has a larger share of decisive games than the other.
pub fn is_more_decisive(claim: &str, one: &Point, other: &Point) -> Finding {
    let [(a, n), (b, m)] =
        [one, other].map(|point| (point.results().decisive(), point.results().games()));
    let more = difference((a, n), (b, m));
    let measured = format!("{a} of {n} against {b} of {m} games: {} more", percent(more));
    Finding::new(claim, measured, Verdict::above(more, 0.0))
}

/// Whether the one repeats as few games as the other.
pub fn repeats_no_more(claim: &str, one: &Point, other: &Point) -> Finding {
    let count = |point: &Point| {
        let games = &point.report.games;
        let distinct = tandem_games::selfplay::Repeats::up_to(games, REPEATS_AT).distinct;
        (games.len() as u64 - distinct, games.len() as u64)
    };
    let [(a, n), (b, m)] = [one, other].map(count);
    let fewer = difference((b, m), (a, n));
    let measured = format!(
        "{a} of {n} against {b} of {m} games are repeated up to move {REPEATS_AT}: {} fewer",
        percent(fewer)
    );
    // A claim that there is no harm is contradicted by harm alone.
    let verdict = match fewer {
        Some(fewer) if fewer.upper < 0.0 => Verdict::Differs,
        Some(fewer) if fewer.value >= 0.0 && is_telling(fewer) => Verdict::Agrees,
        _ => Verdict::Open,
    };
    Finding::new(claim, measured, verdict)
}
