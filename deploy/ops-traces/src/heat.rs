//! Latency heat maps of the last hour: how many requests took how long.

use crate::chart::{HeatMap, Hit, SLOTS, SLOTS_PER_LINK};
use crate::history::Step;
use crate::hour::Hour;
use crate::page::{clock, duration};

impl Hour {
    /// Renders the distribution of durations over the hour; `None` without requests.
    pub fn heat_map(&self, surface: &'static str) -> Option<String> {
        let columns: Vec<Vec<(u64, f64)>> = (0..SLOTS)
            .step_by(SLOTS_PER_LINK)
            .map(|start| buckets(&self.total(start..start + SLOTS_PER_LINK), surface))
            .collect();
        let filled = |bound: u64| {
            columns
                .iter()
                .flatten()
                .any(|(found, count)| *found == bound && *count > 0.0)
        };
        let total = buckets(&self.total(0..SLOTS), surface);
        let first = total.iter().position(|(bound, _)| filled(*bound))?;
        let last = total.iter().rposition(|(bound, _)| filled(*bound))?;
        let most = columns
            .iter()
            .flatten()
            .map(|(_, count)| *count)
            .fold(0.0, f64::max);
        let rows = &total[first..=last];
        let mut cells = Vec::new();
        for (column, counts) in columns.iter().enumerate() {
            for (row, (bound, _)) in rows.iter().enumerate() {
                let count = counts
                    .iter()
                    .find(|(found, _)| found == bound)
                    .map_or(0.0, |(_, count)| *count);
                if count < 0.5 {
                    continue;
                }
                let slots = column * SLOTS_PER_LINK..(column + 1) * SLOTS_PER_LINK;
                let below = (first + row).checked_sub(1).map(|index| total[index].0);
                let mut search = self.search(slots.clone());
                search.duration_min = below.map(seconds);
                search.duration_max = Some(seconds(*bound)).filter(|seconds| seconds.is_finite());
                let title = format!(
                    "{} UTC: {count:.0} requests {}",
                    clock(self.starts[slots.start]),
                    up_to(*bound)
                );
                cells.push((
                    column,
                    row,
                    shade(count / most),
                    Hit {
                        href: search.href(),
                        title,
                    },
                ));
            }
        }
        let all: f64 = rows.iter().map(|(_, count)| count).sum();
        let common = rows
            .iter()
            .max_by(|one, other| one.1.total_cmp(&other.1))
            .map_or(0, |(bound, _)| *bound);
        let map = HeatMap {
            first: self.first,
            title: format!("{surface} by duration"),
            summary: format!(
                "{all:.0} requests in the last hour, most of them {}, the slowest {}. The tables above have the same figures.",
                up_to(common),
                up_to(rows[rows.len() - 1].0)
            ),
            rows: rows
                .iter()
                .map(|(bound, _)| duration(Some(seconds(*bound))))
                .collect(),
            cells,
        };
        Some(map.html())
    }
}

/// Returns the requests of each bucket by its upper bound.
fn buckets(step: &Step, surface: &str) -> Vec<(u64, f64)> {
    let mut below = 0.0;
    let cumulative = step
        .surfaces
        .get(surface)
        .into_iter()
        .flat_map(|sum| &sum.buckets);
    cumulative
        .map(|(bound, count)| {
            let own = (count - below).max(0.0);
            below = *count;
            (*bound, own)
        })
        .collect()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "bounds are far below 2^52 microseconds"
)]
fn seconds(bound: u64) -> f64 {
    if bound == u64::MAX {
        f64::INFINITY
    } else {
        bound as f64 / 1e6
    }
}

fn up_to(bound: u64) -> String {
    let text = duration(Some(seconds(bound)));
    if bound == u64::MAX {
        text
    } else {
        format!("up to {text}")
    }
}

/// Returns a shade from 1 to 5. By the root, because rare slow requests must remain visible.
fn shade(share: f64) -> u8 {
    match share.sqrt() {
        share if share > 0.8 => 5,
        share if share > 0.6 => 4,
        share if share > 0.4 => 3,
        share if share > 0.2 => 2,
        _ => 1,
    }
}
