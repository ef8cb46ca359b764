//! Newsletter RPCs: visitors subscribe, confirm and unsubscribe; staff send issues.

use std::{sync::Arc, time::Duration};

use chrono::SubsecRound as _;
use hospital_proto::messaging::v1::{
    ConfirmSubscriptionRequest, ConfirmSubscriptionResponse, CreateNewsletterDraftRequest,
    CreateNewsletterDraftResponse, CreateNewsletterRequest, CreateNewsletterResponse,
    DeleteNewsletterDraftRequest, DeleteNewsletterDraftResponse, GetNewsletterDraftRequest,
    GetNewsletterDraftResponse, GetNewsletterRequest, GetNewsletterResponse,
    ListNewsletterDraftsRequest, ListNewsletterDraftsResponse, ListNewslettersRequest,
    ListNewslettersResponse, SendNewsletterDraftRequest, SendNewsletterDraftResponse,
    StopNewsletterRequest, StopNewsletterResponse, SubscribeRequest, SubscribeResponse,
    TestNewsletterDraftRequest, TestNewsletterDraftResponse, UnsubscribeRequest,
    UnsubscribeResponse, UpdateNewsletterDraftRequest, UpdateNewsletterDraftResponse,
    newsletter_service_server::NewsletterService,
};
use service_kit::{
    input::{EmailAddress, OwnMailboxes, Violation},
    language::Language,
    status::{invalid_argument, with_reason},
};
use store_kit::{creation, requests::RequestKey};
use tonic::{Code, Request, Response, Status};

use super::drafts;
use crate::{
    Parts,
    domain::newsletter::{Issue, Newsletter},
    metrics::{Outcome, count},
    spam,
    store::{self, Stopped, Subscribed},
    wire::{deliveries, inbox as wire},
};

/// Scope of staff tokens.
pub(super) const WRITE: &str = "newsletters:write";
const KIND: &str = "subscription";

/// Poll interval for issues whose mails have not all been created.
const FAN_OUT_EVERY: Duration = Duration::from_secs(5);

/// Serves `hospital.messaging.v1.NewsletterService`.
#[derive(Debug)]
pub struct NewsletterRpcs(pub Arc<Parts>);

#[tonic::async_trait]
impl NewsletterService for NewsletterRpcs {
    async fn subscribe(
        &self,
        request: Request<SubscribeRequest>,
    ) -> Result<Response<SubscribeResponse>, Status> {
        let parts = &*self.0;
        let network = parts.network(&request);
        let language = Language::of_metadata(request.metadata());
        let SubscribeRequest { email, check } = request.into_inner();
        let email = EmailAddress::parse(&email).map_err(|problem| {
            count("invalid", Outcome::Refused);
            invalid_argument(&[Violation::new("email", problem.to_string())])
        })?;
        if parts.own.has(email.as_str()) {
            count("invalid", Outcome::Refused);
            let violation = Violation::new("email", OwnMailboxes::REFUSAL);
            return Err(invalid_argument(&[violation]));
        }
        let now = parts.now();
        let check = check.unwrap_or_default();
        let signs = parts.form(&check, b"", now).signs();
        let score: u32 = signs.iter().map(|sign| sign.weight).sum();
        // Suspicious requests get the usual response, but no confirmation mail is sent.
        if score >= spam::SUSPICIOUS {
            count(KIND, Outcome::Quarantined);
            return Ok(Response::new(SubscribeResponse {}));
        }
        let subscribed = parts
            .store
            .subscribe(&parts.links, email.as_str(), language, network, now)
            .await?;
        match subscribed {
            Subscribed::Asked => count(KIND, Outcome::Accepted),
            Subscribed::Unchanged => count(KIND, Outcome::Repeated),
            Subscribed::TooMany => {
                count(KIND, Outcome::Refused);
                return Err(parts.too_many());
            }
        }
        Ok(Response::new(SubscribeResponse {}))
    }

    async fn confirm_subscription(
        &self,
        request: Request<ConfirmSubscriptionRequest>,
    ) -> Result<Response<ConfirmSubscriptionResponse>, Status> {
        let parts = &*self.0;
        let token = request.into_inner().token;
        let is_confirmed = parts
            .store
            .confirm(&parts.links, &token, parts.now())
            .await?;
        if !is_confirmed {
            return Err(with_reason(
                Code::NotFound,
                "LINK_UNKNOWN",
                "This link is wrong or older than 7 days. Please subscribe again.",
            ));
        }
        tracing::info!("a subscription was confirmed");
        Ok(Response::new(ConfirmSubscriptionResponse {}))
    }

    async fn unsubscribe(
        &self,
        request: Request<UnsubscribeRequest>,
    ) -> Result<Response<UnsubscribeResponse>, Status> {
        let parts = &*self.0;
        let token = request.into_inner().token;
        if let Some(id) = parts.links.unsubscribes(&token) {
            let now = parts.now();
            let ended = parts.store.unsubscribe(id, now).await?;
            tracing::info!(ended, "a subscription was ended");
        }
        Ok(Response::new(UnsubscribeResponse {}))
    }

