//! An immutable inverted index: searched without a lock, replaced as a whole.

use std::{cmp::Reverse, collections::HashMap, ops::Range, sync::Arc};

use super::{Entry, words};

/// Words of a query that count.
const QUERY_WORDS_MAX: usize = 12;
/// Terms that a misspelt or unfinished word of a query may stand for.
const CANDIDATES_MAX: usize = 12;
/// Shortest word that may be unfinished, and that may be misspelt, in letters.
const UNFINISHED_CHARS_MIN: usize = 3;
const MISSPELT_CHARS_MIN: usize = 4;
/// From so many letters on, two of them may be wrong.
const TWICE_MISSPELT_CHARS_MIN: usize = 7;

/// How much a term counts by where it stands.
pub(super) const TITLE_WEIGHT: u8 = 40;
pub(super) const KEYWORD_WEIGHT: u8 = 30;
pub(super) const SUMMARY_WEIGHT: u8 = 10;
pub(super) const BODY_WEIGHT: u8 = 2;

/// Places in the index's lists.
type DocumentId = usize;
type TermId = usize;

/// A document of the index, with what the caller wants back for it.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) entry: Arc<Entry>,
    /// What its score is multiplied by.
    pub(super) boost: f32,
    pub(super) title_terms: u16,
}

/// A number (of a document or a word) in 24 bits and a weight in 8: the corpus holds many of them.
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
    /// How it is spelt mostly.
    pub(super) word: Arc<str>,
    chars: usize,
    /// A bit for each letter and digit in it: two terms that differ in n letters differ in at most 2 n bits.
    letters: u64,
    /// How much it counts in all documents together.
    pub(super) weight: u64,
    /// Where its documents are.
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
    /// In the order of their texts; each has a document.
    pub(super) terms: Vec<Term>,
    pub(super) postings: Vec<Weighted>,
}

/// A document that was found.
#[derive(Debug)]
pub(super) struct Hit<'a> {
    pub(super) entry: &'a Entry,
    pub(super) score: f32,
    /// Words of the query that it has.
    pub(super) matched: usize,
}

/// What a query found.
#[derive(Debug)]
pub(super) struct Found<'a> {
    /// In no order.
    pub(super) hits: Vec<Hit<'a>>,
    /// The query with words that exist, where it had some that do not.
    pub(super) corrected: Option<String>,
}

/// What a word of the query may stand for.
struct Meaning {
    /// Terms, and how much they count.
    terms: Vec<(TermId, f32)>,
    /// The word that it was taken for.
    instead: Option<String>,
}

impl Index {
    /// Every document that has at least one word of the query.
    pub(super) fn search(&self, query: &str) -> Found<'_> {
        let words = query_words(query);
        let last = words.len().saturating_sub(1);
        let meanings: Vec<Meaning> = words
            .iter()
            .enumerate()
            .map(|(at, word)| self.meaning(word, at == last))
            .collect();
        let corrected = meanings
            .iter()
            .any(|meaning| meaning.instead.is_some())
            .then(|| {
                let said = words.iter().zip(&meanings);
                let said = said.map(|(word, meaning)| meaning.instead.as_deref().unwrap_or(word));
                said.collect::<Vec<_>>().join(" ")
            });
        Found {
            hits: self.hits(&meanings),
            corrected,
        }
    }

    fn hits(&self, meanings: &[Meaning]) -> Vec<Hit<'_>> {
        #[derive(Default)]
        struct Tally {
            score: f32,
            matched: usize,
            in_title: u16,
        }
        let mut tallies: HashMap<DocumentId, Tally> = HashMap::new();
        for meaning in meanings {
            let mut best: HashMap<DocumentId, (f32, bool)> = HashMap::new();
            for (term, factor) in &meaning.terms {
                let postings = &self.postings[self.terms[*term].postings.clone()];
                let rarity = self.rarity(postings.len());
                for posting in postings {
                    let score = factor * rarity * f32::from(posting.weight());
                    let in_title = posting.weight() >= TITLE_WEIGHT;
                    let own = best.entry(posting.number()).or_default();
                    own.0 = own.0.max(score);
                    own.1 |= in_title;
                }
            }
            for (document, (score, in_title)) in best {
                let tally = tallies.entry(document).or_default();
                tally.score += score;
                tally.matched += 1;
                tally.in_title += u16::from(in_title);
            }
        }
        tallies
            .into_iter()
            .filter_map(|(id, tally)| {
                let document = self.documents.get(id)?;
                // A title that is just what was typed comes first.
                let share = f32::from(tally.in_title) / f32::from(document.title_terms.max(1));
                Some(Hit {
                    entry: &document.entry,
                    score: tally.score * document.boost * (1.0 + share.min(1.0)),
                    matched: tally.matched,
                })
            })
            .collect()
    }

    /// More for terms that few documents have.
    fn rarity(&self, documents: usize) -> f32 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "a ranking needs no exact counts"
        )]
        let share = self.documents.len() as f32 / documents.max(1) as f32;
        (1.0 + share).ln()
    }

    /// The term itself; else those that begin with it; else those that it is nearly.
    fn meaning(&self, word: &str, may_be_unfinished: bool) -> Meaning {
        let text = words::term(word);
        let exact = self.term(&text);
        let mut terms: Vec<_> = exact.map(|term| (term, 1.0)).into_iter().collect();
        if exact.is_none() || may_be_unfinished {
            let unfinished = self.beginning_with(&text).into_iter();
            terms.extend(unfinished.map(|term| (term, 0.4)));
        }
        if !terms.is_empty() {
            return Meaning {
                terms,
                instead: None,
            };
        }
        let near = self.near(&text);
        let instead = near
            .first()
            .map(|(term, _)| self.terms[*term].word.to_string());
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

    /// Longer terms that begin with it, those that count most.
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

    /// Terms with the fewest letters wrong, those that count most first.
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

    /// Documents, terms and postings.
    pub(super) fn sizes(&self) -> (usize, usize, usize) {
        (self.documents.len(), self.terms.len(), self.postings.len())
    }
}

/// Words that count; all of them when none does.
fn query_words(query: &str) -> Vec<String> {
    let all = words::words(query);
    let mut telling: Vec<String> = all
        .iter()
        .filter(|word| !words::is_stopword(word))
        .cloned()
        .collect();
    if telling.is_empty() {
        telling = all;
    }
    telling.truncate(QUERY_WORDS_MAX);
    telling
}

fn letters(text: &str) -> u64 {
    text.chars().fold(0, |bits, character| {
        bits | 1_u64 << (u32::from(character) % 64)
    })
}
