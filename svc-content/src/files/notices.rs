//! Parser of events.toml, promos.toml and headlines.toml.

use hospital_proto::content::v1::{Event, Promo};
use serde::Deserialize;
use toml::Spanned;

use super::{ContentError, EVENTS_FILE, Examined, HEADLINES_FILE, PROMOS_FILE, Sources};
use crate::{
    domain::events::{self, EventPlan, When},
    values::{Day, ImagePath, Line, Link, Month, MonthlyRule, Slug, TimeRange},
};

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
    repeats: Option<MonthlyRule>,
    since: Option<Month>,
    until: Option<Month>,
    time: TimeRange,
    location: Line<160>,
    description: Line<1000>,
    image: ImagePath,
    performer: Line<80>,
    price: Spanned<i32>,
    /// Absent: no limit.
    places: Option<Spanned<i32>>,
    /// Why the event doesn't take place. Absent: it does.
    cancelled: Option<Spanned<Line<300>>>,
    /// Occurrences of a series that don't take place.
    #[serde(default)]
    cancelled_months: Vec<CancelledMonth>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CancelledMonth {
    month: Spanned<Month>,
    reason: Line<300>,
}

/// Maximum cancelled occurrences of a series.
const CANCELLED_MONTHS_MAX: usize = 60;

impl EventRecord {
    fn plan(self, when: When) -> EventPlan {
        let event = Event {
            id: self.id.into_inner().into(),
            r#type: self.r#type.into(),
            title: self.title.into(),
            date: String::new(),
            time: self.time.to_string(),
            location: self.location.into(),
            description: self.description.into(),
            image: self.image.into(),
            picture: None,
            performer: self.performer.into(),
            price: self.price.into_inner(),
            past: false,
            places: self.places.map_or(0, Spanned::into_inner),
            cancelled: self
                .cancelled
                .map_or_else(String::new, |reason| reason.into_inner().into()),
        };
        let cancelled = self.cancelled_months.into_iter();
        let cancelled = cancelled.map(|one| (one.month.into_inner(), one.reason.into()));
        EventPlan::new(event, when, self.time).without(cancelled.collect())
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
        let when = match (record.date, record.repeats, record.since, record.until) {
            (Some(day), None, None, None) => When::On(day),
            (None, Some(rule), Some(since), until) => When::Monthly { rule, since, until },
            _ => {
                let problem =
                    "needs either `date` or both `repeats` and `since` (with or without `until`)";
                return Err(examined.broken_at(&record.id, field("date"), problem));
            }
        };
        check_places(&examined, &record, index)?;
        check_cancelled(&examined, &record, index)?;
        let id = record.id.get_ref().as_ref();
        if matches!(when, When::Monthly { .. }) && events::month_of(id).is_some() {
            let problem = "must not end like a month: the months of a series do";
            return Err(examined.broken_at(&record.id, field("id"), problem));
        }
        plans.push((record.id.clone(), record.plan(when)));
    }
    for (index, (id, _)) in plans.iter().enumerate() {
        let series = events::month_of(id.get_ref().as_ref()).map(|(series, _)| series);
        if plans
            .iter()
            .any(|(_, plan)| plan.is_series() && Some(plan.id()) == series)
        {
            let problem = "is the address of a month of a series";
            return Err(examined.broken_at(id, format!("event[{index}].id"), problem));
        }
    }
    Ok(plans.into_iter().map(|(_, plan)| plan).collect())
}

fn check_places(
    examined: &Examined<'_>,
    record: &EventRecord,
    index: usize,
) -> Result<(), ContentError> {
    match &record.places {
        Some(places) if !(1..=10_000).contains(places.get_ref()) => {
            let problem = "must be between 1 and 10000, or absent for no limit";
            Err(examined.broken_at(places, format!("event[{index}].places"), problem))
        }
        _ => Ok(()),
    }
}

/// A single event has a reason, a series has months with reasons.
fn check_cancelled(
    examined: &Examined<'_>,
    record: &EventRecord,
    index: usize,
) -> Result<(), ContentError> {
    let field = |name: &str| format!("event[{index}].{name}");
    let months = &record.cancelled_months;
    match (&record.cancelled, record.date, months.first()) {
        (Some(reason), None, _) => {
            let problem = "is for an event with `date`; a series has `cancelled_months`";
            return Err(examined.broken_at(reason, field("cancelled"), problem));
        }
        (_, Some(_), Some(first)) => {
            let problem = "are for a series; an event with `date` has `cancelled`";
            return Err(examined.broken_at(&first.month, field("cancelled_months"), problem));
        }
        _ => {}
    }
    if let Some(extra) = months.get(CANCELLED_MONTHS_MAX) {
        let problem = format!("must be at most {CANCELLED_MONTHS_MAX}");
        return Err(examined.broken_at(&extra.month, field("cancelled_months"), problem));
    }
    for (at, one) in months.iter().enumerate() {
        let month = one.month.get_ref();
        if months[..at]
            .iter()
            .any(|other| other.month.get_ref() == month)
        {
            let field = field(&format!("cancelled_months[{at}].month"));
            return Err(examined.broken_at(&one.month, field, "occurs twice"));
        }
    }
    Ok(())
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
    /// Banners without an image are not shown.
    image: Option<ImagePath>,
    url: Link,
    cta_label: Line<60>,
    placement: Slug,
    open_in_new_tab: bool,
    nofollow: bool,
}

/// Parses the banners and drops those without an image.
pub(crate) fn parse_promos(sources: &Sources) -> Result<Vec<Promo>, ContentError> {
    let examined = sources.examined(PROMOS_FILE);
    let promos = examined.parse::<PromosFile>()?.promo;
    examined.unique("promo", "id", promos.iter().map(|record| &record.id))?;
    let promo = |record: PromoRecord| {
        Some(Promo {
            id: record.id.into_inner().into(),
            title: record.title.into(),
            image: record.image?.into(),
            picture: None,
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
    /// Headlines compiled into the pages; parsed here only for validation.
    fallback: Vec<HeadlineRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeadlineRecord {
    id: Spanned<Slug>,
    text: Line<160>,
}

/// Returns the ids and texts of the headlines.
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
