//! A running service, and who changes its records.

use std::time::{Duration, Instant, SystemTime};

use hospital_proto::content::v1::{
    ArchiveRecordRequest, ContentRecord as Record, CreateRecordRequest, Doctor, GetDoctorRequest,
    GetRecordRequest, PublishRecordRequest, RevertRecordRequest, UnscheduleRecordRequest,
    UpdateRecordRequest, content_service_client::ContentServiceClient,
    record_service_client::RecordServiceClient,
};
use serde_json::{Value, json};
use service_kit::source::{Clock as _, SystemClock};
use svc_content::wire::records::{to_body, to_struct};
use test_kit::{database::TestDatabase, service::is_replay};
use tonic::{Request, Status, transport::Channel};
use tonic_types::StatusExt;

use crate::blogs::Site;

pub(super) const SCOPES: &str = "content:read content:write content:publish";
pub(super) const DOCTOR: &str = "doc-08";
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

/// A running service, and who changes its records.
pub(super) struct Desk {
    pub(super) site: Site,
    pub(super) records: RecordServiceClient<Channel>,
}

impl Desk {
    pub(super) async fn start(database: TestDatabase) -> Self {
        Self::start_with(database, &[]).await
    }

    pub(super) async fn start_with(database: TestDatabase, settings: &[&str]) -> Self {
        let site = Site::start_with(database, settings).await;
        let records = RecordServiceClient::connect(site.process.url()).await;
        Self {
            site,
            records: records.expect("a channel"),
        }
    }

    pub(super) fn signed<T>(&self, message: T) -> Request<T> {
        self.site.issuer.request(SCOPES, message)
    }

    pub(super) async fn get(&mut self, kind: &str, id: &str) -> Record {
        let request = self.signed(GetRecordRequest {
            kind: kind.to_owned(),
            record_id: id.to_owned(),
        });
        let reply = self.records.get_record(request).await.expect("a record");
        reply.into_inner().record.expect("a record")
    }

    /// Stores the record with some fields changed.
    pub(super) async fn save(&mut self, record: &Record, changes: Value) -> Result<Record, Status> {
        let mut body = to_body(record.body.clone().expect("a body")).expect("fields");
        let Value::Object(changes) = changes else {
            panic!("an object")
        };
        body.extend(changes);
        let request = self.signed(UpdateRecordRequest {
            kind: record.kind.clone(),
            record_id: record.record_id.clone(),
            record: Some(Record {
                body: Some(to_struct(&body)),
                ..Record::default()
            }),
            etag: record.etag.clone(),
        });
        let reply = self.records.update_record(request).await?;
        Ok(reply.into_inner().record.expect("a record"))
    }

    pub(super) async fn publish(&mut self, record: &Record) -> Result<Record, Status> {
        self.publish_at(record, None, None).await
    }

    pub(super) async fn publish_at(
        &mut self,
        record: &Record,
        from: Option<Duration>,
        until: Option<Duration>,
    ) -> Result<Record, Status> {
        let time = |after: Duration| SystemTime::from(SystemClock.now() + after).into();
        let request = self.signed(PublishRecordRequest {
            kind: record.kind.clone(),
            record_id: record.record_id.clone(),
            etag: record.etag.clone(),
            publish_time: from.map(time),
            unpublish_time: until.map(time),
        });
        let reply = self.records.publish_record(request).await?;
        Ok(reply.into_inner().record.expect("a record"))
    }

    pub(super) async fn unschedule(
        &mut self,
        record: &Record,
        publish: bool,
        unpublish: bool,
    ) -> Result<Record, Status> {
        let request = self.signed(UnscheduleRecordRequest {
            kind: record.kind.clone(),
            record_id: record.record_id.clone(),
            etag: record.etag.clone(),
            publish,
            unpublish,
        });
        let reply = self.records.unschedule_record(request).await?;
        Ok(reply.into_inner().record.expect("a record"))
    }

