//! Staff RPCs for records.

mod answers;
pub(super) mod requests;
mod times;
mod translations;

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, SubsecRound as _, Utc};
use hospital_proto::content::v1::{self as api, record_service_server::RecordService};
use service_kit::{
    auth::Caller,
    input::{RequestId, Violation},
};
use store_kit::{creation, error::StoreError, requests::RequestKey};
use tonic::{Request, Response};

pub(super) use requests::{author, kind_of};
pub(crate) use times::follow as follow_times;

use super::{Reply, Rpcs};
use crate::{
    domain::Content,
    error::AnswerError,
    records::{self, Live, PictureStates},
    store::records::{CREATE_RECORD, Check, NewRecord, Publication, RecordCreation, Target},
    wire::records as wire,
};

/// Scopes of tokens that may read, write and publish.
const READ: &str = "content:read";
pub(super) const WRITE: &str = "content:write";
const PUBLISH: &str = "content:publish";
/// Maximum time that a publication waits until its change is served. Longer than for posts: all content is rebuilt.
const CATCH_UP_MAX: Duration = Duration::from_secs(2);
/// Page size of the lists of versions, whose bodies are long.
const VERSIONS_MAX: usize = 20;

impl Rpcs {
    pub(super) fn staff<T>(
        &self,
        request: &Request<T>,
        scope: &str,
    ) -> Result<Caller, AnswerError> {
        Ok(self.verifier.check_request(request, scope)?)
    }

    pub(super) fn now(&self) -> DateTime<Utc> {
        self.clock.now().trunc_subsecs(6)
    }

    /// Returns a check of live records against everything that is no record. A post is checked alone: it is no part of
    /// the content.
    pub(crate) async fn check(&self) -> Result<Check, StoreError> {
        self.check_and(|_, _| {}).await
    }

    /// Like [`Self::check`], before a publication: the rebuild after it uses the content.
    pub(super) async fn check_to_publish(&self) -> Result<Check, StoreError> {
        let posts = Arc::clone(&self.posts);
        self.check_and(move |live, content| posts.keep(live, content))
            .await
    }

    async fn check_and(
        &self,
        keep: impl Fn(&[Live], Content) + Send + Sync + 'static,
    ) -> Result<Check, StoreError> {
        let content = self.content();
        let pictures = PictureStates::new(self.store.all_media().await?);
        Ok(Arc::new(move |live| {
            pictures.check(live)?;
            if live.first().is_some_and(|record| record.kind.is_post()) {
                return Ok(());
            }
            let loaded = records::load(&content.sources, live, content.origin.as_ref())?;
            keep(live, loaded);
            Ok(())
        }))
    }

    fn target(
        &self,
        caller: &Caller,
        (kind, id): (&str, String),
        etag: String,
    ) -> Result<Target, AnswerError> {
        if etag.is_empty() {
            let words = "Send the etag that was read, as If-Match";
            return Err(vec![Violation::new("etag", words)].into());
        }
        Ok(Target {
            kind: kind_of(kind)?,
            id: requests::id(id)?,
            etag,
            author: author(caller),
            now: self.now(),
            next_etag: self.ids.uuid().to_string(),
        })
    }

    async fn publish(
        &self,
        target: Target,
        publication: Publication,
    ) -> Result<api::ContentRecord, AnswerError> {
        let (kind, id) = (target.kind, target.id.clone());
        let outcome = self
            .store()?
            .publish_record(target, publication, self.check_to_publish().await?)
            .await?;
        self.catch_up(CATCH_UP_MAX).await;
        self.changed(outcome, (kind, &id), 0).await
    }
}

#[tonic::async_trait]
impl RecordService for Rpcs {
    async fn list_records(
        &self,
        request: Request<api::ListRecordsRequest>,
    ) -> Reply<api::ListRecordsResponse> {
        self.staff(&request, READ)?;
        let (filter, page) = requests::list(request.get_ref())?;
        let mut rows = self
            .store()?
            .record_rows(&filter, page.size() + 1)
            .await
            .map_err(AnswerError::from)?;
        let has_more = rows.len() > page.size();
        rows.truncate(page.size());
        let last = rows.last().filter(|_| has_more);
        let next_page_token = last.map_or_else(String::new, |row| {
            page.token_after(&format!("{}:{}", row.position, row.id))
        });
        let now = self.now();
        Ok(Response::new(api::ListRecordsResponse {
            records: rows.into_iter().map(|row| wire::record(row, now)).collect(),
            next_page_token,
        }))
    }

