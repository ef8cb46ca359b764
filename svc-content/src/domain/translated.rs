//! Content in another language: the English one, in which each text that has a translation is replaced. It is made from
//! the parsed content, because slugs are made of names, records refer to others by name, and limits are those of
//! English texts.
//!
//! Memory: with 1,340 translated texts of 68,000 characters, the process grew by about 1 MiB for each language when it
//! was first asked for. Their catalogues are beside it from the start. A debug build on a busy machine with 2 cores took
//! 0.8 s.

use std::{collections::HashMap, sync::Arc};

use tokio::sync::OnceCell;

use super::{Content, texts::Texts as _};
use crate::{
    blocking::off_the_runtime,
    language::{ByLanguage, Catalogue, Language},
    search,
};

/// Content in another language.
#[derive(Debug)]
pub(crate) struct Translated {
    pub(crate) content: Arc<Content>,
    pub(crate) language: Language,
    /// Titles and summaries of search results that are made of several texts or shortened, by the English one.
    entries: HashMap<String, String>,
}

/// The content in each language, made when a language is first asked for and kept as long as the English content.
#[derive(Debug, Default)]
pub(super) struct Translations(ByLanguage<OnceCell<Arc<Translated>>>);

impl Content {
    /// Returns the content in a language; `None` if the language has no catalogue. Concurrent callers share one thread
    /// that makes it.
    pub(crate) async fn translated(
        self: &Arc<Self>,
        language: Language,
    ) -> Option<Arc<Translated>> {
        if self.catalogues.of(language).is_empty() {
            return None;
        }
        let Translations(places) = &self.translations;
        let make = || {
            let content = Arc::clone(self);
            off_the_runtime(move || Arc::new(Translated::new(&content, language)))
        };
        Some(Arc::clone(places.of(language).get_or_init(make).await))
    }

    /// Returns the content with each text replaced that has a translation.
    fn in_language(&self, language: Language) -> Self {
        let catalogue = self.catalogues.of(language);
        let mut content = Self {
            site: self.site.clone(),
            doctors: self.doctors.clone(),
            departments: self.departments.clone(),
            services: self.services.clone(),
            specialties: self.specialties.clone(),
            surgeries: self.surgeries.clone(),
            surgery_terms: self.surgery_terms.clone(),
            events: self.events.clone(),
            reviews: self.reviews.clone(),
            news: self.news.clone(),
            promos: self.promos.clone(),
            headlines: self.headlines.clone(),
            pages: self.pages.clone(),
            first_aid_terms: self.first_aid_terms.clone(),
            search: self.search.clone(),
            seed: Vec::new(),
            revision: self.revision.clone(),
            sources: self.sources.clone(),
            origin: self.origin.clone(),
            moved: self.moved.clone(),
            pictures: self.pictures.clone(),
            catalogues: self.catalogues.clone(),
            translations: Translations::default(),
        };
        content.each_text(&mut |text| catalogue.translate(text));
        content
    }

    fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        self.site.each_text(change);
        self.doctors.each_text(change);
        self.departments.each_text(change);
        self.services.each_text(change);
        self.specialties.each_text(change);
        self.surgeries.each_text(change);
        self.news.each_text(change);
        self.promos.each_text(change);
        for plan in &mut self.events {
            plan.each_text(change);
        }
        for (_, review) in &mut self.reviews {
            review.each_text(change);
        }
        for (_, headline) in &mut self.headlines {
            change(headline);
        }
        for page in self.pages.values_mut() {
            page.each_text(change);
        }
        for task in &mut self.search.tasks {
            change(&mut task.title);
            change(&mut task.summary);
        }
    }
}

impl Translated {
    fn new(english: &Content, language: Language) -> Self {
        let content = english.in_language(language);
        let entries = search::translated_entries(english, &content, language);
        Self {
            content: Arc::new(content),
            language,
            entries,
        }
    }

    pub(crate) fn catalogue(&self) -> &Catalogue {
        self.content.catalogues.of(self.language)
    }

    /// Translates the title or summary of a search result.
    pub(crate) fn translate_entry(&self, text: &mut String) {
        match self.entries.get(text.as_str()) {
            Some(translation) => translation.clone_into(text),
            None => self.catalogue().translate(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use super::*;
    use crate::{files::Sources, records::texts};

    const FILES_WITHOUT_CONTENT: [&str; 2] = ["blogs.toml", "articles.toml"];

    /// Returns the content with another text for each required one, and those texts by the English ones.
    fn with_all_texts() -> (Content, BTreeMap<String, String>) {
        let sources = Sources::embedded();
        let required = texts::required(&sources)
            .expect("the embedded files")
            .into_iter();
        let required = required.filter(|(file, _)| !FILES_WITHOUT_CONTENT.contains(file));
        let texts: BTreeMap<String, String> = required
            .flat_map(|(_, texts)| texts)
            .enumerate()
            .map(|(number, text)| (text, format!("ಅ{number}ಅ")))
            .collect();
        let catalogue = serde_json::to_string(&texts).expect("JSON");
        let sources = sources.with("kn.json", catalogue);
        (Content::load(&sources, None).expect("a content"), texts)
    }

    #[test]
    fn every_required_text_is_replaced() {
        let (content, texts) = with_all_texts();
        let mut content = content.in_language(Language::Kannada);
        let mut shown = HashSet::new();
        content.each_text(&mut |text| shown.extend([text.clone()]));
        // These are compiled into the pages.
        let headlines = Sources::embedded().text("headlines.toml").to_owned();
        for (english, text) in texts {
            let is_fallback = headlines.contains(&english);
            assert!(is_fallback || shown.contains(&text), "{english}");
            assert!(!shown.contains(&english), "{english}");
        }
    }

    #[test]
    fn addresses_and_references_are_those_of_the_english_content() {
        let (english, texts) = with_all_texts();
        let content = english.in_language(Language::Kannada);
        let now = "2026-12-02T00:00:00Z".parse().expect("a time");
        for path in [
            "/doctor/dr-nandini-iyengar",
            "/specialty/obstetrics-and-gynaecology",
            "/deluxe-surgeries/knee-replacement",
            "/service/icu-intensive-care-unit",
        ] {
            let name = path.rsplit('/').next().expect("a name");
            assert!(content.may_have(path, now), "{path}");
            assert!(!content.may_have(&path.replace(name, "none"), now));
        }
        for (own, other) in content.specialties.iter().zip(english.specialties.iter()) {
            assert_eq!((&own.slug, &own.icon), (&other.slug, &other.icon));
            let names = other.doctors.iter().map(|name| &texts[name]);
            assert!(own.doctors.iter().eq(names), "{}", other.name);
        }
        let same =
            |event: &hospital_proto::content::v1::Event| (event.id.clone(), event.date.clone());
        let dates = |content: &Content| content.events(now).iter().map(same).collect::<Vec<_>>();
        assert_eq!(dates(&content), dates(&english));
    }

    #[tokio::test]
    async fn concurrent_callers_share_one_content() {
        let content = Arc::new(with_all_texts().0);
        let read = || content.translated(Language::Kannada);
        let (one, other) = tokio::join!(read(), read());
        assert!(Arc::ptr_eq(
            &one.expect("Kannada"),
            &other.expect("Kannada")
        ));
        let sources = Sources::embedded().with("hi.json", "{}".to_owned());
        let content = Arc::new(Content::load(&sources, None).expect("a content"));
        assert!(content.translated(Language::Hindi).await.is_none());
    }
}
