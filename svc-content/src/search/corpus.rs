//! Words of every document. The index is rebuilt from them at each change, so a removed document leaves nothing behind.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use super::{
    documents::{self, Document, Entry, TITLE_WEIGHT},
    guide::{self, Guide},
    index::{self, Index, Term, Weighted},
    words,
};
use crate::domain::Content;

/// Maximum distinct terms per document. Of a longer document, only the beginning is searchable.
const TERMS_PER_DOCUMENT_MAX: usize = 400;
/// Maximum distinct words of all documents. Later words are not searchable; without a limit, made-up words could
/// exhaust the memory.
const WORDS_MAX: usize = 200_000;
/// Maximum documents; later ones are not searchable.
const DOCUMENTS_MAX: usize = 100_000;

type WordId = u32;

#[derive(Debug)]
struct Word {
    text: Arc<str>,
    /// Normalised form used for comparison.
    term: Arc<str>,
}

#[derive(Debug)]
struct Source {
    entry: Arc<Entry>,
    /// Score multiplier.
    boost: f32,
    title_terms: u16,
    /// Keys of the phrases that lead to it.
    phrases: Box<[String]>,
    /// Word ids, one for each term of the document.
    words: Box<[Weighted]>,
}

/// Documents by key. Memory: 4 bytes per term of a document and about 100 per word.
#[derive(Debug, Default)]
pub(crate) struct Corpus {
    words: Vec<Word>,
    numbers: HashMap<Arc<str>, WordId>,
    documents: BTreeMap<String, Source>,
    guide: Arc<Guide>,
}

impl Corpus {
    /// Returns the corpus of all content that comes from the files.
    pub(crate) fn new(content: &Content) -> Self {
        let mut corpus = Self {
            guide: Arc::new(Guide::new(&content.search)),
            ..Self::default()
        };
        for document in documents::of_content(content) {
            corpus.put(&document);
        }
        corpus
    }

    /// Adds a document or replaces the one with its key.
    pub(crate) fn put(&mut self, document: &Document) {
        let entry = &document.entry;
        self.documents.remove(&entry.key);
        if self.documents.len() >= DOCUMENTS_MAX {
            return;
        }
        let weights = weigh(document);
        let title_terms = weights
            .values()
            .filter(|(weight, _)| *weight >= TITLE_WEIGHT);
        let title_terms = u16::try_from(title_terms.count()).unwrap_or(u16::MAX);
        let words = weights
            .into_iter()
            .filter_map(|(term, (weight, word))| {
                Some(Weighted::new(self.number(&term, &word)?, weight))
            })
            .collect();
        let source = Source {
            entry: Arc::new(entry.clone()),
            boost: entry.kind.boost(),
            title_terms,
            phrases: document
                .phrases
                .iter()
                .map(|text| guide::phrase_key(text))
                .collect(),
            words,
        };
        self.documents.insert(entry.key.clone(), source);
    }

    pub(crate) fn remove(&mut self, key: &str) {
        self.documents.remove(key);
    }

    fn number(&mut self, term: &str, word: &str) -> Option<WordId> {
        if let Some(number) = self.numbers.get(word) {
            return Some(*number);
        }
        if self.words.len() >= WORDS_MAX {
            return None;
        }
        let number = WordId::try_from(self.words.len()).ok()?;
        let text: Arc<str> = word.into();
        self.words.push(Word {
            text: Arc::clone(&text),
            term: term.into(),
        });
        self.numbers.insert(text, number);
        Some(number)
    }

