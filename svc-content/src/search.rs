//! Search over everything that has a page. Tolerates typing errors and spelling variants. No query leaves the process.
//!
//! Memory is bounded. A document has at most 400 terms, of 4 bytes each in the index and in its corpus. All documents
//! have at most 200,000 words, of about 200 bytes each. The displayed titles and summaries are kept too.
//!
//! Every change rebuilds the whole index. With 10,000 posts of 500 words (`benches/search.rs`) a rebuild took about 130
//! ms of one thread, measured on a busy machine with 2 cores. Changes that arrive during a rebuild share the next one.

mod corpus;
mod documents;
mod guide;
mod index;
mod scripts;
mod terms;
mod words;

use std::{cmp::Ordering, collections::HashSet};

use documents::TASK_KEY;
use index::{Hit, Index};

pub(crate) use corpus::Corpus;
pub(crate) use documents::{Entry, Kind, of_post, translated_entries};

/// Maximum results of a query over all pages.
const RESULTS_MAX: usize = 200;
/// Immutable search index.
#[derive(Debug)]
pub(crate) struct SearchIndex(Index);

/// Results of a query, best first.
#[derive(Debug)]
pub(crate) struct Results {
    pub(crate) entries: Vec<Entry>,
    /// Corrected query; empty if all words exist.
    pub(crate) corrected: String,
}

impl SearchIndex {
    /// Searches the index. Takes a millisecond or more if most words are unknown, so it must not run on a runtime
    /// thread.
    pub(crate) fn search(&self, query: &str) -> Results {
        let found = self.0.search(query);
        let mut hits = found.hits;
        // Keep the hits to which a phrase leads, and those with the most query words.
        let most = hits.iter().map(|hit| hit.matched).max().unwrap_or(0);
        hits.retain(|hit| hit.matched == most || hit.is_lead);
        hits.sort_by(better);
        let mut entries: Vec<Entry> = Vec::new();
        let mut seen = HashSet::new();
        for hit in hits {
            // A task may lead to a page that is found too.
            let path = hit.entry.key.trim_start_matches(TASK_KEY);
            if entries.len() < RESULTS_MAX && seen.insert(path) {
                let key = path.to_owned();
                entries.push(Entry {
                    key,
                    ..hit.entry.clone()
                });
            }
        }
        Results {
            entries,
            corrected: found.corrected.filter(|_| most > 0).unwrap_or_default(),
        }
    }

    pub(crate) fn sizes(&self) -> (usize, usize, usize) {
        self.0.sizes()
    }
}

/// Returns the distinct terms of texts, in order and without stop words.
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

/// Returns for each text whether it has most of a query's telling words, compared with the other texts. The query may be in
/// any language of the site, the texts are in English.
pub(crate) fn best(query: &str, texts: &[Vec<&str>]) -> Vec<bool> {
    let texts = texts.iter().map(|text| {
        let words = text.iter().flat_map(|line| words::words(line));
        words.map(|word| words::term(&word)).collect()
    });
    let texts: Vec<HashSet<String>> = texts.collect();
    let is_known = |term: &str| texts.iter().any(|text| text.contains(term));
    let query = terms::in_english(words::words(query), is_known);
    let query: HashSet<String> = query
        .iter()
        .filter(|word| !words::is_stopword(word))
        .map(|word| words::term(word))
        .collect();
    let counts = texts
        .iter()
        .map(|text| query.iter().filter(|term| text.contains(*term)).count());
    let counts: Vec<usize> = counts.collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    counts
        .into_iter()
        .map(|count| count > 0 && count == most)
        .collect()
}

fn better(one: &Hit<'_>, other: &Hit<'_>) -> Ordering {
    let by_lead = other.is_lead.cmp(&one.is_lead);
    let by_lead = by_lead.then_with(|| {
        if one.is_lead && other.is_lead {
            one.entry.kind.cmp(&other.entry.kind)
        } else {
            Ordering::Equal
        }
    });
    // First aid comes first, then tasks.
    by_lead
        .then_with(|| other.score.total_cmp(&one.score))
        .then_with(|| one.entry.kind.cmp(&other.entry.kind))
        .then_with(|| one.entry.key.cmp(&other.entry.key))
}

#[cfg(test)]
mod tests;
