//! The served content, and the queries on it.

pub mod blog;
mod collection;
pub(crate) mod department_profiles;
mod doctors;
pub(crate) mod events;
pub mod media;
pub(crate) mod pictures;
pub(crate) mod texts;
pub(crate) mod translated;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use hospital_proto::content::v1::{
    DepartmentProfile, Event, News, Page, Promo, Review, Service, Site, Specialty, Surgery,
};

pub use doctors::{DoctorQuery, QUERY_CHARS_MAX};

use doctors::Directory;
use events::EventPlan;
use pictures::{Pictured as _, Pictures};
use translated::Translations;

use crate::{
    files::{self, ContentError, Sources, people::DoctorRecord, search::SearchTable},
    html,
    language::Catalogues,
    slug,
    store::records::Translation,
    values::Origin,
};
use blog::{SeedBlog, TEASER_CHARS};
use collection::Collection;

/// All validated content of the files, in the form in which it is served.
#[derive(Debug)]
pub struct Content {
    pub site: Site,
    pub(crate) doctors: Directory,
    pub(crate) departments: Collection<DepartmentProfile>,
    pub(crate) services: Collection<Service>,
    pub(crate) specialties: Collection<Specialty>,
    pub(crate) surgeries: Collection<Surgery>,
    /// Search terms of surgeries, by surgery id.
    pub(crate) surgery_terms: HashMap<String, Vec<String>>,
    events: Vec<EventPlan>,
    pub(crate) reviews: Vec<(String, Review)>,
    pub(crate) news: Collection<News>,
    pub(crate) promos: Collection<Promo>,
    /// Ids and texts.
    pub(crate) headlines: Vec<(String, String)>,
    pub(crate) pages: HashMap<String, Page>,
    /// Search terms of first-aid topics, by topic id.
    pub(crate) first_aid_terms: HashMap<String, Vec<String>>,
    pub(crate) search: SearchTable,
    /// Posts that seed an empty database.
    pub seed: Vec<SeedBlog>,
    /// Hash of the files.
    pub revision: String,
    /// The texts that this content was built from.
    pub(crate) sources: Sources,
    /// The origin that overrides the one of the files.
    pub(crate) origin: Option<Origin>,
    /// Former pages, and where they lead to.
    pub(crate) moved: HashMap<String, String>,
    /// Uploaded pictures.
    pub(crate) pictures: Pictures,
    pub(crate) catalogues: Catalogues,
    translations: Translations,
}

impl Content {
    /// Loads the content. `origin` overrides the one in the file.
    pub fn load(sources: &Sources, origin: Option<&Origin>) -> Result<Self, ContentError> {
        let mut site = files::site::parse(sources)?;
        let doctors = files::people::parse_doctors(sources)?;
        let specialties = files::care::parse_specialties(sources, &listed_names(&doctors))?;
        let surgeries = files::surgeries::parse_surgeries(sources, &open_ids(&doctors))?;
        let (pages, first_aid_terms) = files::pages::parse(sources, &site)?;
        if let Some(origin) = origin {
            site.origin = origin.to_string();
        }
        let surgery_terms = surgeries
            .iter()
            .map(|(surgery, terms)| (surgery.id.clone(), terms.clone()))
            .collect();
        let mut content = Self {
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
            search: SearchTable::default(),
            seed: files::posts::parse_seed(sources)?,
            revision: sources.revision(),
            sources: sources.clone(),
            origin: origin.cloned(),
            moved: HashMap::new(),
            pictures: Pictures::new(),
            catalogues: Catalogues::parse(|file| sources.text(file))?,
            translations: Translations::default(),
        };
        content.search = files::search::parse(sources, |path| content.has_page(path))?;
        Ok(content)
    }

    /// Sets the facts of uploaded pictures wherever one is shown.
    pub(crate) fn show(&mut self, pictures: Pictures) {
        self.doctors.show(&pictures);
        self.services.show(&pictures);
        self.specialties.show(&pictures);
        self.surgeries.show(&pictures);
        self.news.show(&pictures);
        self.promos.show(&pictures);
        for plan in &mut self.events {
            plan.undated_mut().picture(&pictures);
        }
        for (_, review) in &mut self.reviews {
            review.picture(&pictures);
        }
        self.pictures = pictures;
    }

