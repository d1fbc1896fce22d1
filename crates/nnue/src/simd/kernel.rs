//! The choice of a kernel at run time.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use thiserror::Error;

use super::algorithms::{self, Activations, Base, Change, Source, Target};
use super::scalar::Scalar;
use super::{HiddenLayer, PolicyWeights, Words, policy};
use crate::image::Stack;

/// The environment variable that forces a kernel.
const VARIABLE: &str = "TANDEM_SIMD";

/// An instruction set that inference is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// Plain code without special instructions.
    Scalar,
    /// 256-bit vectors on x86-64.
    Avx2,
    /// 512-bit vectors on x86-64, with VNNI where the processor has it.
    Avx512,
    /// 128-bit vectors on 64-bit ARM.
    Neon,
}

/// Why a kernel cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum KernelError {
    /// The name is not one of a kernel.
    #[error("'{0}' is no kernel: expected scalar, avx2, avx512 or neon")]
    Unknown(String),
    /// The processor lacks the instructions.
    #[error("this processor cannot run the {0} kernel; it can run {available}", available = list())]
    Unavailable(Kernel),
}

fn list() -> String {
    let names: Vec<_> = Kernel::available().map(|kernel| kernel.to_string()).collect();
    names.join(", ")
}

impl Kernel {
    /// All kernels, the most capable first.
    pub const ALL: [Self; 4] = [Self::Avx512, Self::Avx2, Self::Neon, Self::Scalar];

    /// The kernels that this processor can run, the fastest first.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|kernel| Kernels::new(*kernel).is_ok())
    }

    /// The fastest kernel for this processor, or the one that the environment variable
    /// `TANDEM_SIMD` names.
    ///
    /// # Errors
    /// Where the variable names no kernel, or one that this processor cannot run.
    pub fn chosen() -> Result<Self, KernelError> {
        static CHOSEN: OnceLock<Result<Kernel, KernelError>> = OnceLock::new();
        let choose = || match std::env::var_os(VARIABLE) {
            Some(name) if !name.is_empty() => {
                let kernel: Self = name.to_string_lossy().parse()?;
                Kernels::new(kernel).map(|kernels| kernels.kernel)
            }
            _ => Ok(Self::available().next().unwrap_or(Self::Scalar)),
        };
        CHOSEN.get_or_init(choose).clone()
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        })
    }
}

impl FromStr for Kernel {
    type Err = KernelError;

    fn from_str(text: &str) -> Result<Self, KernelError> {
        Self::ALL
            .into_iter()
            .find(|kernel| kernel.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| KernelError::Unknown(text.escape_debug().to_string()))
    }
}

type Update = unsafe fn(&Source, Base, &Change, &mut Target);
type Activate = unsafe fn(&[Words], &[Words], i16, &mut Activations);
type Propagate = unsafe fn(&Stack, &Activations) -> i32;
type PolicyHidden = unsafe fn(&PolicyWeights, &[u16], &mut HiddenLayer);
type PolicyOutputs = unsafe fn(&PolicyWeights, &HiddenLayer, &[u16], &mut [i32]);

/// The compiled functions of one kernel. Whoever holds one may call it: the processor was asked.
#[derive(Clone, Copy)]
pub(crate) struct Kernels {
    kernel: Kernel,
    update: Update,
    activate: Activate,
    propagate: Propagate,
    policy_hidden: PolicyHidden,
    policy_outputs: PolicyOutputs,
}

impl Kernels {
    /// The functions of that kernel.
    pub fn new(kernel: Kernel) -> Result<Self, KernelError> {
        match kernel {
            Kernel::Scalar if scalar::runs() => Ok(scalar::KERNELS),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 if avx2::runs() => Ok(avx2::KERNELS),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 if avx512vnni::runs() => Ok(avx512vnni::KERNELS),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 if avx512::runs() => Ok(avx512::KERNELS),
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon if neon::runs() => Ok(neon::KERNELS),
            _ => Err(KernelError::Unavailable(kernel)),
        }
    }

    /// Which kernel this is.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Writes `base` with the change applied to `target`.
    #[inline]
    pub fn update(&self, source: &Source, base: Base, change: &Change, target: &mut Target) {
        // SAFETY: the processor can run the kernel. Features only name rows of their set, for which
        // the network was checked when it was read.
        unsafe { (self.update)(source, base, change, target) }
    }

