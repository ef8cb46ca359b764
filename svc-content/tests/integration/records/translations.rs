//! Translations that staff enter, over gRPC, and what visitors then read.

use hospital_proto::content::v1::{
    Doctor, GetDoctorRequest, GetRecordTranslationsRequest, ListPublicationsRequest, RecordText,
    RecordTranslations, SearchRequest, TranslateRecordRequest, TranslatedText,
    content_service_client::ContentServiceClient,
};
use serde_json::json;
use test_kit::database::TestDatabase;
use tonic::{Code, Request, Status, transport::Channel};

use super::desk::{DOCTOR, Desk, SCOPES, reason, until};
use crate::{
    blogs::{Site, on_both_databases},
    service::{client, violated_fields},
};

on_both_databases!(
    a_translation_of_staff_reaches_every_process,
    the_second_of_two_editors_gets_a_conflict,
    every_wrong_text_is_named_and_nothing_is_stored,
    a_changed_english_text_keeps_the_row_of_the_former_one,
);

const ENGLISH: &str = "Looks after hearts.";
const KANNADA: &str = "ಹೃದಯದ ಆರೈಕೆ ಮಾಡುತ್ತಾರೆ.";

async fn translations(desk: &mut Desk, language: &str) -> RecordTranslations {
    let request = desk.signed(GetRecordTranslationsRequest {
        kind: "doctor".to_owned(),
        record_id: DOCTOR.to_owned(),
        language: language.to_owned(),
    });
    let reply = desk.records.get_record_translations(request).await;
    let reply = reply.expect("translations").into_inner();
    reply.translations.expect("translations")
}

fn request(etag: &str, texts: &[(&str, &str)]) -> TranslateRecordRequest {
    let text = |(english, translation): &(&str, &str)| TranslatedText {
        english: (*english).to_owned(),
        translation: (*translation).to_owned(),
    };
    TranslateRecordRequest {
        kind: "doctor".to_owned(),
        record_id: DOCTOR.to_owned(),
        language: "kn".to_owned(),
        texts: texts.iter().map(text).collect(),
        etag: etag.to_owned(),
    }
}

async fn translate(
    desk: &mut Desk,
    etag: &str,
    texts: &[(&str, &str)],
) -> Result<RecordTranslations, Status> {
    let request = desk.signed(request(etag, texts));
    let reply = desk.records.translate_record(request).await?;
    Ok(reply.into_inner().translations.expect("translations"))
}

fn text<'a>(known: &'a RecordTranslations, english: &str) -> &'a RecordText {
    let found = known.texts.iter().find(|text| text.english == english);
    found.expect("a text")
}

async fn kannada(client: &ContentServiceClient<Channel>) -> Doctor {
    let mut request = Request::new(GetDoctorRequest {
        doctor: DOCTOR.to_owned(),
    });
    let code = "kn".parse().expect("visible characters");
    request.metadata_mut().insert("content-language", code);
    let reply = client.clone().get_doctor(request).await.expect("a doctor");
    reply.into_inner().doctor.expect("a doctor")
}

async fn shows(client: &ContentServiceClient<Channel>, about: &str) {
    until(about, async || kannada(client).await.about == about).await;
}

/// Publishes another English text, which has no translation.
async fn set_about(desk: &mut Desk, about: &str) {
    let record = desk.get("doctor", DOCTOR).await;
    let draft = desk.save(&record, json!({"about": about})).await;
    desk.publish(&draft.expect("a draft"))
        .await
        .expect("published");
}

