//! Phrases, synonyms and fillers: what search knows beyond the texts of the pages. Phrases are compared by their terms,
//! in any order and without stop words.

use std::collections::{HashMap, HashSet};

use super::words;
use crate::files::search::SearchTable;

/// Maximum significant words of a phrase; longer ones never match.
pub(super) const PHRASE_WORDS_MAX: usize = 5;

#[derive(Debug, Default)]
pub(super) struct Guide {
    /// Stop words.
    fillers: HashSet<String>,
    /// Words with the same meaning, by phrase key.
    synonyms: HashMap<String, Vec<String>>,
    /// Terms of the synonyms: known words, even if no document has them.
    terms: HashSet<String>,
}

impl Guide {
    pub(super) fn new(table: &SearchTable) -> Self {
        let mut guide = Self::default();
        for filler in &table.fillers {
            guide.fillers.extend(terms(filler));
        }
        for (phrase, means) in &table.synonyms {
            guide.terms.extend(terms(phrase));
            guide
                .synonyms
                .insert(phrase_key(phrase), significant(means));
        }
        guide
    }

    pub(super) fn is_filler(&self, term: &str) -> bool {
        self.fillers.contains(term)
    }

    pub(super) fn knows(&self, term: &str) -> bool {
        self.terms.contains(term) || self.fillers.contains(term)
    }

    /// Returns the longest phrase at the start of `terms` that has a synonym: its length and the words that mean the
    /// same.
    pub(super) fn synonym(&self, terms: &[&str]) -> Option<(usize, &[String])> {
        let longest = terms.len().min(PHRASE_WORDS_MAX);
        (1..=longest).rev().find_map(|length| {
            let means = self.synonyms.get(&key(&terms[..length]))?;
            Some((length, means.as_slice()))
        })
    }
}

/// Returns the key of a phrase; empty if it has stop words only.
pub(super) fn phrase_key(phrase: &str) -> String {
    let terms = terms(phrase);
    key(&terms.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Returns the key of terms, which doesn't depend on their order.
pub(super) fn key(terms: &[&str]) -> String {
    let mut terms = terms.to_vec();
    terms.sort_unstable();
    terms.join(" ")
}

fn terms(text: &str) -> Vec<String> {
    significant(text)
        .iter()
        .map(|word| words::term(word))
        .collect()
}

fn significant(text: &str) -> Vec<String> {
    let words = words::words(text).into_iter();
    words.filter(|word| !words::is_stopword(word)).collect()
}
