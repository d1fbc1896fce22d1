//! The numbers of the tandem, each declared once with its range. An exchange is switched off by 0.

use tandem_search::Terms;

tandem_search::tunables! {
    /// Percent of `Hash` for the tree; alpha-beta's table gets the rest.
    tree_share = 25 in 5..75;
    /// Percent of the strategy's share that Monte Carlo tree search really gets.
    share_scale = 100 in 10..250;

    /// To alpha-beta: what a quiet move that has all visits adds to its history at the root, each iteration.
    exchange_order = 1200 in 0..7000;
    /// To alpha-beta: by how much such a move is reduced less, in 1024ths of a ply.
    exchange_relief = 1500 in 0..4096;
    /// To alpha-beta: candidates are looked at alone.
    exchange_verification = 1 in 0..1;
    /// The depth from which on they are.
    verification_from = 5 in 1..30;
    /// The plies after which they are again.
    verification_step = 2 in 1..8;
    /// To alpha-beta: agreement saves time, doubt costs it.
    exchange_patience = 1 in 0..1;
    /// Percent of the time for a move while both searches agree.
    patience_accord = 95 in 50..100;
    /// The same where no other move has a chance to catch up.
    patience_settled = 80 in 20..100;
    /// The same while they do not agree.
    patience_doubt = 110 in 100..200;
    /// How many times the visits of the second move make a lead that lasts.
    settled_lead = 10 in 2..100;

    /// To the tree: scores of alpha-beta's table stand in for evaluations.
    exchange_leaf_value = 1 in 0..1;
    /// The plies that such a score needs.
    leaf_depth = 3 in 0..30;
    /// To the tree: evaluations of alpha-beta's table are not computed again.
    exchange_evaluation = 1 in 0..1;
    /// To the tree: the part of the likelihood that the table's best move gets, in thousandths.
    exchange_likely_move = 400 in 0..900;
    /// To the tree: the part of the root's priors that follows alpha-beta's effort, in thousandths.
    exchange_root_prior = 300 in 0..900;
    /// How soon a prior of the root falls with its score below the best, in thousandths of win less loss.
    score_temperature = 100 in 10..1000;
    /// To the tree: refuted moves of the root get no more visits.
    exchange_refutation = 1 in 0..1;
    /// By how much a refuted move is worse, in thousandths of win less loss.
    refutation_margin = 150 in 20..1000;
    /// The least depth of a refutation.
    refutation_depth = 10 in 1..40;
    /// To the tree: the least prior of a close alternative at the root, in thousandths.
    exchange_alternative = 60 in 0..300;
    /// Alternatives are close within so much, in thousandths of win less loss.
    close_margin = 40 in 0..300;

    /// Phased, where nodes are counted: positions of alpha-beta that a playout stands for.
    playout_nodes = 8 in 1..100;
    /// Phased, where neither time nor nodes are limited: the playouts of a whole share.
    open_playouts = 20000 in 100..1000000;
}

/// A number that is declared in thousandths, or in percent of ten.
const fn thousandths(number: i32) -> f32 {
    number as f32 / 1000.0
}

/// What is exchanged, by those numbers.
#[must_use]
pub fn terms() -> Terms {
    let percent = |number: i32| {
        if exchange_patience() > 0 { f64::from(number) / 100.0 } else { 1.0 }
    };
    Terms {
        order: exchange_order(),
        relief: exchange_relief(),
        verification: exchange_verification() > 0,
        verification_from: verification_from(),
        verification_step: verification_step(),
        patience_in_accord: percent(patience_accord()),
        patience_when_settled: percent(patience_settled()),
        patience_in_doubt: percent(patience_doubt()),
        settled_lead: settled_lead() as u64,
        leaf_depth: (exchange_leaf_value() > 0).then_some(leaf_depth()),
        evaluations: exchange_evaluation() > 0,
        likely_move: thousandths(exchange_likely_move()),
        root_prior: thousandths(exchange_root_prior()),
        score_temperature: thousandths(score_temperature()),
        refutation: (exchange_refutation() > 0).then_some(thousandths(refutation_margin())),
        refutation_depth: refutation_depth(),
        close: thousandths(close_margin()),
        alternative: thousandths(exchange_alternative()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_lies_in_its_range() {
        for t in ALL {
            assert!(t.min <= t.default && t.default <= t.max, "{}", t.name);
        }
    }

    #[test]
    fn every_exchange_has_a_switch() {
        let switches = ALL.iter().filter(|t| t.name.starts_with("exchange_") && t.min == 0);
        assert_eq!(switches.count(), tandem_search::Exchange::ALL.len());
    }
}
