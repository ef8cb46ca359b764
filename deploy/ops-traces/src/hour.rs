//! Charts of the last hour: rate, errors and duration by surface, and figures of the whole site.

use std::fmt::Write as _;

use crate::chart::{Chart, Hit, Marker, SLOTS, SLOTS_PER_LINK, Shape, Values};
use crate::figures::Sum;
use crate::history::{SERIES, STEP, Step};
use crate::page::{Search, clock, duration, escaped, number, percent};

/// Steps that make the current figures: at least half a minute, at most a minute.
const NOW_SLOTS: usize = 2;
/// Steps of a row of a table.
const SLOTS_PER_ROW: usize = 10;
/// Lowest top of a chart of errors: less than this share shall not look like an outage.
const ERRORS_TOP_MIN: f64 = 0.01;
/// The scale of durations: 1 ms at the bottom, 10 s on top, logarithmic. All charts share it and can be compared.
const DURATION_DECADES: f64 = 4.0;

/// The last hour of a process, one slot per step, the newest last.
#[derive(Debug)]
pub struct Hour {
    /// Name of the process in its spans.
    pub service: String,
    slots: Vec<Option<Step>>,
    /// Start of each slot, in microseconds since 1970; one more for the end of the last.
    pub starts: Vec<u64>,
    /// First slot shown; the same for all charts of a page.
    pub first: usize,
}

impl Hour {
    /// `newest` is the number of the step that has begun, at `began` in microseconds since 1970.
    pub fn new(service: String, steps: Vec<Step>, newest: u64, began: u64) -> Self {
        let mut slots = vec![None; SLOTS];
        for step in steps {
            let age = usize::try_from(newest.saturating_sub(step.number)).unwrap_or(SLOTS);
            if let Some(slot) = (SLOTS - 1).checked_sub(age) {
                slots[slot] = Some(step);
            }
        }
        let micros = u64::try_from(STEP.as_micros()).unwrap_or(u64::MAX);
        let starts = (0..=SLOTS as u64)
            .map(|slot| (began + slot * micros).saturating_sub((SLOTS as u64 - 1) * micros));
        Self {
            service,
            slots,
            starts: starts.collect(),
            first: 0,
        }
    }

    /// Returns the oldest slot with figures.
    pub fn oldest(&self) -> usize {
        let oldest = self.slots.iter().position(Option::is_some);
        oldest.unwrap_or(SLOTS - 1)
    }

    /// Returns the figures of some slots together.
    pub fn total(&self, slots: impl IntoIterator<Item = usize>) -> Step {
        let mut total = Step::default();
        let known = slots
            .into_iter()
            .filter_map(|slot| self.slots.get(slot)?.as_ref());
        known.for_each(|step| total.add(step));
        total
    }

    /// Returns the figures of the newest slots.
    pub fn newest(&self, count: usize) -> Step {
        self.total(SLOTS.saturating_sub(count)..SLOTS)
    }

    pub fn now(&self) -> Step {
        self.newest(NOW_SLOTS)
    }

