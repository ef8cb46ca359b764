use std::time::{Duration, Instant};

use super::*;

#[test]
fn renders_what_staff_may_write() {
    let text = "# Winter\n\nDrink *warm* water, **always**.\n\n- soup\n- tea\n  - ginger\n\n3. three\n4. four\n\n\
                > Keep moving.\n\n---\n\n[Read](https://a.example/x?a=1&b=2), <mailto:a@b.example>, \
                [+91 80 0000 0100](tel:+91%2080%200000%200100)\\\nnext";
    assert_eq!(check(text), [""; 0]);
    assert_eq!(
        page_html(text),
        "<h2>Winter</h2>\n<p>Drink <em>warm</em> water, <strong>always</strong>.</p>\n\
         <ul>\n<li>soup</li>\n<li>tea<ul>\n<li>ginger</li>\n</ul>\n</li>\n</ul>\n\
         <ol start=\"3\">\n<li>three</li>\n<li>four</li>\n</ol>\n\
         <blockquote>\n<p>Keep moving.</p>\n</blockquote>\n<hr>\n\
         <p><a href=\"https://a.example/x?a=1&#38;b=2\">Read</a>, <a href=\"mailto:a@b.example\">\
         mailto:a@b.example</a>, \
         <a href=\"tel:+918000000100\">+91 80 0000 0100</a><br>next</p>\n"
    );
    assert_eq!(
        plain_text(text),
        "Winter\n------\n\nDrink warm water, always.\n\n- soup\n- tea\n  - ginger\n\n3. three\n4. four\n\n\
         > Keep moving.\n\n* * *\n\nRead (https://a.example/x?a=1&b=2), mailto:a@b.example, +91 80 0000 0100\nnext\n"
    );
}

/// Drafts written before Markdown: paragraphs and bare addresses, a single line break being a space.
#[test]
fn a_plain_text_reads_as_before() {
    let text = "First line\nand its second.\n\nSee https://a.example/a_b_c?d=1&e=2, or (5 * 3) & <b>it</b> #1.\n\n    \
                Room 4\n    Floor 2";
    assert_eq!(check(text), [""; 0]);
    assert_eq!(
        page_html(text),
        "<p>First line and its second.</p>\n<p>See <a href=\"https://a.example/a_b_c?d=1&#38;e=2\">\
         https://a.example/a_b_c?d=1&#38;e=2</a>, or (5 * 3) &#38; &#60;b&#62;it&#60;/b&#62; #1.</p>\n\
         <p>Room 4<br>Floor 2</p>\n"
    );
    assert_eq!(
        plain_text(text),
        "First line and its second.\n\nSee https://a.example/a_b_c?d=1&e=2, or (5 * 3) & <b>it</b> #1.\n\n\
         Room 4\nFloor 2\n"
    );
}

#[test]
fn refuses_what_a_mail_cannot_carry() {
    for (text, start) in [
        ("![a](https://a.example/a.png)", "Remove the images"),
        (
            "![a][b]\n\n[b]: https://a.example/a.png",
            "Remove the images",
        ),
        (
            "[a](javascript:alert(1))",
            "The address “javascript:alert(1)” cannot",
        ),
        (
            "[a](java&#115;cript:alert)",
            "The address “javascript:alert” cannot",
        ),
        (
            "[a](JaVaScRiPt&colon;alert)",
            "The address “JaVaScRiPt:alert” cannot",
        ),
        ("[a](data:text/html,x)", "The address “data:"),
        (
            "[a](http://a.example)",
            "The address “http://a.example” cannot",
        ),
        (
            "[a](https://me:secret@a.example)",
            "The address “https://me",
        ),
        ("[a](//a.example)", "The address “//a.example”"),
        ("[a](/blogs)", "The address “/blogs”"),
        ("[a](mailto:a)", "The address “mailto:a”"),
        (
            "[a](mailto:a@b.example?bcc=c@d.example)",
            "The address “mailto:",
        ),
        ("[a](tel:abc)", "The address “tel:abc”"),
        (
            "<javascript:alert(1)>",
            "The address “javascript:alert(1)” cannot",
        ),
        ("a &#x202E;b", "cannot be seen"),
        ("[a](https://a.example/ \"x\") &#8203;", "cannot be seen"),
        ("[a]: https://a.example", ""),
    ] {
        let messages = check(text);
        assert_eq!(messages.len(), 1, "{text}: {messages:?}");
        assert!(messages[0].contains(start), "{text}: {messages:?}");
    }
}

