//! The content as it is served, and the questions that visitors ask of it.

use hospital_proto::content::v1::{
    Address, DepartmentProfile, Doctor, EmailAddress, ListDepartmentProfilesRequest,
    ListDoctorsRequest, OpeningHours, PhoneNumber, Site, Statistic,
};
use service_kit::violation::Violation;

use crate::{
    files::{self, ContentError, DepartmentRecord, DoctorRecord, SiteFile, Sources},
    paging::PageRequest,
    slug,
    values::Origin,
};

/// Longest text that is searched for.
pub const QUERY_CHARS_MAX: usize = 100;

/// Everything of the content files, checked, in the form that is sent.
#[derive(Debug)]
pub struct Content {
    pub site: Site,
    /// In the order of the directory, without those that are in no list.
    pub listed_doctors: Vec<Doctor>,
    pub departments: Vec<DepartmentProfile>,
    /// Distinct labels of the listed doctors, in the order of the directory.
    pub specialties: Vec<String>,
    /// Hash of the files.
    pub revision: String,
}

impl Content {
    /// `origin` takes the place of the one in the file.
    pub fn load(sources: &Sources, origin: Option<&Origin>) -> Result<Self, ContentError> {
        let site = files::parse_site(&sources.site)?;
        let doctors = files::parse_doctors(&sources.doctors)?;
        let departments = files::parse_departments(&sources.departments)?;
        let listed_doctors: Vec<_> = doctors
            .doctor
            .into_iter()
            .filter(|record| record.listed)
            .map(doctor)
            .collect();
        let mut specialties: Vec<String> = Vec::new();
        for doctor in &listed_doctors {
            if !specialties.contains(&doctor.specialty) {
                specialties.push(doctor.specialty.clone());
            }
        }
        let mut site = self::site(site);
        if let Some(origin) = origin {
            site.origin = origin.to_string();
        }
        Ok(Self {
            site,
            listed_doctors,
            departments: departments.department.into_iter().map(department).collect(),
            specialties,
            revision: sources.revision(),
        })
    }

    /// A page of the directory, and the token of the next one.
    pub fn doctors(&self, query: &DoctorQuery) -> (Vec<Doctor>, String) {
        let (page, next) = query.page.cut(
            &self.listed_doctors,
            |doctor| &doctor.id,
            |doctor| query.wants(doctor),
        );
        (page.into_iter().cloned().collect(), next)
    }

    /// A page of the departments, and the token of the next one.
    pub fn department_profiles(&self, query: &DepartmentQuery) -> (Vec<DepartmentProfile>, String) {
        let (page, next) = query
            .0
            .cut(&self.departments, |department| &department.id, |_| true);
        (page.into_iter().cloned().collect(), next)
    }
}

/// Which doctors are asked for.
#[derive(Debug)]
pub struct DoctorQuery {
    /// Keys that the wanted specialty may have; empty: all. Two, because the slug rules differ over `&`.
    specialty_keys: Vec<String>,
    /// Lower case; empty: all.
    text: String,
    page: PageRequest,
}

impl DoctorQuery {
    /// The error holds every violation.
    pub fn parse(request: &ListDoctorsRequest) -> Result<Self, Vec<Violation>> {
        let (specialty, text) = (request.specialty.trim(), request.q.trim());
        let mut violations = Vec::new();
        for (field, value) in [("specialty", specialty), ("q", text)] {
            if value.chars().count() > QUERY_CHARS_MAX {
                let problem = format!("has more than {QUERY_CHARS_MAX} characters");
                violations.push(Violation::new(field, problem));
            }
        }
        let text = text.to_lowercase();
        let page = PageRequest::parse(request.page_size, &request.page_token, &[specialty, &text]);
        match page {
            Ok(page) if violations.is_empty() => Ok(Self {
                specialty_keys: specialty_keys(specialty),
                text,
                page,
            }),
            Ok(_) => Err(violations),
            Err(more) => Err([violations, more].concat()),
        }
    }

