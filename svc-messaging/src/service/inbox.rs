//! Staff RPCs for messages. Every call, including reads, writes an audit entry.

use std::sync::Arc;

use hospital_proto::messaging::v1::{
    DeleteMessageRequest, DeleteMessageResponse, EraseSenderRequest, EraseSenderResponse,
    ExportSenderRequest, ExportSenderResponse, GetMessageRequest, GetMessageResponse,
    ListMessagesRequest, ListMessagesResponse, SetMessageStatusRequest, SetMessageStatusResponse,
    inbox_service_server::InboxService,
};
use service_kit::{
    input::Violation,
    status::{invalid_argument, with_reason},
};
use tonic::{Code, Request, Response, Status};

use super::{
    changes::{DELIVERIES, MESSAGES, SUPPRESSIONS},
    drafts::version,
};
use crate::{
    Parts,
    domain::{
        Name,
        inbox::{Actor, NotSet},
    },
    store::{Deleted, StatusOutcome},
    wire::inbox as wire,
};

/// Scopes of staff tokens.
pub(super) const READ: &str = "messages:read";
pub(super) const WRITE: &str = "messages:write";
const EXPORT: &str = "senders:export";
const ERASE: &str = "senders:erase";
/// Reasons of deletions. No free text: it would end up in the audit log, which outlives the message.
const REASONS: [&str; 3] = ["asked", "mistaken", "abusive"];

/// Serves `hospital.messaging.v1.InboxService`.
#[derive(Debug)]
pub struct InboxRpcs(pub Arc<Parts>);

#[tonic::async_trait]
impl InboxService for InboxRpcs {
    async fn list_messages(
        &self,
        request: Request<ListMessagesRequest>,
    ) -> Result<Response<ListMessagesResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, READ)?;
        let filter = wire::list_filter(request.get_ref(), &caller.subject)
            .map_err(|violations| invalid_argument(&violations))?;
        let now = parts.now();
        let (page, more) = parts.store.list(&filter, &caller.subject, now).await?;
        let last = page.last().filter(|_| more);
        Ok(Response::new(ListMessagesResponse {
            next_page_token: last.map(wire::page_token).unwrap_or_default(),
            messages: page
                .iter()
                .map(|message| wire::inbox_message(message, &caller.subject))
                .collect(),
        }))
    }

    async fn get_message(
        &self,
        request: Request<GetMessageRequest>,
    ) -> Result<Response<GetMessageResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, READ)?;
        let name = Name::parse(&request.get_ref().message_id).ok_or_else(unknown)?;
        let found = parts
            .store
            .read(&name, &caller.subject, parts.now())
            .await?;
        let message = found.ok_or_else(unknown)?;
        Ok(Response::new(GetMessageResponse {
            message: Some(wire::inbox_message(&message, &caller.subject)),
        }))
    }

    async fn set_message_status(
        &self,
        request: Request<SetMessageStatusRequest>,
    ) -> Result<Response<SetMessageStatusResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, WRITE)?;
        let request = request.into_inner();
        let status = wire::status_of(request.status()).ok_or_else(|| {
            invalid_argument(&[Violation::new("status", "Give new, taken, done or spam")])
        })?;
        let version = version(&request.etag)?;
        let actor = Actor {
            subject: caller.subject.clone(),
            name: caller.name,
        };
        let name = Name::parse(&request.message_id).ok_or_else(unknown)?;
        let now = parts.now();
        let outcome = parts
            .store
            .set_status(name, status, version, actor, now)
            .await?;
        match outcome {
            StatusOutcome::Set(message) => {
                // A release also forwards the message by mail.
                parts.seen.publish([MESSAGES, DELIVERIES]);
                Ok(Response::new(SetMessageStatusResponse {
                    message: Some(wire::inbox_message(&message, &caller.subject)),
                }))
            }
            StatusOutcome::Refused(refused) => Err(not_set(refused)),
            StatusOutcome::Unknown => Err(unknown()),
        }
    }

    async fn delete_message(
        &self,
        request: Request<DeleteMessageRequest>,
    ) -> Result<Response<DeleteMessageResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, ERASE)?;
        let DeleteMessageRequest {
            message_id,
            reason,
            etag,
        } = request.into_inner();
        let reason = REASONS.into_iter().find(|word| *word == reason);
        let reason = reason.ok_or_else(|| {
            let words = "Give asked, mistaken or abusive";
            invalid_argument(&[Violation::new("reason", words)])
        })?;
        let version = version(&etag)?;
        let name = Name::parse(&message_id).ok_or_else(unknown)?;
        let now = parts.now();
        match parts
            .store
            .delete_message(name, version, reason, &caller.subject, now)
            .await?
        {
            Deleted::Done => {
                parts.seen.publish([MESSAGES]);
                Ok(Response::new(DeleteMessageResponse {}))
            }
            Deleted::Changed => Err(changed()),
            Deleted::Unknown => Err(unknown()),
        }
    }

    async fn export_sender(
        &self,
        request: Request<ExportSenderRequest>,
    ) -> Result<Response<ExportSenderResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, EXPORT)?;
        let ExportSenderRequest { email, phone } = request.into_inner();
        let whom =
            wire::whom(&email, &phone).map_err(|violations| invalid_argument(&violations))?;
        let now = parts.now();
        let records = parts
            .store
            .export_sender(&whom, &caller.subject, now)
            .await?;
        Ok(Response::new(wire::sender_records(
            &records,
            &caller.subject,
        )))
    }

    async fn erase_sender(
        &self,
        request: Request<EraseSenderRequest>,
    ) -> Result<Response<EraseSenderResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, ERASE)?;
        let EraseSenderRequest { email, phone } = request.into_inner();
        let whom =
            wire::whom(&email, &phone).map_err(|violations| invalid_argument(&violations))?;
        let now = parts.now();
        let erased = parts.store.erase_sender(whom, &caller.subject, now).await?;
        tracing::info!(
            messages = erased.messages,
            mails = erased.mails,
            subscriptions = erased.subscriptions,
            "a sender was erased"
        );
        parts.seen.publish([MESSAGES, DELIVERIES, SUPPRESSIONS]);
        let count = |rows: u64| i32::try_from(rows).unwrap_or(i32::MAX);
        Ok(Response::new(EraseSenderResponse {
            messages: count(erased.messages),
            mails: count(erased.mails),
            subscriptions: count(erased.subscriptions),
        }))
    }
}

fn unknown() -> Status {
    with_reason(
        Code::NotFound,
        "NOT_FOUND",
        "There is no message of this id or reference.",
    )
}

fn not_set(refused: NotSet) -> Status {
    match refused {
        NotSet::NotAllowed => with_reason(
            Code::FailedPrecondition,
            "STATUS_NOT_ALLOWED",
            "The present status cannot change to this one.",
        ),
        NotSet::Changed => changed(),
        NotSet::NoPlace => with_reason(
            Code::FailedPrecondition,
            "EVENT_FULL",
            "The event is full, cancelled or over, so this registration gets no place.",
        ),
    }
}

pub(super) fn changed() -> Status {
    with_reason(
        Code::Aborted,
        "ETAG_MISMATCH",
        "It has changed since it was read. Read it again.",
    )
}
