use service_kit::input::NAME_CHARS_MAX;

use super::*;

fn enquiry() -> Submission {
    Submission {
        request_id: "4c9e3f0a-enquiry-1".to_owned(),
        message: Some(SubmittedMessage {
            name: "  Kamala Test ".to_owned(),
            email: "kamala@visitor.example".to_owned(),
            phone: "+91 80 0000 0199".to_owned(),
            subject: "Visiting hours".to_owned(),
            message: "May two of us visit?\nThank you.".to_owned(),
            ..SubmittedMessage::default()
        }),
    }
}

fn comment() -> Submission {
    let mut request = enquiry();
    let message = request.message.as_mut().expect("a message");
    message.email.clear();
    message.phone.clear();
    message.meta = SubmittedMeta {
        thread_id: "healthy-heart".to_owned(),
        write_time: Some(UnixTime {
            seconds: 1_763_700_000,
            nanos: 123_456_789,
        }),
    };
    request
}

fn with(change: impl FnOnce(&mut SubmittedMessage)) -> Submission {
    let mut request = enquiry();
    change(request.message.as_mut().expect("a message"));
    request
}

fn fields(request: Submission) -> Vec<String> {
    parse(request)
        .expect_err("violations")
        .into_iter()
        .map(|violation| violation.field)
        .collect()
}

#[test]
fn trims_an_enquiry() {
    let (_, new) = parse(enquiry()).expect("valid");
    assert_eq!(new.name.as_str(), "Kamala Test");
    assert_eq!(new.kind.as_str(), "enquiry");
    assert_eq!(new.email(), Some("kamala@visitor.example"));
}

#[test]
fn a_comment_needs_no_contact_details() {
    let (_, new) = parse(comment()).expect("valid");
    assert_eq!(new.kind.as_str(), "comment");
    assert_eq!(new.thread_id(), Some("healthy-heart"));
    assert_eq!(
        new.write_time().map(|at| at.timestamp_subsec_nanos()),
        Some(123_456_000),
        "kept to the microsecond, as both databases do"
    );
}

#[test]
fn reports_all_violations_at_once() {
    let empty = Submission {
        message: Some(SubmittedMessage::default()),
        request_id: String::new(),
    };
    assert_eq!(
        fields(empty),
        ["requestId", "name", "email", "phone", "subject", "message"]
    );
    let no_message = Submission {
        message: None,
        request_id: "short".to_owned(),
    };
    assert_eq!(fields(no_message), ["requestId", "message"]);
    let mut empty_comment = comment();
    empty_comment.message = Some(SubmittedMessage {
        meta: SubmittedMeta {
            thread_id: " ".to_owned(),
            write_time: Some(UnixTime {
                seconds: i64::MAX,
                nanos: 0,
            }),
        },
        ..SubmittedMessage::default()
    });
    assert_eq!(
        fields(empty_comment),
        [
            "name",
            "subject",
            "message",
            "meta.threadId",
            "meta.createdAt"
        ]
    );
}

fn registration(event_id: &str, people: i32) -> Submission {
    with(|message| {
        message.email.clear();
        message.registration = Some(SubmittedRegistration {
            event_id: event_id.to_owned(),
            people,
        });
    })
}

#[test]
fn a_registration_needs_a_phone_number_an_event_and_one_to_ten_people() {
    for people in [1, PEOPLE_MAX] {
        let (_, new) = parse(registration(" heart-walk ", people)).expect("valid");
        assert_eq!(new.kind.as_str(), "registration");
        assert_eq!(new.registration(), Some(("heart-walk", people)));
        assert_eq!((new.email(), new.thread_id()), (None, None));
    }
    for people in [i32::MIN, -1, 0, PEOPLE_MAX + 1] {
        assert_eq!(
            fields(registration("heart-walk", people)),
            ["registration.people"]
        );
    }
    let long = "a".repeat(EVENT_ID_CHARS_MAX + 1);
    for event_id in ["", "Heart walk", "a/b", &long] {
        assert_eq!(fields(registration(event_id, 2)), ["registration.eventId"]);
    }
    let mut unreachable = registration("heart-walk", 2);
    unreachable
        .message
        .as_mut()
        .expect("a message")
        .phone
        .clear();
    assert_eq!(fields(unreachable), ["phone"]);
    let mut both = registration("heart-walk", 2);
    both.message.as_mut().expect("a message").meta.thread_id = "heart".to_owned();
    assert_eq!(fields(both), ["meta"]);
}

