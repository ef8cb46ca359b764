//! svc-content: what visitors read. The content of record is files; blog posts are in the database, which the files seed once.

mod blocking;
pub mod config;
pub mod domain;
pub mod error;
pub mod files;
mod html;
mod paging;
mod posts;
mod search;
mod service;
pub mod slug;
pub mod store;
pub mod values;
mod wire;

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use hospital_proto::{
    content::v1::content_service_server::{ContentServiceServer, SERVICE_NAME},
    hospital::api::v1::change_service_server::{self, ChangeServiceServer},
};
use service_kit::{
    auth::Verifier,
    health::Readiness,
    server::{self, ServeError},
    source::{Clock, Ids},
};
use tokio::{
    net::TcpListener,
    sync::{Semaphore, watch},
};
use tonic::service::Routes;

use crate::{
    config::Config,
    domain::{
        Content,
        blog::{Draft, NewBlog},
    },
    posts::Posts,
    service::{Rpcs, changes::Changes},
    store::{Revision, Store, StoreError},
};

const RETRY_FIRST: Duration = Duration::from_millis(250);
const RETRY_MAX: Duration = Duration::from_secs(5);
/// Largest request that is read, in bytes: the longest valid post in four-byte characters, and some air. (The gateway takes
/// far smaller ones.)
const REQUEST_BYTES_MAX: usize = 2 * 1024 * 1024;

/// Posts whose HTML is parsed at once, each on a thread of its own.
const PARSERS_MAX: usize = 2;

/// What the service is made of.
#[derive(Debug)]
pub struct Parts {
    /// Shared from the start: by value it would lie in every future on the way.
    pub content: Arc<Content>,
    pub verifier: Verifier,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
}

/// Serves until `shutdown` ends.
///
/// The content of the files is in memory, so it is answered from the start; but the process is not ready before the database
/// has been reached and its posts are known.
pub async fn serve(
    config: &Config,
    parts: Parts,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let readiness = Readiness::new();
    let content = parts.content;
    let rpcs = Rpcs {
        posts: Arc::new(Posts::new(Arc::clone(&content))),
        content,
        store: Arc::new(OnceLock::new()),
        verifier: parts.verifier,
        clock: parts.clock,
        ids: parts.ids,
        parsers: Arc::new(Semaphore::new(PARSERS_MAX)),
    };
    let (stop, stopping) = watch::channel(false);
    let changes = Changes::new(Arc::clone(&rpcs.posts), stopping.clone());
    let content_service =
        ContentServiceServer::new(rpcs.clone()).max_decoding_message_size(REQUEST_BYTES_MAX);
    let service = server::Service {
        listener,
        routes: Routes::new(content_service).add_service(ChangeServiceServer::new(changes)),
        readiness: readiness.clone(),
        descriptor_set: hospital_proto::FILE_DESCRIPTOR_SET,
        names: &[SERVICE_NAME, change_service_server::SERVICE_NAME],
    };
    let shutdown = async move {
        shutdown.await;
        stop.send_replace(true);
    };
    let serving = server::serve(service, &config.server, shutdown);
    let becoming_ready = async {
        let store = open_until_done(config, &rpcs).await;
        // A database that comes back during the drain must not call new traffic in.
        readiness.set_ready(!*stopping.borrow());
        rpcs.posts.follow(store.as_ref()).await;
    };
    tokio::select! {
        outcome = serving => outcome,
        () = becoming_ready => Ok(()),
    }
}

/// Tries until the database can be used, with growing pauses.
async fn open_until_done(config: &Config, rpcs: &Rpcs) -> Arc<dyn Store> {
    let mut pause = RETRY_FIRST;
    loop {
        match open(config, rpcs).await {
            Ok(store) => return store,
            Err(error) => {
                tracing::error!(
                    error = &error as &(dyn std::error::Error + 'static),
                    retry_in_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
                    "not ready: the database cannot be used"
                );
            }
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(RETRY_MAX);
    }
}

/// Opens the database, sows the seed if it never had one, and reads the posts.
async fn open(config: &Config, rpcs: &Rpcs) -> Result<Arc<dyn Store>, StoreError> {
    let store = store::open(&config.database_url, config.database_connections_max).await?;
    let revision = &rpcs.content.revision;
    let earlier = store.latest().await?;
    let now = rpcs.clock.now();
    store.record(&Revision::new(revision, now)).await?;
    let is_new = earlier.is_none_or(|earlier| earlier.revision != *revision);
    let is_seeded = store.seed_blogs(&seeds(rpcs)).await?;
    rpcs.posts.catch_up(store.as_ref()).await?;
    let store = rpcs.store.get_or_init(|| store);
    tracing::info!(
        content.revision = revision,
        content.is_new = is_new,
        blogs.seeded = is_seeded,
        "ready"
    );
    Ok(Arc::clone(store))
}

fn seeds(rpcs: &Rpcs) -> Vec<NewBlog> {
    let seed = |seed: &files::posts::SeedBlog| {
        let draft = Draft::of_seed(seed);
        let id = seed.id.clone();
        // Sown today, written on the day that the file says: feeds and the site map tell the truth.
        let written = draft.published_at().unwrap_or_else(|| rpcs.clock.now());
        NewBlog::new(id, draft, written, rpcs.ids.uuid())
    };
    rpcs.content.seed.iter().map(seed).collect()
}
