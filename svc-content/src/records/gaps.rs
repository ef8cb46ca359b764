//! What live records lack: the checklist of the desk. Nothing of it prevents a publication.

use std::sync::{Arc, Weak};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use parking_lot::Mutex;
use serde_json::Value;

use super::{Body, Kind, Live, of_sources, texts};
use crate::{
    blocking::off_the_runtime,
    domain::Content,
    language::Language,
    values::{IST, is_site_path},
};

/// Age at which a text is to be reviewed again.
const REVIEW_DAYS_MAX: i64 = 365;
/// Age at which the list is made again: events end without a change of the content.
const AGE_MAX: TimeDelta = TimeDelta::minutes(1);
/// Folders of files, which are no pages.
const FILES: [&str; 2] = ["/images/", "/media/"];

/// One thing that a live record lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// Unique; names the gap in page tokens.
    pub key: String,
    pub kind: &'static Kind,
    pub id: String,
    pub title: String,
    /// Path in the body.
    pub field: String,
    /// As in the contract, for example `NO_PHOTOGRAPH`.
    pub reason: &'static str,
    /// The day or the link that is meant.
    pub detail: String,
    /// The language in which texts are missing.
    pub language: Option<Language>,
    /// Number of texts that are missing in it.
    pub text_count: usize,
}

/// The list, made again if the content has changed.
#[derive(Debug, Default)]
pub(crate) struct Gaps(Mutex<Option<Made>>);

#[derive(Debug)]
struct Made {
    of: Weak<Content>,
    at: DateTime<Utc>,
    gaps: Arc<Vec<Gap>>,
}

impl Gaps {
    /// Returns what the live records of the content lack.
    pub(crate) async fn of(&self, content: Arc<Content>, now: DateTime<Utc>) -> Arc<Vec<Gap>> {
        let of = Arc::downgrade(&content);
        let known = self.0.lock().as_ref().and_then(|made| {
            let is_current = made.of.ptr_eq(&of) && (now - made.at).abs() < AGE_MAX;
            is_current.then(|| Arc::clone(&made.gaps))
        });
        if let Some(gaps) = known {
            return gaps;
        }
        let gaps = Arc::new(off_the_runtime(move || gaps_in(&content, now)).await);
        *self.0.lock() = Some(Made {
            of,
            at: now,
            gaps: Arc::clone(&gaps),
        });
        gaps
    }
}

/// Returns what the live records lack, by kind in the order of the desk.
pub fn gaps_in(content: &Content, now: DateTime<Utc>) -> Vec<Gap> {
    // The texts of a loaded content are TOML.
    let records = of_sources(&content.sources).unwrap_or_default();
    let mut gaps = Vec::new();
    for record in &records {
        let mut found = Found {
            content,
            now,
            body: &record.body,
            gaps: Vec::new(),
        };
        found.examine(record.kind);
        let title = record.kind.title_of(&record.body);
        gaps.extend(found.gaps.into_iter().map(|(reason, field, detail)| Gap {
            key: format!("{}/{}/{reason}/{field}", record.kind.name, record.id),
            kind: record.kind,
            id: record.id.clone(),
            title: title.clone(),
            field,
            reason,
            detail,
            language: None,
            text_count: 0,
        }));
        gaps.extend(untranslated(content, record));
    }
    gaps
}

/// Returns a gap for each language of the site in which a record lacks texts. The field is the first of them.
fn untranslated(content: &Content, record: &Live) -> Vec<Gap> {
    let texts = texts::of_record(record.kind, &record.body);
    let gap = |language: Language| {
        let catalogue = content.catalogues.of(language);
        let lacks = |(_, text): &&(_, &str)| catalogue.get(text).is_none();
        let (field, _) = texts.iter().find(lacks).filter(|_| !catalogue.is_empty())?;
        let (kind, id, code) = (record.kind, record.id.clone(), language.code());
        Some(Gap {
            key: format!("{}/{id}/NOT_TRANSLATED/{code}", kind.name),
            title: kind.title_of(&record.body),
            kind,
            id,
            field: (*field).to_owned(),
            reason: "NOT_TRANSLATED",
            detail: String::new(),
            language: Some(language),
            text_count: texts.iter().filter(lacks).count(),
        })
    };
    Language::ALL.into_iter().filter_map(gap).collect()
}

/// Gaps of one record: reason, field and detail.
struct Found<'a> {
    content: &'a Content,
    now: DateTime<Utc>,
    body: &'a Body,
    gaps: Vec<(&'static str, String, String)>,
}

