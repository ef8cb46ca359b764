//! svc-content: the content that visitors read. It is in the database, which the content files seed once.
//!
//! `files` parses the content, `domain` models it, `records` assembles it from what staff change, and `store` persists
//! records and posts in SQL. `posts` holds the content, and the in-memory data for search and related posts. `service` implements the gRPC services, and `wire` converts between the contract and
//! the domain.

mod arguments;
mod blocking;
mod calendar_file;
pub mod domain;
pub mod error;
pub mod files;
mod html;
pub mod language;
pub mod media;
mod paging;
mod posts;
pub mod records;
mod search;
mod service;
pub mod slug;
pub mod store;
pub mod values;
pub mod wire;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use hospital_proto::content::v1::{
    content_service_server::{ContentServiceServer, SERVICE_NAME},
    media_service_server::{self, MediaServiceServer},
    preview_service_server::{self, PreviewServiceServer},
    record_service_server::{self, RecordServiceServer},
};
use service_kit::auth::Verifier;
use store_kit::{
    error::StoreError,
    migrate::Schema,
    process::{Context, Defaults, Served, Service, StartError},
};
use tokio::sync::{Semaphore, watch};
use tonic::service::Routes;

pub use arguments::Arguments;

use crate::{
    domain::{
        Content,
        blog::{Draft, NewBlog},
    },
    files::Sources,
    media::{Library, files::Files},
    posts::Posts,
    service::{Rpcs, language::Localized, media::MediaRpcs, preview::Previewed},
    store::{Revision, Store, records::FilesOutcome},
};

const RETRY_FIRST: Duration = Duration::from_millis(250);
const RETRY_MAX: Duration = Duration::from_secs(5);
/// Maximum size of a request, in bytes: the longest valid post in four-byte characters, plus headroom. (The gateway's
/// limit is far lower.)
const REQUEST_BYTES_MAX: usize = 2 * 1024 * 1024;

/// Maximum size of an upload in its message.
const UPLOAD_BYTES_MAX: usize = media::picture::BYTES_MAX + 64 * 1024;

/// Maximum posts parsed concurrently, each on its own thread.
const PARSERS_MAX: usize = 2;

/// Service-specific state.
#[derive(Debug)]
pub struct Parts {
    /// In an `Arc` from the start, because by value it would enlarge every future that holds it.
    pub content: Arc<Content>,
    /// Authenticates writers of posts.
    pub verifier: Verifier,
    /// Files of pictures.
    pub files: Files,
}

/// The service's process definition.
#[derive(Clone, Copy, Debug)]
pub struct SvcContent;

#[async_trait]
impl Service for SvcContent {
    type Arguments = Arguments;

    const DEFAULTS: Defaults = Defaults {
        name: "svc-content",
        version: service_kit::version!(),
        team: "content",
        about: "Public content: the hospital, its doctors and departments, services, surgeries, events, news and posts, \
                over gRPC. Without a command it serves.",
        listen: env!("SERVICE_LISTEN"),
        operators_listen: env!("SERVICE_OPERATORS_LISTEN"),
        database_url: env!("SERVICE_DATABASE_URL"),
    };

    const SCHEMA: Schema = store::SCHEMA;

    async fn start(arguments: &Arguments, context: &Context) -> Result<Served, StartError> {
        let sources = match &arguments.content_dir {
            Some(folder) => Sources::read(folder)?,
            None => Sources::embedded(),
        };
        let parts = Parts {
            content: Arc::new(Content::load(&sources, arguments.site_origin.as_ref())?),
            verifier: Verifier::from_config(&arguments.auth)?,
            files: Files::open(&arguments.media_url)?,
        };
        Ok(served(parts, context))
    }
}

