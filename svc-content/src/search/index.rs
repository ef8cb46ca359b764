//! An inverted index in memory, of documents that come and go.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::words;

/// Most different terms of one document: of a very long one, the beginning is found.
const TERMS_PER_DOCUMENT_MAX: usize = 400;
/// Most different terms of all documents. Later ones are not found: without a bound, made-up words could fill the memory.
const TERMS_MAX: usize = 200_000;
/// Documents that may be gone and still have postings, before they are swept out.
const GONE_MAX: usize = 256;
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

type DocumentId = u32;
type TermId = u32;

/// A document of the index, with what the caller wants back for it.
#[derive(Debug)]
struct Document<T> {
    entry: T,
    /// What its score is multiplied by.
    boost: f32,
    title_terms: u16,
}

/// A term in one document: 24 bits of the document's number, 8 bits of weight. A whole corpus of them is kept.
#[derive(Debug, Clone, Copy)]
struct Posting(u32);

impl Posting {
    const DOCUMENTS_MAX: usize = 1 << 24;

    fn new(document: DocumentId, weight: u8) -> Self {
        Self(document << 8 | u32::from(weight))
    }

    fn document(self) -> DocumentId {
        self.0 >> 8
    }

    fn weight(self) -> u8 {
        self.0.to_le_bytes()[0]
    }
}

#[derive(Debug)]
struct Term {
    text: String,
    /// The word that it was first seen as.
    word: String,
    chars: usize,
    /// A bit for each letter and digit in it: two terms that differ in n letters differ in at most 2 n bits.
    letters: u64,
    postings: Vec<Posting>,
}

/// Texts of a document, by how much they count.
#[derive(Debug, Default)]
pub(super) struct Texts<'a>(pub(super) Vec<(u8, &'a str)>);

#[derive(Debug)]
pub(super) struct Index<T> {
    documents: Vec<Option<Document<T>>>,
    free: Vec<DocumentId>,
    /// Gone, but still in postings.
    gone: HashSet<DocumentId>,
    terms: Vec<Term>,
    by_text: BTreeMap<String, TermId>,
}

/// A document that was found.
#[derive(Debug)]
pub(super) struct Hit<'a, T> {
    pub(super) entry: &'a T,
    pub(super) score: f32,
    /// Words of the query that it has.
    pub(super) matched: usize,
}

/// What a query found.
#[derive(Debug)]
pub(super) struct Found<'a, T> {
    /// In no order.
    pub(super) hits: Vec<Hit<'a, T>>,
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

impl<T> Index<T> {
    pub(super) fn new() -> Self {
        Self {
            documents: Vec::new(),
            free: Vec::new(),
            gone: HashSet::new(),
            terms: Vec::new(),
            by_text: BTreeMap::new(),
        }
    }

    /// The number by which it can be removed; `None` when the index is full.
    pub(super) fn add(&mut self, entry: T, boost: f32, texts: &Texts<'_>) -> Option<DocumentId> {
        let weights = weigh(texts);
        let is_title = |weight: &u8| *weight >= TITLE_WEIGHT;
        let title_terms = weights
            .values()
            .filter(|(weight, _)| is_title(weight))
            .count();
        let document = Document {
            entry,
            boost,
            title_terms: u16::try_from(title_terms).unwrap_or(u16::MAX),
        };
        let id = if let Some(id) = self.free.pop() {
            self.documents[id as usize] = Some(document);
            id
        } else {
            if self.documents.len() >= Posting::DOCUMENTS_MAX {
                return None;
            }
            self.documents.push(Some(document));
            DocumentId::try_from(self.documents.len() - 1).ok()?
        };
        for (text, (weight, word)) in weights {
            if let Some(term) = self.term_of(text, word) {
                self.terms[term as usize]
                    .postings
                    .push(Posting::new(id, weight));
            }
        }
        Some(id)
    }

    pub(super) fn remove(&mut self, id: DocumentId) {
        if let Some(document) = self.documents.get_mut(id as usize)
            && document.take().is_some()
        {
            self.gone.insert(id);
        }
        if self.gone.len() >= GONE_MAX {
            self.sweep();
        }
    }

    fn sweep(&mut self) {
        for term in &mut self.terms {
            term.postings
                .retain(|posting| !self.gone.contains(&posting.document()));
        }
        self.free.extend(self.gone.drain());
    }

