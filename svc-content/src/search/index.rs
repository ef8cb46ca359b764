//! An immutable inverted index, searched without locks and replaced as a whole.

use std::{cmp::Reverse, collections::HashMap, ops::Range, sync::Arc};

use super::{
    documents::{Entry, TITLE_WEIGHT},
    guide::{self, Guide},
    terms, words,
};

/// Maximum words of a query; the rest is ignored.
const QUERY_WORDS_MAX: usize = 12;
/// Maximum terms that a misspelt or unfinished query word may match.
const CANDIDATES_MAX: usize = 12;
/// Minimum length of a word for prefix matches and for fuzzy matches, in characters.
const UNFINISHED_CHARS_MIN: usize = 3;
const MISSPELT_CHARS_MIN: usize = 4;
/// Minimum length at which two errors are allowed, in characters.
const TWICE_MISSPELT_CHARS_MIN: usize = 7;

/// Positions in the index's lists.
type DocumentId = usize;
type TermId = usize;

/// A document of the index, with the entry to return.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) entry: Arc<Entry>,
    /// Score multiplier.
    pub(super) boost: f32,
    pub(super) title_terms: u16,
}

/// A number (of a document or a word) in 24 bits and a weight in 8. Compact, because the corpus holds many of them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Weighted(u32);

impl Weighted {
    pub(super) fn new(number: u32, weight: u8) -> Self {
        Self(number << 8 | u32::from(weight))
    }

    pub(super) fn number(self) -> usize {
        (self.0 >> 8) as usize
    }

    pub(super) fn weight(self) -> u8 {
        self.0.to_le_bytes()[0]
    }
}

#[derive(Debug)]
pub(super) struct Term {
    pub(super) text: Arc<str>,
    /// Most frequent spelling.
    pub(super) word: Arc<str>,
    chars: usize,
    /// Bloom-style mask with a bit per character: two terms that differ in n characters differ in at most 2 n bits.
    letters: u64,
    /// Total weight over all documents.
    pub(super) weight: u64,
    /// Range of its documents in `postings`.
    pub(super) postings: Range<usize>,
}

impl Term {
    pub(super) fn new(text: Arc<str>, word: Arc<str>) -> Self {
        Self {
            chars: text.chars().count(),
            letters: letters(&text),
            text,
            word,
            weight: 0,
            postings: 0..0,
        }
    }
}

#[derive(Debug)]
pub(super) struct Index {
    pub(super) documents: Vec<Document>,
    /// Sorted by text; each occurs in at least one document.
    pub(super) terms: Vec<Term>,
    pub(super) postings: Vec<Weighted>,
    /// Documents by the key of a phrase that leads to them.
    pub(super) phrases: HashMap<String, Vec<DocumentId>>,
    pub(super) guide: Arc<Guide>,
}

/// A matching document.
#[derive(Debug)]
pub(super) struct Hit<'a> {
    pub(super) entry: &'a Entry,
    pub(super) score: f32,
    /// Number of query words that match.
    pub(super) matched: usize,
    /// Whether a phrase of the query leads to it.
    pub(super) is_lead: bool,
}

/// Result of a query.
#[derive(Debug)]
pub(super) struct Found<'a> {
    /// Unordered.
    pub(super) hits: Vec<Hit<'a>>,
    /// The query with unknown words replaced; `None` if there were none.
    pub(super) corrected: Option<String>,
}

/// Interpretation of a query word.
struct Meaning {
    /// Matching terms and their score factors.
    terms: Vec<(TermId, f32)>,
    /// Correction of a misspelt word.
    instead: Option<TermId>,
}

/// A word of a query.
struct QueryWord {
    text: String,
    term: String,
    meaning: Meaning,
    is_filler: bool,
}

/// Match of a query word in a document.
#[derive(Default)]
struct WordMatch {
    /// Highest score of the word's terms.
    score: f32,
    /// Whether any of its terms is in the title.
    is_in_title: bool,
}

