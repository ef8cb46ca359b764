use std::time::{Duration, Instant};

use super::*;
use crate::store::BlogRow;

fn sanitised(content: &str) -> String {
    super::sanitise(content).expect("not too much")
}

fn plain_text(content: &str) -> String {
    text_of(&sanitised(content))
}

#[test]
fn plain_text_becomes_escaped_paragraphs() {
    assert_eq!(
        sanitised("One & two.\nStill \"one\".\n\n\nSugar < 100, pressure > 120.\r\n"),
        "<p>One &amp; two.<br>Still &quot;one&quot;.</p><p>Sugar &lt; 100, pressure &gt; 120.</p>"
    );
    assert_eq!(sanitised(""), "");
}

#[test]
fn markdown_becomes_html() {
    for (text, html) in [
        (
            "# Why\n\nA **good** *reason*, 5 * 3 and snake_case_word.",
            "<h2>Why</h2><p>A <strong>good</strong> <em>reason</em>, 5 * 3 and snake_case_word.</p>",
        ),
        (
            "### Deeper\n##### Deepest",
            "<h3>Deeper</h3><h4>Deepest</h4>",
        ),
        ("- one\n- two", "<ul><li>one</li><li>two</li></ul>"),
        (
            "3. three\n4. four",
            "<ol start=\"3\"><li>three</li><li>four</li></ol>",
        ),
        ("> said", "<blockquote><p>said</p></blockquote>"),
        (
            "a\n\n    indented & kept\n    twice",
            "<p>a</p><p>indented &amp; kept<br>twice</p>",
        ),
        (
            "[us](/about) [them](https://a.example/b?c=\"d\")",
            "<p><a href=\"/about\" rel=\"noopener\">us</a> \
             <a href=\"https://a.example/b?c=&quot;d&quot;\" rel=\"noopener\">them</a></p>",
        ),
        ("![a scan](/images/a.svg)", "<p>a scan</p>"),
        // A text with tags is HTML.
        ("<p>**a**</p>", "<p>**a**</p>"),
    ] {
        assert_eq!(sanitised(text), html, "{text}");
    }
}

#[test]
fn markdown_is_sanitised_and_limited() {
    for bad in [
        "javascript:alert(1)",
        "http://a.example",
        "//a.example",
        "data:text/html,x",
    ] {
        assert_eq!(sanitised(&format!("[x]({bad})")), "<p>x</p>");
    }
    let repeated_address = format!("[a]: /{}\n\n{}", "x".repeat(5_000), "[a]".repeat(10_000));
    assert!(super::sanitise(&repeated_address).map_or(0, |html| html.len()) < 600_000);
    for deep in [">", "- ", "1. "] {
        let text = format!("{}a", deep.repeat(50_000 / deep.len()));
        assert!(super::sanitise(&text).is_err(), "{deep}");
        // A stored text is shown nevertheless.
        assert!(sanitise_stored(&text).starts_with("<p>"), "{deep}");
    }
}

#[test]
fn keeps_allowed_html() {
    let html = "<h2>Why</h2><p>A <strong>good</strong> <em>reason</em>.</p><ol start=\"3\"><li>one</li></ol>";
    assert_eq!(sanitised(html), html);
    assert_eq!(
        sanitised(
            "<table><tbody><tr><th scope=\"row\">a</th><td colspan=\"2\">b</td></tr></tbody></table>"
        ),
        "<table><tbody><tr><th scope=\"row\">a</th><td colspan=\"2\">b</td></tr></tbody></table>"
    );
}

#[test]
fn removes_scripts_and_styles() {
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
            "",
        ),
        ("<!-- note --><p>a</p>", "<p>a</p>"),
    ] {
        assert_eq!(sanitised(dirty), clean, "{dirty}");
    }
}

#[test]
fn allows_only_links_to_https_and_this_site() {
    let link = |href: &str| sanitised(&format!("<a href=\"{href}\">x</a>"));
    for good in [
        "https://a.example/b?c=d#e",
        "/events",
        "#top",
        "tel:+918000000108",
        "mailto:a@b.example",
    ] {
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
        "sms:+918000000108",
    ] {
        assert_eq!(link(bad), "<a rel=\"noopener\">x</a>", "{bad}");
    }
    assert_eq!(
        sanitised("<a href=\"/a\" rel=\"opener\" target=\"_blank\">x</a>"),
        "<a href=\"/a\" rel=\"noopener\">x</a>"
    );
}

