//! Searchable documents: all content with its own page, and blog posts.

use std::{
    collections::{HashMap, HashSet},
    fmt,
};

use hospital_proto::content::v1::{
    Doctor, Event, News, Page, Question, Service, Specialty, Surgery,
};

use super::guide;
use crate::{
    domain::Content,
    files::search::Task,
    html,
    language::Language,
    store::{BlogRow, rows},
    wire,
};

/// Start of a task's key.
pub(super) const TASK_KEY: &str = "task:";

/// Weights of a term by the field in which it occurs.
pub(super) const TITLE_WEIGHT: u8 = 40;
pub(super) const KEYWORD_WEIGHT: u8 = 30;
pub(super) const SUMMARY_WEIGHT: u8 = 10;
pub(super) const BODY_WEIGHT: u8 = 2;

/// Maximum length of a shown summary, in characters.
const SUMMARY_CHARS: usize = 160;

/// Search words for the prices on every surgery's page.
const COST_WORDS: &str = "cost, price, charges, package, estimate, insurance";

/// Kinds of pages, in order of likely intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    FirstAid,
    Task,
    Specialty,
    Surgery,
    Service,
    Doctor,
    Page,
    Event,
    Blog,
    News,
}

impl Kind {
    /// Returns the score multiplier. First aid ranks first. Departments, surgeries and doctors rank above articles
    /// about them.
    pub(super) fn boost(self) -> f32 {
        match self {
            Self::FirstAid => 1.8,
            Self::Specialty => 1.6,
            Self::Surgery | Self::Service => 1.5,
            Self::Doctor | Self::Task => 1.4,
            Self::Page => 1.1,
            Self::Event => 0.9,
            Self::Blog => 0.8,
            Self::News => 0.7,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::FirstAid => "first_aid",
            Self::Task => "task",
            Self::Specialty => "specialty",
            Self::Surgery => "surgery",
            Self::Service => "service",
            Self::Doctor => "doctor",
            Self::Page => "page",
            Self::Event => "event",
            Self::Blog => "blog",
            Self::News => "news",
        })
    }
}

/// Displayed part of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    /// Unique key: the id of a post, the path of anything else.
    pub(crate) key: String,
    pub(crate) title: String,
    pub(crate) summary: String,
}

/// A document: its displayed entry and its searchable texts.
#[derive(Debug)]
pub(crate) struct Document {
    pub(super) entry: Entry,
    /// Phrases that lead a search to the document.
    pub(super) phrases: Vec<String>,
    keywords: Vec<String>,
    body: Vec<String>,
}

impl Document {
    fn new(kind: Kind, key: String, title: &str, summary: &str) -> Self {
        Self {
            entry: Entry {
                kind,
                key,
                title: title.to_owned(),
                summary: html::shortened(summary, SUMMARY_CHARS),
            },
            phrases: Vec::new(),
            keywords: Vec::new(),
            body: Vec::new(),
        }
    }

    fn with_keywords<'a>(mut self, words: impl IntoIterator<Item = &'a String>) -> Self {
        self.keywords.extend(words.into_iter().cloned());
        self
    }

    fn with_phrases(mut self, phrases: &[String]) -> Self {
        self.phrases.extend_from_slice(phrases);
        self
    }

    fn with_body<'a>(mut self, texts: impl IntoIterator<Item = &'a String>) -> Self {
        self.body.extend(texts.into_iter().cloned());
        self
    }

    fn with_questions(self, questions: &[Question]) -> Self {
        let texts = questions
            .iter()
            .flat_map(|faq| [&faq.question, &faq.answer]);
        self.with_body(texts)
    }

    /// Returns the weighted texts, most important first: the end of a long document may not be indexed.
    pub(super) fn texts(&self) -> Vec<(u8, &str)> {
        let mut texts: Vec<(u8, &str)> = vec![(TITLE_WEIGHT, &self.entry.title)];
        let keywords = self.keywords.iter().chain(&self.phrases);
        texts.extend(keywords.map(|text| (KEYWORD_WEIGHT, text.as_str())));
        texts.push((SUMMARY_WEIGHT, &self.entry.summary));
        texts.extend(self.body.iter().map(|text| (BODY_WEIGHT, text.as_str())));
        texts
    }
}

