//! Golden files of each kind of mail, and of each letter to visitors in Kannada and Hindi. `REWRITE_GOLDEN=1 cargo test -p svc-messaging --test mail golden` rewrites them.

use std::path::Path;

use chrono::{DateTime, Utc};
use service_kit::language::Language;
use svc_messaging::{
    mail::{
        content::{
            AppointmentEvent, Attendant, Code, Consultation, ConsultationEvent, Content, Held,
            Registration, Removal, Waitlist, WaitlistEvent, WaitlistRemoved,
        },
        letter::{Enquiry, Issue, Letter, Subject, text_message},
    },
    site::Site,
};
use uuid::Uuid;

use crate::fixture::{acknowledgement, appointment, attendant, site};

pub(crate) const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/mail");
/// Texts that must not appear in any subject line.
pub(crate) const PRIVATE: [&str; 4] = ["Cardiology", "Anjali", "Kamala", "Rao"];

pub(crate) fn at(time: &str) -> DateTime<Utc> {
    time.parse().expect("a moment")
}

fn consultation(event: ConsultationEvent) -> Content {
    let is_scheduled = event == ConsultationEvent::Scheduled;
    Content::Consultation(Consultation {
        event,
        name: "ಕಮಲಾ ರಾವ್".into(),
        reference: "VC-7K3P-2XQ9".into(),
        date: "2026-11-25".parse().expect("a date"),
        starts_at: is_scheduled.then(|| at("2026-11-25T10:15:00Z")),
        link: if is_scheduled {
            "https://video.sampige.example/room/7k3p".into()
        } else {
            String::new()
        },
        department: match event {
            ConsultationEvent::Cancelled => String::new(),
            _ => "Cardiology".into(),
        },
        doctor: if is_scheduled {
            "Dr. Nandini Iyengar".into()
        } else {
            String::new()
        },
        registration: if is_scheduled {
            "KMC 000106".into()
        } else {
            String::new()
        },
    })
}

pub(crate) fn enquiry() -> Enquiry {
    Enquiry {
        reference: "MS-7K3P-2XQ9".into(),
        name: "Kamala <Rao> & sons".into(),
        email: "kamala@visitor.example".into(),
        phone: "+91 80 0000 0199".into(),
        subject: "Visiting hours".into(),
        message: "May two of us visit?\n<script>alert(1)</script>\n\nThank you,\nKamala".into(),
        thread: String::new(),
        people: None,
        language: None,
        create_time: at("2026-11-23T04:30:00Z"),
    }
}

fn further() -> Vec<(&'static str, Content, Subject)> {
    let joined = Content::Waitlist(Waitlist {
        name: "Kamala Rao".into(),
        reference: "WL-7K3P-2XQ9".into(),
        department: "Cardiology".into(),
        doctor: String::new(),
        event: WaitlistEvent::Joined {
            date: Some("2026-11-24".parse().expect("a date")),
        },
        offer_url: "https://sampige.example/appointment/manage#WL-7K3P-2XQ9.secret".into(),
    });
    let removed = Content::WaitlistRemoved(WaitlistRemoved {
        name: "Kamala Rao".into(),
        reference: "WL-7K3P-2XQ9".into(),
        department: "Cardiology".into(),
        date: "2026-11-24".parse().expect("a date"),
        removal: Removal::Unreachable,
    });
    let code = Content::Code(Code {
        name: "Kamala Rao".into(),
        reference: "SH-7K3P-2XQ9".into(),
        code: "048213".into(),
        expire_time: at("2026-11-23T04:40:00Z"),
    });
    let held = |reference: &str, signals: &str| Held {
        reference: reference.into(),
        create_time: at("2026-11-22T14:30:00Z"),
        signals: signals.into(),
    };
    let quarantine = Content::Quarantine {
        waiting: 23,
        since: at("2026-11-22T14:30:00Z"),
        held: vec![
            held("MS-7K3P-2XQ9", "links, too_fast"),
            held("MS-4M8T-6WRC", ""),
        ],
    };
    let mut other = appointment(AppointmentEvent::Booked);
    if let Content::Appointment(appointment) = &mut other {
        appointment.attendant = Attendant::default();
        appointment.other_reference = "SH-4M8T-6WRC".into();
    }
    vec![
        ("waitlist_joined", joined, Subject::None),
        ("waitlist_removed", removed, Subject::None),
        ("appointment_code", code, Subject::None),
        ("appointment_booked_second", other, Subject::None),
        ("quarantine_digest", quarantine, Subject::None),
    ]
}

