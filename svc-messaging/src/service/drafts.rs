//! Staff RPCs for drafts of newsletters.

use chrono::SubsecRound as _;
use hospital_proto::messaging::v1::{
    CreateNewsletterDraftRequest, CreateNewsletterDraftResponse, DeleteNewsletterDraftRequest,
    DeleteNewsletterDraftResponse, GetNewsletterDraftRequest, GetNewsletterDraftResponse,
    ListNewsletterDraftsRequest, ListNewsletterDraftsResponse, NewsletterDraft,
    SendNewsletterDraftRequest, SendNewsletterDraftResponse, TestNewsletterDraftRequest,
    TestNewsletterDraftResponse, UpdateNewsletterDraftRequest, UpdateNewsletterDraftResponse,
};
use service_kit::{
    input::Violation,
    status::{invalid_argument, with_reason},
};
use store_kit::{creation, requests::RequestKey};
use tonic::{Code, Request, Response, Status};
use uuid::Uuid;

use super::{inbox::changed, newsletter::WRITE};
use crate::{
    Parts,
    domain::newsletter::{Draft, Issue},
    store::{self, DraftOutcome},
    wire::{deliveries, inbox as wire},
};

pub(super) async fn create(
    parts: &Parts,
    request: Request<CreateNewsletterDraftRequest>,
) -> Result<Response<CreateNewsletterDraftResponse>, Status> {
    let caller = parts.staff(&request, WRITE)?;
    let CreateNewsletterDraftRequest { draft, request_id } = request.into_inner();
    let sent = draft.unwrap_or_default();
    let (request_id, issue) = Issue::parse(&request_id, &sent.subject, &sent.text)
        .map_err(|violations| invalid_argument(&violations))?;
    // Neither field can contain a NUL.
    let body = format!("{}\0{}", issue.subject, issue.text);
    let key = RequestKey::new(
        &parts.keys,
        store::CREATE_DRAFT,
        request_id.as_str(),
        body.as_bytes(),
    );
    let now = parts.now().trunc_subsecs(6);
    let draft = Draft {
        id: parts.ids.uuid(),
        issue,
        version: 1,
        create_time: now,
        update_time: now,
    };
    let created = parts
        .store
        .create_draft(key, draft, &caller.subject)
        .await?;
    let created = created.ok_or_else(|| {
        with_reason(
            Code::FailedPrecondition,
            "DRAFTS_MAX",
            "There are 100 drafts. Delete one first.",
        )
    })?;
    let (draft, repeated) = created.into_answer()?;
    let draft = Some(wire::draft(&draft, 0));
    Ok(creation::reply(
        CreateNewsletterDraftResponse { draft },
        repeated,
    ))
}

pub(super) async fn list(
    parts: &Parts,
    request: Request<ListNewsletterDraftsRequest>,
) -> Result<Response<ListNewsletterDraftsResponse>, Status> {
    let caller = parts.staff(&request, WRITE)?;
    let ListNewsletterDraftsRequest {
        page_size,
        page_token,
    } = request.into_inner();
    let page = deliveries::page(page_size, &page_token, "")
        .map_err(|violations| invalid_argument(&violations))?;
    let now = parts.now();
    let (found, more) = parts
        .store
        .drafts(page.after, page.size, &caller.subject, now)
        .await?;
    let last = found.last().filter(|_| more);
    Ok(Response::new(ListNewsletterDraftsResponse {
        next_page_token: last
            .map(|last| deliveries::page_token(last.create_time, last.id))
            .unwrap_or_default(),
        drafts: found.iter().map(wire::listed_draft).collect(),
    }))
}

pub(super) async fn get(
    parts: &Parts,
    request: Request<GetNewsletterDraftRequest>,
) -> Result<Response<GetNewsletterDraftResponse>, Status> {
    let caller = parts.staff(&request, WRITE)?;
    let id = id(&request.get_ref().draft_id)?;
    let found = parts.store.draft(id, &caller.subject, parts.now()).await?;
    let (draft, subscribers) = found.ok_or_else(unknown)?;
    Ok(Response::new(GetNewsletterDraftResponse {
        draft: Some(NewsletterDraft {
            can_test: caller.email.is_some(),
            ..wire::draft(&draft, subscribers)
        }),
    }))
}

