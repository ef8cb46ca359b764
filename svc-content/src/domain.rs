//! The content as it is served, and the questions that visitors ask of it.

pub mod blog;
mod doctors;
mod shelf;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use hospital_proto::content::v1::{
    DepartmentProfile, Event, News, Page, Promo, Review, Service, Site, Specialty, Surgery,
};

pub use doctors::{DoctorQuery, QUERY_CHARS_MAX};

use doctors::Directory;

use crate::{
    files::{self, ContentError, Sources, notices::EventPlan, posts::SeedBlog},
    html, slug,
    values::Origin,
};
use shelf::Shelf;

/// Characters of a content that a list shows.
pub(crate) const TEASER_CHARS: usize = 200;

/// Everything of the content files, checked, in the form that is sent.
#[derive(Debug)]
pub struct Content {
    pub site: Site,
    pub(crate) doctors: Directory,
    pub(crate) departments: Shelf<DepartmentProfile>,
    pub(crate) services: Shelf<Service>,
    pub(crate) specialties: Shelf<Specialty>,
    pub(crate) surgeries: Shelf<Surgery>,
    /// Words that people look for a surgery by, by its id.
    pub(crate) surgery_terms: HashMap<String, Vec<String>>,
    events: Vec<EventPlan>,
    pub(crate) reviews: Vec<(String, Review)>,
    pub(crate) news: Shelf<News>,
    pub(crate) promos: Shelf<Promo>,
    /// Ids and texts.
    pub(crate) headlines: Vec<(String, String)>,
    pub(crate) pages: HashMap<String, Page>,
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
        let surgeries = files::care::parse_surgeries(sources)?;
        let pages = files::pages::parse(sources, &site)?;
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
            specialties: shelve_specialties(specialties),
            surgeries: shelve_surgeries(
                surgeries.into_iter().map(|(surgery, _)| surgery).collect(),
            ),
            surgery_terms,
            events: files::notices::parse_events(sources)?,
            reviews: files::people::parse_reviews(sources)?,
            news: shelve_news(files::posts::parse_news(sources)?),
            promos: promos(files::notices::parse_promos(sources)?),
            headlines: files::notices::parse_headlines(sources)?,
            pages,
            seed: files::posts::parse_seed(sources)?,
            revision: sources.revision(),
        })
    }

    /// Coming ones, soonest first; then past ones, latest first.
    pub(crate) fn events(&self, now: DateTime<Utc>) -> Vec<Event> {
        let mut events: Vec<_> = self.events.iter().map(|plan| plan.at(now)).collect();
        events.sort_by(|(one, one_end), (other, other_end)| {
            let by_time = if one.past {
                other_end.cmp(one_end)
            } else {
                one_end.cmp(other_end)
            };
            one.past
                .cmp(&other.past)
                .then(by_time)
                .then_with(|| one.id.cmp(&other.id))
        });
        events.into_iter().map(|(event, _)| event).collect()
    }

    pub(crate) fn event(&self, id: &str, now: DateTime<Utc>) -> Option<Event> {
        let plan = self.events.iter().find(|plan| plan.id() == id)?;
        Some(plan.at(now).0)
    }
}

fn departments(all: Vec<DepartmentProfile>) -> Shelf<DepartmentProfile> {
    let names = |profile: &DepartmentProfile| vec![profile.id.clone()];
    Shelf::new(all, |profile| profile.id.clone(), names, |_| {})
}

fn services(all: Vec<Service>) -> Shelf<Service> {
    let names = |service: &Service| {
        vec![
            service.slug.clone(),
            slug::specialty_list_slug(&service.name),
            service.id.clone(),
        ]
    };
    Shelf::new(
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
fn shelve_specialties(all: Vec<files::care::SpecialtyWithAliases>) -> Shelf<Specialty> {
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
    let mut shelf = Shelf::new(
        cards,
        |specialty| specialty.id.clone(),
        names,
        |specialty| {
            specialty.long_description.clear();
            specialty.faqs.clear();
        },
    );
    shelf.prefer(|specialty| specialty.rich);
    shelf
}

fn shelve_surgeries(all: Vec<Surgery>) -> Shelf<Surgery> {
    let names = |surgery: &Surgery| {
        vec![
            surgery.slug.clone(),
            surgery.id.clone(),
            slug::specialty_list_slug(&surgery.name),
            slug::specialty_detail_slug(&surgery.name),
        ]
    };
    Shelf::new(
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

fn shelve_news(all: Vec<News>) -> Shelf<News> {
    let names = |news: &News| vec![news.id.clone()];
    Shelf::new(
        all,
        |news| news.id.clone(),
        names,
        |news| {
            news.content = html::first_chars(&news.content, TEASER_CHARS);
        },
    )
}

fn promos(all: Vec<Promo>) -> Shelf<Promo> {
    let names = |promo: &Promo| vec![promo.id.clone()];
    Shelf::new(all, |promo| promo.id.clone(), names, |_| {})
}

#[cfg(test)]
mod tests;
