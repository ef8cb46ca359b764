use super::*;

fn found(path: &str, list_path: &str) -> Found {
    Found {
        title: "Dr. <Rao>".to_owned(),
        path: path.to_owned(),
        list_path: list_path.to_owned(),
        expire_time: "2026-11-27T09:35:59Z".parse().unwrap(),
        is_live: false,
        problems: Vec::new(),
    }
}

fn parts(path: &str) -> Parts {
    let request = axum::http::Request::builder().uri(path).body(());
    request.unwrap().into_parts().0
}

#[test]
fn finds_token_and_page_in_an_address() {
    for (uri, expected) in [
        ("/preview/abc/doctor/x", Some(("abc", "/doctor/x"))),
        ("/preview/abc/", Some(("abc", "/"))),
        ("/preview/abc", Some(("abc", "/"))),
        ("/preview/", Some(("", "/"))),
        ("/preview//doctors", Some(("", "/doctors"))),
        ("/preview", None),
        ("/previews/abc", None),
    ] {
        let parts = parts(uri);
        let address = Address::of(&parts);
        let address = address.map(|address| (address.token, address.path));
        assert_eq!(address, expected, "{uri}");
    }
    let (long, longest) = ("a".repeat(257), "a".repeat(256));
    for (token, is_plausible) in [
        ("", false),
        ("a.b", false),
        ("a%2Fb", false),
        (&*long, false),
        (&*longest, true),
        ("Az0-_", true),
    ] {
        let path = "/";
        assert_eq!(Address { token, path }.is_plausible(), is_plausible);
    }
}

#[test]
fn banner_names_the_end_and_each_page_once() {
    let offset = FixedOffset::east_opt(19_800).unwrap();
    let html = banner(
        &found("/doctor/x", "/doctors"),
        "/doctors",
        "/preview/t",
        offset,
    );
    assert!(
        html.contains("Preview of a draft, not published."),
        "{html}"
    );
    assert!(html.contains("Valid until 3:05 PM."), "{html}");
    let list = "href=\"/preview/t/doctors\" aria-current=\"page\"";
    assert!(html.contains(list), "{html}");
    assert_eq!(html.matches("href=").count(), 4, "{html}");
    let html = banner(&found("", "/"), "/", "/preview/t", offset);
    assert_eq!(html.matches("href=").count(), 2, "{html}");
    let live = Found {
        is_live: true,
        ..found("", "/")
    };
    let html = banner(&live, "/", "/preview/t", offset);
    assert!(html.contains("now published"), "{html}");
}

#[test]
fn names_problems_as_text() {
    let problem = FoundProblem {
        record: "surgery/2".to_owned(),
        field: "doctor_id".to_owned(),
        message: "<b>".to_owned(),
    };
    let broken = Found {
        problems: vec![problem],
        ..found("", "/")
    };
    let html = unfit(&broken, "+91 1").body;
    assert!(html.contains("surgery/2, doctor_id: &lt;b>"), "{html}");
    assert!(html.contains("Dr. &lt;Rao>"), "{html}");
}

#[test]
fn seals_every_response() {
    let mut response = notice(ENDED, "+91 1").into_response();
    seal(response.headers_mut());
    let header = |name: &str| response.headers()[name].to_str().unwrap();
    assert_eq!(header("cache-control"), "no-store");
    assert_eq!(header("x-robots-tag"), "noindex");
    assert_eq!(header("referrer-policy"), "no-referrer");
    let policy = header("content-security-policy");
    assert!(policy.contains("frame-ancestors 'self'"), "{policy}");
    assert!(!policy.contains("frame-ancestors 'none'"), "{policy}");
}