    async fn get_record(
        &self,
        request: Request<api::GetRecordRequest>,
    ) -> Reply<api::GetRecordResponse> {
        self.staff(&request, READ)?;
        let api::GetRecordRequest { kind, record_id } = request.into_inner();
        let row = self
            .store()?
            .record_row(kind_of(&kind)?, &requests::id(record_id)?)
            .await
            .map_err(AnswerError::from)?;
        let row = row.ok_or(AnswerError::NotFound("record"))?;
        let record = Some(self.whole_record(row).await?);
        Ok(Response::new(api::GetRecordResponse { record }))
    }

    async fn create_record(
        &self,
        request: Request<api::CreateRecordRequest>,
    ) -> Reply<api::CreateRecordResponse> {
        let caller = self.staff(&request, WRITE)?;
        let request = request.into_inner();
        let kind = kind_of(&request.kind)?;
        if kind.is_single() {
            let words = "There is one record of this kind, which can be changed only";
            return Err(AnswerError::Unfit("SINGLE_RECORD", words).into());
        }
        let request_id = RequestId::parse(&request.request_id)
            .map_err(|problem| vec![Violation::new("requestId", problem.to_string())])
            .map_err(AnswerError::from)?;
        let body = requests::body(request.record)?;
        let id = records::id_of(kind, &body).map_err(|problem| {
            let field = format!("body.{}", problem.field);
            AnswerError::from(vec![Violation::new(field, problem.message)])
        })?;
        let fingerprint = format!("{}\0{}", kind.name, serde_json::Value::Object(body.clone()));
        let key = RequestKey::new(
            &self.keys,
            CREATE_RECORD,
            request_id.as_str(),
            fingerprint.as_bytes(),
        );
        let new = NewRecord {
            kind,
            id,
            body,
            author: author(&caller),
            now: self.now(),
            etag: self.ids.uuid().to_string(),
        };
        let created = self.store()?.create_record(new, key).await;
        let (row, is_repeated) = match created.map_err(AnswerError::from)? {
            RecordCreation::Created(row) => (row, false),
            RecordCreation::Repeated(row) => (row, true),
            RecordCreation::RequestIdReused => return Err(AnswerError::RequestIdReused.into()),
            RecordCreation::Exists => return Err(AnswerError::Exists.into()),
            RecordCreation::Full => {
                let words = "There are 10000 records. Ask the operators for more";
                return Err(AnswerError::Unfit("RECORDS_MAX", words).into());
            }
        };
        let record = Some(self.whole_record(*row).await?);
        Ok(creation::reply(
            api::CreateRecordResponse { record },
            is_repeated,
        ))
    }

    async fn update_record(
        &self,
        request: Request<api::UpdateRecordRequest>,
    ) -> Reply<api::UpdateRecordResponse> {
        let caller = self.staff(&request, WRITE)?;
        let request = request.into_inner();
        let target = self.target(&caller, (&request.kind, request.record_id), request.etag)?;
        let body = requests::body(request.record)?;
        let id = records::id_of(target.kind, &body);
        if id.as_ref() != Ok(&target.id) {
            let field = format!("body.{}", target.kind.id_field());
            let words = format!("Keep {}. A record keeps its id for good", target.id);
            return Err(AnswerError::from(vec![Violation::new(field, words)]).into());
        }
        let (kind, id) = (target.kind, target.id.clone());
        let outcome = self.store()?.save_record(target, body).await;
        let outcome = outcome.map_err(AnswerError::from)?;
        let record = Some(self.changed(outcome, (kind, &id), 0).await?);
        Ok(Response::new(api::UpdateRecordResponse { record }))
    }

