//! Search over everything that has a page. Typing errors and other spellings are forgiven; nothing is sent anywhere.
//!
//! Memory is bounded: at most 400 terms of a document (4 bytes each), 200,000 terms in all (about 150 bytes each) and the
//! titles and summaries that are shown.

mod documents;
mod index;
mod words;

use std::{cmp::Ordering, collections::HashMap};

use index::{Hit, Index};

pub(crate) use documents::{Document, Kind, of_content, of_post};

/// Most results of a query, all pages together.
const RESULTS_MAX: usize = 200;
/// Longest text that is shown of a document, in characters.
const SUMMARY_CHARS: usize = 160;

/// What is shown of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    /// Unique among all; of a post its id, of everything else its path.
    pub(crate) key: String,
    pub(crate) title: String,
    pub(crate) summary: String,
}

/// Documents by their keys.
#[derive(Debug)]
pub(crate) struct SearchIndex {
    index: Index<Entry>,
    numbers: HashMap<String, u32>,
}

/// What a query found, best first.
#[derive(Debug)]
pub(crate) struct Results {
    pub(crate) entries: Vec<Entry>,
    /// What was searched for instead; empty when the words exist.
    pub(crate) corrected: String,
}

impl SearchIndex {
    pub(crate) fn new(documents: Vec<Document>) -> Self {
        let mut index = Self {
            index: Index::new(),
            numbers: HashMap::new(),
        };
        for document in documents {
            index.put(&document);
        }
        index
    }

    /// Adds a document or takes the place of the one with its key.
    pub(crate) fn put(&mut self, document: &Document) {
        self.remove(&document.entry.key);
        let key = document.entry.key.clone();
        let boost = document.entry.kind.boost();
        let texts = document.texts();
        if let Some(number) = self.index.add(document.entry.clone(), boost, &texts) {
            self.numbers.insert(key, number);
        }
    }

    pub(crate) fn remove(&mut self, key: &str) {
        if let Some(number) = self.numbers.remove(key) {
            self.index.remove(number);
        }
    }

    pub(crate) fn search(&self, query: &str) -> Results {
        let found = self.index.search(query);
        let mut hits = found.hits;
        // Those with all words; with fewer only when nothing has them all.
        let most = hits.iter().map(|hit| hit.matched).max().unwrap_or(0);
        hits.retain(|hit| hit.matched == most);
        hits.sort_by(better);
        Results {
            entries: hits
                .into_iter()
                .take(RESULTS_MAX)
                .map(|hit| hit.entry.clone())
                .collect(),
            corrected: found.corrected.filter(|_| most > 0).unwrap_or_default(),
        }
    }

    pub(crate) fn sizes(&self) -> (usize, usize, usize) {
        self.index.sizes()
    }
}

fn better(one: &Hit<'_, Entry>, other: &Hit<'_, Entry>) -> Ordering {
    other
        .score
        .total_cmp(&one.score)
        .then_with(|| one.entry.kind.cmp(&other.entry.kind))
        .then_with(|| one.entry.key.cmp(&other.entry.key))
}

#[cfg(test)]
mod tests;
