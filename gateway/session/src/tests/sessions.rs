//! Sessions: their ends, their cookies, and attacks on them.

use chrono::TimeDelta;
use http::HeaderMap;

use super::{
    desk::{Browser, Desk, SITE, headers, sealing_keys, text},
    issuer::{ASHA, RAVI},
};

#[tokio::test]
async fn a_session_ends_after_half_an_hour_without_a_request() {
    let desk = Desk::start().await;
    let browser = desk.sign_in(&ASHA).await;
    desk.advance(TimeDelta::seconds(30 * 60 - 1));
    let mut used = browser.clone();
    assert!(desk.request(&mut used).is_some());
    desk.advance(TimeDelta::seconds(1));
    assert!(desk.staff.session(&browser.headers()).is_none());
    assert!(
        desk.request(&mut used).is_some(),
        "the request renewed the cookie"
    );
}

#[tokio::test]
async fn a_cookie_is_renewed_at_most_once_a_minute() {
    let desk = Desk::start().await;
    let mut browser = desk.sign_in(&ASHA).await;
    for (seconds, is_renewed) in [(59, false), (1, true), (59, false), (1, true)] {
        desk.advance(TimeDelta::seconds(seconds));
        let current = desk.staff.session(&browser.headers()).expect("a session");
        assert_eq!(current.set_cookie.is_some(), is_renewed);
        browser.receive(current.set_cookie.as_slice());
    }
}

#[tokio::test]
async fn a_session_ends_after_eight_hours_of_work() {
    let desk = Desk::start().await;
    let mut browser = desk.sign_in(&ASHA).await;
    for _ in 0..8 * 4 - 1 {
        desk.advance(TimeDelta::minutes(15));
        assert!(desk.request(&mut browser).is_some());
    }
    desk.advance(TimeDelta::seconds(15 * 60 - 1));
    assert!(desk.request(&mut browser).is_some());
    desk.advance(TimeDelta::seconds(1));
    assert!(desk.request(&mut browser).is_none());
}

#[tokio::test]
async fn a_session_from_the_future_is_refused() {
    let desk = Desk::start().await;
    let mut browser = desk.sign_in(&ASHA).await;
    desk.advance(TimeDelta::seconds(-30));
    assert!(desk.request(&mut browser).is_some(), "within the leeway");
    desk.advance(TimeDelta::seconds(-1));
    assert!(desk.request(&mut browser).is_none());
}

#[tokio::test]
async fn a_stolen_cookie_does_not_open_an_ended_session() {
    let desk = Desk::start().await;
    let other_gateway = desk.restarted();
    let browser = desk.sign_in(&ASHA).await;
    let stolen = browser.headers();
    assert!(other_gateway.session(&stolen).is_some());
    desk.advance(TimeDelta::minutes(5));
    let mut renewed = browser.clone();
    desk.request(&mut renewed).expect("a session");
    assert_ne!(browser.session(), renewed.session());
    desk.staff.sign_out(&stolen).await;
    for gateway in [&desk.staff, &other_gateway, &desk.restarted()] {
        assert!(gateway.session(&stolen).is_none());
        assert!(gateway.session(&renewed.headers()).is_none());
    }
    let mut other_person = desk.sign_in(&RAVI).await;
    assert!(desk.request(&mut other_person).is_some());
}

#[tokio::test]
async fn without_a_file_a_restart_forgets_ended_sessions() {
    let desk = Desk::start().await;
    let mut config = desk.config();
    config.staff_ended_file = None;
    let start = || desk.start_with(&config, SITE).expect("a staff area");
    let browser = desk.sign_in(&ASHA).await;
    let staff = start();
    staff.sign_out(&browser.headers()).await;
    assert!(staff.session(&browser.headers()).is_none());
    assert!(start().session(&browser.headers()).is_some());
}

#[tokio::test]
async fn a_changed_cookie_is_refused() {
    let desk = Desk::start().await;
    let browser = desk.sign_in(&ASHA).await;
    let cookie = browser.session();
    for place in (0..cookie.len()).step_by(7) {
        let mut changed = cookie.to_owned().into_bytes();
        changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(changed).expect("ASCII");
        let request = headers(&format!("__Host-session={changed}"));
        assert!(desk.staff.session(&request).is_none(), "{place}");
    }
    for value in ["", ".", "a.b", "e30", &cookie[..cookie.len() / 2]] {
        let request = headers(&format!("__Host-session={value}"));
        assert!(desk.staff.session(&request).is_none(), "{value}");
    }
    assert!(desk.staff.session(&HeaderMap::new()).is_none());
}

