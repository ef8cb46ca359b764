//! Reads in Kannada and Hindi, which follow what staff change.

use std::path::Path;

use hospital_proto::content::v1::{
    Blog, Doctor, GetBlogRequest, GetDoctorRequest, GetEventCalendarRequest, GetEventRequest,
    GetRecordPreviewRequest, GetSpecialtyRequest, ListBlogsRequest, ListDoctorsRequest,
    SearchRequest, content_service_client::ContentServiceClient,
    preview_service_client::PreviewServiceClient,
};
use serde_json::{Value, json};
use svc_content::files::Sources;
use tempfile::TempDir;
use test_kit::database::TestDatabase;
use tokio::task::JoinSet;
use tonic::{Request, transport::Channel};

use super::desk::{Desk, SCOPES};
use crate::{
    PROGRAM,
    blogs::{Site, on_both_databases},
};

on_both_databases!(
    serves_each_language_and_else_english,
    a_changed_text_is_english_at_once,
    posts_are_found_by_category_in_a_language,
    previews_show_untranslated_drafts_in_english,
);

const ID: &str = "doc-06";
const NAME: &str = "Dr. Nandini Iyengar";
const NAME_KN: &str = "ಡಾ. ನಂದಿನಿ ಅಯ್ಯಂಗಾರ್";
const NAME_HI: &str = "डॉ. नंदिनी अय्यंगार";

fn kannada() -> Value {
    json!({
        NAME: NAME_KN,
        "Cardiology": "ಹೃದ್ರೋಗ",
        "How to measure blood pressure at home": "ಮನೆಯಲ್ಲಿ ಬಿಪಿ ಅಳೆಯುವುದು ಹೇಗೆ",
        "9:00 AM - 4:00 PM": "ಬೆಳಿಗ್ಗೆ 9:00 - ಸಂಜೆ 4:00",
        "Free health check-up camp": "ಉಚಿತ ಆರೋಗ್ಯ ತಪಾಸಣಾ ಶಿಬಿರ",
        "Chest pain": "ಎದೆ ನೋವು",
        "Find a doctor": "ವೈದ್ಯರನ್ನು ಹುಡುಕಿ",
        "Sampige Hospital": "ಸಂಪಿಗೆ ಆಸ್ಪತ್ರೆ",
    })
}

/// Writes the content files with these catalogues.
fn folder(catalogues: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |file: &str, text: &str| {
        std::fs::write(folder.path().join(file), text).expect("a file");
    };
    let sources = Sources::embedded();
    let files = sources.files();
    let files = files.filter(|(file, _)| !["kn.json", "hi.json"].contains(file));
    files.for_each(|(file, text)| write(file, text));
    for (file, text) in catalogues {
        write(file, text);
    }
    folder
}

fn settings(folder: &Path) -> [&str; 2] {
    ["--content-dir", folder.to_str().expect("a path")]
}

async fn desk(database: TestDatabase) -> (Desk, TempDir) {
    let hindi = json!({ NAME: NAME_HI }).to_string();
    let folder = folder(&[("kn.json", &kannada().to_string()), ("hi.json", &hindi)]);
    let desk = Desk::start_with(database, &settings(folder.path())).await;
    (desk, folder)
}

fn in_language<T>(language: &'static str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    let code = language.parse().expect("visible characters");
    request.metadata_mut().insert("content-language", code);
    request
}

async fn doctor(client: &mut ContentServiceClient<Channel>, language: &'static str) -> Doctor {
    let doctor = ID.to_owned();
    let request = in_language(language, GetDoctorRequest { doctor });
    let reply = client.get_doctor(request).await.expect("a doctor");
    reply.into_inner().doctor.expect("a doctor")
}

