//! The tables as people read them.

use std::fmt;

use super::Report;

const MIB: f64 = 1024.0 * 1024.0;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (info, limits) = (&self.adapter.info, &self.adapter.limits);
        writeln!(f, "adapter          {}", self.adapter.name())?;
        writeln!(f, "driver           {} {}", info.driver, info.driver_info)?;
        let unified = if self.adapter.is_unified { "shared, nothing is copied" } else { "its own" };
        writeln!(f, "memory           {unified}; network {:.1} MiB", self.memory as f64 / MIB)?;
        writeln!(
            f,
            "limits           buffer {:.0} MiB, binding {:.0} MiB, workgroup {} invocations and {} \
             bytes, subgroups {}",
            limits.max_buffer_size as f64 / MIB,
            limits.max_storage_buffer_binding_size as f64 / MIB,
            limits.max_compute_invocations_per_workgroup,
            limits.max_compute_workgroup_storage_size,
            match (self.adapter.has_subgroups, info.subgroup_min_size, info.subgroup_max_size) {
                (false, ..) => "none".into(),
                (true, least, most) if least == most => format!("of {least}"),
                (true, least, most) => format!("of {least} to {most}"),
            }
        )?;
        writeln!(f, "network          {}", self.network)?;
        writeln!(f, "beside it        one thread of the CPU, {} kernel", self.kernel)?;
        writeln!(
            f,
            "iterations       {0} to warm up, {0} measured; microseconds",
            self.iterations
        )?;
        self.dispatch_and_stages(f)?;
        self.latency(f)?;
        self.batching(f)?;
        self.features(f)?;
        self.consistency(f)?;
        self.judging(f)?;
        match self.crossover() {
            Some(size) => writeln!(f, "\nthe GPU wins from batches of {size} on")?,
            None => writeln!(f, "\nthe GPU never beats one thread of the CPU here")?,
        }
        write!(f, "{} positions were evaluated on the GPU for these tables", self.evaluations)
    }
}

impl Report {
    fn dispatch_and_stages(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let d = self.dispatch;
        writeln!(
            f,
            "\nempty dispatch   median {:.1}  P95 {:.1}  P99 {:.1}",
            d.median, d.p95, d.p99
        )?;
        writeln!(
            f,
            "\nbatch      pack    upload    submit      device     score   share of device"
        )?;
        for row in &self.stages {
            let total = row.pack + row.upload + row.submit + row.device + row.score;
            writeln!(
                f,
                "{:>5} {:>9.2} {:>9.2} {:>9.2} {:>11.1} {:>9.2} {:>15.1} %",
                row.size,
                row.pack,
                row.upload,
                row.submit,
                row.device,
                row.score,
                100.0 * row.device / total
            )?;
        }
        Ok(())
    }

    fn latency(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\nbatch  plain median       P95       P99  a position   subgroup        CPU  a position \
             GPU/CPU"
        )?;
        for row in &self.latencies {
            let each = |time: f64| time / row.size as f64;
            let subgroup = row.subgroup.map_or("-".into(), |q| format!("{:.1}", q.median));
            writeln!(
                f,
                "{:>5} {:>13.1} {:>9.1} {:>9.1} {:>11.2} {subgroup:>10} {:>10.1} {:>11.3} {:>7.1}",
                row.size,
                row.plain.median,
                row.plain.p95,
                row.plain.p99,
                each(row.plain.median),
                row.cpu.median,
                each(row.cpu.median),
                row.device() / row.cpu.median
            )?;
        }
        Ok(())
    }

    fn batching(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nbatch  one by one     at once  speed-up")?;
        for row in &self.batching {
            let speedup = row.sequential / row.batched;
            writeln!(
                f,
                "{:>5} {:>11.1} {:>11.1} {speedup:>8.1}x",
                row.size, row.sequential, row.batched
            )?;
        }
        Ok(())
    }

    fn features(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nbatch  features by the GPU  by the CPU")?;
        for row in &self.sources {
            writeln!(f, "{:>5} {:>20.1} {:>11.1}", row.size, row.boards, row.lists)?;
        }
        let c = &self.children;
        writeln!(
            f,
            "\nchildren         of {} positions, {:.1} each: {:.1} from scratch, {:.1} from the parent's \
             accumulators",
            c.parents,
            c.children as f64 / c.parents as f64,
            c.fresh,
            c.from_parent
        )
    }

    fn judging(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(judging) = &self.judging else { return Ok(()) };
        writeln!(
            f,
            "\npolicy network   {}, {:.1} MiB; moves are judged beside the values",
            judging.network,
            judging.memory as f64 / MIB
        )?;
        writeln!(
            f,
            "batch    moves  values alone  with moves    listed  a position        CPU  a position GPU/CPU"
        )?;
        for row in &judging.rows {
            let each = |time: f64| time / row.size as f64;
            writeln!(
                f,
                "{:>5} {:>8} {:>13.1} {:>11.1} {:>9.1} {:>11.2} {:>10.1} {:>11.3} {:>7.1}",
                row.size,
                row.moves,
                row.values,
                row.both,
                row.listing,
                each(row.both),
                row.cpu,
                each(row.cpu),
                row.both / row.cpu
            )?;
        }
        writeln!(
            f,
            "judgements       {} of {} moves are the CPU's integers; those of {} positions in all",
            judging.exact, judging.moves, judging.judgements
        )
    }

    fn consistency(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let c = &self.consistency;
        let share = |count: usize| 100.0 * count as f64 / c.positions as f64;
        writeln!(
            f,
            "\nconsistency      {} positions, {} runs: {:.1} % the same every time, {:.1} % the CPU's \
             integers, {:.1} % not 0; mean {:.1}, from {} to {}",
            c.positions,
            c.runs,
            share(c.consistent),
            share(c.exact),
            share(c.nonzero),
            c.mean,
            c.range.0,
            c.range.1
        )
    }
}
