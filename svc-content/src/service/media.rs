//! Pictures: uploads and descriptions with a staff token, and the public forms.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use hospital_proto::{
    content::v1::{self as api, media_service_server::MediaService},
    google::api::HttpBody,
};
use service_kit::{
    auth::{Caller, Verifier},
    input::Violation,
    source::{Clock, Ids},
    status,
};
use tonic::{Code, Request, Response, Status, metadata::MetadataValue};
use tonic_types::{ErrorDetails, StatusExt as _};

use super::{PAGE_SIZE_DEFAULT, Reply};
use crate::{
    domain::{
        blog,
        media::{Description, DescriptionForm},
    },
    error::AnswerError,
    media::{Library, MediaError, form_widths, forms::FormKey},
    paging::{PageRequest, TOKEN_WANTED},
    store::{
        WriteOutcome,
        media::{MediaChange, MediaDeletion, MediaPosition, MediaRow, MediaTarget, USES_MAX, Use},
    },
    values::is_media_hash,
    wire,
};

const READ: &str = "content:read";
const WRITE: &str = "media:write";
/// Metadata of an answer to which nothing was created.
const RESOURCE_CREATED: &str = "resource-created";
/// Time after which an upload that was refused because of others may be sent again.
const RETRY_AFTER: Duration = Duration::from_secs(2);
const MEDIA: &str = "picture";
/// Field of the upload.
const PICTURE: &str = "picture";

/// The state of the RPCs for pictures.
#[derive(Debug, Clone)]
pub(crate) struct MediaRpcs {
    pub(crate) library: Library,
    pub(crate) verifier: Verifier,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn Ids>,
}

impl MediaRpcs {
    fn authorize<T>(&self, request: &Request<T>, scope: &str) -> Result<Caller, AnswerError> {
        Ok(self.verifier.check_request(request, scope)?)
    }

    async fn list(
        &self,
        request: &api::ListMediaRequest,
        caller: &Caller,
    ) -> Result<api::ListMediaResponse, AnswerError> {
        let page = PageRequest::parse_sized(
            request.page_size,
            &request.page_token,
            &["media"],
            PAGE_SIZE_DEFAULT,
        )?;
        let after = page.after().map(position);
        if after == Some(None) {
            return Err(vec![Violation::new("pageToken", TOKEN_WANTED)].into());
        }
        let store = &self.library.store;
        // One extra row shows whether there is a next page.
        let mut rows = store
            .media_page(after.flatten().as_ref(), page.size() + 1)
            .await?;
        let has_more = rows.len() > page.size();
        rows.truncate(page.size());
        let hashes: Vec<&str> = rows.iter().map(|row| row.hash.as_str()).collect();
        store
            .note_media_read(&caller.subject, &hashes, self.clock.now())
            .await?;
        let mut uses = store.media_uses().await?;
        let last = rows.last().filter(|_| has_more);
        Ok(api::ListMediaResponse {
            next_page_token: last
                .map_or_else(String::new, |row| page.token_after(&position_text(row))),
            media: rows
                .into_iter()
                .map(|row| {
                    let of_row = uses.remove(&row.hash).unwrap_or_default();
                    with_uses(row, of_row)
                })
                .collect(),
        })
    }

    async fn get(&self, hash: &str, caller: &Caller) -> Result<api::Media, AnswerError> {
        let row = self.library.store.media(possible_hash(hash)?).await?;
        let row = row.ok_or(AnswerError::NotFound(MEDIA))?;
        let store = &self.library.store;
        store
            .note_media_read(&caller.subject, &[&row.hash], self.clock.now())
            .await?;
        self.used(row).await
    }

    /// Returns a picture with what uses it.
    async fn used(&self, row: MediaRow) -> Result<api::Media, AnswerError> {
        let uses = self.library.store.media_uses().await?.remove(&row.hash);
        Ok(with_uses(row, uses.unwrap_or_default()))
    }

