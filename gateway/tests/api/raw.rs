//! Responses other than JSON: `google.api.HttpBody`.

use http::Method;

use crate::gateway_under_test::start;

const PRINT: &str = "/api/diaries/SH-1/print";
const PRINTED: &[u8] = b"BEGIN\r\n\0";

#[tokio::test]
async fn sends_a_raw_body_unchanged_and_uncached() {
    let (gateway, library) = start(&[]).await;
    for _ in 0..2 {
        let ask = gateway.ask(Method::GET, &format!("{PRINT}?as=application/fhir%2Bjson"));
        let answer = ask.header("accept-encoding", "gzip").send().await;
        assert_eq!(answer.status, 200, "{:?}", answer.body);
        assert_eq!(&*answer.body, PRINTED);
        assert_eq!(answer.header("content-type"), "application/fhir+json");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("content-disposition"), "");
    }
    assert_eq!(library.calls(), 2, "it was cached");
}

#[tokio::test]
async fn sends_a_calendar_as_an_attachment() {
    let (gateway, _library) = start(&[]).await;
    let path = format!("{PRINT}?as=text/calendar;%20charset%3Dutf-8");
    let answer = gateway.get(&path).await;
    assert_eq!(
        answer.header("content-type"),
        "text/calendar; charset=utf-8"
    );
    let disposition = "attachment; filename=\"diary.ics\"";
    assert_eq!(answer.header("content-disposition"), disposition);
    let head = gateway.ask(Method::HEAD, &path).send().await;
    assert_eq!(head.status, 200);
    assert!(head.body.is_empty());
    assert_eq!(head.header("content-length"), PRINTED.len().to_string());
    assert_eq!(head.header("content-type"), answer.header("content-type"));
    assert_eq!(head.header("content-disposition"), disposition);
}

#[tokio::test]
async fn never_sends_a_malformed_media_type() {
    let (gateway, _library) = start(&[]).await;
    for bad in ["", "text", "text/html%0D%0Ax-evil:1", "a%20b/c"] {
        let answer = gateway.get(&format!("{PRINT}?as={bad}")).await;
        answer.problem(500);
        assert_eq!(answer.header("x-evil"), "", "{bad}");
    }
}
