//! The curve of Elo by generation.

use plotters::prelude::*;
use tandem_games::statistics::Estimate;

use crate::TrainError;
use crate::learning::state::{Generation, Score};

const SIZE: (u32, u32) = (900, 540);
const FIRST: RGBColor = RGBColor(31, 119, 180);
const PREVIOUS: RGBColor = RGBColor(230, 140, 20);
/// Elo that nobody can tell, because every game was won or lost, lies so far beyond all others.
const BEYOND: f64 = 50.0;

/// A generation's Elo: value, ends of its interval, and whether it was promoted.
type Point = (f64, [f64; 3], bool);

/// Elo of each generation against the first networks and against the generation before, as SVG.
pub fn draw(generations: &[Generation]) -> Result<String, TrainError> {
    let mut picture = String::new();
    draw_into(&mut picture, generations).map_err(|error| TrainError::Curves(error.to_string()))?;
    Ok(picture)
}

fn draw_into(
    picture: &mut String,
    generations: &[Generation],
) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
    let of = |score: fn(&Generation) -> Option<Score>| -> Vec<(f64, Estimate, bool)> {
        let point = |generation: &Generation| {
            let elo = score(generation)?.tally.elo()?;
            Some((f64::from(generation.number), elo, generation.is_promoted()))
        };
        generations.iter().filter_map(point).collect()
    };
    let (first, previous) = (of(|g| g.against_first), of(|g| g.against_previous));
    let ends = || first.iter().chain(&previous).flat_map(|(_, e, _)| [e.value, e.lower, e.upper]);
    let (low, high) = ends()
        .filter(|end| end.is_finite())
        .fold((0.0_f64, 0.0_f64), |(low, high), end| (low.min(end), high.max(end)));
    let (low, high) = (low - BEYOND, high + BEYOND);
    let shown = |(x, elo, is_promoted): &(f64, Estimate, bool)| -> Point {
        let ends = [elo.value, elo.lower, elo.upper];
        (*x, ends.map(|end| end.clamp(low, high)), *is_promoted)
    };
    let last = generations.last().map_or(1, |generation| generation.number);

    let area = SVGBackend::with_string(picture, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(15)
        .x_label_area_size(45)
        .y_label_area_size(75)
        .build_cartesian_2d(-0.2..f64::from(last) + 0.3, low..high)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(last.min(20) as usize + 1)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .x_desc("generation")
        .y_desc("Elo")
        .draw()?;
    let origin = [(0.0, [0.0; 3], true)];
    let first: Vec<Point> = origin.into_iter().chain(first.iter().map(shown)).collect();
    // Beside each other, so that both intervals can be seen.
    let previous = previous.iter().map(shown).map(|(x, ends, is)| (x + 0.08, ends, is));
    let curves = [
        ("against the first networks", FIRST, first),
        ("against the generation before", PREVIOUS, previous.collect()),
    ];
    for (name, color, points) in curves {
        chart.draw_series(points.iter().map(|&(x, [_, lower, upper], _)| {
            PathElement::new([(x, lower), (x, upper)], color.mix(0.6).stroke_width(2))
        }))?;
        let line = points.iter().map(|&(x, [value, ..], _)| (x, value));
        chart.draw_series(LineSeries::new(line, color.mix(0.5).stroke_width(1)))?;
        chart
            .draw_series(
                points
                    .iter()
                    .filter(|point| !point.2)
                    .map(|&(x, [value, ..], _)| Circle::new((x, value), 6, color.stroke_width(2))),
            )?
            .label(format!("{name}, not promoted"))
            .legend(move |(x, y)| Circle::new((x + 10, y), 5, color.stroke_width(2)));
        chart
            .draw_series(
                points
                    .iter()
                    .filter(|point| point.2)
                    .map(|&(x, [value, ..], _)| Circle::new((x, value), 5, color.filled())),
            )?
            .label(name)
            .legend(move |(x, y)| Circle::new((x + 10, y), 5, color.filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK)
        .draw()?;
    area.present()
}
