//! Loss curves as a picture.

use plotters::prelude::*;

use super::Record;
use crate::TrainError;

const SIZE: (u32, u32) = (900, 540);
const TRAIN: RGBColor = RGBColor(31, 119, 180);
const VALIDATION: RGBColor = RGBColor(214, 69, 65);

/// The curves of the training and the validation loss over the samples, as SVG.
pub(crate) fn draw(history: &[Record]) -> Result<String, TrainError> {
    let mut picture = String::new();
    draw_into(&mut picture, history).map_err(|error| TrainError::Curves(error.to_string()))?;
    Ok(picture)
}

fn draw_into(
    picture: &mut String,
    history: &[Record],
) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
    let millions = |record: &Record| record.samples as f64 / 1e6;
    let train: Vec<_> =
        history.iter().map(|record| (millions(record), record.train_loss)).collect();
    let validation: Vec<_> = history
        .iter()
        .filter_map(|record| Some((millions(record), record.validation_loss?)))
        .collect();
    let losses = train.iter().chain(&validation).map(|&(_, loss)| loss);
    let (low, high) =
        losses.fold((f64::MAX, f64::MIN), |(low, high), loss| (low.min(loss), high.max(loss)));
    let margin = (0.05 * (high - low)).max(1e-6);
    let end = train.last().map_or(1.0, |&(x, _)| x);

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
        .y_desc("loss")
        .y_label_formatter(&|loss| format!("{loss:.6}"))
        .draw()?;
    for (name, color, points) in
        [("training", TRAIN, train), ("validation", VALIDATION, validation)]
    {
        if points.is_empty() {
            continue;
        }
        chart
            .draw_series(LineSeries::new(points, color.stroke_width(2)))?
            .label(name)
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
