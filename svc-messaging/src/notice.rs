//! Notices to patients requested by other services: validated, stored and acknowledged, then sent asynchronously.

mod parse;
mod token;

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use hospital_proto::messaging::v1::{
    ForgetNoticesRequest, ForgetNoticesResponse, SendNoticeRequest, SendNoticeResponse,
    notice_service_server::NoticeService,
};
use service_kit::{input::OwnMailboxes, source::Clock, status};
use store_kit::{
    database::Database,
    error::StoreError,
    keys::Keys,
    process::Context,
    sql::Transaction,
    work::{Decision, UnitOfWork},
};
use tonic::{Request, Response, Status};
use uuid::Uuid;

pub(crate) use token::Tokens;

use crate::{
    domain::Personal,
    mail::{self, NewMail, letter::text_message},
    site::CurrentSite,
};

/// Maximum size of a request, in bytes: a calendar file, or 1000 ids.
pub(crate) const REQUEST_BYTES_MAX: usize = 128 * 1024;

/// Serves `hospital.messaging.v1.NoticeService`.
#[derive(Debug)]
pub(crate) struct NoticeRpcs {
    database: Database,
    keys: Keys,
    clock: Arc<dyn Clock>,
    site: Arc<CurrentSite>,
    /// Whether text messages are enabled.
    has_sms: bool,
    tokens: Tokens,
    own: OwnMailboxes,
}

impl NoticeRpcs {
    pub(crate) fn new(
        context: &Context,
        site: Arc<CurrentSite>,
        has_sms: bool,
        tokens: Tokens,
        own: OwnMailboxes,
    ) -> Self {
        Self {
            tokens,
            own,
            database: context.database.clone(),
            keys: context.keys.clone(),
            clock: Arc::clone(&context.clock),
            site,
            has_sms,
        }
    }
}

#[tonic::async_trait]
impl NoticeService for NoticeRpcs {
    async fn send_notice(
        &self,
        request: Request<SendNoticeRequest>,
    ) -> Result<Response<SendNoticeResponse>, Status> {
        self.tokens.check(&request)?;
        let now = self.clock.now();
        let mut notice = parse::notice(request.into_inner(), now)
            .map_err(|violations| status::invalid_argument(&violations))?;
        // Earlier builds accepted the hospital's own addresses. Reception sees these bookings at its own desk, so no
        // mail is sent.
        if self.own.has(notice.mail.to.email.as_str()) {
            notice.mail.to.email = Personal::kept(String::new());
        }
        // Only events that a patient must learn of on the way are also sent as a text.
        let is_texted =
            self.has_sms && text_message(&notice.mail.content, None, &self.site.get()).is_some();
        let keep = Keep {
            keys: self.keys.clone(),
            phone: notice.phone.filter(|_| is_texted),
            mail: notice.mail,
            now,
        };
        self.database.write("INSERT mails", keep).await?;
        Ok(Response::new(SendNoticeResponse {}))
    }

    async fn forget_notices(
        &self,
        request: Request<ForgetNoticesRequest>,
    ) -> Result<Response<ForgetNoticesResponse>, Status> {
        self.tokens.check(&request)?;
        let subjects = parse::subjects(request.get_ref())
            .map_err(|violations| status::invalid_argument(&violations))?;
        let notices = self
            .database
            .write("DELETE mails", Forget { subjects })
            .await?;
        let notices = i32::try_from(notices).unwrap_or(i32::MAX);
        Ok(Response::new(ForgetNoticesResponse { notices }))
    }
}

struct Keep {
    keys: Keys,
    mail: NewMail,
    phone: Option<String>,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Keep {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        let mut script = mail::insert(&self.keys, &self.mail, self.now)?;
        if let Some(phone) = &self.phone {
            script.append(mail::insert_text(&self.keys, &self.mail, phone, self.now)?);
        }
        transaction.run(script).await?;
        Ok(Decision::Commit(()))
    }
}

struct Forget {
    subjects: Vec<Uuid>,
}

#[async_trait]
impl UnitOfWork for Forget {
    type Outcome = u64;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<u64>, StoreError> {
        let notices = mail::forget_subjects(transaction, &self.subjects).await?;
        Ok(Decision::Commit(notices))
    }
}
