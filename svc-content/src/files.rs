//! Reads the content files. Whatever is wrong with one is reported with file, line and field, and nothing is served.

use std::{
    collections::HashSet,
    fmt::Display,
    hash::Hash,
    ops::Range,
    path::{Path, PathBuf},
};

use serde::{Deserialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};
use toml::Spanned;

use crate::{
    hex,
    values::{Email, FeeRupees, ImagePath, Line, Origin, Phone, Slug},
};

pub(crate) const SITE_FILE: &str = "site.toml";
pub(crate) const DOCTORS_FILE: &str = "doctors.toml";
pub(crate) const DEPARTMENTS_FILE: &str = "departments.toml";

/// Why the content cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    #[error("cannot read {}", path.display())]
    Unreadable {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{file}, line {line}, {field}: {problem}")]
    Broken {
        file: &'static str,
        /// From 1.
        line: usize,
        /// Path of the field, for example `doctor[2].slug`; `.` for the file as a whole.
        field: String,
        problem: String,
    },
}

/// The texts of the three files.
#[derive(Debug, Clone)]
pub struct Sources {
    pub site: String,
    pub doctors: String,
    pub departments: String,
}

impl Sources {
    /// Those that the program was built with.
    pub fn embedded() -> Self {
        Self {
            site: include_str!("../content/site.toml").to_owned(),
            doctors: include_str!("../content/doctors.toml").to_owned(),
            departments: include_str!("../content/departments.toml").to_owned(),
        }
    }

    /// Those of a folder; all three must be there.
    pub fn read(folder: &Path) -> Result<Self, ContentError> {
        let read = |file: &str| {
            let path = folder.join(file);
            std::fs::read_to_string(&path)
                .map_err(|source| ContentError::Unreadable { path, source })
        };
        Ok(Self {
            site: read(SITE_FILE)?,
            doctors: read(DOCTORS_FILE)?,
            departments: read(DEPARTMENTS_FILE)?,
        })
    }

    /// SHA-256 of all of it, in hexadecimal: equal content has an equal revision, wherever it was read from.
    pub(crate) fn revision(&self) -> String {
        let mut hash = Sha256::new();
        for text in [&self.site, &self.doctors, &self.departments] {
            hash.update(Sha256::digest(text));
        }
        hex::encode(&hash.finalize())
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SiteFile {
    pub(crate) name: Line<80>,
    pub(crate) tagline: Line<120>,
    pub(crate) founded_year: i32,
    pub(crate) beds: i32,
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
    pub(crate) origin: Origin,
    pub(crate) accreditations: Vec<Line<80>>,
    pub(crate) address: AddressRecord,
    pub(crate) phone: Vec<PhoneRecord>,
    pub(crate) email: Vec<EmailRecord>,
    pub(crate) hours: Vec<HoursRecord>,
    pub(crate) statistic: Vec<StatisticRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AddressRecord {
    pub(crate) street: Line<120>,
    pub(crate) locality: Line<80>,
    pub(crate) city: Line<80>,
    pub(crate) region: Line<80>,
    pub(crate) postal_code: Line<12>,
    pub(crate) country: Line<2>,
}

/// Purposes are closed sets: a page looks a number or an hour up by its purpose, so each is there exactly once.
macro_rules! purposes {
    ($($name:ident { $($variant:ident = $text:literal),+ })+) => {
        $(#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
        pub(crate) enum $name {
            $(#[serde(rename = $text)] $variant,)+
        }

        impl $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];
        }

        impl Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(match self { $(Self::$variant => $text,)+ })
            }
        })+
    };
}