/// Returns all documents from the files that have a page. Other pages declare their own search terms, which the search
/// page adds. A series of events is one document, whose URL leads to the next occurrence.
pub(crate) fn of_content(content: &Content) -> Vec<Document> {
    let mut documents: Vec<Document> = Vec::new();
    documents.extend(content.doctors.listed().map(doctor));
    documents.extend(content.services.iter().map(service));
    documents.extend(specialties(content));
    let surgery = |own: &Surgery| surgery(own, content.surgery_terms.get(&own.id));
    documents.extend(content.surgeries.iter().map(surgery));
    documents.extend(content.undated_events().map(event));
    documents.extend(content.news.iter().map(news));
    documents.extend(content.pages.values().filter_map(page));
    documents.extend(first_aid(content));
    for (path, phrases) in &content.search.answers {
        lead(&mut documents, path, phrases);
    }
    documents.extend(content.search.tasks.iter().map(task));
    // The problems of a department are phrases, too. Phrases of other pages take precedence.
    let known = documents.iter().flat_map(|document| &document.phrases);
    let known: HashSet<String> = known.map(|phrase| guide::phrase_key(phrase)).collect();
    for department in content.departments.iter() {
        let mut problems = department.problems.clone();
        problems.retain(|problem| !known.contains(&guide::phrase_key(problem)));
        let path = format!("/specialty/{}", department.id);
        lead(&mut documents, &path, &problems);
    }
    documents
}

/// Lets phrases lead to the document with this path, if any.
fn lead(documents: &mut [Document], path: &str, phrases: &[String]) {
    let own = documents
        .iter_mut()
        .find(|document| document.entry.key == path);
    if let Some(own) = own {
        own.phrases.extend_from_slice(phrases);
    }
}

/// Returns the document of a task. Its path may equal that of a page, so its key has the kind in front.
fn task(task: &Task) -> Document {
    let key = format!("{TASK_KEY}{}", task.path);
    Document::new(Kind::Task, key, &task.title, &task.summary).with_phrases(&task.phrases)
}

fn doctor(doctor: &Doctor) -> Document {
    let path = format!("/doctor/{}", doctor.slug);
    let summary = format!("{}, {}", doctor.specialty, doctor.degrees);
    Document::new(Kind::Doctor, path, &doctor.name, &summary)
        .with_keywords([&doctor.specialty, &doctor.focus_keyword])
        .with_keywords(&doctor.specializations)
        .with_body([&doctor.about])
}

fn service(service: &Service) -> Document {
    let path = format!("/service/{}", service.slug);
    Document::new(Kind::Service, path, &service.name, &service.description)
        .with_keywords([&service.home_name, &service.slug])
        .with_body(&service.features)
        .with_body(&service.long_description)
        .with_body(&service.benefits)
        .with_body(&service.equipment)
}

/// Returns one document per page. Cards that share a slug share a page.
fn specialties(content: &Content) -> impl Iterator<Item = Document> {
    let is_page = |card: &&Specialty| {
        content
            .specialties
            .find(&card.slug)
            .is_some_and(|page| page.id == card.id)
    };
    content.specialties.iter().filter(is_page).map(|specialty| {
        let path = format!("/specialty/{}", specialty.slug);
        Document::new(
            Kind::Specialty,
            path,
            &specialty.name,
            &specialty.description,
        )
        .with_keywords([&specialty.slug])
        .with_keywords(&specialty.services)
        .with_body(&specialty.doctors)
        .with_body(&specialty.long_description)
        .with_questions(&specialty.faqs)
    })
}

fn surgery(surgery: &Surgery, terms: Option<&Vec<String>>) -> Document {
    let path = format!("/deluxe-surgeries/{}", surgery.slug);
    Document::new(Kind::Surgery, path, &surgery.name, &surgery.description)
        .with_keywords(terms.into_iter().flatten())
        .with_body(&[COST_WORDS.to_owned()])
        .with_body(&surgery.about)
        .with_body(&surgery.indications)
        .with_body(&surgery.benefits)
        .with_body(&surgery.procedure)
        .with_questions(&surgery.faqs)
}