    /// Turns two accumulators, the side to move's first, into the first layer's activations.
    #[inline]
    pub fn activate(&self, us: &[Words], them: &[Words], clip: i16, out: &mut Activations) {
        // SAFETY: the processor can run the kernel, and it checks the widths.
        unsafe { (self.activate)(us, them, clip, out) }
    }

    /// The positional output of a layer stack.
    #[inline]
    pub fn propagate(&self, stack: &Stack, input: &Activations) -> i32 {
        // SAFETY: the processor can run the kernel, and it checks the widths.
        unsafe { (self.propagate)(stack, input) }
    }

    /// The hidden layer of a policy network for those rows.
    #[inline]
    pub fn policy_hidden(&self, weights: &PolicyWeights, rows: &[u16], out: &mut HiddenLayer) {
        // SAFETY: the processor can run the kernel, and it checks the widths and the rows.
        unsafe { (self.policy_hidden)(weights, rows, out) }
    }

    /// The outputs of a policy network for those slots.
    #[inline]
    pub fn policy_outputs(
        &self,
        weights: &PolicyWeights,
        hidden: &HiddenLayer,
        slots: &[u16],
        out: &mut [i32],
    ) {
        // SAFETY: the processor can run the kernel, and it checks the widths and the slots.
        unsafe { (self.policy_outputs)(weights, hidden, slots, out) }
    }
}

/// Compiles the algorithms for one instruction set: a module with the functions and a test whether
/// the processor has it. `$registers` vectors of words make a tile, `$first` and `$second` vectors
/// of integers the outputs of the first and second layer.
macro_rules! kernel {
    (
        $module:ident, $kernel:ident, $vectors:ty, $runs:expr, [$($feature:literal)?],
        $registers:literal, $first:literal, $second:literal
    ) => {
        mod $module {
            use super::*;

            pub fn runs() -> bool {
                $runs
            }

            pub const KERNELS: Kernels = Kernels {
                kernel: Kernel::$kernel,
                update,
                activate,
                propagate,
                policy_hidden,
                policy_outputs,
            };

            $(#[target_feature(enable = $feature)])?
            unsafe fn update(source: &Source, base: Base, change: &Change, target: &mut Target) {
                // SAFETY: the caller's promise; this function is compiled for the instruction set.
                unsafe {
                    algorithms::update::<$vectors, $registers>(source, base, change, target);
                }
            }

            $(#[target_feature(enable = $feature)])?
            unsafe fn activate(us: &[Words], them: &[Words], clip: i16, out: &mut Activations) {
                // SAFETY: as above.
                unsafe { algorithms::activate::<$vectors>(us, them, clip, out) }
            }

            $(#[target_feature(enable = $feature)])?
            unsafe fn propagate(stack: &Stack, input: &Activations) -> i32 {
                // SAFETY: as above.
                unsafe { algorithms::propagate::<$vectors, $first, $second>(stack, input) }
            }

            $(#[target_feature(enable = $feature)])?
            unsafe fn policy_hidden(weights: &PolicyWeights, rows: &[u16], out: &mut HiddenLayer) {
                // SAFETY: as above.
                unsafe { policy::hidden::<$vectors, $registers, { $registers / 2 }>(weights, rows, out) }
            }

            $(#[target_feature(enable = $feature)])?
            unsafe fn policy_outputs(
                weights: &PolicyWeights,
                hidden: &HiddenLayer,
                slots: &[u16],
                out: &mut [i32],
            ) {
                // SAFETY: as above.
                unsafe { policy::outputs::<$vectors>(weights, hidden, slots, out) }
            }
        }
    };
}

kernel!(scalar, Scalar, Scalar, true, [], 16, 4, 8);

#[cfg(target_arch = "x86_64")]
kernel!(
    avx2,
    Avx2,
    crate::simd::avx2::Avx2,
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1"),
    ["avx2,bmi1,popcnt"],
    8,
    2,
    4
);

#[cfg(target_arch = "x86_64")]
kernel!(
    avx512,
    Avx512,
    crate::simd::avx512::Avx512<false>,
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("bmi1"),
    ["avx512f,avx512bw,bmi1,popcnt"],
    4,
    1,
    2
);

#[cfg(target_arch = "x86_64")]
kernel!(
    avx512vnni,
    Avx512,
    crate::simd::avx512::Avx512<true>,
    avx512::runs() && is_x86_feature_detected!("avx512vnni"),
    ["avx512f,avx512bw,avx512vnni,bmi1,popcnt"],
    4,
    1,
    2
);

#[cfg(target_arch = "aarch64")]
kernel!(neon, Neon, crate::simd::neon::Neon, true, ["neon"], 16, 4, 8);
