//! The texts that every language of the site needs. Others, for example long articles, stay English without a
//! translation.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Body, Kind, kinds::Shape, to_json};
use crate::files::{self, Sources};

/// The fields of each file; `*` is any entry of a list.
const REQUIRED: &[(&str, &[&str])] = &[
    (
        files::PAGES_FILE,
        &[
            "page.*.title",
            "page.*.meta_description",
            "page.*.intro",
            "page.*.section.*.heading",
            "emergency.*.title",
            "emergency.*.call.*",
            "emergency.*.steps.*",
            "emergency.*.avoid",
            "emergency.*.today",
            "emergency.*.home",
            "about.*.title",
            "about.*.paragraphs.*",
            "why_choose.*.title",
            "why_choose.*.text",
            "facility.*.title",
            "facility.*.text",
            "badge.*.text",
        ],
    ),
    (
        files::SITE_FILE,
        &[
            "name",
            "tagline",
            "accreditations.*",
            "address.street",
            "address.locality",
            "address.city",
            "address.region",
            "phone.*.label",
            "email.*.label",
            "hours.*.label",
            "hours.*.hours",
            "statistic.*.label",
        ],
    ),
    (
        files::DEPARTMENTS_FILE,
        &[
            "department.*.name",
            "department.*.summary",
            "department.*.treats.*",
            "department.*.problems.*",
        ],
    ),
    (
        files::SERVICES_FILE,
        &[
            "service.*.name",
            "service.*.description",
            "service.*.features.*",
            "service.*.place",
            "service.*.hours",
            "service.*.benefits.*",
            "service.*.home_name",
            "service.*.equipment.*",
        ],
    ),
    (
        files::EVENTS_FILE,
        &[
            "event.*.type",
            "event.*.title",
            "event.*.time",
            "event.*.location",
            "event.*.description",
            "event.*.performer",
        ],
    ),
    (files::PROMOS_FILE, &["promo.*.title", "promo.*.cta_label"]),
    (
        files::HEADLINES_FILE,
        &["headline.*.text", "fallback.*.text"],
    ),
    (
        files::REVIEWS_FILE,
        &["review.*.comment", "review.*.location", "review.*.name"],
    ),
    (files::SEARCH_FILE, &["task.*.title", "task.*.summary"]),
    (
        files::SPECIALTIES_FILE,
        &[
            "specialty.*.name",
            "specialty.*.description",
            "specialty.*.services.*",
            "specialty.*.faqs.*.question",
            "specialty.*.faqs.*.answer",
        ],
    ),
    (
        files::DOCTORS_FILE,
        &[
            "doctor.*.name",
            "doctor.*.specialty",
            "doctor.*.degrees",
            "doctor.*.experience",
            "doctor.*.visiting_days",
            "doctor.*.timings",
            "doctor.*.languages.*",
            "doctor.*.about",
            "doctor.*.education.*",
            "doctor.*.specializations.*",
            "doctor.*.achievements.*",
            "doctor.*.seo_title",
            "doctor.*.meta_description",
        ],
    ),
    (
        files::SURGERIES_FILE,
        &[
            "surgery.*.name",
            "surgery.*.description",
            "surgery.*.indications.*",
            "surgery.*.benefits.*",
            "surgery.*.duration",
            "surgery.*.recovery",
            "surgery.*.stay",
            "surgery.*.back_to_work",
            "surgery.*.cost.packages.*.name",
            "surgery.*.cost.packages.*.description",
            "insurance.approval",
            "insurance.steps.*",
        ],
    ),
    (
        files::BLOGS_FILE,
        &[
            "blog.*.title",
            "blog.*.summary",
            "blog.*.excerpt",
            "blog.*.category",
        ],
    ),
    (files::NEWS_FILE, &["news.*.title", "news.*.excerpt"]),
    (
        files::ARTICLES_FILE,
        &["article.*.title", "article.*.summary", "article.*.category"],
    ),
];

/// Returns the distinct required texts of each content file, in alphabetical order.
///
/// # Errors
/// If a text is no TOML.
pub fn required(
    sources: &Sources,
) -> Result<Vec<(&'static str, BTreeSet<String>)>, toml::de::Error> {
    let of_file = |(file, paths): &(&'static str, &[&str])| {
        let content = to_json(toml::from_str(sources.text(file))?);
        let mut texts = Vec::new();
        for path in *paths {
            collect(&content, path, &mut texts);
        }
        Ok((*file, texts.into_iter().map(str::to_owned).collect()))
    };
    REQUIRED.iter().map(of_file).collect()
}

