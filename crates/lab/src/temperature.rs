//! The paper's temperatures, in the names of our options (which are lc0's).

use tandem_games::selfplay::SideOptions;

/// Little: the paper's way to play for strength.
pub const TAU1: Tau = Tau {
    name: "tau1",
    options: "option.Temperature=0.7 option.TempEndgame=0.1 option.TempDecayMoves=5",
};

/// Much: the paper's way to variety without search-contempt.
pub const TAU2: Tau = Tau {
    name: "tau2",
    options: "option.Temperature=0.9 option.TempEndgame=0.6 option.TempDecayMoves=60 option.TempDecayDelayMoves=20 option.TempCutoffMove=40",
};

/// A course of the temperature over a game.
#[derive(Clone, Copy, Debug)]
pub struct Tau {
    /// What the paper calls it.
    pub name: &'static str,
    /// The options that make it.
    pub options: &'static str,
}

/// Options as a side takes them.
pub fn options(text: &str) -> SideOptions {
    text.parse().expect("options of the program's own are sound")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_temperatures_can_be_read() {
        for tau in [TAU1, TAU2] {
            assert_eq!(options(tau.options).to_string(), tau.options);
        }
    }
}