#[test]
fn states_its_limits() {
    for (text, limit) in [
        (
            "[a](https://a.example) ".repeat(101),
            "at most 100 links; these are 101",
        ),
        (
            "https://a.example ".repeat(101),
            "at most 100 links; these are 101",
        ),
        ("a\n\n".repeat(501), "at most 500 paragraphs"),
        ("- a\n".repeat(501), "at most 500 paragraphs"),
        (">".repeat(10_000) + " a", "at most 16 lists"),
        ("- ".repeat(10_000) + "a", "at most 16 lists"),
        (
            "*a _b ".repeat(3_000) + &"c_ d* ".repeat(300),
            "at most 16 lists",
        ),
    ] {
        let messages = check(&text);
        assert!(
            messages.iter().any(|one| one.contains(limit)),
            "{limit}: {messages:?}"
        );
    }
    for text in [
        "[a](https://a.example) ".repeat(100),
        "a\n\n".repeat(500),
        ">".repeat(15) + " a",
    ] {
        assert_eq!(check(&text), [""; 0]);
    }
}

/// Whatever is stored can be shown: in time, without deep nesting, and without any markup but our own.
#[test]
fn renders_hostile_texts_safely() {
    let deep = 10_000;
    for text in [
        "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> <a href=\"javascript:a\">"
            .to_owned(),
        "[a](javascript:alert(1)) ![b](https://a.example/b.png) <x@y.example>".to_owned(),
        "[\"><script>](https://a.example/\"><script>) https://a.example/\"><script>".to_owned(),
        ">".repeat(deep),
        "> ".repeat(deep) + "a",
        "- ".repeat(deep) + "a",
        "1. ".repeat(deep) + "a",
        "*".repeat(deep) + "a" + &"*".repeat(deep),
        "[".repeat(200 * 1024),
        "[a](".repeat(50 * 1024),
        "![".repeat(deep) + "a" + &"](b)".repeat(deep),
        "`".repeat(deep) + " " + &"`a".repeat(deep),
        "<".repeat(200 * 1024),
        "\0a\u{202e}b &#0; &#x202e;".to_owned(),
        "99999999999999999999. a".to_owned(),
    ] {
        let start = Instant::now();
        let (html, plain) = (mail_html(&text), plain_text(&text));
        _ = check(&text);
        let name: String = text.chars().take(30).collect();
        assert!(start.elapsed() < Duration::from_secs(10), "{name}");
        assert!(plain.len() <= 40 * text.len() + 80, "{name}");
        let mut depth = 0_i32;
        for (at, _) in html.match_indices('<') {
            let tag: String = html[at..].chars().take_while(|c| *c != '>').collect();
            let known = tag
                .trim_start_matches(['<', '/'])
                .split(' ')
                .next()
                .expect("a tag");
            assert!(
                [
                    "p",
                    "h2",
                    "h3",
                    "h4",
                    "ul",
                    "ol",
                    "li",
                    "blockquote",
                    "strong",
                    "em",
                    "a",
                    "br",
                    "hr"
                ]
                .contains(&known),
                "{name}: {tag}"
            );
            depth += match known {
                "br" | "hr" => 0,
                _ if tag.starts_with("</") => -1,
                _ => 1,
            };
            assert!((0..=17).contains(&depth), "{name}: {depth}");
        }
        assert_eq!(depth, 0, "{name}");
        for (_, after) in html
            .match_indices("href=\"")
            .map(|(at, href)| html.split_at(at + href.len()))
        {
            let (address, rest) = after.split_once('"').expect("an end");
            let known = ["https://", "http://", "mailto:", "tel:"];
            assert!(
                known.iter().any(|scheme| address.starts_with(scheme)),
                "{name}: {address}"
            );
            assert!(rest.starts_with(" style="), "{name}: {rest}");
        }
    }
}