async fn serves_each_language_and_else_english(database: TestDatabase) {
    let (mut desk, _folder) = desk(database).await;
    let client = &mut desk.site.client;
    let english = doctor(client, "en").await;
    assert_eq!(english.name, NAME);
    for unknown in ["", "ta", "kn-IN", "KN"] {
        assert_eq!(doctor(client, unknown).await, english, "{unknown}");
    }
    let kannada = doctor(client, "kn").await;
    let wanted = Doctor {
        name: NAME_KN.to_owned(),
        initials: "ನಅ".to_owned(),
        specialty: "ಹೃದ್ರೋಗ".to_owned(),
        ..english.clone()
    };
    assert_eq!(kannada, wanted);
    let hindi = doctor(client, "hi").await;
    assert_eq!(
        (hindi.name.as_str(), hindi.specialty.as_str()),
        (NAME_HI, "Cardiology")
    );

    // The filter of a page is in its language; a name is found in either script.
    for (specialty, q, count) in [
        ("ಹೃದ್ರೋಗ", "", 1),
        ("Cardiology", "", 1),
        ("ಚರ್ಮ", "", 0),
        ("", "ನಂದಿನಿ", 1),
        ("", "nandini", 1),
        ("", "cardio", 1),
    ] {
        let request = ListDoctorsRequest {
            specialty: specialty.to_owned(),
            q: q.to_owned(),
            ..ListDoctorsRequest::default()
        };
        let found = client.list_doctors(in_language("kn", request)).await;
        let found = found.expect("doctors").into_inner();
        assert_eq!(found.doctors.len(), count, "{specialty} {q}");
        assert!(found.specialties.contains(&"ಹೃದ್ರೋಗ".to_owned()));
    }
    let specialty = "cardiology".to_owned();
    let request = in_language("kn", GetSpecialtyRequest { specialty });
    let found = client.get_specialty(request).await.expect("a specialty");
    let found = found.into_inner().specialty.expect("a specialty");
    assert_eq!(
        (found.slug.as_str(), &found.doctors[..]),
        ("cardiology", &[NAME_KN.to_owned()][..])
    );
    events(client).await;
    for (language, q, path, title) in [
        (
            "kn",
            "chest pain",
            "/emergency#chest-pain",
            "ಎದೆ ನೋವು: ಏನು ಮಾಡಬೇಕು",
        ),
        (
            "hi",
            "chest pain",
            "/emergency#chest-pain",
            "Chest pain: what to do",
        ),
        ("kn", "find a doctor", "/doctors", "ವೈದ್ಯರನ್ನು ಹುಡುಕಿ"),
        ("kn", "nandini", "/doctor/dr-nandini-iyengar", NAME_KN),
        ("hi", "nandini", "/doctor/dr-nandini-iyengar", NAME_HI),
        ("en", "nandini", "/doctor/dr-nandini-iyengar", NAME),
    ] {
        let request = SearchRequest {
            q: q.to_owned(),
            ..SearchRequest::default()
        };
        let found = client.search(in_language(language, request)).await;
        let found = found.expect("results").into_inner().results;
        let own = found.iter().find(|found| found.path == path);
        assert_eq!(own.expect("a result").title, title, "{language} {q}");
        if title == NAME_KN {
            assert!(own.expect("a result").summary.starts_with("ಹೃದ್ರೋಗ, "));
        }
    }
    desk.end().await;
}

async fn events(client: &mut ContentServiceClient<Channel>) {
    let event = "health-camp-2025".to_owned();
    let request = in_language("kn", GetEventRequest { event });
    let event = client
        .get_event(request)
        .await
        .expect("an event")
        .into_inner();
    let event = event.event.expect("an event");
    assert_eq!(event.time, "ಬೆಳಿಗ್ಗೆ 9:00 - ಸಂಜೆ 4:00");
    let event_id = event.id.clone();
    let request = in_language("kn", GetEventCalendarRequest { event_id });
    let file = client.get_event_calendar(request).await.expect("a file");
    let file = String::from_utf8(file.into_inner().data).expect("a text");
    let file = file.replace("\r\n ", "");
    assert!(file.contains("DTSTART:20250115T033000Z"), "{file}");
    assert!(file.contains(&format!("SUMMARY:{}", event.title)), "{file}");
    assert!(file.contains(&format!("/kn/event/{}", event.id)), "{file}");
}

async fn a_changed_text_is_english_at_once(database: TestDatabase) {
    let (mut desk, _folder) = desk(database).await;
    assert_eq!(doctor(&mut desk.site.client, "kn").await.name, NAME_KN);
    for (specialty, wanted) in [("Heart care", "Heart care"), ("Cardiology", "ಹೃದ್ರೋಗ")]
    {
        let record = desk.get("doctor", ID).await;
        let draft = desk.save(&record, json!({"specialty": specialty})).await;
        let draft = draft.expect("a draft");
        desk.publish(&draft).await.expect("published");
        // As soon as visitors read the change, no language has the old text.
        desk.reads(ID, |read| {
            read.is_ok_and(|doctor| doctor.specialty == specialty)
        })
        .await;
        let kannada = doctor(&mut desk.site.client, "kn").await;
        assert_eq!(
            (kannada.name.as_str(), kannada.specialty.as_str()),
            (NAME_KN, wanted)
        );
    }
    desk.end().await;
}

