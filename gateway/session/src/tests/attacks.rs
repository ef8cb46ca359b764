//! Attacks on sign-ins.

use chrono::TimeDelta;
use http::HeaderMap;
use serde_json::json;
use url::Url;

use super::{
    desk::{Browser, Desk, error},
    issuer::{ASHA, RAVI},
};
use crate::{IdTokenFault, SignInError};

#[tokio::test]
async fn a_state_of_another_browser_is_refused() {
    let desk = Desk::start().await;
    let (mut victim, mut attacker) = (Browser::default(), Browser::default());
    let location = desk.begin(&mut attacker).await;
    let query = desk.issuer.authorize(&location, &RAVI);
    // The attacker sends a finished sign-in as a link, so that the victim works in the attacker's account.
    let refused = error(desk.staff.finish(&query, &HeaderMap::new()).await);
    assert!(matches!(refused, SignInError::NotPending), "{refused}");
    desk.begin(&mut victim).await;
    let refused = error(desk.staff.finish(&query, &victim.headers()).await);
    assert!(matches!(refused, SignInError::State), "{refused}");
    assert_eq!(desk.issuer.exchanges(), 0, "no code is exchanged");
}

#[tokio::test]
async fn a_forged_state_is_refused() {
    let desk = Desk::start().await;
    let mut browser = Browser::default();
    let location = desk.begin(&mut browser).await;
    let code = desk.issuer.code(&location, &ASHA);
    for state in ["", "x", &"A".repeat(43)] {
        let query = format!("code={code}&state={state}");
        let refused = error(desk.staff.finish(&query, &browser.headers()).await);
        assert!(matches!(refused, SignInError::State), "{refused}");
    }
    assert_eq!(desk.issuer.exchanges(), 0);
}

#[tokio::test]
async fn a_state_counts_once_even_if_the_issuer_allows_its_code_again() {
    let desk = Desk::with(|issuer| issuer.behave(|mode| mode.checks_reuse = false)).await;
    let mut browser = Browser::default();
    let location = desk.begin(&mut browser).await;
    let query = desk.issuer.authorize(&location, &ASHA);
    let headers = browser.headers();
    desk.staff
        .finish(&query, &headers)
        .await
        .expect("a sign-in");
    let refused = error(desk.staff.finish(&query, &headers).await);
    assert!(matches!(refused, SignInError::Replayed), "{refused}");
    assert_eq!(desk.issuer.exchanges(), 1);
}

#[tokio::test]
async fn a_used_code_is_refused_by_the_issuer() {
    let desk = Desk::start().await;
    let mut browser = Browser::default();
    let location = desk.begin(&mut browser).await;
    let query = desk.issuer.authorize(&location, &ASHA);
    desk.staff
        .finish(&query, &browser.headers())
        .await
        .expect("a sign-in");
    // Another gateway does not remember the state.
    let refused = error(desk.restarted().finish(&query, &browser.headers()).await);
    assert!(matches!(refused, SignInError::Code), "{refused}");
}

#[tokio::test]
async fn a_sign_in_ends_after_ten_minutes() {
    let desk = Desk::start().await;
    for (seconds, is_accepted) in [(599, true), (600, false)] {
        let mut browser = Browser::default();
        let location = desk.begin(&mut browser).await;
        let query = desk.issuer.authorize(&location, &ASHA);
        desk.advance(TimeDelta::seconds(seconds));
        let finished = desk.staff.finish(&query, &browser.headers()).await;
        assert_eq!(finished.is_ok(), is_accepted);
        if let Err(refused) = finished {
            assert!(matches!(refused, SignInError::Expired), "{refused}");
        }
    }
}

#[tokio::test]
async fn a_code_of_another_sign_in_is_refused() {
    for checks_pkce in [true, false] {
        let desk = Desk::with(|issuer| issuer.behave(|mode| mode.checks_pkce = checks_pkce)).await;
        let (mut victim, mut attacker) = (Browser::default(), Browser::default());
        let of_victim = desk.begin(&mut victim).await;
        let stolen = desk.issuer.code(&of_victim, &ASHA);
        let own = desk.begin(&mut attacker).await;
        let own = desk.issuer.authorize(&own, &RAVI);
        let state = own
            .split('&')
            .find(|pair| pair.starts_with("state="))
            .expect("a state");
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        let query = format!("{}&{state}", query.append_pair("code", &stolen).finish());
        let refused = error(desk.staff.finish(&query, &attacker.headers()).await);
        let is_expected = if checks_pkce {
            matches!(refused, SignInError::Code)
        } else {
            matches!(refused, SignInError::IdToken(IdTokenFault::Nonce))
        };
        assert!(is_expected, "{refused}");
    }
}

