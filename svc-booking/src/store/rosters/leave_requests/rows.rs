//! Rows of leave requests.

use chrono::{DateTime, Utc};
use store_kit::{
    error::StoreError,
    keys::Keys,
    row,
    sealed::SealedTable,
    sql::{Statement, Value},
    values,
};
use uuid::Uuid;

use crate::domain::{
    calendar::parse_date,
    leave_request::{LeaveRequest, LeaveRequestState},
};

/// The texts of leave requests.
pub const LEAVE_REQUESTS: SealedTable = SealedTable {
    table: "leave_requests",
    columns: &["reason", "answer"],
    digests: &[],
};

const INSERT: &str = "\
INSERT INTO leave_requests (id, doctor_id, from_date, until_date, state, version, leave_id, create_time, update_time, key_id, reason, answer)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
/// Writes every sealed column, because `key_id` applies to all of them.
const UPDATE: &str = "\
UPDATE leave_requests SET state = $2, version = $3, leave_id = $4, update_time = $5, key_id = $6, reason = $7, answer = $8
WHERE id = $1";

row! {
    pub(super) struct LeaveRequestRow {
        id: Uuid,
        doctor_id: String,
        from_date: String,
        until_date: String,
        state: String,
        version: i64,
        leave_id: Option<Uuid>,
        create_time: DateTime<Utc>,
        update_time: DateTime<Utc>,
        key_id: String,
        reason: Option<Vec<u8>>,
        answer: Option<Vec<u8>>,
    }
}

impl LeaveRequestRow {
    pub(super) fn open(self, keys: &Keys) -> Result<LeaveRequest, StoreError> {
        let corrupt = |column| StoreError::Corrupt { column };
        let open = |column, sealed: &Option<Vec<u8>>| {
            let sealed = sealed.as_deref();
            let plain = sealed
                .map(|sealed| LEAVE_REQUESTS.open(keys, &self.key_id, self.id, column, sealed));
            Ok::<_, StoreError>(plain.transpose()?.unwrap_or_default())
        };
        Ok(LeaveRequest {
            reason: open("reason", &self.reason)?,
            answer: open("answer", &self.answer)?,
            id: self.id,
            doctor_id: self.doctor_id,
            from: parse_date(&self.from_date).ok_or_else(|| corrupt("leave_requests.from_date"))?,
            until: parse_date(&self.until_date)
                .ok_or_else(|| corrupt("leave_requests.until_date"))?,
            state: LeaveRequestState::parse(&self.state)
                .ok_or_else(|| corrupt("leave_requests.state"))?,
            version: self.version,
            leave_id: self.leave_id,
            create_time: self.create_time,
            update_time: self.update_time,
        })
    }
}

/// Returns the key's id and the sealed texts; an empty text is stored as NULL.
fn sealed(keys: &Keys, request: &LeaveRequest) -> Result<Vec<Value>, StoreError> {
    let seal = |column, plain: &str| {
        let given = Some(plain).filter(|plain| !plain.is_empty());
        given
            .map(|plain| LEAVE_REQUESTS.seal(keys, request.id, column, plain))
            .transpose()
    };
    Ok(values![
        keys.active(),
        seal("reason", &request.reason)?,
        seal("answer", &request.answer)?
    ])
}

pub(super) fn insert(keys: &Keys, request: &LeaveRequest) -> Result<Statement, StoreError> {
    let mut values = values![
        request.id,
        &request.doctor_id,
        request.from.to_string(),
        request.until.to_string(),
        request.state.as_str(),
        request.version,
        request.leave_id,
        request.create_time,
        request.update_time
    ];
    values.extend(sealed(keys, request)?);
    Ok(Statement::new(INSERT, values))
}

pub(super) fn update(keys: &Keys, request: &LeaveRequest) -> Result<Statement, StoreError> {
    let mut values = values![
        request.id,
        request.state.as_str(),
        request.version,
        request.leave_id,
        request.update_time
    ];
    values.extend(sealed(keys, request)?);
    Ok(Statement::new(UPDATE, values))
}
