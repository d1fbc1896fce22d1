//! What a device says has gone wrong.

use std::sync::{Arc, Mutex, PoisonError};

/// Keeps the first complaint of a device. wgpu's own way to complain would end the program.
#[derive(Debug, Default)]
pub struct Health(Mutex<Option<String>>);

impl Health {
    /// Listens to a device.
    pub(super) fn watch(self: &Arc<Self>, device: &wgpu::Device) {
        let health = Arc::clone(self);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            health.note(&error.to_string());
        }));
        let health = Arc::clone(self);
        device.set_device_lost_callback(move |reason, message| {
            health.note(&format!("{reason:?} {message}"));
        });
    }

    fn note(&self, complaint: &str) {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // One line, because it ends up in an `info string`.
        let line = complaint.split_whitespace().collect::<Vec<_>>().join(" ");
        first.get_or_insert(line);
    }

    /// The first complaint, if there was any.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
