//! An issuer that is down, or sends what it must not.

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::{
    desk::{Browser, Desk},
    issuer::{ASHA, Fault, Mode},
};
use crate::{IssuerError, LogoutError, SessionConfig, SignInError, Staff};

/// Returns why a sign-in cannot begin.
async fn refused(staff: &Staff) -> IssuerError {
    let error = staff.begin(None).await.map(|_| ()).expect_err("refused");
    assert_eq!(error.status(), 503);
    match error {
        SignInError::Unavailable(error) => error,
        other => panic!("{other}"),
    }
}

/// Starts a staff area whose issuer has failed already.
async fn failing(change: impl FnOnce(&mut Mode)) -> Desk {
    let desk = Desk::with(|issuer| issuer.behave(change)).await;
    // One of these waits for the request at the start.
    for _ in 0..2 {
        refused(&desk.staff).await;
    }
    assert_eq!(desk.issuer.discoveries(), 1);
    desk.advance(TimeDelta::seconds(1));
    desk
}

#[tokio::test]
async fn a_site_starts_without_its_issuer_and_finds_it_later() {
    let desk = failing(|mode| mode.discovery_fault = Some(Fault::Status(503))).await;
    let error = refused(&desk.staff).await;
    assert!(
        matches!(error, IssuerError::Status(status) if status == 503),
        "{error}"
    );
    let requests = desk.issuer.discoveries();
    for _ in 0..10 {
        let error = refused(&desk.staff).await;
        assert!(matches!(error, IssuerError::FailedBefore { .. }), "{error}");
    }
    assert_eq!(
        desk.issuer.discoveries(),
        requests,
        "visitors drive no requests"
    );
    desk.issuer.behave(|_| {});
    desk.advance(TimeDelta::seconds(1));
    desk.sign_in(&ASHA).await;
}

#[tokio::test]
async fn a_known_issuer_stays_valid_while_its_document_cannot_be_used() {
    let desk = Desk::start().await;
    desk.sign_in(&ASHA).await;
    let lie = json!({ "token_endpoint": "http://evil.example/token" });
    for (document, fault) in [
        (json!({}), Some(Fault::Status(500))),
        (json!({}), Some(Fault::NoJson)),
        (lie, None),
    ] {
        desk.issuer.behave(|mode| {
            mode.discovery = document;
            mode.discovery_fault = fault;
        });
        desk.advance(TimeDelta::hours(1));
        // The second one follows a failure within a second.
        desk.sign_in(&ASHA).await;
        desk.sign_in(&ASHA).await;
    }
}

#[tokio::test]
async fn a_sign_in_begins_only_at_an_issuer_that_is_up() {
    let desk = Desk::start().await;
    desk.sign_in(&ASHA).await;
    let mut browser = Browser::default();
    let location = desk.begin(&mut browser).await;
    let query = desk.issuer.authorize(&location, &ASHA);
    let requests = desk.issuer.discoveries();
    desk.issuer
        .behave(|mode| mode.discovery_fault = Some(Fault::Status(502)));
    desk.advance(TimeDelta::milliseconds(4999));
    desk.sign_in(&ASHA).await;
    assert_eq!(desk.issuer.discoveries(), requests, "up five seconds ago");

    desk.advance(TimeDelta::milliseconds(1));
    let error = refused(&desk.staff).await;
    assert!(
        matches!(error, IssuerError::Status(status) if status == 502),
        "{error}"
    );
    for _ in 0..10 {
        let error = refused(&desk.staff).await;
        assert!(
            matches!(error, IssuerError::FailedBefore { is_down: true }),
            "{error}"
        );
    }
    assert_eq!(desk.issuer.discoveries(), requests + 1);
    let finished = desk.staff.finish(&query, &browser.headers()).await;
    finished.expect("a person who has signed in there needs its document no more");

    desk.issuer.behave(|_| {});
    desk.advance(TimeDelta::seconds(1));
    desk.sign_in(&ASHA).await;
}

