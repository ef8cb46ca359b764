//! Native forms of staff pages: who may send them, and in whose name their calls are made.

use axum::http::{Method, StatusCode};

use crate::{
    site::Reply,
    staff_site::{FORM, FROM_HERE, StaffSite, claims, is_private, shown},
};

/// Returns the person in whose name the form's call was made.
fn called_as(reply: &Reply) -> String {
    let outcome = shown(reply)["action"]["result"].clone();
    let authorization = &outcome["body"]["metadata"]["authorization"];
    claims(authorization)["sub"]
        .as_str()
        .expect("a subject")
        .to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn call_of_a_form_is_made_in_the_persons_name() {
    let site = StaffSite::start().await;
    for name in ["Asha Rao", "Ravi Iyer"] {
        let session = site.sign_in(name, &["frontdesk"]).await;
        let reply = site.post_as(&session, "/staff/note", "name=arrived").await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
        assert!(is_private(&reply), "{:?}", reply.headers);
        assert_eq!(shown(&reply)["staff"]["name"], name);
        assert_eq!(called_as(&reply), name.to_lowercase().replace(' ', "."));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_forms_that_are_not_from_this_site() {
    let site = StaffSite::start_with(&["--api-origin=https://partner.example"]).await;
    let session = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let signed = ("cookie", &*session);
    for foreign in [
        &[][..],
        &[("origin", "null")],
        &[("origin", "https://evil.example")],
        &[("origin", "https://partner.example")],
        &[("origin", "http://127.0.0.1:8081")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "same-origin"), ("origin", "null")],
    ] {
        for cookie in [&[signed][..], &[]] {
            let headers = [&[FORM], cookie, foreign].concat();
            let form = "path=%2Fentries&name=forged";
            let reply = site.send(Method::POST, "/staff/note", &headers, form).await;
            assert_eq!(reply.status, StatusCode::FORBIDDEN, "{foreign:?}");
            assert!(is_private(&reply), "{:?}", reply.headers);
            assert!(!reply.text().contains("forged"), "{}", reply.text());
        }
    }
    assert!(site.upstream.ledger.entries().is_empty());
    let own = [FORM, signed, ("sec-fetch-site", "same-origin")];
    let reply = site.send(Method::POST, "/staff/note", &own, "name=a").await;
    assert_eq!(reply.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn form_without_a_session_keeps_what_was_typed() {
    let site = StaffSite::start().await;
    let ended = site.sign_in("Asha Rao", &["frontdesk"]).await;
    site.post_as(&ended, "/staff/sign-out", "").await;
    // Unknown addresses answer alike, so nothing is learned about pages.
    for path in ["/staff/note?for=7", "/staff/nothing", "/staff/today"] {
        let reply = site
            .post_as(&ended, path, "name=A+%26+%22B%22&part=rota:x")
            .await;
        assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{path}");
        assert!(is_private(&reply), "{:?}", reply.headers);
        let html = reply.text();
        assert!(html.contains("Please sign in again"), "{html}");
        assert!(
            html.contains(&format!(r#"<form method="post" action="{path}">"#)),
            "{html}"
        );
        assert!(
            html.contains(r#"name="name" value="A &amp; &quot;B&quot;""#),
            "{html}"
        );
        assert!(
            html.contains(r#"href="/staff/sign-in?return=%2Fstaff%2F"#),
            "{html}"
        );
        assert!(html.contains("tel:+918000000108"), "{html}");
    }
    let session = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let again = site
        .post_as(&session, "/staff/note?for=7", "name=kept")
        .await;
    assert_eq!(again.status, StatusCode::OK);
    assert_eq!(
        site.post_as(&session, "/staff/nothing", "a=1").await.status,
        StatusCode::NOT_FOUND
    );
    let no_form = site.post_as(&session, "/staff/today", "a=1").await;
    assert_eq!(no_form.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test(flavor = "multi_thread")]
async fn form_of_another_role_makes_no_call_and_keeps_what_was_typed() {
    let site = StaffSite::start().await;
    let session = site.sign_in("Asha Rao", &["reader"]).await;
    let reply = site
        .post_as(&session, "/staff/note", "path=%2Fentries&name=kept")
        .await;
    assert_eq!(reply.status, StatusCode::FORBIDDEN);
    assert!(is_private(&reply), "{:?}", reply.headers);
    let html = reply.text();
    assert!(
        html.contains("\u{201c}Notes\u{201d}") && html.contains(r#"value="kept""#),
        "{html}"
    );
    assert!(site.upstream.ledger.entries().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_forms_of_two_people_are_both_meant() {
    let site = StaffSite::start().await;
    let asha = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let ravi = site.sign_in("Ravi Iyer", &["frontdesk"]).await;
    for session in [&asha, &asha, &ravi] {
        let form = "path=%2Fentries&name=walk-in";
        let reply = site.post_as(session, "/staff/note", form).await;
        assert!(reply.status.is_success(), "{}", reply.text());
    }
    assert_eq!(site.upstream.ledger.entries().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_a_person_have_a_rate_of_their_own() {
    let flags = ["--staff-calls-max=6"];
    let site = StaffSite::start_with(&flags).await;
    let asha = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let ravi = site.sign_in("Ravi Iyer", &["frontdesk"]).await;
    for _ in 0..3 {
        assert_eq!(site.get_as(&asha, "/staff").await.status, StatusCode::OK);
        let sent = site.post_as(&asha, "/staff/note", "name=a").await;
        assert_eq!(sent.status, StatusCode::OK);
    }
    let refused = site.get_as(&asha, "/staff").await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(is_private(&refused), "{:?}", refused.headers);
    let kept = site.post_as(&asha, "/staff/note", "name=kept").await;
    assert_eq!(kept.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(kept.text().contains("kept"), "{}", kept.text());
    assert_eq!(site.get_as(&ravi, "/staff").await.status, StatusCode::OK);
    // Visitors of the same network are not affected.
    let headers = [FORM, FROM_HERE];
    let visitor = site.send(Method::POST, "/entry", &headers, "name=a").await;
    assert_eq!(visitor.status, StatusCode::OK);
}

const MULTIPART: (&str, &str) = ("content-type", "multipart/form-data; boundary=b");

/// A form with text fields, and a file that is sent as the call's body.
fn with_file(field: &str, file: &str) -> String {
    let text = |name: &str, value: &str| {
        format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    format!(
        "{}{}{}--b\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"a.png\"\r\n\
         Content-Type: image/png\r\n\r\n{file}\r\n--b--\r\n",
        text("path", "/entries"),
        text("file", "scan"),
        text("name", "typed"),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn file_of_a_form_is_the_body_of_its_call() {
    let site = StaffSite::start().await;
    let session = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let post = async |headers: &[(&str, &str)], form: &str| {
        let headers = [&[MULTIPART], headers].concat();
        site.send(Method::POST, "/staff/note", &headers, form).await
    };
    let signed = [FROM_HERE, ("cookie", &*session)];
    // Equal texts with different files are two forms; the same form again is one.
    for file in [
        r#"{"name":"one"}"#,
        r#"{"name":"two"}"#,
        r#"{"name":"two"}"#,
    ] {
        let reply = post(&signed, &with_file("scan", file)).await;
        assert!(reply.status.is_success(), "{}", reply.text());
        let outcome = &shown(&reply)["action"];
        assert!(!outcome["form"].to_string().contains("one"), "{outcome}");
    }
    assert_eq!(site.upstream.ledger.entries().len(), 2);

    let another = post(&signed, &with_file("letter", "x")).await;
    assert_eq!(another.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let large = "7".repeat(20 * 1024 * 1024 + 1);
    let reply = post(&signed, &with_file("scan", &large)).await;
    assert_eq!(reply.status, StatusCode::BAD_REQUEST);
    let outcome = &shown(&reply)["action"];
    assert_eq!(outcome["form"]["name"][0], "typed");
    let field = &outcome["result"]["body"]["fields"][0];
    assert_eq!(field["field"], "scan");
    assert!(field["message"].to_string().contains("20 MiB"), "{field}");

    let unsigned = post(&[FROM_HERE], &with_file("scan", &large)).await;
    assert_eq!(unsigned.status, StatusCode::UNAUTHORIZED);
    assert!(
        unsigned.text().contains(r#"value="typed""#),
        "{}",
        unsigned.text()
    );
    let foreign = [("origin", "https://evil.example"), ("cookie", &*session)];
    let foreign = post(&foreign, &with_file("scan", r#"{"name":"forged"}"#)).await;
    assert_eq!(foreign.status, StatusCode::FORBIDDEN);
    assert_eq!(site.upstream.ledger.entries().len(), 2);
}
