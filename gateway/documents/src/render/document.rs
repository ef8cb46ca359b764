//! Places fragments into the shell's frame. The result is one HTML document and a policy that allows exactly its inline
//! parts.

use std::{fmt::Write as _, sync::Arc};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

use super::message::{self, Frame};
use crate::{
    publish::manifest::Hydrate,
    registry::part::{Part, unique},
};

/// A fragment at its place in the page.
#[derive(Debug)]
pub(crate) struct Fragment<'a> {
    /// `f0`
    pub(crate) id: String,
    /// `booking/appointment`
    pub(crate) label: String,
    pub(crate) version: String,
    pub(crate) html: String,
    /// Marks the fragment as English in a document of another language.
    pub(crate) untranslated: bool,
    /// Fragments in its slots with their offsets in `html`, in order.
    pub(crate) inside: Vec<(usize, Self)>,
    /// `None` when it does not hydrate.
    pub(crate) hydration: Option<Hydration<'a>>,
}

/// What the browser needs to hydrate a fragment.
#[derive(Debug)]
pub(crate) struct Hydration<'a> {
    pub(crate) part: &'a Part,
    /// JSON text.
    pub(crate) props: String,
    /// Texts in the language of the document, as JSON text. `None` in English.
    pub(crate) messages: Option<String>,
}

impl Fragment<'_> {
    fn write(&self, html: &mut String) {
        let (label, version) = (attribute(&self.label), attribute(&self.version));
        // The shell's document script looks for this attribute.
        let mode = if self.waits_for_interaction() {
            r#" data-hydrate="interaction""#
        } else {
            ""
        };
        let lang = if self.untranslated {
            r#" lang="en""#
        } else {
            ""
        };
        // Writing to a string cannot fail.
        let _ = write!(
            html,
            r#"<div data-fragment="{}" data-module="{label}" data-version="{version}"{mode}{lang}>"#,
            self.id,
        );
        let mut written = 0;
        for (place, inside) in &self.inside {
            html.push_str(&self.html[written..*place]);
            inside.write(html);
            written = *place;
        }
        html.push_str(&self.html[written..]);
        html.push_str("</div>");
    }

    fn waits_for_interaction(&self) -> bool {
        matches!(&self.hydration, Some(found) if found.part.hydrate == Hydrate::Interaction)
    }
}

/// All parts of a document.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    pub(crate) frame: Frame,
    pub(crate) fragments: Vec<Fragment<'a>>,
    /// In cascade order, without duplicates.
    pub(crate) styles: Vec<Arc<str>>,
    pub(crate) scripts: Vec<Arc<str>>,
    pub(crate) shell_script: Option<&'a str>,
    /// HTML of the gateway itself between the header and the page.
    pub(crate) banner: &'a str,
    /// Notice of the gateway itself, shown before the page's parts.
    pub(crate) notice: Option<&'static str>,
    /// Contract version of the shell's script.
    pub(crate) contract: u32,
    /// Recorded in the document, as fragments record theirs, so a saved document lists all of its versions.
    pub(crate) shell_version: &'a str,
    pub(crate) speculation_rules: &'a str,
    /// Name of the only Trusted Types policy, created by one of `scripts`.
    pub(crate) trusted_types: Option<&'a str>,
    /// URLs of scripts that the browser prefetches for other pages, separated by spaces.
    pub(crate) ahead: &'a str,
    /// URL of the script that measures the page load.
    pub(crate) measure: Option<&'a str>,
    /// Skeletons of other pages, for the document script: `route shape count label`, joined by `|`.
    pub(crate) skeletons: &'a str,
    /// Collections that a page of the staff area shows, and the position in their changes before they were read.
    pub(crate) live: Option<(String, String)>,
    /// Whether scripts from any source are forbidden.
    pub(crate) bare: bool,
    /// Whether documents of this site may be in frames of it.
    pub(crate) frames: bool,
}