fn event(event: &Event) -> Document {
    let path = format!("/event/{}", event.id);
    Document::new(Kind::Event, path, &event.title, &event.description)
        .with_keywords([&event.r#type, &event.performer])
        .with_body([&event.location])
}

fn news(news: &News) -> Document {
    let path = if news.slug.is_empty() {
        format!("/news/{}", news.id)
    } else {
        format!("/news/{}/{}", news.id, news.slug)
    };
    Document::new(Kind::News, path, &news.title, &news.excerpt)
        .with_keywords([&news.meta_title])
        .with_body([&news.content])
}

/// Returns a document for a whole page; `None` for a block, which has no description.
fn page(page: &Page) -> Option<Document> {
    let (path, summary) = match page.id.as_str() {
        "about" => (
            "/#about".to_owned(),
            page.sections.first()?.paragraphs.first()?,
        ),
        _ if page.description.is_empty() => return None,
        id => (format!("/{id}"), &page.description),
    };
    let mut document =
        Document::new(Kind::Page, path, &page.title, summary).with_body([&page.intro]);
    for section in &page.sections {
        document = document
            .with_body([&section.heading])
            .with_body(&section.paragraphs)
            .with_body(&section.items)
            .with_body(&section.signs)
            .with_body(&section.steps);
    }
    Some(document)
}

fn first_aid_title(heading: &str, language: Option<Language>) -> String {
    match language {
        None => format!("{heading}: what to do"),
        Some(Language::Kannada) => format!("{heading}: ಏನು ಮಾಡಬೇಕು"),
        Some(Language::Hindi) => format!("{heading}: क्या करें"),
    }
}

/// Returns what results show in a language of titles and summaries that are no text of the catalogue: shortened ones,
/// and those made of several texts. The key is the English text.
pub(crate) fn translated_entries(
    english: &Content,
    content: &Content,
    language: Language,
) -> HashMap<String, String> {
    let catalogue = english.catalogues.of(language);
    // Shortened summaries of posts, which are no content.
    let mut found: HashMap<String, String> = catalogue
        .entries()
        .filter(|(text, _)| text.chars().count() > SUMMARY_CHARS)
        .map(|(text, translation)| {
            [text, translation].map(|text| html::shortened(text, SUMMARY_CHARS))
        })
        .map(|[text, translation]| (text, translation))
        .collect();
    let translated = of_content(content).into_iter();
    let mut translated: HashMap<String, Entry> = translated
        .map(|document| (document.entry.key.clone(), document.entry))
        .collect();
    for Document { entry, .. } in of_content(english) {
        let Some(own) = translated.remove(&entry.key) else {
            continue;
        };
        let pairs = [(entry.title, own.title), (entry.summary, own.summary)];
        let is_new = |(text, own): &(String, String)| text != own && catalogue.get(text).is_none();
        found.extend(pairs.into_iter().filter(is_new));
    }
    let topics = english.pages.get("emergency").into_iter();
    for topic in topics.flat_map(|page| &page.sections) {
        if let Some(heading) = catalogue.get(&topic.heading) {
            let title = first_aid_title(&topic.heading, None);
            found.insert(title, first_aid_title(heading, Some(language)));
        }
    }
    found
}

/// Returns one document per first-aid topic: a search for `fits` at night must lead directly to that section.
fn first_aid(content: &Content) -> impl Iterator<Item = Document> {
    let sections = content.pages.get("emergency").into_iter();
    let topics = sections.flat_map(|page| &page.sections);
    topics.filter_map(|topic| {
        let terms = content.first_aid_terms.get(&topic.id)?;
        let path = format!("/emergency#{}", topic.id);
        // The signs help readers recognise the topic.
        let signs = topic.signs.iter().take(2).map(String::as_str);
        let summary = signs.collect::<Vec<_>>().join("; ");
        let title = first_aid_title(&topic.heading, None);
        let document = Document::new(Kind::FirstAid, path, &title, &summary)
            .with_phrases(terms)
            .with_body(&topic.signs)
            .with_body(&topic.steps);
        Some(document)
    })
}

/// Returns a blog post's document, with its id as key. `content` is its plain text.
pub(crate) fn of_post(row: &BlogRow, content: &str) -> Document {
    let summary = [row.excerpt.as_str(), &row.summary, content]
        .into_iter()
        .find(|text| !text.is_empty())
        .unwrap_or_default();
    let mut document = Document::new(Kind::Blog, row.id.clone(), &row.title, summary)
        .with_keywords([&row.category])
        .with_keywords(&wire::shown_tags(rows::tags(&row.tags)).0)
        .with_body([&row.summary, &content.to_owned()]);
    for section in rows::sections(&row.sections) {
        document = document.with_body([&section.heading, &section.text]);
    }
    document
}
