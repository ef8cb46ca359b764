//! The status page: service status in visitors' words, from this process's own view of its upstreams. It needs only
//! data in memory.

use std::{fmt::Write as _, sync::Arc};

use axum::{
    body::Body,
    http::{Response, header::CONTENT_TYPE, request::Parts},
};
use chrono::{DateTime, FixedOffset, SecondsFormat, Utc};
use gateway_api::{Health, HealthChecks, HealthState};
use serde_json::{Value, json};

use super::views::{self, DocumentRoute};
use crate::{
    config::{Offer, PagesConfig},
    language::{self, Language},
    registry::location::STATUS,
    render::{builtin, composed::Composed, document::attribute},
    texts::{marked, text},
};

/// Builds the page. It is built for each request, because that is cheaper than caching it. Clients must not cache it
/// either.
#[derive(Debug)]
pub(crate) struct StatusPage {
    offers: Vec<Offer>,
    health_checks: HealthChecks,
    offset: FixedOffset,
    route: Arc<str>,
}

impl StatusPage {
    pub(crate) fn new(config: &PagesConfig, health_checks: HealthChecks) -> Self {
        Self {
            offers: config.offers.clone(),
            health_checks,
            offset: config.utc_offset,
            route: STATUS.into(),
        }
    }

    /// Returns the health of each service as JSON, for pages of the staff area.
    pub(crate) fn report(&self) -> Value {
        let services = self.offers.iter().map(|offer| {
            let health = self.health_checks.of(&offer.package);
            let name = offer.package.rsplit('.').nth(1).unwrap_or(&offer.package);
            let checked = health.checked_at;
            json!({
                "name": name,
                "offers": offer.words,
                "state": match health.state {
                    HealthState::Up => "up",
                    HealthState::Slow => "slow",
                    HealthState::Down => "down",
                    HealthState::Unknown => "unknown",
                },
                "checked": checked.map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true)),
            })
        });
        json!({ "services": services.collect::<Vec<_>>() })
    }

    /// Answers a read of [`STATUS`] in a language. Always returns 200, regardless of the services' status.
    pub(crate) fn respond(
        &self,
        request: &Parts,
        language: Language,
        emergency_phone: &str,
    ) -> Response<Body> {
        let checks: Vec<(&str, Health)> = self
            .offers
            .iter()
            .map(|offer| (offer.words.as_str(), self.health_checks.of(&offer.package)))
            .collect();
        let html = html(language, &checks, self.offset, emergency_phone);
        let policy = builtin::POLICY_OF_PAGE.clone();
        let page = Composed {
            language,
            ..Composed::document(200, html, policy)
        };
        let mut response = page.into_response();
        let content_type = response.headers().get(CONTENT_TYPE);
        views::count(&self.route, request, response.status(), content_type);
        let route = DocumentRoute(Arc::clone(&self.route));
        response.extensions_mut().insert(route);
        response
    }
}

fn html(
    language: Language,
    checks: &[(&str, Health)],
    offset: FixedOffset,
    emergency_phone: &str,
) -> String {
    let mut rows = String::new();
    for (words, health) in checks {
        let (icon, kind, state) = shown(health.state);
        // Writing to a string cannot fail.
        let _ = write!(
            rows,
            "<dt>{}</dt><dd><span class=\"icon {kind}\" aria-hidden=\"true\">{icon}</span>{}</dd>",
            marked(language, words, &attribute(words)),
            text(language, state)
        );
    }
    let list = if rows.is_empty() {
        rows
    } else {
        format!("<dl>{rows}</dl>")
    };
    let content = format!(
        "<p>{}</p>{list}<p>{}</p><p class=\"ways\"><a href=\"{}\">{}</a></p>",
        text(language, summary(checks)),
        last_check(language, checks, offset),
        language::address(language, STATUS),
        text(language, "Check again"),
    );
    let title = text(language, "What works now");
    builtin::page(language, title, &content, "/", emergency_phone)
}

/// Returns icon, class and words. Each is understandable without the others.
fn shown(state: HealthState) -> (&'static str, &'static str, &'static str) {
    match state {
        HealthState::Up => ("\u{2713}", "works", "Works"),
        HealthState::Slow => ("!", "late", "Works with delays"),
        HealthState::Down => ("\u{2715}", "away", "Isn't working at the moment"),
        HealthState::Unknown => ("?", "unknown", "Not known yet"),
    }
}