#[tokio::test]
async fn a_cookie_counts_for_its_purpose_only() {
    let desk = Desk::start().await;
    let mut browser = desk.sign_in(&ASHA).await;
    let location = desk.begin(&mut browser).await;
    let sign_in = browser.cookie("__Host-sign-in").expect("a cookie");
    let session = browser.session();
    let swapped = format!("__Host-session={sign_in}; __Host-sign-in={session}");
    assert!(desk.staff.session(&headers(&swapped)).is_none());
    let query = desk.issuer.authorize(&location, &ASHA);
    let finished = desk.staff.finish(&query, &headers(&swapped)).await;
    assert!(finished.is_err());
    // The name without a prefix is for sites without TLS.
    let plain = format!("session={session}");
    assert!(desk.staff.session(&headers(&plain)).is_none());
}

#[tokio::test]
async fn a_cookie_counts_for_its_site_issuer_and_client_only() {
    let desk = Desk::start().await;
    let browser = desk.sign_in(&ASHA).await;
    let other_site = desk.start_with(&desk.config(), "https://other.example");
    let mut config = desk.config();
    config.staff_client_id = Some("another".to_owned());
    let other_client = desk.start_with(&config, SITE);
    let mut config = desk.config();
    config.staff_issuer = Some("http://127.0.0.1:9".to_owned());
    let other_issuer = desk.start_with(&config, SITE);
    for other in [other_site, other_client, other_issuer] {
        let staff = other.expect("a staff area");
        assert!(staff.session(&browser.headers()).is_none());
    }
    assert!(desk.restarted().session(&browser.headers()).is_some());
}

#[tokio::test]
async fn cookies_of_a_neighbouring_host_do_not_hide_a_session() {
    let desk = Desk::start().await;
    let browser = desk.sign_in(&ASHA).await;
    let own = browser.session();
    for cookie in [
        format!("__Host-session=x; __Host-session={own}"),
        format!("__Host-session={own}; __Host-session=x.y"),
        format!("__Host-session={}; __Host-session={own}", "a".repeat(5000)),
        format!("__Host-session=; a=b; __Host-session={own}; __Host-session={own}"),
    ] {
        let current = desk.staff.session(&headers(&cookie));
        assert_eq!(current.expect("a session").session.subject, "asha-1");
    }
}

#[tokio::test]
async fn two_valid_sessions_in_one_request_are_refused() {
    let desk = Desk::start().await;
    let (asha, ravi) = (desk.sign_in(&ASHA).await, desk.sign_in(&RAVI).await);
    let both = format!(
        "__Host-session={}; __Host-session={}",
        asha.session(),
        ravi.session()
    );
    assert!(desk.staff.session(&headers(&both)).is_none());
    desk.staff.sign_out(&ravi.headers()).await;
    let current = desk.staff.session(&headers(&both)).expect("a session");
    assert_eq!(current.session.subject, "asha-1");
}

#[tokio::test]
async fn a_new_session_that_other_cookies_hide_is_recognised() {
    let desk = Desk::start().await;
    let (asha, ravi) = (desk.sign_in(&ASHA).await, desk.sign_in(&RAVI).await);
    let (own, other) = (asha.session(), ravi.session());
    let mark = asha.cookie("__Host-signed-in").expect("a mark");
    let both = format!("__Host-session={own}; __Host-session={other}");
    let hidden = headers(&format!("{both}; __Host-signed-in={mark}"));
    assert!(desk.staff.session(&hidden).is_none());
    assert!(desk.staff.is_hidden(&hidden));
    assert_eq!(desk.staff.clear_sessions(&hidden, "/staff").len(), 1);
    // An ended session without others leads to the sign-in as ever, also right after a sign-in.
    let ended = format!("__Host-session=x; __Host-signed-in={mark}");
    for cookie in [&*both, &ended, "__Host-signed-in=1"] {
        assert!(!desk.staff.is_hidden(&headers(cookie)), "{cookie}");
    }
    let none = headers("__Host-signed-in=1");
    assert!(desk.staff.clear_sessions(&none, "/staff").is_empty());
}

#[tokio::test]
async fn the_newer_of_two_cookies_of_a_session_counts() {
    let desk = Desk::start().await;
    let older = desk.sign_in(&ASHA).await;
    let mut newer = older.clone();
    desk.advance(TimeDelta::minutes(20));
    desk.request(&mut newer).expect("a session");
    for (one, other) in [(&older, &newer), (&newer, &older)] {
        let both = format!(
            "__Host-session={}; __Host-session={}",
            one.session(),
            other.session()
        );
        let current = desk.staff.session(&headers(&both)).expect("a session");
        assert!(
            current.set_cookie.is_none(),
            "the older one would be renewed"
        );
    }
}

