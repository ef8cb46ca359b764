//! S8: repeated creates without an idempotency key.

use http::Method;

use crate::gateway_under_test::{Answer, GatewayUnderTest, start};

const BODY: &str = r#"{"title":"Emma"}"#;

/// Returns the id of the created book. The library uses the request id as the id of the book.
fn request_id(answer: &Answer) -> String {
    assert_eq!(answer.status, 201, "{:?}", answer.body);
    answer.json()["id"].as_str().unwrap().to_owned()
}

async fn create_from(gateway: &GatewayUnderTest, address: &str, body: &str) -> Answer {
    let ask = gateway.ask(Method::POST, "/api/books").write();
    let ask = ask.header("x-forwarded-for", address);
    ask.body(body.to_owned()).send().await
}

#[tokio::test]
async fn derives_the_same_key_for_a_repeated_create() {
    let (gateway, _library) = start(&[]).await;
    let first = gateway.post("/api/books", BODY).await;
    let key = request_id(&first);
    assert_eq!(key.len(), 64);
    assert_eq!(first.header("idempotency-key"), key);
    // The formatting of the body does not matter.
    let again = gateway.post("/api/books", r#"{ "title" : "Emma" }"#).await;
    assert_eq!(request_id(&again), key);
    let other = gateway
        .post("/api/books", r#"{"title":"Persuasion"}"#)
        .await;
    assert_ne!(request_id(&other), key);
    // A refusal carries the key too: a retry may succeed.
    let refused = gateway.post("/api/books", r#"{"title":"Taken"}"#).await;
    refused.problem(409);
    assert_eq!(refused.header("idempotency-key").len(), 64);
}

#[tokio::test]
async fn derives_another_key_for_another_network() {
    let (gateway, _library) = start(&["--trusted-hops=1"]).await;
    let one = create_from(&gateway, "203.0.113.9", BODY).await;
    let other = create_from(&gateway, "203.0.113.10", BODY).await;
    assert_ne!(request_id(&one), request_id(&other));
    let phone = create_from(&gateway, "2001:db8:1:2::1", BODY).await;
    let moved = create_from(&gateway, "2001:db8:1:2::9", BODY).await;
    assert_eq!(request_id(&phone), request_id(&moved));
}

#[tokio::test]
async fn keeps_the_clients_key() {
    let (gateway, _library) = start(&[]).await;
    let ask = gateway.ask(Method::POST, "/api/books").write();
    let answer = ask.header("idempotency-key", "own").body(BODY).send().await;
    assert_eq!(request_id(&answer), "own");
    assert_eq!(answer.header("idempotency-key"), "");
}

#[tokio::test]
async fn gateways_with_one_key_file_derive_the_same_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("form.key");
    std::fs::write(&path, [7; 32]).unwrap();
    let flag = format!("--form-key-file={}", path.display());
    let (one, _library) = start(&[&flag]).await;
    let (other, _other_library) = start(&[&flag]).await;
    let (stranger, _third_library) = start(&[]).await;
    // A ten-minute period of the clock may end between two of them.
    let mut keys = (String::new(), String::new());
    for _ in 0..2 {
        let body = format!(r#"{{"title":"{}"}}"#, keys.0.len());
        keys.0 = request_id(&one.post("/api/books", &body).await);
        keys.1 = request_id(&other.post("/api/books", &body).await);
        if keys.0 == keys.1 {
            break;
        }
    }
    assert_eq!(keys.0, keys.1);
    assert_ne!(
        keys.0,
        request_id(&stranger.post("/api/books", r#"{"title":"0"}"#).await)
    );
}

#[tokio::test]
async fn description_marks_the_key_as_optional() {
    let (gateway, _library) = start(&[]).await;
    let description = gateway.get("/api/openapi.json").await.json();
    let create = &description["paths"]["/books"]["post"];
    let parameters = create["parameters"].as_array().unwrap();
    let key = parameters.iter().find(|p| p["name"] == "Idempotency-Key");
    let key = key.expect("it is described");
    assert_ne!(key["required"], true);
    assert!(key["description"].as_str().unwrap().contains("10 minutes"));
    assert!(create["responses"]["201"]["headers"]["Idempotency-Key"].is_object());
}
