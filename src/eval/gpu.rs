//! Evaluations by the GPU.

use serde_json::json;
use tandem_chess::Color;
use tandem_gpu::kernels::Variant;
use tandem_gpu::limits::MAX_BATCH;
use tandem_gpu::{Checks, Device, Direct, GpuBatchEvaluator, Model, Options};
use tandem_nnue::{BatchEvaluator as _, Networks, WinRate};

use super::{Args, positions, print_raw};
use crate::Outcome;
use crate::output::outln;

/// The same lines as from the CPU, a batch at a time.
pub fn raw(networks: &Networks) -> Outcome {
    let device = Device::open()?;
    let model = Model::new(&device, networks.large(), Checks::Off)?;
    let mut direct = Direct::new(&model)?;
    let (mut positions, mut batch) = (positions(), Vec::with_capacity(MAX_BATCH));
    loop {
        batch.clear();
        let mut end = None;
        while batch.len() < MAX_BATCH && end.is_none() {
            match positions.next() {
                Some(Ok(position)) => batch.push(position),
                other => end = Some(other.map_or(Ok(()), |position| position.map(drop))),
            }
        }
        // What comes before a line that is no position is printed, as by the CPU.
        let (outputs, _) = direct.evaluate(&batch, Variant::Plain)?;
        if !print_raw(&outputs)? {
            return Ok(());
        }
        if let Some(end) = end {
            return Ok(end?);
        }
    }
}

/// Outputs and score of one position.
pub fn score(args: &Args, networks: &Networks) -> Outcome {
    let device = Device::open()?;
    let gpu = GpuBatchEvaluator::new(&device, networks, None, Options::default())?;
    let (position, scale) = (&args.fen, WinRate::of(&args.fen));
    let (outputs, _) = Direct::new(gpu.model())?.evaluate(&[*position], Variant::Plain)?;
    let answer = gpu.wait(gpu.submit(vec![*position]))?;
    let (Some(outputs), Some(answer)) = (outputs.first(), answer.first()) else {
        return Err("the GPU gave no answer".into());
    };
    let (side, score) = (position.side_to_move(), answer.score.value());
    let for_white = if side == Color::White { score } else { -score };
    let (centipawns, wdl) = (scale.centipawns(for_white), scale.wdl(score));
    let (adapter, network) = (device.report().name(), args.network_name());
    if args.json {
        outln!(
            "{}",
            json!({
                "fen": position.to_string(),
                "side": if side == Color::White { "white" } else { "black" },
                "outputs": [outputs.psqt, outputs.positional],
                "score": score,
                "centipawns_for_white": centipawns,
                "wdl": [wdl.win, wdl.draw, wdl.loss],
                "adapter": adapter,
                "network": network,
            })
        );
        return Ok(());
    }
    outln!("Raw outputs   psqt {}, positional {} for {side}", outputs.psqt, outputs.positional);
    outln!(
        "Score         {:+.2} pawns for White ({score} for {side} in internal units)",
        f64::from(centipawns) / 100.0
    );
    outln!("Evaluated by  {adapter}");
    outln!("Network       {network}");
    Ok(())
}
