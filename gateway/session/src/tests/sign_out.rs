//! Sign-outs by the person and by the issuer.

use std::collections::HashMap;

use chrono::TimeDelta;
use http::HeaderMap;
use serde_json::{Value, json};
use url::{Url, form_urlencoded::Serializer};

use super::{
    desk::{Browser, Desk, text},
    issuer::{ASHA, Person, RAVI},
};
use crate::LogoutError;

const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

fn parameters(address: &str) -> HashMap<String, String> {
    let url = Url::parse(address).expect("an address");
    url.query_pairs().into_owned().collect()
}

#[tokio::test]
async fn a_sign_out_ends_the_session_here_and_at_the_issuer() {
    let desk = Desk::start().await;
    let mut browser = desk.sign_in(&ASHA).await;
    let signed_out = desk.staff.sign_out(&browser.headers()).await;
    let location = text(&signed_out.location);
    assert!(location.starts_with(&format!("{}/end?", desk.issuer.address())));
    let parameters = parameters(&location);
    assert_eq!(parameters["client_id"], "desk");
    assert_eq!(
        parameters["post_logout_redirect_uri"],
        "https://hospital.example/"
    );
    assert_eq!(parameters["id_token_hint"].split('.').count(), 3);
    browser.receive(&signed_out.cookies);
    for name in ["__Host-session", "__Host-signed-in"] {
        assert!(browser.cookie(name).is_none(), "{name}");
    }
    assert_eq!(signed_out.cookies.len(), 3);
}

#[tokio::test]
async fn a_sign_out_without_a_session_sends_no_token() {
    let desk = Desk::start().await;
    let browser = desk.sign_in(&ASHA).await;
    desk.staff.sign_out(&browser.headers()).await;
    for headers in [HeaderMap::new(), browser.headers()] {
        let signed_out = desk.staff.sign_out(&headers).await;
        let parameters = parameters(&text(&signed_out.location));
        assert!(!parameters.contains_key("id_token_hint"));
        assert_eq!(signed_out.cookies.len(), 3);
    }
}

#[tokio::test]
async fn without_an_address_at_the_issuer_a_sign_out_stays_here() {
    let desk = Desk::with(|issuer| {
        issuer.behave(|mode| mode.discovery = json!({ "end_session_endpoint": null }));
    })
    .await;
    let browser = desk.sign_in(&ASHA).await;
    let signed_out = desk.staff.sign_out(&browser.headers()).await;
    assert_eq!(signed_out.location, "/");
    assert!(desk.staff.session(&browser.headers()).is_none());
}

#[tokio::test]
async fn a_long_id_token_is_left_out_of_the_cookie() {
    let groups: Vec<_> = (0..200).map(|n| format!("group number {n}")).collect();
    let desk = Desk::with(|issuer| {
        issuer.behave(|mode| mode.claims = json!({ "others": groups }));
    })
    .await;
    let browser = desk.sign_in(&ASHA).await;
    assert!(browser.session().len() < 1024);
    let signed_out = desk.staff.sign_out(&browser.headers()).await;
    let parameters = parameters(&text(&signed_out.location));
    assert!(!parameters.contains_key("id_token_hint"));
}

/// Returns valid claims of a logout token.
pub(super) fn claims(desk: &Desk, person: &Person) -> Value {
    let now = desk.now().timestamp();
    json!({
        "iss": desk.issuer.address(), "aud": "desk", "iat": now, "exp": now + 120, "jti": format!("jti {now}"),
        "sub": person.subject, "sid": person.sid, "events": { EVENT: {} },
    })
}

pub(super) async fn log_out(desk: &Desk, claims: &Value) -> Result<(), LogoutError> {
    let token = desk.issuer.sign(json!({ "typ": "logout+jwt" }), claims);
    desk.staff.back_channel_logout(&body(&token)).await
}

fn body(token: &str) -> Vec<u8> {
    let mut form = Serializer::new(String::new());
    form.append_pair("logout_token", token)
        .finish()
        .into_bytes()
}

#[tokio::test]
async fn the_issuer_ends_one_session_of_a_person() {
    let desk = Desk::start().await;
    let other_gateway = desk.restarted();
    let mut at_work = desk.sign_in(&ASHA).await;
    let elsewhere = Person {
        sid: "another sid",
        ..ASHA
    };
    let mut at_home = desk.sign_in(&elsewhere).await;
    log_out(&desk, &claims(&desk, &ASHA))
        .await
        .expect("a logout");
    assert!(desk.request(&mut at_work).is_none());
    assert!(other_gateway.session(&at_work.headers()).is_none());
    assert!(desk.restarted().session(&at_work.headers()).is_none());
    assert!(desk.request(&mut at_home).is_some());
}

