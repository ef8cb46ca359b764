//! Sign-ins, and their errors.

use std::collections::HashMap;

use chrono::TimeDelta;
use serde_json::json;
use service_kit::auth::Caller;
use url::Url;

use super::{
    desk::{Browser, Desk, SITE, error, text},
    issuer::{ASHA, Fault, Person},
};
use crate::{IssuerError, IssuerReply, SignInError};

#[tokio::test]
async fn a_person_signs_in() {
    let desk = Desk::start().await;
    let return_to = "/staff/today?department=cardiology";
    let begun = desk.staff.begin(Some(return_to)).await.expect("a redirect");
    assert_eq!(begun.cookies.len(), 1);
    let cookie = text(&begun.cookies[0]);
    assert!(cookie.starts_with("__Host-sign-in="), "{cookie}");
    assert!(
        cookie.ends_with("; Path=/; Max-Age=600; Secure; HttpOnly; SameSite=Lax"),
        "{cookie}"
    );

    let location = text(&begun.location);
    let url = Url::parse(&location).expect("an address");
    assert_eq!(url.path(), "/authorize");
    let parameters: HashMap<_, _> = url.query_pairs().into_owned().collect();
    for (name, value) in [
        ("response_type", "code"),
        ("client_id", "desk"),
        ("redirect_uri", "https://hospital.example/staff/callback"),
        ("scope", "openid profile"),
        ("code_challenge_method", "S256"),
    ] {
        assert_eq!(parameters[name], value);
    }
    for name in ["state", "nonce", "code_challenge"] {
        assert_eq!(parameters[name].len(), 43, "{name}");
        assert!(!cookie.contains(&parameters[name]), "{name}");
    }

    let mut browser = Browser::default();
    browser.receive(&begun.cookies);
    let query = desk.issuer.authorize(&location, &ASHA);
    let signed_in = desk.staff.finish(&query, &browser.headers()).await;
    let signed_in = signed_in.expect("a sign-in");
    assert_eq!(signed_in.location, return_to);
    let session = text(&signed_in.cookies[0]);
    assert!(session.starts_with("__Host-session="), "{session}");
    assert!(
        session.ends_with("; Path=/; Secure; HttpOnly; SameSite=Lax"),
        "{session}"
    );
    browser.receive(&signed_in.cookies);
    assert!(browser.cookie("__Host-sign-in").is_none());

    let found = desk.request(&mut browser).expect("a session");
    assert_eq!(found, signed_in.session);
    assert_eq!(
        (&*found.subject, &*found.name),
        ("asha-1", "Name of asha-1")
    );
    assert_eq!(found.scopes, ["appointments:read", "appointments:write"]);
    assert!(found.has_scope("appointments:read") && !found.has_scope("audit:read"));
    assert_eq!((found.issued, found.seen), (desk.now(), desk.now()));
}

#[tokio::test]
async fn each_algorithm_and_client_authentication_is_accepted() {
    for algorithm in ["EdDSA", "ES256"] {
        for method in ["client_secret_basic", "client_secret_post"] {
            let desk = Desk::with(|issuer| {
                issuer.behave(|mode| {
                    mode.algorithm = algorithm;
                    mode.discovery = json!({ "token_endpoint_auth_methods_supported": [method] });
                });
            })
            .await;
            desk.sign_in(&ASHA).await;
        }
    }
}

#[tokio::test]
async fn every_sign_in_begins_another_session_and_ends_the_earlier_one() {
    let desk = Desk::start().await;
    let mut browser = desk.sign_in(&ASHA).await;
    let mut earlier = browser.clone();
    let first = desk.request(&mut browser).expect("a session");
    let again = desk.try_sign_in(&mut browser, &ASHA).await;
    let second = again.expect("a sign-in").session;
    assert_ne!(first.id, second.id);
    assert!(desk.request(&mut earlier).is_none());
    assert!(desk.request(&mut browser).is_some());
}

#[tokio::test]
async fn unknown_groups_get_no_scope() {
    let desk = Desk::start().await;
    let stranger = Person {
        groups: &["Frontdesk", "lunch club"],
        ..ASHA
    };
    let mut browser = desk.sign_in(&stranger).await;
    let session = desk.request(&mut browser).expect("a session");
    assert!(session.scopes.is_empty());
}

#[tokio::test]
async fn the_claim_of_groups_is_configurable() {
    let desk = Desk::with(|issuer| {
        issuer.behave(|mode| mode.claims = json!({ "groups": null, "teams": ["manager"] }));
    })
    .await;
    let mut config = desk.config();
    config.staff_groups_claim = Some("teams".to_owned());
    let staff = desk.start_with(&config, SITE).expect("a staff area");
    let desk = Desk { staff, ..desk };
    let mut browser = desk.sign_in(&ASHA).await;
    let session = desk.request(&mut browser).expect("a session");
    assert_eq!(session.scopes, ["audit:read"]);
}

#[tokio::test]
async fn the_scopes_are_configurable() {
    let desk = Desk::start().await;
    let mut config = desk.config();
    config.staff_issuer_scopes = Some("openid profile groups".to_owned());
    let staff = desk.start_with(&config, SITE).expect("a staff area");
    let desk = Desk { staff, ..desk };
    let location = desk.begin(&mut Browser::default()).await;
    let url = Url::parse(&location).expect("an address");
    let mut pairs = url.query_pairs();
    let (_, scope) = pairs.find(|(name, _)| name == "scope").expect("scopes");
    assert_eq!(scope, "openid profile groups");
}

