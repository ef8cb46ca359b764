use chrono::Duration;
use service_kit::input::RequestId;

use super::*;

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_000_000, 0).expect("a time")
}

fn titled(title: &str) -> BlogForm {
    BlogForm {
        title: title.to_owned(),
        ..BlogForm::default()
    }
}

fn fields(blog: &BlogForm) -> Vec<String> {
    let violations = Draft::parse(blog, now()).expect_err("violations");
    violations
        .into_iter()
        .map(|violation| violation.field)
        .collect()
}

#[test]
fn reports_all_violations_at_once() {
    let section = |alignment: &str, image: &str, chars: usize| BlogSection {
        heading: "h".repeat(201),
        text: "t".repeat(chars),
        image: image.to_owned(),
        alignment: alignment.to_owned(),
    };
    let blog = BlogForm {
        title: "  ".to_owned(),
        content: "c".repeat(50_001),
        summary: "s".repeat(501),
        excerpt: "e\u{0}".to_owned(),
        author: "a\nb".to_owned(),
        category: "c".repeat(61),
        image: "http://a.example/b.png".to_owned(),
        read_time: "r".repeat(41),
        tags: vec![String::new(), "t".repeat(41)],
        sections: vec![
            section("", "/images/a.svg", 10_000),
            section("imageLeft", "javascript:x", 10_001),
        ],
        published_at: Some(now() + Duration::seconds(61)),
    };
    assert_eq!(
        fields(&blog),
        [
            "publishedAt",
            "content",
            "summary",
            "excerpt",
            "author",
            "category",
            "image",
            "readTime",
            "tags[0]",
            "tags[1]",
            "sections[0].heading",
            "sections[1].alignment",
            "sections[1].heading",
            "sections[1].text",
            "sections[1].image",
            "title",
        ]
    );
    assert_eq!(
        fields(&BlogForm {
            tags: vec!["t".to_owned(); 21],
            sections: vec![BlogSection::default(); 31],
            ..titled("t")
        }),
        ["tags", "sections"]
    );
}

#[test]
fn refuses_pictures_that_browsers_would_not_load() {
    let with = |image: &str| BlogForm {
        image: image.to_owned(),
        sections: vec![BlogSection {
            image: image.to_owned(),
            ..BlogSection::default()
        }],
        ..titled("t")
    };
    for elsewhere in [
        "https://a.example/b.png",
        "//a.example/b.png",
        "data:image/png;base64,AA==",
        "images/b.png",
    ] {
        assert_eq!(
            fields(&with(elsewhere)),
            ["image", "sections[0].image"],
            "{elsewhere}"
        );
    }
    for here in ["", "/images/b.svg", "/remotes/content/1/b.svg?a=1"] {
        assert!(Draft::parse(&with(here), now()).is_ok(), "{here}");
    }
}

#[test]
fn refuses_invisible_characters_once_per_field() {
    let blog = BlogForm {
        title: "\u{202e}Heart".to_owned(),
        content: "<p>soft\u{ad}hyphen</p>".to_owned(),
        author: "\u{feff}Dr. Rao".to_owned(),
        tags: vec!["heart\0".to_owned(), "\u{200b}".to_owned()],
        sections: vec![BlogSection {
            text: "a\u{2066}b".to_owned(),
            ..BlogSection::default()
        }],
        ..BlogForm::default()
    };
    let expected = [
        "title",
        "content",
        "author",
        "tags[0]",
        "tags[1]",
        "sections[0].text",
    ];
    assert_eq!(fields(&blog), expected);
    let spelled = BlogForm {
        content: "ಶ್ರೀನಿವಾಸ್\u{200c} ಗೌಡ ❤\u{fe0f}\n\tन\u{94d}\u{200d}".to_owned(),
        ..titled("ಹೃದಯ")
    };
    let draft = Draft::parse(&spelled, now()).expect("a draft");
    assert_eq!(draft.form.content, spelled.content);
}

#[test]
fn refuses_html_beyond_the_limits_by_field() {
    let content = "<b>".repeat(5_000);
    let deep = Draft::parse(
        &BlogForm {
            content,
            ..titled("t")
        },
        now(),
    )
    .expect_err("violations");
    let said: Vec<_> = deep
        .iter()
        .map(|one| (one.field.as_str(), one.description.as_str()))
        .collect();
    assert_eq!(
        said,
        [("content", "must nest HTML elements at most 40 levels deep")]
    );
}

#[test]
fn limits_count_characters() {
    let blog = BlogForm {
        title: "ಹ".repeat(200),
        content: "ಹ".repeat(50_000),
        ..BlogForm::default()
    };
    assert!(Draft::parse(&blog, now()).is_ok());
}

#[test]
fn trims_texts() {
    let blog = BlogForm {
        title: " Heart & Lungs ".to_owned(),
        tags: vec!["a".to_owned(), "a ".to_owned()],
        content: "one\r\ntwo\n".to_owned(),
        ..BlogForm::default()
    };
    let draft = Draft::parse(&blog, now()).expect("a draft");
    assert_eq!(draft.slug_key(), "heart-lungs");
    assert_eq!(draft.form.tags, ["a"]);
    assert_eq!(draft.form.content, "one\ntwo");
    assert_eq!(draft.category_key(), "health tips");
    let later = Draft::parse(&blog, now() + Duration::seconds(5)).expect("a draft");
    assert_eq!(draft.form, later.form);
}

#[test]
fn a_title_that_looks_like_an_id_has_no_slug() {
    let draft = |title: &str| Draft::parse(&titled(title), now()).expect("a draft");
    assert_eq!(draft("67e55044-10b1-426f-9247-bb680e5fe0c8").slug_key(), "");
    assert_eq!(draft("ಹೃದಯ").slug_key(), "");
}

#[test]
fn a_teaser_has_no_tags() {
    let blog = BlogForm {
        content: format!("<h2>Why</h2><p>{}</p>", "word ".repeat(100)),
        ..titled("t")
    };
    let teaser = Draft::parse(&blog, now()).expect("a draft").teaser();
    assert!(teaser.starts_with("Why word word"), "{teaser}");
    assert_eq!(teaser.chars().count(), 200);
}

#[test]
fn parses_request_ids_and_preconditions_strictly() {
    assert!(RequestId::parse("0123456789abcdef").is_ok());
    let long = "a".repeat(129);
    for bad in [
        "",
        "0123456789abcde",
        "0123456789 abcdef",
        "0123456789abcdeé",
        &long,
    ] {
        assert!(RequestId::parse(bad).is_err(), "{bad}");
    }
    for (etag, wanted) in [
        ("", None),
        ("*", None),
        ("\"ab\"", Some("ab")),
        (" ab ", Some("ab")),
    ] {
        assert_eq!(precondition(etag).expect("readable").as_deref(), wanted);
    }
    for bad in [&"a".repeat(129), "a\0b", "\u{200b}"] {
        assert!(precondition(bad).is_err(), "{bad:?}");
    }
}
