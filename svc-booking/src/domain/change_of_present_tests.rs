//! Changes of an existing appointment.

use crate::domain::{proof::Caller, seats::Wanted};

use super::{
    tests::{at, booking, decided, held, kinds, made, message_ids, now, with},
    *,
};

/// Returns an appointment with doc-06, its seat, and the free seats of the clinic at its time.
fn present() -> (Appointment, SeatsAt) {
    let appointment = made(decided(&with(at(vec![], &[])))).appointment;
    let own = held(Resource::doctor("doc-06"), 1, 1, None);
    (appointment, at(vec![own], &[1]))
}

fn asked(action: Action, actor: &str) -> Asked {
    Asked {
        action,
        actor: actor.to_owned(),
        message_ids: message_ids(),
    }
}

#[test]
fn a_move_frees_the_old_seat_and_replaces_secret_and_reminders() {
    let (before, seats) = present();
    let wanted = booking("", "10:00 AM").appointment.wanted;
    let moved = change(
        &before,
        &asked(Action::Move(wanted), PATIENT),
        &seats,
        now(),
    );
    let change = moved.expect("allowed").expect("a change");
    assert_eq!(change.freed.len(), 1);
    assert_eq!(change.freed[0].holder_id, before.id);
    // Any resource of the department satisfies the request, so the present seat is kept.
    assert_eq!(change.taken.as_ref(), Some(&change.freed[0].seat));
    assert_eq!(change.appointment.version, 2);
    assert_eq!(change.appointment.secret_generation, 2);
    assert_eq!(change.appointment.contact, before.contact);
    for kind in [BOOKED, MOVED, CHANGED, UNCOVERED, DAY_BEFORE, HOURS_BEFORE] {
        assert!(change.withdrawn.contains(&kind), "{kind}");
    }
    assert_eq!(kinds(&change), [MOVED, DAY_BEFORE, HOURS_BEFORE]);
    assert!(!change.rewrites_contact);

    let elsewhere = booking("", "9:00 AM").appointment.wanted;
    let moved = self::change(
        &before,
        &asked(Action::Move(elsewhere), PATIENT),
        &seats,
        now(),
    );
    let change = moved.expect("allowed").expect("a change");
    let taken = change.taken.expect("a seat");
    assert_eq!(taken.resource, Resource::clinic("cardiology-opd"));
    assert_eq!(
        (change.freed.len(), change.appointment.doctor_id),
        (1, None)
    );
}

#[test]
fn only_open_appointments_are_moved() {
    let (before, seats) = present();
    let wanted = booking("", "9:00 AM").appointment.wanted;
    let try_move = |appointment: &Appointment, actor: &str, now| {
        let asked = asked(Action::Move(wanted.clone()), actor);
        change(appointment, &asked, &seats, now).map(|change| change.is_some())
    };
    for status in Status::ALL {
        let appointment = Appointment {
            status,
            ..before.clone()
        };
        let expected = if status == Status::Booked {
            Ok(true)
        } else {
            Err(Refused::NotOpen)
        };
        assert_eq!(
            try_move(&appointment, "staff", now()),
            expected,
            "{status:?}"
        );
    }
    let begun = before.starts_at;
    assert_eq!(
        try_move(&before, PATIENT, begun - TimeDelta::microseconds(1)),
        Ok(true)
    );
    assert_eq!(try_move(&before, PATIENT, begun), Err(Refused::NotOpen));
    assert_eq!(try_move(&before, "staff", begun), Ok(true), "who came late");
    let doctors = booking("doc-06", "10:30 AM").appointment.wanted;
    let mut taken = held(Resource::doctor("doc-06"), 1, 9, None);
    taken.seat.starts_at = doctors.starts_at;
    let asked = asked(Action::Move(doctors), PATIENT);
    let refused = change(&before, &asked, &at(vec![taken], &[1]), now());
    assert_eq!(refused, Err(Refused::SlotTaken));
}

