//! Limits of a text.

use service_kit::input::Paragraphs;

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::{Element, Step, as_link, element, steps};

/// Maximum paragraphs, headings and list items together.
pub const BLOCKS_MAX: usize = 500;
/// Maximum links.
pub const LINKS_MAX: usize = 100;
/// Maximum elements inside each other, a list and its item being two.
pub const NESTING_MAX: usize = 16;
/// Maximum length of an address in a message, in characters.
const NAMED_CHARS_MAX: usize = 80;

/// Returns what mails cannot carry: images, links of other kinds, invisible characters written as entities, and more
/// parts than a limit allows.
pub fn check(text: &str) -> Vec<String> {
    let mut found = Found::default();
    let mut depth = 0_usize;
    for event in Parser::new_ext(text, Options::empty()) {
        match event {
            Event::Start(tag) => {
                depth += 1;
                found.deepest = found.deepest.max(depth);
                found.images += usize::from(matches!(tag, Tag::Image { .. }));
                found.add(element(tag));
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    let shown = shown(text, &mut found.links);
    // Entities such as `&#x202E;` become characters that the text itself must not have.
    if let Err(problem) = Paragraphs::parse(&shown, usize::MAX) {
        return vec![problem.to_string()];
    }
    let mut violations = Vec::new();
    if found.images > 0 {
        let advice = "Remove the images. A mail has none, because mail programs hide or fetch them";
        violations.push(advice.to_owned());
    }
    if let Some(address) = found.unlinked {
        let named: String = address.chars().take(NAMED_CHARS_MAX).collect();
        violations.push(format!(
            "The address “{named}” cannot be a link. Links begin with https://, mailto: or tel:"
        ));
    }
    for (number, number_max, what) in [
        (found.links, LINKS_MAX, "links"),
        (
            found.blocks,
            BLOCKS_MAX,
            "paragraphs, headings and list items",
        ),
        (
            found.deepest,
            NESTING_MAX,
            "lists, quotes and emphasis inside each other",
        ),
    ] {
        if number > number_max {
            violations.push(format!(
                "Use at most {number_max} {what}; these are {number}"
            ));
        }
    }
    violations
}

#[derive(Default)]
struct Found {
    deepest: usize,
    images: usize,
    links: usize,
    blocks: usize,
    /// The first address that cannot be a link.
    unlinked: Option<String>,
}

impl Found {
    fn add(&mut self, element: Option<Element>) {
        match element {
            Some(Element::Paragraph | Element::Heading(_) | Element::Item) => self.blocks += 1,
            Some(Element::Link(_)) => self.links += 1,
            Some(Element::Unlinked(address)) if self.images == 0 => {
                self.unlinked.get_or_insert(address);
            }
            _ => {}
        }
    }
}

/// Returns all characters that readers see, and counts the bare addresses that become links.
fn shown(text: &str, links: &mut usize) -> String {
    let mut shown = String::with_capacity(text.len());
    for step in steps(text) {
        match step {
            Step::Text(text) => {
                let bare = text.split(' ').filter(|word| as_link(word).is_some());
                *links += bare.count();
                shown.push_str(&text);
            }
            Step::Open(Element::Link(address) | Element::Unlinked(address)) => {
                shown.push_str(&address);
            }
            Step::Open(_) => shown.push(' '),
            Step::Break => shown.push('\n'),
            Step::Close(_) | Step::Rule => {}
        }
    }
    shown
}