    async fn publish_record(
        &self,
        request: Request<api::PublishRecordRequest>,
    ) -> Reply<api::PublishRecordResponse> {
        let caller = self.staff(&request, PUBLISH)?;
        let request = request.into_inner();
        let publication = requests::publication(&request, self.now())?;
        let target = self.target(&caller, (&request.kind, request.record_id), request.etag)?;
        let record = Some(self.publish(target, publication).await?);
        Ok(Response::new(api::PublishRecordResponse { record }))
    }

    async fn unschedule_record(
        &self,
        request: Request<api::UnscheduleRecordRequest>,
    ) -> Reply<api::UnscheduleRecordResponse> {
        let caller = self.staff(&request, PUBLISH)?;
        let request = request.into_inner();
        let times = requests::times(&request)?;
        let target = self.target(&caller, (&request.kind, request.record_id), request.etag)?;
        let (kind, id) = (target.kind, target.id.clone());
        let outcome = self.store()?.unschedule_record(target, times).await;
        let outcome = outcome.map_err(AnswerError::from)?;
        let record = Some(self.changed(outcome, (kind, &id), 0).await?);
        Ok(Response::new(api::UnscheduleRecordResponse { record }))
    }

    async fn archive_record(
        &self,
        request: Request<api::ArchiveRecordRequest>,
    ) -> Reply<api::ArchiveRecordResponse> {
        let caller = self.staff(&request, PUBLISH)?;
        let request = request.into_inner();
        let target = self.target(&caller, (&request.kind, request.record_id), request.etag)?;
        if target.kind.is_single() {
            let words = "There is one record of this kind, which can be changed only";
            return Err(AnswerError::Unfit("SINGLE_RECORD", words).into());
        }
        let redirect = requests::redirect(&request.redirect, target.kind)?;
        let (kind, id) = (target.kind, target.id.clone());
        let check = self.check_to_publish().await.map_err(AnswerError::from)?;
        let outcome = self
            .store()?
            .archive_record(target, redirect, check)
            .await
            .map_err(AnswerError::from)?;
        self.catch_up(CATCH_UP_MAX).await;
        let record = Some(self.changed(outcome, (kind, &id), 0).await?);
        Ok(Response::new(api::ArchiveRecordResponse { record }))
    }

    async fn revert_record(
        &self,
        request: Request<api::RevertRecordRequest>,
    ) -> Reply<api::RevertRecordResponse> {
        let caller = self.staff(&request, PUBLISH)?;
        let request = request.into_inner();
        let target = self.target(&caller, (&request.kind, request.record_id), request.etag)?;
        if request.version < 1 {
            let words = "Enter the number of a version, from 1";
            return Err(AnswerError::from(vec![Violation::new("version", words)]).into());
        }
        let (kind, id) = (target.kind, target.id.clone());
        let version = i64::from(request.version);
        let check = if request.publish {
            Some(self.check_to_publish().await.map_err(AnswerError::from)?)
        } else {
            None
        };
        let outcome = self
            .store()?
            .revert_record(target, version, check)
            .await
            .map_err(AnswerError::from)?;
        self.catch_up(CATCH_UP_MAX).await;
        let record = Some(self.changed(outcome, (kind, &id), version).await?);
        Ok(Response::new(api::RevertRecordResponse { record }))
    }

    async fn edit_record(
        &self,
        request: Request<api::EditRecordRequest>,
    ) -> Reply<api::EditRecordResponse> {
        let caller = self.staff(&request, WRITE)?;
        let api::EditRecordRequest { kind, record_id } = request.into_inner();
        let taken = self
            .store()?
            .edit_record(
                kind_of(&kind)?,
                requests::id(record_id)?,
                author(&caller),
                self.now(),
            )
            .await
            .map_err(AnswerError::from)?;
        Ok(Response::new(api::EditRecordResponse {
            editor_name: taken.unwrap_or_default(),
        }))
    }

