//! Pictures as SVG, without any font or program beyond this one.

mod bars;
mod curves;

pub use bars::{Bar, bars};
pub use curves::{Axis, Chart, Curve, Mark};

use plotters::style::RGBColor;

/// Colours that can be told apart, also by those who see few.
pub const COLORS: [RGBColor; 8] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 69, 65),
    RGBColor(44, 140, 70),
    RGBColor(148, 103, 189),
    RGBColor(230, 140, 20),
    RGBColor(90, 90, 90),
    RGBColor(23, 170, 190),
    RGBColor(140, 86, 75),
];

/// Of the paper's own figures.
pub const PAPER: RGBColor = RGBColor(150, 150, 150);