    async fn create(
        &self,
        request: api::CreateMediaRequest,
        caller: &Caller,
    ) -> Result<(api::Media, bool), Status> {
        let form = DescriptionForm {
            alt: request.alt,
            decorative: request.decorative,
            focal_x: request.focal_x,
            focal_y: request.focal_y,
        };
        let bytes = request.picture.unwrap_or_default().data;
        match Description::parse(&form) {
            Ok(description) => {
                let uploaded = self.library.upload(bytes, description, &caller.subject);
                let (row, is_new) = uploaded.await.map_err(refused)?;
                Ok((self.used(row).await?, is_new))
            }
            Err(mut violations) => {
                match self.library.check(bytes).await {
                    Err(MediaError::Refused(refusal)) => {
                        violations.push(Violation::new(PICTURE, refusal.0));
                    }
                    checked => checked.map_err(refused)?,
                }
                Err(AnswerError::from(violations).into())
            }
        }
    }

    async fn delete(
        &self,
        request: api::DeleteMediaRequest,
        caller: &Caller,
    ) -> Result<(), AnswerError> {
        let target = MediaTarget {
            hash: possible_hash(&request.hash)?.to_owned(),
            precondition: needed_precondition(&request.etag)?,
            actor: caller.subject.clone(),
            now: self.clock.now(),
        };
        match self.library.store.delete_media(target).await? {
            MediaDeletion::Done(folder) => {
                tracing::info!(media.hash = request.hash, "a picture was deleted");
                self.library.delete_files(folder).await;
                Ok(())
            }
            MediaDeletion::Absent => Err(AnswerError::NotFound(MEDIA)),
            MediaDeletion::EtagMismatch => Err(AnswerError::EtagMismatch),
            MediaDeletion::InUse => {
                let words = "Something uses this picture. Give that another picture first";
                Err(AnswerError::Unfit("MEDIA_IN_USE", words))
            }
        }
    }

    async fn update(
        &self,
        request: api::UpdateMediaRequest,
        caller: &Caller,
    ) -> Result<api::Media, AnswerError> {
        let media = request.media.unwrap_or_default();
        let form = DescriptionForm {
            alt: media.alt,
            decorative: media.decorative,
            focal_x: media.focal_x,
            focal_y: media.focal_y,
        };
        let description = Description::parse(&form)?;
        let precondition = needed_precondition(&request.etag)?;
        let change = MediaChange {
            hash: possible_hash(&request.hash)?.to_owned(),
            description,
            precondition,
            actor: caller.subject.clone(),
            update_time: self.clock.now(),
            etag: self.ids.uuid().to_string(),
        };
        match self.library.store.update_media(change).await? {
            WriteOutcome::Done(row) => {
                tracing::info!(media.hash = row.hash, "a picture was described");
                self.used(row).await
            }
            WriteOutcome::Absent => Err(AnswerError::NotFound(MEDIA)),
            WriteOutcome::EtagMismatch => Err(AnswerError::EtagMismatch),
        }
    }
}

#[tonic::async_trait]
impl MediaService for MediaRpcs {
    async fn create_media(
        &self,
        request: Request<api::CreateMediaRequest>,
    ) -> Reply<api::CreateMediaResponse> {
        let caller = self.authorize(&request, WRITE)?;
        let (media, is_new) = self.create(request.into_inner(), &caller).await?;
        let mut response = Response::new(api::CreateMediaResponse { media: Some(media) });
        if !is_new {
            let value = MetadataValue::from_static("false");
            response.metadata_mut().insert(RESOURCE_CREATED, value);
        }
        Ok(response)
    }

    async fn list_media(
        &self,
        request: Request<api::ListMediaRequest>,
    ) -> Reply<api::ListMediaResponse> {
        let caller = self.authorize(&request, READ)?;
        Ok(Response::new(self.list(request.get_ref(), &caller).await?))
    }

    async fn get_media(
        &self,
        request: Request<api::GetMediaRequest>,
    ) -> Reply<api::GetMediaResponse> {
        let caller = self.authorize(&request, READ)?;
        let media = self.get(&request.get_ref().hash, &caller).await?;
        Ok(Response::new(api::GetMediaResponse { media: Some(media) }))
    }

    async fn update_media(
        &self,
        request: Request<api::UpdateMediaRequest>,
    ) -> Reply<api::UpdateMediaResponse> {
        let caller = self.authorize(&request, WRITE)?;
        let media = self.update(request.into_inner(), &caller).await?;
        Ok(Response::new(api::UpdateMediaResponse {
            media: Some(media),
        }))
    }