pub(crate) fn all() -> Vec<(&'static str, Content, Subject)> {
    let forwarded = Content::Enquiry {
        message: Uuid::nil(),
    };
    let comment = Enquiry {
        name: "Ravi".into(),
        email: String::new(),
        phone: String::new(),
        thread: "healthy-heart".into(),
        ..enquiry()
    };
    let issue = Issue {
        subject: "A healthy winter".into(),
        text: "Drink warm water, and keep moving.\n\nRead more at https://sampige.example/blogs/winter.\nOur doctors wrote it for you."
            .into(),
    };
    let markdown = Issue {
        subject: "Stay well in winter".into(),
        text: "# Keep warm\n\nDrink *warm* water, and **keep moving**.\n\n- Soup\n- Tea\n  - with ginger\n\n\
               ## Ask us\n\n1. Call [reception](tel:+918000000100).\n2. Or write to <care@sampige.example>.\n\n\
               > A walk a day is enough.\n\n---\n\n[Read more in our blog](https://sampige.example/blogs/winter)\\\n\
               <script>alert(1)</script>"
            .into(),
    };
    let test = Content::NewsletterTest {
        subject: markdown.subject.clone(),
        text: markdown.text.clone(),
    };
    let newsletter = Content::Newsletter {
        newsletter: Uuid::nil(),
        unsubscribe_url: "https://sampige.example/newsletter/unsubscribe?token=abc".into(),
    };
    let confirmation = Content::Confirmation {
        confirm_url: "https://sampige.example/newsletter/confirm?token=abc".into(),
    };
    let offer = Content::Waitlist(Waitlist {
        name: "Kamala Rao".into(),
        reference: "WL-7K3P-2XQ9".into(),
        department: "Cardiology".into(),
        doctor: "Dr. Anjali Rao".into(),
        event: WaitlistEvent::Offered {
            starts_at: at("2026-11-24T05:00:00Z"),
            hold_until: at("2026-11-23T06:30:00Z"),
            attendant: attendant(),
        },
        offer_url: "https://sampige.example/waitlist/offer?id=1#secret".into(),
    });
    let registered = Registration {
        event_id: "heart-day-2026".into(),
        title: "Heart day".into(),
        location: "Hall, ground floor".into(),
        starts_at: at("2026-12-05T03:30:00Z"),
        people: 2,
        reference: "MS-7K3P-2XQ9".into(),
        cancelled: String::new(),
        token: "abc".into(),
    };
    let off = Registration {
        cancelled: "The speaker is ill.".into(),
        ..registered.clone()
    };
    let mut all = further();
    all.extend([
        ("acknowledgement", acknowledgement(), Subject::None),
        ("enquiry", forwarded.clone(), Subject::Enquiry(enquiry())),
        ("comment", forwarded, Subject::Enquiry(comment)),
        ("newsletter_confirmation", confirmation, Subject::None),
        (
            "newsletter_issue",
            newsletter.clone(),
            Subject::Issue(issue),
        ),
        ("newsletter_markdown", newsletter, Subject::Issue(markdown)),
        ("newsletter_test", test, Subject::None),
        (
            "registration_confirmed",
            Content::Registered(registered),
            Subject::None,
        ),
        (
            "event_cancelled",
            Content::EventCancelled(off),
            Subject::None,
        ),
        ("waitlist_offer", offer, Subject::None),
    ]);
    all.extend(of_bookings());
    all
}

/// Mails about appointments and consultations.
fn of_bookings() -> Vec<(&'static str, Content, Subject)> {
    use AppointmentEvent as Event;
    let mut all = Vec::new();
    for (name, event) in [
        ("appointment_booked", Event::Booked),
        ("appointment_changed", Event::Changed),
        ("appointment_moved", Event::Moved),
        ("appointment_cancelled", Event::Cancelled),
        ("appointment_uncovered", Event::Uncovered),
        ("appointment_reminder_24h", Event::Reminder24h),
        ("appointment_reminder_2h", Event::Reminder2h),
        ("appointment_link", Event::Link),
    ] {
        all.push((name, appointment(event), Subject::None));
    }
    for (name, event) in [
        ("consultation_requested", ConsultationEvent::Requested),
        ("consultation_scheduled", ConsultationEvent::Scheduled),
        ("consultation_cancelled", ConsultationEvent::Cancelled),
    ] {
        all.push((name, consultation(event), Subject::None));
    }
    all
}

/// Letters to the hospital's staff, which are English.
pub(crate) const TO_STAFF: [&str; 4] =
    ["enquiry", "comment", "quarantine_digest", "newsletter_test"];