fn summary(checks: &[(&str, Health)]) -> &'static str {
    let is = |state| move |(_, health): &(&str, Health)| health.state == state;
    if checks.iter().all(is(HealthState::Up)) {
        "Everything works."
    } else if checks.iter().any(is(HealthState::Down)) {
        "Not everything works at the moment. You can use what works as usual. Please try the rest again in a few minutes."
    } else if checks.iter().any(is(HealthState::Slow)) {
        "Everything works, but some things take longer than usual."
    } else {
        "We're checking now. Please check again in a few seconds."
    }
}

/// Returns the time of the oldest check. No status on the page is older.
fn last_check(language: Language, checks: &[(&str, Health)], offset: FixedOffset) -> String {
    let oldest: Option<DateTime<Utc>> = checks.iter().filter_map(|(_, s)| s.checked_at).min();
    oldest.map_or_else(
        || text(language, "Not checked yet.").to_owned(),
        |at| {
            let local = at.with_timezone(&offset);
            let time = format!(
                "<time datetime=\"{}\">{}</time>",
                at.to_rfc3339_opts(SecondsFormat::Secs, true),
                local.format("%H:%M:%S"),
            );
            text(language, "Last checked at {time} (UTC{offset}).")
                .replace("{time}", &time)
                .replace("{offset}", &offset.to_string())
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHONE: &str = "+91 80 0000 0108";

    fn health(state: HealthState, second: i64) -> Health {
        Health {
            state,
            checked_at: DateTime::from_timestamp(second, 0),
        }
    }

    fn page(checks: &[(&str, Health)]) -> String {
        html(Language::English, checks, "+05:30".parse().unwrap(), PHONE)
    }

    #[test]
    fn shows_text_and_icon_for_each_state() {
        let states = [
            HealthState::Up,
            HealthState::Slow,
            HealthState::Down,
            HealthState::Unknown,
        ];
        let all = states.map(shown);
        for (index, (icon, kind, words)) in all.iter().enumerate() {
            for other in &all[index + 1..] {
                assert!(*icon != other.0 && *kind != other.1 && *words != other.2);
            }
        }
        let checks = [("Self-assessment", health(HealthState::Down, 0))];
        let kannada = html(
            Language::Kannada,
            &checks,
            FixedOffset::east_opt(0).unwrap(),
            PHONE,
        );
        assert!(kannada.contains("<dt>ಸ್ವಯಂ ಪರೀಕ್ಷೆ</dt>"), "{kannada}");
        assert!(kannada.contains("href=\"/kn/status\""), "{kannada}");
        let html = page(&[("Tea & cakes", health(HealthState::Slow, 0))]);
        assert!(html.contains("<dt>Tea &amp; cakes</dt>"), "{html}");
        assert!(html.contains("</span>Works with delays</dd>"), "{html}");
        assert!(html.contains("tel:+918000000108"), "{html}");
    }

    #[test]
    fn summarises_the_worst_state() {
        let of = |states: &[HealthState]| {
            let checks: Vec<_> = states.iter().map(|s| ("", health(*s, 0))).collect();
            summary(&checks)
        };
        assert_eq!(of(&[HealthState::Up, HealthState::Up]), "Everything works.");
        assert!(of(&[HealthState::Up, HealthState::Slow]).starts_with("Everything works, but"));
        assert!(of(&[HealthState::Unknown, HealthState::Up]).starts_with("We're checking"));
        assert!(
            of(&[HealthState::Slow, HealthState::Unknown, HealthState::Down])
                .starts_with("Not everything")
        );
    }

    #[test]
    fn shows_the_oldest_check_in_the_hospitals_time_zone() {
        let (new, old) = (health(HealthState::Up, 10), health(HealthState::Down, 3));
        let html = page(&[("A", new), ("B", old)]);
        let time = "<time datetime=\"1970-01-01T00:00:03Z\">05:30:03</time> (UTC+05:30)";
        assert!(html.contains(time), "{html}");
        let never = Health {
            state: HealthState::Unknown,
            checked_at: None,
        };
        assert!(page(&[("A", never)]).contains("Not checked yet."));
    }
}
