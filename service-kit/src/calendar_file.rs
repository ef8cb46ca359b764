//! Content lines and values of calendar files (iCalendar, RFC 5545).

use std::fmt::{self, Write as _};

use chrono::{DateTime, Utc};

/// Longest line in octets, without its CRLF (RFC 5545, 3.1).
const LINE_BYTES_MAX: usize = 75;

/// Content lines, each ended by CRLF and folded.
#[derive(Debug, Default)]
pub struct Lines(String);

impl Lines {
    /// Adds one content line.
    pub fn line(&mut self, content: fmt::Arguments<'_>) {
        let content = content.to_string();
        let mut room = LINE_BYTES_MAX;
        let mut rest = content.as_str();
        while rest.len() > room {
            let (line, more) = rest.split_at(rest.floor_char_boundary(room));
            self.0.push_str(line);
            self.0.push_str("\r\n ");
            rest = more;
            // The space that marks the continuation counts towards the limit.
            room = LINE_BYTES_MAX - 1;
        }
        self.0.push_str(rest);
        self.0.push_str("\r\n");
    }

    /// Returns the file.
    pub fn into_file(self) -> String {
        self.0
    }
}

/// A value of type TEXT (RFC 5545, 3.3.11).
#[derive(Clone, Copy, Debug)]
pub struct Text<'a>(pub &'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '\\' | ';' | ',' => write!(formatter, "\\{character}")?,
                '\n' => formatter.write_str("\\n")?,
                other => formatter.write_char(other)?,
            }
        }
        Ok(())
    }
}

/// A quoted parameter value, which cannot contain quotation marks (RFC 5545, 3.2).
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\"{}\"", self.0.replace('"', "'"))
    }
}

/// Formats a time as UTC.
pub fn utc(time: DateTime<Utc>) -> impl fmt::Display {
    time.format("%Y%m%dT%H%M%SZ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_any_length_is_folded_without_loss() {
        for length in [1, 74, 75, 76, 148, 149, 150, 300] {
            for letter in ["x", "ಕ", "🩺"] {
                let content = letter.repeat(length);
                let mut lines = Lines::default();
                lines.line(format_args!("{content}"));
                let file = lines.into_file();
                assert_eq!(file.replace("\r\n ", ""), format!("{content}\r\n"));
                let longest = file.split("\r\n").map(str::len).max();
                assert!(longest <= Some(LINE_BYTES_MAX), "{length} of {letter}");
            }
        }
    }
}