    fn term_of(&mut self, text: String, word: String) -> Option<TermId> {
        if let Some(term) = self.by_text.get(&text) {
            return Some(*term);
        }
        if self.terms.len() >= TERMS_MAX {
            return None;
        }
        let id = TermId::try_from(self.terms.len()).ok()?;
        self.terms.push(Term {
            chars: text.chars().count(),
            letters: letters(&text),
            word,
            postings: Vec::new(),
            text: text.clone(),
        });
        self.by_text.insert(text, id);
        Some(id)
    }

    /// Every document that has at least one word of the query.
    pub(super) fn search(&self, query: &str) -> Found<'_, T> {
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

    fn hits(&self, meanings: &[Meaning]) -> Vec<Hit<'_, T>> {
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
                let postings = &self.terms[*term as usize].postings;
                let rarity = self.rarity(postings.len());
                for posting in postings {
                    let score = factor * rarity * f32::from(posting.weight());
                    let in_title = posting.weight() >= TITLE_WEIGHT;
                    let own = best.entry(posting.document()).or_default();
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
                let document = self.documents.get(id as usize)?.as_ref()?;
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
        let exact = self.by_text.get(&text).filter(|term| self.is_used(**term));
        let mut terms: Vec<_> = exact.map(|term| (*term, 1.0)).into_iter().collect();
        if exact.is_none() || may_be_unfinished {
            terms.extend(self.beginning_with(&text).map(|term| (term, 0.4)));
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
            .map(|(term, _)| self.terms[*term as usize].word.clone());
        Meaning {
            terms: near,
            instead,
        }
    }

    fn is_used(&self, term: TermId) -> bool {
        !self.terms[term as usize].postings.is_empty()
    }

    fn beginning_with<'a>(&'a self, text: &'a str) -> impl Iterator<Item = TermId> + 'a {
        let is_long_enough = text.chars().count() >= UNFINISHED_CHARS_MIN;
        let from = text.to_owned();
        self.by_text
            .range(from..)
            .take_while(move |(other, _)| is_long_enough && other.starts_with(text))
            .filter(move |(other, term)| other.as_str() != text && self.is_used(**term))
            .map(|(_, term)| *term)
            .take(CANDIDATES_MAX)
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
        let mut near: Vec<(usize, u64, TermId)> = Vec::new();
        for (id, term) in (0..).zip(&self.terms) {
            let differing = (term.letters ^ own_letters).count_ones() as usize;
            if term.chars.abs_diff(chars) > wrong_max
                || differing > 2 * wrong_max
                || term.postings.is_empty()
            {
                continue;
            }
            let wrong = strsim::osa_distance(&term.text, text);
            if wrong <= wrong_max {
                let counts = term
                    .postings
                    .iter()
                    .map(|posting| u64::from(posting.weight()))
                    .sum();
                near.push((wrong, counts, id));
            }
        }
        let fewest = near.iter().map(|(wrong, _, _)| *wrong).min();
        near.retain(|(wrong, _, _)| Some(*wrong) == fewest);
        near.sort_by_key(|(_, counts, id)| (std::cmp::Reverse(*counts), *id));
        near.truncate(CANDIDATES_MAX);
        near.into_iter().map(|(_, _, term)| (term, 0.6)).collect()
    }

    /// Documents, terms and postings that are kept.
    pub(super) fn sizes(&self) -> (usize, usize, usize) {
        let documents = self.documents.iter().flatten().count();
        let postings = self.terms.iter().map(|term| term.postings.len()).sum();
        (documents, self.terms.len(), postings)
    }
}

/// Weights of the terms, each with the word that it stands for.
fn weigh(texts: &Texts<'_>) -> HashMap<String, (u8, String)> {
    let mut weights: HashMap<String, (u8, String)> = HashMap::new();
    for (weight, text) in &texts.0 {
        for word in words::words(text) {
            if words::is_stopword(&word) {
                continue;
            }
            let term = words::term(&word);
            if let Some((own, _)) = weights.get_mut(&term) {
                // Said again in the body, it counts a little more; it never becomes a title.
                *own = if *own >= TITLE_WEIGHT {
                    own.saturating_add(*weight)
                } else if *weight >= TITLE_WEIGHT {
                    *weight
                } else {
                    own.saturating_add(*weight).min(TITLE_WEIGHT - 1)
                };
            } else if weights.len() < TERMS_PER_DOCUMENT_MAX {
                weights.insert(term, (*weight, word));
            }
        }
    }
    weights
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