impl Index {
    /// Returns every document that matches at least one word of the query, or to which a phrase leads.
    pub(super) fn search(&self, query: &str) -> Found<'_> {
        let mut words = self.query_words(query);
        let leads = self.leads(&words);
        if words.iter().any(|word| !word.is_filler) {
            words.retain(|word| !word.is_filler);
        }
        let is_corrected = words.iter().any(|word| word.meaning.instead.is_some());
        let corrected = is_corrected.then(|| {
            let said = words.iter().map(|word| match word.meaning.instead {
                Some(term) => self.terms[term].word.as_ref(),
                None => word.text.as_str(),
            });
            said.collect::<Vec<_>>().join(" ")
        });
        let meanings = self.with_synonyms(words);
        Found {
            hits: self.hits(&meanings, &leads),
            corrected,
        }
    }

    /// Returns the words without stop words, or all words if only stop words are left.
    fn query_words(&self, query: &str) -> Vec<QueryWord> {
        let is_known = |term: &str| self.term(term).is_some() || self.guide.knows(term);
        let all = terms::in_english(words::words(query), is_known);
        let mut telling: Vec<String> = all.clone();
        telling.retain(|word| !words::is_stopword(word));
        if telling.is_empty() {
            telling = all;
        }
        telling.truncate(QUERY_WORDS_MAX);
        let last = telling.len().saturating_sub(1);
        let words = telling.into_iter().enumerate().map(|(at, text)| {
            let term = words::term(&text);
            QueryWord {
                meaning: self.meaning(&term, at == last),
                is_filler: self.guide.is_filler(&term),
                text,
                term,
            }
        });
        words.collect()
    }

    /// Returns the documents to which the longest phrase within the query leads. A phrase that is the whole query counts
    /// more. Fillers may be part of a phrase or stand between its words.
    fn leads(&self, words: &[QueryWord]) -> HashMap<DocumentId, usize> {
        let term = |word: &QueryWord| match word.meaning.instead {
            Some(term) => self.terms[term].text.to_string(),
            None => word.term.clone(),
        };
        let all: Vec<String> = words.iter().map(term).collect();
        let telling = words.iter().filter(|word| !word.is_filler);
        let telling: Vec<String> = telling.map(term).collect();
        let mut leads = HashMap::new();
        for terms in [all, telling] {
            let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
            for length in 1..=terms.len().min(guide::PHRASE_WORDS_MAX) {
                let strength = 2 * length + usize::from(length == terms.len());
                let found = terms.windows(length).map(guide::key);
                let found = found.filter_map(|key| self.phrases.get(&key));
                for document in found.flatten() {
                    let own = leads.entry(*document).or_default();
                    *own = strength.max(*own);
                }
            }
        }
        let most = leads.values().copied().max();
        leads.retain(|_, strength| Some(*strength) == most);
        leads
    }

    /// Adds to each phrase with a synonym the words that mean the same.
    fn with_synonyms(&self, words: Vec<QueryWord>) -> Vec<Meaning> {
        let mut meanings = Vec::new();
        let mut rest = words;
        while !rest.is_empty() {
            let terms: Vec<&str> = rest.iter().map(|word| word.term.as_str()).collect();
            let Some((length, means)) = self.guide.synonym(&terms) else {
                meanings.push(rest.remove(0).meaning);
                continue;
            };
            let own = rest.drain(..length).flat_map(|word| word.meaning.terms);
            let own: Vec<_> = own.collect();
            for word in means {
                let term = self.term(&words::term(word));
                let mut terms = own.clone();
                terms.extend(term.map(|term| (term, 1.0)));
                meanings.push(Meaning {
                    terms,
                    instead: None,
                });
            }
        }
        meanings
    }

    fn hits(&self, meanings: &[Meaning], leads: &HashMap<DocumentId, usize>) -> Vec<Hit<'_>> {
        #[derive(Default)]
        struct Tally {
            score: f32,
            matched: usize,
            in_title: u16,
        }
        let mut tallies: HashMap<DocumentId, Tally> = HashMap::new();
        for meaning in meanings {
            for (document, found) in self.word_matches(meaning) {
                let tally = tallies.entry(document).or_default();
                tally.score += found.score;
                tally.matched += 1;
                tally.in_title += u16::from(found.is_in_title);
            }
        }
        for document in leads.keys() {
            tallies.entry(*document).or_default();
        }
        tallies
            .into_iter()
            .filter_map(|(id, tally)| {
                let document = self.documents.get(id)?;
                // A title that equals the query ranks first.
                let share = f32::from(tally.in_title) / f32::from(document.title_terms.max(1));
                Some(Hit {
                    entry: &document.entry,
                    score: tally.score * document.boost * (1.0 + share.min(1.0)),
                    matched: tally.matched,
                    is_lead: leads.contains_key(&id),
                })
            })
            .collect()
    }

    /// Returns the matches of a query word by document.
    fn word_matches(&self, meaning: &Meaning) -> HashMap<DocumentId, WordMatch> {
        let mut matches: HashMap<DocumentId, WordMatch> = HashMap::new();
        for (term, factor) in &meaning.terms {
            let postings = &self.postings[self.terms[*term].postings.clone()];
            let rarity = self.rarity(postings.len());
            for posting in postings {
                let own = matches.entry(posting.number()).or_default();
                let score = factor * rarity * f32::from(posting.weight());
                own.score = own.score.max(score);
                own.is_in_title |= posting.weight() >= TITLE_WEIGHT;
            }
        }
        matches
    }

    /// Returns a weight that is higher for terms in few documents.
    fn rarity(&self, documents: usize) -> f32 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "a ranking needs no exact counts"
        )]
        let share = self.documents.len() as f32 / documents.max(1) as f32;
        (1.0 + share).ln()
    }

    /// Returns the exact term, otherwise terms with this prefix, otherwise similar terms. The last word of a query also
    /// matches as a prefix.
    fn meaning(&self, text: &str, may_be_unfinished: bool) -> Meaning {
        let exact = self.term(text);
        let mut terms: Vec<_> = exact.map(|term| (term, 1.0)).into_iter().collect();
        if exact.is_none() || may_be_unfinished {
            let unfinished = self.beginning_with(text).into_iter();
            terms.extend(unfinished.map(|term| (term, 0.4)));
        }
        if !terms.is_empty() || self.guide.knows(text) {
            return Meaning {
                terms,
                instead: None,
            };
        }
        let near = self.near(text);
        let instead = near.first().map(|(term, _)| *term);
        Meaning {
            terms: near,
            instead,
        }
    }

    fn term(&self, text: &str) -> Option<TermId> {
        let at = self
            .terms
            .binary_search_by(|term| term.text.as_ref().cmp(text));
        at.ok()
    }

    /// Returns longer terms with this prefix, highest weight first.
    fn beginning_with(&self, text: &str) -> Vec<TermId> {
        if text.chars().count() < UNFINISHED_CHARS_MIN {
            return Vec::new();
        }
        let start = self
            .terms
            .partition_point(|term| term.text.as_ref() <= text);
        let longer = self.terms[start..]
            .iter()
            .take_while(|term| term.text.starts_with(text));
        let mut longer: Vec<TermId> = (start..).zip(longer).map(|(id, _)| id).collect();
        longer.sort_by_key(|id| (Reverse(self.terms[*id].weight), *id));
        longer.truncate(CANDIDATES_MAX);
        longer
    }

    /// Returns the terms with the smallest edit distance, highest weight first.
    fn near(&self, text: &str) -> Vec<(TermId, f32)> {
        let chars = text.chars().count();
        if chars < MISSPELT_CHARS_MIN {
            return Vec::new();
        }
        let wrong_max = if chars < TWICE_MISSPELT_CHARS_MIN {
            1
        } else {
            2
        };
        let own_letters = letters(text);
        let mut near: Vec<(usize, TermId)> = Vec::new();
        for (id, term) in self.terms.iter().enumerate() {
            let differing = (term.letters ^ own_letters).count_ones() as usize;
            if term.chars.abs_diff(chars) > wrong_max || differing > 2 * wrong_max {
                continue;
            }
            let wrong = strsim::osa_distance(&term.text, text);
            if wrong <= wrong_max {
                near.push((wrong, id));
            }
        }
        let fewest = near.iter().map(|(wrong, _)| *wrong).min();
        near.retain(|(wrong, _)| Some(*wrong) == fewest);
        near.sort_by_key(|(_, id)| (Reverse(self.terms[*id].weight), *id));
        near.truncate(CANDIDATES_MAX);
        near.into_iter().map(|(_, term)| (term, 0.6)).collect()
    }

    /// Returns the numbers of documents, terms and postings.
    pub(super) fn sizes(&self) -> (usize, usize, usize) {
        (self.documents.len(), self.terms.len(), self.postings.len())
    }
}

fn letters(text: &str) -> u64 {
    text.chars().fold(0, |bits, character| {
        bits | 1_u64 << (u32::from(character) % 64)
    })
}
