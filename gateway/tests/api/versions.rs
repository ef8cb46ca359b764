//! Versions of resources: `ETag` in responses, `If-Match` in requests, and refused lost updates.

use http::Method;

use crate::{
    gateway_under_test::{Answer, GatewayUnderTest, start},
    issuer::{AUDIENCE, Issuer},
    library::Library,
};

const VOLUME: &str = "/api/volumes/1";

struct Editor {
    gateway: GatewayUnderTest,
    library: Library,
    issuer: Issuer,
}

impl Editor {
    async fn start() -> Self {
        let issuer = Issuer::new();
        let (gateway, library) =
            start(&issuer.flags(AUDIENCE).each_ref().map(String::as_str)).await;
        library.write("1", &"long ".repeat(500));
        Self {
            gateway,
            library,
            issuer,
        }
    }

    async fn change(&self, method: Method, if_match: Option<&str>) -> Answer {
        let has_body = method != Method::DELETE;
        let mut ask = self.gateway.ask(method, VOLUME).write();
        let token = self.issuer.bearer("volumes.write", "hospital-api", 60);
        ask = ask.header("authorization", &token);
        if let Some(tag) = if_match {
            ask = ask.header("if-match", tag);
        }
        if has_body {
            ask = ask.body(r#"{"text":"new"}"#);
        }
        ask.send().await
    }
}

#[tokio::test]
async fn accepts_the_tag_of_a_read_for_an_update() {
    let editor = Editor::start().await;
    let read = editor.gateway.get(VOLUME).await;
    assert_eq!(read.header("etag"), "\"v1\"");
    let known = editor.gateway.ask(Method::GET, VOLUME);
    let known = known.header("if-none-match", "\"v1\"").send().await;
    assert_eq!(known.status, 304);
    let changed = editor.change(Method::PUT, Some("\"v1\"")).await;
    assert_eq!(changed.status, 200, "{:?}", changed.body);
    assert_eq!(changed.header("etag"), "\"v2\"");
    assert_eq!(changed.json()["text"], "new");
    // The change invalidated the cached response of this address.
    let read = editor.gateway.get(VOLUME).await;
    assert_eq!(read.header("etag"), "\"v2\"");
    assert_eq!(read.json()["text"], "new");
}

#[tokio::test]
async fn accepts_the_tag_of_a_compressed_read_for_an_update() {
    let editor = Editor::start().await;
    let ask = editor.gateway.ask(Method::GET, VOLUME);
    let read = ask.header("accept-encoding", "gzip").send().await;
    assert_eq!(read.header("content-encoding"), "gzip");
    let tag = read.header("etag");
    assert_ne!(tag, "\"v1\"", "two codings, two strong tags");
    assert_eq!(editor.change(Method::PUT, Some(tag)).await.status, 200);
}

#[tokio::test]
async fn refuses_a_lost_update() {
    let editor = Editor::start().await;
    editor.library.write("1", "written by another");
    for method in [Method::PUT, Method::DELETE] {
        let answer = editor.change(method, Some("\"v1\"")).await;
        let problem = answer.problem(412);
        assert_eq!(problem["reason"], "ETAG_MISMATCH");
        assert_eq!(problem["detail"], "The volume has changed meanwhile.");
    }
    for any in [Some("*"), None] {
        assert_eq!(editor.change(Method::PUT, any).await.status, 200);
    }
    for bad in ["v1", "W/\"v1\"", "\"v1\", \"v2\""] {
        let answer = editor.change(Method::PUT, Some(bad)).await;
        answer.problem(400);
        assert_eq!(answer.fields(), ["etag"], "{bad}");
    }
}

#[tokio::test]
async fn delete_answers_204_without_a_body() {
    let editor = Editor::start().await;
    assert_eq!(editor.gateway.get(VOLUME).await.status, 200);
    let answer = editor.change(Method::DELETE, Some("\"v1\"")).await;
    assert_eq!(answer.status, 204, "{:?}", answer.body);
    assert!(answer.body.is_empty());
    assert_eq!(answer.header("content-type"), "");
    editor.gateway.get(VOLUME).await.problem(404);
    editor.change(Method::DELETE, None).await.problem(404);
}

#[tokio::test]
async fn description_marks_versioned_operations() {
    let editor = Editor::start().await;
    let description = editor.gateway.get("/api/openapi.json").await.json();
    let volume = &description["paths"]["/volumes/{volume_id}"];
    let names = |method: &str| -> Vec<String> {
        let parameters = volume[method]["parameters"].as_array().unwrap();
        parameters
            .iter()
            .map(|p| format!("{} {}", p["in"], p["name"]).replace('"', ""))
            .collect()
    };
    for method in ["put", "delete"] {
        assert!(names(method).contains(&"header If-Match".to_owned()));
        assert!(!names(method).contains(&"query etag".to_owned()));
        assert!(volume[method]["responses"]["412"].is_object());
    }
    assert!(!names("get").contains(&"header If-Match".to_owned()));
    assert!(volume["get"]["responses"]["200"]["headers"]["ETag"].is_object());
    assert!(volume["delete"]["responses"]["204"]["content"].is_null());
    assert!(volume["delete"]["responses"]["200"].is_null());
}
