//! Backfill of the remembered creates from builds before store-kit, which stored the plain request id and an unkeyed
//! hash.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};
use store_kit::{
    error::StoreError,
    keys::Keys,
    migrate::Backfill,
    requests::{self, RequestKey},
    row,
    sql::{Script, Transaction},
    values,
};

use super::work::CREATE;

const ROWS_MAX: i64 = 200;

/// Moves rows of `blog_requests` to request keys.
#[derive(Debug)]
pub(super) struct BlogRequests;

row! {
    struct OldRow {
        request_id: String,
        fingerprint: Vec<u8>,
        blog_id: String,
        created_at: DateTime<Utc>,
    }
}

#[async_trait]
impl Backfill for BlogRequests {
    fn name(&self) -> &'static str {
        "blog-requests"
    }

    async fn step(
        &self,
        transaction: &mut Transaction<'_>,
        keys: &Keys,
    ) -> Result<usize, StoreError> {
        const SELECT: &str = "\
SELECT request_id, fingerprint, blog_id, created_at FROM blog_requests WHERE moved = FALSE LIMIT $1";
        const NOTE: &str = "UPDATE blog_requests SET moved = TRUE WHERE request_id = $1";
        let old: Vec<OldRow> = transaction.fetch_all(SELECT, values![ROWS_MAX]).await?;
        let mut moved = Script::new();
        for row in &old {
            let body = row.fingerprint.as_slice().try_into();
            let body: [u8; 32] = body.map_err(|_| StoreError::Corrupt {
                column: "blog_requests.fingerprint",
            })?;
            let request_id = Sha256::digest(&row.request_id).into();
            let request = RequestKey::of_digests(keys, CREATE, request_id, body);
            moved.push(requests::insert(&request, &row.blog_id, row.created_at));
        }
        transaction.run(moved).await?;
        for row in &old {
            transaction.execute(NOTE, values![&row.request_id]).await?;
        }
        Ok(old.len())
    }
}
