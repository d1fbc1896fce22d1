//! The PEXT instruction, and whether this processor runs it fast.

/// Whether PEXT exists and takes a few cycles. AMD before Zen 3 (family 19h) runs it in microcode,
/// a few hundred cycles long, and loses to magics there.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub fn is_fast() -> bool {
    use std::arch::x86_64::__cpuid;

    if !is_x86_feature_detected!("bmi2") {
        return false;
    }
    let identity = __cpuid(0);
    let vendor = [identity.ebx, identity.edx, identity.ecx].map(u32::to_le_bytes).concat();
    let version = __cpuid(1).eax;
    let family = (version >> 8 & 0xF) + (version >> 20 & 0xFF);
    match vendor.as_slice() {
        b"GenuineIntel" => true,
        b"AuthenticAMD" => family >= 0x19,
        _ => false,
    }
}

/// The bits of `value` that `mask` selects, packed to the right.
///
/// # Safety
/// The processor has BMI2, which [`is_fast`] implies.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline]
pub unsafe fn pext(value: u64, mask: u64) -> u64 {
    let packed: u64;
    // An intrinsic would not be inlined into functions compiled without BMI2.
    // SAFETY: the caller vouches for BMI2; the instruction reads and writes registers only.
    unsafe {
        std::arch::asm!(
            "pext {packed}, {value}, {mask}",
            packed = lateout(reg) packed,
            value = in(reg) value,
            mask = in(reg) mask,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    packed
}

/// Other processors have no such instruction.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
pub fn is_fast() -> bool {
    false
}

/// Never called where [`is_fast`] says no.
///
/// # Safety
/// None is needed; the signature matches the real one.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
#[inline]
pub unsafe fn pext(_value: u64, _mask: u64) -> u64 {
    unreachable!("PEXT is only chosen where the processor has it")
}
