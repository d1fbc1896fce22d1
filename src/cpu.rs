//! Whether this processor has the instructions that the program was compiled with.
//!
//! Asked before anything else, so that a program built for a newer machine says what is missing
//! instead of dying of an illegal instruction. The code here is compiled with those instructions
//! too, so it keeps to single integers and to the standard library, which is built for every
//! processor.

use std::io::Write as _;

/// On Linux the loader asks before `main`: in a build for one machine even the way to `main`, which
/// the optimiser merges with ours, may hold an instruction that another machine lacks.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[used]
// SAFETY: `.init_array` holds C functions without arguments, which the loader calls once.
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = require_features;

/// Ends the process with a sentence if the processor lacks something that the build relies on.
#[inline(never)]
pub extern "C" fn require_features() {
    if is_complete() {
        return;
    }
    say("tandem: this build needs instructions that this processor lacks (");
    name_missing();
    say("); build with `cargo build --release` for any x86-64-v2 processor, ");
    say("or with `make` on this machine\n");
    exit();
}

/// Leaves at once: the clean-up of an ordinary exit may hold a missing instruction as well.
#[cfg(unix)]
fn exit() -> ! {
    // SAFETY: this is POSIX's `_exit`, which takes any number and does not return.
    unsafe extern "C" {
        safe fn _exit(code: i32) -> !;
    }
    _exit(1)
}

#[cfg(not(unix))]
fn exit() -> ! {
    std::process::exit(1)
}

#[inline(never)]
fn say(text: &str) {
    // Where nobody reads standard error, there is nobody to tell.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

#[cfg(target_arch = "x86_64")]
fn is_complete() -> bool {
    x86::REQUIRED.iter().all(|feature| !feature.compiled_in || feature.present())
}

#[cfg(target_arch = "x86_64")]
fn name_missing() {
    let mut separator = "";
    for feature in x86::REQUIRED {
        if feature.compiled_in && !feature.present() {
            say(separator);
            say(feature.name);
            separator = ", ";
        }
    }
}

/// Other processors run what their target's compiler gives them.
#[cfg(not(target_arch = "x86_64"))]
fn is_complete() -> bool {
    true
}

#[cfg(not(target_arch = "x86_64"))]
fn name_missing() {}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::__cpuid_count;

    /// An instruction set: whether the compiler was allowed to use it, and the CPUID bit for it.
    /// The standard library's detection cannot be asked: it answers yes without looking for what
    /// the program was compiled with.
    #[derive(Clone, Copy)]
    pub struct Feature {
        pub name: &'static str,
        pub compiled_in: bool,
        leaf: u32,
        register: Register,
        bit: u32,
    }

    #[derive(Clone, Copy)]
    enum Register {
        Ebx,
        Ecx,
    }

    impl Feature {
        pub fn present(&self) -> bool {
            let highest = __cpuid_count(self.leaf & 0x8000_0000, 0).eax;
            if highest < self.leaf {
                return false;
            }
            let leaf = __cpuid_count(self.leaf, 0);
            let word = match self.register {
                Register::Ebx => leaf.ebx,
                Register::Ecx => leaf.ecx,
            };
            word >> self.bit & 1 != 0
        }
    }

    macro_rules! features {
        ($($name:tt $leaf:literal $register:ident $bit:literal;)*) => {
            &[$(Feature {
                name: $name,
                compiled_in: cfg!(target_feature = $name),
                leaf: $leaf,
                register: Register::$register,
                bit: $bit,
            }),*]
        };
    }

    /// What x86-64-v2, v3 and v4 builds and builds for one machine may use.
    pub const REQUIRED: &[Feature] = features! {
        "sse3" 1 Ecx 0;
        "ssse3" 1 Ecx 9;
        "fma" 1 Ecx 12;
        "sse4.1" 1 Ecx 19;
        "sse4.2" 1 Ecx 20;
        "movbe" 1 Ecx 22;
        "popcnt" 1 Ecx 23;
        "avx" 1 Ecx 28;
        "f16c" 1 Ecx 29;
        "bmi1" 7 Ebx 3;
        "avx2" 7 Ebx 5;
        "bmi2" 7 Ebx 8;
        "avx512f" 7 Ebx 16;
        "avx512dq" 7 Ebx 17;
        "adx" 7 Ebx 19;
        "avx512cd" 7 Ebx 28;
        "avx512bw" 7 Ebx 30;
        "avx512vl" 7 Ebx 31;
        "avx512vbmi" 7 Ecx 1;
        "avx512vbmi2" 7 Ecx 6;
        "vaes" 7 Ecx 9;
        "vpclmulqdq" 7 Ecx 10;
        "avx512vnni" 7 Ecx 11;
        "avx512bitalg" 7 Ecx 12;
        "avx512vpopcntdq" 7 Ecx 14;
        "lzcnt" 0x8000_0001 Ecx 5;
        "sse4a" 0x8000_0001 Ecx 6;
    };
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn the_machine_that_runs_the_tests_lacks_nothing() {
        assert!(is_complete());
    }

    #[test]
    fn the_bits_agree_with_the_standard_library() {
        for (name, detected) in [
            ("avx2", is_x86_feature_detected!("avx2")),
            ("bmi2", is_x86_feature_detected!("bmi2")),
            ("fma", is_x86_feature_detected!("fma")),
            ("avx512f", is_x86_feature_detected!("avx512f")),
            ("avx512vnni", is_x86_feature_detected!("avx512vnni")),
            ("lzcnt", is_x86_feature_detected!("lzcnt")),
        ] {
            let feature = x86::REQUIRED.iter().find(|f| f.name == name).unwrap();
            assert_eq!(feature.present(), detected, "{name}");
        }
    }
}
