//! API calls that a session authorises, and the tokens that services get for them.

use axum::http::{Method, StatusCode};
use serde_json::Value;

use crate::{
    issuer::{AUDIENCE, Issuer},
    site::Reply,
    staff_site::{FROM_HERE, StaffSite, claims},
};

const SCRIPT: (&str, &str) = ("sec-fetch-site", "same-origin");
const WITH: (&str, &str) = ("x-requested-with", "fetch");
const JSON: (&str, &str) = ("content-type", "application/json");

async fn write(site: &StaffSite, headers: &[(&str, &str)]) -> Reply {
    let headers = [&[JSON], headers].concat();
    let body = r#"{"name":"a"}"#;
    site.send(Method::POST, "/api/callers", &headers, body)
        .await
}

/// Returns the claims of the token that the service got.
fn token_of(reply: &Reply) -> Value {
    let body: Value = serde_json::from_slice(&reply.body).expect("JSON");
    claims(&body["metadata"]["authorization"])
}

#[tokio::test(flavor = "multi_thread")]
async fn script_of_this_site_reads_in_the_persons_name() {
    let site = StaffSite::start().await;
    let session = site.sign_in("Asha Rao", &["reader"]).await;
    let signed = ("cookie", &*session);
    for own in [
        &[SCRIPT][..],
        &[WITH],
        &[FROM_HERE, WITH],
        &[SCRIPT, WITH, FROM_HERE],
    ] {
        let headers = [&[signed], own].concat();
        let reply = site.get_with("/api/caller", &headers).await;
        assert_eq!(reply.status, StatusCode::OK, "{own:?}: {}", reply.text());
        assert_eq!(reply.header("cache-control"), "no-store");
        let token = token_of(&reply);
        assert_eq!(
            (&token["iss"], &token["sub"]),
            (&"gateway".into(), &"asha.rao".into())
        );
        let body: Value = serde_json::from_slice(&reply.body).expect("JSON");
        assert!(!body.to_string().contains("session="), "{body}");
    }
    for foreign in [
        &[][..],
        &[("sec-fetch-site", "none"), WITH],
        &[("sec-fetch-site", "same-site"), WITH],
        &[("sec-fetch-site", "cross-site")],
        &[("origin", "https://evil.example"), WITH],
        &[FROM_HERE],
    ] {
        let headers = [&[signed], foreign].concat();
        for method in [Method::GET, Method::HEAD] {
            let reply = site.send(method, "/api/caller", &headers, "").await;
            assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{foreign:?}");
            assert_eq!(reply.header("cache-control"), "no-store");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn script_of_another_site_cannot_write_in_the_persons_name() {
    let site = StaffSite::start_with(&["--api-origin=https://partner.example"]).await;
    let session = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let signed = ("cookie", &*session);
    let own = write(&site, &[signed, WITH, SCRIPT, FROM_HERE]).await;
    assert_eq!(own.status, StatusCode::OK, "{}", own.text());
    assert_eq!(token_of(&own)["sub"], "asha.rao");
    for (status, headers) in [
        (403, &[SCRIPT, FROM_HERE][..]),
        (403, &[WITH, ("origin", "https://evil.example")]),
        (403, &[WITH, ("origin", "null")]),
        (403, &[WITH, ("sec-fetch-site", "cross-site")]),
        // May call the API, but with the rights of a visitor.
        (401, &[WITH, ("origin", "https://partner.example")]),
        (
            401,
            &[
                WITH,
                ("origin", "https://partner.example"),
                ("sec-fetch-site", "cross-site"),
            ],
        ),
        (401, &[WITH, ("sec-fetch-site", "none")]),
    ] {
        let reply = write(&site, &[&[signed], headers].concat()).await;
        assert_eq!(reply.status.as_u16(), status, "{headers:?}");
        assert_eq!(reply.header("access-control-allow-credentials"), "");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn scope_is_checked_for_each_method() {
    let site = StaffSite::start().await;
    let session = site.sign_in("Asha Rao", &["reader"]).await;
    let headers = [("cookie", &*session), WITH, SCRIPT];
    assert_eq!(
        site.get_with("/api/caller", &headers).await.status,
        StatusCode::OK
    );
    let refused = write(&site, &headers).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let problem: Value = serde_json::from_slice(&refused.body).expect("JSON");
    assert_eq!(problem["reason"], "SCOPE_MISSING");
    let unknown = site.sign_in("Ravi Iyer", &[]).await;
    let headers = [("cookie", &*unknown), SCRIPT];
    for method in [Method::GET, Method::HEAD] {
        let reply = site.send(method, "/api/caller", &headers, "").await;
        assert_eq!(reply.status, StatusCode::FORBIDDEN);
    }
    site.post_as(&session, "/staff/sign-out", "").await;
    let headers = [("cookie", &*session), SCRIPT];
    let ended = site.get_with("/api/caller", &headers).await;
    assert_eq!(ended.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test(flavor = "multi_thread")]
async fn token_of_a_program_is_reissued_and_precedes_a_session() {
    let programs = Issuer::new();
    let flags = programs.flags(AUDIENCE);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let site = StaffSite::start_with(&flags).await;
    let session = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let bearer = programs.bearer("entries:read entries:write other", AUDIENCE, 60);
    for cookie in [&[][..], &[("cookie", &*session), SCRIPT]] {
        let headers = [&[("authorization", &*bearer)], cookie].concat();
        let reply = site.get_with("/api/caller", &headers).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
        let token = token_of(&reply);
        assert_eq!(
            (&token["iss"], &token["sub"]),
            (&"gateway".into(), &"importer".into())
        );
        // The scope of this call alone.
        assert_eq!(token["scope"], "entries:read");
        assert_eq!(token.get("doctor"), None, "claimed by a program");
        for refused in [
            "Bearer a.b.c",
            &programs.bearer("entries:read", "others", 60),
            "",
        ] {
            let headers = [&[("authorization", refused)], cookie].concat();
            let reply = site.get_with("/api/caller", &headers).await;
            assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{refused}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn services_learn_who_is_a_doctor_from_the_file_only() {
    let site = StaffSite::start().await;
    for (name, doctor) in [("Nandini Iyengar", Some("doc-06")), ("Asha Rao", None)] {
        let session = site.sign_in(name, &["reader"]).await;
        let forged = [
            ("cookie", &*session),
            SCRIPT,
            ("doctor", "doc-01"),
            ("x-doctor", "doc-01"),
        ];
        let reply = site.get_with("/api/caller", &forged).await;
        let token = token_of(&reply);
        assert_eq!(
            token.get("doctor").and_then(Value::as_str),
            doctor,
            "{name}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_a_person_do_not_count_as_those_of_a_visitor() {
    let site = StaffSite::start_with(&["--staff-calls-max=30"]).await;
    let session = site.sign_in("Asha Rao", &["reader"]).await;
    let headers = [("cookie", &*session), SCRIPT];
    for _ in 0..30 {
        let reply = site.get_with("/api/entries", &headers).await;
        assert_eq!(reply.status, StatusCode::OK);
        assert_eq!(reply.header("set-cookie"), "");
    }
    let refused = site.get_with("/api/caller", &headers).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    // Without the session: a visitor.
    assert_eq!(site.get("/api/entries").await.status, StatusCode::OK);
}
