//! Callers with a valid staff token have a rate limit of their own.

use crate::{
    gateway_under_test::{GatewayUnderTest, start},
    issuer::{AUDIENCE, Issuer},
};

async fn read_as(gateway: &GatewayUnderTest, authorization: &str) -> u16 {
    let ask = gateway.ask(http::Method::GET, "/api/secret");
    let answer = ask.header("authorization", authorization).send().await;
    answer.status.as_u16()
}

#[tokio::test]
async fn applies_the_staff_rate_to_valid_tokens_only() {
    let issuer = Issuer::new();
    let flags = issuer.flags(AUDIENCE);
    let mut flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    flags.extend(["--visitor-calls-max=10", "--staff-calls-max=20"]);
    let (gateway, library) = start(&flags).await;
    let token = issuer.bearer("books.read", AUDIENCE, 60);
    for _ in 0..20 {
        assert_eq!(read_as(&gateway, &token).await, 200);
    }
    assert_eq!(read_as(&gateway, &token).await, 429);
    // Invalid tokens count at a visitor's rate.
    let other_scope = issuer.bearer("books.write", AUDIENCE, 60);
    for n in 0..10 {
        let (tried, status) = if n % 2 == 0 {
            ("Bearer x.y.z", 401)
        } else {
            (other_scope.as_str(), 403)
        };
        assert_eq!(read_as(&gateway, tried).await, status);
    }
    assert_eq!(read_as(&gateway, "Bearer x.y.z").await, 429);
    assert_eq!(library.calls(), 20);
}
