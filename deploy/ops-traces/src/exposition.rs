//! Parser of OpenMetrics 1.0 text, limited to samples: names, labels, values and the trace ids of exemplars. Time
//! stamps and comments are skipped.
//!
//! An unreadable line must not hide the others: the last output of a failing process matters most.

use std::collections::BTreeMap;

/// One sample line.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    pub name: String,
    pub labels: Vec<(String, String)>,
    pub value: f64,
    pub exemplar: Option<Exemplar>,
}

/// A sampled request that was counted in this series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exemplar {
    pub trace_id: u128,
    /// Measured value, in the unit of the metric.
    pub value: f64,
}

impl Sample {
    /// Returns the value of a label; empty if the label is absent, as the format defines.
    pub fn label(&self, name: &str) -> &str {
        let found = self.labels.iter().find(|(key, _)| key == name);
        found.map_or("", |(_, value)| value)
    }
}

/// Returns the samples whose names `is_wanted`, at most `samples_max`. Returns `None` if no line is readable, because
/// the text is then no exposition.
pub fn read(
    text: &str,
    samples_max: usize,
    is_wanted: impl Fn(&str) -> bool,
) -> Option<Vec<Sample>> {
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let mut is_readable = text.trim_end().ends_with("# EOF");
    let mut samples = Vec::new();
    for line in lines {
        let Some(sample) = sample(line) else { continue };
        is_readable = true;
        if is_wanted(&sample.name) && samples.len() < samples_max {
            samples.push(sample);
        }
    }
    is_readable.then_some(samples)
}

/// Returns the increase of each series. A smaller value than before means that the process restarted and counts from
/// zero.
pub fn increases<'a>(
    oldest: &'a [Sample],
    newest: &'a [Sample],
) -> impl Iterator<Item = (&'a Sample, f64)> {
    let key = |sample: &'a Sample| (sample.name.as_str(), sample.labels.as_slice());
    let before: BTreeMap<_, f64> = oldest.iter().map(|s| (key(s), s.value)).collect();
    newest.iter().map(move |sample| {
        let before = before.get(&key(sample)).copied().unwrap_or(0.0);
        let added = sample.value - before;
        (sample, if added >= 0.0 { added } else { sample.value })
    })
}

fn sample(line: &str) -> Option<Sample> {
    let end = line.find(['{', ' '])?;
    let (name, rest) = line.split_at(end);
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let (labels, rest) = match rest.strip_prefix('{') {
        Some(rest) => labels(rest)?,
        None => (Vec::new(), rest),
    };
    let (measured, exemplar) = match rest.split_once(" # {") {
        Some((measured, exemplar)) => (measured, self::exemplar(exemplar)),
        None => (rest, None),
    };
    let value = measured.split_ascii_whitespace().next()?.parse().ok()?;
    Some(Sample {
        name: name.to_owned(),
        labels,
        value,
        exemplar,
    })
}

/// Parses an exemplar, from after the brace that opens its labels. An unreadable exemplar does not hide its sample.
fn exemplar(text: &str) -> Option<Exemplar> {
    let (labels, rest) = labels(text)?;
    let (_, trace_id) = labels.iter().find(|(name, _)| name == "trace_id")?;
    let is_id = trace_id.len() == 32 && trace_id.bytes().all(|digit| digit.is_ascii_hexdigit());
    let trace_id = u128::from_str_radix(trace_id, 16).ok();
    Some(Exemplar {
        trace_id: trace_id.filter(|id| is_id && *id != 0)?,
        value: rest.split_ascii_whitespace().next()?.parse().ok()?,
    })
}

type Labels = Vec<(String, String)>;

/// Returns the labels up to the closing brace, and the rest of the line.
fn labels(mut rest: &str) -> Option<(Labels, &str)> {
    let mut labels = Vec::new();
    loop {
        if let Some(rest) = rest.strip_prefix('}') {
            return Some((labels, rest));
        }
        let (name, after) = rest.split_once("=\"")?;
        let (value, after) = quoted(after)?;
        labels.push((name.to_owned(), value));
        rest = after.strip_prefix(',').unwrap_or(after);
    }
}

/// Returns the unescaped text up to the closing quotation mark, and the rest.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => match characters.next()?.1 {
                'n' => value.push('\n'),
                other => value.push(other),
            },
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Option<Vec<Sample>> {
        read(text, 100, |_| true)
    }

    #[test]
    fn parses_names_labels_and_values() {
        let text = "# TYPE a counter\na_total{b=\"c,}d\",e=\"\\\"f\\\\\\n\"} 3 # {trace_id=\"1\"} 2 7\nup 1.5e2\n\nx{} +Inf\n# EOF\n";
        let samples = all(text).unwrap();
        assert_eq!(samples.len(), 3);
        assert_eq!(samples[0].label("b"), "c,}d");
        assert_eq!(samples[0].label("e"), "\"f\\\n");
        assert_eq!(samples[0].label("absent"), "");
        assert!((samples[0].value - 3.0).abs() < f64::EPSILON);
        assert!((samples[1].value - 150.0).abs() < f64::EPSILON);
        assert!(samples[2].value.is_infinite());
    }

    #[test]
    fn parses_or_skips_an_exemplar() {
        let id = "0af7651916cd43dd8448eb211c80319c";
        let found = |exemplar: &str| {
            let samples = all(&format!("a_bucket{{le=\"1\"}} 3{exemplar}\n")).unwrap();
            assert!((samples[0].value - 3.0).abs() < f64::EPSILON, "{exemplar}");
            samples[0].exemplar
        };
        let read = found(&format!(" # {{trace_id=\"{id}\"}} 0.25 1700000000.1")).unwrap();
        assert_eq!(format!("{:032x}", read.trace_id), id);
        assert!((read.value - 0.25).abs() < f64::EPSILON);
        let zero = "0".repeat(32);
        for wrong in [
            String::new(),
            " 1700000000".to_owned(),
            " # {} 1".to_owned(),
            " # {trace_id=\"".to_owned(),
            " # {trace_id=\"javascript:alert(1)\"} 1".to_owned(),
            format!(" # {{trace_id=\"+{}\"}} 1", &id[1..]),
            format!(" # {{trace_id=\"{zero}\"}} 1"),
            format!(" # {{trace_id=\"{id}\"}} soon"),
            format!(" # {{span_id=\"{id}\"}} 1"),
        ] {
            assert_eq!(found(&wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_invalid_line_hides_no_other() {
        for bad in ["a{b=\"c} 1", "a{b} 1", "a", "a one", "ä 1", "{} 1"] {
            let samples = all(&format!("{bad}\ngood 1\n")).unwrap();
            assert_eq!(samples.len(), 1, "{bad}");
        }
    }

    #[test]
    fn refuses_garbage_and_truncates_long_input() {
        assert_eq!(all("<!doctype html><title>no</title>"), None);
        assert_eq!(all(""), None);
        assert_eq!(all("# EOF\n"), Some(Vec::new()));
        assert_eq!(
            read("a 1\nb 2\nc 3\n", 2, |name| name != "a")
                .unwrap()
                .len(),
            2
        );
        assert_eq!(read("a 1\nb 2\nc 3\n", 1, |_| true).unwrap().len(), 1);
    }
}
