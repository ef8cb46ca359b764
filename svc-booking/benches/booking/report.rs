//! The table and the JSON lines of the bench.

use std::{fs::File, io::Write as _};

use crate::Result;

/// Prints each measurement at once and keeps it for the final report.
#[derive(Debug)]
pub(crate) struct Report {
    lines: Vec<String>,
}

impl Report {
    pub(crate) fn new() -> Self {
        Self { lines: Vec::new() }
    }

    /// Adds one measurement: a line of text, and JSON for programs.
    pub(crate) fn add(&mut self, text: impl AsRef<str>, json: &serde_json::Value) {
        println!("{}", text.as_ref());
        self.lines.push(json.to_string());
    }

    /// Writes the JSON lines to standard output and to the file in `BENCH_JSON`.
    pub(crate) fn finish(self) -> Result<()> {
        for line in &self.lines {
            println!("{line}");
        }
        if let Some(path) = std::env::var_os("BENCH_JSON") {
            let mut file = File::create(path)?;
            for line in &self.lines {
                writeln!(file, "{line}")?;
            }
        }
        Ok(())
    }
}

/// Rounds to one decimal place: more would be noise.
pub(crate) fn json_number(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