pub(super) async fn update(
    parts: &Parts,
    request: Request<UpdateNewsletterDraftRequest>,
) -> Result<Response<UpdateNewsletterDraftResponse>, Status> {
    let caller = parts.staff(&request, WRITE)?;
    let UpdateNewsletterDraftRequest {
        draft_id,
        draft,
        etag,
    } = request.into_inner();
    let sent = draft.unwrap_or_default();
    let issue = Issue::parse_content(&sent.subject, &sent.text)
        .map_err(|violations| invalid_argument(&violations))?;
    let (id, version) = (id(&draft_id)?, version(&etag)?);
    let now = parts.now().trunc_subsecs(6);
    let outcome = parts
        .store
        .update_draft(id, issue, version, &caller.subject, now)
        .await?;
    let draft = done(outcome)?;
    Ok(Response::new(UpdateNewsletterDraftResponse {
        draft: Some(wire::draft(&draft, 0)),
    }))
}

pub(super) async fn delete(
    parts: &Parts,
    request: Request<DeleteNewsletterDraftRequest>,
) -> Result<Response<DeleteNewsletterDraftResponse>, Status> {
    let caller = parts.staff(&request, WRITE)?;
    let DeleteNewsletterDraftRequest { draft_id, etag } = request.into_inner();
    let (id, version) = (id(&draft_id)?, version(&etag)?);
    let now = parts.now();
    let outcome = parts
        .store
        .delete_draft(id, version, &caller.subject, now)
        .await?;
    done(outcome)?;
    Ok(Response::new(DeleteNewsletterDraftResponse {}))
}

pub(super) async fn test(
    parts: &Parts,
    request: Request<TestNewsletterDraftRequest>,
) -> Result<Response<TestNewsletterDraftResponse>, Status> {
    let caller = parts.staff(&request, WRITE)?;
    let email = caller.email.ok_or_else(|| {
        with_reason(
            Code::FailedPrecondition,
            "EMAIL_UNKNOWN",
            "The sign-in does not state a confirmed e-mail address to send a test to.",
        )
    })?;
    let TestNewsletterDraftRequest { draft_id, etag } = request.into_inner();
    let (id, version) = (id(&draft_id)?, version(&etag)?);
    let now = parts.now().trunc_subsecs(6);
    let outcome = parts
        .store
        .test_draft(id, version, &caller.subject, &email, now)
        .await?;
    if !done(outcome)? {
        return Err(with_reason(
            Code::ResourceExhausted,
            "TESTS_MAX",
            "At most 10 test mails an hour can be sent.",
        ));
    }
    Ok(Response::new(TestNewsletterDraftResponse {}))
}

pub(super) async fn send(
    parts: &Parts,
    request: Request<SendNewsletterDraftRequest>,
) -> Result<Response<SendNewsletterDraftResponse>, Status> {
    let caller = parts.staff(&request, WRITE)?;
    let SendNewsletterDraftRequest { draft_id, etag } = request.into_inner();
    let (id, version) = (id(&draft_id)?, version(&etag)?);
    let now = parts.now().trunc_subsecs(6);
    let outcome = parts
        .store
        .send_draft(id, version, &caller.subject, now)
        .await?;
    let newsletter = done(outcome)?;
    Ok(Response::new(SendNewsletterDraftResponse {
        newsletter: Some(wire::newsletter(&newsletter)),
    }))
}

fn id(text: &str) -> Result<Uuid, Status> {
    text.parse().map_err(|_| unknown())
}

/// Parses an etag. One that is not a number never matches a version.
pub(super) fn version(etag: &str) -> Result<i64, Status> {
    if etag.is_empty() {
        let words = "Send the etag that was read, as If-Match";
        return Err(invalid_argument(&[Violation::new("etag", words)]));
    }
    Ok(etag.parse().unwrap_or_default())
}

fn done<T>(outcome: DraftOutcome<T>) -> Result<T, Status> {
    match outcome {
        DraftOutcome::Done(done) => Ok(done),
        DraftOutcome::Changed => Err(changed()),
        DraftOutcome::Unknown => Err(unknown()),
    }
}

fn unknown() -> Status {
    with_reason(Code::NotFound, "NOT_FOUND", "There is no draft of this id.")
}
