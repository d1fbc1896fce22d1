//! Loss curves as a picture.

use plotters::prelude::*;

use super::Record;
use crate::TrainError;

const SIZE: (u32, u32) = (900, 540);
/// One for each curve.
const COLORS: [RGBColor; 4] =
    [RGBColor(31, 119, 180), RGBColor(214, 69, 65), RGBColor(44, 140, 60), RGBColor(148, 103, 189)];

/// A curve: its name, and its points over millions of samples.
pub(crate) type Curve = (&'static str, Vec<(f64, f64)>);

/// The curves of the training and the validation loss over the samples, as SVG.
pub(crate) fn draw(history: &[Record]) -> Result<String, TrainError> {
    let millions = |record: &Record| record.samples as f64 / 1e6;
    let train = history.iter().map(|record| (millions(record), record.train_loss)).collect();
    let validation = history
        .iter()
        .filter_map(|record| Some((millions(record), record.validation_loss?)))
        .collect();
    draw_curves("loss", &[("training", train), ("validation", validation)])
}

/// A picture of curves that measure the same, as SVG.
pub(crate) fn draw_curves(measure: &str, curves: &[Curve]) -> Result<String, TrainError> {
    let mut picture = String::new();
    draw_into(&mut picture, measure, curves)
        .map_err(|error| TrainError::Curves(error.to_string()))?;
    Ok(picture)
}

fn draw_into(
    picture: &mut String,
    measure: &str,
    curves: &[Curve],
) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
    let values = curves.iter().flat_map(|(_, points)| points).map(|&(_, value)| value);
    let (low, high) =
        values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    let margin = (0.05 * (high - low)).max(1e-6);
    let end = curves.iter().filter_map(|(_, points)| points.last()).map(|&(x, _)| x);
    let end = end.fold(0.0, f64::max);

    let digits = if high < 0.1 { 6 } else { 3 };

    let area = SVGBackend::with_string(picture, SIZE).into_drawing_area();
    let to_io = |error: DrawingAreaErrorKind<_>| error;
    area.fill(&WHITE).map_err(to_io)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(15)
        .x_label_area_size(45)
        .y_label_area_size(75)
        .build_cartesian_2d(0.0..end, (low - margin).max(0.0)..high + margin)?;
    chart
        .configure_mesh()
        .x_desc("samples (millions)")
        .y_desc(measure)
        .y_label_formatter(&|value| format!("{value:.digits$}"))
        .draw()?;
    for ((name, points), color) in curves.iter().zip(COLORS) {
        if points.is_empty() {
            continue;
        }
        chart
            .draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(2)))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2)));
    }
    chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
    area.present()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(superbatch: u64, validation_loss: Option<f64>) -> Record {
        Record {
            superbatch,
            step: superbatch,
            samples: superbatch * 1_000_000,
            train_loss: 0.1 / superbatch as f64,
            validation_loss,
            learning_rate: 0.001,
            lambda: 1.0,
            samples_per_second: 1.0,
        }
    }

    #[test]
    fn both_curves_are_drawn_where_both_are_known() {
        let with: Vec<_> = (1..9).map(|i| record(i, Some(0.11 / i as f64))).collect();
        let without: Vec<_> = (1..9).map(|i| record(i, None)).collect();
        let curves = |history: &[Record]| draw(history).unwrap().matches("<polyline").count();
        let of = |color: &str, history: &[Record]| draw(history).unwrap().contains(color);
        assert!(curves(&with) > curves(&without));
        assert!(of("#D64541", &with) && of("#1F77B4", &with));
        assert!(!of("#D64541", &without) && of("#1F77B4", &without));
    }

    #[test]
    fn a_single_superbatch_is_a_picture_too() {
        assert!(draw(&[record(1, None)]).unwrap().ends_with("</svg>\n"));
    }
}
