//! The directory of doctors.

use std::collections::{HashMap, HashSet};

use hospital_proto::content::v1::{Doctor, ListDoctorsRequest};
use service_kit::input::{Line, Violation, Violations, optional};

use super::{collection::Collection, pictures::Pictures, texts::Texts};
use crate::{
    files::people::{self, DoctorRecord},
    paging::PageRequest,
    slug,
};

/// Maximum length of a search text, in characters.
pub const QUERY_CHARS_MAX: usize = 100;

/// All doctors, including unlisted ones.
#[derive(Debug, Clone)]
pub(crate) struct Directory {
    collection: Collection<Doctor>,
    unlisted_ids: HashSet<String>,
    /// Distinct specialty labels of listed doctors, in directory order.
    pub(crate) specialties: Vec<String>,
    /// Lower-case English name and specialty of translated doctors, by id.
    english: HashMap<String, String>,
}

impl Directory {
    pub(super) fn new(records: Vec<DoctorRecord>) -> Self {
        let unlisted_ids = records
            .iter()
            .filter(|record| !record.listed)
            .map(|record| record.id.get_ref().to_string())
            .collect();
        let all: Vec<Doctor> = records.into_iter().map(Into::into).collect();
        let names = |doctor: &Doctor| vec![doctor.slug.clone(), doctor.id.clone()];
        let collection = Collection::new(
            all,
            |doctor| doctor.id.clone(),
            names,
            |doctor| {
                doctor.about.clear();
                doctor.education.clear();
                doctor.specializations.clear();
                doctor.achievements.clear();
                doctor.seo_title.clear();
                doctor.meta_description.clear();
                doctor.focus_keyword.clear();
                doctor.registration_number.clear();
            },
        );
        let mut directory = Self {
            collection,
            unlisted_ids,
            specialties: Vec::new(),
            english: HashMap::new(),
        };
        let mut specialties: Vec<String> = Vec::new();
        for doctor in directory.listed() {
            if !specialties.contains(&doctor.specialty) {
                specialties.push(doctor.specialty.clone());
            }
        }
        directory.specialties = specialties;
        directory
    }

    /// Sets the facts of uploaded pictures.
    pub(super) fn show(&mut self, pictures: &Pictures) {
        self.collection.show(pictures);
    }

    /// Returns the listed doctors, in order.
    pub(crate) fn listed(&self) -> impl Iterator<Item = &Doctor> {
        self.collection
            .iter()
            .filter(|doctor| !self.unlisted_ids.contains(&doctor.id))
    }

    /// Returns a page of listed doctors, and the token of the next page.
    pub(crate) fn page(&self, query: &DoctorQuery) -> (Vec<Doctor>, String) {
        self.collection.page(&query.page, |doctor| {
            let english = self.english.get(&doctor.id);
            let english = english.map_or("", String::as_str);
            !self.unlisted_ids.contains(&doctor.id) && query.wants(doctor, english)
        })
    }

    /// Returns a doctor by slug or id, listed or not.
    pub(crate) fn find(&self, name: &str) -> Option<&Doctor> {
        self.collection.find(name)
    }
}

impl Texts for Directory {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        let english = |doctor: &Doctor| {
            let words = format!("{}\n{}", doctor.name, doctor.specialty);
            (doctor.id.clone(), words.to_lowercase())
        };
        self.english = self.collection.iter().map(english).collect();
        self.collection.each_text(change);
        let set_initials = |doctor: &mut Doctor| doctor.initials = people::initials(&doctor.name);
        self.collection.each(set_initials);
        self.specialties.iter_mut().for_each(change);
    }
}

/// Filter and page of a doctor listing.
#[derive(Debug)]
pub struct DoctorQuery {
    /// Keys that match the requested specialty; empty for all. Up to two, because the slug rules treat `&` differently.
    specialty_keys: Vec<String>,
    /// Lower-case; empty for all.
    text: String,
    page: PageRequest,
}

impl DoctorQuery {
    /// Parses the query. The error holds every violation.
    pub fn parse(request: &ListDoctorsRequest) -> Result<Self, Vec<Violation>> {
        let mut violations = Violations::default();
        let mut line = |field, text| {
            let line = violations.take(field, optional(Line::parse(text, QUERY_CHARS_MAX)));
            line.flatten().map_or_else(String::new, Line::into_string)
        };
        let specialty = line("specialty", &request.specialty);
        let text = line("q", &request.q).to_lowercase();
        let violations = violations.into_vec();
        let filter = [specialty.as_str(), &text];
        let page = PageRequest::parse(request.page_size, &request.page_token, &filter);
        match page {
            Ok(page) if violations.is_empty() => Ok(Self {
                specialty_keys: specialty_keys(&specialty),
                text,
                page,
            }),
            Ok(_) => Err(violations),
            Err(more) => Err([violations, more].concat()),
        }
    }

    /// Returns whether a doctor is searched for. In another language, either script finds a name.
    fn wants(&self, doctor: &Doctor, english: &str) -> bool {
        let has_specialty =
            self.specialty_keys.is_empty() || self.specialty_keys.contains(&doctor.specialty_key);
        let has_text = doctor.name.to_lowercase().contains(&self.text)
            || doctor.specialty.to_lowercase().contains(&self.text)
            || english.contains(&self.text);
        has_specialty && has_text
    }
}

fn specialty_keys(specialty: &str) -> Vec<String> {
    if specialty.is_empty() {
        return Vec::new();
    }
    [
        slug::specialty_list_slug(specialty),
        slug::specialty_detail_slug(specialty),
    ]
    .iter()
    .map(|slug| slug::specialty_key(slug).to_owned())
    .collect()
}
