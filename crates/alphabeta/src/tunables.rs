//! The numbers of the search, each declared once with its range.
//!
//! Ordinary builds read constants. With the feature `tune` each number is an option that a tuner
//! can set, and [`spsa_rows`] prints the declarations in the form that `OpenBench` reads.

tandem_search::tunables! {
    /// First half-width of the aspiration window.
    aspiration_width = 12 in 5..40;
    /// Divides the squared average score that widens the window.
    aspiration_square = 12000 in 6000..30000;

    /// Razoring margin at depth 0.
    razor_base = 460 in 200..800;
    /// Razoring margin for each squared ply of depth.
    razor_depth = 290 in 100..500;
    /// Reverse futility margin for each ply.
    reverse_futility = 82 in 40..160;
    /// How much of that margin an improving position saves, in 1024ths.
    reverse_improving = 1900 in 512..3072;

    /// Null move: margin below beta for each ply of depth.
    null_depth = 19 in 5..40;
    /// Null move: margin offset.
    null_offset = 395 in 150..700;
    /// Null move: reduction offset.
    null_reduction = 6 in 3..9;

    /// `ProbCut`: how far above beta the shallow search aims.
    probcut_margin = 220 in 120..360;
    /// `ProbCut`: how much less in an improving position.
    probcut_improving = 58 in 0..120;

    /// Late move pruning starts at this many moves.
    late_moves_base = 3 in 1..8;
    /// Futility of quiet moves: margin offset.
    futility_base = 120 in 40..250;
    /// Futility of quiet moves: margin for each ply of reduced depth.
    futility_depth = 125 in 60..220;
    /// Futility of captures: margin offset.
    capture_futility_base = 230 in 100..400;
    /// Futility of captures: margin for each ply of reduced depth.
    capture_futility_depth = 230 in 100..400;
    /// Quiet moves with a history below minus this for each ply are skipped.
    history_pruning = 4200 in 2000..8000;
    /// Exchange loss allowed to a quiet move, for each squared ply of reduced depth.
    quiet_exchange = 26 in 10..60;
    /// Exchange loss allowed to a capture, for each ply.
    capture_exchange = 160 in 60..300;

    /// Singular extension: margin below the table's score for each ply, in 64ths.
    singular_margin = 58 in 30..120;
    /// Singular extension: how far below for a second ply.
    double_margin = 8 in 0..60;
    /// Singular extension: how far below for a third ply.
    triple_margin = 95 in 40..200;

    /// Checks are extended from this depth on.
    check_depth = 10 in 6..20;

    /// Logarithmic reductions: the factor for each of the two logarithms.
    reduction_factor = 2747 in 2000..3500;
    /// Reduction offset in 1024ths of a ply.
    reduction_base = 1180 in 500..2000;
    /// More reduction in nodes that are expected to fail high.
    reduction_cut = 2200 in 1000..3500;
    /// Less reduction in nodes that were on a principal variation.
    reduction_pv = 2000 in 1000..3500;
    /// Divides the history of a move into reduction.
    reduction_history = 9 in 5..16;

    /// Root: what a quiet move that a policy network is certain of begins with in the history of the root;
    /// 0 to do without the network.
    root_policy = 0 in 0..7000;

    /// Quiescence: futility margin.
    quiescence_margin = 330 in 150..500;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_lies_in_its_range_and_has_a_row() {
        for t in ALL {
            assert!(t.min <= t.default && t.default <= t.max, "{}", t.name);
        }
        assert_eq!(spsa_rows().lines().count(), ALL.len());
    }
}