    pub fn surfaces(&self) -> Vec<&'static str> {
        let total = self.total(0..SLOTS);
        let surfaces = total.surfaces.into_iter();
        surfaces
            .filter(|(_, sum)| sum.requests > 0.0)
            .map(|(surface, _)| surface)
            .collect()
    }

    /// Returns a value of each slot that was scraped.
    fn values(&self, of: impl Fn(&Step) -> Option<f64>) -> Values {
        let slot = |step: &Option<Step>| {
            step.as_ref()
                .filter(|step| !step.covered.is_zero())
                .and_then(&of)
        };
        self.slots.iter().map(slot).collect()
    }

    fn gone(&self) -> Vec<bool> {
        self.slots
            .iter()
            .map(|slot| slot.as_ref().is_some_and(|step| step.failed))
            .collect()
    }

    pub fn search(&self, slots: std::ops::Range<usize>) -> Search<'_> {
        Search {
            service: &self.service,
            window: (self.starts[slots.start], self.starts[slots.end]),
            ..Search::default()
        }
    }

    /// Returns a link for each [`SLOTS_PER_LINK`] slots: to the traces that `narrow` selects, or to the slowest one.
    fn hits(
        &self,
        title: impl Fn(&Step) -> String,
        narrow: impl Fn(&Step, &mut Search<'_>) -> Option<u128>,
    ) -> Vec<Hit> {
        let ranges = (self.first..SLOTS)
            .step_by(SLOTS_PER_LINK)
            .map(|start| start..start + SLOTS_PER_LINK);
        let hit = |slots: std::ops::Range<usize>| {
            let total = self.total(slots.clone());
            let mut search = self.search(slots.clone());
            let trace = narrow(&total, &mut search);
            Hit {
                href: trace.map_or_else(|| search.href(), |id| format!("/trace/{id:032x}")),
                title: format!("{} UTC: {}", clock(self.starts[slots.start]), title(&total)),
            }
        };
        ranges.map(hit).collect()
    }

    /// Renders rate, errors and duration of a surface, with a table of the same figures.
    pub fn red(&self, id: &str, surface: &'static str, markers: &[Marker]) -> String {
        let mut html = format!(
            "<section class=\"red\" aria-labelledby=\"{id}\"><h3 id=\"{id}\">{surface} <small>{}</small></h3><div class=\"three\">",
            escaped(&self.service)
        );
        for chart in [
            self.rate(surface),
            self.errors(surface),
            self.durations(surface),
        ] {
            let chart = Chart {
                markers,
                gone: self.gone(),
                first: self.first,
                ..chart
            };
            html.push_str(&chart.html());
        }
        let _ = write!(html, "</div>{}</section>", self.table(id, surface));
        html
    }

    fn rate(&self, surface: &'static str) -> Chart<'_> {
        let rates = self.values(|step| Some(per_second(step, surface)));
        let top = highest(&rates).max(0.1);
        let now = per_second(&self.now(), surface);
        let summary = format!(
            "Rate of {surface} of {}: now {} per second, highest {} per second in the last hour.",
            self.service,
            number(now),
            number(highest(&rates))
        );
        Chart {
            title: "Rate",
            now: format!("<strong>{}</strong>/s", number(now)),
            summary,
            drawn: vec![(Shape::Area, "area", scaled(rates, top))],
            grid: vec![(1.0, format!("{}/s", number(top)))],
            hits: self.hits(
                |step| format!("{}/s", number(per_second(step, surface))),
                |_, _| None,
            ),
            ..Chart::default()
        }
    }

    fn errors(&self, surface: &'static str) -> Chart<'_> {
        let share = |step: &Step| step.surfaces.get(surface).and_then(Sum::error_share);
        let shares = self.values(|step| Some(share(step).unwrap_or_default()));
        let top = highest(&shares).max(ERRORS_TOP_MIN);
        let total = self.total(0..SLOTS);
        let failed = total.surfaces.get(surface).map_or(0.0, |sum| sum.errors);
        let now = share(&self.now());
        let class = if now.unwrap_or_default() > 0.0 {
            " class=\"bad\""
        } else {
            ""
        };
        Chart {
            title: "Errors",
            now: if failed > 0.0 {
                format!(
                    "<strong{class}>{}</strong>, {failed:.0} in the hour",
                    percent(now)
                )
            } else {
                "<strong>none</strong>".to_owned()
            },
            summary: format!(
                "Errors of {surface} of {}: now {}, highest {}, {failed:.0} requests failed in the last hour.",
                self.service,
                percent(now),
                percent(Some(highest(&shares)))
            ),
            drawn: vec![(Shape::Bars, "error", scaled(shares, top))],
            grid: vec![(1.0, percent(Some(top)))],
            hits: self.hits(
                |step| format!("{} failed", percent(share(step).or(Some(0.0)))),
                |_, search| {
                    search.errors = true;
                    None
                },
            ),
            ..Chart::default()
        }
    }

    fn durations(&self, surface: &'static str) -> Chart<'_> {
        let quantile = |step: &Step, index: usize| {
            step.surfaces
                .get(surface)
                .and_then(|sum| sum.quantiles()[index])
        };
        let height =
            |seconds: f64| ((seconds * 1e3).max(1.0).log10() / DURATION_DECADES).clamp(0.02, 1.0);
        let curve = |index: usize| self.values(|step| quantile(step, index).map(height));
        let now = self.now();
        let [p50, p95, p99] = [0, 1, 2].map(|index| duration(quantile(&now, index)));
        Chart {
            title: "Duration",
            now: format!(
                "<span class=\"pair\"><i class=\"key p50\"></i>p50 <strong>{p50}</strong></span> \
                 <span class=\"pair\"><i class=\"key p95\"></i>p95 <strong>{p95}</strong></span> \
                 <span class=\"pair\"><i class=\"key p99\"></i>p99 <strong>{p99}</strong></span>"
            ),
            summary: format!(
                "Duration of {surface} of {} now: p50 {p50}, p95 {p95}, p99 {p99}.",
                self.service
            ),
            drawn: vec![
                (Shape::Line, "p99", curve(2)),
                (Shape::Line, "p95", curve(1)),
                (Shape::Line, "p50", curve(0)),
            ],
            grid: vec![
                (0.25, "10 ms".to_owned()),
                (0.5, "100 ms".to_owned()),
                (0.75, "1 s".to_owned()),
            ],
            hits: self.hits(
                |step| {
                    format!(
                        "p95 {}, p99 {}",
                        duration(quantile(step, 1)),
                        duration(quantile(step, 2))
                    )
                },
                |step, search| {
                    search.duration_min = quantile(step, 1).filter(|seconds| seconds.is_finite());
                    step.surfaces
                        .get(surface)?
                        .slowest
                        .map(|slowest| slowest.trace_id)
                },
            ),
            ..Chart::default()
        }
    }

    /// Renders the figures of the charts as a table, with a link to the traces of each row.
    fn table(&self, id: &str, surface: &'static str) -> String {
        let mut rows = String::new();
        for start in (0..SLOTS).step_by(SLOTS_PER_ROW).rev() {
            let slots = start..start + SLOTS_PER_ROW;
            let total = self.total(slots.clone());
            let Some(sum) = total.surfaces.get(surface).filter(|sum| sum.requests > 0.0) else {
                continue;
            };
            let [p50, p95, p99] = sum.quantiles().map(duration);
            let slowest = sum.slowest.map_or_else(
                || "–".to_owned(),
                |found| {
                    format!(
                        "<a href=\"/trace/{:032x}\">{}</a>",
                        found.trace_id,
                        duration(Some(found.value))
                    )
                },
            );
            let time = clock(self.starts[start]);
            let _ = write!(
                rows,
                "<tr><th scope=\"row\"><a href=\"{}\">{time}</a></th><td>{}</td><td>{}</td><td>{p50}</td><td>{p95}</td>\
                 <td>{p99}</td><td>{slowest}</td></tr>",
                self.search(slots).href(),
                number(per_second(&total, surface)),
                percent(sum.error_share()),
            );
        }
        let service = escaped(&self.service);
        format!(
            "<details id=\"{id}-table\"><summary>Table and traces of {surface}<span class=\"off\"> of {service}</span></summary>\
             <div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Table of {surface} of {service}\"><table>\
             <thead><tr><th scope=\"col\">5 min from, UTC</th><th scope=\"col\">per s</th><th scope=\"col\">errors</th>\
             <th scope=\"col\">p50</th><th scope=\"col\">p95</th><th scope=\"col\">p99</th><th scope=\"col\">slowest</th>\
             </tr></thead><tbody>{rows}</tbody></table></div></details>"
        )
    }
}

/// Renders the charts of the whole site: bookings, mails, outbox and limiter.
pub fn series(hours: &[&Hour], markers: &[Marker]) -> String {
    let mut html = String::new();
    for (index, series) in SERIES.iter().enumerate() {
        let value = |step: &Step| {
            let value = step.series[index]?;
            Some(if series.is_gauge {
                value
            } else {
                value * 60.0 / step.covered.as_secs_f64()
            })
        };
        let exporting: Vec<&&Hour> = hours
            .iter()
            .filter(|hour| hour.values(value).iter().any(Option::is_some))
            .collect();
        let Some(any) = exporting.first() else {
            continue;
        };
        let each: Vec<Values> = exporting.iter().map(|hour| hour.values(value)).collect();
        let sum = |slot: usize| {
            each.iter()
                .filter_map(|values| values[slot])
                .reduce(|sum, value| sum + value)
        };
        let values: Values = (0..SLOTS).map(sum).collect();
        let now = values
            .iter()
            .rev()
            .flatten()
            .next()
            .copied()
            .unwrap_or_default();
        let (most, top) = (highest(&values), highest(&values).max(1.0));
        let total = |step: &Step| step.series[index].map_or_else(|| "–".to_owned(), number);
        let chart = Chart {
            title: series.title,
            now: format!("<strong>{}</strong>", number(now)),
            summary: format!(
                "{}: now {}, highest {} in the last hour.",
                series.title,
                number(now),
                number(most)
            ),
            drawn: vec![(Shape::Area, "area", scaled(values, top))],
            grid: vec![(1.0, number(top))],
            gone: (0..SLOTS)
                .map(|slot| exporting.iter().any(|hour| hour.gone()[slot]))
                .collect(),
            markers,
            first: any.first,
            hits: any.hits(|step| format!("{} in 2 min", total(step)), |_, _| None),
        };
        html.push_str(&chart.html());
    }
    html
}

fn per_second(step: &Step, surface: &str) -> f64 {
    let requests = step.surfaces.get(surface).map_or(0.0, |sum| sum.requests);
    if step.covered.is_zero() {
        0.0
    } else {
        requests / step.covered.as_secs_f64()
    }
}

fn highest(values: &Values) -> f64 {
    values.iter().flatten().copied().fold(0.0, f64::max)
}

fn scaled(values: Values, top: f64) -> Values {
    values.into_iter().map(|value| Some(value? / top)).collect()
}