/// Builds the RPCs on a database. Content from files is served from the start. The process becomes ready only after the
/// database was reached and its posts were loaded.
pub fn served(parts: Parts, context: &Context) -> Served {
    let audit = audit_rpc::server(context, parts.verifier.clone());
    let store = Store::new(context.database.clone(), context.keys.clone());
    let library = Library::new(
        store.clone(),
        parts.files,
        Arc::clone(&context.clock),
        Arc::clone(&context.ids),
    );
    let media = MediaRpcs {
        library: library.clone(),
        verifier: parts.verifier.clone(),
        clock: Arc::clone(&context.clock),
        ids: Arc::clone(&context.ids),
    };
    let media_service = MediaServiceServer::new(media).max_decoding_message_size(UPLOAD_BYTES_MAX);
    let rpcs = Rpcs {
        posts: Arc::new(Posts::new(parts.content)),
        store,
        keys: context.keys.clone(),
        verifier: parts.verifier,
        clock: Arc::clone(&context.clock),
        ids: Arc::clone(&context.ids),
        parsers: Arc::new(Semaphore::new(PARSERS_MAX)),
        previews: Arc::default(),
        gaps: Arc::default(),
        is_development: context.is_development,
    };
    let changes = change_rpc::server(Arc::clone(&rpcs.posts), context.stopping.clone());
    let content_service =
        ContentServiceServer::new(rpcs.clone()).max_decoding_message_size(REQUEST_BYTES_MAX);
    // Inside of previews: a draft is translated as what is live is.
    let content_service = Localized::new(content_service, rpcs.clone());
    let content_service = Previewed::new(content_service, rpcs.clone());
    let record_service = RecordServiceServer::new(rpcs.clone());
    let preview_service = PreviewServiceServer::new(rpcs.clone());
    Served {
        routes: Routes::new(content_service)
            .add_service(record_service)
            .add_service(preview_service)
            .add_service(media_service)
            .add_service(changes)
            .add_service(audit),
        names: vec![
            SERVICE_NAME,
            record_service_server::SERVICE_NAME,
            preview_service_server::SERVICE_NAME,
            media_service_server::SERVICE_NAME,
            change_rpc::SERVICE_NAME,
            audit_rpc::SERVICE_NAME,
        ],
        descriptor_set: hospital_proto::FILE_DESCRIPTOR_SET,
        outlives_database: true,
        receiver: None,
        background: Some(Box::new(|may_be_ready| {
            Box::pin(async move {
                let posts = follow_posts(rpcs, may_be_ready);
                tokio::join!(posts, library.make_forms(), library.sweep());
            })
        })),
    }
}

/// Loads the posts once the database is available, then follows their changes in an endless loop.
async fn follow_posts(rpcs: Rpcs, may_be_ready: watch::Sender<bool>) {
    load_with_retries(&rpcs).await;
    may_be_ready.send_replace(true);
    tokio::join!(
        rpcs.posts.follow(&rpcs.store),
        service::records::follow_times(&rpcs)
    );
}

/// Loads the posts, retrying with exponential backoff.
async fn load_with_retries(rpcs: &Rpcs) {
    let mut pause = RETRY_FIRST;
    while let Err(error) = read(rpcs).await {
        tracing::error!(
            error = &error as &(dyn std::error::Error + 'static),
            retry_in_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
            "not ready: the database is unavailable"
        );
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(RETRY_MAX);
    }
}

/// Takes what is new in the content files, and loads the content.
async fn read(rpcs: &Rpcs) -> Result<(), StoreError> {
    let store = &rpcs.store;
    store.database().ready().await?;
    let files = rpcs.posts.content();
    let revision = &files.revision;
    let earlier = store.latest().await?;
    let now = rpcs.clock.now();
    // An older process that restarts during an upgrade must not bring its texts back.
    let takes_files = rpcs.is_development || !store.knows(revision).await?;
    let is_new = earlier.is_none_or(|earlier| earlier.revision != *revision);
    let is_seeded = store.seed_blogs(seeds(rpcs, &files)).await?;
    let records = records::of_sources(&files.sources).map_err(|_| StoreError::Corrupt {
        column: "content files",
    })?;
    let etag = rpcs.ids.uuid().to_string();
    let taken = store
        .take_files(records, takes_files, rpcs.check().await?, (now, etag))
        .await?;
    let taken = match taken {
        FilesOutcome::Taken(count) => count,
        FilesOutcome::Broken(problem) => {
            tracing::warn!(
                problem.record = problem.name(),
                problem.field = problem.field,
                problem.message = problem.message,
                "the content files don't fit to what staff changed; the records stay as they are"
            );
            0
        }
    };
    let posts_taken = rpcs.take_posts(&mut 0).await?;
    store.record(Revision::new(revision, now)).await?;
    rpcs.posts.catch_up(store).await?;
    tracing::info!(
        content.revision = revision,
        content.is_new = is_new,
        blogs.seeded = is_seeded,
        records.taken = taken,
        posts.taken = posts_taken,
        "content loaded"
    );
    Ok(())
}

fn seeds(rpcs: &Rpcs, files: &Content) -> Vec<NewBlog> {
    let seed = |seed: &domain::blog::SeedBlog| {
        let draft = Draft::of_seed(seed);
        let id = seed.id.clone();
        // Dated as in the file, not now: feeds and the site map show that date.
        let written = draft.published_at().unwrap_or_else(|| rpcs.clock.now());
        NewBlog::new(id, draft, written, rpcs.ids.uuid())
    };
    files.seed.iter().map(seed).collect()
}
