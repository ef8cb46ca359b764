//! Parser of pages.toml: texts of whole pages and of blocks within pages.

use std::collections::HashMap;

use hospital_proto::content::v1::{Page, PageSection, Site};
use serde::Deserialize;
use toml::Spanned;

use super::{ContentError, Examined, PAGES_FILE, Sources, or_empty, texts};
use crate::values::{Day, Line, Slug};

/// Page that the first-aid topics belong to.
const EMERGENCY: &str = "emergency";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PagesFile {
    page: Vec<PageRecord>,
    emergency: Vec<FirstAidRecord>,
    about: Vec<AboutRecord>,
    why_choose: Vec<BlockRecord>,
    facility: Vec<BlockRecord>,
    badge: Vec<BadgeRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PageRecord {
    slug: Spanned<Slug>,
    title: Line<80>,
    meta_description: Line<160>,
    updated: Day,
    intro: Line<1000>,
    section: Vec<SectionRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SectionRecord {
    id: Spanned<Slug>,
    heading: Line<120>,
    paragraphs: Vec<Line<2000>>,
    #[serde(default)]
    items: Vec<Line<600>>,
    #[serde(default)]
    contacts: Vec<Spanned<Line<40>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FirstAidRecord {
    id: Spanned<Slug>,
    title: Line<80>,
    icon: Slug,
    /// Signs to call at once, what to do until help comes, and what not to do.
    call: Vec<Line<300>>,
    #[serde(default)]
    steps: Vec<Line<400>>,
    avoid: Line<200>,
    /// When to come in within hours, and what is safe at home.
    today: Option<Line<200>>,
    home: Option<Line<200>>,
    /// Phrases that lead a search to the topic.
    search_terms: Vec<Line<60>>,
    /// Day on which a doctor last reviewed the text. Not served: the checklist of the desk shows it.
    #[serde(default, rename = "reviewed")]
    _reviewed: Option<Day>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AboutRecord {
    id: Spanned<Slug>,
    title: Line<80>,
    paragraphs: Vec<Line<2000>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockRecord {
    id: Spanned<Slug>,
    title: Line<80>,
    text: Line<400>,
    icon: Slug,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BadgeRecord {
    id: Spanned<Slug>,
    text: Line<60>,
    icon: Slug,
}

impl From<SectionRecord> for PageSection {
    fn from(record: SectionRecord) -> Self {
        Self {
            id: record.id.into_inner().into(),
            heading: record.heading.into(),
            paragraphs: texts(record.paragraphs),
            items: texts(record.items),
            contacts: record
                .contacts
                .into_iter()
                .map(|contact| contact.into_inner().into())
                .collect(),
            ..Self::default()
        }
    }
}

impl From<FirstAidRecord> for PageSection {
    fn from(record: FirstAidRecord) -> Self {
        Self {
            id: record.id.into_inner().into(),
            heading: record.title.into(),
            icon: record.icon.into(),
            signs: texts(record.call),
            steps: texts(record.steps),
            avoid: vec![record.avoid.into()],
            today: record.today.map(Into::into).into_iter().collect(),
            home: record.home.map(Into::into).into_iter().collect(),
            ..Self::default()
        }
    }
}

impl From<AboutRecord> for PageSection {
    fn from(record: AboutRecord) -> Self {
        Self {
            id: record.id.into_inner().into(),
            heading: record.title.into(),
            paragraphs: texts(record.paragraphs),
            ..Self::default()
        }
    }
}

impl From<BlockRecord> for PageSection {
    fn from(record: BlockRecord) -> Self {
        Self {
            id: record.id.into_inner().into(),
            heading: record.title.into(),
            paragraphs: vec![record.text.into()],
            icon: record.icon.into(),
            ..Self::default()
        }
    }
}

impl From<BadgeRecord> for PageSection {
    fn from(record: BadgeRecord) -> Self {
        Self {
            id: record.id.into_inner().into(),
            heading: record.text.into(),
            icon: record.icon.into(),
            ..Self::default()
        }
    }
}

impl PageRecord {
    fn page(self, first_aid: &mut Vec<PageSection>) -> Page {
        let mut sections: Vec<PageSection> = self.section.into_iter().map(Into::into).collect();
        let id = String::from(self.slug.into_inner());
        if id == EMERGENCY {
            sections.append(first_aid);
        }
        Page {
            id,
            title: self.title.into(),
            description: self.meta_description.into(),
            sections,
            intro: self.intro.into(),
            updated: self.updated.into(),
        }
    }
}

/// Builds a block: sections and a title, without its own page.
fn block<T: Into<PageSection>>(id: &str, title: &str, records: Vec<T>) -> Page {
    Page {
        id: id.to_owned(),
        title: title.to_owned(),
        sections: records.into_iter().map(Into::into).collect(),
        ..Page::default()
    }
}

/// Pages and blocks by id, and the search terms of first-aid topics by topic id.
pub(crate) type PagesWithTerms = (HashMap<String, Page>, HashMap<String, Vec<String>>);

/// Parses the pages. `site` has the lines that sections reference as contacts.
pub(crate) fn parse(sources: &Sources, site: &Site) -> Result<PagesWithTerms, ContentError> {
    let examined = sources.examined(PAGES_FILE);
    let file = examined.parse::<PagesFile>()?;
    examined.unique("page", "slug", file.page.iter().map(|record| &record.slug))?;
    for (index, page) in file.page.iter().enumerate() {
        let table = format!("page[{index}].section");
        examined.unique(&table, "id", page.section.iter().map(|record| &record.id))?;
        examine_contacts(&examined, &table, page, site)?;
    }
    examined.unique(
        "emergency",
        "id",
        file.emergency.iter().map(|record| &record.id),
    )?;
    examined.unique(
        "why_choose",
        "id",
        file.why_choose.iter().map(|record| &record.id),
    )?;
    examined.unique(
        "facility",
        "id",
        file.facility.iter().map(|record| &record.id),
    )?;
    examined.unique("badge", "id", file.badge.iter().map(|record| &record.id))?;
    if !file
        .page
        .iter()
        .any(|page| page.slug.get_ref().as_ref() == EMERGENCY)
    {
        let problem = format!("no page has the slug `{EMERGENCY}`");
        return Err(examined.broken(None, "page".to_owned(), problem));
    }
    let mut terms = HashMap::new();
    let with_terms = |mut record: FirstAidRecord| {
        let words = texts(std::mem::take(&mut record.search_terms));
        terms.insert(record.id.get_ref().to_string(), words);
        record.into()
    };
    let mut first_aid = file.emergency.into_iter().map(with_terms).collect();
    let about = or_empty(file.about.first().map(|about| about.title.clone()));
    let blocks = [
        block("about", &about, file.about),
        block("why-choose", "Why choose us", file.why_choose),
        block("facilities", "Facilities", file.facility),
        block("badges", "At a glance", file.badge),
    ];
    let pages = file
        .page
        .into_iter()
        .map(|record| record.page(&mut first_aid));
    let all: Vec<Page> = blocks.into_iter().chain(pages).collect();
    let pages = all.into_iter().map(|page| (page.id.clone(), page));
    Ok((pages.collect(), terms))
}

fn examine_contacts(
    examined: &Examined<'_>,
    table: &str,
    page: &PageRecord,
    site: &Site,
) -> Result<(), ContentError> {
    for (at, section) in page.section.iter().enumerate() {
        for (index, contact) in section.contacts.iter().enumerate() {
            let is_known = match contact.get_ref().as_ref().split_once(':') {
                None => contact.get_ref().as_ref() == "address",
                Some(("phone", purpose)) => site.phones.iter().any(|own| own.purpose == purpose),
                Some(("email", purpose)) => site.emails.iter().any(|own| own.purpose == purpose),
                Some(_) => false,
            };
            if !is_known {
                let problem = format!("`{}` is not a line of site.toml", contact.get_ref());
                let field = format!("{table}[{at}].contacts[{index}]");
                return Err(examined.broken_at(contact, field, problem));
            }
        }
    }
    Ok(())
}
