//! Previews of drafts. A token names a version of a record for an hour; reads with the token are answered from content
//! that has this version in place of the live one.

mod built;
mod posts;
mod reads;
mod token;

use chrono::{DateTime, Utc};
use hospital_proto::content::v1::{self as api, preview_service_server::PreviewService};
use tonic::{Request, Response};

pub(crate) use built::Previews;
pub(crate) use reads::{Previewed, Shown, shown};

use super::{
    Reply, Rpcs,
    records::{WRITE, author, kind_of, requests},
};
use crate::{
    error::AnswerError,
    records::Kind,
    wire::{records as wire, timestamp},
};
use built::Built;
use token::Token;

/// A version of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Draft {
    kind: &'static Kind,
    id: String,
    version: i64,
}

/// Converts what a token shows.
fn preview(
    draft: &Draft,
    built: &Built,
    expires: DateTime<Utc>,
    live_version: i64,
) -> api::Preview {
    let own = (draft.kind, draft.id.as_str());
    let problem = built.outcome.as_ref().err();
    api::Preview {
        kind: draft.kind.name.to_owned(),
        record_id: draft.id.clone(),
        version: i32::try_from(draft.version).unwrap_or(i32::MAX),
        title: built.title.clone(),
        path: built.path.clone(),
        list_path: draft.kind.list.to_owned(),
        expire_time: Some(timestamp(expires)),
        is_live: draft.version == live_version,
        problems: problem
            .map(|problem| wire::problem(problem, own))
            .into_iter()
            .collect(),
    }
}

#[tonic::async_trait]
impl PreviewService for Rpcs {
    async fn get_record_preview(
        &self,
        request: Request<api::GetRecordPreviewRequest>,
    ) -> Reply<api::GetRecordPreviewResponse> {
        let caller = self.staff(&request, WRITE)?;
        let request = request.into_inner();
        let (kind, id) = (kind_of(&request.kind)?, requests::id(request.record_id)?);
        let store = self.store()?;
        let row = store
            .record_row(kind, &id)
            .await
            .map_err(AnswerError::from)?
            .ok_or(AnswerError::NotFound("record"))?;
        let draft = Draft {
            kind,
            id: row.id,
            version: row.version,
        };
        let built = self.built(&draft).await?;
        let token = Token::new(draft, self.now());
        let preview = preview(&token.draft, &built, token.expires, row.live_version);
        let mut response = api::GetRecordPreviewResponse {
            token: String::new(),
            preview: Some(preview),
        };
        if built.outcome.is_ok() {
            response.token = token.sign(&self.keys);
            let Draft { kind, id, version } = token.draft;
            store
                .note_preview((kind, id, version), author(&caller), self.now())
                .await
                .map_err(AnswerError::from)?;
        }
        Ok(Response::new(response))
    }

    async fn get_preview(
        &self,
        request: Request<api::GetPreviewRequest>,
    ) -> Reply<api::GetPreviewResponse> {
        let token = self.token(&request.get_ref().token)?;
        let Draft { kind, id, .. } = &token.draft;
        let row = self
            .store()?
            .record_row(kind, id)
            .await
            .map_err(AnswerError::from)?
            .ok_or(AnswerError::NotFound("preview"))?;
        let built = self.built(&token.draft).await?;
        let preview = preview(&token.draft, &built, token.expires, row.live_version);
        Ok(Response::new(api::GetPreviewResponse {
            preview: Some(preview),
        }))
    }
}

impl Rpcs {
    /// Returns what the text of a token shows.
    fn token(&self, text: &str) -> Result<Token, AnswerError> {
        let token = Token::verify(text, &self.keys, self.now());
        token.ok_or(AnswerError::NotFound("preview"))
    }
}
