//! Tables, and how numbers are written in them.

use std::fmt::Write as _;

use tandem_games::statistics::Estimate;

/// A table with a sentence above it.
#[derive(Clone, Debug)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// What the columns hold.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(caption: &str, head: &[&str]) -> Self {
        let head = head.iter().map(|&title| title.to_owned()).collect();
        Self { caption: caption.to_owned(), head, rows: Vec::new() }
    }

    /// As Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = format!("{}\n\n", self.caption);
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |", cells.join(" | "))
        };
        let _ = writeln!(text, "{}\n|{}", line(&self.head), "---|".repeat(self.head.len()));
        for row in &self.rows {
            let _ = writeln!(text, "{}", line(row));
        }
        text
    }
}

/// A number, or a dash where there is none.
#[must_use]
pub fn number(value: Option<f64>, digits: usize) -> String {
    match value {
        None => "-".to_owned(),
        Some(value) if value.is_infinite() => if value > 0.0 { "∞" } else { "-∞" }.to_owned(),
        Some(value) => format!("{value:.digits$}"),
    }
}

/// A value with its interval.
#[must_use]
pub fn estimate(value: Option<Estimate>, digits: usize) -> String {
    value.map_or("-".to_owned(), |value| {
        format!("{} {}", number(Some(value.value), digits), range(value, digits, 1.0))
    })
}

/// A share in per cent with its interval.
#[must_use]
pub fn percent(share: Option<Estimate>) -> String {
    share.map_or("-".to_owned(), |share| {
        format!("{:.1} % {}", 100.0 * share.value, range(share, 1, 100.0))
    })
}

/// An interval alone, each end so many times as large.
#[must_use]
pub fn range(estimate: Estimate, digits: usize, scale: f64) -> String {
    let end = |value: f64| number(Some(scale * value), digits);
    format!("[{}, {}]", end(estimate.lower), end(estimate.upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_written_as_markdown() {
        let mut table = Table::new("What it shows:", &["one", "two"]);
        table.rows.push(vec!["a|b".to_owned(), number(None, 1)]);
        let expected = "What it shows:\n\n| one | two |\n|---|---|\n| a\\|b | - |\n";
        assert_eq!(table.markdown(), expected);
    }

    #[test]
    fn values_stand_with_their_intervals() {
        let value = Some(Estimate { value: 0.25, lower: 0.1, upper: f64::INFINITY });
        assert_eq!(estimate(value, 2), "0.25 [0.10, ∞]");
        assert_eq!(percent(value), "25.0 % [10.0, ∞]");
    }
}
