//! Charts of the last hour as SVG. Each stretches with its place; its words are HTML beside it, so that they follow the
//! size of the reader's text.

use std::fmt::Write as _;

use crate::page::escaped;

/// Steps of a chart: an hour of half minutes.
pub const SLOTS: usize = 120;
/// Steps of one link. Narrower ones cannot be hit.
pub const SLOTS_PER_LINK: usize = 4;
/// Charts show a multiple of this many steps.
const SLOTS_SHOWN_STEP: usize = 20;

/// One value per step, between 0 and 1; `None` leaves a gap.
pub type Values = Vec<Option<f64>>;

#[derive(Debug, Clone, Copy)]
pub enum Shape {
    Area,
    Bars,
    Line,
}

/// A link over some steps, with its tooltip.
#[derive(Debug)]
pub struct Hit {
    pub href: String,
    pub title: String,
}

/// A vertical line with a letter.
#[derive(Debug, Clone)]
pub struct Marker {
    pub slot: usize,
    pub letter: char,
    pub words: String,
}

#[derive(Debug, Default)]
pub struct Chart<'a> {
    pub title: &'a str,
    /// Current figures, as HTML.
    pub now: String,
    /// The chart in words.
    pub summary: String,
    /// Values with their class, drawn in this order.
    pub drawn: Vec<(Shape, &'static str, Values)>,
    /// Labels of horizontal lines, by their height between 0 and 1.
    pub grid: Vec<(f64, String)>,
    /// Steps in which the process did not respond.
    pub gone: Vec<bool>,
    pub markers: &'a [Marker],
    /// First step shown, a multiple of [`SLOTS_PER_LINK`].
    pub first: usize,
    /// One for each [`SLOTS_PER_LINK`] steps shown.
    pub hits: Vec<Hit>,
}

/// Returns the first step to show, so that a young history fills its charts: 10, 20, … 60 minutes.
pub fn first(oldest: usize) -> usize {
    (oldest / SLOTS_SHOWN_STEP * SLOTS_SHOWN_STEP).min(SLOTS - SLOTS_SHOWN_STEP)
}

/// Renders the times below a chart that begins with the step `first`.
fn axis(first: usize) -> String {
    let minutes = (SLOTS - first) / 2;
    format!(
        "<p class=\"axis\" aria-hidden=\"true\"><span>{minutes} min ago</span><span>{}</span><span>now</span></p>",
        minutes / 2
    )
}

impl Chart<'_> {
    pub fn html(&self) -> String {
        let mut svg = String::new();
        for (slot, _) in self
            .gone
            .iter()
            .enumerate()
            .filter(|(_, is_gone)| **is_gone)
        {
            // Writing to a string cannot fail.
            let _ = write!(svg, "<path class=\"gone\" d=\"M{slot} 0h1v100h-1z\"/>");
        }
        for (height, _) in &self.grid {
            let _ = write!(
                svg,
                "<path class=\"grid\" d=\"M{} {:.1}H{SLOTS}\"/>",
                self.first,
                y(*height)
            );
        }
        for (shape, class, values) in &self.drawn {
            let path = match shape {
                Shape::Area => area(values),
                Shape::Bars => bars(values),
                Shape::Line => line(values),
            };
            let _ = write!(svg, "<path class=\"{class}\" d=\"{path}\"/>");
        }
        let mut over = String::new();
        for (height, label) in &self.grid {
            let _ = write!(
                over,
                "<span class=\"at\" style=\"bottom:{:.1}%\">{label}</span>",
                height * 100.0
            );
        }
        let width = SLOTS - self.first;
        let shown = self
            .markers
            .iter()
            .filter(|marker| marker.slot >= self.first);
        for Marker {
            slot,
            letter,
            words,
        } in shown
        {
            let _ = write!(svg, "<path class=\"mark\" d=\"M{slot}.5 0v100\"/>");
            let _ = write!(
                over,
                "<span class=\"letter\" style=\"left:{}%\" title=\"{}\">{letter}</span>",
                (2 * (slot - self.first) + 1) * 50 / width,
                escaped(words)
            );
        }
        let hits: String = self.hits.iter().map(Hit::html).collect();
        format!(
            "<figure class=\"chart\"><figcaption><b>{}</b> <span>{}</span></figcaption><div class=\"plot\">\
             <svg viewBox=\"{} 0 {width} 100\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\">{svg}</svg>\
             <div aria-hidden=\"true\">{over}<div class=\"hits\">{hits}</div></div></div>\
             {}</figure>",
            self.title,
            self.now,
            self.first,
            escaped(&self.summary),
            axis(self.first),
        )
    }
}

impl Hit {
    /// The tables beside the charts hold the same links for the keyboard.
    fn html(&self) -> String {
        format!(
            "<a tabindex=\"-1\" href=\"{}\" title=\"{}\"></a>",
            self.href,
            escaped(&self.title)
        )
    }
}

