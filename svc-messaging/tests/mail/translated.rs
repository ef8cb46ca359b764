//! Letters and text messages in Kannada and Hindi.

use std::{fs, path::Path, process::Command, sync::Arc};

use chrono::TimeDelta;
use hospital_proto::messaging::v1::{
    AppointmentEvent as WireEvent, CreateMessageRequest, FormCheck, GetFormTokenRequest, Message,
    messaging_service_client::MessagingServiceClient, send_notice_request::Notice,
};
use service_kit::language::Language;
use svc_messaging::{
    Arguments,
    delivery::{maildir::Maildir, webhook::SmsGateway},
    mail::{
        self, NewMail,
        content::{AppointmentEvent, Content},
        letter::{Encoding, Enquiry, Letter, Subject, text_message},
    },
    site::Site,
};
use test_kit::on_both_databases;
use tonic::Request;
use uuid::Uuid;

use crate::{
    fixture::{Bench, Post, appointment, mail, now, site},
    golden::{self, FOLDER, PRIVATE, TO_STAFF, all, compare, enquiry},
    notices::{self, booked},
    server::{Server, header},
    ways::{Receiver, files},
    written::PYTHON,
};

on_both_databases!(test_kit::bench::empty:
    a_contact_form_in_kannada_is_acknowledged_in_kannada,
    a_notice_in_hindi_is_sent_in_hindi,
    a_queued_mail_of_an_earlier_build_is_english,
    texts_have_the_template_of_their_language,
);

/// Python script: parses the mails of a Maildir, and prints recipient, language, subject and first line of the text.
const READ: &str = "\
import mailbox, sys
from email import policy, message_from_bytes
for raw in mailbox.Maildir(sys.argv[1], create=False, factory=None):
    mail = message_from_bytes(raw.as_bytes(), policy=policy.default)
    text = mail.get_body(('plain',)).get_content()
    print(mail['to'].addresses[0].addr_spec, mail['content-language'], mail['subject'], text.split('\\n')[0], sep='|')";

