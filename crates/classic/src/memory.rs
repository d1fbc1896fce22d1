//! What a search leaves to the next one.

use crate::order::Experience;
use crate::table::Table;

/// What outlives a search and helps the next one.
#[derive(Clone, Debug)]
pub struct Memory {
    pub(crate) table: Table,
    pub(crate) experience: Experience,
}

impl Memory {
    /// Nothing is remembered yet; the table takes at most that many MiB.
    #[must_use]
    pub fn new(table_mib: usize) -> Self {
        Self { table: Table::new(table_mib), experience: Experience::default() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
        self.experience = Experience::default();
    }
}
