//! What counts say, and how surely: values with intervals of 95 %.

mod mean;
mod score;
mod share;

pub use mean::mean;
pub use score::score;
pub use share::{apart, difference, ratio, share, times};

/// How many standard errors an interval of 95 % reaches to either side.
const TWO_SIDED_95: f64 = 1.959_963_984_540_054;