#[tokio::test]
async fn an_error_of_the_issuer_is_told_apart() {
    let desk = Desk::start().await;
    for (code, reply) in [
        ("access_denied", IssuerReply::Declined),
        ("temporarily_unavailable", IssuerReply::Unavailable),
        ("invalid_scope", IssuerReply::Misconfigured("invalid_scope")),
        ("%3Cscript%3E", IssuerReply::Misconfigured("unknown")),
    ] {
        let mut browser = Browser::default();
        let location = desk.begin(&mut browser).await;
        let query = desk.issuer.authorize(&location, &ASHA);
        let (_, state) = query.split_once('&').expect("a state");
        let query = format!("error={code}&error_description=text&{state}");
        let refused = error(desk.staff.finish(&query, &browser.headers()).await);
        let SignInError::Issuer(found) = refused else {
            panic!("{code}: {refused}");
        };
        assert_eq!(found, reply);
    }
    assert_eq!(desk.issuer.exchanges(), 0);
}

#[tokio::test]
async fn a_wrong_secret_is_told_apart() {
    let desk = Desk::start().await;
    desk.write("secret", "another secret");
    let refused = error(desk.try_sign_in(&mut Browser::default(), &ASHA).await);
    let is_named = matches!(
        refused,
        SignInError::Issuer(IssuerReply::Misconfigured("invalid_client"))
    );
    assert!(is_named, "{refused}");
}

#[tokio::test]
async fn a_malformed_response_is_refused() {
    let desk = Desk::start().await;
    let mut browser = Browser::default();
    let location = desk.begin(&mut browser).await;
    let query = desk.issuer.authorize(&location, &ASHA);
    for bad in [
        String::new(),
        "code=a".to_owned(),
        "state=a".to_owned(),
        query.replace("code=", "kode="),
        format!("{query}&state=another"),
        format!("{query}&code=another"),
        format!("{query}&iss=another"),
        format!("{query}&error=access_denied"),
        format!("{query}&padding={}", "a".repeat(8 * 1024)),
        format!("code={}&state=a", "a".repeat(4 * 1024 + 1)),
        "code=&state=a".to_owned(),
    ] {
        let refused = error(desk.staff.finish(&bad, &browser.headers()).await);
        assert!(matches!(refused, SignInError::Query), "{bad}: {refused}");
    }
    desk.staff
        .finish(&query, &browser.headers())
        .await
        .expect("still pending");
}

#[tokio::test]
async fn a_failing_token_endpoint_is_told_apart() {
    let desk = Desk::start().await;
    for fault in [
        Fault::Status(500),
        Fault::Redirect,
        Fault::Long,
        Fault::NoJson,
    ] {
        desk.issuer.behave(|mode| mode.token_fault = Some(fault));
        let refused = error(desk.try_sign_in(&mut Browser::default(), &ASHA).await);
        let SignInError::Unavailable(found) = refused else {
            panic!("{fault:?}: {refused}");
        };
        let is_expected = match fault {
            Fault::Long => matches!(found, IssuerError::TooLong { .. }),
            Fault::NoJson => matches!(found, IssuerError::Malformed { .. }),
            _ => matches!(found, IssuerError::Status(_)),
        };
        assert!(is_expected, "{fault:?}: {found}");
    }
}

#[tokio::test]
async fn a_limited_number_of_sign_ins_waits_for_the_issuer() {
    let desk = Desk::start().await;
    desk.issuer
        .behave(|mode| mode.token_fault = Some(Fault::Hangs));
    let mut waiting = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let mut browser = Browser::default();
        let location = desk.begin(&mut browser).await;
        let query = desk.issuer.authorize(&location, &ASHA);
        let staff = desk.staff.clone();
        waiting.spawn(async move { staff.finish(&query, &browser.headers()).await.is_ok() });
    }
    while desk.issuer.exchanges() < 16 {
        tokio::task::yield_now().await;
    }
    let mut browser = Browser::default();
    let location = desk.begin(&mut browser).await;
    let query = desk.issuer.authorize(&location, &ASHA);
    let refused = error(desk.staff.finish(&query, &browser.headers()).await);
    assert!(
        matches!(refused, SignInError::Busy) && refused.is_pending(),
        "{refused}"
    );

    desk.issuer.behave(|_| {});
    waiting.shutdown().await;
    let finished = desk.staff.finish(&query, &browser.headers()).await;
    finished.expect("reloading the page completes the sign-in");
}

#[tokio::test]
async fn debug_output_contains_no_secret() {
    let desk = Desk::start().await;
    let mut browser = Browser::default();
    let begun = desk.staff.begin(None).await.expect("a redirect");
    browser.receive(&begun.cookies);
    let query = desk.issuer.authorize(&text(&begun.location), &ASHA);
    let signed_in = desk.staff.finish(&query, &browser.headers()).await;
    let signed_in = signed_in.expect("a sign-in");
    browser.receive(&signed_in.cookies);
    desk.advance(TimeDelta::minutes(2));
    let current = desk.staff.session(&browser.headers()).expect("a session");
    let signed_out = desk.staff.sign_out(&browser.headers()).await;
    let token = desk
        .staff
        .signer()
        .token(&Caller::named("asha-1"), &["a:read"])
        .expect("a token");
    let all = format!(
        "{begun:?} {signed_in:?} {current:?} {signed_out:?} {:?}",
        desk.staff
    );
    let id = &signed_in.session.id;
    for secret in [
        "asha",
        "state=",
        "eyJ",
        "a secret",
        browser.session(),
        id,
        &token,
    ] {
        assert!(!all.contains(secret), "{secret}");
    }
}