#[tokio::test]
async fn a_document_that_cannot_be_trusted_is_refused() {
    type Expected = fn(&IssuerError) -> bool;
    let cases: [(Value, Option<Fault>, Expected); 9] = [
        (json!({ "issuer": "https://evil.example" }), None, |error| {
            matches!(error, IssuerError::OtherIssuer)
        }),
        (
            json!({ "token_endpoint": "http://evil.example/token" }),
            None,
            |error| {
                matches!(
                    error,
                    IssuerError::Endpoint {
                        name: "token_endpoint"
                    }
                )
            },
        ),
        (
            json!({ "jwks_uri": "http://evil.example/jwks" }),
            None,
            |error| matches!(error, IssuerError::Endpoint { name: "jwks_uri" }),
        ),
        (
            json!({ "authorization_endpoint": "javascript:alert(1)" }),
            None,
            |error| matches!(error, IssuerError::Endpoint { .. }),
        ),
        (json!({ "token_endpoint": null }), None, |error| {
            matches!(error, IssuerError::Malformed { .. })
        }),
        (json!({}), Some(Fault::NoJson), |error| {
            matches!(error, IssuerError::Malformed { .. })
        }),
        (json!({}), Some(Fault::Long), |error| {
            matches!(error, IssuerError::TooLong { bytes_max: 65536 })
        }),
        (
            json!({}),
            Some(Fault::Redirect),
            |error| matches!(error, IssuerError::Status(status) if *status == 307),
        ),
        (
            json!({ "token_endpoint_auth_methods_supported": ["tls_client_auth"] }),
            None,
            |error| matches!(error, IssuerError::ClientAuthentication),
        ),
    ];
    for (document, fault, is_expected) in cases {
        let desk = failing(|mode| {
            mode.discovery = document.clone();
            mode.discovery_fault = fault;
        })
        .await;
        let error = refused(&desk.staff).await;
        assert!(is_expected(&error), "{document} {fault:?}: {error}");
        let logout = desk.staff.back_channel_logout(b"logout_token=a.b.c").await;
        let logout = logout.expect_err("no keys");
        assert!(
            matches!(logout, LogoutError::Unavailable(Some(_))),
            "{logout}"
        );
        assert_eq!(logout.status(), 503);
    }
}

#[tokio::test]
async fn a_slow_issuer_holds_a_sign_in_for_five_seconds_at_most() {
    let desk = Desk::with(|issuer| {
        issuer.behave(|mode| mode.discovery_fault = Some(Fault::Hangs));
    })
    .await;
    let started = Instant::now();
    let error = refused(&desk.staff).await;
    // The request at the start may have waited before.
    let is_slow = matches!(
        error,
        IssuerError::Slow { seconds_max: 5 } | IssuerError::FailedBefore { .. }
    );
    assert!(is_slow, "{error}");
    assert!(started.elapsed() < Duration::from_secs(8));
}

#[tokio::test]
async fn requests_that_waited_for_a_slow_issuer_do_not_wait_again() {
    let desk = Desk::with(|issuer| {
        issuer.behave(|mode| mode.discovery_fault = Some(Fault::Hangs));
    })
    .await;
    let started = Instant::now();
    let waiting = (0..8).map(|_| refused(&desk.staff));
    futures::future::join_all(waiting).await;
    assert!(started.elapsed() < Duration::from_secs(8));
    assert_eq!(desk.issuer.discoveries(), 1);
}

#[tokio::test]
async fn a_slow_issuer_holds_the_end_of_a_sign_in_for_ten_seconds_at_most() {
    let desk = Desk::start().await;
    desk.begin(&mut Browser::default()).await;
    // Both end after ten minutes, the document 4 s before the pending sign-in.
    desk.advance(TimeDelta::seconds(4));
    let mut browser = Browser::default();
    let location = desk.begin(&mut browser).await;
    let query = desk.issuer.authorize(&location, &ASHA);
    desk.advance(TimeDelta::seconds(596));
    // The document takes 5 s, the token 4 s, and the unknown key another 5 s.
    desk.issuer.behave(|mode| {
        mode.discovery_fault = Some(Fault::Hangs);
        mode.token_delay = Duration::from_secs(4);
        mode.header = json!({ "kid": "new" });
        mode.keys_fault = Some(Fault::Hangs);
    });
    let started = Instant::now();
    let error = desk.staff.finish(&query, &browser.headers()).await;
    let error = error.map(|_| ()).expect_err("too slow");
    assert!(
        matches!(
            error,
            SignInError::Unavailable(IssuerError::Slow { seconds_max: 10 })
        ),
        "{error}"
    );
    assert_eq!(error.status(), 503);
    assert!(started.elapsed() < Duration::from_secs(12));
}

#[tokio::test]
async fn there_is_no_staff_area_without_an_issuer() {
    let desk = Desk::start().await;
    let none = Staff::start(
        &SessionConfig::default(),
        "",
        std::sync::Arc::clone(&desk.clock) as _,
    );
    assert!(none.expect("allowed").is_none());
}
