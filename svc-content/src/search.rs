//! Search over everything that has a page. Typing errors and other spellings are forgiven; nothing is sent anywhere.
//!
//! Memory is bounded: at most 400 terms of a document (4 bytes each in the index and in the corpus that it is made from), 200,000
//! words in all (about 200 bytes each) and the titles and summaries that are shown.
//!
//! A change makes the whole index anew: with 10,000 posts of 500 words (`benches/search.rs`) in some 130 ms of one thread, measured on
//! 2 cores that others used too. Changes that come meanwhile share the next one.

mod corpus;
mod documents;
mod index;
mod words;

use std::cmp::Ordering;

use index::{Hit, Index};

pub(crate) use corpus::Corpus;
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

/// What is searched. It never changes.
#[derive(Debug)]
pub(crate) struct SearchIndex(Index);

/// What a query found, best first.
#[derive(Debug)]
pub(crate) struct Results {
    pub(crate) entries: Vec<Entry>,
    /// What was searched for instead; empty when the words exist.
    pub(crate) corrected: String,
}

impl SearchIndex {
    /// A millisecond or more when most words exist nowhere: not for a thread of the runtime.
    pub(crate) fn search(&self, query: &str) -> Results {
        let found = self.0.search(query);
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
        self.0.sizes()
    }
}

/// What the words of texts are compared by, each once, in their order; words that tell nothing are left out.
pub(crate) fn terms<'a>(texts: impl IntoIterator<Item = &'a str>, terms_max: usize) -> Vec<String> {
    let mut terms = Vec::new();
    let words = texts.into_iter().flat_map(words::words);
    for word in words.filter(|word| !words::is_stopword(word)) {
        let term = words::term(&word);
        if terms.len() < terms_max && !terms.contains(&term) {
            terms.push(term);
        }
    }
    terms
}

fn better(one: &Hit<'_>, other: &Hit<'_>) -> Ordering {
    other
        .score
        .total_cmp(&one.score)
        .then_with(|| one.entry.kind.cmp(&other.entry.kind))
        .then_with(|| one.entry.key.cmp(&other.entry.key))
}

#[cfg(test)]
mod tests;
