//! HTML of a text.

use std::fmt::Write as _;

use askama::filters::{Escaper as _, Html};

use super::{Element, Step, as_link, steps};

const INK: &str = "color:#10262b;overflow-wrap:anywhere;";

/// Renders the text for a mail. Its elements carry their styles, because mail programs drop style sheets; the classes
/// are those of the letter's dark mode.
pub fn mail_html(text: &str) -> String {
    html(text, mail_attributes)
}

/// Renders the text for a page, which has the styles.
pub fn page_html(text: &str) -> String {
    html(text, |_| String::new())
}

fn mail_attributes(tag: &str) -> String {
    let (class, style) = match tag {
        "p" => ("ink", format!("margin:0 0 16px;{INK}")),
        "h2" => (
            "ink",
            format!("margin:24px 0 12px;font-size:21px;line-height:1.3;{INK}"),
        ),
        "h3" => (
            "ink",
            format!("margin:24px 0 12px;font-size:19px;line-height:1.3;{INK}"),
        ),
        "h4" => ("ink", format!("margin:16px 0 8px;font-size:17px;{INK}")),
        "ul" | "ol" => ("ink", format!("margin:0 0 16px;padding:0 0 0 24px;{INK}")),
        "li" => ("ink", "margin:0 0 8px;".to_owned()),
        "blockquote" => (
            "line",
            "margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid #d8e4e5;".to_owned(),
        ),
        "hr" => (
            "line",
            "margin:24px 0;border:0;border-top:1px solid #d8e4e5;".to_owned(),
        ),
        // As the links of the letter have it: the address first.
        "a" => return " style=\"color:#0b5563;\"".to_owned(),
        _ => return String::new(),
    };
    format!(" class=\"{class}\" style=\"{style}\"")
}

fn html(text: &str, attributes: impl Fn(&str) -> String) -> String {
    let is_mail = !attributes("p").is_empty();
    let mut html = Writer {
        html: String::with_capacity(text.len() * 2),
        attributes,
        is_mail,
        in_link: 0,
    };
    for step in steps(text) {
        match step {
            Step::Open(element) => html.open(&element),
            Step::Close(element) => html.close(&element),
            Step::Text(text) => html.text(&text),
            Step::Break => html.html.push_str("<br>"),
            Step::Rule => html.start("hr", "\n"),
        }
    }
    html.html
}

struct Writer<A> {
    html: String,
    attributes: A,
    is_mail: bool,
    /// Open links: a bare address in a link's label is no second link.
    in_link: usize,
}

impl<A: Fn(&str) -> String> Writer<A> {
    fn start(&mut self, tag: &str, after: &str) {
        let attributes = (self.attributes)(tag);
        for piece in ["<", tag, &attributes, ">", after] {
            self.html.push_str(piece);
        }
    }

    fn open(&mut self, element: &Element) {
        match element {
            Element::Link(address) => {
                self.in_link += 1;
                self.link(address);
            }
            Element::Unlinked(_) => self.in_link += 1,
            Element::Numbers(first) if *first != 1 => {
                let attributes = (self.attributes)("ol");
                _ = writeln!(self.html, "<ol start=\"{first}\"{attributes}>");
            }
            Element::Bullets | Element::Numbers(_) | Element::Quote => {
                self.start(name(element), "\n");
            }
            _ => self.start(name(element), ""),
        }
    }

    fn close(&mut self, element: &Element) {
        match element {
            Element::Link(_) => {
                self.in_link -= 1;
                self.html.push_str("</a>");
            }
            Element::Unlinked(address) => {
                self.in_link -= 1;
                self.html.push_str(" (");
                self.escape(address);
                self.html.push(')');
            }
            Element::Strong | Element::Emphasis => {
                self.html.extend(["</", name(element), ">"]);
            }
            _ => self.html.extend(["</", name(element), ">\n"]),
        }
    }

    fn link(&mut self, address: &str) {
        let class = if self.is_mail { " class=\"link\"" } else { "" };
        self.html.extend(["<a", class, " href=\""]);
        self.escape(address);
        self.html.push('"');
        let attributes = (self.attributes)("a");
        self.html.push_str(&attributes);
        self.html.push('>');
    }

    fn text(&mut self, text: &str) {
        if self.in_link > 0 {
            return self.escape(text);
        }
        for (number, word) in text.split(' ').enumerate() {
            if number > 0 {
                self.html.push(' ');
            }
            let Some((address, rest)) = as_link(word) else {
                self.escape(word);
                continue;
            };
            self.link(address);
            self.escape(address);
            self.html.push_str("</a>");
            self.escape(rest);
        }
    }

    fn escape(&mut self, text: &str) {
        // Writing to a string cannot fail.
        _ = Html.write_escaped_str(&mut self.html, text);
    }
}

fn name(element: &Element) -> &'static str {
    match element {
        Element::Paragraph => "p",
        Element::Heading(2) => "h2",
        Element::Heading(3) => "h3",
        Element::Heading(_) => "h4",
        Element::Bullets => "ul",
        Element::Numbers(_) => "ol",
        Element::Item => "li",
        Element::Quote => "blockquote",
        Element::Strong => "strong",
        Element::Emphasis => "em",
        Element::Link(_) | Element::Unlinked(_) => "a",
    }
}
