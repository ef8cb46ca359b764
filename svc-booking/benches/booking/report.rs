//! The table and the JSON lines.

use std::{fs::File, io::Write as _};

use crate::Result;

/// Prints what is measured as it comes and keeps it for the end.
#[derive(Debug)]
pub(crate) struct Report {
    lines: Vec<String>,
}

impl Report {
    pub(crate) fn new() -> Self {
        Self { lines: Vec::new() }
    }

    /// One measurement, for people and for programs.
    pub(crate) fn add(&mut self, text: impl AsRef<str>, json: &serde_json::Value) {
        println!("{}", text.as_ref());
        self.lines.push(json.to_string());
    }

    /// The JSON lines, on standard output and in the file that `BENCH_JSON` names.
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

/// One digit after the point: more would be noise.
pub(crate) fn json_number(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