/// Compares the parts of letters with the files of a folder, which has no other files.
pub(crate) fn compare(folder: &Path, language: Option<Language>, site: &Site) {
    let rewrites = std::env::var_os("REWRITE_GOLDEN").is_some();
    let mut known: Vec<String> = Vec::new();
    for (name, content, subject) in all() {
        if language.is_some() && TO_STAFF.contains(&name) {
            continue;
        }
        let letter = Letter::of(&content, "", &subject, language, site).expect("a letter");
        for (part, text) in [
            ("subject", letter.subject.clone() + "\n"),
            ("txt", letter.text(site).expect("text")),
            ("html", letter.html(site).expect("HTML")),
        ] {
            let file = format!("{name}.{part}");
            let path = folder.join(&file);
            if rewrites {
                std::fs::write(&path, &text).expect("a file");
            }
            let approved = std::fs::read_to_string(&path).expect(&file);
            assert_eq!(text, approved, "{file}");
            known.push(file);
        }
    }
    let entries = std::fs::read_dir(folder).expect("the folder");
    for entry in entries {
        let entry = entry.expect("an entry");
        let file = entry.file_name().into_string().expect("a name");
        let is_known = known.contains(&file) || entry.path().is_dir();
        assert!(is_known, "{file} belongs to no kind");
    }
}

#[test]
fn every_kind_matches_its_golden_file() {
    compare(Path::new(FOLDER), None, &site());
}

/// A mail of a booking service without doctors, or queued by an earlier build.
#[test]
fn a_consultation_without_a_doctor_has_no_line_about_one() {
    let site = site();
    let content = consultation(ConsultationEvent::Scheduled);
    let mut stored = serde_json::to_value(&content).expect("JSON");
    let fields = stored.as_object_mut().expect("an object");
    for name in ["doctor", "registration"] {
        fields.remove(name).expect(name);
    }
    let earlier: Content = serde_json::from_value(stored).expect("readable");
    let letter = Letter::of(&earlier, "", &Subject::None, None, &site).expect("a letter");
    let text = letter.text(&site).expect("text");
    assert!(text.contains("When: "), "{text}");
    assert!(
        !text.contains("With: ") && !text.contains("Registration"),
        "{text}"
    );
}

#[test]
fn subjects_name_no_person_and_mails_load_nothing_remote() {
    let site = site();
    for (name, content, subject) in all() {
        let letter = Letter::of(&content, "", &subject, None, &site).expect("a letter");
        for private in PRIVATE {
            assert!(
                !letter.subject.contains(private),
                "{name}: {}",
                letter.subject
            );
        }
        let html = letter.html(&site).expect("HTML");
        for bad in [
            "<img", "<script", "src=", "url(", "@import", "<link", "!\n", "! ",
        ] {
            assert!(
                !html
                    .replace("!important", "")
                    .replace("<!doctype", "")
                    .contains(bad),
                "{name}: {bad}"
            );
        }
        assert!(html.contains("<html lang=\"en-IN\">"), "{name}");
        assert_eq!(html.matches("<h1").count(), 1, "{name}");
        let text = letter.text(&site).expect("text");
        let long = text.lines().find(|line| {
            line.chars().count() > 78 && !line.contains("://") && !line.contains(": ")
        });
        assert_eq!(long, None, "{name}");
        let is_inside = ["enquiry", "comment", "quarantine_digest"].contains(&name);
        assert_eq!(text.contains(&site.emergency_phone), !is_inside, "{name}");
        // The button's URL must also appear in the text part.
        if let Some(action) = &letter.action {
            assert!(text.contains(&action.url), "{name}");
        }
    }
}

#[test]
fn visitors_input_is_never_a_link() {
    let site = site();
    // M5: an earlier build stored the visitor's input.
    let content = Content::Acknowledgement {
        name: "Win money at evil.example".into(),
        reference: "MS-7K3P-2XQ9".into(),
        subject: "Look: https://evil.example/x".into(),
    };
    let letter = Letter::of(&content, "", &Subject::None, None, &site).expect("a letter");
    for part in [letter.text(&site), letter.html(&site)] {
        assert!(!part.expect("a part").contains("evil"));
    }
}

#[test]
fn text_messages_are_short_and_disclose_little() {
    let site = site();
    let text = |event| text_message(&appointment(event), None, &site);
    for event in [
        AppointmentEvent::Reminder24h,
        AppointmentEvent::Reminder2h,
        AppointmentEvent::Cancelled,
    ] {
        let text = text(event).expect("a text").text;
        assert!(text.len() <= 160 && text.is_ascii(), "{text}");
        assert!(PRIVATE.iter().all(|word| !text.contains(word)), "{text}");
        assert!(text.contains("Tue 24 Nov, 10:30 AM IST"), "{text}");
    }
    assert_eq!(text(AppointmentEvent::Booked), None);
    assert_eq!(text_message(&acknowledgement(), None, &site), None);
}
