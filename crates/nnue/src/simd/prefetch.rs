//! Asking for memory before it is needed.

/// Asks for every cache line of a slice. Only a hint: it changes nothing but the time.
#[inline]
pub(crate) fn prefetch<T>(slice: &[T]) {
    let start = slice.as_ptr().cast::<u8>();
    for offset in (0..size_of_val(slice)).step_by(64) {
        prefetch_line(start.wrapping_add(offset));
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn prefetch_line(address: *const u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: every x86-64 processor has SSE, and prefetching never faults.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
}

#[cfg(target_arch = "aarch64")]
#[inline]
fn prefetch_line(address: *const u8) {
    // SAFETY: prefetching never faults and touches no register but the address.
    unsafe {
        std::arch::asm!(
            "prfm pldl1keep, [{}]", in(reg) address, options(nostack, preserves_flags, readonly)
        );
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[inline]
fn prefetch_line(_address: *const u8) {}
