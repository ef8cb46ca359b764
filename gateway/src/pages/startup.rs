//! The scripts of a page that takes over at once, inside of its document for a browser that has no copy of it yet.
//!
//! A script that a document names comes a round trip after the document, and until then the line is idle. On a slow
//! phone that is half a second before the first byte of it. A browser that asks again says so with `If-None-Match` and
//! gets the document that names the files, which it then keeps.

use std::{fmt::Write as _, sync::OnceLock};

use bytes::Bytes;

use super::{
    document,
    part::Part,
    remote::Remote,
    variants::{self, Effort, Stream},
};

/// Of all scripts before compression; a larger page is better served by files.
const BYTES_MAX: usize = 512 * 1024;

/// What a document carries in place of the files that it names.
#[derive(Debug)]
pub(super) struct Startup {
    /// Elements that announce files which are then no longer asked for.
    hints: Vec<String>,
    /// How the document ends when it names the shell's script.
    named: String,
    /// How it ends when it carries the scripts.
    carried: String,
    /// Of the scripts, for the Content-Security-Policy.
    hashes: String,
    /// `carried` as brotli, to be appended; made when it is first needed, because it takes a second.
    compressed: OnceLock<Option<Vec<u8>>>,
}

impl Startup {
    /// For a page on which `part` takes over. The federation's entry stays a file: it finds its other files from its
    /// own address. `None` when the scripts are too large or could end their element.
    pub(super) fn new(shell: &Remote, part: &Part) -> Option<Self> {
        let script = shell.file.script.as_deref()?;
        let address = shell.address(script);
        let mut startup = Self {
            hints: vec![document::preload(&address)],
            named: document::ending(&document::deferred(&address)),
            carried: String::new(),
            hashes: String::new(),
            compressed: OnceLock::new(),
        };
        let mut scripts = String::new();
        for chunk in &part.chunks {
            let folder = part.remote.address("");
            let file = part.remote.static_file(chunk.strip_prefix(&folder)?)?;
            startup.hints.push(document::preload(chunk));
            startup.carry(&mut scripts, file.text()?)?;
        }
        startup.carry(&mut scripts, shell.static_file(script)?.text()?)?;
        startup.carried = document::ending(&scripts);
        Some(startup)
    }

    fn carry(&mut self, scripts: &mut String, text: &str) -> Option<()> {
        if scripts.len() + text.len() > BYTES_MAX || !is_safe_inside_of_script(text) {
            return None;
        }
        // Writing to a string cannot fail.
        let _ = write!(scripts, "<script>{text}</script>");
        self.hashes.push_str(&document::hash(text));
        Some(())
    }

    /// ` 'sha256-…'` of each script.
    pub(super) fn hashes(&self) -> &str {
        &self.hashes
    }

    /// Bytes that a document grows by, about.
    pub(super) fn size(&self) -> usize {
        self.carried.len() / 3
    }

    /// `html` as brotli with the scripts inside; `None` when it does not name them. Blocks, the first time for a second.
    pub(super) fn carried_by(&self, html: &str) -> Option<Bytes> {
        let mut opening = html.strip_suffix(self.named.as_str())?.to_owned();
        for hint in &self.hints {
            opening = opening.replacen(hint, "", 1);
        }
        let scripts = self.compressed.get_or_init(|| {
            variants::brotli_stream(self.carried.as_bytes(), Effort::Best, Stream::Appended)
        });
        let opening = variants::brotli_stream(opening.as_bytes(), Effort::Best, Stream::Opening)?;
        variants::joined(&opening, scripts.as_ref()?)
    }
}

/// Whether an element that holds `text` ends where it should, whatever the parser has seen before.
fn is_safe_inside_of_script(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    !text.contains("</script") && !text.contains("<!--")
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn startup() -> Startup {
        let script = format!("start({:?})", "shell ".repeat(500));
        Startup {
            hints: vec![
                document::preload("/shell.js"),
                document::preload("/chunk.js"),
            ],
            named: document::ending(&document::deferred("/shell.js")),
            carried: document::ending(&format!("<script>{script}</script>")),
            hashes: document::hash(&script),
            compressed: OnceLock::new(),
        }
    }

    fn unpacked(bytes: &[u8]) -> String {
        let mut text = String::new();
        let mut reader = brotli::Decompressor::new(bytes, 4096);
        reader.read_to_string(&mut text).expect("brotli of UTF-8");
        text
    }

    #[test]
    fn scripts_take_the_place_of_their_names() {
        let startup = startup();
        let (shell, chunk) = (
            document::preload("/shell.js"),
            document::preload("/chunk.js"),
        );
        let entry = document::preload("/entry.js");
        let words = "Doctors, departments and free times. ".repeat(200);
        let html = format!(
            "<head>{shell}{entry}{chunk}</head><body>{words}{}",
            startup.named
        );
        let expected = format!("<head>{entry}</head><body>{words}{}", startup.carried);
        for _ in 0..2 {
            let packed = startup.carried_by(&html).expect("it names the script");
            assert_eq!(unpacked(&packed), expected);
        }
    }

    #[test]
    fn a_document_without_the_script_stays_without() {
        assert_eq!(
            startup().carried_by("<p>nothing takes over</p></body></html>"),
            None
        );
    }

    #[test]
    fn refuses_what_could_end_the_element() {
        assert!(is_safe_inside_of_script(
            r#"a("<script>\x3c/script>", "<\/script>")"#
        ));
        assert!(!is_safe_inside_of_script("a('</Script>')"));
        assert!(!is_safe_inside_of_script("a('<!-- x')"));
    }
}