    pub(super) async fn archive(
        &mut self,
        record: &Record,
        redirect: &str,
    ) -> Result<Record, Status> {
        let request = self.signed(ArchiveRecordRequest {
            kind: record.kind.clone(),
            record_id: record.record_id.clone(),
            etag: record.etag.clone(),
            redirect: redirect.to_owned(),
        });
        let reply = self.records.archive_record(request).await?;
        Ok(reply.into_inner().record.expect("a record"))
    }

    pub(super) async fn revert(
        &mut self,
        record: &Record,
        version: i32,
        publish: bool,
    ) -> Result<Record, Status> {
        let request = self.signed(RevertRecordRequest {
            kind: record.kind.clone(),
            record_id: record.record_id.clone(),
            etag: record.etag.clone(),
            version,
            publish,
        });
        let reply = self.records.revert_record(request).await?;
        Ok(reply.into_inner().record.expect("a record"))
    }

    pub(super) async fn create(
        &mut self,
        key: &str,
        kind: &str,
        body: Value,
    ) -> Result<(Record, bool), Status> {
        let Value::Object(body) = body else {
            panic!("an object")
        };
        let request = self.signed(CreateRecordRequest {
            kind: kind.to_owned(),
            record: Some(Record {
                body: Some(to_struct(&body)),
                ..Record::default()
            }),
            request_id: key.to_owned(),
        });
        let reply = self.records.create_record(request).await?;
        let is_replayed = is_replay(&reply);
        Ok((reply.into_inner().record.expect("a record"), is_replayed))
    }

    pub(super) async fn doctor(&mut self, name: &str) -> Result<Doctor, Status> {
        doctor(&mut self.site.client, name).await
    }

    /// Waits until visitors read this. A publication waits for that only for a while.
    pub(super) async fn reads(&self, name: &str, is_so: impl Fn(Result<Doctor, Status>) -> bool) {
        let read = async || {
            let mut client = self.site.client.clone();
            is_so(doctor(&mut client, name).await)
        };
        until(name, read).await;
    }

    pub(super) async fn end(self) {
        drop(self.records);
        self.site.end().await;
    }
}

/// Polls until the condition holds.
pub(super) async fn until(what: &str, condition: impl AsyncFn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !condition().await {
        assert!(Instant::now() < end, "in vain: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

pub(super) async fn doctor(
    client: &mut ContentServiceClient<Channel>,
    name: &str,
) -> Result<Doctor, Status> {
    let request = GetDoctorRequest {
        doctor: name.to_owned(),
    };
    let reply = client.get_doctor(request).await?;
    Ok(reply.into_inner().doctor.expect("a doctor"))
}

pub(super) fn violation(status: &Status) -> (String, String) {
    let details = status.get_error_details();
    let violations = &details.bad_request().expect("violations").field_violations;
    (
        violations[0].field.clone(),
        violations[0].description.clone(),
    )
}

pub(super) fn reason(status: &Status) -> (String, Option<String>) {
    let details = status.get_error_details();
    let info = details.error_info().expect("a reason");
    (info.reason.clone(), info.metadata.get("location").cloned())
}

/// A doctor whom nothing else names.
pub(super) fn new_doctor(id: &str) -> Value {
    json!({
        "id": id, "slug": format!("dr-{id}"), "name": format!("Dr. {id}"), "specialty": "Dermatology",
        "degrees": "MBBS, MD", "registration_number": format!("KMC {id}"), "experience": "3 Years",
        "visiting_days": "Mon–Sat", "timings": "9:00 AM - 1:00 PM", "consultation_fee_rupees": 500,
        "languages": ["Kannada"], "image": "/images/doctors/dr-nandini-iyengar.svg", "about": "Looks after skin.",
        "education": ["MBBS"], "specializations": ["Eczema"], "achievements": [], "seo_title": "Dermatologist",
        "meta_description": "A dermatologist in Jayanagar.", "focus_keyword": "dermatologist"
    })
}
