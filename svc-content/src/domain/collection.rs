//! An ordered collection of records, listed as cards and looked up by name.

use std::collections::HashMap;

use super::{
    pictures::{Pictured, Pictures},
    texts::Texts,
};
use crate::paging::PageRequest;

#[derive(Debug, Clone)]
pub(crate) struct Collection<T> {
    records: Vec<Record<T>>,
    /// Index of the record by name (slug, alias or id), in lower case.
    places: HashMap<String, usize>,
}

#[derive(Debug, Clone)]
struct Record<T> {
    id: String,
    /// The record without fields that only its page shows.
    card: T,
    full: T,
    names: Vec<String>,
}

impl<T: Clone> Collection<T> {
    /// Builds the collection. `names` returns a record's names, most important first; a name never shadows another
    /// record's more important one. `shorten` clears the fields that lists omit.
    pub(super) fn new(
        all: Vec<T>,
        id: impl Fn(&T) -> String,
        names: impl Fn(&T) -> Vec<String>,
        shorten: impl Fn(&mut T),
    ) -> Self {
        let record = |full: T| {
            let mut card = full.clone();
            shorten(&mut card);
            Record {
                id: id(&full),
                card,
                names: names(&full),
                full,
            }
        };
        let mut collection = Self {
            records: all.into_iter().map(record).collect(),
            places: HashMap::new(),
        };
        collection.prefer(|_| false);
        collection
    }

    /// Resolves shared names: a preferred record gets the name, otherwise the first one does.
    pub(super) fn prefer(&mut self, is_preferred: impl Fn(&T) -> bool) {
        let mut claims = Vec::new();
        for (place, record) in self.records.iter().enumerate() {
            let is_other = !is_preferred(&record.full);
            let names = record.names.iter().enumerate();
            let names = names.filter(|(_, name)| !name.is_empty());
            claims.extend(names.map(|(rank, name)| (rank, is_other, place, name.to_lowercase())));
        }
        // Decides by the name's importance, then for preferred records, then for earlier ones.
        claims.sort_unstable();
        self.places.clear();
        for (_, _, place, name) in claims {
            self.places.entry(name).or_insert(place);
        }
    }

    /// Returns the full record with this name.
    pub(crate) fn find(&self, name: &str) -> Option<&T> {
        let place = self.places.get(&name.to_lowercase())?;
        self.records.get(*place).map(|record| &record.full)
    }

    /// Returns a page of cards, and the token of the next page.
    pub(crate) fn page(
        &self,
        request: &PageRequest,
        is_wanted: impl Fn(&T) -> bool,
    ) -> (Vec<T>, String) {
        let (page, next) = request.cut(
            &self.records,
            |record| &record.id,
            |record| is_wanted(&record.card),
        );
        (
            page.into_iter().map(|record| record.card.clone()).collect(),
            next,
        )
    }

    /// Changes each card and each full record.
    pub(super) fn each(&mut self, change: impl Fn(&mut T)) {
        for record in &mut self.records {
            change(&mut record.card);
            change(&mut record.full);
        }
    }

    /// Returns the full records, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.records.iter().map(|record| &record.full)
    }
}

impl<T: Clone + Pictured> Collection<T> {
    /// Sets the facts of uploaded pictures.
    pub(super) fn show(&mut self, pictures: &Pictures) {
        self.each(|record| record.picture(pictures));
    }
}

impl<T: Texts> Texts for Collection<T> {
    /// Names stay: they are parts of addresses.
    fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        for record in &mut self.records {
            record.card.each_text(change);
            record.full.each_text(change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_more_important_name_takes_precedence() {
        let all = vec![("1", "a", "b"), ("2", "b", "c"), ("3", "", "c")];
        let id = |record: &(&str, &str, &str)| record.0.to_owned();
        let names = |record: &(&str, &str, &str)| vec![record.1.to_owned(), record.2.to_owned()];
        let mut collection = Collection::new(all, id, names, |_| {});
        let found = |collection: &Collection<(&'static str, _, _)>, name: &str| {
            collection.find(name).map(|record| record.0)
        };
        assert_eq!(found(&collection, "A"), Some("1"));
        assert_eq!(found(&collection, "b"), Some("2"));
        assert_eq!(found(&collection, "c"), Some("2"));
        assert_eq!(found(&collection, ""), None);
        collection.prefer(|record| record.0 == "3");
        assert_eq!(found(&collection, "c"), Some("3"));
        assert_eq!(found(&collection, "b"), Some("2"));
    }
}