impl Document<'_> {
    /// Removes all scripts.
    pub(crate) fn bare(self) -> Self {
        Self {
            scripts: Vec::new(),
            shell_script: None,
            speculation_rules: "",
            trusted_types: None,
            ahead: "",
            measure: None,
            skeletons: "",
            live: None,
            bare: true,
            ..self
        }
    }

    /// Removes what lets a browser load other pages ahead, and the script that measures page loads.
    pub(crate) fn alone(self) -> Self {
        Self {
            speculation_rules: "",
            ahead: "",
            measure: None,
            skeletons: "",
            ..self
        }
    }

    /// Returns the HTML and its Content-Security-Policy.
    pub(crate) fn assemble(&self) -> (String, String) {
        let style = self.styles.concat();
        let mut html = String::with_capacity(self.size_hint() + style.len());
        let frame = &self.frame;
        // Writing to a string cannot fail.
        let _ = write!(
            html,
            "<!doctype html><html {}><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">{}<style>{style}</style>",
            frame.html_attributes, frame.head,
        );
        for address in self.preloads() {
            // No `crossorigin`, like the requests of the federation runtime and the shell. With it, the scripts would
            // be fetched twice.
            let _ = write!(
                html,
                r#"<link rel="preload" as="script" href="{}">"#,
                attribute(address)
            );
        }
        let _ = write!(
            html,
            "</head><body{}>{}{}<main id=\"main\" tabindex=\"-1\" data-shell-version=\"{}\">",
            self.script_attributes(),
            frame.before,
            self.banner,
            attribute(self.shell_version),
        );
        if let Some(notice) = self.notice {
            let _ = write!(html, r#"<p role="alert" data-notice>{notice}</p>"#);
        }
        for fragment in &self.fragments {
            fragment.write(&mut html);
        }
        html.push_str("</main>");
        // Before the footer: these scripts concern the page, and the browser may paint before it has parsed the footer.
        for script in &self.scripts {
            let _ = write!(html, "<script>{script}</script>");
        }
        html.push_str(&frame.after);
        if let Some(script) = self.shell_script.filter(|_| self.hydrates()) {
            let (data, script) = (inert(&self.page_data()), attribute(script));
            let _ = if self.runs_at_once() {
                write!(
                    html,
                    r#"<script type="application/json" id="page-data">{data}</script><script src="{script}" defer></script>"#,
                )
            } else {
                write!(
                    html,
                    r#"<script type="application/json" id="page-data" data-script="{script}">{data}</script>"#,
                )
            };
        }
        // Last: a script element in the head makes the browser paint before it has parsed the visible content.
        if !self.speculation_rules.is_empty() {
            let _ = write!(
                html,
                r#"<script type="speculationrules">{}</script>"#,
                self.speculation_rules
            );
        }
        html.push_str("</body></html>");
        (html, self.policy(&style))
    }

    /// Iterates over all fragments; those in slots follow their host.
    fn all(&self) -> impl Iterator<Item = &Fragment<'_>> {
        self.fragments.iter().flat_map(|fragment| {
            let inside = fragment.inside.iter().map(|(_, inside)| inside);
            [fragment].into_iter().chain(inside)
        })
    }

    /// Returns attributes with what the shell's document script may load later. Attributes are used because every
    /// script element pauses the parser. A document that hydrates at once needs the network for its own scripts, and
    /// those measure the page load themselves.
    fn script_attributes(&self) -> String {
        let mut attributes = String::new();
        let (ahead, measure) = if self.runs_at_once() {
            ("", "")
        } else {
            (self.ahead, self.measure.unwrap_or_default())
        };
        let live = self.live.as_ref();
        let (lists, since) = live.map_or(("", ""), |(lists, since)| (lists, since));
        for (name, value) in [
            ("ahead", ahead),
            ("measure", measure),
            ("skeletons", self.skeletons),
            ("lists", lists),
            ("since", since),
        ] {
            if !value.is_empty() {
                let _ = write!(attributes, r#" data-{name}="{}""#, attribute(value));
            }
        }
        attributes
    }

    fn hydrates(&self) -> bool {
        self.all().any(|fragment| fragment.hydration.is_some())
    }

    /// Returns whether the document includes the shell's script. Otherwise the document script fetches it on the first
    /// interaction.
    fn runs_at_once(&self) -> bool {
        self.all()
            .any(|fragment| matches!(&fragment.hydration, Some(found) if found.part.runs_at_once()))
    }

    fn size_hint(&self) -> usize {
        let parts = self.all().map(|f| {
            f.html.len()
                + f.hydration
                    .as_ref()
                    .map_or(0, |found| found.props.len() * 2)
        });
        parts.sum::<usize>()
            + self.frame.head.len()
            + self.frame.before.len()
            + self.frame.after.len()
            + 4096
    }

    /// Returns scripts to preload, only for fragments that hydrate on page load. Other preloads would compete with
    /// visible content.
    fn preloads(&self) -> Vec<&str> {
        let hydrated = self
            .all()
            .filter_map(|fragment| fragment.hydration.as_ref());
        let scripts = hydrated.flat_map(|found| found.part.load_scripts(self.shell_script));
        unique(scripts)
    }

    fn page_data(&self) -> String {
        let mut remotes: Vec<String> = Vec::new();
        let mut fragments = Vec::new();
        for fragment in self.all() {
            let Some(Hydration {
                part,
                props,
                messages,
            }) = &fragment.hydration
            else {
                continue;
            };
            let remote = &part.remote;
            let entry = remote
                .federation
                .as_ref()
                .map_or("", |federation| federation.entry.as_str());
            let (name, version, entry) = (
                message::string(&remote.name),
                message::string(&remote.version),
                message::string(entry),
            );
            let json = format!(r#"{{"name":{name},"version":{version},"entry":{entry}}}"#);
            if !remotes.contains(&json) {
                remotes.push(json);
            }
            let module = message::string(part.short_name());
            let messages = messages.as_ref();
            let messages = messages.map(|messages| format!(r#","messages":{messages}"#));
            fragments.push(format!(
                r#"{{"id":"{id}","remote":{name},"module":{module},"hydrate":"{}","identifierPrefix":"{id}-","props":{props}{}}}"#,
                part.hydrate.as_str(),
                messages.unwrap_or_default(),
                id = fragment.id,
            ));
        }
        let (remotes, fragments) = (remotes.join(","), fragments.join(","));
        let contract = self.contract;
        format!(r#"{{"contract":{contract},"remotes":[{remotes}],"fragments":[{fragments}]}}"#)
    }

    /// Builds the Content-Security-Policy. Inline scripts in fragments and in the head are deliberately blocked,
    /// because visitors' and editors' text is nearby. Scripts of the shell's frame and files that a module declares are
    /// allowed.
    fn policy(&self, style: &str) -> String {
        let mut scripts = Vec::new();
        if !self.speculation_rules.is_empty() {
            scripts.push(hash(self.speculation_rules));
        }
        scripts.extend(
            inline_scripts(&self.frame.before)
                .chain(inline_scripts(&self.frame.after))
                .map(hash),
        );
        scripts.extend(self.scripts.iter().map(|script| hash(script)));
        scripts.dedup();
        let scripts = if self.bare {
            "'none'".to_owned()
        } else {
            format!("'self'{}", scripts.concat())
        };
        format!(
            "default-src 'none'; script-src {scripts}; style-src 'self'{}; img-src 'self' data:; \
             font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
             manifest-src 'self'{}{}",
            hash(style),
            if self.frames {
                "; frame-src 'self'"
            } else {
                ""
            },
            self.trusted_types.map(trusted_types).unwrap_or_default(),
        )
    }
}

/// Returns the policy's source expression for inline content, with a leading space.
pub(crate) fn hash(text: &str) -> String {
    format!(
        " 'sha256-{}'",
        STANDARD.encode(Sha256::digest(text.as_bytes()))
    )
}

/// Escapes JSON so that it cannot close its script element. Outside of strings, JSON never contains these characters.
fn inert(json: &str) -> String {
    let mut output = String::with_capacity(json.len() + json.len() / 16);
    for character in json.chars() {
        match character {
            '<' => output.push_str("\\u003c"),
            '\u{2028}' => output.push_str("\\u2028"),
            '\u{2029}' => output.push_str("\\u2029"),
            other => output.push(other),
        }
    }
    output
}

pub(crate) fn attribute(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
}

/// Returns the contents of the inline script elements of `html` that a browser would run.
fn inline_scripts(html: &str) -> impl Iterator<Item = &str> {
    html.split("<script").skip(1).filter_map(|rest| {
        let (attributes, rest) = rest.split_once('>')?;
        let (content, _) = rest.split_once("</script")?;
        let is_data = attributes.contains("type=\"application/");
        (!attributes.contains(" src") && !is_data && !content.is_empty()).then_some(content)
    })
}

/// Returns directives that require this Trusted Types policy. Only this policy can turn text into HTML, scripts or
/// script URLs.
fn trusted_types(name: &str) -> String {
    format!("; require-trusted-types-for 'script'; trusted-types {name}")
}

#[cfg(test)]
mod tests;
