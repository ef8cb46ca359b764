//! Posts indexed by category, word and slug, newest first.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap, HashSet},
};

use chrono::{DateTime, Utc};
use hospital_proto::content::v1::BlogLink;

use crate::{
    domain::blog::category_key,
    search,
    store::{BlogRow, rows},
    wire,
};

/// Number of related posts collected as candidates, and number shown.
const RELATED_COLLECTED: usize = 8;
const RELATED_SHOWN: usize = 4;
const POPULAR_SHOWN: usize = 4;
/// Maximum words of a post that are compared with other posts: title first, then tags and excerpt.
const WORDS_MAX: usize = 40;
/// Number of shared words that a shared category is worth.
const CATEGORY_WEIGHT: usize = 3;

/// Sort key, as in the lists; there too, ids sort by their bytes.
type Place = (DateTime<Utc>, String);

/// In-memory data of a post.
#[derive(Debug)]
pub(super) struct Note {
    id: String,
    slug_key: String,
    title: String,
    image: String,
    category_key: String,
    /// Distinct search terms of title, tags and excerpt.
    words: Vec<String>,
    is_featured: bool,
    published_at: DateTime<Utc>,
}

impl From<&BlogRow> for Note {
    fn from(row: &BlogRow) -> Self {
        let (tags, is_featured) = wire::shown_tags(rows::tags(&row.tags));
        let texts = [row.title.as_str()].into_iter();
        let texts = texts.chain(tags.iter().map(String::as_str));
        let texts = texts.chain([row.excerpt.as_str()]);
        Self {
            id: row.id.clone(),
            slug_key: row.slug_key.clone(),
            title: row.title.clone(),
            image: row.image.clone(),
            category_key: category_key(&row.category),
            words: search::terms(texts, WORDS_MAX),
            is_featured,
            published_at: row.published_at,
        }
    }
}

impl Note {
    fn place(&self) -> Place {
        (self.published_at, self.id.clone())
    }
}

#[derive(Debug, Default)]
pub(super) struct Listing {
    notes: HashMap<String, Note>,
    newest: BTreeSet<Place>,
    by_category: HashMap<String, BTreeSet<Place>>,
    by_word: HashMap<String, BTreeSet<Place>>,
    featured: BTreeSet<Place>,
    by_slug: HashMap<String, BTreeSet<Place>>,
}

impl Listing {
    /// Adds a post or replaces its earlier version.
    pub(super) fn put(&mut self, note: Note) {
        self.remove(&note.id);
        let place = note.place();
        let enter = |places: &mut HashMap<String, BTreeSet<Place>>, key: &str| {
            places
                .entry(key.to_owned())
                .or_default()
                .insert(place.clone());
        };
        enter(&mut self.by_category, &note.category_key);
        for word in &note.words {
            enter(&mut self.by_word, word);
        }
        if !note.slug_key.is_empty() {
            enter(&mut self.by_slug, &note.slug_key);
        }
        if note.is_featured {
            self.featured.insert(place.clone());
        }
        self.newest.insert(place);
        self.notes.insert(note.id.clone(), note);
    }

    pub(super) fn remove(&mut self, id: &str) {
        let Some(note) = self.notes.remove(id) else {
            return;
        };
        let place = note.place();
        let leave = |places: &mut HashMap<String, BTreeSet<Place>>, key: &str| {
            if let Some(own) = places.get_mut(key) {
                own.remove(&place);
                if own.is_empty() {
                    places.remove(key);
                }
            }
        };
        leave(&mut self.by_category, &note.category_key);
        for word in &note.words {
            leave(&mut self.by_word, word);
        }
        leave(&mut self.by_slug, &note.slug_key);
        self.featured.remove(&place);
        self.newest.remove(&place);
    }

    pub(super) fn len(&self) -> usize {
        self.notes.len()
    }

    pub(super) fn oldest(&self) -> Option<String> {
        self.newest.first().map(|(_, id)| id.clone())
    }

    /// Returns the path of a post's page.
    pub(super) fn path(&self, id: &str) -> Option<String> {
        let note = self.notes.get(id)?;
        Some(match self.slug(note) {
            "" => format!("/blog/{id}"),
            slug => format!("/blogs/{slug}"),
        })
    }

    /// Returns posts that share the category or words with this post, most similar first, then newest.
    pub(super) fn related(&self, id: &str) -> Vec<BlogLink> {
        let Some(note) = self.notes.get(id) else {
            return Vec::new();
        };
        let of_words = note.words.iter().filter_map(|word| self.by_word.get(word));
        let groups = self
            .by_category
            .get(&note.category_key)
            .into_iter()
            .chain(of_words);
        let candidates: HashSet<&str> = groups
            .flat_map(|places| {
                let others = places.iter().rev().map(|(_, id)| id.as_str());
                others.filter(|other| *other != id).take(RELATED_COLLECTED)
            })
            .collect();
        let mut related: Vec<(usize, &Note)> = candidates
            .into_iter()
            .filter_map(|id| self.notes.get(id))
            .map(|other| (kinship(note, other), other))
            .collect();
        related.sort_by_key(|(kinship, other)| (Reverse(*kinship), Reverse(other.place())));
        related.truncate(RELATED_COLLECTED);
        related
            .into_iter()
            .take(RELATED_SHOWN)
            .map(|(_, other)| self.link(other))
            .collect()
    }

