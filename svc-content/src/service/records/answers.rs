//! Answers about one record: its latest version, and what prevents that from being published.

use std::{slice, sync::Arc};

use hospital_proto::content::v1 as api;
use service_kit::input::Violation;

use super::{Rpcs, kind_of, requests::AHEAD_MAX};
use crate::{
    blocking::off_the_runtime,
    error::AnswerError,
    records::{self, Body, Kind, Live, POST, Problem},
    store::records::{RecordOutcome, RecordRow},
    wire::records as wire,
};

impl Rpcs {
    /// Returns the record with its latest version, and what prevents that from being published.
    pub(super) async fn whole_record(
        &self,
        row: RecordRow,
    ) -> Result<api::ContentRecord, AnswerError> {
        let kind = kind_of(&row.kind)?;
        let store = self.store()?;
        let body = store.record_body(kind, &row.id, row.version).await?;
        let body = body.ok_or(AnswerError::NotFound("version"))?;
        let problems = if row.version == row.live_version {
            Vec::new()
        } else {
            self.problems(kind, &row.id, &body).await?
        };
        Ok(api::ContentRecord {
            body: Some(wire::to_struct(&body)),
            problems: problems
                .iter()
                .map(|found| wire::problem(found, (kind, &row.id)))
                .collect(),
            ..wire::record(row, self.now())
        })
    }

    /// Returns what would be wrong if this were the record's live version.
    async fn problems(
        &self,
        kind: &'static Kind,
        id: &str,
        body: &Body,
    ) -> Result<Vec<Problem>, AnswerError> {
        if kind.is_post() {
            return self.problem_of_post(id, body).await;
        }
        let (live, check) = (self.live_with(kind, id, body).await?, self.check().await?);
        let (content, id) = (self.content(), id.to_owned());
        let place = Arc::clone(&self.parsers).acquire_owned().await;
        let checked = off_the_runtime(move || {
            // Held by the thread, because the caller may have been cancelled.
            let _place = place;
            let first = check(&live).err()?;
            Some(records::problems_of(&content, &live, (kind, &id), first))
        });
        Ok(checked.await.unwrap_or_default())
    }

    /// Posts are checked alone. A time of publication may lie ahead: the draft may be planned.
    async fn problem_of_post(&self, id: &str, body: &Body) -> Result<Vec<Problem>, AnswerError> {
        let place = Arc::clone(&self.parsers).acquire_owned().await;
        let (check, at) = (self.check().await?, self.now() + AHEAD_MAX);
        let post = Live {
            kind: POST,
            id: id.to_owned(),
            body: body.clone(),
        };
        let checked = off_the_runtime(move || {
            let _place = place;
            let parsed = records::post::parse(&post.id, &post.body, at);
            let pictured = check(slice::from_ref(&post));
            [parsed.err(), pictured.err()]
        });
        Ok(checked.await.into_iter().flatten().collect())
    }

    /// Returns the live records with one of these a candidate.
    async fn live_with(
        &self,
        kind: &'static Kind,
        id: &str,
        body: &Body,
    ) -> Result<Vec<Live>, AnswerError> {
        let mut live = self.store()?.live_records().await?;
        let candidate = Live {
            kind,
            id: id.to_owned(),
            body: body.clone(),
        };
        records::put(&mut live, candidate);
        Ok(live)
    }

    /// Returns the changed record, or every reason against it. `version` is the one to be published, 0 for the latest.
    pub(super) async fn changed(
        &self,
        outcome: RecordOutcome,
        (kind, id): (&'static Kind, &str),
        version: i64,
    ) -> Result<api::ContentRecord, AnswerError> {
        match outcome {
            RecordOutcome::Done(row) => self.whole_record(*row).await,
            RecordOutcome::Absent => Err(AnswerError::NotFound("record")),
            RecordOutcome::EtagMismatch => Err(AnswerError::EtagMismatch),
            RecordOutcome::NoVersion => Err(AnswerError::NotFound("version")),
            RecordOutcome::Broken(first) => {
                let problems = self.all_problems(first, (kind, id), version).await?;
                let mut fields: Vec<Violation> = Vec::new();
                for problem in &problems {
                    let field = violation(&wire::problem(problem, (kind, id)));
                    if !fields.contains(&field) {
                        fields.push(field);
                    }
                }
                Err(fields.into())
            }
        }
    }

    /// Returns a problem, and if it is in the record's own body the further ones there.
    async fn all_problems(
        &self,
        first: Problem,
        (kind, id): (&'static Kind, &str),
        version: i64,
    ) -> Result<Vec<Problem>, AnswerError> {
        if kind.is_post() || !first.is_in(kind, id) {
            return Ok(vec![first]);
        }
        let store = self.store()?;
        let wanted = match version {
            0 => store.record_row(kind, id).await?.map(|row| row.version),
            version => Some(version),
        };
        let body = match wanted {
            Some(version) => store.record_body(kind, id, version).await?,
            None => None,
        };
        let Some(body) = body else {
            return Ok(vec![first]);
        };
        let live = self.live_with(kind, id, &body).await?;
        let (content, id) = (self.content(), id.to_owned());
        let place = Arc::clone(&self.parsers).acquire_owned().await;
        let checked = off_the_runtime(move || {
            let _place = place;
            records::problems_of(&content, &live, (kind, &id), first)
        });
        Ok(checked.await)
    }
}

/// Names the part of the request that holds the body.
fn violation(found: &api::RecordProblem) -> Violation {
    let api::RecordProblem {
        field,
        message,
        record,
    } = found;
    match (record.as_str(), field.as_str()) {
        ("", "") => Violation::new("body", message),
        ("", field) => Violation::new(format!("body.{field}"), message),
        (record, field) => Violation::new("body", format!("{record}, {field}: {message}")),
    }
}
