//! What moves are worth, as the Strategic Test Suite writes it: `c0 "f5=10, Be5+=2"`, or moves in `c7`
//! (`c9` in UCI's notation) and their points in `c8`.

use tandem_chess::Move;

use super::goal::Defect;
use super::texts;
use crate::epd::Epd;

/// Moves and what they are worth; nothing where a line does not say so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Points(Vec<(Move, u32)>);

impl Points {
    /// Reads the points of a line. The same operations also hold comments, so they are points only if
    /// they have that form and a legal move is among them.
    ///
    /// # Errors
    /// There are points, but not all moves can be understood.
    pub fn read(epd: &Epd) -> Result<Self, Defect> {
        if let Some(points) = epd.operation("c0").and_then(pairs) {
            let points = resolve(epd, "c0", &points)?;
            if points.most().is_some() {
                return Ok(points);
            }
        }
        let Some(values) = epd.operation("c8").and_then(values) else { return Ok(Self::default()) };
        for operation in ["c7", "c9"] {
            let moves: Vec<&str> =
                epd.operation(operation).map_or(Vec::new(), |text| words(text).collect());
            if moves.len() == values.len() {
                let points: Vec<_> = moves.into_iter().zip(values).collect();
                return resolve(epd, operation, &points);
            }
        }
        Ok(Self::default())
    }

    /// What a move is worth; none where nothing has a worth.
    #[must_use]
    pub fn of(&self, m: Move) -> Option<u32> {
        let found = self.0.iter().find(|(known, _)| *known == m);
        (!self.0.is_empty()).then(|| found.map_or(0, |(_, points)| *points))
    }

    /// What the best move is worth.
    #[must_use]
    pub fn most(&self) -> Option<u32> {
        self.0.iter().map(|(_, points)| *points).max()
    }

    /// The moves that are worth most.
    #[must_use]
    pub fn best(&self) -> Vec<Move> {
        let most = self.most().unwrap_or(0);
        self.0.iter().filter(|(_, points)| *points == most).map(|(m, _)| *m).collect()
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| letter.is_whitespace() || letter == ',');
    words.filter(|word| !word.is_empty())
}

fn values(text: &str) -> Option<Vec<u32>> {
    let values: Vec<u32> = words(text).map(str::parse).collect::<Result<_, _>>().ok()?;
    (!values.is_empty()).then_some(values)
}

/// Texts of moves with their points, if nothing else is there.
fn pairs(text: &str) -> Option<Vec<(&str, u32)>> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (m, points) = part.rsplit_once('=')?;
            Some((m.trim(), points.trim().parse().ok()?))
        })
        .collect()
}

fn resolve(epd: &Epd, operation: &'static str, points: &[(&str, u32)]) -> Result<Points, Defect> {
    let moves: Vec<_> =
        points.iter().map(|(text, _)| texts::read_move(&epd.position, text)).collect();
    if moves.iter().all(Result::is_err) {
        return Ok(Points::default());
    }
    let pairs = moves.into_iter().zip(points).map(|(m, (_, points))| {
        m.map(|m| (m, *points)).map_err(|error| Defect::Move(operation, error.to_string()))
    });
    Ok(Points(pairs.collect::<Result<_, _>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITION: &str = "1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - -";

    fn read(operations: &str) -> Result<Points, Defect> {
        Points::read(&Epd::parse(&format!("{POSITION} bm f5; {operations}")).unwrap())
    }

    fn of(points: &Points, text: &str) -> Option<u32> {
        let position = Epd::parse(POSITION).unwrap().position;
        points.of(position.parse_san(text).unwrap())
    }

    #[test]
    fn all_three_forms_say_the_same() {
        let points = read(r#"c0 "f5=10, Be5+=2, Bf2=3, Bg4=2";"#).unwrap();
        assert_eq!(of(&points, "f5"), Some(10));
        assert_eq!(of(&points, "Be5"), Some(2));
        assert_eq!(of(&points, "h4"), Some(0));
        assert_eq!(points.most(), Some(10));
        assert_eq!(read(r#"c7 "f5 Be5+ Bf2 Bg4"; c8 "10 2 3 2";"#).unwrap(), points);
        assert_eq!(read(r#"c9 "f4f5 d4e5 d4f2 f3g4"; c8 "10 2 3 2";"#).unwrap(), points);
    }

    #[test]
    fn comments_are_no_points() {
        for text in
            ["c0 \"CCC post\";", "c0 \"diff=10\";", "c0 \"\";", "c8 \"10 2\"; c7 \"f5\";", ""]
        {
            let points = read(text).unwrap();
            assert_eq!((points.most(), of(&points, "f5")), (None, None), "{text}");
        }
    }

    #[test]
    fn points_for_an_impossible_move_are_refused() {
        assert_eq!(read("c0 \"f5=10, Nf3=2\";").unwrap_err().kind(), "bad move text");
    }
}