fn y(value: f64) -> f64 {
    100.0 - value.clamp(0.0, 1.0) * 100.0
}

/// Returns a path through the middles of the steps. A lone value becomes a dot.
fn line(values: &Values) -> String {
    let mut path = String::new();
    let mut is_drawing = false;
    for (slot, value) in values.iter().enumerate() {
        match value {
            Some(value) if is_drawing => _ = write!(path, "L{slot}.5 {:.1}", y(*value)),
            Some(value) => _ = write!(path, "M{slot}.5 {:.1}h.01", y(*value)),
            None => {}
        }
        is_drawing = value.is_some();
    }
    path
}

fn bars(values: &Values) -> String {
    let bars = values.iter().enumerate().filter_map(|(slot, value)| {
        let top = y(value.filter(|value| *value > 0.0)?);
        Some(format!("M{slot} 100V{top:.1}h1V100z"))
    });
    bars.collect()
}

/// Returns a path around the values and the axis, one for each run of values.
fn area(values: &Values) -> String {
    let mut path = String::new();
    let mut is_drawing = false;
    for (slot, value) in values.iter().enumerate() {
        match value {
            Some(value) if is_drawing => _ = write!(path, "L{slot}.5 {:.1}", y(*value)),
            Some(value) => _ = write!(path, "M{slot} 100L{slot}.5 {:.1}", y(*value)),
            None if is_drawing => _ = write!(path, "L{slot} 100z"),
            None => {}
        }
        is_drawing = value.is_some();
    }
    if is_drawing {
        _ = write!(path, "L{} 100z", values.len());
    }
    path
}

/// A latency heat map: columns of [`SLOTS_PER_LINK`] steps, rows of buckets, the fastest first.
#[derive(Debug, Default)]
pub struct HeatMap {
    /// First step shown.
    pub first: usize,
    pub title: String,
    pub summary: String,
    /// Upper bounds of the rows in words.
    pub rows: Vec<String>,
    /// Column, row, shade from 1 to 5, and link.
    pub cells: Vec<(usize, usize, u8, Hit)>,
}

impl HeatMap {
    pub fn html(&self) -> String {
        let (first, rows) = (self.first / SLOTS_PER_LINK, self.rows.len());
        let columns = SLOTS / SLOTS_PER_LINK - first;
        let labels = self
            .rows
            .iter()
            .rev()
            .map(|row| format!("<span>{row}</span>"))
            .collect::<Vec<_>>()
            .concat();
        let cells = self
            .cells
            .iter()
            .map(|(column, row, shade, Hit { href, title })| {
                format!(
                    "<a tabindex=\"-1\" href=\"{href}\"><rect class=\"h{shade}\" x=\"{column}\" y=\"{}\" width=\"1\" \
                     height=\"1\"><title>{}</title></rect></a>",
                    rows - 1 - row,
                    escaped(title)
                )
            })
            .collect::<Vec<_>>().concat();
        format!(
            "<figure class=\"heat\"><figcaption><b>{}</b></figcaption><p class=\"off\">{}</p><div class=\"map\" \
             style=\"--rows:{rows}\" aria-hidden=\"true\"><div class=\"bounds\">{labels}</div>\
             <svg viewBox=\"{first} 0 {columns} {rows}\" preserveAspectRatio=\"none\">{cells}</svg></div>\
             {}</figure>",
            escaped(&self.title),
            escaped(&self.summary),
            axis(self.first),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_interrupts_every_shape() {
        let values = vec![Some(0.0), Some(1.0), None, Some(0.5)];
        assert_eq!(line(&values), "M0.5 100.0h.01L1.5 0.0M3.5 50.0h.01");
        assert_eq!(
            area(&values),
            "M0 100L0.5 100.0L1.5 0.0L2 100zM3 100L3.5 50.0L4 100z"
        );
        assert_eq!(bars(&values), "M1 100V0.0h1V100zM3 100V50.0h1V100z");
        assert_eq!(line(&vec![None; 3]), "");
    }

    #[test]
    fn a_young_history_fills_its_charts() {
        let oldest = [0, 19, 20, 59, 99, 100, 119].map(first);
        assert_eq!(oldest, [0, 0, 20, 40, 80, 100, 100]);
    }

    #[test]
    fn words_of_others_are_escaped() {
        let markers = [Marker {
            slot: 60,
            letter: 'A',
            words: "<b> 1".to_owned(),
        }];
        let chart = Chart {
            title: "Rate",
            summary: "\"none\"".to_owned(),
            markers: &markers,
            hits: vec![Hit {
                href: "/search".to_owned(),
                title: "<i>".to_owned(),
            }],
            ..Chart::default()
        };
        let html = chart.html();
        for part in [
            "aria-label=\"&quot;none&quot;\"",
            "left:50%",
            "title=\"&lt;b&gt; 1\"",
            "title=\"&lt;i&gt;\"",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }
}
