use axum::http::Request;

use super::*;

fn parts(method: Method, headers: &[(&str, &str)]) -> Parts {
    let mut request = Request::builder().method(method).uri("/api/x");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(()).unwrap().into_parts().0
}

fn listed() -> Origins {
    Origins {
        site: vec!["https://hospital.example".parse().unwrap()],
        api: vec!["https://partner.example:8443".parse().unwrap()],
    }
}

const HOST_HEADER: (&str, &str) = ("host", "hospital.example");

fn sends_forms(origins: &Origins, headers: &[(&str, &str)]) -> bool {
    let headers: Vec<_> = headers.iter().copied().chain([HOST_HEADER]).collect();
    origins.may_send_forms(&parts(Method::POST, &headers), false)
}

#[test]
fn accepts_only_canonical_origins() {
    let origin = |text: &str| text.parse::<Origin>().map(|origin| origin.0);
    assert_eq!(
        origin("https://A.example:443").unwrap(),
        "https://a.example"
    );
    assert_eq!(
        origin("http://a.example:8080").unwrap(),
        "http://a.example:8080"
    );
    for text in [
        "",
        "null",
        "*",
        "a.example",
        "ftp://a.example",
        "https://a.example/",
        "https://a.example/x",
        "https://u@a.example",
    ] {
        assert!(origin(text).is_err(), "{text}");
    }
}

#[test]
fn without_a_list_only_the_requests_host_may_write() {
    let any = Origins::default();
    assert!(sends_forms(&any, &[]));
    assert!(sends_forms(&any, &[("origin", "http://hospital.example")]));
    assert!(sends_forms(&any, &[("sec-fetch-site", "same-origin")]));
    assert!(sends_forms(&any, &[("sec-fetch-site", "none")]));
    for refused in [
        &[("origin", "https://evil.example")][..],
        &[("origin", "null")],
        &[("origin", "http://hospital.example:81")],
        // X9: a page with another scheme has another origin.
        &[("origin", "https://hospital.example")],
        // A subdomain or parent domain of ours may belong to others: a public suffix is no parent.
        &[("origin", "https://shop.hospital.example")],
        &[("origin", "https://example")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[
            ("sec-fetch-site", "same-site"),
            ("origin", "https://shop.hospital.example"),
        ],
        &[("sec-fetch-site", "same-origin"), ("origin", "null")],
        &[
            ("sec-fetch-site", "same-origin"),
            ("sec-fetch-site", "same-origin"),
        ],
        &[
            ("origin", "http://hospital.example"),
            ("origin", "https://evil.example"),
        ],
    ] {
        assert!(!sends_forms(&any, refused), "{refused:?}");
    }
}

#[test]
fn scheme_is_https_if_the_gateway_or_a_trusted_proxy_terminates_tls() {
    let sends = |origin: &str| {
        let headers = [("origin", origin), HOST_HEADER];
        Origins::default().may_send_forms(&parts(Method::POST, &headers), true)
    };
    assert!(sends("https://hospital.example"));
    assert!(!sends("http://hospital.example"));
}

#[test]
fn with_a_list_scheme_host_and_port_must_match() {
    let origins = listed();
    assert!(sends_forms(
        &origins,
        &[("origin", "https://hospital.example")]
    ));
    assert!(!sends_forms(
        &origins,
        &[("origin", "http://hospital.example")]
    ));
    assert!(!sends_forms(
        &origins,
        &[("origin", "https://partner.example:8443")]
    ));
    let write = |origin: &'static str| {
        let headers = [
            ("origin", origin),
            ("sec-fetch-site", "cross-site"),
            ("x-requested-with", "fetch"),
            ("content-type", "application/json; charset=utf-8"),
        ];
        origins
            .check_write(&parts(Method::POST, &headers), true, true)
            .is_ok()
    };
    assert!(write("https://partner.example:8443"));
    assert!(!write("https://partner.example"));
}

