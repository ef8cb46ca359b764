//! The frame of every page made here, its links to traces, and the form of figures.

use axum::response::{Html, IntoResponse, Response};
use http::{HeaderValue, header};

use crate::scrape::INTERVAL;

const STYLE: &str = concat!(include_str!("page.css"), include_str!("charts.css"));
/// Replaces the parts of the page that changed. Scroll position, focus and opened tables stay.
const SCRIPT: &str = include_str!("page.js");
const PAGES: [(&str, &str); 3] = [
    ("/", "Visitors’ actions"),
    ("/site", "The site now"),
    ("/search", "All traces"),
];

/// Returns a page. `content` is HTML; elements with `data-part` and an id are replaced by the script. Without script, the
/// browser reloads the page at the same interval.
pub fn respond(title: &str, path: &str, content: &str) -> Response {
    let links = PAGES
        .iter()
        .map(|(to, name)| {
            let current = if *to == path {
                " aria-current=\"page\""
            } else {
                ""
            };
            format!("<a href=\"{to}\"{current}>{name}</a>")
        })
        .collect::<Vec<_>>()
        .concat();
    let (seconds, title) = (INTERVAL.as_secs(), escaped(title));
    let (reload, script) = if path.is_empty() {
        (String::new(), String::new())
    } else {
        (
            format!("<noscript><meta http-equiv=\"refresh\" content=\"{seconds}\"></noscript>"),
            format!(
                "<p id=\"lost\" role=\"alert\" hidden>ops-traces doesn’t respond. The figures are old.</p><script>const INTERVAL_MS={}\n{SCRIPT}</script>",
                seconds * 1_000
            ),
        )
    };
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <link rel=\"icon\" href=\"data:,\">{reload}<style>{STYLE}</style></head>\
         <body><header><nav aria-label=\"Pages\">{links}</nav></header><main><h1>{title}</h1>{content}</main>{script}</body></html>"
    );
    let no_store = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    (no_store, Html(html)).into_response()
}

/// Conditions of a search of the traces UI.
#[derive(Debug, Default, Clone)]
pub struct Search<'a> {
    pub service: &'a str,
    pub operation: Option<&'a str>,
    /// Microseconds since 1970.
    pub window: (u64, u64),
    pub errors: bool,
    /// Seconds.
    pub duration_min: Option<f64>,
    pub duration_max: Option<f64>,
}

impl Search<'_> {
    /// Returns the address, escaped for an attribute.
    pub fn href(&self) -> String {
        let micros = |seconds: f64| format!("{:.0}us", seconds * 1e6);
        let tags = if self.errors {
            r#"{"span.kind":"server","error":"true"}"#
        } else {
            r#"{"span.kind":"server"}"#
        };
        let mut query = vec![
            ("service", self.service.to_owned()),
            ("tags", tags.to_owned()),
            ("start", self.window.0.to_string()),
            ("end", self.window.1.to_string()),
            ("lookback", "custom".to_owned()),
            ("limit", "20".to_owned()),
        ];
        query.extend(self.operation.map(|name| ("operation", name.to_owned())));
        query.extend(
            self.duration_min
                .map(|seconds| ("minDuration", micros(seconds))),
        );
        query.extend(
            self.duration_max
                .map(|seconds| ("maxDuration", micros(seconds))),
        );
        let query = serde_urlencoded::to_string(query).unwrap_or_default();
        escaped(&format!("/search?{query}"))
    }
}

/// Returns a link to a runbook, or nothing without one.
pub fn runbook(name: &str) -> String {
    if name.is_empty() {
        return String::new();
    }
    format!("<a href=\"/runbooks/{name}\">Runbook {name}</a>")
}

/// Escapes HTML: labels and errors come from other processes.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Returns a duration with three digits at most: `0.8 ms`, `12 ms`, `1.2 s`.
pub fn duration(seconds: Option<f64>) -> String {
    match seconds {
        None => "–".to_owned(),
        Some(seconds) if seconds.is_infinite() => "over 5 s".to_owned(),
        Some(seconds) if seconds >= 1.0 => format!("{seconds:.1} s"),
        Some(seconds) if seconds >= 0.01 => format!("{:.0} ms", seconds * 1e3),
        Some(seconds) => format!("{:.1} ms", seconds * 1e3),
    }
}

/// Returns a share with as many digits as it needs: `0 %`, `0.04 %`, `12 %`.
pub fn percent(share: Option<f64>) -> String {
    match share.map(|share| share * 100.0) {
        None => "–".to_owned(),
        Some(percent) if percent <= 0.0 => "0 %".to_owned(),
        Some(percent) if percent < 1.0 => format!("{percent:.2} %"),
        Some(percent) if percent < 10.0 => format!("{percent:.1} %"),
        Some(percent) => format!("{percent:.0} %"),
    }
}

/// Returns a number with one decimal below ten, and two below 0.1.
pub fn number(value: f64) -> String {
    if value > 0.0 && value < 0.1 {
        return format!("{value:.2}");
    }
    if value > 0.0 && value < 10.0 && value.fract() > 0.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.0}")
    }
}

/// Returns the time of day in UTC from microseconds since 1970.
pub fn clock(micros: u64) -> String {
    let seconds = micros / 1_000_000 % 86_400;
    format!("{:02}:{:02}", seconds / 3_600, seconds / 60 % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short() {
        let durations = [
            None,
            Some(0.000_84),
            Some(0.0123),
            Some(1.25),
            Some(f64::INFINITY),
        ]
        .map(duration);
        assert_eq!(durations, ["–", "0.8 ms", "12 ms", "1.2 s", "over 5 s"]);
        let shares = [None, Some(0.0), Some(0.000_4), Some(0.034), Some(0.5)].map(percent);
        assert_eq!(shares, ["–", "0 %", "0.04 %", "3.4 %", "50 %"]);
        assert_eq!(
            [0.0, 0.04, 0.25, 3.0, 41.7].map(number),
            ["0", "0.04", "0.2", "3", "42"]
        );
        assert_eq!(clock(1_800_000_000 * 1_000_000), "08:00");
    }

    #[test]
    fn a_search_is_an_escaped_address() {
        let search = Search {
            service: "a&b\"",
            window: (1, 2),
            errors: true,
            duration_min: Some(0.25),
            ..Search::default()
        };
        let href = search.href();
        assert!(
            href.starts_with("/search?service=a%26b%22&amp;tags=%7B"),
            "{href}"
        );
        assert!(
            href.contains("&amp;minDuration=250000us") && href.contains("%22error%22"),
            "{href}"
        );
    }
}
