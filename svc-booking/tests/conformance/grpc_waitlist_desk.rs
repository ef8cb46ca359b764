//! The staff's calls on the waitlist over gRPC.

use chrono::TimeDelta;
use hospital_proto::{
    booking::v1::{
        CreateWaitlistEntryRequest, DeleteAppointmentRequest, GetWaitlistEntryRequest,
        ListWaitlistEntriesRequest, ListWaitlistEntriesResponse, OfferWaitlistTimeRequest, Proof,
        RemoveWaitlistEntryRequest, WaitlistEndReason, WaitlistEntry, WaitlistState,
    },
    messaging::v1::{NoticeCause, WaitlistEvent, WaitlistRemoval},
};
use svc_booking::domain::calendar::SlotTime;
use test_kit::on_both_databases;
use tonic::{Code, Status};

use crate::{
    fixture::{Bench, MONDAY, now, request, unique},
    serving::{READ, Serving, WRITE, reason, violated, with},
};

on_both_databases!(test_kit::bench::empty:
    the_list_pages_filters_and_names_bad_input,
    a_spoken_person_is_offered_a_free_time,
    a_removed_person_is_notified_once,
);

async fn joined(serving: &Serving) -> WaitlistEntry {
    let number = unique();
    let asked = CreateWaitlistEntryRequest {
        entry: Some(WaitlistEntry {
            patient_name: "Asha Rao".to_owned(),
            email: format!("wait{number}@example.com"),
            phone: format!("+91 80 4{number:07}"),
            department: "Urology".to_owned(),
            date: MONDAY.to_owned(),
            ..WaitlistEntry::default()
        }),
        request_id: format!("waitlist-request-{number:06}"),
    };
    let joined = serving.waitlist().create_waitlist_entry(asked).await;
    joined
        .expect("joined")
        .into_inner()
        .entry
        .expect("an entry")
}

/// Books every time of Urology's Monday; returns the last appointment.
async fn fill(serving: &Serving) -> hospital_proto::booking::v1::Appointment {
    let mut last = None;
    for time in SlotTime::all() {
        last = Some(serving.booked(request("Urology", "", &time.label())).await);
    }
    last.expect("a time")
}

async fn list(
    serving: &Serving,
    request: ListWaitlistEntriesRequest,
) -> Result<ListWaitlistEntriesResponse, Status> {
    let mut client = serving.waitlist();
    let listed = client.list_waitlist_entries(serving.staff(READ, request));
    listed.await.map(tonic::Response::into_inner)
}

async fn offer(
    serving: &Serving,
    entry: &WaitlistEntry,
    spoken: bool,
) -> Result<WaitlistEntry, Status> {
    let message = OfferWaitlistTimeRequest {
        entry_id: entry.id.clone(),
        etag: entry.etag.clone(),
        spoken,
    };
    let mut client = serving.waitlist();
    let offered = client.offer_waitlist_time(serving.staff(WRITE, message));
    let offered = offered.await?.into_inner();
    Ok(offered.entry.expect("an entry"))
}

async fn remove(
    serving: &Serving,
    entry: &WaitlistEntry,
    reason: WaitlistEndReason,
) -> Result<WaitlistEntry, Status> {
    let message = RemoveWaitlistEntryRequest {
        entry_id: entry.reference.clone(),
        etag: entry.etag.clone(),
        reason: reason.into(),
    };
    let mut client = serving.waitlist();
    let removed = client.remove_waitlist_entry(serving.staff(WRITE, message));
    let removed = removed.await?.into_inner();
    Ok(removed.entry.expect("an entry"))
}

async fn read(serving: &Serving, entry: &WaitlistEntry) -> WaitlistEntry {
    let message = GetWaitlistEntryRequest {
        entry_id: entry.id.clone(),
    };
    let mut client = serving.waitlist();
    let read = client.get_waitlist_entry(serving.staff(READ, message));
    let read = read.await.expect("read").into_inner();
    read.entry.expect("an entry")
}