    /// Builds an index of the current documents. Takes about ten milliseconds per thousand posts, so it must not run on
    /// a runtime thread.
    pub(crate) fn index(&mut self) -> super::SearchIndex {
        self.forget_unused_words();
        let (mut terms, term_of) = self.terms();
        self.spell(&mut terms, &term_of);
        let mut counts = vec![0; terms.len()];
        for word in self.documents.values().flat_map(|source| &source.words) {
            counts[term_of[word.number()]] += 1;
        }
        let mut end = 0;
        for (term, count) in terms.iter_mut().zip(counts) {
            term.postings = end..end + count;
            end += count;
        }
        // Where the next posting of each term goes.
        let mut next: Vec<usize> = terms.iter().map(|term| term.postings.start).collect();
        let mut postings = vec![Weighted::default(); end];
        let mut documents = Vec::with_capacity(self.documents.len());
        let mut phrases: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, source) in (0..).zip(self.documents.values()) {
            for word in &source.words {
                let at = &mut next[term_of[word.number()]];
                postings[*at] = Weighted::new(number, word.weight());
                *at += 1;
            }
            for phrase in &source.phrases {
                phrases
                    .entry(phrase.clone())
                    .or_default()
                    .push(documents.len());
            }
            documents.push(index::Document {
                entry: Arc::clone(&source.entry),
                boost: source.boost,
                title_terms: source.title_terms,
            });
        }
        super::SearchIndex(Index {
            documents,
            terms,
            postings,
            phrases,
            guide: Arc::clone(&self.guide),
        })
    }

    /// Returns the terms in text order, and the term of each word.
    fn terms(&self) -> (Vec<Term>, Vec<usize>) {
        let mut order: Vec<usize> = (0..self.words.len()).collect();
        order.sort_unstable_by_key(|number| &self.words[*number].term);
        let mut terms: Vec<Term> = Vec::new();
        let mut term_of = vec![0; self.words.len()];
        for number in order {
            let word = &self.words[number];
            if terms.last().is_none_or(|term| term.text != word.term) {
                terms.push(Term::new(Arc::clone(&word.term), Arc::clone(&word.text)));
            }
            term_of[number] = terms.len() - 1;
        }
        (terms, term_of)
    }

    /// Sums up the weights of the terms, and gives each its most frequent spelling.
    fn spell(&self, terms: &mut [Term], term_of: &[usize]) {
        let mut weights = vec![0_u64; self.words.len()];
        for word in self.documents.values().flat_map(|source| &source.words) {
            let weight = u64::from(word.weight());
            weights[word.number()] += weight;
            terms[term_of[word.number()]].weight += weight;
        }
        let mut best = vec![0_u64; terms.len()];
        for (number, word) in self.words.iter().enumerate() {
            let at = term_of[number];
            let (weight, spelling) = (weights[number], &mut terms[at].word);
            if weight > best[at] || (weight == best[at] && word.text < *spelling) {
                best[at] = weight;
                *spelling = Arc::clone(&word.text);
            }
        }
    }

    fn forget_unused_words(&mut self) {
        let mut is_used = vec![false; self.words.len()];
        for word in self.documents.values().flat_map(|source| &source.words) {
            is_used[word.number()] = true;
        }
        if is_used.iter().all(|is_used| *is_used) {
            return;
        }
        let mut renumbered: Vec<WordId> = vec![0; self.words.len()];
        let used = is_used.iter().enumerate().filter(|(_, is_used)| **is_used);
        for ((number, _), next) in used.zip(0..) {
            renumbered[number] = next;
        }
        let mut is_kept = is_used.iter();
        self.words
            .retain(|_| is_kept.next().is_some_and(|is_used| *is_used));
        for source in self.documents.values_mut() {
            for word in &mut source.words {
                *word = Weighted::new(renumbered[word.number()], word.weight());
            }
        }
        let numbers = self.words.iter().zip(0..);
        self.numbers = numbers
            .map(|(word, number)| (Arc::clone(&word.text), number))
            .collect();
    }

    #[cfg(test)]
    pub(super) fn word_count(&self) -> usize {
        self.words.len()
    }
}

/// Returns the weight of each term, with one of its spellings.
fn weigh(document: &Document) -> HashMap<String, (u8, String)> {
    let mut weights: HashMap<String, (u8, String)> = HashMap::new();
    for (weight, text) in document.texts() {
        for word in words::words(text) {
            if words::is_stopword(&word) {
                continue;
            }
            let term = words::term(&word);
            if let Some((own, _)) = weights.get_mut(&term) {
                // Repetitions in the body raise the weight a little, but never to that of a title.
                *own = if *own >= TITLE_WEIGHT {
                    own.saturating_add(weight)
                } else if weight >= TITLE_WEIGHT {
                    weight
                } else {
                    own.saturating_add(weight).min(TITLE_WEIGHT - 1)
                };
            } else if weights.len() < TERMS_PER_DOCUMENT_MAX {
                weights.insert(term, (weight, word));
            }
        }
    }
    weights
}
