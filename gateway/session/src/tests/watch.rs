//! Sessions of responses that outlive their request.

use chrono::TimeDelta;
use futures::FutureExt as _;
use http::HeaderMap;

use super::{
    desk::Desk,
    issuer::{ASHA, RAVI},
    sign_out::{claims, log_out},
};

#[tokio::test]
async fn watching_does_not_keep_a_session_awake() {
    let desk = Desk::start().await;
    let mut browser = desk.sign_in(&ASHA).await;
    let watch = desk.staff.watch(&browser.headers()).expect("a session");
    assert_eq!(watch.subject(), ASHA.subject);
    assert_eq!(watch.time_left(), TimeDelta::minutes(30).to_std().unwrap());
    desk.advance(TimeDelta::minutes(29));
    assert!(watch.scopes().is_some());
    // A request renews the cookie. The watch ends all the same, and the browser opens another one.
    assert!(desk.request(&mut browser).is_some());
    desk.advance(TimeDelta::minutes(1));
    assert_eq!(watch.scopes(), None);
    assert!(watch.time_left().is_zero());
    let renewed = desk.staff.watch(&browser.headers()).expect("a session");
    assert_eq!(
        renewed.time_left(),
        TimeDelta::minutes(29).to_std().unwrap()
    );
    assert!(desk.staff.watch(&HeaderMap::new()).is_none());
}

#[tokio::test]
async fn watch_is_notified_of_a_sign_out() {
    let desk = Desk::start().await;
    let (asha, ravi) = (desk.sign_in(&ASHA).await, desk.sign_in(&RAVI).await);
    let mut of_asha = desk.staff.watch(&asha.headers()).expect("a session");
    let mut of_ravi = desk.staff.watch(&ravi.headers()).expect("a session");
    assert!(of_asha.any_ended().now_or_never().is_none());
    desk.staff.sign_out(&asha.headers()).await;
    of_asha.any_ended().await;
    of_ravi.any_ended().await;
    assert_eq!(of_asha.scopes(), None);
    assert!(of_ravi.scopes().is_some());
}

#[tokio::test]
async fn watch_is_notified_of_a_logout_by_the_issuer() {
    let desk = Desk::start().await;
    let browser = desk.sign_in(&ASHA).await;
    let mut watch = desk.staff.watch(&browser.headers()).expect("a session");
    let logout = log_out(&desk, &claims(&desk, &ASHA)).await;
    logout.expect("a logout");
    watch.any_ended().await;
    assert_eq!(watch.scopes(), None);
}

#[tokio::test]
async fn watch_sees_a_sign_out_at_another_gateway() {
    let desk = Desk::start().await;
    let browser = desk.sign_in(&ASHA).await;
    let watch = desk.restarted().watch(&browser.headers());
    let watch = watch.expect("a session");
    desk.staff.sign_out(&browser.headers()).await;
    assert_eq!(watch.scopes(), None);
}

#[tokio::test]
async fn watch_uses_the_current_roles() {
    let desk = Desk::start().await;
    let browser = desk.sign_in(&ASHA).await;
    let watch = desk.staff.watch(&browser.headers()).expect("a session");
    assert_eq!(watch.scopes().map(|scopes| scopes.len()), Some(2));
    desk.write("roles.toml", "[roles]\n");
    assert_eq!(watch.scopes(), Some(Vec::new()));
}
