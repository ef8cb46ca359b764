//! Native posts in version 2 of the contract, beside modules of version 1 on the same site.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::site::Site;

/// Returns the `action` that each form of the page was rendered with, by the form's part.
fn actions(html: &str) -> Vec<(String, Value)> {
    let forms = html.split("<form data-part=\"").skip(1);
    forms
        .map(|form| {
            let (part, rest) = form.split_once("\"><output>").expect("an output element");
            let (json, _) = rest.split_once("</output>").expect("its end");
            let json = json
                .replace("&quot;", "\"")
                .replace("&lt;", "<")
                .replace("&amp;", "&");
            let action = serde_json::from_str(&json).expect("JSON");
            (part.to_owned(), action)
        })
        .collect()
}

fn action(html: &str) -> Value {
    let mut found = actions(html);
    assert_eq!(found.len(), 1, "{html}");
    found.remove(0).1
}

#[tokio::test(flavor = "multi_thread")]
async fn passes_repeated_values_in_order() {
    let site = Site::start().await;
    let reply = site
        .post(
            "/entry",
            "day=Tue&name=A+%26+B&day=Mon&part=ward%3A%2Fentry",
        )
        .await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
    let shown = action(reply.text());
    let form = json!({"day": ["Tue", "Mon"], "name": ["A & B"]});
    assert_eq!(shown["form"], form, "the reserved field is not in it");
    assert_eq!(shown["result"]["status"], 201);
    assert_eq!(shown["result"]["body"]["days"], json!(["Tue", "Mon"]));
    let kept = site.upstream.ledger.entries();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].json["days"], json!(["Tue", "Mon"]));
    // A module of contract version 1 still gets one value.
    let old = site.post("/book", "service=&name=one&name=two").await;
    assert!(
        old.text().contains("&quot;name&quot;:&quot;two&quot;"),
        "{}",
        old.text()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn passes_address_parameters_to_the_action() {
    let site = Site::start().await;
    // The request of a mail provider for one-click unsubscription (RFC 8058): no part, no origin, an identical body for
    // all.
    let body = "List-Unsubscribe=One-Click";
    for reference in ["a", "b", "b"] {
        let reply = site
            .post(&format!("/entry?ref={reference}&unknown=1"), body)
            .await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
    }
    let kept = site.upstream.ledger.entries();
    let names: Vec<_> = kept.iter().map(|entry| &entry.json["name"]).collect();
    assert_eq!(names, ["a of {}", "b of {}"], "the same post twice is one");
}

#[tokio::test(flavor = "multi_thread")]
async fn routes_a_form_to_the_named_part_only() {
    let site = Site::start().await;
    let reply = site
        .post("/desks", "name=Asha&part=ward%3Aother-form")
        .await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
    let html = reply.text();
    assert!(
        html.contains("<p data-part=\"ward:/desks\">plain, null</p>"),
        "{html}"
    );
    let shown = actions(html);
    assert_eq!(shown[0], ("ward:desk-form".to_owned(), Value::Null));
    assert_eq!(shown[1].0, "ward:other-form");
    assert_eq!(shown[1].1["form"], json!({"name": ["Asha"]}));
    assert_eq!(shown[1].1["result"]["body"]["name"], "Asha");
    // A fragment without an action, one that is not on the page, and an invalid name.
    for part in [
        "clinic%3Agreeting",
        "ward%3A%2Fentry",
        "x",
        "ward%3A%2Fdesks",
    ] {
        let reply = site.post("/desks", &format!("name=Asha&part={part}")).await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{part}");
    }
    // Without a part, the page's only action takes the form. With two actions the form is ambiguous.
    let only = site.post("/desk", "name=Ravi").await;
    assert_eq!(action(only.text())["form"], json!({"name": ["Ravi"]}));
    let which = site.post("/desks", "name=Ravi").await;
    assert_eq!(which.status, StatusCode::BAD_REQUEST);
    assert_eq!(site.upstream.ledger.entries().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn sends_every_method_and_a_precondition() {
    let site = Site::start().await;
    let ledger = &site.upstream.ledger;
    ledger.write("one", json!({"name": "before", "days": ["Mon"]}));
    let reply = site
        .post("/entry", "method=PATCH&id=one&name=patched&day=Tue")
        .await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
    let body = &action(reply.text())["result"]["body"];
    assert_eq!(
        (&body["name"], &body["days"]),
        (&json!("patched"), &json!(["Mon"]))
    );
    let lost = site
        .post(
            "/entry",
            "method=PUT&id=one&name=kept&header=If-Match%3D%22v1%22",
        )
        .await;
    assert!(lost.status.is_client_error(), "{}", lost.status);
    let shown = action(lost.text());
    assert_eq!(shown["result"]["ok"], false);
    assert_eq!(shown["form"]["name"], json!(["kept"]), "what was typed");
    let put = site
        .post(
            "/entry",
            "method=PUT&id=one&name=new&header=If-Match%3D%22v2%22&header=x-secret%3Ds",
        )
        .await;
    assert_eq!(put.status, StatusCode::OK, "{}", put.text());
    let read = site.post("/entry", "method=GET&id=one").await;
    assert_eq!(action(read.text())["result"]["body"]["name"], "new");
    let gone = site.post("/entry", "method=DELETE&id=one").await;
    assert_eq!(gone.status, StatusCode::OK, "a page has a body");
    let result = &action(gone.text())["result"];
    assert_eq!(*result, json!({"ok": true, "status": 204, "body": null}));
    assert!(ledger.entries().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn rerendering_form_makes_no_call() {
    let site = Site::start().await;
    let reply = site.post("/entry", "method=none&name=kept").await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
    let shown = action(reply.text());
    assert_eq!(shown["form"]["name"], json!(["kept"]));
    assert_eq!(
        shown["result"],
        json!({"ok": true, "status": 204, "body": null})
    );
    assert!(!reply.text().contains("data-notice"), "{}", reply.text());
    assert!(site.upstream.ledger.entries().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn does_not_send_disallowed_requests() {
    let site = Site::start().await;
    for field in [
        "method=TRACE",
        "header=x-forwarded-for%3D1.2.3.4",
        "header=authorization%3DBearer",
        "header=x-client-id%3D1",
        "path=%2F..%2Fmetrics",
    ] {
        let reply = site.post("/entry", &format!("name=kept&{field}")).await;
        assert!(reply.status.is_server_error(), "{field}: {}", reply.text());
        let shown = action(reply.text());
        assert_eq!(shown["form"]["name"], json!(["kept"]), "{field}");
        assert_eq!(shown["result"]["ok"], false, "{field}");
    }
    assert!(site.upstream.ledger.entries().is_empty());
    // Headers and other methods need contract version 2.
    let old = site.post("/book", "service=&path=%2Fhealth-checks").await;
    assert_eq!(old.status, StatusCode::OK, "{}", old.text());
}