/// Returns the required texts of a record, each with its field of the body.
pub(super) fn of_record<'a>(kind: &Kind, body: &'a Body) -> Vec<(&'static str, &'a str)> {
    let prefix = match kind.shape {
        Shape::List(name) => format!("{name}.*."),
        Shape::Part(name) => format!("{name}."),
        Shape::Whole => String::new(),
        Shape::Posts => "blog.*.".to_owned(),
    };
    let of_file = REQUIRED.iter().filter(|(file, _)| *file == kind.file);
    let paths = of_file.flat_map(|(_, paths)| *paths);
    let mut found = Vec::new();
    for path in paths.filter_map(|path| path.strip_prefix(&prefix)) {
        let (field, rest) = path.split_once('.').unwrap_or((path, ""));
        let mut texts = Vec::new();
        if let Some(value) = body.get(field) {
            collect(value, rest, &mut texts);
        }
        found.extend(texts.into_iter().map(|text| (field, text)));
    }
    found
}

/// Collects the texts at a path. Numbers and times without words need no translation.
fn collect<'a>(value: &'a Value, path: &str, texts: &mut Vec<&'a str>) {
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    match value {
        Value::String(text)
            if path.is_empty() && text.contains(|c: char| c.is_ascii_alphabetic()) =>
        {
            texts.push(text);
        }
        Value::Array(values) if name == "*" => {
            for value in values {
                collect(value, rest, texts);
            }
        }
        Value::Object(body) => {
            if let Some(value) = body.get(name) {
                collect(value, rest, texts);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::Content,
        language::Language,
        records::{of_sources, texts},
    };

    fn strings(value: Value, found: &mut BTreeSet<String>) {
        match value {
            Value::String(text) => found.extend([text]),
            Value::Array(values) => values.into_iter().for_each(|value| strings(value, found)),
            Value::Object(body) => body.into_values().for_each(|value| strings(value, found)),
            _ => {}
        }
    }

    #[test]
    fn every_required_text_is_translated() {
        let sources = Sources::embedded();
        let content = Content::load(&sources, None).expect("the embedded files");
        let mut missing = Vec::new();
        for (file, texts) in required(&sources).expect("the embedded files") {
            for language in Language::ALL {
                let catalogue = content.catalogues.of(language);
                let lacks = |text: &&String| catalogue.get(text).is_none();
                let line = |text| format!("{} {file}: {text}", language.code());
                missing.extend(texts.iter().filter(lacks).map(line));
            }
        }
        let count = missing.len();
        assert!(
            missing.is_empty(),
            "{count} texts lack a translation:\n{}",
            missing.join("\n")
        );
    }

    #[test]
    fn every_translation_is_of_a_text() {
        let sources = Sources::embedded();
        let content = Content::load(&sources, None).expect("the embedded files");
        let mut texts = BTreeSet::new();
        let catalogues = Language::ALL.map(Language::file);
        let files = sources.files();
        for (file, text) in files.filter(|(file, _)| !catalogues.contains(file)) {
            let table = toml::from_str(text).unwrap_or_else(|error| panic!("{file}: {error}"));
            strings(to_json(table), &mut texts);
        }
        for language in Language::ALL {
            let entries = content.catalogues.of(language).entries();
            let unneeded: Vec<&str> = entries
                .map(|(text, _)| text)
                .filter(|text| !texts.contains(*text))
                .collect();
            let lines = unneeded.join("\n");
            assert!(
                lines.is_empty(),
                "{}: no text needs these:\n{lines}",
                language.code()
            );
        }
    }

    #[test]
    fn the_texts_of_records_are_those_of_the_files() {
        let sources = Sources::embedded();
        let records = of_sources(&sources).expect("the embedded files");
        for (file, texts) in required(&sources).expect("the embedded files") {
            // Posts are no records of files, and the pages have the fallback.
            if [
                files::BLOGS_FILE,
                files::ARTICLES_FILE,
                files::HEADLINES_FILE,
            ]
            .contains(&file)
            {
                continue;
            }
            let own = records.iter().filter(|record| record.kind.file == file);
            let of_records = own.flat_map(|record| texts::of_record(record.kind, &record.body));
            let of_records: BTreeSet<String> =
                of_records.map(|(_, text)| text.to_owned()).collect();
            assert!(!texts.is_empty() && of_records == texts, "{file}");
        }
    }
}
