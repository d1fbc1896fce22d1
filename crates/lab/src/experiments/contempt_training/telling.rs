//! What is told of two pairs that learnt from different games.

use tandem_games::statistics::Tally;
use tandem_train::learning::Lesson;

use super::school::School;
use crate::LabError;
use crate::picture::{Bar, bars};
use crate::report::{Finding, Picture, Table, Verdict, estimate, number, percent};
use crate::statistics::{difference, score};

const MATCH: &str = "match.svg";
const GAMES: &str = "games.svg";

/// Whether both kinds of games are decided as often: a difference would be another reason to learn more.
pub fn as_decisive(schools: &[School; 2]) -> Finding {
    let [contempt, puct] = schools.each_ref().map(|school| school.point.results());
    let more = difference((contempt.decisive(), contempt.games()), (puct.decisive(), puct.games()));
    Finding::new(
        "Both kinds of games are decided as often",
        format!("with search-contempt {} more are decisive", percent(more)),
        Verdict::equal(more, 0.0),
    )
}

/// The match, the games that were learnt from, and the trainings.
pub fn tables(schools: &[School; 2], tally: &Tally, against_start: &[Tally]) -> Vec<Table> {
    let mut matches = Table::new("The matches.", &["", "against", "W-D-L", "score", "Elo"]);
    let mut row = |name: &str, opponent: &str, tally: &Tally| {
        matches.rows.push(vec![
            name.to_owned(),
            opponent.to_owned(),
            format!("{}-{}-{}", tally.wins(), tally.draws(), tally.losses()),
            percent(score(tally)),
            estimate(tally.elo(), 0),
        ]);
    };
    let titles =
        ["learnt from games with search-contempt", "learnt from games with much temperature"];
    row(titles[0], "much temperature", tally);
    for (title, tally) in titles.iter().zip(against_start) {
        row(title, "what both began with", tally);
    }
    vec![matches, games(schools), trainings(schools)]
}

fn games(schools: &[School; 2]) -> Table {
    let head =
        ["games", "number", "W-D-L", "(w+l)/d", "half-moves", "repeated", "positions", "playouts"];
    let mut table = Table::new(
        "The games that were learnt from, results for White. Repeated are games that equal an earlier one up to move 10.",
        &head,
    );
    for school in schools {
        let (point, results) = (&school.point, school.point.results());
        table.rows.push(vec![
            point.plan.title.clone(),
            results.games().to_string(),
            format!("{}-{}-{}", results.wins, results.draws, results.losses),
            estimate(point.ratio(), 3),
            estimate(point.plies(), 0),
            percent(point.repeats(crate::wdl::REPEATS_AT)),
            point.positions().to_string(),
            school.playouts().to_string(),
        ]);
    }
    table
}

fn trainings(schools: &[School; 2]) -> Table {
    let head =
        ["learnt from", "network", "name", "samples", "steps", "loss", "validation", "top-1"];
    let mut table = Table::new("The trainings.", &head);
    for school in schools {
        let learnt = &school.learnt;
        let mut row = |network: &str, name: &str, lesson: &Lesson| {
            table.rows.push(vec![
                school.point.plan.title.clone(),
                network.to_owned(),
                format!("`{name}`"),
                lesson.samples.to_string(),
                lesson.steps.to_string(),
                number(Some(lesson.loss), 5),
                number(lesson.validation, 5),
                lesson.top1.map_or("-".to_owned(), |top1| format!("{:.1} %", 100.0 * top1)),
            ]);
        };
        row("values", &learnt.networks.value, &learnt.value);
        row("policies", &learnt.networks.policy, &learnt.policy);
    }
    table
}

/// The match and the games as bars.
pub fn pictures(schools: &[School; 2], tally: &Tally) -> Result<Vec<Picture>, LabError> {
    let bar = |label: &str, parts| Bar { label: label.to_owned(), parts, is_paper: false };
    let of_match = [bar("the match", [tally.wins(), tally.draws(), tally.losses()])];
    let meaning = ["search-contempt won", "drawn", "temperature won"];
    let of_games = schools.each_ref().map(|school| {
        let results = school.point.results();
        bar(&school.point.plan.title, [results.wins, results.draws, results.losses])
    });
    let picture = |file, caption: &str, svg| Picture { file, caption: caption.to_owned(), svg };
    let of_match = bars(MATCH, meaning, &of_match)?;
    let of_games = bars(GAMES, ["White won", "drawn", "Black won"], &of_games)?;
    Ok(vec![
        picture(MATCH, "The match between what was learnt", of_match),
        picture(GAMES, "The games that were learnt from", of_games),
    ])
}
