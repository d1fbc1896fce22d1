//! The chances of a game, move by move, as a picture.

use plotters::prelude::*;
use tandem_analysis::review::{Mark, Review};

const SIZE: (u32, u32) = (900, 360);
/// White's share, the draws', and Black's, from the bottom to the top.
const SHARES: [(&str, RGBColor); 3] = [
    ("White wins", RGBColor(240, 236, 225)),
    ("draw", RGBColor(150, 160, 172)),
    ("Black wins", RGBColor(52, 56, 64)),
];

/// White's chances to win, draw and lose after each move, stacked; mistakes with their signs, each of a shape
/// of its own.
pub fn svg(title: &str, review: &Review) -> Result<String, String> {
    let mut picture = String::new();
    draw(&mut picture, title, review).map_err(|error| format!("cannot draw the graph: {error}"))?;
    Ok(picture)
}

fn draw(
    picture: &mut String,
    title: &str,
    review: &Review,
) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
    // A half-move is a half, so that whole numbers are the numbers of moves.
    let first = review.plies.first().map_or(1.0, |ply| f64::from(ply.number) + half(ply.side));
    let place = |plies: usize| first + plies as f64 / 2.0;
    let known = review.plies.iter().map(|ply| ply.wdl);
    let points: Vec<(f64, [u16; 3])> = std::iter::once(review.start)
        .chain(known)
        .enumerate()
        .filter_map(|(plies, wdl)| Some((place(plies), wdl?)))
        .collect();
    let end = place(review.plies.len()).max(first + 0.5);
    let area = SVGBackend::with_string(picture, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .caption(title, ("sans-serif", 18))
        .x_label_area_size(34)
        .y_label_area_size(48)
        .build_cartesian_2d(first..end, 0.0..100.0)?;
    let mut below = vec![0.0; points.len()];
    for (share, (name, color)) in SHARES.into_iter().enumerate() {
        let above: Vec<f64> = points
            .iter()
            .zip(&below)
            .map(|((_, wdl), below)| below + f64::from(wdl[share]) / 10.0)
            .collect();
        let xs = points.iter().map(|(x, _)| *x);
        let mut outline: Vec<(f64, f64)> = xs.clone().zip(above.iter().copied()).collect();
        outline.extend(xs.rev().zip(below.iter().rev().copied()));
        if outline.len() > 3 {
            chart.draw_series(std::iter::once(Polygon::new(outline, color)))?.label(name).legend(
                move |(x, y)| Rectangle::new([(x, y - 5), (x + 14, y + 5)], color.filled()),
            );
        }
        below = above;
    }
    chart
        .configure_mesh()
        .disable_mesh()
        .x_desc("move")
        .y_desc("%")
        .x_label_formatter(&|x| format!("{x:.0}"))
        .draw()?;
    let even = PathElement::new([(first, 50.0), (end, 50.0)], BLACK.mix(0.35));
    chart.draw_series(std::iter::once(even))?;
    for (plies, ply) in review.plies.iter().enumerate() {
        let (Some(mark), Some([win, draw, _])) = (ply.mark, ply.wdl) else { continue };
        let at = (place(plies + 1), f64::from(win) / 10.0 + f64::from(draw) / 20.0);
        let color = match mark {
            Mark::Blunder => RGBColor(200, 30, 30),
            Mark::Mistake => RGBColor(225, 120, 0),
            Mark::Inaccuracy => RGBColor(60, 110, 200),
        };
        let label = format!("{}{}", ply.san, mark.sign());
        // Whoever reads it without colours sees the signs; near the right edge they stand before the point.
        let is_late = plies * 12 > review.plies.len() * 11;
        let shift = if is_late { -8 * label.len() as i32 } else { 6 };
        let text = EmptyElement::at(at)
            + Circle::new((0, 0), 4, color.filled())
            + Text::new(label, (shift, -14), ("sans-serif", 12).into_font().color(&BLACK));
        chart.draw_series(std::iter::once(text))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.4))
        .draw()?;
    drop(chart);
    area.present()
}

/// Where Black's moves begin.
fn half(side: &str) -> f64 {
    if side == "black" { 0.5 } else { 0.0 }
}
