//! The transposition table: what is known of positions that were reached before.

use tandem_chess::Move;
use tandem_search::Bound;

use crate::{Rules, Value, Window};

/// What a search found out about a position.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    key: u64,
    value: Value,
    /// The move that was best or refuted the line before, if one stood out.
    pub best: Option<Move>,
    depth: u8,
    bound: Bound,
}

impl Entry {
    /// Notes the value of a node, seen from the root, `ply` plies before it.
    #[inline]
    #[must_use]
    pub fn new<R: Rules>(
        key: u64,
        (ply, depth): (usize, u32),
        (value, bound): (Value, Bound),
        best: Option<Move>,
    ) -> Self {
        Self { key, value: R::seen_later(value, ply as i32), best, depth: depth as u8, bound }
    }

    /// The value, seen from the root, if it settles a search of that depth and window.
    #[inline]
    #[must_use]
    pub fn settles<R: Rules>(&self, ply: usize, depth: u32, window: Window) -> Option<Value> {
        let value = R::seen_later(self.value, -(ply as i32));
        let tells_enough = match self.bound {
            Bound::Exact => true,
            Bound::Lower => value >= window.beta,
            Bound::Upper => value <= window.alpha,
        };
        (tells_enough && R::may_replace(u32::from(self.depth), depth)).then_some(value)
    }
}

/// A fixed number of entries, each position in the place its key says. The whole key is kept, so
/// that no position takes another's value.
#[derive(Clone, Debug)]
pub struct Table {
    entries: Vec<Option<Entry>>,
    used: usize,
}

impl Table {
    /// An empty table of at most that many MiB; with none it remembers nothing.
    #[must_use]
    pub fn new(mib: usize) -> Self {
        let entries = (mib << 20) / size_of::<Option<Entry>>();
        Self { entries: vec![None; entries], used: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(None);
        self.used = 0;
    }

    /// What is known of the position with that key.
    #[inline]
    #[must_use]
    pub fn find(&self, key: u64) -> Option<&Entry> {
        let entry = self.entries.get(self.place(key))?.as_ref()?;
        (entry.key == key).then_some(entry)
    }

    /// Keeps the newest entry of each place.
    #[inline]
    pub fn put(&mut self, entry: Entry) {
        let place = self.place(entry.key);
        if let Some(slot) = self.entries.get_mut(place) {
            self.used += usize::from(slot.is_none());
            *slot = Some(entry);
        }
    }

    /// How full the table is, in thousandths.
    #[must_use]
    pub fn permille_full(&self) -> u32 {
        (self.used * 1000 / self.entries.len().max(1)) as u32
    }

    /// Maps the key to a place without a division: the high half of key times length.
    #[inline]
    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.entries.len() as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ChessRules, PaperRules};

    fn entry<R: Rules>(key: u64, ply: usize, value: Value, bound: Bound) -> Entry {
        Entry::new::<R>(key, (ply, 5), (value, bound), None)
    }

    #[test]
    fn an_entry_is_found_by_its_own_key_only() {
        let mut table = Table::new(1);
        table.put(entry::<PaperRules>(77, 0, Value(1), Bound::Exact));
        assert!(table.find(77).is_some());
        assert!(table.find(78).is_none());
        table.clear();
        assert!(table.find(77).is_none());
    }

    #[test]
    fn an_empty_table_remembers_nothing() {
        let mut table = Table::new(0);
        table.put(entry::<PaperRules>(77, 0, Value(1), Bound::Exact));
        assert!(table.find(77).is_none());
        assert_eq!(table.permille_full(), 0);
    }

    #[test]
    fn a_bound_settles_only_windows_beyond_it() {
        let window = |alpha, beta| Window { alpha: Value(alpha), beta: Value(beta) };
        let lower = entry::<ChessRules>(1, 0, Value(50), Bound::Lower);
        assert_eq!(lower.settles::<ChessRules>(0, 5, window(0, 40)), Some(Value(50)));
        assert_eq!(lower.settles::<ChessRules>(0, 5, window(0, 60)), None);
        let upper = entry::<ChessRules>(1, 0, Value(50), Bound::Upper);
        assert_eq!(upper.settles::<ChessRules>(0, 5, window(60, 90)), Some(Value(50)));
        assert_eq!(upper.settles::<ChessRules>(0, 5, window(40, 90)), None);
    }

    #[test]
    fn the_paper_s_rules_ask_for_the_same_depth() {
        let exact = entry::<PaperRules>(1, 0, Value(50), Bound::Exact);
        assert!(exact.settles::<PaperRules>(0, 5, Window::FULL).is_some());
        assert!(exact.settles::<PaperRules>(0, 4, Window::FULL).is_none());
        assert!(exact.settles::<ChessRules>(0, 4, Window::FULL).is_some());
        assert!(exact.settles::<ChessRules>(0, 6, Window::FULL).is_none());
    }

    #[test]
    fn a_mate_is_counted_from_wherever_the_position_is_met() {
        let mated = Value::mated_after(7);
        let exact = entry::<ChessRules>(1, 5, mated, Bound::Exact);
        let met_earlier = exact.settles::<ChessRules>(1, 5, Window::FULL);
        assert_eq!(met_earlier, Some(Value::mated_after(3)));
    }
}
