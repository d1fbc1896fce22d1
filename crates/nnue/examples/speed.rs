//! Measures networks given as arguments on every kernel that runs here.

use std::sync::Arc;
use std::time::Instant;

use tandem_nnue::bench::{Lines, Order, measure};
use tandem_nnue::{Kernel, Network, Networks};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let lines = Lines::bundled();
    for path in std::env::args().skip(1) {
        let start = Instant::now();
        let network = Arc::new(Network::load(&path)?);
        println!("{path}: {} loaded in {:?}", network.architecture(), start.elapsed());
        let networks = Networks::new(network, None)?;
        for kernel in Kernel::available() {
            let networks = networks.clone().with_kernel(kernel)?;
            for order in Order::ALL {
                let m = measure(&networks, &lines, order, 20);
                let per = |count: u64| count as f64 / m.evaluations as f64;
                println!(
                    "{kernel:8} {order:12} {:7.3} us {:8.0} bytes {:5.1}+{:5.1} rows {:016x}",
                    m.microseconds(),
                    m.bytes,
                    per(m.work.piece_rows),
                    per(m.work.threat_rows),
                    m.checksum
                );
            }
        }
    }
    Ok(())
}
