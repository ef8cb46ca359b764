//! Text of a blog post as a page may show it. A post is stored as it was written; it is made safe whenever it is read, so that
//! a stricter rule holds for old posts too.

use std::{borrow::Cow, collections::HashSet, sync::LazyLock};

use ammonia::{Builder, UrlRelative};

use crate::values;

/// What HTML in a post may have. Everything else goes: the tag, with its text left where it was; `script` and `style` with
/// their text. No `h1`, which the page has itself; no `id`, `class` or `style`, no event handlers, no forms, no frames.
const TAGS: &[&str] = &[
    "a",
    "b",
    "blockquote",
    "br",
    "caption",
    "code",
    "em",
    "figcaption",
    "figure",
    "h2",
    "h3",
    "h4",
    "hr",
    "i",
    "img",
    "li",
    "ol",
    "p",
    "pre",
    "s",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
];
const TAG_ATTRIBUTES: &[(&str, &[&str])] = &[
    ("a", &["href", "title"]),
    ("img", &["src", "alt", "width", "height"]),
    ("ol", &["start"]),
    ("td", &["colspan", "rowspan"]),
    ("th", &["colspan", "rowspan", "scope"]),
];

/// Links and pictures: `https:` addresses, paths from the root of this site, and places on the same page.
static SAFE: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    let attributes = TAG_ATTRIBUTES.iter();
    builder
        .tags(TAGS.iter().copied().collect())
        .clean_content_tags(HashSet::from(["script", "style"]))
        .tag_attributes(
            attributes
                .map(|(tag, names)| (*tag, names.iter().copied().collect()))
                .collect(),
        )
        .url_schemes(HashSet::from(["https"]))
        .url_relative(UrlRelative::Custom(Box::new(on_this_site)))
        .link_rel(Some("noopener"));
    builder
});

/// Without any tag.
static TEXT_ONLY: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    builder.clean_content_tags(HashSet::from(["script", "style"]));
    builder
});

fn on_this_site(url: &str) -> Option<Cow<'_, str>> {
    (values::is_site_path(url) || url.starts_with('#')).then_some(Cow::Borrowed(url))
}

/// HTML that may be put into a page: what the allowlist leaves of HTML, or the paragraphs of plain text.
pub(crate) fn safe_html(content: &str) -> String {
    if ammonia::is_html(content) {
        SAFE.clean(content).to_string()
    } else {
        paragraphs(content)
    }
}

/// The words of HTML or plain text, tags gone and white space made single.
pub(crate) fn plain_text(content: &str) -> String {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    if !ammonia::is_html(content) {
        return words(content);
    }
    // A space, so that the words of two paragraphs stay two.
    let apart = content.replace('<', " <");
    words(&unescape(&TEXT_ONLY.clean(&apart).to_string()))
}

/// At most `chars_max` characters of the beginning.
pub(crate) fn first_chars(text: &str, chars_max: usize) -> String {
    text.chars().take(chars_max).collect()
}

/// The whole text, or as many of its first words as fit into `chars_max` characters with the mark that says so.
pub(crate) fn shortened(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    let start = first_chars(text, chars_max);
    // What stands before the last space is whole words; a single word that is too long is cut.
    let whole = match start.rsplit_once(' ') {
        Some((words, _)) => words.to_owned(),
        None => first_chars(text, chars_max - 1),
    };
    // Named, not 'whatever is no letter': the last sign of a word of Kannada or Hindi may be none.
    format!(
        "{}…",
        whole.trim_end_matches([' ', ',', ';', ':', '.', '-'])
    )
}

/// Blank lines part paragraphs, single ones lines.
fn paragraphs(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + 64);
    let mut is_open = false;
    for line in text.lines().map(str::trim) {
        match (line.is_empty(), is_open) {
            (true, true) => html.push_str("</p>"),
            (true, false) => {}
            (false, true) => html.push_str("<br>"),
            (false, false) => html.push_str("<p>"),
        }
        is_open = !line.is_empty();
        escape(line, &mut html);
    }
    if is_open {
        html.push_str("</p>");
    }
    html
}

fn escape(text: &str, html: &mut String) {
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
}

