//! Measuring a network as it plays.

use std::sync::Arc;

use tandem_nnue::{PolicyEvaluator, PolicyNetwork};

use super::measures::Meter;
use super::{Measures, PolicySample};
use crate::TrainError;
use crate::source::Source;

/// How well a network foresees the moves of a source, computed with integers and its own temperature, on
/// at most so many positions.
///
/// # Errors
/// Where the source cannot be read or has no positions.
pub fn evaluate(
    network: &Arc<PolicyNetwork>,
    source: &dyn Source<PolicySample>,
    most: u64,
) -> Result<Measures, TrainError> {
    let mut evaluator = PolicyEvaluator::new(Arc::clone(network))?;
    let mut meter = Meter::default();
    let (mut logits, mut targets) = (Vec::new(), Vec::new());
    let mut left = most;
    for shard in 0..source.shards() {
        if left == 0 {
            break;
        }
        for sample in source.open(shard, 0)?.take(usize::try_from(left).unwrap_or(usize::MAX)) {
            let sample = sample?;
            let position = sample.position();
            let moves = position.legal_moves();
            logits.resize(moves.len(), 0.0);
            evaluator.judge(&position, &moves, &mut logits);
            targets.clear();
            sample.targets(&moves, &mut targets);
            meter.add(logits.iter().map(|&logit| f64::from(logit)), &targets);
            left -= 1;
        }
    }
    if left == most {
        return Err(TrainError::NoSamples("the files"));
    }
    Ok(meter.measures())
}