/// Returns what [`READ`] prints of a Maildir, sorted.
fn read(folder: &Path) -> Vec<String> {
    let output = Command::new(PYTHON).args(["-c", READ]).arg(folder).output();
    let output = output.expect("python3");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

async fn a_contact_form_in_kannada_is_acknowledged_in_kannada(bench: Bench) {
    let arguments = {
        use clap::{Args as _, FromArgMatches as _};
        let command = Arguments::augment_args(clap::Command::new("svc-messaging"));
        let matches = command.get_matches_from(["svc-messaging"]);
        Arguments::from_arg_matches(&matches).expect("valid")
    };
    let at = async |time| {
        let routes = bench.served(&arguments, time).await.routes;
        MessagingServiceClient::new(routes)
    };
    let mut earlier = at(now() - TimeDelta::seconds(40)).await;
    let token = earlier.get_form_token(GetFormTokenRequest {}).await;
    let token = token.expect("a token").into_inner().token;
    let mut client = at(now()).await;
    for (number, language) in [Some("kn"), None, Some("ta")].into_iter().enumerate() {
        let mut request = Request::new(CreateMessageRequest {
            request_id: format!("request-of-a-test-{number}"),
            message: Some(Message {
                name: "ಕಮಲಾ ರಾವ್".into(),
                email: format!("visitor{number}@visitor.example"),
                phone: format!("+91 80 0000 019{number}"),
                subject: "Visiting hours".into(),
                message: format!("May {number} of us visit my mother in ward {number} tomorrow?"),
                check: Some(FormCheck {
                    token: token.clone(),
                    ..FormCheck::default()
                }),
                ..Message::default()
            }),
        });
        if let Some(language) = language {
            let language = language.parse().expect("a header");
            request.metadata_mut().insert("content-language", language);
        }
        client.create_message(request).await.expect("accepted");
    }
    // The test is about mails, not about signs of spam.
    let quarantined = "SELECT count(*) FROM messages WHERE status = 'quarantined'";
    assert_eq!(bench.test.scalar(quarantined).await, 0);
    let root = tempfile::tempdir().expect("a folder");
    let folder = root.path().join("mail");
    let post = Post::new(bench, Arc::new(Maildir::new(&folder)));
    post.deliver().await;
    let reference = "MS-";
    let mails = read(&folder);
    assert_eq!(mails.len(), 3, "{mails:?}");
    for (mail, (start, end)) in mails.iter().zip([
        (
            "visitor0@visitor.example|kn|ನಿಮ್ಮ ಸಂದೇಶ ನಮಗೆ ತಲುಪಿದೆ (",
            ")|ನಿಮ್ಮ ಸಂದೇಶ ನಮಗೆ ತಲುಪಿದೆ",
        ),
        (
            "visitor1@visitor.example|None|We have your message (",
            ")|We have your message",
        ),
        (
            "visitor2@visitor.example|None|We have your message (",
            ")|We have your message",
        ),
    ]) {
        let rest = mail
            .strip_prefix(start)
            .and_then(|rest| rest.strip_suffix(end));
        assert!(
            rest.is_some_and(|rest| rest.starts_with(reference)),
            "{mail}"
        );
    }
    for file in files(&folder.join("new")) {
        let raw = fs::read(folder.join("new").join(file)).expect("a mail");
        assert!(raw.is_ascii(), "mails have 7 bits");
    }
    post.bench.end().await;
}

async fn a_notice_in_hindi_is_sent_in_hindi(bench: Bench) {
    let server = Server::start(&["ok", "ok"]).await;
    let mut client = notices::client(&bench, &[]).await;
    for language in ["hi", "HI"] {
        let mut notice = booked();
        notice.language = language.into();
        if let Some(Notice::Appointment(appointment)) = &mut notice.notice {
            appointment.set_event(WireEvent::Moved);
            appointment.reference = format!("SH-{language}");
        }
        client.send_notice(notice).await.expect("kept");
    }
    let post = Post::smtp(bench, &server.url());
    post.deliver().await;
    let taken = server.wait_for(2).await;
    let mut languages: Vec<String> = taken
        .iter()
        .map(|mail| header(&mail.text(), "Content-Language"))
        .collect();
    languages.sort();
    // An unknown language is English, whose mails have no such header.
    assert_eq!(languages, ["", "hi"]);
    post.bench.end().await;
}

async fn a_queued_mail_of_an_earlier_build_is_english(bench: Bench) {
    let root = tempfile::tempdir().expect("a folder");
    let folder = root.path().join("mail");
    let post = Post::new(bench, Arc::new(Maildir::new(&folder)));
    let queued = NewMail {
        language: Some(Language::Kannada),
        ..mail(appointment(AppointmentEvent::Booked))
    };
    post.keep(&queued).await;
    post.keep(&mail(appointment(AppointmentEvent::Booked)))
        .await;
    // The default of the column, which earlier builds leave out, and a code of a later build.
    let sql = "UPDATE mails SET language = CASE language WHEN 'kn' THEN 'ta' ELSE language END";
    assert_eq!(post.bench.test.execute(sql).await, 2);
    post.deliver().await;
    let line = "kamala@visitor.example|None|Your appointment is booked: Tue 24 Nov, 10:30 AM IST|Your appointment is booked";
    assert_eq!(read(&folder), [line, line]);
    post.bench.end().await;
}

async fn texts_have_the_template_of_their_language(bench: Bench) {
    let gateway = Receiver::start(vec![]).await;
    let root = tempfile::tempdir().expect("a folder");
    let mut post = Post::new(bench, Arc::new(Maildir::new(root.path())));
    let way = SmsGateway::new(&gateway.url(), "token").expect("a gateway");
    post.sms = Some(Arc::new(way));
    for language in [None, Some(Language::Kannada), Some(Language::Hindi)] {
        let text = NewMail {
            language,
            ..mail(appointment(AppointmentEvent::Reminder24h))
        };
        let rows = mail::insert_text(&post.bench.keys, &text, "+91 80 0000 0199", now());
        post.run(rows.expect("rows")).await;
        post.deliver().await;
    }
    let asked: Vec<serde_json::Value> = gateway
        .asked()
        .iter()
        .map(|asked| serde_json::from_slice(&asked.body).expect("JSON"))
        .collect();
    let of = |name: &str| -> Vec<String> {
        let values = asked
            .iter()
            .map(|body| body[name].as_str().expect("a text").to_owned());
        values.collect()
    };
    // No id is set for Hindi, so the text goes out in English.
    assert_eq!(of("templateId"), ["1707", "1709", "1707"]);
    assert_eq!(of("encoding"), ["gsm7", "ucs2", "gsm7"]);
    assert_eq!(of("entityId"), ["1701"; 3]);
    let texts = of("text");
    assert!(
        texts[1].contains("ಅಪಾಯಿಂಟ್") && texts[2] == texts[0],
        "{texts:?}"
    );
    post.bench.end().await;
}

/// The test's site in a language, as the content service translates it.
pub(crate) fn site_in(language: Language) -> Site {
    let (name, address, names) = match language {
        Language::Kannada => (
            "ಸಂಪಿಗೆ ಆಸ್ಪತ್ರೆ",
            "214, 9ನೇ ಮುಖ್ಯ ರಸ್ತೆ, 4ನೇ ಟಿ ಬ್ಲಾಕ್, ಜಯನಗರ, ಬೆಂಗಳೂರು 560041",
            [
                ("Cardiology", "ಹೃದ್ರೋಗ"),
                ("Dr. Anjali Rao", "ಡಾ. ಅಂಜಲಿ ರಾವ್"),
                ("Heart day", "ಹೃದಯ ದಿನ"),
                ("The speaker is ill.", "ಉಪನ್ಯಾಸಕರಿಗೆ ಅನಾರೋಗ್ಯ."),
            ],
        ),
        Language::Hindi => (
            "संपिगे अस्पताल",
            "214, 9वीं मेन रोड, 4था टी ब्लॉक, जयनगर, बेंगलुरु 560041",
            [
                ("Cardiology", "हृदय रोग"),
                ("Dr. Anjali Rao", "डॉ. अंजलि राव"),
                ("Heart day", "हृदय दिवस"),
                ("The speaker is ill.", "वक्ता बीमार हैं।"),
            ],
        ),
    };
    let names = names.map(|(english, own)| (english.to_owned(), own.to_owned()));
    Site {
        name: name.into(),
        address: address.into(),
        names: Arc::new(names.into()),
        ..site()
    }
}

#[test]
fn every_translated_letter_matches_its_golden_file() {
    for language in Language::ALL {
        let folder = Path::new(FOLDER).join(language.code());
        compare(&folder, Some(language), &site_in(language));
    }
}

#[test]
fn letters_to_staff_are_english_and_name_the_language_of_the_sender() {
    let language = Some(Language::Kannada);
    let content = Content::Enquiry {
        message: Uuid::nil(),
    };
    let text = |enquiry: Enquiry| {
        let subject = Subject::Enquiry(enquiry);
        let letter = Letter::of(&content, "", &subject, language, &site()).expect("a letter");
        assert_eq!(letter.language, None);
        letter.text(&site()).expect("text")
    };
    assert!(!text(enquiry()).contains("Language: "));
    let sender = Enquiry {
        language,
        ..enquiry()
    };
    assert!(text(sender).contains("\nLanguage: Kannada\n"));
}

#[test]
fn translated_letters_have_whole_words_and_links_to_pages_of_their_language() {
    for language in Language::ALL {
        let site = site_in(language);
        for (name, content, subject) in all() {
            if TO_STAFF.contains(&name) {
                continue;
            }
            let letter = Letter::of(&content, "", &subject, Some(language), &site);
            let letter = letter.expect("a letter");
            for private in PRIVATE
                .into_iter()
                .chain(["ಹೃದ್ರೋಗ", "ಅಂಜಲಿ", "हृदय रोग", "अंजलि"])
            {
                assert!(
                    !letter.subject.contains(private),
                    "{name}: {}",
                    letter.subject
                );
            }
            let text = letter.text(&site).expect("text");
            let html = letter.html(&site).expect("HTML");
            let code = language.code();
            assert!(html.contains(&format!("<html lang=\"{code}\">")), "{name}");
            // A line begins with whole characters: neither a vowel sign, a virama nor a joiner.
            let is_cut = |line: &str| {
                let first = line.chars().next();
                first.is_some_and(|first| {
                    "\u{200c}\u{200d}".contains(first)
                        || matches!(first, '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}')
                        || matches!(first, '\u{c80}'..='\u{c83}' | '\u{cbc}'..='\u{ccd}')
                })
            };
            assert!(!text.lines().any(is_cut), "{name}: {text}");
            assert!(
                text.contains(&format!("\n{}/{code}\n", site.origin)),
                "{name}: {text}"
            );
            for page in [
                "/newsletter/confirm",
                "/newsletter/unsubscribe",
                "/registration/cancel",
            ] {
                let english = format!("{}{page}", site.origin);
                assert!(
                    !text.contains(&english) && !html.contains(&english),
                    "{name}"
                );
            }
            assert!(
                !text.contains('{') && !text.contains("##"),
                "{name}: {text}"
            );
        }
    }
}

#[test]
fn translated_text_messages_fit_two_parts() {
    /// A part has 70 units, of which 3 join it to the other part.
    const UNITS_MAX: usize = 2 * 67;
    for language in Language::ALL {
        let site = site_in(language);
        let long = Site {
            name: "ಸಂಪಿಗೆ ಮಲ್ಟಿ ಸ್ಪೆಷಾಲಿಟಿ ಆಸ್ಪತ್ರೆ ಮತ್ತು ಸಂಶೋಧನಾ ಕೇಂದ್ರ".into(),
            ..site.clone()
        };
        for event in [
            AppointmentEvent::Reminder24h,
            AppointmentEvent::Reminder2h,
            AppointmentEvent::Cancelled,
        ] {
            // Every day of a year, in each part of the day.
            for number in 0..366 * 6 {
                let Content::Appointment(mut appointment) = appointment(event) else {
                    panic!("an appointment");
                };
                appointment.starts_at =
                    golden::at("2026-01-01T06:45:00Z") + TimeDelta::hours(4 * number);
                let reference = appointment.reference.clone();
                let content = Content::Appointment(appointment);
                for (site, is_named) in [(&site, true), (&long, false)] {
                    let text = text_message(&content, Some(language), site).expect("a text");
                    assert_eq!(text.encoding, Encoding::Ucs2);
                    let text = text.text;
                    assert!(text.encode_utf16().count() <= UNITS_MAX, "{text}");
                    assert_eq!(text.contains(&site.name), is_named, "{text}");
                    assert!(
                        text.contains(&reference) && text.ends_with(&site.phone),
                        "{text}"
                    );
                    assert!(PRIVATE.iter().all(|word| !text.contains(word)), "{text}");
                }
            }
        }
    }
    let reminder = appointment(AppointmentEvent::Reminder24h);
    for (language, wanted) in Language::ALL.into_iter().zip([
        "ಸಂಪಿಗೆ ಆಸ್ಪತ್ರೆ: ಮಂಗಳ 24 ನವೆಂಬರ್, ಬೆಳಿಗ್ಗೆ 10:30 ಕ್ಕೆ ನಿಮ್ಮ ಅಪಾಯಿಂಟ್‌ಮೆಂಟ್ ಇದೆ. ಉಲ್ಲೇಖ SH-7K3P-2XQ9. ಫೋನ್ +91 80 0000 0100",
        "संपिगे अस्पताल: मंगल 24 नवंबर, सुबह 10:30 बजे आपका अपॉइंटमेंट है। रेफ़रेंस SH-7K3P-2XQ9। फ़ोन +91 80 0000 0100",
    ]) {
        let text = text_message(&reminder, Some(language), &site_in(language)).expect("a text");
        assert_eq!(text.text, wanted);
    }
}
