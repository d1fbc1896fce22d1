//! Whether this processor has the instructions that the program was compiled with.
//!
//! Asked before anything else, so that a program built for a newer machine says what is missing
//! instead of dying of an illegal instruction.

/// A sentence that names the missing instructions, if any are.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
pub fn missing_features() -> Option<String> {
    sentence(
        &x86::REQUIRED
            .iter()
            .filter(|f| f.compiled_in && !f.present())
            .map(|f| f.name),
    )
}

/// Other processors run what their target's compiler gives them.
#[cfg(not(target_arch = "x86_64"))]
pub fn missing_features() -> Option<String> {
    None
}

#[cfg(target_arch = "x86_64")]
fn sentence(missing: &(impl Iterator<Item = &'static str> + Clone)) -> Option<String> {
    let names: Vec<_> = missing.clone().collect();
    (!names.is_empty()).then(|| {
        format!(
            "tandem: this build needs {}, which this processor lacks; build with `cargo build \
             --release` for any x86-64-v2 processor, or with `make` on this machine",
            names.join(", ")
        )
    })
}

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
        assert_eq!(missing_features(), None);
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

    #[test]
    fn what_is_missing_is_named() {
        let text = sentence(&["avx2", "bmi2"].into_iter()).unwrap();
        assert!(text.contains("needs avx2, bmi2"), "{text}");
    }
}
