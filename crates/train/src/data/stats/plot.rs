//! Plots of what was counted.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::{Histogram, Statistics};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Outcome = Result<(), Box<dyn std::error::Error>>;

const SIZE: (u32, u32) = (1200, 900);
const INK: RGBColor = RGBColor(38, 84, 124);

/// Four panels in one SVG: pieces on the board, scores, moves a game, and the result by score.
///
/// # Errors
/// What the drawing library says.
pub fn plot(statistics: &Statistics) -> Result<String, Box<dyn std::error::Error>> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let panels = area.split_evenly((2, 2));
        bars(&panels[0], "Pieces on the board", "pieces", &statistics.pieces)?;
        bars(&panels[1], "Scores for the side to move", "internal units", &statistics.scores)?;
        bars(&panels[2], "Moves a game", "half-moves", &statistics.lengths)?;
        calibration(&panels[3], statistics)?;
        area.present()?;
    }
    Ok(svg)
}

fn bars(area: &Area<'_>, title: &str, what: &str, histogram: &Histogram) -> Outcome {
    let most = histogram.counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    let last = histogram.start(histogram.counts.len());
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(72)
        .build_cartesian_2d(histogram.first..last, 0.0..most * 1.05)?;
    chart.configure_mesh().disable_x_mesh().x_desc(what).draw()?;
    chart.draw_series(histogram.counts.iter().enumerate().map(|(part, &count)| {
        let corners = [(histogram.start(part), 0.0), (histogram.start(part + 1), count as f64)];
        Rectangle::new(corners, INK.mix(0.7).filled())
    }))?;
    Ok(())
}

fn calibration(area: &Area<'_>, statistics: &Statistics) -> Outcome {
    let points = statistics.calibration();
    let last = statistics.scores.start(statistics.scores.counts.len());
    let mut chart = ChartBuilder::on(area)
        .caption("Result by score", ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(72)
        .build_cartesian_2d(statistics.scores.first..last, 0.0..1.0)?;
    let mesh = &mut chart.configure_mesh();
    mesh.x_desc("internal units").y_desc("average result of the side to move").draw()?;
    chart.draw_series(LineSeries::new(points.iter().map(|&(x, _, y)| (x, y)), &INK))?;
    chart.draw_series(points.iter().map(|&(x, _, y)| Circle::new((x, y), 3, INK.filled())))?;
    Ok(())
}
