//! The numbers of the search, each declared once with its range. Fractions are in thousandths.

tandem_search::tunables! {
    /// Exploration at the first visits, in thousandths.
    c_puct = 1700 in 300..5000;
    /// How exploration grows with the logarithm of the visits, in thousandths.
    c_puct_growth = 3894 in 0..10000;
    /// Visits from which on exploration grows.
    c_puct_base = 38739 in 1000..100000;
    /// How much the spread of a node's values changes exploration, in thousandths.
    c_puct_spread = 110 in 0..3000;
    /// How much of the exploration goes where the result is certain, in thousandths.
    c_puct_decided = 950 in 0..1000;
    /// By how much an untried move is worse than its position, in thousandths, times the square root of
    /// the likelihood of the moves tried.
    fpu_reduction = 25 in 0..1500;
    /// The same at the root.
    fpu_root = 20 in 0..1500;
    /// How alike likelihoods by chess knowledge become, in thousandths.
    policy_temperature = 2290 in 400..4000;
    /// The same at the root.
    root_temperature = 2200 in 400..4000;
    /// How alike a policy network's likelihoods become, in thousandths.
    network_temperature = 1000 in 400..4000;
    /// The same at the root.
    network_root_temperature = 1300 in 400..4000;
    /// The same where only mates are looked for.
    mate_temperature = 4000 in 400..10000;
    /// Threads: by how much a visit under way counts as worse than those before it, in thousandths.
    virtual_loss = 100 in 0..3000;

    /// Winning sooner: utility for each ply by which a move shortens the game, in millionths.
    plies_slope = 6000 in 0..20000;
    /// Winning sooner: the most that it counts, in thousandths.
    plies_most = 120 in 0..300;
    /// Winning sooner: the value from which on it counts, in thousandths.
    plies_from = 800 in 300..1000;

    /// How many likely moves get an edge at first.
    first_edges = 8 in 2..64;
    /// The last word: how many standard errors below its mean a move is taken for.
    bound_width = 1460 in 0..5000;
    /// The last word: the share of the leader's visits that a move needs, in thousandths.
    bound_share = 455 in 50..1000;
    /// A search by the clock ends early when the lead of its best move, times this in thousandths, is more
    /// than the playouts to come.
    smart_pruning = 1330 in 1000..5000;

    /// Batches: the part of the root's visits that may be under way at once, in thousandths.
    batch_share = 10 in 1..1000;
    /// Batches: by how much a visit under way counts as worse than those before it, in thousandths.
    batch_loss = 2000 in 0..5000;
    /// Batches: the part of a batch that may meet other playouts under way before it is handed in, in
    /// thousandths.
    batch_collisions = 250 in 0..1000;

    /// Points that multiply a move's likelihood by e.
    prior_unit = 400 in 100..1500;
    /// Points for a captured piece's worth, in tenths.
    prior_victim = 25 in 5..100;
    /// Points for an exchange that does not lose.
    prior_exchange = 840 in 0..1500;
    /// Points for becoming a queen.
    prior_queen = 4000 in 0..8000;
    /// Points for becoming a knight.
    prior_knight = 800 in 0..4000;
    /// Points for a check.
    prior_check = 525 in 0..1500;
    /// Points for each step nearer to the centre.
    prior_centre = 11 in 0..100;
    /// Points for developing a knight or bishop in the opening.
    prior_development = 60 in 0..800;
    /// Points for castling in the opening.
    prior_castling = 185 in 0..1500;
    /// Points that a king's move loses while there are many pieces.
    prior_king = 170 in 0..500;
    /// More pieces than this make an opening.
    prior_opening = 28 in 20..32;
    /// More pieces than this make a middlegame.
    prior_middlegame = 20 in 10..32;
}