    async fn list_record_versions(
        &self,
        request: Request<api::ListRecordVersionsRequest>,
    ) -> Reply<api::ListRecordVersionsResponse> {
        self.staff(&request, READ)?;
        let request = request.into_inner();
        let (kind, id) = (kind_of(&request.kind)?, requests::id(request.record_id)?);
        let filter = ["versions", kind.name, &id];
        let page = requests::page(request.page_size, &request.page_token, &filter)?;
        let before = requests::number_before(&page)?;
        let size = page.size().min(VERSIONS_MAX);
        let mut rows = self
            .store()?
            .record_versions(kind, &id, before, size + 1)
            .await
            .map_err(AnswerError::from)?;
        let has_more = rows.len() > size;
        rows.truncate(size);
        let last = rows.last().filter(|_| has_more);
        Ok(Response::new(api::ListRecordVersionsResponse {
            next_page_token: last.map_or_else(String::new, |row| {
                page.token_after(&row.version.to_string())
            }),
            versions: rows
                .into_iter()
                .map(wire::version)
                .collect::<Result<_, _>>()?,
        }))
    }

    async fn list_publications(
        &self,
        request: Request<api::ListPublicationsRequest>,
    ) -> Reply<api::ListPublicationsResponse> {
        self.staff(&request, READ)?;
        let request = request.into_inner();
        let since = requests::since(request.since.as_ref())?;
        let filter = ["publications", &since.to_rfc3339()];
        let page = requests::page(request.page_size, &request.page_token, &filter)?;
        let before = requests::number_before(&page)?;
        let mut rows = self
            .store()?
            .publications(before, since, page.size() + 1)
            .await
            .map_err(AnswerError::from)?;
        let has_more = rows.len() > page.size();
        rows.truncate(page.size());
        let last = rows.last().filter(|_| has_more);
        Ok(Response::new(api::ListPublicationsResponse {
            next_page_token: last
                .map_or_else(String::new, |row| page.token_after(&row.seq.to_string())),
            publications: rows.into_iter().map(wire::publication).collect(),
        }))
    }

    async fn list_record_gaps(
        &self,
        request: Request<api::ListRecordGapsRequest>,
    ) -> Reply<api::ListRecordGapsResponse> {
        self.staff(&request, READ)?;
        let api::ListRecordGapsRequest {
            page_size,
            page_token,
        } = request.into_inner();
        let page = requests::page(page_size, &page_token, &["gaps"])?;
        // Before the records are read, the content is that of the files.
        self.store()?;
        let all = self.gaps.of(self.content(), self.now()).await;
        let (gaps, next_page_token) = page.cut(&all, |gap| &gap.key, |_| true);
        Ok(Response::new(api::ListRecordGapsResponse {
            gaps: gaps.into_iter().map(wire::gap).collect(),
            next_page_token,
        }))
    }

    async fn get_record_translations(
        &self,
        request: Request<api::GetRecordTranslationsRequest>,
    ) -> Reply<api::GetRecordTranslationsResponse> {
        self.staff(&request, READ)?;
        let request = request.into_inner();
        let language = translations::language(&request.language)?;
        let (kind, id) = (kind_of(&request.kind)?, requests::id(request.record_id)?);
        let translations = Some(self.translations(kind, id, language).await?);
        Ok(Response::new(api::GetRecordTranslationsResponse {
            translations,
        }))
    }

    async fn translate_record(
        &self,
        request: Request<api::TranslateRecordRequest>,
    ) -> Reply<api::TranslateRecordResponse> {
        let caller = self.staff(&request, PUBLISH)?;
        let request = request.into_inner();
        let language = translations::language(&request.language)?;
        let texts = translations::texts(request.texts)?;
        let target = self.target(&caller, (&request.kind, request.record_id), request.etag)?;
        let translations = Some(self.translate(target, language, texts).await?);
        Ok(Response::new(api::TranslateRecordResponse { translations }))
    }

    async fn render_text(
        &self,
        request: Request<api::RenderTextRequest>,
    ) -> Reply<api::RenderTextResponse> {
        self.staff(&request, WRITE)?;
        let text = request.into_inner().text;
        let html = self.rendered(text).await.map_err(AnswerError::from)?;
        Ok(Response::new(api::RenderTextResponse { html }))
    }
}
