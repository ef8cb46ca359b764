//! Leave that doctors ask for: limits, retries, decisions of two people at once, and what is stored.

use std::time::Duration;

use chrono::TimeDelta;
use futures::future::join_all;
use hospital_proto::booking::v1::{
    LeaveRequestState, ListLeaveRequestsRequest, ListOwnLeaveRequestsRequest,
};
use svc_booking::domain::retention::Retention;
use test_kit::on_both_databases;

use crate::{
    fixture::{Bench, Hospital, MONDAY, TUESDAY, now},
    leave_requests::{ASK, asked, by, client, decline, grant, own, wanted, withdraw},
    serving::{ROSTERS_WRITE, Serving, reason, violated},
};

on_both_databases!(test_kit::bench::empty:
    a_doctor_has_at_most_twenty_waiting_requests,
    a_retried_request_is_stored_once,
    concurrent_decisions_are_made_once,
    a_decided_request_names_its_state,
    lists_are_paged,
    texts_are_sealed_and_requests_expire,
);

async fn a_doctor_has_at_most_twenty_waiting_requests(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let day = |number: i64| (now() + TimeDelta::days(number)).date_naive().to_string();
    for number in 0..19 {
        asked(&serving, "d1", wanted(&day(number), &day(number)))
            .await
            .expect("stored");
    }
    // Two at once for the last place.
    let last = [day(30), day(31)];
    let both = join_all(
        last.iter()
            .map(|day| asked(&serving, "d1", wanted(day, day))),
    )
    .await;
    let refused: Vec<_> = both
        .iter()
        .filter_map(|answer| answer.as_ref().err())
        .collect();
    assert_eq!(refused.len(), 1);
    assert_eq!(reason(refused[0]), "LEAVE_REQUESTS_MAX");
    asked(&serving, "d2", wanted(MONDAY, MONDAY))
        .await
        .expect("another doctor");
    let first = own(&serving, "d1").await.pop().expect("one");
    withdraw(&serving, "d1", &first.id, "1")
        .await
        .expect("withdrawn");
    asked(&serving, "d1", wanted(&day(40), &day(40)))
        .await
        .expect("a place is free");
    serving.stop().await;
    bench.end().await;
}

async fn a_retried_request_is_stored_once(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let message = wanted(MONDAY, TUESDAY);
    let tries = join_all((0..4).map(|_| asked(&serving, "d1", message.clone()))).await;
    let ids: Vec<_> = tries
        .into_iter()
        .map(|found| found.expect("stored").id)
        .collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    // A retry gets the present state.
    decline(&serving, &ids[0], "1", "No cover")
        .await
        .expect("declined");
    let again = asked(&serving, "d1", message.clone()).await.expect("known");
    assert_eq!(
        (again.state(), again.answer.as_str()),
        (LeaveRequestState::Declined, "No cover")
    );
    // Neither other days nor another doctor get the stored request.
    let mut other = message.clone();
    let body = other.leave_request.as_mut().expect("a body");
    MONDAY.clone_into(&mut body.until);
    let status = asked(&serving, "d1", other)
        .await
        .expect_err("another body");
    assert_eq!(reason(&status), "REQUEST_ID_REUSED");
    let status = asked(&serving, "d2", message)
        .await
        .expect_err("another doctor");
    assert_eq!(reason(&status), "REQUEST_ID_REUSED");
    assert_eq!(
        bench
            .test
            .scalar("SELECT count(*) FROM leave_requests")
            .await,
        1
    );
    serving.stop().await;
    bench.end().await;
}

async fn concurrent_decisions_are_made_once(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let other = Serving::start(&bench).await;
    for round in 1..=3_i64 {
        let day = (now() + TimeDelta::days(round)).date_naive().to_string();
        let request = asked(&serving, "c1", wanted(&day, &day))
            .await
            .expect("stored");
        let id = request.id.as_str();
        let tokens_of_one_issuer = &serving;
        let (granted, again, declined, withdrawn) = tokio::join!(
            grant(tokens_of_one_issuer, id, "1"),
            grant(&other, id, "1"),
            decline(&other, id, "1", "No cover"),
            withdraw(tokens_of_one_issuer, "c1", id, "1"),
        );
        let outcomes = [
            granted.map(drop),
            again.map(drop),
            declined.map(drop),
            withdrawn.map(drop),
        ];
        let refused: Vec<_> = outcomes
            .iter()
            .filter_map(|made| made.as_ref().err())
            .collect();
        assert_eq!(refused.len(), 3, "{outcomes:?}");
        assert!(
            refused
                .iter()
                .all(|status| reason(status) == "ETAG_MISMATCH")
        );
    }
    let differs = "SELECT count(*) FROM leave_requests WHERE (state = 'granted') <> \
                   (leave_id IS NOT NULL AND EXISTS (SELECT 1 FROM leaves WHERE leaves.id = leave_id))";
    assert_eq!(bench.test.scalar(differs).await, 0);
    let leaves = "SELECT (SELECT count(*) FROM leaves) - (SELECT count(*) FROM leave_requests WHERE state = 'granted')";
    assert_eq!(bench.test.scalar(leaves).await, 0);
    serving.stop().await;
    other.stop().await;
    bench.end().await;
}

