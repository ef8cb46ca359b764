//! Caller data that an upstream receives for a native form: the same as for a script's call.

use axum::http::{Method, StatusCode};

use crate::site::{Reply, Site};

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

async fn call(site: &Site, headers: &[(&str, &str)], form: &str) -> Reply {
    let headers = [&[FORM], headers].concat();
    let form = format!("path=%2Fcallers&{form}");
    site.send(Method::POST, "/entry", &headers, &form).await
}

/// Whether the page shows that the upstream received `name: value`.
fn says(reply: &Reply, name: &str, value: &str) -> bool {
    let pair = format!("&quot;{name}&quot;:&quot;{value}&quot;");
    reply.text().contains(&pair)
}

#[tokio::test(flavor = "multi_thread")]
async fn forwards_the_visitors_network_and_secret() {
    let site = Site::start_with(&["--trusted-hops=1"]).await;
    let headers = [
        ("x-forwarded-for", "198.51.100.1, 203.0.113.77"),
        ("client-network", "192.0.2.0/24"),
    ];
    let reply = call(&site, &headers, "header=x-entry-secret%3Dabc").await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
    assert_eq!(reply.header("cache-control"), "no-store");
    assert!(says(&reply, "client-network", "203.0.113.0/24"));
    assert!(says(&reply, "x-entry-secret", "abc"));
    assert!(!reply.text().contains("client-id"), "{}", reply.text());
    assert!(!reply.text().contains("192.0.2"), "{}", reply.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_a_form_without_its_secret() {
    let site = Site::start().await;
    for form in [
        "name=kept",
        "header=x-other-secret%3Dabc",
        "header=x-entry-secret%3Da%20b",
    ] {
        let reply = call(&site, &[("x-entry-secret", "abc")], form).await;
        assert_eq!(reply.status, StatusCode::FORBIDDEN, "{form}");
        assert!(!reply.text().contains("127.0.0"), "{}", reply.text());
    }
}
