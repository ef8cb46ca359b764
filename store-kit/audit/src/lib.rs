//! Serves `hospital.api.v1.AuditService` for the audit log of any service.

mod wire;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use hospital_proto::{
    google::api::HttpBody,
    hospital::api::v1::{
        ExportAuditEntriesRequest, ListAuditEntriesRequest, ListAuditEntriesResponse,
        VerifyAuditLogRequest, VerifyAuditLogResponse,
        audit_service_server::{AuditService, AuditServiceServer},
    },
};
use service_kit::{
    auth::Verifier,
    source::Clock,
    status::{invalid_argument, with_reason},
};
use store_kit::{
    audit::{self, Entry, Part, Progress, Verdict, log},
    database::Database,
    keys::Keys,
    process::Context,
};
use tokio::sync::Semaphore;
use tonic::{Code, Request, Response, Status};

pub use hospital_proto::hospital::api::v1::audit_service_server::SERVICE_NAME;

/// Scope of staff tokens.
const READ: &str = "audit:read";
/// Maximum size of a request, in bytes: the longest valid request, with headroom.
const REQUEST_BYTES_MAX: usize = 8 * 1024;
/// Maximum entries checked by one call: some 0.5 s.
const VERIFIED_MAX: u64 = 50_000;
/// Maximum entries of an export.
const EXPORTED_MAX: usize = 1_000;
/// An export ends with the entry that reaches this many bytes of text.
const EXPORT_BYTES_MAX: usize = 1024 * 1024;

/// The audit log over gRPC.
#[derive(Debug)]
pub struct AuditRpcs {
    database: Database,
    keys: Keys,
    clock: Arc<dyn Clock>,
    verifier: Verifier,
    /// Checks at once: each reads and hashes thousands of entries.
    checks: Semaphore,
}

/// Builds the gRPC service for the audit log in the database of `context`.
pub fn server(context: &Context, verifier: Verifier) -> AuditServiceServer<AuditRpcs> {
    let rpcs = AuditRpcs {
        database: context.database.clone(),
        keys: context.keys.clone(),
        clock: Arc::clone(&context.clock),
        verifier,
        checks: Semaphore::new(1),
    };
    AuditServiceServer::new(rpcs).max_decoding_message_size(REQUEST_BYTES_MAX)
}

impl AuditRpcs {
    fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }
}

#[tonic::async_trait]
impl AuditService for AuditRpcs {
    async fn list_audit_entries(
        &self,
        request: Request<ListAuditEntriesRequest>,
    ) -> Result<Response<ListAuditEntriesResponse>, Status> {
        let caller = self.verifier.check_request(&request, READ)?;
        let asked = wire::listing(request.get_ref()).map_err(|found| invalid_argument(&found))?;
        let page = log::find(&self.database, &asked.filter, asked.before, asked.size).await?;
        let entry = Entry {
            actor: caller.subject,
            action: "audit.read",
            subject: asked.filter.id.clone().unwrap_or_default(),
            detail: asked.detail(),
        };
        log::record_read(&self.database, &self.keys, entry, self.now()).await?;
        Ok(Response::new(ListAuditEntriesResponse {
            entries: page.entries.iter().map(wire::entry).collect(),
            next_page_token: wire::page_token(page.next),
        }))
    }

    async fn verify_audit_log(
        &self,
        request: Request<VerifyAuditLogRequest>,
    ) -> Result<Response<VerifyAuditLogResponse>, Status> {
        let caller = self.verifier.check_request(&request, READ)?;
        let from = wire::progress(&request.get_ref().page_token, &self.keys)
            .map_err(|found| invalid_argument(&found))?;
        let Ok(_turn) = self.checks.try_acquire() else {
            return Err(with_reason(
                Code::ResourceExhausted,
                "VERIFICATION_RUNNING",
                "This log is being checked for another call. Try again in a few seconds.",
            ));
        };
        let begun = from
            .as_ref()
            .map_or(0, |progress: &Progress| progress.entries);
        let part = audit::verify_part(&self.database, &self.keys, from, VERIFIED_MAX).await?;
        let result = wire::result(&part, begun, &self.keys);
        if let Part::Done(Verdict::Broken { at }) = &part {
            // Error logs raise an alert: the log was tampered with.
            tracing::error!(audit.entry = at, "the audit log is broken");
        }
        let entry = Entry {
            actor: caller.subject,
            action: "audit.verified",
            subject: String::new(),
            detail: wire::verdict(&result),
        };
        log::record(&self.database, &self.keys, entry, self.now()).await?;
        Ok(Response::new(result))
    }

    async fn export_audit_entries(
        &self,
        request: Request<ExportAuditEntriesRequest>,
    ) -> Result<Response<HttpBody>, Status> {
        let caller = self.verifier.check_request(&request, READ)?;
        let request = request.get_ref();
        let asked = wire::export(request).map_err(|found| invalid_argument(&found))?;
        let page = log::export(
            &self.database,
            &asked.filter,
            asked.after,
            EXPORTED_MAX,
            EXPORT_BYTES_MAX,
        )
        .await?;
        let count = page.entries.len();
        let entry = Entry {
            actor: caller.subject,
            action: "audit.exported",
            subject: String::new(),
            detail: format!(
                "{count} entries, from={} to={}",
                request.from.trim(),
                request.to.trim()
            ),
        };
        log::record(&self.database, &self.keys, entry, self.now()).await?;
        Ok(Response::new(HttpBody {
            content_type: "application/x-ndjson".to_owned(),
            data: wire::lines(&page).into_bytes(),
            ..HttpBody::default()
        }))
    }
}
