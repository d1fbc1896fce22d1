//! Wins, draws and losses as bars of the same length.

use plotters::prelude::*;

use crate::LabError;

/// Pixels.
const WIDTH: i32 = 900;
const ROW: i32 = 30;
const LEFT: i32 = 240;
const RIGHT: i32 = 20;
const TOP: i32 = 40;

/// White's wins, draws, Black's wins: light, middle, dark.
const FILL: [RGBColor; 3] =
    [RGBColor(235, 219, 178), RGBColor(165, 175, 185), RGBColor(70, 78, 92)];
const TEXT: [RGBColor; 3] = [BLACK, BLACK, WHITE];

/// One bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// What stands before it.
    pub label: String,
    /// Wins, draws, losses.
    pub parts: [u64; 3],
    /// Whether it shows the paper's figures and not ours.
    pub is_paper: bool,
}

/// The bars below each other; what the three parts mean stands above.
///
/// # Errors
/// It cannot be drawn.
pub fn bars(file: &'static str, meaning: [&str; 3], bars: &[Bar]) -> Result<String, LabError> {
    let mut picture = String::new();
    draw(&mut picture, meaning, bars)
        .map_err(|error| LabError::Picture(file, error.to_string()))?;
    Ok(picture)
}

fn draw(
    picture: &mut String,
    meaning: [&str; 3],
    bars: &[Bar],
) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
    let height = TOP + ROW * bars.len() as i32 + 15;
    let area = SVGBackend::with_string(picture, (WIDTH as u32, height as u32)).into_drawing_area();
    area.fill(&WHITE)?;
    let font = |color: RGBColor| ("sans-serif", 15).into_font().color(&color);
    for (place, (word, fill)) in meaning.into_iter().zip(FILL).enumerate() {
        let x = LEFT + 200 * place as i32;
        area.draw(&Rectangle::new([(x, 12), (x + 16, 28)], fill.filled()))?;
        area.draw(&Text::new(word.to_owned(), (x + 22, 13), font(BLACK)))?;
    }
    for (row, bar) in bars.iter().enumerate() {
        let (top, bottom) = (TOP + ROW * row as i32, TOP + ROW * (row as i32 + 1) - 6);
        let all = bar.parts.iter().sum::<u64>().max(1);
        let color = if bar.is_paper { super::PAPER } else { BLACK };
        area.draw(&Text::new(bar.label.clone(), (10, top + 5), font(color)))?;
        let end = |count: u64| {
            LEFT + (i64::from(WIDTH - LEFT - RIGHT) * count as i64 / all as i64) as i32
        };
        let mut sum = 0;
        for ((count, fill), text) in bar.parts.into_iter().zip(FILL).zip(TEXT) {
            let (from, to) = (end(sum), end(sum + count));
            sum += count;
            let fill = if bar.is_paper { fill.mix(0.55).filled() } else { fill.filled() };
            area.draw(&Rectangle::new([(from, top), (to, bottom)], fill))?;
            if to - from > 26 {
                area.draw(&Text::new(count.to_string(), (from + 6, top + 5), font(text)))?;
            }
        }
    }
    area.present()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_that_has_room_tells_its_count() {
        let bar = Bar { label: "limit 5".to_owned(), parts: [33, 42, 25], is_paper: false };
        let empty = Bar { label: "none".to_owned(), parts: [0; 3], is_paper: true };
        let svg = bars("x.svg", ["a", "b", "c"], &[bar, empty]).unwrap();
        for word in ["limit 5", "33", "42", "25", "none", "</svg>"] {
            assert!(svg.contains(word), "{word}: {svg}");
        }
    }
}
