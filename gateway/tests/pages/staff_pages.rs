//! Documents of the staff area: who gets them, and what they contain.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    isolation::report_of,
    site::{Reply, Site, publish_of},
    staff_site::{FROM_HERE, StaffSite, claims, is_private, remotes_with_staff, shown},
};

/// Addresses of staff pages, and spellings that might slip past a check of the address.
const SPELLINGS: [&str; 13] = [
    "/staff",
    "/staff/",
    "/staff/today",
    "/staff/today/",
    "/staff/Today",
    "/staff/records/7",
    "/staff//today",
    "/staff/./today",
    "/staff/%74oday",
    "/staff/today?q=1",
    "/staff/nothing",
    "/staff/today;x",
    "/staff/..%2ftoday",
];
/// Spellings outside of the area.
const ELSEWHERE: [&str; 8] = [
    "//staff/today",
    "/%73taff/today",
    "/Staff",
    "/STAFF/today",
    "/staff%2Ftoday",
    "/a/../staff/today",
    "/staffing",
    "/.//staff/today",
];

/// Whether a response contains anything of a page, or names one.
fn reveals(reply: &Reply) -> bool {
    let location = reply.header("location");
    let leads_to_sign_in = location.starts_with("/staff/sign-in?return=%2Fstaff");
    let text = reply.text();
    ["Today", "Hello", "One record", "staff ", "Notes"]
        .iter()
        .any(|word| text.contains(word))
        || (!location.is_empty() && !leads_to_sign_in)
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_area_is_absent_without_an_issuer() {
    let site = Site::start_in(remotes_with_staff(), &[]).await;
    let absent = site.get("/no-such-page").await;
    for path in SPELLINGS.iter().chain(&ELSEWHERE).chain(&[
        "/staff/sign-in",
        "/staff/callback?code=a&state=b",
        "/staff/sign-out",
        "/staff/back-channel-logout",
    ]) {
        let reply = site.get(path).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(reply.body, absent.body, "{path}");
        assert_eq!(reply.header("etag"), absent.header("etag"), "{path}");
    }
    for path in [
        "/staff/note",
        "/staff/sign-out",
        "/staff/back-channel-logout",
    ] {
        assert_eq!(
            site.post(path, "a=1").await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    assert_eq!(site.get("/api/caller").await.status, StatusCode::FORBIDDEN);
}

#[tokio::test(flavor = "multi_thread")]
async fn visitor_gets_nothing_of_a_staff_page() {
    let site = StaffSite::start().await;
    let negotiated = [
        &[][..],
        &[("accept", "application/json")],
        &[("accept", "text/html"), ("accept-encoding", "br")],
        &[("if-none-match", "*")],
        &[("cookie", "session=abc.def; __Host-session=abc")],
        &[("authorization", "Bearer a.b.c")],
        &[
            ("x-original-url", "/staff/today"),
            ("x-forwarded-prefix", "/staff"),
        ],
        &[("range", "bytes=0-100")],
    ];
    for path in SPELLINGS {
        for headers in negotiated {
            for method in [Method::GET, Method::HEAD] {
                let reply = site.send(method.clone(), path, headers, "").await;
                assert_eq!(reply.status, StatusCode::SEE_OTHER, "{method} {path}");
                assert!(!reveals(&reply), "{method} {path} {headers:?}");
                assert!(is_private(&reply), "{method} {path}: {:?}", reply.headers);
            }
        }
        for method in [Method::PUT, Method::DELETE, Method::OPTIONS, Method::PATCH] {
            let reply = site.send(method.clone(), path, &[FROM_HERE], "").await;
            assert_eq!(
                reply.status,
                StatusCode::METHOD_NOT_ALLOWED,
                "{method} {path}"
            );
            assert!(!reveals(&reply) && is_private(&reply), "{method} {path}");
        }
    }
    for path in ELSEWHERE {
        let reply = site.get(path).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{path}");
        assert!(!reveals(&reply), "{path}");
    }
    let sent = site.get("/staff/records/a%20b?q=c&x=%2F").await;
    assert_eq!(
        sent.header("location"),
        "/staff/sign-in?return=%2Fstaff%2Frecords%2Fa%2520b%3Fq%3Dc%26x%3D%252F"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_page_has_the_person_and_the_persons_data() {
    let site = StaffSite::start().await;
    let cookie = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let reply = site.get_as(&cookie, "/staff/today?q=x").await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
    assert!(is_private(&reply), "{:?}", reply.headers);
    assert_eq!(reply.header("referrer-policy"), "same-origin");
    let html = reply.text();
    assert!(html.contains("<h1>Today of Asha Rao</h1>"), "{html}");
    assert!(html.contains("<header>staff Asha Rao</header>"), "{html}");
    assert!(
        html.contains("nav{color:olive}") && html.contains("table{color:teal}"),
        "{html}"
    );
    assert!(
        !html.contains("speculationrules") && !html.contains("data-ahead"),
        "{html}"
    );
    assert!(
        !html.contains("data-measure") && !html.contains("data-skeletons"),
        "{html}"
    );
    let shown = shown(&reply);
    assert_eq!(
        shown["staff"],
        json!({"name": "Asha Rao", "scopes": ["entries:read", "entries:write"]})
    );
    assert_eq!(shown["query"], json!({"q": "x"}));
    let claims = claims(&shown["data"]["caller"]["body"]["metadata"]["authorization"]);
    assert_eq!(claims["sub"], "asha.rao");
    assert_eq!(
        (&claims["iss"], &claims["aud"]),
        (&json!("gateway"), &json!("hospital-services"))
    );
    assert_eq!(claims["scope"], "entries:read entries:write");
    let doctor = site.sign_in("Nandini Iyengar", &["reader"]).await;
    let page = site.get_with("/staff/today", &[("cookie", &doctor)]).await;
    assert_eq!(self::shown(&page)["staff"]["doctor"], "doc-06");
    let head = site
        .send(Method::HEAD, "/staff/today", &[("cookie", &cookie)], "")
        .await;
    assert_eq!((head.status, head.body.len()), (StatusCode::OK, 0));
    assert!(is_private(&head), "{:?}", head.headers);
    let speculative = [("cookie", &*cookie), ("sec-purpose", "prefetch;prerender")];
    let ahead = site.get_with("/staff/today", &speculative).await;
    assert_eq!(ahead.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(!reveals(&ahead) && is_private(&ahead));
}

#[tokio::test(flavor = "multi_thread")]
async fn data_of_two_people_is_never_shared() {
    let site = StaffSite::start().await;
    let cookies = [
        site.sign_in("Asha Rao", &["frontdesk"]).await,
        site.sign_in("Ravi Iyer", &["reader"]).await,
    ];
    // Three calls each; the service takes 96 reads at once.
    let reads = (0..30).map(|n| site.get_as(&cookies[n % 2], "/staff/today"));
    for (n, reply) in futures::future::join_all(reads).await.iter().enumerate() {
        let (name, subject) = [("Asha Rao", "asha.rao"), ("Ravi Iyer", "ravi.iyer")][n % 2];
        let shown = shown(reply);
        assert_eq!(shown["staff"]["name"], name);
        let caller = &shown["data"]["caller"];
        assert_eq!(caller["status"], 200, "{n}: {caller}");
        let authorization = &caller["body"]["metadata"]["authorization"];
        assert_eq!(claims(authorization)["sub"], subject);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn navigation_and_start_list_what_the_person_may_see() {
    let site = StaffSite::start().await;
    for (groups, expected) in [
        (
            &["frontdesk"][..],
            &["Start", "Today", "Notes", "Broken"][..],
        ),
        (&["reader"], &["Start", "Today", "Broken"]),
        (&["unknown"], &["Start", "Broken"]),
    ] {
        let cookie = site.sign_in("Asha Rao", groups).await;
        let reply = site.get_as(&cookie, "/staff").await;
        let listed = shown(&reply)["body"]["pages"].clone();
        let labels: Vec<&Value> = listed
            .as_array()
            .expect("a list")
            .iter()
            .map(|page| &page["label"])
            .collect();
        assert_eq!(labels, expected, "{groups:?}");
        assert_eq!(
            listed[0],
            json!({"path": "/staff", "label": "Start", "team": "rota"})
        );
        let links = reply.text().matches(" of rota</a>").count();
        assert_eq!(links, expected.len(), "{}", reply.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn operations_are_for_pages_of_staff_alone() {
    let site = StaffSite::start().await;
    let cookie = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let reply = site.get_as(&cookie, "/staff/operations/1").await;
    let operations = shown(&reply);
    let rota = &operations["releases"]["body"]["remotes"]["rota"];
    assert_eq!(rota["stable"], "1.0.0", "{operations}");
    assert!(
        rota["since"].is_i64() && rota["refused"].is_array(),
        "{rota}"
    );
    assert_eq!(rota["previous"], Value::Null);
    let services = operations["services"]["body"]["services"].as_array();
    for service in services.expect("services") {
        assert!(service["name"].is_string() && service["state"].is_string());
    }
    // Signed in or not, a visitor's page gets nothing, and nothing of it is stored for staff.
    for cookie in ["", &*cookie] {
        let reply = site.get_as(cookie, "/operations/1").await;
        let operations = shown(&reply);
        for name in ["releases", "services"] {
            let refused = json!({"ok": false, "status": 401, "body": null});
            assert_eq!(operations[name], refused, "{name}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_a_page_whose_scope_the_person_lacks() {
    let site = StaffSite::start().await;
    let cookie = site.sign_in("Asha Rao", &["unknown"]).await;
    for (path, label) in [
        ("/staff/today", "Today"),
        ("/staff/records/7", "One record"),
    ] {
        for method in [Method::GET, Method::HEAD] {
            let reply = site
                .send(method.clone(), path, &[("cookie", &cookie)], "")
                .await;
            assert_eq!(reply.status, StatusCode::FORBIDDEN, "{path}");
            assert!(is_private(&reply), "{:?}", reply.headers);
            let page = format!("<h1>No access to {label}</h1>");
            assert_eq!(
                reply.text().contains(&page),
                method == Method::GET,
                "{path}"
            );
            assert!(!reply.text().contains("<output>"), "{path}");
        }
    }
    let unknown = site.get_as(&cookie, "/staff/nothing").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    assert!(is_private(&unknown), "{:?}", unknown.headers);
    let respelled = site.get_as(&cookie, "/staff/Today/?q=1").await;
    assert_eq!(respelled.status, StatusCode::PERMANENT_REDIRECT);
    assert_eq!(respelled.header("location"), "/staff/today?q=1");
    assert!(is_private(&respelled), "{:?}", respelled.headers);
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_of_visitors_name_no_staff_page() {
    let site = StaffSite::start().await;
    let cookie = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let public = site.get_as(&cookie, "/rota").await;
    assert_eq!(
        shown(&public),
        json!({"has": false, "pages": {"ok": false, "status": 401, "body": null}})
    );
    for path in ["/rota", "/list", "/listing", "/", "/no-such-page"] {
        let with = site.get_as(&cookie, path).await;
        assert!(!with.text().contains("/staff"), "{path}: {}", with.text());
        let without = site.get(path).await;
        assert_eq!(with.body, without.body, "{path}");
        assert_eq!(with.header("set-cookie"), "", "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn failing_page_leaves_the_others() {
    let site = StaffSite::start().await;
    let cookie = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let broken = site.get_as(&cookie, "/staff/broken").await;
    assert_eq!(broken.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(is_private(&broken), "{:?}", broken.headers);
    assert!(
        broken.text().contains("<header>staff Asha Rao</header>"),
        "{}",
        broken.text()
    );
    assert_eq!(
        site.get_as(&cookie, "/staff/today").await.status,
        StatusCode::OK
    );
    // A version that does not load leaves the last one.
    let folder = site.folder.path();
    publish_of(
        folder,
        "rota",
        "1.1.0",
        "server.js",
        "const page",
        "const const",
    );
    let pointers = std::fs::read_to_string(folder.join("remotes.json")).expect("a file");
    let pointers = pointers.replace(
        r#""rota":{"stable":"1.0.0"}"#,
        r#""rota":{"stable":"1.1.0"}"#,
    );
    std::fs::write(folder.join("remotes.json"), pointers).expect("writable");
    report_of(&site, "a refusal", |report| {
        report["rota"]["refused"][0].is_object()
    })
    .await;
    assert_eq!(
        site.get_as(&cookie, "/staff/today").await.status,
        StatusCode::OK
    );
    site.upstream.stop().await;
    let without_data = site.get_as(&cookie, "/staff/today").await;
    assert_eq!(without_data.status, StatusCode::OK);
    assert_eq!(shown(&without_data)["data"]["caller"]["ok"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_declarations_that_would_make_a_staff_page_public() {
    let site = Site::start_in(remotes_with_staff(), &[]).await;
    let folder = site.folder.path();
    let cases = [
        (
            r#""label": "Today" }"#,
            r#""label": "Today" }, "resident": true"#,
            "resident: is not allowed",
        ),
        (
            r#""route": "/rota""#,
            r#""route": "/staff/rota""#,
            "access: is required below",
        ),
        (
            r#""route": "/staff/note""#,
            r#""route": "/note""#,
            "access: is for routes below",
        ),
        (
            r#""route": "/rota""#,
            r#""access": { "label": "Rota" }, "siteMap": true, "route": "/staff/rota""#,
            "siteMap: is not allowed",
        ),
        (
            r#""pages": ["#,
            r#""fragments": [{ "id": "a", "module": "./public", "access": {} }], "pages": ["#,
            "fragments[0].access: is for pages only",
        ),
        (
            r#""pages": ["#,
            r#""redirects": { "/staff/old": "/staff" }, "pages": ["#,
            "redirects: `/staff/old`: is not an allowed address",
        ),
    ];
    for (n, (from, to, problem)) in cases.into_iter().enumerate() {
        let version = format!("2.{n}.0");
        publish_of(folder, "rota", &version, "module.json", from, to);
        let pointers = json!({"contract": 2, "shell": {"stable": "2.0.0"}, "teams": {"rota": {"stable": version}}});
        std::fs::write(folder.join("remotes.json"), pointers.to_string()).expect("writable");
        report_of(&site, problem, |report| {
            let refused = &report["rota"]["refused"][0];
            let detail = refused["detail"].as_str().unwrap_or_default();
            refused["version"] == *version && detail.contains(problem)
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_documents_are_compressed_unless_another_site_opened_them() {
    let site = StaffSite::start().await;
    let session = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let path = format!("/staff/today?q={}", "a".repeat(1024));
    let open = |coding, from: Option<&'static str>| {
        let from = from.map(|from| ("sec-fetch-site", from));
        let headers = [("cookie", &*session), ("accept-encoding", coding)];
        let headers: Vec<_> = headers.into_iter().chain(from).collect();
        let (site, path) = (&site, &path);
        async move { site.get_with(path, &headers).await }
    };
    for from in ["same-origin", "none"] {
        for coding in ["br", "gzip"] {
            let reply = open(coding, Some(from)).await;
            assert_eq!(reply.header("content-encoding"), coding, "{from}");
            let text = reply.decoded();
            assert!(text.contains("Today of Asha Rao"), "{text}");
            assert!(is_private(&reply), "{:?}", reply.headers);
        }
    }
    for from in [None, Some("cross-site"), Some("same-site")] {
        let reply = open("br", from).await;
        assert_eq!(reply.header("content-encoding"), "", "{from:?}");
        assert!(reply.text().contains("Today of Asha Rao"));
    }
}