// M9: the site's security policy allows only the site's own pictures.
#[test]
fn removes_pictures_of_other_sites() {
    for foreign in [
        "http://a.example/b.png",
        "https://a.example/b.png",
        "//a.example/b.png",
        "data:image/png;base64,AA",
        "tel:1",
        "#b",
    ] {
        let html = format!("<p>a <img src=\"{foreign}\" alt=\"b > c\">d</p>");
        assert_eq!(sanitised(&html), "<p>a d</p>", "{foreign}");
    }
    assert_eq!(sanitised("<p>a<img alt=\"b\"></p>"), "<p>a</p>");
    // `src` within another attribute's value is ignored.
    assert_eq!(
        sanitised("<img alt=' src=\"/b\"'><img src=\"/images/a.svg\" alt=\"\">"),
        "<img src=\"/images/a.svg\" alt=\"\">"
    );
}

#[test]
fn text_of_html_keeps_the_words() {
    assert_eq!(
        plain_text("<h2>Why</h2><p>Fish &amp; rice,\n 5 &lt; 6</p><script>x</script>"),
        "Why Fish & rice, 5 < 6"
    );
    assert_eq!(plain_text(" plain\n\ntext "), "plain text");
    assert_eq!(
        plain_text("<p>H<sub>2</sub>O</p><p>a <b>b</b>, <br>c</p>"),
        "H2O a b, c"
    );
    assert_eq!(plain_text("<p><img alt=\"a > b\" src=\"/x\">c</p>"), "c");
    assert_eq!(
        plain_text("Fish & \"chips\", isn't it <3"),
        "Fish & \"chips\", isn't it <3"
    );
    assert_eq!(plain_text("&amp;lt; <b>&amp;amp;</b>"), "&lt; &amp;");
    assert_eq!(first_chars("ಹೃದಯ", 2), "ಹೃ");
}

#[test]
fn a_shortened_text_ends_with_a_whole_word_and_an_ellipsis() {
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

/// Far above the time for any text within the limits and far below a call's deadline, even in a debug build.
const SOON: Duration = Duration::from_secs(4);

fn repeated(text: &str) -> String {
    text.chars().cycle().take(50_000).collect()
}

#[test]
fn refuses_misnested_tags_early() {
    let numbered = |make: fn(usize) -> String| {
        let text: String = (0..).map(make).take(20_000).collect();
        text.chars().take(50_000).collect::<String>()
    };
    let link = "x".repeat(40_000);
    for (what, text) in [
        ("deep", repeated("<b>")),
        ("blocks", repeated("<blockquote>")),
        ("crossed", repeated("<b><i></b></i>")),
        ("crossed blocks", repeated("<b><p></b>")),
        ("reopened", numbered(|number| format!("<b a{number}><p>"))),
        (
            "reopened links",
            format!("<p><a href=\"/{link}\">x{}", "</p><p>x".repeat(1_000)),
        ),
        ("text areas", repeated("<b x><textarea></b></textarea>")),
        ("foreign", repeated("<svg><![CDATA[></b>]]></svg><b>")),
        ("tables", repeated("<table><tr><td><b>")),
        ("foster parents", repeated("<table><b>x")),
        ("templates", repeated("<template><b>")),
        ("many", repeated("<br>")),
    ] {
        let began = Instant::now();
        let outcome = super::sanitise(&text);
        assert!(outcome.is_err(), "{what}");
        assert!(began.elapsed() < SOON, "{what}: {:?}", began.elapsed());
    }
}

#[test]
fn real_posts_are_within_the_limits() {
    let cell = "<td>12</td>".repeat(10);
    let table = format!("<table>{}</table>", format!("<tr>{cell}</tr>").repeat(400));
    let list = "<ul><li>one".repeat(15);
    for text in [
        table,
        list,
        repeated("<p>word <b>bold</b> and <a href=\"/x\">link</a> & more "),
        repeated("& "),
    ] {
        let began = Instant::now();
        assert!(super::sanitise(&text).is_ok(), "{}", &text[..40]);
        assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    }
}

#[test]
fn resanitises_html_of_another_version_or_older_rules() {
    let row = |content: &str, html_of: &str| BlogRow {
        content: content.to_owned(),
        html_of: html_of.to_owned(),
        etag: "e2".to_owned(),
        ..crate::store::rows::tests::row()
    };
    let dirty = "<p onclick=\"x()\">a</p>";
    assert_eq!(row(dirty, &made_of("e2")).resanitised(), None);
    for stale in ["", "e2", "0:e2", &made_of("e1")] {
        assert_eq!(
            row(dirty, stale).resanitised().as_deref(),
            Some("<p>a</p>"),
            "{stale}"
        );
    }
    let deep = "<b>".repeat(60);
    let shown = row(&deep, "").resanitised().expect("html");
    assert!(shown.starts_with("<p>&lt;b&gt;"), "{shown}");
}