async fn posts_are_found_by_category_in_a_language(database: TestDatabase) {
    let (mut desk, _folder) = desk(database).await;
    let client = &mut desk.site.client;
    let category = "ಹೃದ್ರೋಗ".to_owned();
    let request = ListBlogsRequest {
        category: category.clone(),
        ..ListBlogsRequest::default()
    };
    let found = client.list_blogs(in_language("kn", request.clone())).await;
    let found = found.expect("posts").into_inner().blogs;
    let is_own = |post: &&Blog| post.id == "measure-blood-pressure";
    let post = found.iter().find(is_own).expect("a post");
    assert_eq!(
        (post.title.as_str(), &post.category),
        ("ಮನೆಯಲ್ಲಿ ಬಿಪಿ ಅಳೆಯುವುದು ಹೇಗೆ", &category)
    );
    let english = client.list_blogs(in_language("en", request)).await;
    assert_eq!(english.expect("posts").into_inner().blogs, []);
    let blog = post.id.clone();
    let request = in_language("kn", GetBlogRequest { blog });
    let whole = client.get_blog(request).await.expect("a post").into_inner();
    let whole = whole.blog.expect("a post");
    assert_eq!((&whole.title, &whole.slug), (&post.title, &post.slug));
    let search = SearchRequest {
        q: "measure blood pressure".to_owned(),
        ..SearchRequest::default()
    };
    let found = client.search(in_language("kn", search)).await;
    let found = found.expect("results").into_inner().results;
    assert!(found.iter().any(|found| found.title == post.title));
    desk.end().await;
}

async fn previews_show_untranslated_drafts_in_english(database: TestDatabase) {
    let (mut desk, _folder) = desk(database).await;
    let record = desk.get("doctor", ID).await;
    let draft = desk
        .save(&record, json!({"experience": "Many years"}))
        .await;
    draft.expect("a draft");
    let previews = PreviewServiceClient::connect(desk.site.process.url()).await;
    let request = desk.site.issuer.request(
        SCOPES,
        GetRecordPreviewRequest {
            kind: "doctor".to_owned(),
            record_id: ID.to_owned(),
        },
    );
    let made = previews
        .expect("a channel")
        .get_record_preview(request)
        .await;
    let token = made.expect("a preview").into_inner().token;
    let doctor = ID.to_owned();
    let mut request = in_language("kn", GetDoctorRequest { doctor });
    let token = token.parse().expect("visible characters");
    request.metadata_mut().insert("x-preview", token);
    let reply = desk
        .site
        .client
        .get_doctor(request)
        .await
        .expect("a doctor");
    let shown = reply.into_inner().doctor.expect("a doctor");
    assert_eq!(
        (shown.name.as_str(), shown.experience.as_str()),
        (NAME_KN, "Many years")
    );
    desk.end().await;
}

#[tokio::test]
async fn concurrent_first_reads_agree() {
    let (desk, _folder) = desk(TestDatabase::sqlite()).await;
    let mut reads = JoinSet::new();
    for number in 0..64 {
        let mut client = desk.site.client.clone();
        let (language, name) = [("kn", NAME_KN), ("hi", NAME_HI), ("en", NAME)][number % 3];
        reads.spawn(async move {
            assert_eq!(doctor(&mut client, language).await.name, name);
        });
    }
    reads.join_all().await;
    desk.end().await;
}

#[tokio::test]
async fn a_folder_without_catalogues_is_served_in_english() {
    let folder = folder(&[]);
    let database = TestDatabase::sqlite();
    let mut site = Site::start_with(database, &settings(folder.path())).await;
    assert_eq!(doctor(&mut site.client, "kn").await.name, NAME);
    site.end().await;
}

#[tokio::test]
async fn a_broken_catalogue_prevents_the_start() {
    let folder = folder(&[("hi.json", "{\n \"Cardiology\": \"\"\n}")]);
    let database = TestDatabase::sqlite();
    let log = PROGRAM
        .refusal(&database.url, &settings(folder.path()))
        .await;
    assert!(
        log.contains("hi.json, line 2, .: `Cardiology`: must not be empty"),
        "{log}"
    );
}