async fn the_list_pages_filters_and_names_bad_input(bench: Bench) {
    let serving = Serving::start(&bench).await;
    fill(&serving).await;
    let mut expected = Vec::new();
    for second in 1..=3 {
        expected.push(joined(&serving).await);
        serving.clock.set(now() + TimeDelta::seconds(second));
    }
    let two = ListWaitlistEntriesRequest {
        page_size: 2,
        department: "Urology".to_owned(),
        ..ListWaitlistEntriesRequest::default()
    };
    let first = list(&serving, two.clone()).await.expect("a page");
    let next = ListWaitlistEntriesRequest {
        page_token: first.next_page_token.clone(),
        ..two
    };
    let second = list(&serving, next).await.expect("a page");
    let shown: Vec<WaitlistEntry> = first.entries.into_iter().chain(second.entries).collect();
    assert_eq!(second.next_page_token, "");
    let ids = |entries: &[WaitlistEntry]| -> Vec<String> {
        entries.iter().map(|entry| entry.id.clone()).collect()
    };
    assert_eq!(ids(&shown), ids(&expected));
    for (entry, known) in shown.iter().zip(&expected) {
        assert_eq!(
            (&entry.patient_name, &entry.phone, entry.state()),
            (&known.patient_name, &known.phone, WaitlistState::Waiting)
        );
        assert_eq!(
            (entry.secret.as_str(), entry.etag.as_str()),
            ("", "waiting-0-unproven")
        );
        assert_eq!((entry.offers, entry.end_time), (0, None));
        assert!(entry.create_time.is_some());
    }
    let by_phone = ListWaitlistEntriesRequest {
        phone: expected[1].phone.replace(' ', ""),
        state: "WAITLIST_STATE_WAITING".to_owned(),
        ..ListWaitlistEntriesRequest::default()
    };
    let found = list(&serving, by_phone).await.expect("a page").entries;
    assert_eq!(ids(&found), [expected[1].id.clone()]);
    remove(&serving, &shown[1], WaitlistEndReason::Asked)
        .await
        .expect("removed");
    for (state, phone, count) in [
        ("", "", 2),
        ("ended", "", 1),
        ("all", "", 3),
        ("", shown[1].phone.as_str(), 1),
        ("waiting", shown[1].phone.as_str(), 0),
    ] {
        let of = ListWaitlistEntriesRequest {
            state: state.to_owned(),
            phone: phone.to_owned(),
            ..ListWaitlistEntriesRequest::default()
        };
        let found = list(&serving, of).await.expect("a page").entries;
        assert_eq!(found.len(), count, "{state} {phone}");
    }
    let bad = ListWaitlistEntriesRequest {
        page_token: "2026-11-23_1_x_urology".to_owned(),
        date: "tomorrow".to_owned(),
        department: "Alchemy".to_owned(),
        state: "lost".to_owned(),
        phone: "12".to_owned(),
        ..ListWaitlistEntriesRequest::default()
    };
    let refused = list(&serving, bad).await.expect_err("refused");
    assert_eq!(
        violated(&refused),
        ["date", "department", "state", "phone", "pageToken"]
    );
    let nul = ListWaitlistEntriesRequest {
        page_token: format!("2026-11-23_1_{}_\0", uuid::Uuid::nil()),
        ..ListWaitlistEntriesRequest::default()
    };
    let refused = list(&serving, nul).await.expect_err("refused");
    assert_eq!(violated(&refused), ["pageToken"]);
    let negative = ListWaitlistEntriesRequest {
        page_size: -1,
        ..ListWaitlistEntriesRequest::default()
    };
    let refused = list(&serving, negative).await.expect_err("refused");
    assert_eq!(violated(&refused), ["pageSize"]);
    serving.stop().await;
    bench.end().await;
}

