//! The content as it is served, and the questions that visitors ask of it.

pub mod blog;
mod collection;
mod doctors;
pub(crate) mod events;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use hospital_proto::content::v1::{
    DepartmentProfile, Event, News, Page, Promo, Review, Service, Site, Specialty, Surgery,
};

pub use doctors::{DoctorQuery, QUERY_CHARS_MAX};

use doctors::Directory;
use events::EventPlan;

use crate::{
    files::{self, ContentError, Sources, posts::SeedBlog},
    html, slug,
    values::Origin,
};
use collection::Collection;

/// Characters of a content that a list shows.
pub(crate) const TEASER_CHARS: usize = 200;

/// Everything of the content files, checked, in the form that is sent.
#[derive(Debug)]
pub struct Content {
    pub site: Site,
    pub(crate) doctors: Directory,
    pub(crate) departments: Collection<DepartmentProfile>,
    pub(crate) services: Collection<Service>,
    pub(crate) specialties: Collection<Specialty>,
    pub(crate) surgeries: Collection<Surgery>,
    /// Words that people look for a surgery by, by its id.
    pub(crate) surgery_terms: HashMap<String, Vec<String>>,
    events: Vec<EventPlan>,
    pub(crate) reviews: Vec<(String, Review)>,
    pub(crate) news: Collection<News>,
    pub(crate) promos: Collection<Promo>,
    /// Ids and texts.
    pub(crate) headlines: Vec<(String, String)>,
    pub(crate) pages: HashMap<String, Page>,
    /// Words that people look for a topic of first aid by, by its id.
    pub(crate) first_aid_terms: HashMap<String, Vec<String>>,
    /// Posts that an empty database begins with.
    pub seed: Vec<SeedBlog>,
    /// Hash of the files.
    pub revision: String,
}

impl Content {
    /// `origin` takes the place of the one in the file.
    pub fn load(sources: &Sources, origin: Option<&Origin>) -> Result<Self, ContentError> {
        let mut site = files::site::parse(sources)?;
        let doctors = files::people::parse_doctors(sources)?;
        let listed: HashSet<String> = doctors
            .iter()
            .filter(|record| record.listed)
            .map(|record| record.name.get_ref().to_string())
            .collect();
        let specialties = files::care::parse_specialties(sources, &listed)?;
        let open: HashSet<String> = doctors
            .iter()
            .filter(|record| record.listed && !record.closed_to_new_patients)
            .map(|record| record.id.get_ref().to_string())
            .collect();
        let surgeries = files::care::parse_surgeries(sources, &open)?;
        let (pages, first_aid_terms) = files::pages::parse(sources, &site)?;
        if let Some(origin) = origin {
            site.origin = origin.to_string();
        }
        let surgery_terms = surgeries
            .iter()
            .map(|(surgery, terms)| (surgery.id.clone(), terms.clone()))
            .collect();
        Ok(Self {
            site,
            doctors: Directory::new(doctors),
            departments: departments(files::people::parse_departments(sources)?),
            services: services(files::care::parse_services(sources)?),
            specialties: collect_specialties(specialties),
            surgeries: collect_surgeries(
                surgeries.into_iter().map(|(surgery, _)| surgery).collect(),
            ),
            surgery_terms,
            events: files::notices::parse_events(sources)?,
            reviews: files::people::parse_reviews(sources)?,
            news: collect_news(files::posts::parse_news(sources)?),
            promos: promos(files::notices::parse_promos(sources)?),
            headlines: files::notices::parse_headlines(sources)?,
            pages,
            first_aid_terms,
            seed: files::posts::parse_seed(sources)?,
            revision: sources.revision(),
        })
    }

    /// Coming ones, soonest first; then past ones, latest first.
    pub(crate) fn events(&self, now: DateTime<Utc>) -> Vec<Event> {
        events::listed(&self.events, now)
    }

    /// Of a series the occurrence of a month, or the next one when no month is named.
    pub(crate) fn event(&self, id: &str, now: DateTime<Utc>) -> Option<Event> {
        events::find(&self.events, id, now)
    }

    /// Each event or series once, without a day.
    pub(crate) fn undated_events(&self) -> impl Iterator<Item = &Event> {
        self.events.iter().map(EventPlan::undated)
    }
}

fn departments(all: Vec<DepartmentProfile>) -> Collection<DepartmentProfile> {
    let names = |profile: &DepartmentProfile| vec![profile.id.clone()];
    Collection::new(all, |profile| profile.id.clone(), names, |_| {})
}

fn services(all: Vec<Service>) -> Collection<Service> {
    let names = |service: &Service| {
        vec![
            service.slug.clone(),
            slug::specialty_list_slug(&service.name),
            service.id.clone(),
        ]
    };
    Collection::new(
        all,
        |service| service.id.clone(),
        names,
        |service| {
            service.long_description.clear();
            service.benefits.clear();
            service.equipment.clear();
        },
    )
}

/// Of cards with one slug, the page is the rich one's.
fn collect_specialties(all: Vec<files::care::SpecialtyWithAliases>) -> Collection<Specialty> {
    let aliases: HashMap<String, Vec<String>> = all
        .iter()
        .map(|(specialty, aliases)| (specialty.id.clone(), aliases.clone()))
        .collect();
    let names = |specialty: &Specialty| {
        let mut names = vec![
            specialty.slug.clone(),
            slug::specialty_list_slug(&specialty.name),
            slug::specialty_detail_slug(&specialty.name),
        ];
        names.extend(aliases.get(&specialty.id).cloned().unwrap_or_default());
        names
    };
    let cards = all.into_iter().map(|(specialty, _)| specialty).collect();
    let mut collection = Collection::new(
        cards,
        |specialty| specialty.id.clone(),
        names,
        |specialty| {
            specialty.long_description.clear();
            specialty.faqs.clear();
        },
    );
    collection.prefer(|specialty| specialty.rich);
    collection
}

fn collect_surgeries(all: Vec<Surgery>) -> Collection<Surgery> {
    let names = |surgery: &Surgery| {
        vec![
            surgery.slug.clone(),
            surgery.id.clone(),
            slug::specialty_list_slug(&surgery.name),
            slug::specialty_detail_slug(&surgery.name),
        ]
    };
    Collection::new(
        all,
        |surgery| surgery.id.clone(),
        names,
        |surgery| {
            surgery.about.clear();
            surgery.indications.clear();
            surgery.procedure.clear();
            surgery.benefits.clear();
            surgery.faqs.clear();
        },
    )
}

fn collect_news(all: Vec<News>) -> Collection<News> {
    let names = |news: &News| vec![news.id.clone()];
    Collection::new(
        all,
        |news| news.id.clone(),
        names,
        |news| {
            news.content = html::first_chars(&news.content, TEASER_CHARS);
        },
    )
}

fn promos(all: Vec<Promo>) -> Collection<Promo> {
    let names = |promo: &Promo| vec![promo.id.clone()];
    Collection::new(all, |promo| promo.id.clone(), names, |_| {})
}

#[cfg(test)]
mod tests;