impl Found<'_> {
    fn examine(&mut self, kind: &Kind) {
        match kind.name {
            "doctor" if self.is_drawing("image") => self.add("NO_PHOTOGRAPH", "image", ""),
            "news" | "post" => self.need("NO_SUMMARY", "excerpt"),
            "promo" => {
                self.need("NO_PICTURE", "image");
                self.past_event("url");
            }
            "event" => self.ended_series(),
            "page" => self.review("updated"),
            "first-aid" | "specialty" | "surgery" => self.review("reviewed"),
            _ => {}
        }
        let body = self.body;
        for (name, value) in body {
            self.links(name, value);
        }
    }

    fn add(&mut self, reason: &'static str, field: &str, detail: &str) {
        self.gaps
            .push((reason, field.to_owned(), detail.to_owned()));
    }

    fn text(&self, field: &str) -> &str {
        let text = self.body.get(field).and_then(Value::as_str);
        text.unwrap_or_default().trim()
    }

    fn need(&mut self, reason: &'static str, field: &str) {
        if self.text(field).is_empty() {
            self.add(reason, field, "");
        }
    }

    /// Returns whether the picture is one of the drawings that come with the site, or missing.
    fn is_drawing(&self, field: &str) -> bool {
        let image = self.text(field);
        image.is_empty() || image.starts_with("/images/")
    }

    fn review(&mut self, field: &str) {
        let text = self.text(field).to_owned();
        let Ok(day) = text.parse::<NaiveDate>() else {
            return self.add("NO_REVIEW", field, "");
        };
        let today = self.now.with_timezone(&IST).date_naive();
        if (today - day).num_days() > REVIEW_DAYS_MAX {
            self.add("REVIEW_DUE", field, &text);
        }
    }

    fn ended_series(&mut self) {
        let until = self.text("until").to_owned();
        let event = self.content.event(self.text("id"), self.now);
        if !until.is_empty() && event.is_some_and(|event| event.past) {
            self.add("SERIES_ENDED", "until", &until);
        }
    }

    fn past_event(&mut self, field: &str) {
        let url = self.text(field).to_owned();
        let event = page_of(&url).strip_prefix("/event/");
        let event = event.and_then(|id| self.content.event(id, self.now));
        if event.is_some_and(|event| event.past) {
            self.add("PROMOTION_PAST", field, &url);
        }
    }

    fn links(&mut self, field: &str, value: &Value) {
        match value {
            Value::String(text) => {
                let is_page =
                    is_site_path(text) && !FILES.iter().any(|folder| text.starts_with(folder));
                if is_page && !self.content.may_have(page_of(text), self.now) {
                    self.add("LINK_BROKEN", field, text);
                }
            }
            Value::Array(values) => {
                for (index, value) in values.iter().enumerate() {
                    self.links(&format!("{field}[{index}]"), value);
                }
            }
            Value::Object(body) => {
                for (name, value) in body {
                    self.links(&format!("{field}.{name}"), value);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// Returns the path of an address, without query and fragment.
fn page_of(address: &str) -> &str {
    address.split(['?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{files::Sources, records::load};

    fn records() -> Vec<Live> {
        of_sources(&Sources::embedded()).expect("the embedded files")
    }

    fn at(time: &str) -> DateTime<Utc> {
        time.parse().expect("a time")
    }

    /// Returns the gaps of a record after a change, at the end of 2026 in India.
    fn after(
        name: (&str, &str),
        change: &Value,
        time: &str,
    ) -> Vec<(&'static str, String, String)> {
        let mut records = records();
        let own = |record: &&mut Live| (record.kind.name, record.id.as_str()) == name;
        let record = records.iter_mut().find(own).expect("a record");
        record
            .body
            .extend(change.as_object().cloned().unwrap_or_default());
        record.body.retain(|_, value| !value.is_null());
        let content = load(&Sources::embedded(), &records, None).expect("a content");
        let gaps = gaps_in(&content, at(time)).into_iter();
        gaps.filter(|gap| (gap.kind.name, gap.id.as_str()) == name && gap.language.is_none())
            .map(|gap| (gap.reason, gap.field, gap.detail))
            .collect()
    }

    fn first(kind: &str) -> String {
        let of_kind = |record: &Live| record.kind.name == kind;
        records().into_iter().find(of_kind).expect("a record").id
    }

    fn gap(reason: &'static str, field: &str, detail: &str) -> (&'static str, String, String) {
        (reason, field.to_owned(), detail.to_owned())
    }

    #[test]
    fn names_what_is_missing_and_nothing_else() {
        const NOW: &str = "2026-12-31T18:29:59Z";
        let (news, promo) = (first("news"), first("promo"));
        for (name, change, wanted) in [
            (
                ("doctor", "doc-06"),
                json!({}),
                vec![gap("NO_PHOTOGRAPH", "image", "")],
            ),
            (("news", &news), json!({"excerpt": "Short."}), vec![]),
            (
                ("news", &news),
                json!({"excerpt": null}),
                vec![gap("NO_SUMMARY", "excerpt", "")],
            ),
            (("promo", &promo), json!({"url": "/events"}), vec![]),
            (
                ("promo", &promo),
                json!({"image": null, "url": "/blogs/any"}),
                vec![gap("NO_PICTURE", "image", "")],
            ),
            (
                ("promo", &promo),
                json!({"url": "/doctor/nobody?a=b"}),
                vec![gap("LINK_BROKEN", "url", "/doctor/nobody?a=b")],
            ),
            (
                ("surgery", "1"),
                json!({}),
                vec![gap("NO_REVIEW", "reviewed", "")],
            ),
            (("surgery", "1"), json!({"reviewed": "2025-12-31"}), vec![]),
            (
                ("surgery", "1"),
                json!({"reviewed": "2025-12-30"}),
                vec![gap("REVIEW_DUE", "reviewed", "2025-12-30")],
            ),
        ] {
            assert_eq!(after(name, &change, NOW), wanted, "{name:?} {change}");
        }
        // The day begins in India.
        let due = after(
            ("surgery", "1"),
            &json!({"reviewed": "2025-12-31"}),
            "2026-12-31T18:30:00Z",
        );
        assert_eq!(due, [gap("REVIEW_DUE", "reviewed", "2025-12-31")]);
    }

    #[test]
    fn a_series_and_a_promotion_end_with_the_last_month() {
        let series = records()
            .into_iter()
            .find(|record| record.body.contains_key("repeats"));
        let (id, until) = (series.expect("a series").id, json!({"until": "2026-12"}));
        let name = ("event", id.as_str());
        assert_eq!(after(name, &until, "2026-12-01T00:00:00Z"), []);
        let ended = [gap("SERIES_ENDED", "until", "2026-12")];
        assert_eq!(after(name, &until, "2027-01-01T00:00:00Z"), ended);

        let single = records()
            .into_iter()
            .find(|record| record.kind.name == "event" && record.body.contains_key("date"));
        let url = format!("/event/{}", single.expect("an event").id);
        let promo = first("promo");
        let change = json!({"url": url});
        let past = after(("promo", &promo), &change, "2100-01-01T00:00:00Z");
        assert_eq!(past, [gap("PROMOTION_PAST", "url", &url)]);
        assert_eq!(
            after(("promo", &promo), &change, "2001-01-01T00:00:00Z"),
            []
        );
    }

    #[test]
    fn counts_the_texts_that_a_language_lacks() {
        let catalogue = r#"{ "The one": "ಒಂದು" }"#.to_owned();
        let sources = Sources::embedded().with("kn.json", catalogue);
        let sources = sources.with("hi.json", "{}".to_owned());
        let mut records = records();
        let own = |record: &&mut Live| record.kind.name == "badge";
        let badge = records.iter_mut().find(own).expect("a badge");
        let of_badge = |text: &str, badge: &Live| {
            let mut badge = badge.clone();
            badge.body.insert("text".to_owned(), json!(text));
            let content = Content::load(&sources, None).expect("a content");
            untranslated(&content, &badge)
        };
        let [gap] = &of_badge("The other", badge)[..] else {
            panic!("one gap")
        };
        assert_eq!((gap.reason, gap.field.as_str()), ("NOT_TRANSLATED", "text"));
        // Hindi is not served.
        assert_eq!((gap.language, gap.text_count), (Some(Language::Kannada), 1));
        assert_eq!(of_badge("The one", badge), []);
        assert_eq!(of_badge("24", badge), []);
    }

    #[tokio::test]
    async fn the_list_is_made_again_after_a_change_and_a_minute() {
        let content = |records: &[Live]| {
            Arc::new(load(&Sources::embedded(), records, None).expect("a content"))
        };
        let (gaps, now) = (Gaps::default(), at("2026-11-27T10:00:00Z"));
        let all = content(&records());
        let one = gaps.of(Arc::clone(&all), now).await;
        let other = gaps
            .of(Arc::clone(&all), now + TimeDelta::seconds(59))
            .await;
        assert!(Arc::ptr_eq(&one, &other));
        let later = gaps.of(all, now + TimeDelta::seconds(60)).await;
        assert!(!Arc::ptr_eq(&one, &later));
        assert_eq!(one, later);
        let mut fewer = records();
        fewer.retain(|record| record.kind.name != "first-aid");
        let fewer = gaps.of(content(&fewer), now).await;
        assert!(fewer.len() < one.len());
        let mut keys: Vec<&str> = one.iter().map(|gap| gap.key.as_str()).collect();
        keys.dedup();
        assert_eq!(keys.len(), one.len());
    }
}
