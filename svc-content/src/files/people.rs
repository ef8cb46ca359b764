//! Parser of doctors.toml, departments.toml and reviews.toml.

use hospital_proto::content::v1::{DepartmentProfile, Doctor, Review};
use serde::Deserialize;
use toml::Spanned;

use super::{ContentError, DEPARTMENTS_FILE, DOCTORS_FILE, REVIEWS_FILE, Sources, texts};
use crate::{
    slug,
    values::{FeeRupees, ImagePath, Line, Rating, Slug},
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DoctorsFile {
    pub(crate) doctor: Vec<DoctorRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DoctorRecord {
    pub(crate) id: Spanned<Slug>,
    pub(crate) slug: Spanned<Slug>,
    pub(crate) name: Spanned<Line<80>>,
    pub(crate) specialty: Line<60>,
    pub(crate) degrees: Line<160>,
    pub(crate) registration_number: Spanned<Line<40>>,
    pub(crate) experience: Line<40>,
    pub(crate) visiting_days: Line<40>,
    pub(crate) timings: Line<60>,
    pub(crate) consultation_fee_rupees: FeeRupees,
    pub(crate) languages: Vec<Line<40>>,
    pub(crate) image: ImagePath,
    pub(crate) about: Line<600>,
    pub(crate) education: Vec<Line<160>>,
    pub(crate) specializations: Vec<Line<80>>,
    pub(crate) achievements: Vec<Line<200>>,
    pub(crate) seo_title: Line<70>,
    pub(crate) meta_description: Line<160>,
    pub(crate) focus_keyword: Line<60>,
    /// If false, the doctor has a page but is in no list.
    #[serde(default = "listed_by_default")]
    pub(crate) listed: bool,
    /// Sees known patients only; pages offer no booking.
    #[serde(default)]
    pub(crate) closed_to_new_patients: bool,
}

fn listed_by_default() -> bool {
    true
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DepartmentsFile {
    pub(crate) department: Vec<DepartmentRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DepartmentRecord {
    pub(crate) id: Spanned<Slug>,
    pub(crate) name: Line<60>,
    pub(crate) summary: Line<300>,
    pub(crate) treats: Vec<Line<80>>,
    pub(crate) problems: Vec<Line<60>>,
}

/// Returns the initials of the first and last name, for the tile that replaces a missing image. For a single name,
/// returns its first two letters.
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

impl From<DoctorRecord> for Doctor {
    fn from(record: DoctorRecord) -> Self {
        let name = String::from(record.name.into_inner());
        let specialty = String::from(record.specialty);
        Self {
            id: record.id.into_inner().into(),
            slug: record.slug.into_inner().into(),
            initials: initials(&name),
            name,
            specialty_key: slug::specialty_key(&slug::specialty_detail_slug(&specialty)).to_owned(),
            specialty,
            degrees: record.degrees.into(),
            registration_number: record.registration_number.into_inner().into(),
            experience: record.experience.into(),
            visiting_days: record.visiting_days.into(),
            timings: record.timings.into(),
            consultation_fee: record.consultation_fee_rupees.to_string(),
            languages: texts(record.languages),
            image: record.image.into(),
            about: record.about.into(),
            education: texts(record.education),
            specializations: texts(record.specializations),
            achievements: texts(record.achievements),
            seo_title: record.seo_title.into(),
            meta_description: record.meta_description.into(),
            focus_keyword: record.focus_keyword.into(),
            closed_to_new_patients: record.closed_to_new_patients,
            picture: None,
        }
    }
}

impl From<DepartmentRecord> for DepartmentProfile {
    fn from(record: DepartmentRecord) -> Self {
        Self {
            id: record.id.into_inner().into(),
            name: record.name.into(),
            summary: record.summary.into(),
            treats: texts(record.treats),
            problems: texts(record.problems),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReviewsFile {
    review: Vec<ReviewRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReviewRecord {
    id: Spanned<Slug>,
    name: Line<80>,
    rating: Rating,
    comment: Line<600>,
    image: ImagePath,
    location: Line<80>,
}

impl From<ReviewRecord> for Review {
    fn from(record: ReviewRecord) -> Self {
        Self {
            name: record.name.into(),
            rating: record.rating.into(),
            comment: record.comment.into(),
            image: record.image.into(),
            location: record.location.into(),
            picture: None,
        }
    }
}

/// Parses all doctors, listed or not, in directory order.
pub(crate) fn parse_doctors(sources: &Sources) -> Result<Vec<DoctorRecord>, ContentError> {
    let examined = sources.examined(DOCTORS_FILE);
    let doctors = examined.parse::<DoctorsFile>()?.doctor;
    examined.unique("doctor", "id", doctors.iter().map(|record| &record.id))?;
    examined.unique("doctor", "slug", doctors.iter().map(|record| &record.slug))?;
    // Specialties reference doctors by name.
    examined.unique("doctor", "name", doctors.iter().map(|record| &record.name))?;
    let registrations = doctors.iter().map(|record| &record.registration_number);
    examined.unique("doctor", "registration_number", registrations)?;
    Ok(doctors)
}

pub(crate) fn parse_departments(sources: &Sources) -> Result<Vec<DepartmentProfile>, ContentError> {
    let examined = sources.examined(DEPARTMENTS_FILE);
    let departments = examined.parse::<DepartmentsFile>()?.department;
    let ids = departments.iter().map(|record| &record.id);
    examined.unique("department", "id", ids)?;
    Ok(departments.into_iter().map(Into::into).collect())
}

/// Parses the reviews, each with its id for pagination.
pub(crate) fn parse_reviews(sources: &Sources) -> Result<Vec<(String, Review)>, ContentError> {
    let examined = sources.examined(REVIEWS_FILE);
    let reviews = examined.parse::<ReviewsFile>()?.review;
    examined.unique("review", "id", reviews.iter().map(|record| &record.id))?;
    let with_id = |record: ReviewRecord| (record.id.get_ref().to_string(), record.into());
    Ok(reviews.into_iter().map(with_id).collect())
}
