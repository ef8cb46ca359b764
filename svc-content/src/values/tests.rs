use super::*;

fn accepts<T: FromStr>(good: &[&str], bad: &[&str]) {
    for text in good {
        assert!(text.parse::<T>().is_ok(), "{text}");
    }
    for text in bad {
        assert!(text.parse::<T>().is_err(), "{text}");
    }
}

#[test]
fn each_type_accepts_only_its_values() {
    accepts::<Slug>(
        &["a", "dr-a-b2"],
        &["", "-a", "a-", "a--b", "A", "a b", "a/b", "é"],
    );
    accepts::<ImagePath>(
        &[
            "/images/doctors/dr-a.svg",
            "/images/a.avif",
            "/media/0123456789abcdef0123456789abcdef01234567",
        ],
        &[
            "/media/",
            "/media/0123456789ABCDEF0123456789abcdef01234567",
            "/media/0123456789abcdef0123456789abcdef0123456",
            "/media/0123456789abcdef0123456789abcdef01234567-640.avif",
            "/media/../0123456789abcdef0123456789abcdef01234",
            "images/a.svg",
            "/images/../a.svg",
            "/images/a.js",
            "/images/.svg",
            "https://x/images/a.svg",
        ],
    );
    accepts::<Email>(
        &["info@sampige.example", "a.b+c@d.e"],
        &["", "a", "@b.c", "a@b", "a@b.", "a@b..c", "a b@c.d"],
    );
    accepts::<Phone>(
        &["+91 80 0000 0108", "+918000000108"],
        &[
            "080 0000 0108",
            "+91  80 0000 0108",
            "+91 80",
            "+91 80 0000 0108 ",
            "+91-80-0000-0108",
            "+1234567890123456",
        ],
    );
    accepts::<HttpsUrl>(
        &[
            "https://a.example",
            "https://a.example:8443/b?c=d#e",
            "https://A-b.example/%20",
        ],
        &[
            "http://a.example",
            "https://",
            "https://localhost",
            "https://a.example/ b",
            "https://a.example/\"onload=",
            "https://u@a.example",
            "https://u:p@a.example",
            "https:///a.example",
            "https:a.example",
            "https://1.2.3.4",
            "https://[::1]",
            "https://a.example:99999",
            "https://a..example:x",
            "javascript:alert(1)",
        ],
    );
    accepts::<Link>(
        &["/", "/events", "/specialty/ent?x=1", "https://a.example/b"],
        &[
            "events",
            "//a.example",
            "/\\a.example",
            "/a b",
            "http://a.example",
            "",
        ],
    );
    accepts::<Origin>(
        &[
            "http://127.0.0.1:8080",
            "https://sampige.example",
            "http://[::1]:8080",
            "http://[::1]",
            "https://localhost",
        ],
        &[
            "sampige.example",
            "https://",
            "https://a/",
            "https://a/b",
            "https://a:",
            "https://a:0",
            "https://a:70000",
            "https://a b",
            "ftp://a",
            "https://u@a",
            "http://[zz]",
        ],
    );
}

#[test]
fn line_lengths_count_characters() {
    let line = |text: &str| Line::<3>::try_from(text.to_owned());
    assert!(line("ಸಂಪ").is_ok() && line("abc").is_ok());
    for bad in ["", "abcd", " a", "a ", "a\nb"] {
        assert!(line(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn fees_are_grouped_as_in_india() {
    for (rupees, text) in [
        (1, "₹1"),
        (700, "₹700"),
        (1200, "₹1,200"),
        (1005, "₹1,005"),
        (99_999, "₹99,999"),
        (100_000, "₹1,00,000"),
    ] {
        assert_eq!(
            FeeRupees::try_from(rupees).expect("a fee").to_string(),
            text
        );
    }
    assert!(FeeRupees::try_from(0).is_err() && FeeRupees::try_from(100_001).is_err());
}