purposes! {
    PhonePurpose { Emergency = "emergency", Ambulance = "ambulance", Reception = "reception", Appointments = "appointments" }
    EmailPurpose { General = "general", Appointments = "appointments", Info = "info" }
    HoursPurpose {
        Booking = "booking", Emergency = "emergency", Opd = "opd", Visiting = "visiting",
        FooterWeekdays = "footer_weekdays", FooterWeekend = "footer_weekend"
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PhoneRecord {
    pub(crate) purpose: Spanned<PhonePurpose>,
    pub(crate) label: Line<60>,
    pub(crate) display: Phone,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EmailRecord {
    pub(crate) purpose: Spanned<EmailPurpose>,
    pub(crate) label: Line<60>,
    pub(crate) address: Email,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HoursRecord {
    pub(crate) purpose: Spanned<HoursPurpose>,
    pub(crate) label: Line<60>,
    pub(crate) hours: Line<60>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatisticRecord {
    pub(crate) value: Line<12>,
    pub(crate) label: Line<40>,
}

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
    pub(crate) name: Line<80>,
    pub(crate) specialty: Line<60>,
    pub(crate) degrees: Line<160>,
    pub(crate) experience: Line<40>,
    pub(crate) visiting_days: Line<40>,
    pub(crate) timings: Line<60>,
    pub(crate) consultation_fee_rupees: FeeRupees,
    pub(crate) image: ImagePath,
    pub(crate) about: Line<600>,
    /// False: has a page, is in no list.
    #[serde(default = "listed_by_default")]
    pub(crate) listed: bool,
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
}

/// One file under examination.
#[derive(Debug, Clone, Copy)]
struct Examined<'a> {
    file: &'static str,
    text: &'a str,
}

impl Examined<'_> {
    fn broken(
        &self,
        span: Option<Range<usize>>,
        field: String,
        problem: impl Into<String>,
    ) -> ContentError {
        let before = span
            .and_then(|span| self.text.get(..span.start))
            .unwrap_or_default();
        ContentError::Broken {
            file: self.file,
            line: before.matches('\n').count() + 1,
            field,
            problem: problem.into(),
        }
    }

    fn parse<T: DeserializeOwned>(&self) -> Result<T, ContentError> {
        let deserializer = toml::Deserializer::parse(self.text)
            .map_err(|error| self.broken(error.span(), ".".to_owned(), error.message()))?;
        serde_path_to_error::deserialize(deserializer).map_err(|error| {
            self.broken(
                error.inner().span(),
                field_of(&error.path().to_string()),
                error.inner().message(),
            )
        })
    }

    fn unique<'a, T: Eq + Hash + Display + 'a>(
        &self,
        table: &str,
        field: &str,
        values: impl Iterator<Item = &'a Spanned<T>>,
    ) -> Result<(), ContentError> {
        let mut seen = HashSet::new();
        for (index, value) in values.enumerate() {
            if !seen.insert(value.get_ref()) {
                let problem = format!("`{}` is there twice", value.get_ref());
                return Err(self.broken(
                    Some(value.span()),
                    format!("{table}[{index}].{field}"),
                    problem,
                ));
            }
        }
        Ok(())
    }

    fn complete<'a, T: Eq + Hash + Display + Copy + 'static>(
        &self,
        table: &str,
        all: &[T],
        values: impl Iterator<Item = &'a Spanned<T>> + Clone,
    ) -> Result<(), ContentError> {
        self.unique(table, "purpose", values.clone())?;
        let present: HashSet<_> = values.map(|value| *value.get_ref()).collect();
        match all.iter().find(|purpose| !present.contains(purpose)) {
            None => Ok(()),
            Some(missing) => Err(self.broken(
                None,
                table.to_owned(),
                format!("none with purpose `{missing}`"),
            )),
        }
    }
}

/// The path without what [`Spanned`] adds to it.
fn field_of(path: &str) -> String {
    let own = path.split(".$__serde_spanned").next();
    own.unwrap_or_default().to_owned()
}

pub(crate) fn parse_site(text: &str) -> Result<SiteFile, ContentError> {
    let examined = Examined {
        file: SITE_FILE,
        text,
    };
    let site: SiteFile = examined.parse()?;
    examined.complete(
        "phone",
        PhonePurpose::ALL,
        site.phone.iter().map(|record| &record.purpose),
    )?;
    examined.complete(
        "email",
        EmailPurpose::ALL,
        site.email.iter().map(|record| &record.purpose),
    )?;
    examined.complete(
        "hours",
        HoursPurpose::ALL,
        site.hours.iter().map(|record| &record.purpose),
    )?;
    Ok(site)
}

pub(crate) fn parse_doctors(text: &str) -> Result<DoctorsFile, ContentError> {
    let examined = Examined {
        file: DOCTORS_FILE,
        text,
    };
    let doctors: DoctorsFile = examined.parse()?;
    examined.unique(
        "doctor",
        "id",
        doctors.doctor.iter().map(|record| &record.id),
    )?;
    examined.unique(
        "doctor",
        "slug",
        doctors.doctor.iter().map(|record| &record.slug),
    )?;
    Ok(doctors)
}

pub(crate) fn parse_departments(text: &str) -> Result<DepartmentsFile, ContentError> {
    let examined = Examined {
        file: DEPARTMENTS_FILE,
        text,
    };
    let departments: DepartmentsFile = examined.parse()?;
    examined.unique(
        "department",
        "id",
        departments.department.iter().map(|record| &record.id),
    )?;
    Ok(departments)
}

#[cfg(test)]
mod tests;
