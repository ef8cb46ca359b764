//! Sign-in and sign-out of staff through the gateway.

use axum::http::{Method, StatusCode};
use serde_json::Value;

use crate::{
    site::Reply,
    staff_site::{FORM, FROM_HERE, StaffSite, cookie, is_private},
};

const EMERGENCY: &str = "tel:+918000000108";

#[tokio::test(flavor = "multi_thread")]
async fn sign_in_responses_are_private_and_hide_their_address() {
    let site = StaffSite::start().await;
    let begun = site.get("/staff/sign-in?return=/staff/today").await;
    assert_eq!(begun.status, StatusCode::SEE_OTHER);
    assert_eq!(begun.header("referrer-policy"), "no-referrer");
    assert!(is_private(&begun), "{:?}", begun.headers);
    let (pending, query) = site.begin("/staff/today").await;
    for query in [
        "",
        "?code=a",
        "?code=a&state=b",
        "?error=access_denied&state=b",
    ] {
        let callback = format!("/staff/callback{query}");
        let refused = site.get_with(&callback, &[("cookie", &pending)]).await;
        assert!(refused.status.is_client_error(), "{query}");
        assert_eq!(refused.header("referrer-policy"), "no-referrer");
        assert!(is_private(&refused), "{:?}", refused.headers);
        let text = refused.text();
        assert!(
            text.contains(EMERGENCY) && text.contains(r#"href="/staff/sign-in""#),
            "{text}"
        );
    }
    // The state of another browser.
    let callback = format!("/staff/callback?{query}");
    assert_eq!(site.get(&callback).await.status, StatusCode::BAD_REQUEST);
    for method in [Method::POST, Method::HEAD, Method::PUT] {
        for path in ["/staff/sign-in", &callback] {
            let reply = site.send(method.clone(), path, &[FROM_HERE], "").await;
            assert_eq!(
                reply.status,
                StatusCode::METHOD_NOT_ALLOWED,
                "{method} {path}"
            );
            assert!(is_private(&reply), "{:?}", reply.headers);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_in_returns_to_the_staff_area_only() {
    let site = StaffSite::start().await;
    for (wanted, expected) in [
        ("/staff/today%3Fq%3D1", "/staff/today?q=1"),
        ("https://evil.example/", "/staff"),
        ("//evil.example/staff", "/staff"),
        ("/%5Cevil.example", "/staff"),
        ("/doctors", "/staff"),
        ("/staff/sign-out", "/staff"),
        ("/staff/%0d%0aset-cookie:x", "/staff"),
    ] {
        site.sign_in("Asha Rao", &[]).await;
        let (pending, query) = site.begin(wanted).await;
        let callback = format!("/staff/callback?{query}");
        let reply = site.get_with(&callback, &[("cookie", &pending)]).await;
        assert_eq!(reply.header("location"), expected, "{wanted}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn response_that_arrives_twice_leads_a_signed_in_person_to_the_start() {
    let site = StaffSite::start().await;
    site.sign_in("Asha Rao", &[]).await;
    let (pending, query) = site.begin("/staff").await;
    let callback = format!("/staff/callback?{query}");
    let first = site.get_with(&callback, &[("cookie", &pending)]).await;
    let both = format!("{pending}; {}", cookie(&first, "session"));
    let again = site.get_with(&callback, &[("cookie", &both)]).await;
    assert_eq!(again.status, StatusCode::SEE_OTHER, "{}", again.text());
    assert_eq!(again.header("location"), "/staff");
    let stolen = site.get_with(&callback, &[("cookie", &pending)]).await;
    assert_eq!(stolen.status, StatusCode::BAD_REQUEST);
}

/// Without TLS, another person's session may come from a neighbour on another port, at a path that hides ours.
#[tokio::test(flavor = "multi_thread")]
async fn planted_session_is_removed_and_ends_in_a_page_after_one_sign_in() {
    let site = StaffSite::start().await;
    let own = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let planted = site.sign_in("Ravi Kumar", &["frontdesk"]).await;
    let both = format!("{planted}; {own}");
    let cookies = |reply: &Reply| -> Vec<String> {
        let found = reply.headers.get_all("set-cookie").iter();
        found
            .map(|one| one.to_str().expect("text").to_owned())
            .collect()
    };
    let removals: Vec<_> = ["/", "/staff", "/staff/", "/staff/today"]
        .map(|path| format!("session=; Path={path}; Max-Age=0; HttpOnly; SameSite=Lax"))
        .into();
    let first = site.get_as(&both, "/staff/today").await;
    assert_eq!(first.status, StatusCode::SEE_OTHER);
    assert_eq!(cookies(&first), removals);
    let marked = format!("{both}; signed-in=1");
    let second = site.get_as(&marked, "/staff/today").await;
    assert_eq!(second.status, StatusCode::UNAUTHORIZED);
    assert!(is_private(&second), "{:?}", second.headers);
    let link = r#"href="/staff/sign-in?return=%2Fstaff%2Ftoday""#;
    assert!(second.text().contains(link), "{}", second.text());
    let sent = cookies(&second);
    assert_eq!(sent[..4], removals);
    assert!(
        sent[4].starts_with("signed-in=; Path=/; Max-Age=0"),
        "{sent:?}"
    );
    // Cookies that do not open hide nothing.
    let junk = format!("session=x; session=y; {own}; signed-in=1");
    let shown = site.get_as(&junk, "/staff").await;
    assert_eq!(shown.status, StatusCode::OK);
    assert!(
        cookies(&shown)
            .iter()
            .any(|one| one.starts_with("signed-in=;"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_out_needs_a_form_of_this_site_and_ends_the_session() {
    let site = StaffSite::start().await;
    let session = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let got = site.get_as(&session, "/staff/sign-out").await;
    assert_eq!(got.status, StatusCode::METHOD_NOT_ALLOWED);
    for foreign in [
        &[FORM, ("cookie", &*session)][..],
        &[
            FORM,
            ("cookie", &session),
            ("origin", "https://evil.example"),
        ],
        &[FORM, ("cookie", &session), ("origin", "null")],
        &[FORM, ("cookie", &session), ("sec-fetch-site", "cross-site")],
    ] {
        let reply = site
            .send(Method::POST, "/staff/sign-out", foreign, "")
            .await;
        assert_eq!(reply.status, StatusCode::FORBIDDEN, "{foreign:?}");
    }
    assert_eq!(site.get_as(&session, "/staff").await.status, StatusCode::OK);
    let out = site.post_as(&session, "/staff/sign-out", "").await;
    assert_eq!(out.status, StatusCode::OK, "{}", out.text());
    assert!(is_private(&out), "{:?}", out.headers);
    assert_eq!(cookie(&out, "session"), "session=");
    assert_eq!(out.header("clear-site-data"), "\"cache\"");
    let refresh = out.header("refresh");
    assert!(
        refresh.starts_with("0;url=http://127.0.0.1:") && refresh.contains("/end"),
        "{refresh}"
    );
    // A stolen cookie is worth nothing afterwards.
    for path in ["/staff", "/staff/today"] {
        let reply = site.get_as(&session, path).await;
        assert_eq!(reply.status, StatusCode::SEE_OTHER, "{path}");
    }
    let again = site.post_as(&session, "/staff/sign-out", "").await;
    assert_eq!(again.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_ins_of_one_network_are_limited() {
    let site = StaffSite::start_with(&["--sign-in-requests-max=5", "--trusted-hops=1"]).await;
    let from = |address: &'static str| {
        let site = &site;
        async move {
            let headers = [("x-forwarded-for", address)];
            site.get_with("/staff/sign-in", &headers).await
        }
    };
    for _ in 0..5 {
        assert_eq!(from("203.0.113.66").await.status, StatusCode::SEE_OTHER);
    }
    let refused = from("203.0.113.66").await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.text().contains(EMERGENCY) && is_private(&refused));
    assert!(!refused.header("retry-after").is_empty());
    assert_eq!(from("198.51.100.7").await.status, StatusCode::SEE_OTHER);
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_in_reports_an_issuer_that_is_down() {
    let site = StaffSite::start_without_issuer().await;
    let reply = site.get("/staff/sign-in").await;
    assert_eq!(reply.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(reply.text().contains(EMERGENCY), "{}", reply.text());
    assert!(is_private(&reply), "{:?}", reply.headers);
    // Visitors notice nothing.
    assert_eq!(site.get("/list").await.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_in_reports_a_silent_issuer_on_a_page_of_its_own() {
    let site = StaffSite::start().await;
    let (pending, query) = site.begin("/staff").await;
    site.issuer().fall_silent();
    let callback = format!("/staff/callback?{query}");
    let reply = site.get_with(&callback, &[("cookie", &pending)]).await;
    assert_eq!(reply.status, StatusCode::SERVICE_UNAVAILABLE);
    let text = reply.text();
    assert!(
        text.contains("The sign-in service isn't available")
            && text.contains(r#"href="/staff/sign-in""#)
            && text.contains(EMERGENCY),
        "{text}"
    );
    assert!(is_private(&reply), "{:?}", reply.headers);
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_a_logout_that_is_not_from_the_issuer() {
    let site = StaffSite::start().await;
    for body in ["", "logout_token=a.b.c", "x=1"] {
        let path = "/staff/back-channel-logout";
        let reply = site.send(Method::POST, path, &[FORM], body).await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{body}");
        assert_eq!(reply.header("content-type"), "application/problem+json");
        assert!(is_private(&reply), "{:?}", reply.headers);
    }
    let long = format!("logout_token={}", "a".repeat(17 * 1024));
    let reply = site
        .send(Method::POST, "/staff/back-channel-logout", &[FORM], &long)
        .await;
    assert_eq!(reply.status, StatusCode::PAYLOAD_TOO_LARGE);
    let got = site.get("/staff/back-channel-logout").await;
    assert_eq!(got.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_get_the_public_keys() {
    let site = StaffSite::start().await;
    let keys: Value = site.operators_report("/jwks").await;
    assert_eq!(keys["keys"][0]["crv"], "Ed25519", "{keys}");
    assert!(keys["keys"][0].get("d").is_none(), "{keys}");
    assert_eq!(site.get("/jwks").await.status, StatusCode::NOT_FOUND);
}
