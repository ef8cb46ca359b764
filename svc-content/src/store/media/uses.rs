//! What uses pictures: the latest, live and scheduled versions of records, and posts. A picture is named by its address.

use std::collections::{BTreeMap, HashSet};

use store_kit::{error::StoreError, row, sql::Transaction, values};

use crate::{store::Store, values::media_hashes};

/// Maximum uses that are returned of a picture.
pub const USES_MAX: usize = 20;

macro_rules! used_versions {
    ($columns:literal, $pattern:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM records JOIN record_versions ON record_versions.kind = records.kind \
             AND record_versions.id = records.id AND record_versions.lang = records.lang \
             AND record_versions.version IN (records.version, records.live_version, records.publish_version) \
             WHERE record_versions.body LIKE ",
            $pattern
        )
    };
}

macro_rules! using_posts {
    ($columns:literal, $pattern:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM blogs WHERE image LIKE ",
            $pattern,
            " OR content LIKE ",
            $pattern,
            " OR sections LIKE ",
            $pattern
        )
    };
}

const RECORDS: &str = used_versions!(
    "records.kind, records.id, records.title, record_versions.body, record_versions.version, records.live_version",
    "'%/media/%' ORDER BY records.kind, records.position, records.id, record_versions.version DESC"
);
const POSTS: &str = using_posts!("id, title, image, content, sections", "'%/media/%'");
const IS_USED: &str = concat!(
    "SELECT EXISTS (",
    used_versions!("1", "$1"),
    ") OR EXISTS (",
    using_posts!("1", "$1"),
    ")"
);

row! {
    struct VersionRow {
        kind: String,
        id: String,
        title: String,
        body: String,
        version: i64,
        live_version: i64,
    }
}

row! {
    struct PostRow {
        id: String,
        title: String,
        image: String,
        content: String,
        sections: String,
    }
}

/// A record or a post that uses a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// Kind of the record; `post` for a post.
    pub kind: String,
    pub id: String,
    pub title: String,
    /// Whether visitors see it.
    pub is_live: bool,
}

/// Uses by the hash of the picture. Pictures that nothing uses are missing.
pub type MediaUses = BTreeMap<String, Vec<Use>>;

impl Store {
    /// Returns what uses pictures.
    pub async fn media_uses(&self) -> Result<MediaUses, StoreError> {
        let versions: Vec<VersionRow> = self
            .database
            .fetch_all("SELECT records", RECORDS, values![])
            .await?;
        let posts: Vec<PostRow> = self
            .database
            .fetch_all("SELECT blogs", POSTS, values![])
            .await?;
        let mut uses = MediaUses::new();
        for row in versions {
            let one = Use {
                kind: row.kind,
                id: row.id,
                title: row.title,
                is_live: row.version == row.live_version,
            };
            add(&mut uses, &row.body, &one);
        }
        for row in posts {
            let one = Use {
                kind: "post".to_owned(),
                id: row.id,
                title: row.title,
                is_live: true,
            };
            add(
                &mut uses,
                &[row.image, row.content, row.sections].join("\n"),
                &one,
            );
        }
        Ok(uses)
    }
}

/// Adds a use of every picture that the text names, one for each record.
fn add(uses: &mut MediaUses, text: &str, one: &Use) {
    let hashes: HashSet<&str> = media_hashes(text).collect();
    for hash in hashes {
        let known = uses.entry(hash.to_owned()).or_default();
        match known
            .iter_mut()
            .find(|known| (&known.kind, &known.id) == (&one.kind, &one.id))
        {
            Some(known) => known.is_live |= one.is_live,
            None => known.push(one.clone()),
        }
    }
}

pub(super) async fn is_used(
    transaction: &mut Transaction<'_>,
    hash: &str,
) -> Result<bool, StoreError> {
    let pattern = format!("%/media/{hash}%");
    let (is_used,): (bool,) = transaction.fetch_one(IS_USED, values![pattern]).await?;
    Ok(is_used)
}