async fn a_translation_of_staff_reaches_every_process(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let other = Site::process(&desk.site.database, &desk.site.issuer).await;
    let elsewhere = client(&other).await;
    set_about(&mut desk, ENGLISH).await;
    shows(&elsewhere, ENGLISH).await;
    let known = translations(&mut desk, "kn").await;
    let missing: Vec<&str> = known
        .texts
        .iter()
        .filter(|text| text.source.is_empty())
        .map(|text| text.english.as_str())
        .collect();
    assert_eq!(missing, [ENGLISH]);
    assert_eq!(text(&known, ENGLISH).length_max, 200);

    // A text of the file too, whose translation staff replace.
    let of_file = known.texts.iter().find(|text| text.field == "specialty");
    let of_file = of_file.expect("a specialty").clone();
    assert_eq!(
        (of_file.source.as_str(), &of_file.translation),
        ("file", &of_file.file_translation)
    );
    let specialty = of_file.english.as_str();
    let texts = [(ENGLISH, KANNADA), (specialty, " ನಮ್ಮದು ")];
    let after = translate(&mut desk, &known.etag, &texts)
        .await
        .expect("stored");
    let own = text(&after, ENGLISH);
    assert_eq!(
        (own.source.as_str(), own.translation.as_str()),
        ("staff", KANNADA)
    );
    assert!(!own.author_name.is_empty() && own.update_time.is_some());
    for client in [&desk.site.client, &elsewhere] {
        shows(client, KANNADA).await;
        assert_eq!(kannada(client).await.specialty, "ನಮ್ಮದು");
    }
    assert_eq!(translations(&mut desk, "kn").await, after);
    assert_eq!(
        text(&translations(&mut desk, "hi").await, ENGLISH).source,
        ""
    );
    let mut search = Request::new(SearchRequest {
        q: after.title.clone(),
        ..SearchRequest::default()
    });
    let code = "kn".parse().expect("visible characters");
    search.metadata_mut().insert("content-language", code);
    let found = elsewhere.clone().search(search).await.expect("results");
    let found = found.into_inner().results;
    assert!(
        found
            .iter()
            .any(|one| one.path == after.path && one.summary.starts_with("ನಮ್ಮದು")),
        "{found:?}"
    );

    // The list of changes and the history name who changed what.
    let publications = desk.signed(ListPublicationsRequest::default());
    let publications = desk.records.list_publications(publications).await;
    let last = &publications.expect("changes").into_inner().publications[0];
    assert_eq!(
        (last.language.as_str(), last.record_id.as_str()),
        ("kn", DOCTOR)
    );
    // The same again has no effect.
    let texts = [(ENGLISH, KANNADA)];
    let again = translate(&mut desk, &after.etag, &texts).await;
    assert_eq!(again.expect("no effect"), after);

    let texts = [(ENGLISH, ""), (specialty, "")];
    let removed = translate(&mut desk, &after.etag, &texts)
        .await
        .expect("removed");
    assert_eq!(text(&removed, specialty), &of_file);
    assert_eq!(text(&removed, ENGLISH).translation, "");
    for client in [&desk.site.client, &elsewhere] {
        shows(client, ENGLISH).await;
        assert_eq!(kannada(client).await.specialty, of_file.translation);
    }
    let steps = removed
        .changes
        .iter()
        .filter(|change| change.english == ENGLISH);
    let steps: Vec<_> = steps
        .map(|step| (step.before.as_str(), step.after.as_str()))
        .collect();
    assert_eq!(steps, [(KANNADA, ""), ("", KANNADA)]);
    // A process that starts reads them too.
    let texts = [(ENGLISH, KANNADA)];
    translate(&mut desk, &removed.etag, &texts)
        .await
        .expect("stored");
    let third = Site::process(&desk.site.database, &desk.site.issuer).await;
    assert_eq!(kannada(&client(&third).await).await.about, KANNADA);
    drop((other, third));
    desk.end().await;
}

async fn the_second_of_two_editors_gets_a_conflict(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    set_about(&mut desk, ENGLISH).await;
    let known = translations(&mut desk, "kn").await;
    let first = translate(&mut desk, &known.etag, &[(ENGLISH, KANNADA)])
        .await
        .expect("stored");
    let refused = translate(&mut desk, &known.etag, &[(ENGLISH, "ಬೇರೆ")])
        .await
        .expect_err("stale");
    assert_eq!(
        (refused.code(), reason(&refused).0.as_str()),
        (Code::Aborted, "ETAG_MISMATCH")
    );
    assert_eq!(translations(&mut desk, "kn").await, first);
    let second = translate(&mut desk, &first.etag, &[(ENGLISH, "ಬೇರೆ")])
        .await
        .expect("stored");
    assert_eq!(text(&second, ENGLISH).translation, "ಬೇರೆ");

    // Of concurrent changes of one state, one is stored.
    let changes = ["ಒಂದು", "ಎರಡು", "ಮೂರು", "ನಾಲ್ಕು"].map(|own| {
        let signed = desk.signed(request(&second.etag, &[(ENGLISH, own)]));
        let mut records = desk.records.clone();
        tokio::spawn(async move { records.translate_record(signed).await.is_ok() })
    });
    let mut stored = 0;
    for change in changes {
        stored += usize::from(change.await.expect("a reply"));
    }
    assert_eq!(stored, 1);
    desk.end().await;
}

