use super::{
    super::{
        Action, DAY_BEFORE, HOURS_BEFORE,
        tests::{at, decided, made, message_ids, now, with},
    },
    *,
};

/// Returns an appointment that the desk has marked as arrived at a moment, and that change.
fn arrived(create_time: DateTime<Utc>) -> (Appointment, LastChange) {
    let booked = made(decided(&with(at(vec![], &[])))).appointment;
    let arrived = Appointment {
        status: Status::Arrived,
        proof: Proof::Desk,
        version: 2,
        ..booked
    };
    let last = LastChange {
        actor: "desk".to_owned(),
        create_time,
        replaced: Some(Replaced {
            status: Status::Booked,
            proof: Proof::Unproven,
        }),
    };
    (arrived, last)
}

fn asked(actor: &str) -> Asked {
    Asked {
        action: Action::Undo,
        actor: actor.to_owned(),
        message_ids: message_ids(),
    }
}

#[test]
fn the_person_who_made_the_change_undoes_it_within_the_time() {
    let (present, last) = arrived(now());
    let undo = |seconds, actor: &str| {
        let at = now() + TimeDelta::seconds(seconds);
        undo(&present, Some(&last), &asked(actor), at)
    };
    for seconds in [0, 30] {
        let change = undo(seconds, "desk").expect("undone");
        let Appointment {
            status,
            proof,
            version,
            ..
        } = change.appointment;
        assert_eq!(
            (status, proof, version),
            (Status::Booked, Proof::Unproven, 3)
        );
        assert_eq!(
            (change.proof, change.replaced),
            (Some(Proof::Unproven), None)
        );
        assert!(change.freed.is_empty() && change.messages.is_empty());
    }
    assert_eq!(undo(31, "desk"), Err(Refused::UndoTooLate));
    assert_eq!(undo(1, "other"), Err(Refused::UndoNotYours));
}

#[test]
fn only_a_change_of_status_is_undone() {
    let (present, last) = arrived(now());
    let other = LastChange {
        replaced: None,
        ..last
    };
    for last in [None, Some(&other)] {
        let refused = undo(&present, last, &asked("desk"), now());
        assert_eq!(refused, Err(Refused::NothingToUndo));
    }
}

#[test]
fn a_reminder_that_fell_due_in_between_is_sent() {
    let (present, _) = arrived(now());
    let due = present.starts_at - TimeDelta::hours(2);
    for (before, after, expected) in [
        (1, 1, vec![HOURS_BEFORE]),
        (0, 10, vec![]),
        (10, -1, vec![]),
    ] {
        let (_, last) = arrived(due - TimeDelta::seconds(before));
        let at = due + TimeDelta::seconds(after);
        let change = undo(&present, Some(&last), &asked("desk"), at).expect("undone");
        let kinds: Vec<_> = change.messages.iter().map(|notice| notice.kind).collect();
        assert_eq!((kinds, &change.withdrawn), (expected.clone(), &expected));
        assert!(!change.withdrawn.contains(&DAY_BEFORE));
    }
}