    /// Sets the translations of staff. Only before the content is read in a language.
    pub(crate) fn translate(&mut self, staff: &[Translation]) {
        self.catalogues = self.catalogues.with_staff(staff);
    }

    /// Checks one file, with what it refers to.
    pub(crate) fn check(sources: &Sources, file: &str) -> Result<(), ContentError> {
        let doctors = || files::people::parse_doctors(sources);
        match file {
            files::DOCTORS_FILE => doctors().map(drop),
            files::DEPARTMENTS_FILE => files::people::parse_departments(sources).map(drop),
            files::REVIEWS_FILE => files::people::parse_reviews(sources).map(drop),
            files::SERVICES_FILE => files::care::parse_services(sources).map(drop),
            files::SPECIALTIES_FILE => {
                files::care::parse_specialties(sources, &listed_names(&doctors()?)).map(drop)
            }
            files::SURGERIES_FILE => {
                files::surgeries::parse_surgeries(sources, &open_ids(&doctors()?)).map(drop)
            }
            files::EVENTS_FILE => files::notices::parse_events(sources).map(drop),
            files::PROMOS_FILE => files::notices::parse_promos(sources).map(drop),
            files::HEADLINES_FILE => files::notices::parse_headlines(sources).map(drop),
            files::NEWS_FILE => files::posts::parse_news(sources).map(drop),
            files::SITE_FILE => files::site::parse(sources).map(drop),
            files::PAGES_FILE => {
                files::pages::parse(sources, &files::site::parse(sources)?).map(drop)
            }
            _ => Self::load(sources, None).map(drop),
        }
    }

    /// Returns whether a path is a page of the content files.
    fn has_page(&self, path: &str) -> bool {
        let Some((folder, name)) = path.trim_start_matches('/').split_once('/') else {
            return self.pages.contains_key(path.trim_start_matches('/'));
        };
        match folder {
            "doctor" => self.doctors.find(name).is_some(),
            "service" => self.services.find(name).is_some(),
            "specialty" => self.specialties.find(name).is_some(),
            "deluxe-surgeries" => self.surgeries.find(name).is_some(),
            "event" => self.events.iter().any(|plan| plan.undated().id == name),
            "news" => self.news.find(name).is_some(),
            _ => false,
        }
    }

    /// Returns whether a path may be a page of the site. Only pages of records are known here, neither posts nor the
    /// pages that other services have.
    pub(crate) fn may_have(&self, path: &str, now: DateTime<Utc>) -> bool {
        let (folder, name) = path
            .trim_start_matches('/')
            .split_once('/')
            .unwrap_or_default();
        let is_own = [
            "doctor",
            "service",
            "specialty",
            "deluxe-surgeries",
            "event",
            "news",
        ]
        .contains(&folder);
        // The page of a news item may end in its title.
        let first = name.split('/').next().unwrap_or_default();
        !is_own
            || self.moved.contains_key(path)
            || self.has_page(path)
            || (folder == "event" && self.event(name, now).is_some())
            || (folder == "news" && self.news.find(first).is_some())
    }

    /// Returns upcoming events, soonest first, then past ones, latest first.
    pub(crate) fn events(&self, now: DateTime<Utc>) -> Vec<Event> {
        events::listed(&self.events, now)
    }

    /// Returns an event. For a series, this is the occurrence of the month in `id`, or the next one if `id` has no
    /// month.
    pub(crate) fn event(&self, id: &str, now: DateTime<Utc>) -> Option<Event> {
        events::find(&self.events, id, now)
    }

    /// Returns each event or series once, without a date.
    pub(crate) fn undated_events(&self) -> impl Iterator<Item = &Event> {
        self.events.iter().map(EventPlan::undated)
    }
}

/// Returns the names of the doctors in lists.
fn listed_names(doctors: &[DoctorRecord]) -> HashSet<String> {
    let listed = doctors.iter().filter(|record| record.listed);
    listed
        .map(|record| record.name.get_ref().to_string())
        .collect()
}

/// Returns the ids of the doctors in lists who take new patients.
fn open_ids(doctors: &[DoctorRecord]) -> HashSet<String> {
    let open = doctors
        .iter()
        .filter(|record| record.listed && !record.closed_to_new_patients);
    open.map(|record| record.id.get_ref().to_string()).collect()
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

/// If several cards share a slug, the rich one provides the page.
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
            surgery.cost = None;
            surgery.recovery_steps.clear();
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