/// Undoes the only escapes that the serialisation of HTML makes in text.
fn unescape(text: &str) -> String {
    text.replace("&nbsp;", " ")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_becomes_escaped_paragraphs() {
        assert_eq!(
            safe_html("One & two.\nStill \"one\".\n\n\nSugar < 100, pressure > 120.\r\n"),
            "<p>One &amp; two.<br>Still &quot;one&quot;.</p><p>Sugar &lt; 100, pressure &gt; 120.</p>"
        );
        assert_eq!(safe_html(""), "");
    }

    #[test]
    fn what_is_allowed_stays() {
        let html = "<h2>Why</h2><p>A <strong>good</strong> <em>reason</em>.</p><ol start=\"3\"><li>one</li></ol>";
        assert_eq!(safe_html(html), html);
        assert_eq!(
            safe_html(
                "<table><tbody><tr><th scope=\"row\">a</th><td colspan=\"2\">b</td></tr></tbody></table>"
            ),
            "<table><tbody><tr><th scope=\"row\">a</th><td colspan=\"2\">b</td></tr></tbody></table>"
        );
    }

    #[test]
    fn whatever_runs_or_dresses_up_goes() {
        for (dirty, clean) in [
            ("<p>a</p><script>alert(1)</script>", "<p>a</p>"),
            ("<style>p{color:red}</style><p>a</p>", "<p>a</p>"),
            (
                "<p onclick=\"x()\" style=\"color:red\" class=\"y\" id=\"z\">a</p>",
                "<p>a</p>",
            ),
            (
                "<img src=\"/images/a.svg\" onerror=\"x()\" alt=\"b\">",
                "<img src=\"/images/a.svg\" alt=\"b\">",
            ),
            (
                "<iframe src=\"https://a.example\"></iframe><p>a</p>",
                "<p>a</p>",
            ),
            ("<svg><script>alert(1)</script></svg><p>a</p>", "<p>a</p>"),
            ("<h1>Title</h1>", "Title"),
            (
                "<form action=\"/x\"><input name=\"y\"><button>z</button></form>",
                "z",
            ),
            (
                "<math><mtext></mtext><mglyph><style><img src=x onerror=y></style></mglyph></math>",
                "<img>",
            ),
            ("<!-- note --><p>a</p>", "<p>a</p>"),
        ] {
            assert_eq!(safe_html(dirty), clean, "{dirty}");
        }
    }

    #[test]
    fn links_lead_to_https_or_this_site_only() {
        let link = |href: &str| safe_html(&format!("<a href=\"{href}\">x</a>"));
        for good in ["https://a.example/b?c=d#e", "/events", "#top"] {
            assert_eq!(
                link(good),
                format!("<a href=\"{good}\" rel=\"noopener\">x</a>")
            );
        }
        for bad in [
            "http://a.example",
            "javascript:alert(1)",
            " javascript:alert(1)",
            "java&#10;script:alert(1)",
            "data:text/html,x",
            "//a.example",
            "/\\a.example",
            "events",
            "mailto:a@b.example",
        ] {
            assert_eq!(link(bad), "<a rel=\"noopener\">x</a>", "{bad}");
        }
        assert_eq!(
            safe_html("<a href=\"/a\" rel=\"opener\" target=\"_blank\">x</a>"),
            "<a href=\"/a\" rel=\"noopener\">x</a>"
        );
        assert_eq!(safe_html("<img src=\"http://a.example/b.png\">"), "<img>");
    }

    #[test]
    fn words_remain_of_html() {
        assert_eq!(
            plain_text("<h2>Why</h2><p>Fish &amp; rice,\n 5 &lt; 6</p><script>x</script>"),
            "Why Fish & rice, 5 < 6"
        );
        assert_eq!(plain_text(" plain\n\ntext "), "plain text");
        assert_eq!(first_chars("ಹೃದಯ", 2), "ಹೃ");
    }

    #[test]
    fn a_shortened_text_ends_with_a_word_and_says_so() {
        assert_eq!(shortened("Rest and water", 14), "Rest and water");
        assert_eq!(shortened("Rest and water", 13), "Rest and…");
        assert_eq!(shortened("Rest, drink water", 7), "Rest…");
        assert_eq!(shortened("Electroencephalography", 8), "Electro…");
        assert_eq!(shortened("ಡಾಕ್ಟರ್ ಬಂದರು", 9), "ಡಾಕ್ಟರ್…");
        for chars_max in 2..40 {
            let short = shortened(
                "The last hour belonged to questions from the audience.",
                chars_max,
            );
            assert!(short.chars().count() <= chars_max, "{chars_max}: {short}");
        }
    }
}
