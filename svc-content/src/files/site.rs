//! Parser of site.toml, the hospital's profile.

use std::fmt::Display;

use hospital_proto::content::v1::{
    Address, EmailAddress, OpeningHours, PhoneNumber, Site, Statistic,
};
use serde::Deserialize;
use toml::Spanned;

use super::{ContentError, SITE_FILE, Sources};
use crate::values::{ClockTime, Email, Line, Origin, Phone, Weekdays};

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

/// Declares closed sets of purposes. Pages look up numbers and hours by purpose, so each purpose occurs exactly once.
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
    pub(crate) weekdays: Weekdays,
    pub(crate) opens: ClockTime,
    /// Exclusive end. If not later than `opens`, it is on the next day.
    pub(crate) closes: ClockTime,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatisticRecord {
    pub(crate) value: Line<12>,
    pub(crate) label: Line<40>,
}

impl From<SiteFile> for Site {
    fn from(file: SiteFile) -> Self {
        let phone = |record: PhoneRecord| PhoneNumber {
            purpose: record.purpose.get_ref().to_string(),
            label: record.label.into(),
            e164: record.display.e164(),
            display: record.display.into(),
        };
        let email = |record: EmailRecord| EmailAddress {
            purpose: record.purpose.get_ref().to_string(),
            label: record.label.into(),
            address: record.address.into(),
        };
        let hours = |record: HoursRecord| OpeningHours {
            purpose: record.purpose.get_ref().to_string(),
            label: record.label.into(),
            hours: record.hours.into(),
            weekdays: record.weekdays.into(),
            opens: record.opens.into(),
            closes: record.closes.into(),
        };
        let statistic = |record: StatisticRecord| Statistic {
            value: record.value.into(),
            label: record.label.into(),
        };
        Self {
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
}

pub(crate) fn parse(sources: &Sources) -> Result<Site, ContentError> {
    let examined = sources.examined(SITE_FILE);
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
    Ok(site.into())
}
