use super::*;

struct Nothing;

impl Published for Nothing {
    fn has(&self, _: &str, _: &str, _: &str) -> bool {
        false
    }

    fn has_team(&self, _: &str) -> bool {
        false
    }

    fn take_report(&self, _: &str, _: &[(&str, &str)]) -> Option<Vec<bool>> {
        None
    }

    fn is_route(&self, route: &str) -> bool {
        route == "/api/appointments"
    }

    fn page_route(&self, path: &str) -> Option<Arc<str>> {
        (path == "/doctors/asha").then(|| "/doctors/{slug}".into())
    }
}

const NOW_NS: u64 = 1_800_000_000_000_000_000;

fn report(change: impl Fn(&mut serde_json::Value)) -> Vec<u8> {
    let mut span = serde_json::json!({
        "traceId": "0af7651916cd43dd8448eb211c80319c",
        "spanId": "b7ad6b7169203331",
        "parentSpanId": "",
        "name": "POST /api/appointments",
        "startUnixNano": (NOW_NS - 2_000_000).to_string(),
        "endUnixNano": (NOW_NS - 1_000_000).to_string(),
        "error": false,
        "attributes": {"url.template": "/api/appointments", "http.response.status_code": 201},
    });
    change(&mut span);
    serde_json::to_vec(&serde_json::json!({ "spans": [span] })).unwrap()
}

#[test]
fn drops_unlisted_attributes() {
    let body = report(|span| {
        span["attributes"]["patient.name"] = "Asha".into();
        span["attributes"]["error.type"] = "a@b.example".into();
    });
    let Checked { spans, .. } = read(&body, NOW_NS, &Nothing).unwrap();
    let keys: Vec<&str> = spans[0].attributes.iter().map(|a| a.key.as_str()).collect();
    assert_eq!(keys, ["http.response.status_code", "url.template"]);
}

#[test]
fn replaces_unknown_names_and_templates() {
    for (name, expected) in [
        ("POST /api/appointments", "POST /api/appointments"),
        ("page load", "page load"),
        ("POST /api/other", UNKNOWN_NAME),
        ("BREW /api/appointments", UNKNOWN_NAME),
        ("call +91 1234 now", UNKNOWN_NAME),
    ] {
        let body = report(|span| span["name"] = name.into());
        let Checked { spans, .. } = read(&body, NOW_NS, &Nothing).unwrap();
        assert_eq!(spans[0].name, expected);
    }
    let body = report(|span| span["attributes"][semconv::URL_TEMPLATE] = "/call/me".into());
    let Checked { spans, .. } = read(&body, NOW_NS, &Nothing).unwrap();
    assert!(
        spans[0]
            .attributes
            .iter()
            .all(|pair| pair.key != semconv::URL_TEMPLATE)
    );
}

#[test]
fn names_a_document_by_its_route() {
    for (path, expected) in [("/doctors/asha", Some("/doctors/{slug}")), ("/asha", None)] {
        let body =
            report(|span| span["attributes"] = serde_json::json!({ semconv::URL_PATH: path }));
        let Checked { spans, .. } = read(&body, NOW_NS, &Nothing).unwrap();
        let expected = expected.map(|route| {
            key_value(
                semconv::HTTP_ROUTE,
                any_value::Value::StringValue(route.to_owned()),
            )
        });
        assert_eq!(
            spans[0].attributes,
            expected.into_iter().collect::<Vec<_>>()
        );
    }
}

#[test]
fn names_the_invalid_field() {
    let cases: [(&str, serde_json::Value); 6] = [
        ("traceId", "00000000000000000000000000000000".into()),
        ("spanId", "xyz".into()),
        ("parentSpanId", "1".into()),
        ("name", "GET /doctors?q=asha".into()),
        ("startUnixNano", "5".into()),
        ("endUnixNano", "1".into()),
    ];
    for (field, value) in cases {
        let body = report(|span| span[field] = value.clone());
        let problem = read(&body, NOW_NS, &Nothing).unwrap_err();
        let body = problem.into_response().into_body();
        let text = String::from_utf8(body.to_vec()).unwrap();
        assert!(
            text.contains(&format!("spans[0].{field}")),
            "{field}: {text}"
        );
    }
}

#[test]
fn refuses_too_many_spans() {
    let span: serde_json::Value = serde_json::from_slice(&report(|_| {})).unwrap();
    let many = vec![span["spans"][0].clone(); SPANS_PER_REPORT_MAX + 1];
    let body = serde_json::to_vec(&serde_json::json!({ "spans": many })).unwrap();
    assert!(read(&body, NOW_NS, &Nothing).is_err());
}

#[test]
fn a_span_may_end_at_the_time_it_starts() {
    let body = report(|span| span["endUnixNano"] = span["startUnixNano"].clone());
    assert!(read(&body, NOW_NS, &Nothing).is_ok());
}
