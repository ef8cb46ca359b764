//! Deletion of expired data.

use chrono::TimeDelta;
use hospital_proto::booking::v1::{
    ExportPatientRequest, booking_service_client::BookingServiceClient,
};
use store_kit::audit::{self, Verdict};
use svc_booking::domain::retention::{Over, Retention};
use test_kit::on_both_databases;
use tonic::Request;

use crate::{
    privacy::{
        ASHA, ASHAS_PHONE, EXPORT, appointment, ask, consultation, number, privacy, wait_for,
    },
    serving::{Bench, Serving, now, store},
};

on_both_databases!(test_kit::bench::empty:
    expired_rows_are_deleted,
    a_dry_run_counts_what_retention_deletes,
);

/// Creates two appointments with their networks, two consultations, a waitlist entry, and audit entries.
async fn filled(bench: &Bench) -> Serving {
    let serving = Serving::start(bench).await;
    for number in [0, 1] {
        let mut client = BookingServiceClient::new(serving.channel.clone());
        let mut request = Request::new(appointment(number, ASHA, ASHAS_PHONE));
        let network = "192.0.2.0/24".parse().expect("a header");
        request.metadata_mut().insert("client-network", network);
        client.create_appointment(request).await.expect("booked");
        ask(&serving, consultation(number, ASHA, "")).await;
    }
    wait_for(bench).await;
    let read = serving.staff(
        EXPORT,
        ExportPatientRequest {
            email: ASHA.to_owned(),
            ..ExportPatientRequest::default()
        },
    );
    privacy(&serving)
        .export_patient(read)
        .await
        .expect("exported");
    serving
}

async fn expired_rows_are_deleted(bench: Bench) {
    let serving = filled(&bench).await;
    let store = store(&bench);
    let periods = Retention::default();
    let nothing = Over::default();
    let removed = async |days: i64| {
        let over = store.retain(&periods, now() + TimeDelta::days(days)).await;
        over.expect("removed")
    };
    // The entry's day is 23 November, the booking's 21 November, and the visits' 23 and 24 November.
    assert_eq!(removed(9).await, nothing);
    assert_eq!(
        removed(10).await,
        Over {
            waitlist_entries: 1,
            ..nothing
        }
    );
    assert_eq!(
        number(
            &bench,
            "SELECT count(*) FROM seats WHERE holder_kind = 'offer'"
        )
        .await,
        0
    );
    assert_eq!(removed(30).await, nothing);
    assert_eq!(
        removed(31).await,
        Over {
            networks: 2,
            ..nothing
        }
    );
    assert_eq!(removed(182).await, nothing);
    assert_eq!(
        removed(183).await,
        Over {
            contacts: 1,
            consultations: 2,
            seats: 1,
            ..nothing
        }
    );
    assert_eq!(
        removed(184).await,
        Over {
            contacts: 1,
            seats: 1,
            ..nothing
        }
    );
    assert_eq!(number(&bench, "SELECT count(*) FROM appointments").await, 2);
    assert_eq!(
        number(&bench, "SELECT count(*) FROM outbox_messages").await,
        0
    );
    let erased =
        "SELECT count(*) FROM events WHERE kind = 'appointment.erased' AND actor = 'retention'";
    assert_eq!(number(&bench, erased).await, 2);
    let log = number(&bench, "SELECT count(*) FROM audit_entries").await;
    let read = "SELECT count(*) FROM audit_entries WHERE action = 'patient.exported'";
    let shown = number(&bench, read).await;
    let over = removed(731).await;
    assert_eq!(over.audit_entries, u64::try_from(shown).expect("a count"));
    assert_eq!(number(&bench, read).await, 0);
    assert!(log > shown);
    // B8: each visit's history has its booking and its erasure. The appointments stay, without person, seat and
    // history.
    assert_eq!(over.events, 0);
    for (days, events) in [(732, 0), (733, 2), (734, 2), (735, 0)] {
        assert_eq!(removed(days).await.events, events, "{days} days later");
    }
    for (sql, rows) in [
        ("SELECT count(*) FROM seats", 0),
        ("SELECT count(*) FROM events", 0),
        ("SELECT count(*) FROM appointments", 2),
    ] {
        assert_eq!(number(&bench, sql).await, rows, "{sql}");
    }
    match audit::verify(&bench.database, &bench.keys).await {
        Ok(Verdict::Intact { .. }) => {}
        broken => panic!("{broken:?}"),
    }
    serving.stop().await;
    bench.end().await;
}

async fn a_dry_run_counts_what_retention_deletes(bench: Bench) {
    let serving = filled(&bench).await;
    let store = store(&bench);
    let later = now() + TimeDelta::days(200);
    let short = Retention {
        audit_days: 1,
        ..Retention::default()
    };
    let counted = store.over(&short, later).await.expect("counted");
    let log = number(&bench, "SELECT count(*) FROM audit_entries").await;
    assert_eq!(
        counted,
        Over {
            contacts: 2,
            consultations: 2,
            waitlist_entries: 1,
            leave_requests: 0,
            networks: 2,
            seats: 2,
            events: 0,
            audit_entries: u64::try_from(log).expect("a count"),
        }
    );
    assert_eq!(
        number(&bench, "SELECT count(*) FROM contacts").await,
        2,
        "nothing went"
    );
    assert_eq!(store.retain(&short, later).await.expect("removed"), counted);
    // The audit entries about the deletion are of the same day.
    let counted = store.over(&short, later).await.expect("counted");
    assert!(counted.removed().is_empty(), "{counted:?}");
    serving.stop().await;
    bench.end().await;
}