/// Unproven entries are not part of the sweep, so only staff offer them a time.
async fn a_spoken_person_is_offered_a_free_time(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let last = fill(&serving).await;
    let entry = read(&serving, &joined(&serving).await).await;
    let second = read(&serving, &joined(&serving).await).await;
    let refused = offer(&serving, &entry, false).await.expect_err("unproven");
    assert_eq!(
        (refused.code(), reason(&refused)),
        (Code::FailedPrecondition, "UNPROVEN".to_owned())
    );
    let refused = offer(&serving, &entry, true).await.expect_err("full");
    assert_eq!(reason(&refused), "NO_FREE_TIME");
    // The proof remains, so the version has changed.
    let stale = offer(&serving, &entry, true).await.expect_err("changed");
    assert_eq!(
        (stale.code(), reason(&stale)),
        (Code::Aborted, "ETAG_MISMATCH".to_owned())
    );
    let proven = read(&serving, &entry).await;
    assert_eq!(proven.proof(), Proof::Desk);
    // A deletion frees a time. The domain, the sweep or staff offer it, always to the proven entry.
    let delete = DeleteAppointmentRequest {
        appointment_id: last.id,
        etag: last.etag,
    };
    let mut desk = serving.desk();
    desk.delete_appointment(serving.staff(WRITE, delete))
        .await
        .expect("deleted");
    let present = match offer(&serving, &proven, false).await {
        Ok(offered) => offered.state(),
        Err(refused) => {
            assert_eq!(reason(&refused), "ETAG_MISMATCH");
            read(&serving, &proven).await.state()
        }
    };
    assert_eq!(present, WaitlistState::Offered);
    let refused = offer(&serving, &second, true).await.expect_err("full");
    assert_eq!(reason(&refused), "NO_FREE_TIME");
    let offered = read(&serving, &proven).await;
    let refused = offer(&serving, &offered, true).await.expect_err("offered");
    assert_eq!(reason(&refused), "NOT_WAITING");
    serving.stop().await;
    bench.end().await;
}

async fn a_removed_person_is_notified_once(bench: Bench) {
    let (serving, mailbox) = Serving::start_with_mail(&bench).await;
    fill(&serving).await;
    let joined = joined(&serving).await;
    let entry = read(&serving, &joined).await;
    for wrong in [
        WaitlistEndReason::Unspecified,
        WaitlistEndReason::Left,
        WaitlistEndReason::DayPast,
        WaitlistEndReason::OffersExpired,
    ] {
        let refused = remove(&serving, &entry, wrong).await.expect_err("refused");
        assert_eq!(violated(&refused), ["reason"]);
    }
    let removed = remove(&serving, &entry, WaitlistEndReason::NoTimes).await;
    let removed = removed.expect("removed");
    assert_eq!(
        (removed.state(), removed.end_reason()),
        (WaitlistState::Ended, WaitlistEndReason::NoTimes)
    );
    assert!(removed.end_time.is_some());
    let (mail, notice) = mailbox
        .about_entry(&entry.reference, WaitlistEvent::Removed)
        .await;
    assert_eq!(mail.cause(), NoticeCause::Staff);
    assert_eq!(mail.recipient.expect("a recipient").email, entry.email);
    assert_eq!(
        (
            notice.removal(),
            notice.date.as_str(),
            notice.offer_url.as_str()
        ),
        (WaitlistRemoval::NoTimes, MONDAY, "")
    );
    // A second press of the button.
    let again = remove(&serving, &entry, WaitlistEndReason::NoTimes).await;
    assert_eq!(reason(&again.expect_err("changed")), "ETAG_MISMATCH");
    let notices = "SELECT count(*) FROM outbox_messages WHERE kind = 'waitlist.removed'";
    assert!(bench.test.scalar(notices).await <= 1);
    // The person sees with the own link that the entry has ended.
    let name = GetWaitlistEntryRequest {
        entry_id: entry.id.clone(),
    };
    let own = with(name, "x-waitlist-secret", &joined.secret);
    let own = serving.waitlist().get_waitlist_entry(own).await;
    let own = own.expect("read").into_inner().entry.expect("an entry");
    assert_eq!(own.state(), WaitlistState::Ended);
    // The desk's calls need a token; the person's secret opens none of them.
    let message = RemoveWaitlistEntryRequest {
        entry_id: entry.id,
        ..RemoveWaitlistEntryRequest::default()
    };
    let message = with(message, "x-waitlist-secret", &joined.secret);
    let denied = serving.waitlist().remove_waitlist_entry(message).await;
    assert_eq!(denied.expect_err("denied").code(), Code::Unauthenticated);
    serving.stop().await;
    bench.end().await;
}
