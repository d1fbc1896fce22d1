//! The numbers of the hybrid paper's Table 3, where they apply to us.

/// Positions in one batch of the device.
pub const MAX_BATCH: usize = 4096;
/// Positions that a batch should have where the device is to be busy and answers are to come soon.
pub const PREFERRED_BATCH: usize = MAX_BATCH / 4;
/// Piece features of one side of a position.
pub const MAX_FEATURES: usize = 64;
/// The fewest invocations in a workgroup of the forward pass.
pub const FORWARD_THREADS: usize = 64;
/// Batches on their way at once.
pub const SLOTS: usize = 2;
/// From here on a batch goes to the device, where nothing was measured.
pub const DEVICE_FROM: usize = 4;
/// From here on the subgroup kernels serve, where nothing was measured.
pub const SUBGROUP_FROM: usize = 64;
