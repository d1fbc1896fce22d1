//! The time a position takes by batch size, as a picture.

use plotters::prelude::*;
use tandem_gpu::bench::{LatencyRow, Report};

const SIZE: (u32, u32) = (900, 540);
/// The name, colour and median of a curve; the device may lack one.
type Curve = (&'static str, RGBColor, fn(&LatencyRow) -> Option<f64>);
const CURVES: [Curve; 3] = [
    ("GPU, plain", RGBColor(31, 119, 180), |row| Some(row.plain.median)),
    ("GPU, subgroup", RGBColor(44, 160, 44), |row| row.subgroup.map(|times| times.median)),
    ("CPU, one thread", RGBColor(214, 69, 65), |row| Some(row.cpu.median)),
];

/// The curves of GPU and CPU as SVG, both axes logarithmic.
pub fn draw(report: &Report) -> Result<String, Box<dyn std::error::Error>> {
    let points = |median: fn(&LatencyRow) -> Option<f64>| -> Vec<(f64, f64)> {
        let point = |row: &LatencyRow| Some((row.size as f64, median(row)? / row.size as f64));
        report.latencies.iter().filter_map(point).collect()
    };
    let all: Vec<_> = CURVES.iter().flat_map(|curve| points(curve.2)).collect();
    let extreme =
        |best: fn(f64, f64) -> f64| all.iter().map(|point| point.1).reduce(best).unwrap_or(1.0);
    let (low, high) = (extreme(f64::min) / 2.0, extreme(f64::max) * 2.0);
    let widest = all.iter().map(|point| point.0).fold(2.0, f64::max);

    let mut picture = String::new();
    {
        let area = SVGBackend::with_string(&mut picture, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(report.adapter.name(), ("sans-serif", 18))
            .margin(15)
            .x_label_area_size(45)
            .y_label_area_size(75)
            .build_cartesian_2d((1.0..widest).log_scale(), (low..high).log_scale())?;
        let mesh = &mut chart.configure_mesh();
        mesh.x_desc("positions in a batch").y_desc("microseconds a position").draw()?;
        for (name, color, median) in CURVES {
            let line = LineSeries::new(points(median), color.stroke_width(2));
            chart.draw_series(line)?.label(name).legend(move |(x, y)| {
                PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2))
            });
        }
        chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
        area.present()?;
    }
    Ok(picture)
}
