//! Parser of services.toml and specialties.toml.

use std::collections::HashSet;

use hospital_proto::content::v1::{Question, Service, Specialty};
use serde::Deserialize;
use toml::Spanned;

use super::{ContentError, Examined, SERVICES_FILE, SPECIALTIES_FILE, Sources, or_empty, texts};
use crate::{
    slug,
    values::{Day, ImagePath, Line, Slug},
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ServicesFile {
    service: Vec<ServiceRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ServiceRecord {
    id: Spanned<Slug>,
    slug: Spanned<Slug>,
    name: Spanned<Line<80>>,
    home_name: Option<Line<60>>,
    description: Line<400>,
    icon: Slug,
    features: [Line<60>; 4],
    place: Line<80>,
    hours: Line<80>,
    phone_purpose: Line<40>,
    image: ImagePath,
    long_description: Vec<Line<2000>>,
    benefits: Vec<Line<200>>,
    equipment: Vec<Line<200>>,
    on_home: bool,
}

impl From<ServiceRecord> for Service {
    fn from(record: ServiceRecord) -> Self {
        Self {
            id: record.id.into_inner().into(),
            slug: record.slug.into_inner().into(),
            name: record.name.into_inner().into(),
            home_name: or_empty(record.home_name),
            description: record.description.into(),
            icon: record.icon.into(),
            features: texts(record.features.into()),
            place: record.place.into(),
            hours: record.hours.into(),
            phone_purpose: record.phone_purpose.into(),
            image: record.image.into(),
            picture: None,
            on_home: record.on_home,
            long_description: texts(record.long_description),
            benefits: texts(record.benefits),
            equipment: texts(record.equipment),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QuestionRecord {
    question: Line<200>,
    answer: Line<1200>,
}

impl From<QuestionRecord> for Question {
    fn from(record: QuestionRecord) -> Self {
        Self {
            question: record.question.into(),
            answer: record.answer.into(),
        }
    }
}

pub(super) fn questions(records: Vec<QuestionRecord>) -> Vec<Question> {
    records.into_iter().map(Into::into).collect()
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SpecialtiesFile {
    specialty: Vec<SpecialtyRecord>,
}

/// Card colours defined by the design.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Color {
    Champaca,
    Mist,
    Teal,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SpecialtyRecord {
    id: Spanned<Slug>,
    slug: Spanned<Slug>,
    name: Spanned<Line<80>>,
    #[serde(default)]
    aliases: Vec<Slug>,
    description: Line<400>,
    icon: Slug,
    doctors: Vec<Spanned<Line<80>>>,
    services: Vec<Line<60>>,
    color: Color,
    rich: Spanned<bool>,
    image: Option<ImagePath>,
    #[serde(default)]
    long_description: Vec<Line<2000>>,
    #[serde(default)]
    faqs: Vec<QuestionRecord>,
    /// Day on which a doctor last reviewed the text. Not served: the checklist of the desk shows it.
    #[serde(default, rename = "reviewed")]
    _reviewed: Option<Day>,
}

impl SpecialtyRecord {
    /// Returns every slug of its page.
    fn slugs(&self) -> Vec<String> {
        let own = std::iter::once(self.slug.get_ref()).chain(&self.aliases);
        own.map(ToString::to_string).collect()
    }
}

impl From<SpecialtyRecord> for Specialty {
    fn from(record: SpecialtyRecord) -> Self {
        let color = match record.color {
            Color::Champaca => "champaca",
            Color::Mist => "mist",
            Color::Teal => "teal",
        };
        Self {
            id: record.id.into_inner().into(),
            slug: record.slug.into_inner().into(),
            name: record.name.into_inner().into(),
            description: record.description.into(),
            icon: record.icon.into(),
            doctors: record
                .doctors
                .into_iter()
                .map(|name| name.into_inner().into())
                .collect(),
            services: texts(record.services),
            color: color.to_owned(),
            rich: record.rich.into_inner(),
            long_description: texts(record.long_description),
            faqs: questions(record.faqs),
            image: or_empty(record.image),
            picture: None,
        }
    }
}

pub(crate) fn parse_services(sources: &Sources) -> Result<Vec<Service>, ContentError> {
    let examined = sources.examined(SERVICES_FILE);
    let services = examined.parse::<ServicesFile>()?.service;
    examined.unique("service", "id", services.iter().map(|record| &record.id))?;
    examined.unique(
        "service",
        "slug",
        services.iter().map(|record| &record.slug),
    )?;
    examined.unique(
        "service",
        "name",
        services.iter().map(|record| &record.name),
    )?;
    for (index, record) in services.iter().enumerate() {
        let by_name = slug::specialty_list_slug(record.name.get_ref().as_ref());
        let taken = |other: &ServiceRecord| {
            other.slug.get_ref() != record.slug.get_ref()
                && other.slug.get_ref().as_ref() == by_name
        };
        if services.iter().any(taken) {
            let problem = format!("the slug of the name, `{by_name}`, is another service's");
            return Err(examined.broken_at(
                &record.name,
                format!("service[{index}].name"),
                problem,
            ));
        }
    }
    Ok(services.into_iter().map(Into::into).collect())
}

/// A card, and the other slugs of its page.
pub(crate) type SpecialtyWithAliases = (Specialty, Vec<String>);

/// Parses the specialties. `listed_doctors` are the names that a card may show.
pub(crate) fn parse_specialties(
    sources: &Sources,
    listed_doctors: &HashSet<String>,
) -> Result<Vec<SpecialtyWithAliases>, ContentError> {
    let examined = sources.examined(SPECIALTIES_FILE);
    let specialties = examined.parse::<SpecialtiesFile>()?.specialty;
    examined.unique(
        "specialty",
        "id",
        specialties.iter().map(|record| &record.id),
    )?;
    let rich = specialties.iter().filter(|record| *record.rich.get_ref());
    examined.unique("specialty", "slug", rich.map(|record| &record.slug))?;
    for (index, record) in specialties.iter().enumerate() {
        let path = format!("specialty[{index}]");
        examine_specialty(&examined, &path, record, listed_doctors)?;
        // An alias must be unique across pages.
        let other = specialties
            .iter()
            .filter(|other| other.slug.get_ref() != record.slug.get_ref())
            .flat_map(SpecialtyRecord::slugs);
        let own = record.slugs();
        if let Some(twice) = other.into_iter().find(|slug| own.contains(slug)) {
            let problem = format!("`{twice}` also names another specialty");
            return Err(examined.broken_at(&record.slug, format!("{path}.slug"), problem));
        }
    }
    let with_aliases = |record: SpecialtyRecord| (record.slugs().split_off(1), record);
    Ok(specialties
        .into_iter()
        .map(with_aliases)
        .map(|(aliases, record)| (record.into(), aliases))
        .collect())
}

fn examine_specialty(
    examined: &Examined<'_>,
    path: &str,
    record: &SpecialtyRecord,
    listed_doctors: &HashSet<String>,
) -> Result<(), ContentError> {
    for (index, name) in record.doctors.iter().enumerate() {
        if !listed_doctors.contains(name.get_ref().as_ref()) {
            let problem = format!("`{}` is not a listed doctor", name.get_ref());
            return Err(examined.broken_at(name, format!("{path}.doctors[{index}]"), problem));
        }
    }
    let has_more =
        !record.long_description.is_empty() && !record.faqs.is_empty() && record.image.is_some();
    let has_none = record.long_description.is_empty() && record.faqs.is_empty();
    if (*record.rich.get_ref() && !has_more) || (!record.rich.get_ref() && !has_none) {
        let problem = "must say whether there are long_description, faqs and image";
        return Err(examined.broken_at(&record.rich, format!("{path}.rich"), problem));
    }
    let name = record.name.get_ref().as_ref();
    let own = record.slugs();
    for slug in [
        slug::specialty_list_slug(name),
        slug::specialty_detail_slug(name),
    ] {
        if !own.contains(&slug) {
            let problem = format!("the slug of the name, `{slug}`, is neither slug nor alias");
            return Err(examined.broken_at(&record.name, format!("{path}.name"), problem));
        }
    }
    Ok(())
}
