//! Values that keep a distance from their neighbours.

use std::ops::Deref;

/// A value in lines of memory of its own. Where one core writes, all others have to fetch the whole line
/// again, which takes as long as a tenth of a playout or longer; so what is written often does not lie
/// beside what is read often. (Two lines of 64 bytes, because processors fetch them in pairs.)
#[derive(Default)]
#[repr(align(128))]
pub struct Apart<T>(pub T);

impl<T> Deref for Apart<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}
