//! The numbers of both searches and of their tandem, for tuning.

use tandem_alphabeta::tunables as alphabeta;
use tandem_hybrid::tunables as hybrid;
use tandem_mcts::tunables as mcts;
pub use tandem_search::Tunable;

/// Every number, those of alpha-beta first.
pub fn all() -> impl Iterator<Item = &'static Tunable> {
    alphabeta::ALL.iter().chain(mcts::ALL).chain(hybrid::ALL)
}

/// All of them in the form that `OpenBench` reads.
#[must_use]
pub fn spsa_rows() -> String {
    alphabeta::spsa_rows() + &mcts::spsa_rows() + &hybrid::spsa_rows()
}

/// Sets a number by its name, clamped to its range. Answers whether there is one.
#[cfg(feature = "tune")]
#[must_use]
pub fn set(name: &str, value: i32) -> bool {
    alphabeta::set(name, value) || mcts::set(name, value) || hybrid::set(name, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_used_twice() {
        let mut names: Vec<_> = all().map(|tunable| tunable.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(spsa_rows().lines().count(), count);
    }
}