    async fn create_newsletter(
        &self,
        request: Request<CreateNewsletterRequest>,
    ) -> Result<Response<CreateNewsletterResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, WRITE)?;
        let CreateNewsletterRequest {
            newsletter,
            request_id,
        } = request.into_inner();
        let sent = newsletter.unwrap_or_default();
        let (request_id, issue) = Issue::parse(&request_id, &sent.subject, &sent.text)
            .map_err(|violations| invalid_argument(&violations))?;
        // Neither field can contain a NUL.
        let body = format!("{}\0{}", issue.subject, issue.text);
        let request = RequestKey::new(
            &parts.keys,
            store::CREATE_NEWSLETTER,
            request_id.as_str(),
            body.as_bytes(),
        );
        let create_time = parts.now().trunc_subsecs(6);
        let newsletter = Newsletter::new(parts.ids.uuid(), issue, create_time);
        let created = parts
            .store
            .create_newsletter(request, newsletter, &caller.subject)
            .await?;
        let (newsletter, repeated) = created.into_answer()?;
        let newsletter = Some(wire::newsletter(&newsletter));
        Ok(creation::reply(
            CreateNewsletterResponse { newsletter },
            repeated,
        ))
    }

    async fn get_newsletter(
        &self,
        request: Request<GetNewsletterRequest>,
    ) -> Result<Response<GetNewsletterResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, WRITE)?;
        let id = request.into_inner().newsletter_id;
        let id = id.parse().map_err(|_| unknown())?;
        let found = parts
            .store
            .newsletter(id, &caller.subject, parts.now())
            .await?;
        let newsletter = found.ok_or_else(unknown)?;
        Ok(Response::new(GetNewsletterResponse {
            newsletter: Some(wire::newsletter(&newsletter)),
        }))
    }

    async fn list_newsletters(
        &self,
        request: Request<ListNewslettersRequest>,
    ) -> Result<Response<ListNewslettersResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, WRITE)?;
        let ListNewslettersRequest {
            page_size,
            page_token,
        } = request.into_inner();
        let page = deliveries::page(page_size, &page_token, "")
            .map_err(|violations| invalid_argument(&violations))?;
        let now = parts.now();
        let (found, more) = parts
            .store
            .newsletters(page.after, page.size, &caller.subject, now)
            .await?;
        let last = found.last().filter(|_| more);
        Ok(Response::new(ListNewslettersResponse {
            next_page_token: last
                .map(|last| deliveries::page_token(last.create_time, last.id))
                .unwrap_or_default(),
            newsletters: found.iter().map(wire::listed_newsletter).collect(),
        }))
    }

    async fn stop_newsletter(
        &self,
        request: Request<StopNewsletterRequest>,
    ) -> Result<Response<StopNewsletterResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, WRITE)?;
        let id = request.into_inner().newsletter_id;
        let id = id.parse().map_err(|_| unknown())?;
        let now = parts.now();
        match parts
            .store
            .stop_newsletter(id, &caller.subject, now)
            .await?
        {
            Stopped::Done(newsletter) => {
                tracing::info!(newsletter.id = %id, "a newsletter was stopped");
                Ok(Response::new(StopNewsletterResponse {
                    newsletter: Some(wire::newsletter(&newsletter)),
                }))
            }
            Stopped::Sent => Err(with_reason(
                Code::FailedPrecondition,
                "NEWSLETTER_SENT",
                "All its mails have left, so there is nothing to stop.",
            )),
            Stopped::Unknown => Err(unknown()),
        }
    }

    async fn create_newsletter_draft(
        &self,
        request: Request<CreateNewsletterDraftRequest>,
    ) -> Result<Response<CreateNewsletterDraftResponse>, Status> {
        drafts::create(&self.0, request).await
    }

    async fn list_newsletter_drafts(
        &self,
        request: Request<ListNewsletterDraftsRequest>,
    ) -> Result<Response<ListNewsletterDraftsResponse>, Status> {
        drafts::list(&self.0, request).await
    }

    async fn get_newsletter_draft(
        &self,
        request: Request<GetNewsletterDraftRequest>,
    ) -> Result<Response<GetNewsletterDraftResponse>, Status> {
        drafts::get(&self.0, request).await
    }

    async fn update_newsletter_draft(
        &self,
        request: Request<UpdateNewsletterDraftRequest>,
    ) -> Result<Response<UpdateNewsletterDraftResponse>, Status> {
        drafts::update(&self.0, request).await
    }

    async fn delete_newsletter_draft(
        &self,
        request: Request<DeleteNewsletterDraftRequest>,
    ) -> Result<Response<DeleteNewsletterDraftResponse>, Status> {
        drafts::delete(&self.0, request).await
    }

    async fn test_newsletter_draft(
        &self,
        request: Request<TestNewsletterDraftRequest>,
    ) -> Result<Response<TestNewsletterDraftResponse>, Status> {
        drafts::test(&self.0, request).await
    }

    async fn send_newsletter_draft(
        &self,
        request: Request<SendNewsletterDraftRequest>,
    ) -> Result<Response<SendNewsletterDraftResponse>, Status> {
        drafts::send(&self.0, request).await
    }
}

fn unknown() -> Status {
    with_reason(
        Code::NotFound,
        "NOT_FOUND",
        "There is no newsletter of this id.",
    )
}

/// Creates the mails of issues, and ends those of stopped ones, in an endless loop. Safe to interrupt: the next start
/// continues.
pub async fn send_newsletters(parts: Arc<Parts>) {
    loop {
        let withheld = parts.store.withhold(parts.now()).await;
        let created = parts.store.fan_out(&parts.links, parts.now()).await;
        let more = match withheld.and_then(|withheld| Ok(created? || withheld)) {
            Ok(more) => more,
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "creating or withholding the mails of a newsletter failed; retrying"
                );
                false
            }
        };
        if !more {
            tokio::time::sleep(FAN_OUT_EVERY).await;
        }
    }
}
