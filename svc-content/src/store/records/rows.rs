//! Rows of records, of their versions and of publications.

use chrono::{DateTime, Utc};
use store_kit::row;

row! {
    /// A record without its bodies.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RecordRow {
        pub kind: String,
        pub id: String,
        pub position: i64,
        pub state: String,
        pub version: i64,
        pub live_version: i64,
        pub title: String,
        pub path: String,
        pub publish_version: i64,
        pub publish_at: Option<DateTime<Utc>>,
        pub unpublish_at: Option<DateTime<Utc>>,
        pub schedule_problem: String,
        pub redirect: String,
        pub author_name: String,
        pub updated_at: DateTime<Utc>,
        pub editor: String,
        pub editor_name: String,
        pub edited_until: Option<DateTime<Utc>>,
        pub etag: String,
    }
}

row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct VersionRow {
        pub version: i64,
        /// JSON.
        pub body: String,
        pub author_name: String,
        pub created_at: DateTime<Utc>,
    }
}

row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PublicationRow {
        pub seq: i64,
        pub kind: String,
        pub id: String,
        /// Language of the changed translations; `en` if the record changed.
        pub lang: String,
        pub title: String,
        pub path: String,
        pub version_before: i64,
        pub version_after: i64,
        pub author_name: String,
        pub created_at: DateTime<Utc>,
    }
}