async fn every_wrong_text_is_named_and_nothing_is_stored(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    set_about(&mut desk, ENGLISH).await;
    let known = translations(&mut desk, "kn").await;
    let long = "ಹೃ".repeat(101);
    let texts = [
        (ENGLISH, long.as_str()),
        ("Unknown", "ಇಲ್ಲ"),
        (known.title.as_str(), "ಎ\nಬಿ"),
    ];
    let refused = translate(&mut desk, &known.etag, &texts)
        .await
        .expect_err("wrong");
    assert_eq!(
        violated_fields(&refused),
        [
            "texts[0].translation",
            "texts[1].english",
            "texts[2].translation"
        ]
    );
    assert_eq!(translations(&mut desk, "kn").await, known);
    for (change, field) in [
        (
            TranslateRecordRequest {
                texts: vec![],
                ..request(&known.etag, &[])
            },
            "texts",
        ),
        (request("", &[(ENGLISH, "ಇಲ್ಲ")]), "etag"),
        (
            TranslateRecordRequest {
                language: "en".to_owned(),
                ..request(&known.etag, &texts)
            },
            "language",
        ),
    ] {
        let signed = desk.signed(change);
        let refused = desk.records.translate_record(signed).await;
        assert_eq!(violated_fields(&refused.expect_err(field)), [field]);
    }
    let unknown = TranslateRecordRequest {
        record_id: "nobody".to_owned(),
        ..request(&known.etag, &texts)
    };
    let signed = desk.signed(unknown);
    let refused = desk.records.translate_record(signed).await;
    assert_eq!(refused.expect_err("unknown").code(), Code::NotFound);
    // Visitors read a translation at once, so drafts are not enough.
    let scopes = SCOPES.replace(" content:publish", "");
    let weak = desk
        .site
        .issuer
        .request(&scopes, request(&known.etag, &[(ENGLISH, KANNADA)]));
    let refused = desk.records.translate_record(weak).await;
    assert_eq!(
        refused.expect_err("no right").code(),
        Code::PermissionDenied
    );
    desk.end().await;
}

async fn a_changed_english_text_keeps_the_row_of_the_former_one(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    set_about(&mut desk, ENGLISH).await;
    let known = translations(&mut desk, "kn").await;
    translate(&mut desk, &known.etag, &[(ENGLISH, KANNADA)])
        .await
        .expect("stored");
    shows(&desk.site.client, KANNADA).await;

    // A draft can be translated before visitors read it.
    let record = desk.get("doctor", DOCTOR).await;
    let draft = desk
        .save(&record, json!({"about": "Another text."}))
        .await
        .expect("a draft");
    let both = translations(&mut desk, "kn").await;
    let marks = |known: &RecordTranslations| {
        let own = known.texts.iter().filter(|text| text.field == "about");
        own.map(|text| (text.english.clone(), text.is_draft))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        marks(&both),
        [
            (ENGLISH.to_owned(), false),
            ("Another text.".to_owned(), true)
        ]
    );
    desk.publish(&draft).await.expect("published");
    shows(&desk.site.client, "Another text.").await;
    let after = translations(&mut desk, "kn").await;
    assert_eq!(marks(&after), [("Another text.".to_owned(), false)]);
    assert_ne!(after.etag, both.etag);

    // With the former text, its translation is back.
    set_about(&mut desk, ENGLISH).await;
    shows(&desk.site.client, KANNADA).await;
    desk.end().await;
}
