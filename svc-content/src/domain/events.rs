//! Events on a single day, and series with one day in each month.
//!
//! An announced event keeps its URL and its date for good. Both depend only on its month, never on the current date.

use chrono::{DateTime, Utc};
use hospital_proto::content::v1::Event;

use super::texts::Texts;
use crate::values::{Day, Month, MonthlyRule, TimeRange};

/// Months that a series is announced in advance, after the current month. Ensures that there is always an upcoming
/// occurrence.
const ANNOUNCED_MONTHS: i32 = 1;
/// Months that past occurrences stay in lists, before the current month. Their pages stay for good.
const LISTED_PAST_MONTHS: i32 = 1;

/// Schedule of an event.
#[derive(Debug, Clone, Copy)]
pub(crate) enum When {
    On(Day),
    /// Once a month, from `since` to `until` or without end.
    Monthly {
        rule: MonthlyRule,
        since: Month,
        until: Option<Month>,
    },
}

/// A single event or a series.
#[derive(Debug, Clone)]
pub(crate) struct EventPlan {
    event: Event,
    when: When,
    time: TimeRange,
    /// Months of a series whose occurrence is cancelled, with the reason.
    cancelled: Vec<(Month, String)>,
}

/// An event with its date, and its end.
type Dated = (Event, DateTime<Utc>);

/// Splits the id of an occurrence into series and month: `heart-camp-2026-12`.
pub(crate) fn month_of(id: &str) -> Option<(&str, Month)> {
    let (rest, month) = id.rsplit_once('-')?;
    let (series, year) = rest.rsplit_once('-')?;
    Some((series, Month::parse(&format!("{year}-{month}"))?))
}

impl EventPlan {
    /// Creates a plan; `event` has no date.
    pub(crate) fn new(event: Event, when: When, time: TimeRange) -> Self {
        Self {
            event,
            when,
            time,
            cancelled: Vec::new(),
        }
    }

    /// Cancels occurrences of a series.
    pub(crate) fn without(self, cancelled: Vec<(Month, String)>) -> Self {
        Self { cancelled, ..self }
    }

    pub(crate) fn id(&self) -> &str {
        &self.event.id
    }

    pub(crate) fn is_series(&self) -> bool {
        matches!(self.when, When::Monthly { .. })
    }

    /// Returns the event without a date, for search.
    pub(super) fn undated(&self) -> &Event {
        &self.event
    }

    pub(super) fn undated_mut(&mut self) -> &mut Event {
        &mut self.event
    }

    fn on(&self, id: String, day: Day, now: DateTime<Utc>) -> Dated {
        let end = day.at(self.time.end);
        let event = Event {
            id,
            date: day.into(),
            past: end <= now,
            ..self.event.clone()
        };
        (event, end)
    }

    /// Returns the occurrence of a month, if it has been announced.
    fn in_month(&self, month: Month, now: DateTime<Utc>) -> Option<Dated> {
        let When::Monthly { rule, since, until } = self.when else {
            return None;
        };
        let announced = Month::in_india(now).plus(ANNOUNCED_MONTHS);
        let last = until.map_or(announced, |until| until.min(announced));
        if !(since..=last).contains(&month) {
            return None;
        }
        let id = format!("{}-{month}", self.event.id);
        let mut dated = self.on(id, rule.day_in(month)?, now);
        let mut cancelled = self.cancelled.iter();
        if let Some((_, reason)) = cancelled.find(|(cancelled, _)| *cancelled == month) {
            dated.0.cancelled.clone_from(reason);
        }
        Some(dated)
    }

    /// Returns the occurrences shown in lists.
    fn listed(&self, now: DateTime<Utc>) -> Vec<Dated> {
        match self.when {
            When::On(day) => vec![self.on(self.event.id.clone(), day, now)],
            When::Monthly { .. } => {
                let this = Month::in_india(now);
                let months = -LISTED_PAST_MONTHS..=ANNOUNCED_MONTHS;
                months
                    .filter_map(|months| self.in_month(this.plus(months), now))
                    .collect()
            }
        }
    }