/// Booked → arrived → in consultation → completed; arrived → completed; booked → cancelled or no show. No other transitions, and none twice.
#[test]
fn status_changes_follow_the_table() {
    use Status::{Arrived, Booked, Cancelled, Completed, InConsultation, NoShow};
    let (before, seats) = present();
    for from in Status::ALL {
        for to in Status::ALL {
            let appointment = Appointment {
                status: from,
                ..before.clone()
            };
            let is_allowed = matches!(
                (from, to),
                (Booked, Arrived | Cancelled | NoShow)
                    | (Arrived, InConsultation | Completed)
                    | (InConsultation, Completed)
            );
            let changed = change(
                &appointment,
                &asked(Action::SetStatus(to), "staff"),
                &seats,
                now(),
            );
            match changed {
                Ok(Some(change)) => {
                    assert!(is_allowed, "{from:?} {to:?}");
                    assert_eq!(change.appointment.status, to);
                    assert_eq!(change.freed.is_empty(), to != Cancelled);
                    assert_eq!(change.appointment.resource.is_none(), to == Cancelled);
                    let is_final = to == Cancelled;
                    assert_eq!(change.withdrawn.contains(&DAY_BEFORE), is_final);
                    assert_eq!(change.replaced.is_none(), is_final);
                    let told: &[&str] = if to == Cancelled { &[CANCELLED] } else { &[] };
                    assert_eq!(kinds(&change), told);
                }
                Ok(None) => assert_eq!(from, to),
                Err(refused) => {
                    assert!(!is_allowed && from != to, "{from:?} {to:?}");
                    assert_eq!(refused, Refused::StatusNotAllowed);
                }
            }
        }
    }
}

#[test]
fn a_patient_cancels_an_open_appointment_once() {
    let (before, seats) = present();
    let cancel = |appointment: &Appointment, actor: &str, notify: bool, now| {
        change(
            appointment,
            &asked(Action::Cancel { notify }, actor),
            &seats,
            now,
        )
    };
    let begun = before.starts_at;
    assert_eq!(cancel(&before, PATIENT, true, begun), Err(Refused::NotOpen));
    let by_staff = cancel(&before, "staff", false, begun)
        .expect("allowed")
        .expect("a change");
    assert_eq!((kinds(&by_staff).len(), by_staff.event), (0, CANCELLED));
    let cancelled = by_staff.appointment;
    for actor in [PATIENT, "staff"] {
        assert_eq!(cancel(&cancelled, actor, true, begun), Ok(None));
    }
    let arrived = Appointment {
        status: Status::Arrived,
        ..before
    };
    assert_eq!(
        cancel(&arrived, PATIENT, true, now()),
        Err(Refused::NotOpen)
    );
    assert_eq!(
        cancel(&arrived, "staff", true, now()),
        Err(Refused::StatusNotAllowed)
    );
}

#[test]
fn contact_data_changes_with_or_without_a_move() {
    let (before, seats) = present();
    let contact = Contact {
        patient_name: "Ravi Rao".to_owned(),
        ..before.contact.clone().expect("a contact")
    };
    let update = |wanted: Option<Wanted>, status, actor: &str, now| {
        let action = Action::Update {
            contact: contact.clone(),
            wanted,
            status,
        };
        change(&before, &asked(action, actor), &seats, now)
    };
    let stays = update(None, None, PATIENT, now())
        .expect("allowed")
        .expect("a change");
    assert_eq!((stays.taken.as_ref(), stays.freed.len()), (None, 0));
    assert!(stays.withdrawn.is_empty() && stays.messages.is_empty());
    assert_eq!(stays.appointment.contact.as_ref(), Some(&contact));
    assert_eq!(stays.appointment.secret_generation, 1);
    let wanted = booking("", "9:00 AM").appointment.wanted;
    let moves = update(Some(wanted.clone()), None, PATIENT, now())
        .expect("allowed")
        .expect("a change");
    assert!(moves.rewrites_contact && moves.taken.is_some());
    assert_eq!(moves.appointment.contact.as_ref(), Some(&contact));
    let begun = before.starts_at;
    assert_eq!(update(None, None, PATIENT, begun), Err(Refused::NotOpen));
    assert!(update(None, None, "staff", begun).is_ok());
    let arrived = Some(Status::Arrived);
    let came = update(None, arrived, "staff", begun)
        .expect("allowed")
        .expect("a change");
    assert_eq!(came.appointment.status, Status::Arrived);
    assert!(came.rewrites_contact);
    assert_eq!(
        update(Some(wanted), arrived, "staff", now()),
        Err(Refused::StatusNotAllowed)
    );
}

fn readdressed(before: &Appointment, email: &str, actor: &str) -> Change {
    let (_, seats) = present();
    let contact = Contact {
        email: email.to_owned(),
        ..before.contact.clone().expect("a contact")
    };
    let action = Action::Update {
        contact,
        wanted: None,
        status: None,
    };
    let changed = change(before, &asked(action, actor), &seats, now());
    changed.expect("allowed").expect("a change")
}