#[tokio::test]
async fn keys_rotate_without_signing_people_out() {
    let desk = Desk::start().await;
    let idle = desk.sign_in(&ASHA).await;
    let mut active = idle.clone();
    let mut pending = Browser::default();
    let location = desk.begin(&mut pending).await;

    desk.write("keys", &sealing_keys(&[2, 1]));
    assert!(desk.staff.session(&idle.headers()).is_some());
    desk.advance(TimeDelta::minutes(1));
    desk.request(&mut active).expect("renewed with the new key");
    let query = desk.issuer.authorize(&location, &RAVI);
    let finished = desk.staff.finish(&query, &pending.headers()).await;
    finished.expect("the old key opens a pending sign-in");

    desk.write("keys", &sealing_keys(&[2]));
    assert!(desk.staff.session(&active.headers()).is_some());
    assert!(
        desk.staff.session(&idle.headers()).is_none(),
        "its key is unknown"
    );

    desk.write("keys", "no key");
    assert!(
        desk.staff.session(&active.headers()).is_some(),
        "the last good keys stay"
    );
}

#[tokio::test]
async fn changed_roles_apply_to_people_who_are_signed_in() {
    let desk = Desk::start().await;
    let mut browser = desk.sign_in(&ASHA).await;
    desk.write("roles.toml", "[roles]\nfrontdesk = [\"rosters:read\"]\n");
    let session = desk.request(&mut browser).expect("a session");
    assert_eq!(session.scopes, ["rosters:read"]);
    desk.write("roles.toml", "[roles]\n");
    let session = desk.request(&mut browser).expect("a session");
    assert!(session.scopes.is_empty());
}

#[tokio::test]
async fn a_doctor_signs_in_to_the_own_day_while_the_file_says_so() {
    const ROLES: &str = "[roles]\nfrontdesk = [\"appointments:read\"]\n";
    let desk = Desk::start().await;
    let doctors = format!("{ROLES}[doctors]\n{} = \"doc-06\"\n", ASHA.subject);
    desk.write("roles.toml", &doctors);
    let mut browser = Browser::default();
    let signed_in = desk.try_sign_in(&mut browser, &ASHA).await;
    let signed_in = signed_in.expect("a sign-in");
    assert_eq!(signed_in.location, "/staff/today");
    assert_eq!(signed_in.session.doctor.as_deref(), Some("doc-06"));
    let other = desk.try_sign_in(&mut Browser::default(), &RAVI).await;
    let other = other.expect("a sign-in");
    assert_eq!(
        (other.session.doctor, text(&other.location).as_str()),
        (None, "/staff")
    );

    desk.write("roles.toml", &doctors.replace("doc-06", "doc-07"));
    let session = desk.request(&mut browser).expect("a session");
    assert_eq!(session.doctor.as_deref(), Some("doc-07"));
    // A refused file changes nothing.
    desk.write("roles.toml", &doctors.replace("doc-06", "doc 6"));
    let session = desk.request(&mut browser).expect("a session");
    assert_eq!(session.doctor.as_deref(), Some("doc-07"));
    desk.write("roles.toml", ROLES);
    let session = desk.request(&mut browser).expect("a session");
    assert_eq!(session.doctor, None);
}

#[tokio::test]
async fn a_site_without_tls_has_plain_names() {
    let desk = Desk::start().await;
    let staff = desk.start_with(&desk.config(), "http://127.0.0.1:8080");
    let desk = Desk {
        staff: staff.expect("a staff area"),
        ..desk
    };
    let mut browser = desk.sign_in(&ASHA).await;
    assert!(browser.cookie("session").is_some());
    assert!(desk.request(&mut browser).is_some());
    let refused = desk.start_with(&desk.config(), "http://hospital.example");
    let error = refused.expect_err("readable on the network").to_string();
    assert!(error.starts_with("SITE_ORIGINS must"), "{error}");
}

#[tokio::test]
async fn a_file_that_cannot_be_used_is_named_at_the_start() {
    let desk = Desk::start().await;
    for (file, setting) in [
        ("keys", "SESSION_KEYS_FILE: "),
        ("secret", "STAFF_CLIENT_SECRET_FILE: "),
        ("roles.toml", "STAFF_ROLES: "),
        ("token.der", "TOKEN_KEY_FILE: "),
        ("ended", "STAFF_ENDED_FILE: "),
    ] {
        let path = desk.path(file);
        let kept = std::fs::read(&path).expect("a file");
        desk.write(
            file,
            "\u{1}nothing of use, in more than forty bytes of text",
        );
        let refused = desk.start_with(&desk.config(), SITE);
        let error = refused.expect_err(file).to_string();
        assert!(error.starts_with(setting), "{error}");
        assert!(error.contains(file), "{error}");
        std::fs::write(&path, kept).expect("a file");
    }
    desk.restarted();
}
