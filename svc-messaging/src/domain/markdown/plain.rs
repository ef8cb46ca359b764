//! Plain text of a text, for mail programs that show no HTML.

use super::{Element, Step, steps};

/// Maximum line length, in characters. Longer words are not broken.
pub const LINE_CHARS_MAX: usize = 72;
/// Minimum line length inside of lists and quotes.
const LINE_CHARS_MIN: usize = 40;

/// Renders the text as lines of at most 72 characters. Links have their address after the label.
pub fn plain_text(text: &str) -> String {
    let mut writer = Writer::default();
    for step in steps(text) {
        match step {
            Step::Open(element) => writer.open(&element),
            Step::Close(element) => writer.close(&element),
            Step::Text(text) => writer.line.push_str(&text),
            Step::Break => writer.line.push('\n'),
            Step::Rule => {
                writer.block(true);
                "* * *".clone_into(&mut writer.line);
                writer.block(true);
            }
        }
    }
    writer.block(true);
    writer.text
}

/// What begins the lines inside of an element.
struct Margin {
    /// Of the next line. The others have spaces of the same length, or `> `.
    first: Option<String>,
    others: String,
}

#[derive(Default)]
struct Writer {
    text: String,
    /// Text of the open block.
    line: String,
    margins: Vec<Margin>,
    /// Next number of each open list; `None`: bullets.
    lists: Vec<Option<u64>>,
    /// Beginnings of the labels of open links, in `line`.
    labels: Vec<usize>,
    /// Whether an empty line is due before the next block.
    is_gap: bool,
    /// Number of margins that the last block and the next one share.
    shared: usize,
}

impl Writer {
    fn open(&mut self, element: &Element) {
        match element {
            Element::Paragraph | Element::Heading(_) => self.block(false),
            Element::Bullets => self.list(None),
            Element::Numbers(first) => self.list(Some(*first)),
            Element::Quote => {
                self.block(false);
                self.margins.push(Margin {
                    first: None,
                    others: "> ".to_owned(),
                });
            }
            Element::Item => {
                self.block(false);
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let mark = format!("{number}. ");
                        *number = number.saturating_add(1);
                        mark
                    }
                    _ => "- ".to_owned(),
                };
                self.margins.push(Margin {
                    others: " ".repeat(mark.len()),
                    first: Some(mark),
                });
            }
            Element::Strong | Element::Emphasis => {}
            Element::Link(_) | Element::Unlinked(_) => self.labels.push(self.line.len()),
        }
    }

    fn leave(&mut self) {
        self.margins.pop();
        self.shared = self.shared.min(self.margins.len());
    }

    fn list(&mut self, first: Option<u64>) {
        self.block(false);
        self.lists.push(first);
    }

    fn close(&mut self, element: &Element) {
        match element {
            Element::Paragraph => self.block(true),
            Element::Heading(_) => {
                let chars = self.line.trim().chars().count().min(LINE_CHARS_MAX);
                self.line.push('\n');
                self.line.push_str(&"-".repeat(chars));
                self.block(true);
            }
            Element::Bullets | Element::Numbers(_) => {
                self.block(false);
                self.lists.pop();
                self.is_gap |= self.lists.is_empty();
            }
            Element::Item => {
                self.block(false);
                self.leave();
            }
            Element::Quote => {
                self.block(true);
                self.leave();
            }
            Element::Strong | Element::Emphasis => {}
            Element::Link(address) | Element::Unlinked(address) => {
                let start = self.labels.pop().unwrap_or_default();
                let shown = address.split_once(':').map_or("", |(_, rest)| rest);
                let shown = if shown.starts_with("//") {
                    address
                } else {
                    shown
                };
                let label: String = self.line[start..].split_whitespace().collect();
                if label != shown && label != *address && !shown.is_empty() {
                    self.line.extend([" (", shown, ")"]);
                }
            }
        }
    }

    /// Writes the open block. `is_gap`: an empty line is due after it.
    fn block(&mut self, is_gap: bool) {
        let line = std::mem::take(&mut self.line);
        if line.trim().is_empty() {
            return;
        }
        if self.is_gap {
            let margin: String = self.margins[..self.shared]
                .iter()
                .map(|one| one.others.as_str())
                .collect();
            self.text.push_str(margin.trim_end());
            self.text.push('\n');
        }
        let indent: usize = self.margins.iter().map(|one| one.others.len()).sum();
        let chars_max = LINE_CHARS_MAX.saturating_sub(indent).max(LINE_CHARS_MIN);
        for asked in line.trim().lines() {
            for line in wrapped_at(asked, chars_max).split('\n') {
                for margin in &mut self.margins {
                    let first = margin.first.take();
                    self.text
                        .push_str(&first.unwrap_or_else(|| margin.others.clone()));
                }
                self.text.push_str(line);
                self.text.truncate(self.text.trim_end_matches(' ').len());
                self.text.push('\n');
            }
        }
        self.is_gap = is_gap;
        self.shared = self.margins.len();
    }
}

/// Wraps a text at spaces.
pub fn wrapped_at(text: &str, chars_max: usize) -> String {
    let mut lines = String::with_capacity(text.len() + text.len() / chars_max);
    let mut used = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let chars = word.chars().count();
        if used > 0 && used + 1 + chars > chars_max {
            lines.push('\n');
            used = 0;
        } else if used > 0 {
            lines.push(' ');
            used += 1;
        }
        lines.push_str(word);
        used += chars;
    }
    lines
}
