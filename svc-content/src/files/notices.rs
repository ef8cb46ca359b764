//! events.toml, promos.toml and headlines.toml: what is on.

use chrono::{DateTime, Utc};
use hospital_proto::content::v1::{Event, Promo};
use serde::Deserialize;
use toml::Spanned;

use super::{ContentError, EVENTS_FILE, HEADLINES_FILE, PROMOS_FILE, Sources};
use crate::values::{Day, ImagePath, Line, Link, Slug, TimeRange, Weekday};

/// Furthest day ahead that an event is computed for.
const DAYS_AHEAD_MAX: u16 = 365;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EventsFile {
    event: Vec<EventRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EventRecord {
    id: Spanned<Slug>,
    r#type: Line<40>,
    title: Line<120>,
    date: Option<Day>,
    days_from_today: Option<Spanned<u16>>,
    weekday: Option<Spanned<Weekday>>,
    time: TimeRange,
    location: Line<160>,
    description: Line<1000>,
    image: ImagePath,
    performer: Line<80>,
    price: Spanned<i32>,
}

/// When an event is.
#[derive(Debug, Clone, Copy)]
enum When {
    On(Day),
    /// So many days from today, then on the next such weekday, so that there always is one to come.
    Ahead(u16, Option<Weekday>),
}

/// An event whose day may depend on today's.
#[derive(Debug)]
pub(crate) struct EventPlan {
    event: Event,
    when: When,
    time: TimeRange,
}

impl EventPlan {
    pub(crate) fn id(&self) -> &str {
        &self.event.id
    }

    /// The event as it stands at `now`, and its end.
    pub(crate) fn at(&self, now: DateTime<Utc>) -> (Event, DateTime<Utc>) {
        let day = match self.when {
            When::On(day) => day,
            When::Ahead(days, weekday) => Day::in_india(now).after(days, weekday),
        };
        let end = day.at(self.time.end);
        let event = Event {
            date: day.into(),
            past: end <= now,
            ..self.event.clone()
        };
        (event, end)
    }
}

impl EventRecord {
    fn plan(self, when: When) -> EventPlan {
        EventPlan {
            event: Event {
                id: self.id.into_inner().into(),
                r#type: self.r#type.into(),
                title: self.title.into(),
                date: String::new(),
                time: self.time.to_string(),
                location: self.location.into(),
                description: self.description.into(),
                image: self.image.into(),
                performer: self.performer.into(),
                price: self.price.into_inner(),
                past: false,
            },
            when,
            time: self.time,
        }
    }
}

pub(crate) fn parse_events(sources: &Sources) -> Result<Vec<EventPlan>, ContentError> {
    let examined = sources.examined(EVENTS_FILE);
    let events = examined.parse::<EventsFile>()?.event;
    examined.unique("event", "id", events.iter().map(|record| &record.id))?;
    let mut plans = Vec::with_capacity(events.len());
    for (index, record) in events.into_iter().enumerate() {
        let field = |name: &str| format!("event[{index}].{name}");
        if !(0..=100_000).contains(record.price.get_ref()) {
            let problem = "must be between 0 and 100000 rupees";
            return Err(examined.broken_at(&record.price, field("price"), problem));
        }
        let when = match (record.date, &record.days_from_today, &record.weekday) {
            (Some(day), None, None) => When::On(day),
            (None, Some(days), weekday) if *days.get_ref() <= DAYS_AHEAD_MAX => {
                When::Ahead(*days.get_ref(), weekday.as_ref().map(|day| *day.get_ref()))
            }
            (None, Some(days), _) => {
                let problem = format!("must be at most {DAYS_AHEAD_MAX}");
                return Err(examined.broken_at(days, field("days_from_today"), problem));
            }
            _ => {
                let problem =
                    "needs either `date` or `days_from_today` (with or without `weekday`)";
                return Err(examined.broken_at(&record.id, field("date"), problem));
            }
        };
        plans.push(record.plan(when));
    }
    Ok(plans)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PromosFile {
    promo: Vec<PromoRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PromoRecord {
    id: Spanned<Slug>,
    title: Line<120>,
    /// Without one, a banner is not shown.
    image: Option<ImagePath>,
    url: Link,
    cta_label: Line<60>,
    placement: Slug,
    open_in_new_tab: bool,
    nofollow: bool,
}

/// Those with an image.
pub(crate) fn parse_promos(sources: &Sources) -> Result<Vec<Promo>, ContentError> {
    let examined = sources.examined(PROMOS_FILE);
    let promos = examined.parse::<PromosFile>()?.promo;
    examined.unique("promo", "id", promos.iter().map(|record| &record.id))?;
    let promo = |record: PromoRecord| {
        Some(Promo {
            id: record.id.into_inner().into(),
            title: record.title.into(),
            image: record.image?.into(),
            url: record.url.into(),
            cta_label: record.cta_label.into(),
            open_in_new_tab: record.open_in_new_tab,
            nofollow: record.nofollow,
            placement: record.placement.into(),
        })
    };
    Ok(promos.into_iter().filter_map(promo).collect())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeadlinesFile {
    headline: Vec<HeadlineRecord>,
    /// Those that are built into the pages; here only to be checked.
    fallback: Vec<HeadlineRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeadlineRecord {
    id: Spanned<Slug>,
    text: Line<160>,
}

/// Ids and texts of the headlines.
pub(crate) fn parse_headlines(sources: &Sources) -> Result<Vec<(String, String)>, ContentError> {
    let examined = sources.examined(HEADLINES_FILE);
    let file = examined.parse::<HeadlinesFile>()?;
    examined.unique(
        "headline",
        "id",
        file.headline.iter().map(|record| &record.id),
    )?;
    examined.unique(
        "fallback",
        "id",
        file.fallback.iter().map(|record| &record.id),
    )?;
    let pair = |record: HeadlineRecord| (record.id.into_inner().into(), record.text.into());
    Ok(file.headline.into_iter().map(pair).collect())
}
