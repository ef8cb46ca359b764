//! One broken value per rule, in every content file.

use super::*;

/// File, original text, replacement, field and part of the error.
const CASES: &[(&str, &str, &str, &str, &str)] = &[
    (
        SERVICES_FILE,
        r#"slug = "wards""#,
        r#"slug = "modular-ot""#,
        "service[9].slug",
        "occurs twice",
    ),
    (
        SERVICES_FILE,
        r#"name = "Wards""#,
        r#"name = "Labour Room""#,
        "service[9].name",
        "occurs twice",
    ),
    (
        SERVICES_FILE,
        r#"name = "Wards""#,
        r#"name = "Labour-Room""#,
        "service[9].name",
        "another service's",
    ),
    (
        SPECIALTIES_FILE,
        r#""Dr. Kavitha Ramesh""#,
        r#""Dr. Kavita Ramesh""#,
        "specialty[4].doctors[0]",
        "not a listed doctor",
    ),
    (
        SPECIALTIES_FILE,
        r#"doctors = ["Dr. Nandini Iyengar"]"#,
        r#"doctors = ["Dr. Chandrashekar Rao"]"#,
        "specialty[0].doctors[0]",
        "not a listed doctor",
    ),
    (
        SPECIALTIES_FILE,
        r#"aliases = ["paediatrics"]"#,
        "aliases = []",
        "specialty[2].name",
        "neither slug nor alias",
    ),
    (
        SPECIALTIES_FILE,
        r#"aliases = ["orthopaedics"]"#,
        r#"aliases = ["orthopaedics", "neurology"]"#,
        "specialty[1].slug",
        "another specialty",
    ),
    (
        SPECIALTIES_FILE,
        "rich = true",
        "rich = false",
        "specialty[0].rich",
        "long_description",
    ),
    (
        SPECIALTIES_FILE,
        r#"color = "teal""#,
        r#"color = "pink""#,
        "specialty[0].color",
        "unknown variant",
    ),
    (
        SURGERIES_FILE,
        "id = 2\n",
        "id = 1\n",
        "surgery[1].id",
        "occurs twice",
    ),
    (
        SURGERIES_FILE,
        "id = 2\n",
        "id = 11\n",
        "surgery[1].id",
        "1 to 10",
    ),
    (
        SURGERIES_FILE,
        r#"slug = "knee-replacement""#,
        r#"slug = "new-knee""#,
        "surgery[1].slug",
        "slug of the name",
    ),
    (
        EVENTS_FILE,
        r#"date = "2025-01-15""#,
        r#"date = "2025-02-30""#,
        "event[0].date",
        "must be a day",
    ),
    (
        EVENTS_FILE,
        r#"date = "2025-01-15""#,
        "price_paid = 1",
        "event[0].price_paid",
        "unknown field",
    ),
    (
        EVENTS_FILE,
        r#"repeats = "first Sat""#,
        r#"repeats = "fifth Sat""#,
        "event[3].repeats",
        "must be first, second",
    ),
    (
        EVENTS_FILE,
        r#"since = "2026-10""#,
        r#"since = "October""#,
        "event[3].since",
        "must be a month",
    ),
    (
        EVENTS_FILE,
        r#"time = "9:00 AM - 4:00 PM""#,
        r#"time = "9 to 4""#,
        "event[0].time",
        "two times",
    ),
    (
        EVENTS_FILE,
        "price = 0",
        "price = -1",
        "event[0].price",
        "rupees",
    ),
    (
        REVIEWS_FILE,
        "rating = 5",
        "rating = 6",
        "review[0].rating",
        "between 1 and 5",
    ),
    (
        ARTICLES_FILE,
        r#"title = "When worry takes over""#,
        r#"title = "Getting your sleep back""#,
        "article[1].id",
        "the name of a blog post",
    ),
    (
        BLOGS_FILE,
        r#"slug = "getting-your-sleep-back""#,
        r#"slug = "sleep""#,
        "blog[9].slug",
        "slug of the title",
    ),
    (
        BLOGS_FILE,
        r#"alignment = "imageRight""#,
        r#"alignment = "imageLeft""#,
        "blog[0].sections[1].alignment",
        "unknown variant",
    ),
    (
        NEWS_FILE,
        r#"url = "https://"#,
        r#"url = "http://"#,
        "news[0].external_links[0].url",
        "https://",
    ),
    (
        NEWS_FILE,
        "published_at = \"2026-10-22T10:00:00+05:30\"",
        "published_at = \"yesterday\"",
        "news[0].published_at",
        "such as",
    ),
    (
        NEWS_FILE,
        "source_name = \"Jayanagar Courier\"\n",
        "",
        "news[0].source_url",
        "both",
    ),
    (
        PROMOS_FILE,
        r#"url = "/emergency""#,
        r#"url = "//elsewhere.example""#,
        "promo[2].url",
        "path on this site",
    ),
    (
        HEADLINES_FILE,
        r#"id = "wash-hands""#,
        r#"id = "ors""#,
        "fallback[1].id",
        "occurs twice",
    ),
    (
        PAGES_FILE,
        r#""phone:ambulance""#,
        r#""phone:kitchen""#,
        "page[1].section[0].contacts[1]",
        "not a line of site.toml",
    ),
    (
        PAGES_FILE,
        "updated = \"2026-11-22\"",
        "updated = \"today\"",
        "page[0].updated",
        "must be a day",
    ),
    (
        PAGES_FILE,
        "slug = \"emergency\"",
        "slug = \"first-aid\"",
        "page",
        "no page has the slug",
    ),
    (
        SEARCH_FILE,
        r#"path = "/emergency""#,
        r#"path = "emergency""#,
        "task[0].path",
        "must begin with `/`",
    ),
    (
        SEARCH_FILE,
        r#"path = "/specialty/cardiology""#,
        r#"path = "/specialty/hearts""#,
        "answer[0].path",
        "no page of the content files",
    ),
    (
        SEARCH_FILE,
        r#""cancellation""#,
        r#""cancel""#,
        "task and answer[28].phrases",
        "occurs twice",
    ),
    (
        PAGES_FILE,
        "avoid = \"Don’t stop",
        "avoids = \"Don’t stop",
        "emergency[0].avoids",
        "unknown field",
    ),
];

#[test]
fn validates_each_file() {
    let sources = Sources::embedded();
    for (file, from, to, field, problem) in CASES {
        let (text, _) = changed(sources.text(file), from, to);
        let (_, named, said) = refusal_of(file, text);
        assert_eq!(named, *field, "{file}: {said}");
        assert!(said.contains(problem), "{file}: {said}");
    }
}