async fn a_decided_request_names_its_state(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let request = asked(&serving, "d1", wanted(MONDAY, MONDAY))
        .await
        .expect("stored");
    let status = decline(&serving, &request.id, "1", " ")
        .await
        .expect_err("no answer");
    assert_eq!(violated(&status), ["answer"]);
    let status = decline(&serving, &request.id, "", "No cover")
        .await
        .expect_err("no etag");
    assert_eq!(violated(&status), ["etag"]);
    let status = grant(&serving, &request.id, "7")
        .await
        .expect_err("another version");
    assert_eq!(reason(&status), "ETAG_MISMATCH");
    decline(&serving, &request.id, "1", "No cover")
        .await
        .expect("declined");
    for etag in ["1", "2"] {
        let status = grant(&serving, &request.id, etag)
            .await
            .expect_err("declined");
        assert_eq!(reason(&status), "ETAG_MISMATCH");
        assert_eq!(status.message(), "The request has been declined by now.");
    }
    let late = asked(&serving, "d1", wanted(MONDAY, TUESDAY))
        .await
        .expect("stored");
    serving.clock.set(now() + TimeDelta::days(4));
    let status = grant(&serving, &late.id, "1").await.expect_err("over");
    assert_eq!(reason(&status), "LEAVE_OVER");
    assert_eq!(bench.test.scalar("SELECT count(*) FROM leaves").await, 0);
    decline(&serving, &late.id, "1", "It is over")
        .await
        .expect("declined");
    let entries = "SELECT count(*) FROM audit_entries WHERE action IN ('leave_request.create', 'leave_request.decline')";
    assert_eq!(
        bench.test.scalar(entries).await,
        4,
        "refused decisions leave no entry"
    );
    serving.stop().await;
    bench.end().await;
}

async fn lists_are_paged(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut asked_in_order = Vec::new();
    for number in 1..=3_i64 {
        serving.clock.set(now() + TimeDelta::seconds(number));
        let day = (now() + TimeDelta::days(number)).date_naive().to_string();
        let request = asked(&serving, "d1", wanted(&day, &day))
            .await
            .expect("stored");
        asked_in_order.push(request.id);
    }
    let (mut token, mut found) = (String::new(), Vec::new());
    loop {
        let list = ListOwnLeaveRequestsRequest {
            page_size: 2,
            page_token: token,
        };
        let call = by(&serving, "d1", ASK, list);
        let page = client(&serving).list_own_leave_requests(call).await;
        let page = page.expect("a page").into_inner();
        found.extend(page.leave_requests.into_iter().map(|request| request.id));
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    asked_in_order.reverse();
    assert_eq!(found, asked_in_order, "the latest first");
    let list = ListLeaveRequestsRequest {
        page_size: 1,
        page_token: asked_in_order[2].clone(),
    };
    let call = serving.staff(ROSTERS_WRITE, list);
    let page = client(&serving)
        .list_leave_requests(call)
        .await
        .expect("a page")
        .into_inner();
    assert_eq!(
        page.leave_requests[0].id, asked_in_order[1],
        "the earliest first"
    );
    assert_eq!(page.next_page_token, asked_in_order[1]);
    let bad = ListLeaveRequestsRequest {
        page_size: -1,
        page_token: "x".to_owned(),
    };
    let status = client(&serving)
        .list_leave_requests(serving.staff(ROSTERS_WRITE, bad))
        .await;
    assert_eq!(
        violated(&status.expect_err("refused")),
        ["pageSize", "pageToken"]
    );
    serving.stop().await;
    bench.end().await;
}

async fn texts_are_sealed_and_requests_expire(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let request = asked(&serving, "d1", wanted(MONDAY, MONDAY))
        .await
        .expect("stored");
    decline(&serving, &request.id, "1", "No cover")
        .await
        .expect("declined");
    let texts = "SELECT count(*) FROM leave_requests WHERE length(reason) > 40 AND length(answer) > 20 AND key_id <> ''";
    assert_eq!(
        bench.test.scalar(texts).await,
        1,
        "longer than the plain texts"
    );
    let named =
        "SELECT count(*) FROM audit_entries WHERE detail LIKE '%Mysuru%' OR detail LIKE '%cover%'";
    assert_eq!(bench.test.scalar(named).await, 0);
    let hospital = Hospital::of(&bench).await;
    let retained = async |days: u64| {
        let at = now() + Duration::from_hours(24 * days);
        let over = hospital.store.over(&Retention::default(), at).await;
        let removed = hospital.store.retain(&Retention::default(), at).await;
        assert_eq!(over.expect("counted"), removed.clone().expect("removed"));
        removed.expect("removed").leave_requests
    };
    // The day is 23 November, two days ahead; kept for 180 days after it.
    assert_eq!(retained(182).await, 0);
    assert_eq!(retained(183).await, 1);
    assert_eq!(retained(183).await, 0);
    assert!(own(&serving, "d1").await.is_empty());
    serving.stop().await;
    bench.end().await;
}