// X1: a proof covers one address. The new address gets the new link, and the old links are revoked.
#[test]
fn a_changed_address_is_unproven_and_gets_a_mail() {
    let (unproven, _) = present();
    let before = Appointment {
        proof: Proof::Link,
        ..unproven
    };
    for (actor, proof) in [(PATIENT, Proof::Unproven), ("staff", Proof::Desk)] {
        let change = readdressed(&before, "other@example.com", actor);
        assert_eq!(
            (change.proof, change.appointment.proof),
            (Some(proof), proof)
        );
        assert_eq!(change.appointment.secret_generation, 2);
        assert_eq!(
            (change.event, kinds(&change)),
            (ADDRESS_CHANGED, vec![CHANGED])
        );
    }
    let same = readdressed(&before, "asha@example.com", PATIENT);
    assert_eq!((same.proof, same.event), (None, CHANGED));
    assert_eq!(same.appointment.secret_generation, 1);
}

#[test]
fn arrival_at_the_desk_proves_the_address() {
    let (before, seats) = present();
    for (status, proof) in [
        (Status::Arrived, Some(Proof::Desk)),
        (Status::NoShow, None),
        (Status::Cancelled, None),
    ] {
        let asked = asked(Action::SetStatus(status), "staff");
        let changed = change(&before, &asked, &seats, now());
        let changed = changed.expect("allowed").expect("a change");
        assert_eq!(changed.proof, proof, "{status:?}");
    }
}

// X1: only a caller who has proven the address sees the person's limits. X2: changes that send mail are limited.
#[test]
fn limits_refuse_only_callers_who_may_know_the_reason() {
    let (before, _) = present();
    let wanted = booking("", "9:00 AM").appointment.wanted;
    let other = OpenAppointment {
        department_id: wanted.department_id.clone(),
        starts_at: wanted.starts_at + TimeDelta::hours(1),
    };
    let contact = before.contact.clone().expect("a contact");
    let update = |contact: Contact, wanted: Option<Wanted>| Action::Update {
        contact,
        wanted,
        status: None,
    };
    let elsewhere = Contact {
        email: "other@example.com".to_owned(),
        ..contact.clone()
    };
    let moves = [
        Action::Move(wanted.clone()),
        update(contact.clone(), Some(wanted.clone())),
    ];
    let readdresses = [
        update(elsewhere.clone(), None),
        update(elsewhere, Some(wanted)),
    ];
    let quiet = [update(contact, None), Action::Cancel { notify: true }];
    let refused = |action: &Action, caller, changes| {
        let open = [other.clone()];
        change_is_too_much(&before, action, caller, changes, &open)
    };
    let none = PatientChanges::default();
    let many = [
        PatientChanges { of_day: 6, all: 6 },
        PatientChanges { of_day: 0, all: 20 },
    ];
    let few = PatientChanges { of_day: 5, all: 19 };
    for action in &moves {
        for changes in [none, few] {
            assert_eq!(
                refused(action, Caller::Proven, changes),
                Some(Refused::SameDay)
            );
            assert_eq!(refused(action, Caller::Unproven, changes), None);
        }
    }
    for action in moves.iter().chain(&readdresses) {
        for changes in many {
            for caller in [Caller::Proven, Caller::Unproven] {
                assert_eq!(refused(action, caller, changes), Some(Refused::MovesMax));
            }
            assert_eq!(refused(action, Caller::Staff, changes), None);
        }
    }
    // The new address is not proven, so its person's appointments are not revealed.
    for action in readdresses.iter().chain(&quiet) {
        assert_eq!(refused(action, Caller::Proven, few), None);
    }
    for action in &quiet {
        assert_eq!(refused(action, Caller::Unproven, many[0]), None);
    }
}

#[test]
fn a_deletion_leaves_no_seat_person_or_message() {
    let (before, seats) = present();
    let removed = change(&before, &asked(Action::Delete, "staff"), &seats, now());
    let change = removed.expect("allowed").expect("a change");
    assert!(change.deletes && change.messages.is_empty() && change.taken.is_none());
    assert_eq!(change.freed.len(), 1);
    assert_eq!(
        (change.appointment.contact, change.appointment.resource),
        (None, None)
    );
    for kind in [
        BOOKED,
        MOVED,
        CHANGED,
        CANCELLED,
        UNCOVERED,
        DAY_BEFORE,
        HOURS_BEFORE,
    ] {
        assert!(change.withdrawn.contains(&kind), "{kind}");
    }
}