#[test]
fn limits_are_inclusive() {
    type Case = (&'static str, usize, fn(&mut SubmittedMessage, String));
    let cases: [Case; 3] = [
        ("name", NAME_CHARS_MAX, |m, text| m.name = text),
        ("subject", SUBJECT_CHARS_MAX, |m, text| m.subject = text),
        ("message", MESSAGE_CHARS_MAX, |m, text| m.message = text),
    ];
    for (field, chars_max, set) in cases {
        // Limits count characters: a Kannada letter has three bytes.
        assert!(
            parse(with(|m| set(m, "ಸ".repeat(chars_max)))).is_ok(),
            "{field}"
        );
        assert_eq!(fields(with(|m| set(m, "ಸ".repeat(chars_max + 1)))), [field]);
    }
}

#[test]
fn refuses_control_characters_except_line_breaks_of_the_message() {
    assert_eq!(
        fields(with(|m| m.subject = "Hello\nBcc: all".to_owned())),
        ["subject"]
    );
    assert_eq!(fields(with(|m| m.name = "Nul\0l".to_owned())), ["name"]);
    assert_eq!(
        fields(with(|m| m.message = "Nul\0l".to_owned())),
        ["message"]
    );
    let (_, draft) = parse(with(|m| m.message = "one\r\n\ttwo".to_owned())).expect("valid");
    assert_eq!(draft.message.as_str(), "one\n\ttwo");
}

/// Checks that the rules are applied to the fields. Each rule has its own table of cases in service-kit.
#[test]
fn validates_every_field() {
    type Case = (
        &'static str,
        &'static str,
        fn(&mut SubmittedMessage, String),
    );
    for (email, phone) in [
        ("o'neil@visitor.example", "080-1234567"),
        ("first.last+tag@sub.visitor.example", "(080) 0000-0199"),
    ] {
        let (_, draft) = parse(with(|m| {
            m.email = email.to_owned();
            m.phone = phone.to_owned();
        }))
        .expect("valid");
        assert_eq!((draft.email(), draft.phone()), (Some(email), Some(phone)));
    }
    let cases: [Case; 9] = [
        ("email", "a@b", |m, text| m.email = text),
        ("email", "a@b.c\u{202e}", |m, text| m.email = text),
        ("phone", "80+00000199", |m, text| m.phone = text),
        ("phone", "123456", |m, text| m.phone = text),
        ("name", "\u{200b}\u{200b}", |m, text| m.name = text),
        ("name", "\u{202e}evil", |m, text| m.name = text),
        ("name", "...", |m, text| m.name = text),
        ("subject", "paid\u{2066}", |m, text| m.subject = text),
        ("message", "a\u{feff}b", |m, text| m.message = text),
    ];
    for (field, text, set) in cases {
        assert_eq!(
            fields(with(|m| set(m, text.to_owned()))),
            [field],
            "{text:?}"
        );
    }
}

#[test]
fn validates_the_optional_fields_of_a_comment() {
    let mut request = comment();
    let message = request.message.as_mut().expect("a message");
    message.email = "a@b".to_owned();
    message.phone = "12".to_owned();
    assert_eq!(fields(request), ["email", "phone"]);
    let mut request = comment();
    let message = request.message.as_mut().expect("a message");
    message.meta.thread_id = "heart\0".to_owned();
    assert_eq!(fields(request), ["meta.threadId"]);
}

#[test]
fn a_request_id_is_visible_ascii_of_bounded_length() {
    for (id, is_good) in [
        ("x".repeat(15), false),
        ("x".repeat(16), true),
        ("x".repeat(128), true),
        ("x".repeat(129), false),
        ("sixteen letters!".replace(' ', "_"), true),
        ("sixteen letters!".to_owned(), false),
        ("ಸ".repeat(16), false),
    ] {
        let request = Submission {
            request_id: id.clone(),
            ..enquiry()
        };
        assert_eq!(parse(request).is_ok(), is_good, "{id}");
    }
}

#[test]
fn a_status_round_trips_through_its_text() {
    for (word, status) in [
        ("new", Status::New),
        ("taken", Status::Taken),
        ("done", Status::Done),
        ("spam", Status::Spam),
        ("quarantined", Status::Quarantined),
    ] {
        assert_eq!(status.as_str(), word);
        assert_eq!(Status::from_word(word), Some(status));
    }
    assert_eq!(Status::from_word("New"), None);
}

#[test]
fn debug_output_withholds_the_visitors_input() {
    let sent = enquiry();
    let text = format!("{sent:?} {:?} {:?}", sent.message, parse(sent.clone()));
    assert!(text.contains("NewMessage"), "it was taken: {text}");
    for personal in [
        "Kamala",
        "visitor.example",
        "80 0000 0199",
        "Visiting hours",
        "two of us",
    ] {
        assert!(!text.contains(personal), "{personal} in {text}");
    }
}