#[tokio::test]
async fn a_response_of_another_issuer_is_refused() {
    for (names_itself, issuer, is_accepted) in [
        (false, None, true),
        (true, None, false),
        (false, Some("https://evil.example"), false),
        (true, Some("https://evil.example"), false),
    ] {
        let desk = Desk::with(|issuer| {
            issuer.behave(|mode| {
                mode.discovery =
                    json!({ "authorization_response_iss_parameter_supported": names_itself });
            });
        })
        .await;
        let mut browser = Browser::default();
        let location = desk.begin(&mut browser).await;
        let query = desk.issuer.authorize(&location, &ASHA);
        let (rest, _) = query.split_once("&iss=").expect("an issuer");
        let query = issuer.map_or(rest.to_owned(), |issuer| format!("{rest}&iss={issuer}"));
        let finished = desk.staff.finish(&query, &browser.headers()).await;
        assert_eq!(finished.is_ok(), is_accepted, "{names_itself} {issuer:?}");
        if let Err(refused) = finished {
            assert!(matches!(refused, SignInError::MixUp), "{refused}");
            assert_eq!(desk.issuer.exchanges(), 0, "the other issuer gets no code");
        }
    }
}

#[tokio::test]
async fn a_nonce_of_an_earlier_sign_in_is_refused() {
    let desk = Desk::start().await;
    let mut browser = Browser::default();
    let location = desk.begin(&mut browser).await;
    let url = Url::parse(&location).expect("an address");
    let mut pairs = url.query_pairs();
    let (_, nonce) = pairs.find(|(name, _)| name == "nonce").expect("a nonce");
    desk.issuer
        .behave(|mode| mode.claims = json!({ "nonce": nonce }));
    let refused = error(desk.try_sign_in(&mut browser, &ASHA).await);
    assert!(
        matches!(refused, SignInError::IdToken(IdTokenFault::Nonce)),
        "{refused}"
    );
}

#[tokio::test]
async fn an_unacceptable_id_token_is_refused() {
    let desk = Desk::start().await;
    let now = desk.now().timestamp();
    let none = || json!({});
    for (claims, header, fault) in [
        (json!({ "exp": now - 30 }), none(), IdTokenFault::Expired),
        (
            json!({ "iat": now + 60 }),
            none(),
            IdTokenFault::IssuedInFuture,
        ),
        (json!({ "nonce": null }), none(), IdTokenFault::Nonce),
        (
            json!({ "at_hash": "AAAA" }),
            none(),
            IdTokenFault::AccessTokenHash,
        ),
        (json!({ "sub": "" }), none(), IdTokenFault::Subject),
        (json!({ "sub": null }), none(), IdTokenFault::Signature),
        (
            json!({ "azp": "other" }),
            none(),
            IdTokenFault::AuthorizedParty,
        ),
        (
            json!({ "aud": ["desk", "other"] }),
            none(),
            IdTokenFault::AuthorizedParty,
        ),
        (json!({ "aud": "other" }), none(), IdTokenFault::Signature),
        (
            json!({ "iss": "https://evil.example" }),
            none(),
            IdTokenFault::Signature,
        ),
        (json!({ "exp": null }), none(), IdTokenFault::Signature),
        (none(), json!({ "typ": "at+jwt" }), IdTokenFault::Signature),
        (
            none(),
            json!({ "typ": "logout+jwt" }),
            IdTokenFault::Signature,
        ),
        (
            none(),
            json!({ "alg": "none", "kid": null }),
            IdTokenFault::Signature,
        ),
        (
            none(),
            json!({ "alg": "ES256", "kid": null }),
            IdTokenFault::Signature,
        ),
    ] {
        desk.issuer.behave(|mode| {
            mode.claims = claims.clone();
            mode.header = header.clone();
        });
        let refused = error(desk.try_sign_in(&mut Browser::default(), &ASHA).await);
        let SignInError::IdToken(found) = refused else {
            panic!("{claims} {header}: {refused}");
        };
        assert_eq!(found, fault, "{claims} {header}");
    }
    desk.issuer.behave(|mode| mode.is_forged = true);
    let refused = error(desk.try_sign_in(&mut Browser::default(), &ASHA).await);
    assert!(
        matches!(refused, SignInError::IdToken(IdTokenFault::Signature)),
        "{refused}"
    );

    let several = json!({ "aud": ["desk", "other"], "azp": "desk", "exp": now - 29 });
    desk.issuer.behave(|mode| mode.claims = several);
    desk.sign_in(&ASHA).await;
}
