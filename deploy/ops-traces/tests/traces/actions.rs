//! The start page: visitors' actions by route.

use crate::running::Running;
use crate::spans::{export, failed, lasting, span, text, trace_id, with};

#[tokio::test]
async fn groups_visitors_requests_by_route() {
    let running = Running::start(&[]).await;
    let empty = running.get("/").await.text();
    assert!(empty.contains("No visitor’s request"), "{empty}");

    let request = |trace, name, route| with(span(trace, 1, 0, name), &[text("http.route", route)]);
    let bookings = "POST /api/appointments";
    running
        .send(export(
            "gateway",
            vec![
                lasting(request(1, bookings, "/api/appointments"), 1_200),
                failed(request(2, bookings, "/api/appointments"), "down"),
                request(3, "GET /doctors", "/doctors"),
                request(4, "GET file", "file"),
                request(1_000, "GET /old", "/old"),
                span(5, 1, 0, "GET without route"),
            ],
        ))
        .await;
    let call = span(1, 2, 1, "rpc");
    let call = with(call, &[text("rpc.method", "a.v1.B/CreateAppointment")]);
    running.send(export("svc-booking", vec![call])).await;
    let page = running.get("/").await.text();
    for part in [
        ">POST /api/appointments</a><small>calls CreateAppointment</small>",
        "data-head=\"Requests\">2<",
        "1 (50 %)</a>",
        "data-head=\"p95\">1.2 s<",
        &format!("href=\"/trace/{}\"", trace_id(1)),
        "operation=GET+%2Fdoctors",
        "data-head=\"Errors\">none<",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    for absent in ["GET file", "/old", "without route"] {
        assert!(!page.contains(absent), "{absent}: {page}");
    }
    let (first, second) = (page.find("POST /api"), page.find("GET /doctors"));
    assert!(first < second, "the most frequent action comes first");
    running.stop().await;
}