#[test]
fn refuses_each_missing_proof_of_origin() {
    const WITH: (&str, &str) = (REQUESTED_WITH, "fetch");
    const JSON: (&str, &str) = ("content-type", "application/json");
    let status = |headers: &[(&str, &str)]| {
        let checked = Origins::default().check_write(&parts(Method::POST, headers), false, true);
        checked.err().map(|problem| problem.status().as_u16())
    };
    assert_eq!(status(&[WITH, JSON]), None);
    assert_eq!(status(&[JSON]), Some(403));
    assert_eq!(status(&[WITH]), Some(415));
    assert_eq!(status(&[WITH, ("content-type", "text/plain")]), Some(415));
    assert_eq!(
        status(&[WITH, JSON, ("sec-fetch-site", "cross-site")]),
        Some(403)
    );
}

#[test]
fn allows_only_listed_origins_to_read_answers() {
    const ASKS: (&str, &str) = ("access-control-request-method", "POST");
    let origins = listed();
    let preflight = |origin: &str| {
        let asked = parts(Method::OPTIONS, &[("origin", origin), ASKS]);
        origins.preflight(&asked).unwrap().into_parts().0.headers
    };
    let granted = preflight("https://partner.example:8443");
    assert_eq!(
        granted[ACCESS_CONTROL_ALLOW_ORIGIN],
        "https://partner.example:8443"
    );
    assert!(granted.contains_key(ACCESS_CONTROL_ALLOW_METHODS));
    assert!(!granted.contains_key("access-control-allow-credentials"));
    let refused = preflight("https://evil.example");
    assert!(!refused.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN));
    assert!(!refused.contains_key(ACCESS_CONTROL_ALLOW_METHODS));
    assert_eq!(refused[VARY], "origin");
    assert!(origins.preflight(&parts(Method::OPTIONS, &[])).is_none());
    let mut untouched = HeaderMap::new();
    Origins::default().allow(
        &parts(Method::GET, &[("origin", "https://a.example")]),
        &mut untouched,
    );
    assert!(untouched.is_empty());
}

#[test]
fn staff_forms_must_report_their_origin() {
    let origins = listed();
    let sends = |headers: &[(&str, &str)]| {
        let headers: Vec<_> = headers.iter().copied().chain([HOST_HEADER]).collect();
        origins.may_send_staff_forms(&parts(Method::POST, &headers), true)
    };
    assert!(sends(&[("origin", "https://hospital.example")]));
    assert!(sends(&[("sec-fetch-site", "same-origin")]));
    for refused in [
        &[][..],
        &[("origin", "null")],
        &[("origin", "https://evil.example")],
        // May call the API, but not with a session.
        &[("origin", "https://partner.example:8443")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
    ] {
        assert!(!sends(refused), "{refused:?}");
    }
}

#[test]
fn session_authorises_calls_of_this_sites_scripts_only() {
    const WITH: (&str, &str) = ("x-requested-with", "fetch");
    let origins = listed();
    let may = |headers: &[(&str, &str)]| {
        let headers: Vec<_> = headers.iter().copied().chain([HOST_HEADER]).collect();
        origins.may_use_session(&parts(Method::GET, &headers), true)
    };
    for used in [
        &[("sec-fetch-site", "same-origin")][..],
        &[
            ("sec-fetch-site", "same-origin"),
            ("origin", "https://hospital.example"),
            WITH,
        ],
        // Browsers without `Sec-Fetch-Site`.
        &[WITH],
        &[("origin", "https://hospital.example"), WITH],
    ] {
        assert!(may(used), "{used:?}");
    }
    for unused in [
        &[][..],
        &[("x-requested-with", "")],
        &[("origin", "https://hospital.example")],
        &[("origin", "https://partner.example:8443"), WITH],
        &[("origin", "null"), WITH],
        &[("sec-fetch-site", "none"), WITH],
        &[("sec-fetch-site", "same-site"), WITH],
        &[("sec-fetch-site", "cross-site"), WITH],
        &[("sec-fetch-site", "same-origin"), ("origin", "null")],
        &[
            ("sec-fetch-site", "same-origin"),
            ("sec-fetch-site", "same-origin"),
            WITH,
        ],
    ] {
        assert!(!may(unused), "{unused:?}");
    }
}
