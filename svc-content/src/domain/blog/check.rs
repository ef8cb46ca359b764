//! Validation of a writer's input.

use chrono::{DateTime, Duration, SubsecRound, Utc};
use service_kit::input::{Line, Paragraphs, Problem, Violation, optional};

use super::{BlogForm, BlogSection};
use crate::{html, values};

const TAGS_MAX: usize = 20;
const TAG_CHARS_MAX: usize = 40;
const SECTIONS_MAX: usize = 30;
const HEADING_CHARS_MAX: usize = 200;
const SECTION_CHARS_MAX: usize = 10_000;
/// Maximum clock difference by which a publication time may lie in the future.
const CLOCK_SKEW: Duration = Duration::seconds(60);

/// Collects violations, and returns the valid values.
#[derive(Default)]
pub(super) struct Check(pub(super) Vec<Violation>);

impl Check {
    pub(super) fn fail(&mut self, field: impl Into<String>, problem: impl Into<String>) {
        self.0.push(Violation::new(field, problem));
    }

    pub(super) fn line(&mut self, field: &str, text: &str, chars_max: usize) -> String {
        let line = optional(Line::parse(text, chars_max));
        self.keep(field, text, line.map(|line| line.map(Line::into_string)))
    }

    pub(super) fn text(&mut self, field: &str, text: &str, chars_max: usize) -> String {
        let paragraphs = optional(Paragraphs::parse(text, chars_max));
        let paragraphs = paragraphs.map(|text| text.map(Paragraphs::into_string));
        self.keep(field, text, paragraphs)
    }

    /// Returns the parsed value. An invalid value is passed through, so that it is not also reported as missing.
    fn keep(&mut self, field: &str, sent: &str, parsed: Result<Option<String>, Problem>) -> String {
        parsed.map_or_else(
            |problem| {
                self.fail(field, problem.to_string());
                sent.to_owned()
            },
            Option::unwrap_or_default,
        )
    }

    /// Sanitises a text, unless the field already has a violation.
    pub(super) fn html(&mut self, field: &str, text: &str) -> String {
        if self.0.iter().any(|violation| violation.field == field) {
            return String::new();
        }
        html::sanitise(text).unwrap_or_else(|too_much| {
            self.fail(field, too_much.to_string());
            String::new()
        })
    }

    /// Accepts only paths on this site. The site's security policy blocks pictures from elsewhere, so the post would
    /// show none.
    pub(super) fn image(&mut self, field: &str, address: &str) -> String {
        let address = address.trim();
        if !address.is_empty() && !values::is_site_path(address) {
            self.fail(
                field,
                "Give a path on this site, such as /images/a.svg: pictures from elsewhere are blocked by the security policy",
            );
        }
        address.to_owned()
    }

    pub(super) fn tags(&mut self, tags: &[String]) -> Vec<String> {
        if tags.len() > TAGS_MAX {
            self.fail("tags", format!("Give at most {TAGS_MAX} tags"));
        }
        let mut kept: Vec<String> = Vec::new();
        for (index, tag) in tags.iter().take(TAGS_MAX).enumerate() {
            let field = format!("tags[{index}]");
            let tag = self.line(&field, tag, TAG_CHARS_MAX);
            if tag.is_empty() {
                self.fail(field, "Fill this in");
            }
            if !kept.contains(&tag) {
                kept.push(tag);
            }
        }
        kept
    }

    pub(super) fn sections(&mut self, sections: &[BlogSection]) -> Vec<BlogSection> {
        if sections.len() > SECTIONS_MAX {
            self.fail("sections", format!("Give at most {SECTIONS_MAX} sections"));
        }
        let sections = sections.iter().take(SECTIONS_MAX).enumerate();
        sections
            .map(|(index, section)| {
                let field = |name: &str| format!("sections[{index}].{name}");
                if !["", "imageRight"].contains(&section.alignment.as_str()) {
                    self.fail(field("alignment"), "Send imageRight, or leave it empty");
                }
                BlogSection {
                    heading: self.line(&field("heading"), &section.heading, HEADING_CHARS_MAX),
                    text: self.text(&field("text"), &section.text, SECTION_CHARS_MAX),
                    image: self.image(&field("image"), &section.image),
                    alignment: section.alignment.clone(),
                }
            })
            .collect()
    }

    pub(super) fn published_at(
        &mut self,
        sent: &BlogForm,
        now: DateTime<Utc>,
    ) -> Option<DateTime<Utc>> {
        let time = sent.published_at?.trunc_subsecs(6);
        // A publication date before 1970 or in the future is a mistake.
        let is_possible =
            |time: &DateTime<Utc>| *time >= DateTime::UNIX_EPOCH && *time <= now + CLOCK_SKEW;
        let time = Some(time).filter(is_possible);
        if time.is_none() {
            self.fail(
                "publishedAt",
                "Send a time from 1970 on that is not in the future",
            );
        }
        time
    }
}
