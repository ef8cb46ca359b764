//! Idempotent creates: outcome and reply of a create that carries a request id, the same in every service.

use chrono::{DateTime, Utc};
use service_kit::status;
use tonic::{
    Response, Status,
    metadata::{MetadataMap, MetadataValue},
};
use uuid::Uuid;

use crate::{
    error::StoreError,
    requests::{self, Found, RequestKey},
    sql::{Row, Script, Sql, Transaction},
    values,
    work::Decision,
};

/// gRPC metadata key that marks the reply to a create as a replay of an earlier request. Its value is `true`; other
/// replies lack it. The gateway uses it to decide what a resubmitted form may show, and forwards it as the HTTP header
/// of this name.
pub const REPLAYED: &str = "idempotent-replayed";

/// Builds the reply to a create. `replayed` means that an earlier request created the resource.
pub fn reply<T>(message: T, replayed: bool) -> Response<T> {
    let mut response = Response::new(message);
    if replayed {
        mark(response.metadata_mut());
    }
    response
}

fn mark(metadata: &mut MetadataMap) {
    metadata.insert(REPLAYED, MetadataValue::from_static("true"));
}

/// Outcome of a create.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Creation<T> {
    /// Created and committed by this request.
    Created(T),
    /// Created by an earlier attempt of this request; holds the current state.
    Repeated(T),
    /// The request id belongs to a different request. Nothing was written.
    RequestIdReused,
    /// Created by an earlier attempt of this request and removed since. Nothing was written: erased data must not
    /// return because a browser retries.
    Removed,
}

impl<T> Creation<T> {
    /// Returns the resource and whether it existed before this request.
    ///
    /// # Errors
    /// INVALID_ARGUMENT with reason `REQUEST_ID_REUSED`; NOT_FOUND with reason `REMOVED`, which is also marked as
    /// [`REPLAYED`].
    pub fn into_answer(self) -> Result<(T, bool), Status> {
        match self {
            Self::Created(subject) => Ok((subject, false)),
            Self::Repeated(subject) => Ok((subject, true)),
            Self::RequestIdReused => Err(status::request_id_reused()),
            Self::Removed => {
                let mut removed = status::removed();
                mark(removed.metadata_mut());
                Err(removed)
            }
        }
    }
}

/// A resource to be created once per request.
#[derive(Debug)]
pub struct New<'a, T> {
    /// The key of the creating request.
    pub request: &'a RequestKey,
    /// Id of the resource, which the request key names from then on.
    pub id: Uuid,
    /// Returned to the caller when the resource is created now.
    pub subject: T,
    /// Statements that write the resource. [`once`] appends the row of the request key.
    pub script: Script,
    /// Creation time of the request key.
    pub now: DateTime<Utc>,
}

/// Creates a resource once per request, however often and concurrently the request is sent. This is a complete unit of
/// work. `by_id` selects the row that an earlier request created (`$1` is its id); `open` reads it.
///
/// # Errors
/// When the database fails, or `open` does.
pub async fn once<R: Row, T>(
    transaction: &mut Transaction<'_>,
    new: New<'_, T>,
    by_id: impl Into<Sql>,
    open: impl FnOnce(R) -> Result<T, StoreError>,
) -> Result<Decision<Creation<T>>, StoreError> {
    let outcome = match requests::find(transaction, new.request, new.now).await? {
        Found::Reused => Creation::RequestIdReused,
        Found::Repeated { subject } => {
            let id = requests::subject_id(&subject)?;
            let row: Option<R> = transaction.fetch_optional(by_id, values![id]).await?;
            match row {
                Some(row) => Creation::Repeated(open(row)?),
                None => Creation::Removed,
            }
        }
        Found::New => {
            let mut script = new.script;
            script.push(requests::insert(new.request, &new.id.to_string(), new.now));
            transaction.run(script).await?;
            return Ok(Decision::Commit(Creation::Created(new.subject)));
        }
    };
    Ok(Decision::Rollback(outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replayed(metadata: &MetadataMap) -> Option<&str> {
        metadata.get(REPLAYED).map(|value| value.to_str().unwrap())
    }

    #[test]
    fn marks_only_replayed_creations() {
        assert_eq!(replayed(reply((), true).metadata()), Some("true"));
        assert_eq!(replayed(reply((), false).metadata()), None);
        let status = |creation: Creation<()>| creation.into_answer().unwrap_err();
        let removed = status(Creation::Removed);
        assert_eq!(replayed(removed.metadata()), Some("true"));
        let reused = status(Creation::RequestIdReused);
        assert_eq!(replayed(reused.metadata()), None);
    }
}