    /// Returns the event for the plan's own id. For a series, this is the next occurrence, or the last one after its
    /// end.
    fn current(&self, now: DateTime<Utc>) -> Option<Event> {
        let mut listed = self.listed(now);
        if let Some(next) = listed.iter().position(|(event, _)| !event.past) {
            return Some(listed.swap_remove(next).0);
        }
        match self.when {
            When::On(_) => listed.pop(),
            When::Monthly { until, .. } => self.in_month(until?, now),
        }
        .map(|(event, _)| event)
    }
}

impl Texts for EventPlan {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        self.event.each_text(change);
        for (_, reason) in &mut self.cancelled {
            change(reason);
        }
    }
}

/// Returns upcoming events, soonest first, then past ones, latest first.
pub(super) fn listed(plans: &[EventPlan], now: DateTime<Utc>) -> Vec<Event> {
    let mut events: Vec<Dated> = plans.iter().flat_map(|plan| plan.listed(now)).collect();
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

/// Returns the event of an id: an id from the files, or a series with a month. Ids of series without a month were
/// published before months were added, and search links to them.
pub(super) fn find(plans: &[EventPlan], id: &str, now: DateTime<Utc>) -> Option<Event> {
    if let Some(plan) = plans.iter().find(|plan| plan.id() == id) {
        return plan.current(now);
    }
    let (series, month) = month_of(id)?;
    let plan = plans.iter().find(|plan| plan.id() == series)?;
    Some(plan.in_month(month, now)?.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::Content, files::Sources};

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("a time")
    }

    fn content() -> Content {
        Content::load(&Sources::embedded(), None).expect("the embedded content")
    }

    const SERIES: [&str; 5] = [
        "saturday-sugar-and-pressure-check",
        "childrens-vaccination-morning",
        "getting-ready-for-birth",
        "knee-pain-seminar",
        "first-aid-workshop",
    ];

    #[test]
    fn an_announced_event_keeps_its_address_and_date() {
        let content = content();
        let mut announced: Vec<Event> = Vec::new();
        // Every six hours for fourteen months, covering weeks, months, two new years and both sides of midnight.
        let mut now = at("2026-10-31T18:15:00Z");
        while now < at("2028-01-05T00:00:00Z") {
            let listed = content.events(now);
            for event in &mut announced {
                let own = content.event(&event.id, now).expect("it was announced");
                assert_eq!(own.date, event.date, "{} at {now}", event.id);
                assert!(
                    own.past || !event.past,
                    "a past event became upcoming: {}",
                    event.id
                );
                assert!(
                    own.past || listed.contains(&own),
                    "{} left the list at {now}",
                    event.id
                );
                *event = own;
            }
            let is_new = |event: &&Event| announced.iter().all(|known| known.id != event.id);
            let new: Vec<Event> = listed.iter().filter(is_new).cloned().collect();
            announced.extend(new);
            for series in SERIES {
                let coming = listed
                    .iter()
                    .filter(|event| !event.past && event.id.starts_with(series));
                assert!((1..=2).contains(&coming.count()), "{series} at {now}");
            }
            now += chrono::Duration::hours(6);
        }
        assert_eq!(
            announced.len(),
            3 + 5 * 17,
            "one of each series for each month"
        );
        assert!(announced.iter().filter(|event| event.past).count() >= 3 + 5 * 15);
    }

    #[test]
    fn a_month_is_announced_at_midnight_in_india() {
        let content = content();
        let ids = |now: &str| {
            let events = content.events(at(now)).into_iter();
            let of_series = events.filter(|event| event.id.starts_with("first-aid-workshop"));
            of_series.map(|event| event.id).collect::<Vec<_>>()
        };
        assert_eq!(
            ids("2026-11-30T18:29:59Z"),
            [
                "first-aid-workshop-2026-12",
                "first-aid-workshop-2026-11",
                "first-aid-workshop-2026-10"
            ]
        );
        assert_eq!(
            ids("2026-11-30T18:30:00Z"),
            [
                "first-aid-workshop-2026-12",
                "first-aid-workshop-2027-01",
                "first-aid-workshop-2026-11"
            ]
        );
        let unannounced = "first-aid-workshop-2027-01";
        assert!(
            content
                .event(unannounced, at("2026-11-30T18:29:59Z"))
                .is_none()
        );
        assert!(
            content
                .event(unannounced, at("2026-11-30T18:30:00Z"))
                .is_some()
        );
    }

    #[test]
    fn an_ended_occurrence_is_past_and_keeps_its_page() {
        let content = content();
        let past = |now: &str| {
            let event = content.event("saturday-sugar-and-pressure-check-2026-12", at(now));
            let event = event.expect("an event");
            assert_eq!(event.date, "2026-12-05");
            event.past
        };
        // It ends at eleven in India.
        assert!(!past("2026-12-05T05:29:59Z"));
        assert!(past("2026-12-05T05:30:00Z"));
        assert!(past("2036-12-05T00:00:00Z"));
    }

    #[test]
    fn the_address_of_a_series_shows_its_next_occurrence() {
        let content = content();
        let named = |now: &str| content.event("saturday-sugar-and-pressure-check", at(now));
        let named = |now: &str| named(now).map(|event| event.id);
        let of = |month: &str| Some(format!("saturday-sugar-and-pressure-check-{month}"));
        assert_eq!(named("2026-12-05T05:29:59Z"), of("2026-12"));
        assert_eq!(named("2026-12-05T05:30:00Z"), of("2027-01"));
        // Nothing is found before the first occurrence.
        assert_eq!(named("2020-01-01T00:00:00Z"), None);
        assert!(
            content
                .event("health-camp-2025", at("2036-01-01T00:00:00Z"))
                .is_some()
        );
    }

    #[test]
    fn an_ended_series_stays_unchanged() {
        let sources = Sources::embedded();
        let text = sources.text("events.toml").to_owned();
        let rule = "repeats = \"third Sun\"\n";
        assert!(text.contains(rule));
        let text = text.replace(rule, &format!("{rule}until = \"2026-12\"\n"));
        let content = Content::load(&sources.with("events.toml", text), None).expect("content");
        let now = at("2027-06-01T00:00:00Z");
        let is_listed = |event: &Event| event.id.starts_with("first-aid-workshop");
        assert!(!content.events(now).iter().any(is_listed));
        for id in ["first-aid-workshop", "first-aid-workshop-2026-12"] {
            let event = content.event(id, now).expect("an event");
            assert_eq!(
                (event.date.as_str(), event.past),
                ("2026-12-20", true),
                "{id}"
            );
        }
        assert!(content.event("first-aid-workshop-2027-01", now).is_none());
    }

    #[test]
    fn a_cancelled_occurrence_keeps_its_page_and_the_others_take_place() {
        let sources = Sources::embedded();
        let text = sources.text("events.toml").to_owned();
        let rule = "repeats = \"third Sun\"\n";
        let off = "cancelled_months = [{ month = \"2026-12\", reason = \"The trainer is ill.\" }]";
        let text = text.replace(rule, &format!("{rule}places = 20\n{off}\n"));
        let content = Content::load(&sources.with("events.toml", text), None).expect("content");
        let now = at("2026-12-02T00:00:00Z");
        let of = |month: &str| content.event(&format!("first-aid-workshop-{month}"), now);
        let facts = |month| of(month).map(|event| (event.cancelled, event.places));
        assert_eq!(
            facts("2026-12"),
            Some(("The trainer is ill.".to_owned(), 20))
        );
        assert_eq!(facts("2027-01"), Some((String::new(), 20)));
    }

    #[test]
    fn other_addresses_are_not_found() {
        let content = content();
        for id in [
            "first-aid-workshop-",
            "first-aid-workshop-2026",
            "first-aid-workshop-2026-13",
            "first-aid-workshop-2026-1",
            "first-aid-workshop-2026-11-01",
            "first-aid-workshop-1999-01",
            "first-aid-workshop-2090-01",
            "health-camp-2025-2026-11",
            "2026-11",
            "-2026-11",
            "",
        ] {
            assert!(
                content.event(id, at("2026-11-21T00:00:00Z")).is_none(),
                "{id}"
            );
        }
    }
}
