//! What a device says has gone wrong.

use std::sync::{Arc, Mutex, PoisonError};

use crate::GpuError;

/// Keeps the first complaint of a device. wgpu's own way to complain would end the program.
#[derive(Debug, Default)]
pub struct Health(Mutex<Option<GpuError>>);

impl Health {
    /// Listens to a device.
    pub(super) fn watch(self: &Arc<Self>, device: &wgpu::Device) {
        let health = Arc::clone(self);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            health.note(understood(&error));
        }));
        let health = Arc::clone(self);
        device.set_device_lost_callback(move |reason, message| {
            health.note(lost(&format!("{reason:?} {message}")));
        });
    }

    fn note(&self, complaint: GpuError) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(complaint);
    }

    /// The first complaint, if there was any.
    #[must_use]
    pub fn trouble(&self) -> Option<GpuError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn understood(error: &wgpu::Error) -> GpuError {
    match error {
        wgpu::Error::OutOfMemory { .. } => GpuError::OutOfMemory,
        other => lost(&other.to_string()),
    }
}

/// One line, because it ends up in an `info string`.
fn lost(complaint: &str) -> GpuError {
    GpuError::Lost(complaint.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_complaint_is_kept_in_our_words() {
        let health = Health::default();
        let source = || Box::new(std::fmt::Error);
        health.note(understood(&wgpu::Error::OutOfMemory { source: source() }));
        let description = "in\n  two lines".to_owned();
        let other = understood(&wgpu::Error::Internal { source: source(), description });
        assert_eq!(other, GpuError::Lost("in two lines".into()));
        health.note(other);
        assert_eq!(health.trouble(), Some(GpuError::OutOfMemory));
    }
}