    async fn delete_media(
        &self,
        request: Request<api::DeleteMediaRequest>,
    ) -> Reply<api::DeleteMediaResponse> {
        let caller = self.authorize(&request, WRITE)?;
        self.delete(request.into_inner(), &caller).await?;
        Ok(Response::new(api::DeleteMediaResponse {}))
    }

    async fn get_media_form(&self, request: Request<api::GetMediaFormRequest>) -> Reply<HttpBody> {
        let request = request.get_ref();
        let hash = possible_hash(&request.hash)?;
        let key = FormKey::parse(&request.form).ok_or(AnswerError::NotFound(MEDIA))?;
        let form = self.library.form(hash, key).await.map_err(refused)?;
        let form = form.ok_or(AnswerError::NotFound(MEDIA))?;
        Ok(Response::new(HttpBody {
            content_type: key.format.media_type().to_owned(),
            data: form.into(),
            extensions: Vec::new(),
        }))
    }
}

fn refused(error: MediaError) -> Status {
    match error {
        MediaError::Refused(refusal) => {
            status::invalid_argument(&[Violation::new(PICTURE, refusal.0)])
        }
        MediaError::Busy => Status::with_error_details(
            Code::ResourceExhausted,
            "Too many pictures are being uploaded. Please try again.",
            ErrorDetails::with_retry_info(Some(RETRY_AFTER)),
        ),
        MediaError::Full => {
            let words = "There are 10000 pictures. Delete some that nothing uses";
            AnswerError::Unfit("MEDIA_MAX", words).into()
        }
        MediaError::Store(error) => error.into(),
        error @ MediaError::Files(_) => status::unavailable(&error),
        error @ (MediaError::Encoding(_) | MediaError::Form(_)) => status::internal(&error),
    }
}

/// Rejects names that no picture can have.
fn possible_hash(hash: &str) -> Result<&str, AnswerError> {
    is_media_hash(hash)
        .then_some(hash)
        .ok_or(AnswerError::NotFound(MEDIA))
}

/// Parses the etag that a change must name.
fn needed_precondition(etag: &str) -> Result<Option<String>, AnswerError> {
    if etag.is_empty() {
        let wanted = "Send the etag of the picture (If-Match)";
        return Err(vec![Violation::new("etag", wanted)].into());
    }
    Ok(blog::precondition(etag).map_err(|wrong| vec![wrong])?)
}

fn with_uses(row: MediaRow, uses: Vec<Use>) -> api::Media {
    let shown_use = |one: Use| api::MediaUse {
        kind: one.kind,
        record_id: one.id,
        title: one.title,
        live: one.is_live,
    };
    api::Media {
        uses: uses.into_iter().take(USES_MAX).map(shown_use).collect(),
        ..shown(row)
    }
}

fn shown(row: MediaRow) -> api::Media {
    let number = |value: i64| i32::try_from(value).unwrap_or(i32::MAX);
    let widths = form_widths(&row).into_iter();
    api::Media {
        width: number(row.width),
        height: number(row.height),
        widths: widths.map(|width| number(width.into())).collect(),
        bytes: number(row.bytes),
        focal_x: Some(number(row.focal_x)),
        focal_y: Some(number(row.focal_y)),
        create_time: Some(wire::timestamp(row.create_time)),
        update_time: Some(wire::timestamp(row.update_time)),
        hash: row.hash,
        state: row.state,
        alt: row.alt,
        decorative: row.decorative,
        author: row.author,
        etag: row.etag,
        uses: Vec::new(),
    }
}

/// Encodes the end of a page for its token.
fn position_text(row: &MediaRow) -> String {
    format!("{}:{}", row.create_time.timestamp_micros(), row.hash)
}

fn position(text: &str) -> Option<MediaPosition> {
    let (micros, hash) = text.split_once(':')?;
    let create_time: DateTime<Utc> = DateTime::from_timestamp_micros(micros.parse().ok()?)?;
    Some(MediaPosition {
        create_time,
        hash: possible_hash(hash).ok()?.to_owned(),
    })
}
