//! The kinds of records: where each is in the content files, what names it and where its page is.

use serde_json::Value;

use super::Body;
use crate::{domain::Content, files, slug};

/// Maximum length of a title in lists, in characters; longer ones are cut.
const TITLE_CHARS_MAX: usize = 200;

/// Where the records of a kind are in their file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Each is an entry of this list of tables.
    List(&'static str),
    /// One record: this table.
    Part(&'static str),
    /// One record: the file.
    Whole,
    /// Not in the assembled files: posts, which have a table of their own.
    Posts,
}

/// A kind of records.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// Name in addresses, for example `why-choose`.
    pub name: &'static str,
    pub(super) file: &'static str,
    pub(super) shape: Shape,
    /// Field of the body with the id; empty if there is one record only.
    id: &'static str,
    /// Field of the body that lists show.
    title: &'static str,
    /// Path of the kind's pages up to the name, for example `/doctor/`; empty if it has none.
    folder: &'static str,
    /// Page that shows all records of the kind.
    pub list: &'static str,
    /// Paths of reads that a change affects, in addition to `/search`.
    pub reads: &'static [&'static str],
    /// Whether a new record comes first instead of last.
    pub newest_first: bool,
}

/// Declares the kinds.
macro_rules! kinds {
    ($($name:literal: $file:ident $shape:expr, $id:literal, $title:literal, $folder:literal, $list:literal, [$($read:literal),*], $newest:literal;)+) => {
        /// Every kind, in the order of the desk. Posts are last.
        pub static KINDS: &[Kind] = ALL;
        const ALL: &[Kind] = &[$(Kind {
            name: $name,
            file: files::$file,
            shape: $shape,
            id: $id,
            title: $title,
            folder: $folder,
            list: $list,
            reads: &[$($read),*],
            newest_first: $newest,
        }),+];
    };
}

kinds! {
    "doctor": DOCTORS_FILE Shape::List("doctor"), "id", "name", "/doctor/", "/doctors", ["/doctors", "/specialties", "/surgeries"], false;
    "department": DEPARTMENTS_FILE Shape::List("department"), "id", "name", "", "/specialties", ["/department-profiles"], false;
    "review": REVIEWS_FILE Shape::List("review"), "id", "name", "", "/", ["/reviews"], false;
    "service": SERVICES_FILE Shape::List("service"), "id", "name", "/service/", "/services", ["/services"], false;
    "specialty": SPECIALTIES_FILE Shape::List("specialty"), "id", "name", "/specialty/", "/specialties", ["/specialties"], false;
    "surgery": SURGERIES_FILE Shape::List("surgery"), "id", "name", "/deluxe-surgeries/", "/deluxe-surgeries", ["/surgeries"], false;
    "insurance": SURGERIES_FILE Shape::Part("insurance"), "", "", "", "/deluxe-surgeries", ["/surgeries"], false;
    "first-aid": PAGES_FILE Shape::List("emergency"), "id", "title", "", "/emergency", ["/pages"], false;
    "news": NEWS_FILE Shape::List("news"), "id", "title", "/news/", "/events", ["/news"], true;
    "event": EVENTS_FILE Shape::List("event"), "id", "title", "/event/", "/events", ["/events"], true;
    "promo": PROMOS_FILE Shape::List("promo"), "id", "title", "", "/", ["/promos"], true;
    "headline": HEADLINES_FILE Shape::List("headline"), "id", "text", "", "/", ["/health-news"], true;
    "site": SITE_FILE Shape::Whole, "", "name", "", "/", ["/site"], false;
    "page": PAGES_FILE Shape::List("page"), "slug", "title", "/", "/", ["/pages"], false;
    "about": PAGES_FILE Shape::List("about"), "id", "title", "", "/", ["/pages"], false;
    "why-choose": PAGES_FILE Shape::List("why_choose"), "id", "title", "", "/", ["/pages"], false;
    "facility": PAGES_FILE Shape::List("facility"), "id", "title", "", "/", ["/pages"], false;
    "badge": PAGES_FILE Shape::List("badge"), "id", "text", "", "/", ["/pages"], false;
    "search": SEARCH_FILE Shape::Whole, "", "", "", "/search", [], false;
    "post": BLOGS_FILE Shape::Posts, "id", "title", "", "/blogs", ["/blogs"], true;
}

/// The kind of posts.
pub(crate) const POST: &Kind = &ALL[ALL.len() - 1];

impl Kind {
    /// Returns the kind of a name.
    pub fn of(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    /// Returns the field of the body with the id; empty if there is one record only.
    pub fn id_field(&self) -> &'static str {
        self.id
    }

    /// Returns whether there is one record of the kind, which can neither be added nor archived.
    pub fn is_single(&self) -> bool {
        self.id.is_empty()
    }

    /// Returns whether two contents differ in the file of this kind, or in the uploaded pictures that it may show.
    pub(crate) fn is_different(&self, one: &Content, other: &Content) -> bool {
        let text = one.sources.text(self.file);
        text != other.sources.text(self.file)
            || one.pictures != other.pictures && text.contains("/media/")
    }

    /// Returns what lists show of a body: its name or title, or else the kind's name.
    pub fn title_of(&self, body: &Body) -> String {
        let title = body.get(self.title).and_then(Value::as_str);
        title
            .filter(|title| !title.trim().is_empty())
            .unwrap_or(self.name)
            .chars()
            .take(TITLE_CHARS_MAX)
            .collect()
    }

    /// Returns the path of a page by a record's id; empty if the kind has no pages.
    pub fn path_by_id(&self, id: &str) -> String {
        match self.folder {
            "" => String::new(),
            folder => format!("{folder}{id}"),
        }
    }

    /// Returns the further paths at which a body's page is found: its aliases and the spellings of its name.
    pub fn other_paths_of(&self, body: &Body) -> Vec<String> {
        if !["service", "specialty", "surgery"].contains(&self.name) {
            return Vec::new();
        }
        let aliases = body.get("aliases").and_then(Value::as_array);
        let mut names: Vec<String> = aliases
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect();
        if let Some(name) = body.get("name").and_then(Value::as_str) {
            names.push(slug::specialty_list_slug(name));
            names.push(slug::specialty_detail_slug(name));
        }
        let own = self.path_of(body);
        let mut paths: Vec<String> = names
            .into_iter()
            .map(|name| format!("{}{name}", self.folder))
            .filter(|path| *path != own)
            .collect();
        paths.sort_unstable();
        paths.dedup();
        paths
    }

    /// Returns the path of a body's own page; empty if it has none. The page of a post depends on other posts: see
    /// `store::records::posts`.
    pub fn path_of(&self, body: &Body) -> String {
        let text = |name: &str| {
            body.get(name)
                .and_then(Value::as_str)
                .filter(|text| !text.is_empty())
        };
        match text("slug").or_else(|| text("id")) {
            Some(name) if !self.folder.is_empty() => format!("{}{name}", self.folder),
            _ => String::new(),
        }
    }
}
