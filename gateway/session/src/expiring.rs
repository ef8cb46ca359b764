//! Bounded memory of values that expire.

use std::collections::{BTreeSet, HashMap};

use super::secrets::Mark;

/// Values until their expiry, at most `entries_max`. When it is full, the value that expires first is dropped. Times
/// are milliseconds since 1970.
#[derive(Debug)]
pub(crate) struct Expiring<V> {
    entries_max: usize,
    entries: HashMap<Mark, Entry<V>>,
    order: BTreeSet<(i64, Mark)>,
}

#[derive(Debug)]
pub(crate) struct Entry<V> {
    pub(crate) value: V,
    pub(crate) until: i64,
}

impl<V> Expiring<V> {
    pub(crate) fn new(entries_max: usize) -> Self {
        Self {
            entries_max,
            entries: HashMap::new(),
            order: BTreeSet::new(),
        }
    }

    /// Returns the value if it has not expired.
    pub(crate) fn get(&self, now: i64, mark: Mark) -> Option<&Entry<V>> {
        self.entries.get(&mark).filter(|entry| entry.until > now)
    }

    /// Inserts or replaces a value. Returns whether one had to be dropped before its expiry.
    pub(crate) fn insert(&mut self, now: i64, mark: Mark, value: V, until: i64) -> bool {
        if let Some(earlier) = self.entries.insert(mark, Entry { value, until }) {
            self.order.remove(&(earlier.until, mark));
        }
        self.order.insert((until, mark));
        while let Some(&(until, mark)) = self.order.first()
            && until <= now
        {
            self.order.pop_first();
            self.entries.remove(&mark);
        }
        if self.entries.len() <= self.entries_max {
            return false;
        }
        if let Some((_, mark)) = self.order.pop_first() {
            self.entries.remove(&mark);
        }
        true
    }

    /// Returns all values that have not expired.
    pub(crate) fn live(&self, now: i64) -> impl Iterator<Item = (Mark, &Entry<V>)> {
        let all = self.entries.iter().map(|(mark, entry)| (*mark, entry));
        all.filter(move |(_, entry)| entry.until > now)
    }
}

/// Things that may be used once.
#[derive(Debug)]
pub(crate) struct Used(parking_lot::Mutex<Expiring<()>>);

impl Used {
    pub(crate) fn new(entries_max: usize) -> Self {
        Self(parking_lot::Mutex::new(Expiring::new(entries_max)))
    }

    /// Remembers a use until a time. Returns false if it was used before.
    pub(crate) fn insert(&self, now: i64, mark: Mark, until: i64) -> bool {
        let mut used = self.0.lock();
        let is_first = used.get(now, mark).is_none();
        if is_first && used.insert(now, mark, (), until) {
            tracing::warn!("too many single-use values at once; the oldest is forgotten");
        }
        is_first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(number: u8) -> Mark {
        Mark::of("test", &[number])
    }

    #[test]
    fn drops_what_expires_first_when_full() {
        let mut kept = Expiring::new(2);
        assert!(!kept.insert(0, mark(1), 'a', 30));
        assert!(!kept.insert(0, mark(2), 'b', 20));
        assert!(kept.insert(0, mark(3), 'c', 40));
        let values: BTreeSet<_> = kept.live(0).map(|(_, entry)| entry.value).collect();
        assert_eq!(values, BTreeSet::from(['a', 'c']));
        assert!(kept.get(29, mark(1)).is_some() && kept.get(30, mark(1)).is_none());
        assert!(
            !kept.insert(30, mark(4), 'd', 50),
            "the expired one made room"
        );
        assert_eq!((kept.entries.len(), kept.order.len()), (2, 2));
    }

    #[test]
    fn replaces_a_value() {
        let mut kept = Expiring::new(2);
        kept.insert(0, mark(1), 'a', 10);
        kept.insert(0, mark(1), 'b', 20);
        let entry = kept.get(15, mark(1)).expect("an entry");
        assert_eq!((entry.value, kept.order.len()), ('b', 1));
    }

    #[test]
    fn a_use_counts_until_it_expires() {
        let used = Used::new(2);
        assert!(used.insert(0, mark(1), 10));
        assert!(!used.insert(9, mark(1), 19));
        assert!(used.insert(10, mark(1), 20));
    }
}