    fn wants(&self, doctor: &Doctor) -> bool {
        let has_specialty =
            self.specialty_keys.is_empty() || self.specialty_keys.contains(&doctor.specialty_key);
        let has_text = doctor.name.to_lowercase().contains(&self.text)
            || doctor.specialty.to_lowercase().contains(&self.text);
        has_specialty && has_text
    }
}

/// Which departments are asked for.
#[derive(Debug)]
pub struct DepartmentQuery(PageRequest);

impl DepartmentQuery {
    /// The error holds every violation.
    pub fn parse(request: &ListDepartmentProfilesRequest) -> Result<Self, Vec<Violation>> {
        PageRequest::parse(request.page_size, &request.page_token, &[]).map(Self)
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

/// First letters of the first and the last name, for the tile that stands in for a missing image. A single name gives its
/// first two letters.
pub(crate) fn initials(name: &str) -> String {
    let words: Vec<&str> = name
        .split_whitespace()
        .filter(|word| !word.ends_with('.') || word.chars().count() == 2)
        .collect();
    let letters: Vec<char> = match words.as_slice() {
        [] => Vec::new(),
        [only] => only.chars().take(2).collect(),
        [first, .., last] => first.chars().take(1).chain(last.chars().take(1)).collect(),
    };
    letters.into_iter().flat_map(char::to_uppercase).collect()
}

fn doctor(record: DoctorRecord) -> Doctor {
    let name = String::from(record.name);
    let specialty = String::from(record.specialty);
    Doctor {
        id: record.id.into_inner().into(),
        slug: record.slug.into_inner().into(),
        initials: initials(&name),
        name,
        specialty_key: slug::specialty_key(&slug::specialty_detail_slug(&specialty)).to_owned(),
        specialty,
        degrees: record.degrees.into(),
        experience: record.experience.into(),
        visiting_days: record.visiting_days.into(),
        timings: record.timings.into(),
        consultation_fee: record.consultation_fee_rupees.to_string(),
        image: record.image.into(),
        about: record.about.into(),
    }
}

fn department(record: DepartmentRecord) -> DepartmentProfile {
    DepartmentProfile {
        id: record.id.into_inner().into(),
        name: record.name.into(),
        summary: record.summary.into(),
        treats: record.treats.into_iter().map(String::from).collect(),
    }
}

fn site(file: SiteFile) -> Site {
    let phone = |record: files::PhoneRecord| PhoneNumber {
        purpose: record.purpose.get_ref().to_string(),
        label: record.label.into(),
        e164: record.display.e164(),
        display: record.display.into(),
    };
    let email = |record: files::EmailRecord| EmailAddress {
        purpose: record.purpose.get_ref().to_string(),
        label: record.label.into(),
        address: record.address.into(),
    };
    let hours = |record: files::HoursRecord| OpeningHours {
        purpose: record.purpose.get_ref().to_string(),
        label: record.label.into(),
        hours: record.hours.into(),
    };
    let statistic = |record: files::StatisticRecord| Statistic {
        value: record.value.into(),
        label: record.label.into(),
    };
    Site {
        name: file.name.into(),
        tagline: file.tagline.into(),
        founded_year: file.founded_year,
        beds: file.beds,
        address: Some(Address {
            street: file.address.street.into(),
            locality: file.address.locality.into(),
            city: file.address.city.into(),
            region: file.address.region.into(),
            postal_code: file.address.postal_code.into(),
            country: file.address.country.into(),
        }),
        latitude: file.latitude,
        longitude: file.longitude,
        phones: file.phone.into_iter().map(phone).collect(),
        emails: file.email.into_iter().map(email).collect(),
        hours: file.hours.into_iter().map(hours).collect(),
        origin: file.origin.into(),
        statistics: file.statistic.into_iter().map(statistic).collect(),
        accreditations: file.accreditations.into_iter().map(String::from).collect(),
    }
}

#[cfg(test)]
mod tests;
