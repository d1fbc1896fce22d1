//! Curves over one axis, with intervals.

use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::prelude::*;

use crate::LabError;

const SIZE: (u32, u32) = (900, 540);

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it shows.
    pub title: &'static str,
    /// Whether equal steps multiply.
    pub is_log: bool,
}

/// How the points of a curve are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Joined by a line.
    Line,
    /// Each by itself.
    Dots,
}

/// Values with their intervals.
#[derive(Clone, Debug)]
pub struct Curve {
    /// What it is called.
    pub name: String,
    /// How it looks.
    pub color: RGBColor,
    /// How its points are shown.
    pub mark: Mark,
    /// Place, value and the ends of its interval; these are the value where none is known.
    pub points: Vec<(f64, f64, f64, f64)>,
}

/// Curves over the same axes.
#[derive(Clone, Debug)]
pub struct Chart {
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
    /// The curves.
    pub curves: Vec<Curve>,
}

type Outcome = Result<(), DrawingAreaErrorKind<std::io::Error>>;

impl Chart {
    /// As SVG. What is infinite, or not above 0 on an axis where steps multiply, lies at its edge.
    ///
    /// # Errors
    /// It cannot be drawn.
    pub fn svg(&self, file: &'static str) -> Result<String, LabError> {
        let mut picture = String::new();
        self.choose_axes(&mut picture)
            .map_err(|error| LabError::Picture(file, error.to_string()))?;
        Ok(picture)
    }

    fn choose_axes(&self, picture: &mut String) -> Outcome {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let (x0, x1) = ends(points().map(|point| point.0), self.x.is_log);
        let (y0, y1) = ends(points().flat_map(|point| [point.1, point.2, point.3]), self.y.is_log);
        match (self.x.is_log, self.y.is_log) {
            (false, false) => self.draw(picture, x0..x1, y0..y1, [x0, x1, y0, y1]),
            (true, false) => self.draw(picture, (x0..x1).log_scale(), y0..y1, [x0, x1, y0, y1]),
            (false, true) => self.draw(picture, x0..x1, (y0..y1).log_scale(), [x0, x1, y0, y1]),
            (true, true) => {
                self.draw(picture, (x0..x1).log_scale(), (y0..y1).log_scale(), [x0, x1, y0, y1])
            }
        }
    }

    fn draw<X, Y>(
        &self,
        picture: &mut String,
        x: impl plotters::coord::ranged1d::AsRangedCoord<Value = f64, CoordDescType = X>,
        y: impl plotters::coord::ranged1d::AsRangedCoord<Value = f64, CoordDescType = Y>,
        [x0, x1, y0, y1]: [f64; 4],
    ) -> Outcome
    where
        X: Ranged<ValueType = f64> + ValueFormatter<f64>,
        Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let area = SVGBackend::with_string(picture, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(15)
            .x_label_area_size(45)
            .y_label_area_size(75)
            .build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .x_desc(self.x.title)
            .y_desc(self.y.title)
            .x_label_formatter(&|value| plain(*value))
            .y_label_formatter(&|value| plain(*value))
            .draw()?;
        for Curve { name, color, mark, points } in &self.curves {
            let color = *color;
            let within = |&(x, y, lower, upper): &(f64, f64, f64, f64)| {
                let y_of = |value: f64| value.clamp(y0, y1);
                (x.clamp(x0, x1), y_of(y), y_of(lower), y_of(upper))
            };
            let points: Vec<_> = points.iter().map(within).collect();
            let bars = points.iter().filter(|point| point.3 > point.2);
            chart.draw_series(bars.map(|&(x, _, lower, upper)| {
                PathElement::new([(x, lower), (x, upper)], color.mix(0.6).stroke_width(2))
            }))?;
            if *mark == Mark::Line {
                let line = points.iter().map(|point| (point.0, point.1));
                chart.draw_series(LineSeries::new(line, color.stroke_width(2)))?;
            }
            let dots =
                points.iter().map(|point| Circle::new((point.0, point.1), 4, color.filled()));
            chart.draw_series(dots)?.label(name.clone()).legend(move |(x, y)| {
                PathElement::new([(x, y), (x + 20, y)], color.stroke_width(3))
            });
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE.mix(0.85))
            .border_style(BLACK)
            .draw()?;
        area.present()
    }
}

/// A number without noughts that say nothing.
fn plain(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The ends of an axis on which all these values have room.
fn ends(values: impl Iterator<Item = f64>, is_log: bool) -> (f64, f64) {
    let is_shown = |value: &f64| value.is_finite() && (!is_log || *value > 0.0);
    let (low, high) = values
        .filter(is_shown)
        .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    match (low <= high, is_log) {
        (false, true) => (1.0, 10.0),
        (false, false) => (0.0, 1.0),
        (true, true) => (low / 1.2, high * 1.2),
        (true, false) => {
            let margin = (0.05 * (high - low)).max(1e-6);
            (if low >= 0.0 { (low - margin).max(0.0) } else { low - margin }, high + margin)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::COLORS;

    fn chart(is_log: bool, points: Vec<(f64, f64, f64, f64)>) -> String {
        let axis = |title| Axis { title, is_log };
        let curve =
            Curve { name: "a curve".to_owned(), color: COLORS[0], mark: Mark::Line, points };
        Chart { x: axis("over"), y: axis("up"), curves: vec![curve] }.svg("x.svg").unwrap()
    }

    #[test]
    fn a_curve_has_its_points_intervals_and_name() {
        for is_log in [false, true] {
            let svg = chart(is_log, vec![(1.0, 2.0, 1.0, 3.0), (1e6, 4.0, 3.0, f64::INFINITY)]);
            assert_eq!(svg.matches("<circle").count(), 2);
            assert!(svg.contains("a curve") && svg.ends_with("</svg>\n"), "{svg}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn nothing_and_nought_can_be_drawn_too() {
        for is_log in [false, true] {
            assert!(chart(is_log, Vec::new()).contains("</svg>"));
            let svg = chart(is_log, vec![(1.0, 0.0, 0.0, 0.0)]);
            assert!(svg.contains("<circle") && !svg.contains("NaN"), "{svg}");
        }
    }
}
