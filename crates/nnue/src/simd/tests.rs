//! Every kernel that runs here gives the numbers of the scalar one.

use super::*;
use crate::architecture::FC0_OUT;
use crate::image::Stack;

/// Under Miri, which runs what this processor cannot, every instruction takes long.
const ROUNDS: i16 = if cfg!(miri) { 2 } else { 60 };

/// A small generator of test values.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn words(&mut self, count: usize) -> Vec<Words> {
        let line = |_| Words(std::array::from_fn(|_| self.next() as i16));
        (0..count / Words::LEN).map(line).collect()
    }

    fn bytes(&mut self, count: usize) -> Vec<Bytes> {
        let line = |_| Bytes(std::array::from_fn(|_| self.next() as i8));
        (0..count / size_of::<Bytes>()).map(line).collect()
    }

    fn rows(&mut self, below: u32) -> Vec<u32> {
        let count = self.next() % 7;
        (0..count).map(|_| (self.next() % u64::from(below)) as u32).collect()
    }
}

/// The kernels to compare with the scalar one. Those that cannot run are named.
fn others() -> Vec<Kernels> {
    let mut kernels = Vec::new();
    for kernel in Kernel::ALL {
        match Kernels::new(kernel) {
            Ok(found) if kernel != Kernel::Scalar => kernels.push(found),
            Ok(_) => {}
            Err(error) => println!("NOT RUN for {kernel}: {error}"),
        }
    }
    kernels
}

fn scalar() -> Kernels {
    Kernels::new(Kernel::Scalar).unwrap()
}

#[test]
fn updates_are_equal_on_random_weights() {
    const ROWS: usize = 50;
    let mut random = Random(1);
    let others = others();
    let widths: &[usize] = if cfg!(miri) { &[128, 384] } else { &[128, 256, 384, 1024, 1536] };
    for &width in widths {
        let psqt: Vec<Psqt> =
            (0..ROWS).map(|_| Psqt(std::array::from_fn(|_| random.next() as i32))).collect();
        let weights = random.words(ROWS * width);
        let threats = random.bytes(ROWS * width);
        let source =
            Source { weights: &weights, psqt: &psqt, threat_weights: &threats, threat_psqt: &psqt };
        for _ in 0..ROUNDS {
            let base = random.words(width);
            let rows: [_; 4] = std::array::from_fn(|_| random.rows(ROWS as u32));
            let change = Change {
                added: &rows[0],
                removed: &rows[1],
                threats_added: &rows[2],
                threats_removed: &rows[3],
            };
            let run = |kernels: &Kernels| {
                let (mut neurons, mut sums) = (base.clone(), Psqt::ZERO);
                let mut target = Target { neurons: &mut neurons, psqt: &mut sums };
                let base = Base { neurons: &base, psqt: &psqt[0] };
                kernels.update(&source, base, &change, &mut target);
                (neurons, sums)
            };
            let expected = run(&scalar());
            for kernels in &others {
                assert_eq!(run(kernels), expected, "{} at {width}", kernels.kernel());
            }
        }
    }
}

#[test]
fn forward_passes_are_equal_on_random_accumulators() {
    let mut random = Random(2);
    let others = others();
    let widths: &[usize] = if cfg!(miri) { &[128, 384] } else { &[128, 256, 640, 1024, 3072] };
    for &width in widths {
        for round in 0..ROUNDS {
            let mut stack = random.bytes(Stack::FC0_WEIGHTS + FC0_OUT * width);
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut stack);
            // Whole biases of random bits would drown what the weights say.
            bytes[..Stack::FC2_WEIGHTS].fill(0);
            let stack = Stack::new(bytes);
            // Mostly negative accumulators leave most activations zero, as in real networks.
            let mut accumulator = || {
                let mut lines = random.words(width);
                for word in lines.iter_mut().flat_map(|line| &mut line.0) {
                    *word = (*word >> 6) - round * (480 / ROUNDS);
                }
                lines
            };
            let (us, them) = (accumulator(), accumulator());
            for clip in [127, 255] {
                let run = |kernels: &Kernels| {
                    let mut out = Activations::new();
                    kernels.activate(&us, &them, clip, &mut out);
                    let result = kernels.propagate(&stack, &out);
                    (out.bytes().to_vec(), out.active_groups(), result)
                };
                let expected = run(&scalar());
                assert!(expected.0.iter().all(|&byte| byte < 128));
                for kernels in &others {
                    assert_eq!(run(kernels), expected, "{} at {width}", kernels.kernel());
                }
            }
        }
    }
}

#[test]
fn policies_are_equal_on_random_weights() {
    const ROWS: usize = 40;
    let mut random = Random(3);
    let others = others();
    let widths: &[usize] = if cfg!(miri) { &[64, 192] } else { &[64, 128, 192, 256, 1024, 2048] };
    for &width in widths {
        let wide = random.words(ROWS * width);
        let narrow = random.bytes(ROWS * width);
        let output_weights = random.bytes(ROWS * width);
        let output_biases: Vec<i32> = (0..ROWS).map(|_| random.next() as i32).collect();
        for round in 0..ROUNDS {
            let input_biases = random.words(width);
            let rows =
                if round % 2 == 0 { PolicyRows::Wide(&wide) } else { PolicyRows::Narrow(&narrow) };
            let weights = PolicyWeights {
                input_biases: &input_biases,
                rows,
                output_biases: &output_biases,
                output_weights: &output_weights,
            };
            let mut some = |count: usize| -> Vec<u16> {
                (0..count).map(|_| (random.next() % ROWS as u64) as u16).collect()
            };
            let (rows, slots) = (some(32), some(45));
            let run = |kernels: &Kernels| {
                let (mut hidden, mut outputs) = (HiddenLayer::new(), vec![0; slots.len()]);
                kernels.policy_hidden(&weights, &rows, &mut hidden);
                kernels.policy_outputs(&weights, &hidden, &slots, &mut outputs);
                (hidden.bytes().to_vec(), outputs)
            };
            let expected = run(&scalar());
            assert!(expected.0.len() == width && expected.0.iter().all(|&byte| byte < 128));
            for kernels in &others {
                assert_eq!(run(kernels), expected, "{} at {width}", kernels.kernel());
            }
        }
    }
}

#[test]
fn kernels_are_found_by_name() {
    for kernel in Kernel::ALL {
        assert_eq!(kernel.to_string().parse(), Ok(kernel));
    }
    let sentence = "sse9".parse::<Kernel>().unwrap_err().to_string();
    assert!(sentence.contains("sse9") && sentence.contains("avx2"), "{sentence}");
}

#[test]
fn a_kernel_that_cannot_run_is_refused_with_a_sentence() {
    for kernel in Kernel::ALL {
        if let Err(error) = Kernels::new(kernel) {
            let sentence = error.to_string();
            assert!(sentence.contains(&kernel.to_string()) && sentence.contains("scalar"));
        }
    }
}