    /// Returns the newest featured posts, filled up with the newest others.
    pub(super) fn popular(&self, id: &str) -> Vec<BlogLink> {
        let mut seen = HashSet::from([id]);
        let featured = self.featured.iter().rev();
        featured
            .chain(self.newest.iter().rev())
            .filter(|(_, other)| seen.insert(other))
            .take(POPULAR_SHOWN)
            .filter_map(|(_, other)| self.notes.get(other))
            .map(|other| self.link(other))
            .collect()
    }

    /// Returns the post's slug; empty if it has none or a newer post holds it.
    fn slug<'a>(&self, note: &'a Note) -> &'a str {
        let holder = self.by_slug.get(&note.slug_key).and_then(BTreeSet::last);
        if holder.is_some_and(|(_, id)| *id == note.id) {
            &note.slug_key
        } else {
            ""
        }
    }

    fn link(&self, note: &Note) -> BlogLink {
        BlogLink {
            id: note.id.clone(),
            slug: self.slug(note).to_owned(),
            title: note.title.clone(),
            image: note.image.clone(),
            picture: None,
            published_at: Some(wire::timestamp(note.published_at)),
        }
    }
}

fn kinship(one: &Note, other: &Note) -> usize {
    let shared = one.words.iter().filter(|word| other.words.contains(word));
    shared.count() + CATEGORY_WEIGHT * usize::from(one.category_key == other.category_key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::blog::FEATURED_TAG;

    fn note(number: i64, category: &str, words: &[&str]) -> Note {
        Note {
            id: format!("p{number}"),
            slug_key: format!("slug-{}", number % 10),
            title: format!("Post {number}"),
            image: String::new(),
            category_key: category.to_owned(),
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            is_featured: false,
            published_at: DateTime::from_timestamp(number, 0).expect("a time"),
        }
    }

    fn listing(notes: impl IntoIterator<Item = Note>) -> Listing {
        let mut listing = Listing::default();
        notes.into_iter().for_each(|note| listing.put(note));
        listing
    }

    fn ids(links: &[BlogLink]) -> Vec<&str> {
        links.iter().map(|link| link.id.as_str()).collect()
    }

    #[test]
    fn related_posts_share_the_most_terms_then_are_the_newest() {
        let listing = listing([
            note(1, "heart", &["salt", "sleep"]),
            note(2, "heart", &["salt"]),
            note(3, "heart", &[]),
            note(4, "skin", &["salt", "sleep"]),
            note(5, "skin", &["sleep"]),
            note(6, "skin", &[]),
            note(7, "heart", &[]),
        ]);
        assert_eq!(ids(&listing.related("p1")), ["p2", "p7", "p3", "p4"]);
        assert_eq!(ids(&listing.related("p6")), ["p5", "p4"]);
        assert_eq!(ids(&listing.related("unknown")), Vec::<&str>::new());
    }

    // S5: the editors' tag must not relate posts, and is not shown.
    #[test]
    fn related_posts_share_words_other_than_the_featured_tag() {
        let row = |id: &str, title: &str, tags: &str| BlogRow {
            id: id.to_owned(),
            title: title.to_owned(),
            tags: tags.to_owned(),
            category: id.to_owned(),
            excerpt: String::new(),
            ..rows::tests::row()
        };
        let rows = [
            row(
                "salt",
                "How much salt is too much",
                r#"["Heart","featured"]"#,
            ),
            row("lump", "A lump in the breast", r#"["featured"]"#),
            row("hearts", "Hearts after forty", r#"["prevention"]"#),
        ];
        let listing = listing(rows.iter().map(Note::from));
        assert_eq!(ids(&listing.related("salt")), ["hearts"]);
        assert_eq!(ids(&listing.related("lump")), Vec::<&str>::new());
        assert!(!listing.by_word.contains_key(FEATURED_TAG));
    }

    #[test]
    fn popular_posts_are_the_featured_then_the_newest() {
        let featured = |number| Note {
            is_featured: true,
            ..note(number, "heart", &[])
        };
        let listing = listing([
            featured(1),
            featured(2),
            note(3, "heart", &[]),
            note(4, "heart", &[]),
            note(5, "heart", &[]),
        ]);
        assert_eq!(ids(&listing.popular("p3")), ["p2", "p1", "p5", "p4"]);
        assert_eq!(ids(&listing.popular("p2")), ["p1", "p5", "p4", "p3"]);
    }

    #[test]
    fn the_newest_post_gets_a_shared_slug() {
        let mut listing = listing([note(1, "heart", &[]), note(11, "heart", &[])]);
        assert_eq!(listing.path("p1").as_deref(), Some("/blog/p1"));
        assert_eq!(listing.path("p11").as_deref(), Some("/blogs/slug-1"));
        listing.remove("p11");
        assert_eq!(listing.path("p1").as_deref(), Some("/blogs/slug-1"));
        assert_eq!(listing.path("p11"), None);
        assert_eq!(
            (listing.len(), listing.oldest().as_deref()),
            (1, Some("p1"))
        );
        listing.remove("p1");
        assert!(
            listing.by_category.is_empty()
                && listing.by_slug.is_empty()
                && listing.newest.is_empty()
        );
    }
}