#[tokio::test]
async fn the_issuer_ends_all_sessions_of_a_person_until_now() {
    let desk = Desk::start().await;
    let mut one = desk.sign_in(&ASHA).await;
    desk.advance(TimeDelta::minutes(1));
    let mut two = desk.sign_in(&Person { sid: "b", ..ASHA }).await;
    let mut other_person = desk.sign_in(&RAVI).await;
    let mut of_all = claims(&desk, &ASHA);
    of_all.as_object_mut().expect("claims").remove("sid");
    log_out(&desk, &of_all).await.expect("a logout");
    assert!(desk.request(&mut one).is_none() && desk.request(&mut two).is_none());
    assert!(desk.request(&mut other_person).is_some());
    desk.advance(TimeDelta::seconds(1));
    let mut later = desk.sign_in(&ASHA).await;
    assert!(desk.request(&mut later).is_some());
}

#[tokio::test]
async fn a_logout_token_counts_once() {
    let desk = Desk::start().await;
    let mut of_all = claims(&desk, &ASHA);
    of_all.as_object_mut().expect("claims").remove("sid");
    log_out(&desk, &of_all).await.expect("a logout");
    // A replay must not end later sessions, neither here nor after a restart.
    desk.advance(TimeDelta::seconds(60));
    let mut later = desk.sign_in(&ASHA).await;
    let replayed = log_out(&desk, &of_all).await.expect_err("a replay");
    assert!(matches!(replayed, LogoutError::Replayed), "{replayed}");
    assert_eq!(replayed.status(), 400);
    let restarted = Desk {
        staff: desk.restarted(),
        ..desk
    };
    log_out(&restarted, &of_all)
        .await
        .expect("not known any more");
    assert!(restarted.request(&mut later).is_some());
}

#[tokio::test]
async fn an_invalid_logout_token_ends_nothing() {
    let desk = Desk::start().await;
    let mut browser = desk.sign_in(&ASHA).await;
    let now = desk.now().timestamp();
    for (member, value) in [
        ("events", json!(null)),
        ("events", json!({})),
        ("events", json!({ EVENT: true })),
        ("events", json!({ "http://schemas.example/other": {} })),
        ("nonce", json!("n")),
        ("nonce", json!("")),
        ("jti", json!(null)),
        ("jti", json!("")),
        ("iat", json!(null)),
        ("iat", json!(now + 31)),
        ("exp", json!(null)),
        ("exp", json!(now - 30)),
        ("aud", json!("other")),
        ("iss", json!("https://evil.example")),
        ("sub", json!(1)),
    ] {
        let mut changed = claims(&desk, &ASHA);
        let members = changed.as_object_mut().expect("claims");
        if value.is_null() {
            members.remove(member);
        } else {
            members.insert(member.to_owned(), value.clone());
        }
        let refused = log_out(&desk, &changed).await.expect_err(member);
        assert!(
            matches!(refused, LogoutError::Token),
            "{member} {value}: {refused}"
        );
    }
    let mut of_nobody = claims(&desk, &ASHA);
    for member in ["sub", "sid"] {
        of_nobody.as_object_mut().expect("claims").remove(member);
    }
    assert!(log_out(&desk, &of_nobody).await.is_err());
    for kind in ["at+jwt", "application/x"] {
        let token = desk
            .issuer
            .sign(json!({ "typ": kind }), &claims(&desk, &ASHA));
        let refused = desk.staff.back_channel_logout(&body(&token)).await;
        assert!(matches!(refused, Err(LogoutError::Token)), "{kind}");
    }
    desk.issuer.behave(|mode| mode.is_forged = true);
    let forged = log_out(&desk, &claims(&desk, &ASHA)).await;
    assert!(matches!(forged, Err(LogoutError::Token)));
    assert!(desk.request(&mut browser).is_some());
}

#[tokio::test]
async fn a_body_without_one_token_is_refused() {
    let desk = Desk::start().await;
    let token = desk.issuer.sign(json!({}), &claims(&desk, &ASHA));
    let twice = [body(&token), b"&".to_vec(), body(&token)].concat();
    let long = body(&"a".repeat(40 * 1024));
    for body in [&b""[..], b"token=a", b"{}", b"\xff", &twice, &long] {
        let refused = desk.staff.back_channel_logout(body).await;
        assert!(matches!(refused, Err(LogoutError::Body)));
    }
    desk.staff
        .back_channel_logout(&body(&token))
        .await
        .expect("a logout");
}

#[tokio::test]
async fn an_id_token_is_no_logout_token() {
    let desk = Desk::start().await;
    let browser = desk.sign_in(&ASHA).await;
    let signed_out = desk.staff.sign_out(&browser.headers()).await;
    let id_token = parameters(&text(&signed_out.location)).remove("id_token_hint");
    let body = body(&id_token.expect("an ID token"));
    let mut later: Browser = desk.sign_in(&ASHA).await;
    let refused = desk.staff.back_channel_logout(&body).await;
    assert!(matches!(refused, Err(LogoutError::Token)));
    assert!(desk.request(&mut later).is_some());
}
