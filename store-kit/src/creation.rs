//! Idempotent creates: the outcome of a create that carries a request id, and its answer. The same in every service.

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

/// gRPC metadata of the answer to a create that an earlier request made. Its value is `true`; any other answer lacks it. The gateway
/// decides by it what a repeated form may show, and passes it on as the HTTP header of this name.
pub const REPLAYED: &str = "idempotent-replayed";

/// The reply of a create. `replayed` says that an earlier request made it.
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

/// What became of a create.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Creation<T> {
    /// Made and committed now.
    Created(T),
    /// The same request made it before; this is what has become of it since.
    Repeated(T),
    /// The request id belongs to a request for something else. Nothing was written.
    RequestIdReused,
    /// The same request made it before, and it was removed since. Nothing was written: what somebody had erased does not come back
    /// because their browser asks again.
    Removed,
}

impl<T> Creation<T> {
    /// What was made, and whether it was there before.
    ///
    /// # Errors
    /// INVALID_ARGUMENT with reason `REQUEST_ID_REUSED`; NOT_FOUND with reason `REMOVED`, which is marked as [`REPLAYED`] too.
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

/// Something that is to be made once per request.
#[derive(Debug)]
pub struct New<'a, T> {
    /// The request that asks for it.
    pub request: &'a RequestKey,
    /// Its id, which the request key names from then on.
    pub id: Uuid,
    /// What the caller is answered when it is made now.
    pub subject: T,
    /// What writes it. The row of the request key is added here.
    pub script: Script,
    /// The moment that the request key remembers.
    pub now: DateTime<Utc>,
}

/// Makes something once per request, however often and however concurrently it is asked for: the whole of a unit of work. `by_id` selects
/// the row that an earlier request made (`$1` is its id), `open` reads it.
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
    fn only_what_an_earlier_request_made_is_marked() {
        assert_eq!(replayed(reply((), true).metadata()), Some("true"));
        assert_eq!(replayed(reply((), false).metadata()), None);
        let status = |creation: Creation<()>| creation.into_answer().unwrap_err();
        let removed = status(Creation::Removed);
        assert_eq!(replayed(removed.metadata()), Some("true"));
        let reused = status(Creation::RequestIdReused);
        assert_eq!(replayed(reused.metadata()), None);
    }
}
