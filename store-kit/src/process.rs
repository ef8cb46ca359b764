//! A service as a process: its configuration, its commands, and how it starts, gets ready and stops. The same in every service,
//! which says only what is its own ([`Service`]).

mod command;
mod config;

use std::{fmt, process::ExitCode, sync::Arc, time::Duration};

use async_trait::async_trait;
use clap::{CommandFactory as _, FromArgMatches as _};
use futures::future::BoxFuture;
use service_kit::{
    health::Readiness,
    operators::probe,
    server::{self, ServeError, ServerConfig},
    source::{Clock, Ids, RandomIds, SystemClock},
    telemetry,
};
use tokio::{net::TcpListener, sync::watch, task::JoinSet};

use crate::{database::Database, keys::Keys, migrate::Schema, outbox};

pub use command::Command;
pub use config::{Config, Defaults, StoreConfig};

/// How often a ready service asks whether its database is there, and how long that may take.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);
/// How often one that is not ready asks.
const RETRY_INTERVAL: Duration = Duration::from_millis(250);

/// What went wrong at start, in words for an operator.
pub type StartError = Box<dyn std::error::Error + Send + Sync>;

/// What makes a process this service.
#[async_trait]
pub trait Service: Send {
    /// Flags and environment variables of its own.
    type Arguments: clap::Args + Clone + fmt::Debug + Send + Sync;

    /// Name, version and the defaults of the flags that every service has.
    const DEFAULTS: Defaults;

    /// What it expects of its database.
    const SCHEMA: Schema;

    /// Puts the service together. Invalid arguments must be refused here, before a port is bound. The database may be away.
    async fn start(arguments: &Self::Arguments, context: &Context) -> Result<Served, StartError>;

    /// Removes what this service has kept beyond its time, or only counts it (`dry_run`): the command `retain`. Gives a line for each
    /// kind of row. A service that keeps everything says nothing.
    async fn retain(
        _arguments: &Self::Arguments,
        _context: &Context,
        _dry_run: bool,
    ) -> Result<Vec<String>, StartError> {
        Ok(Vec::new())
    }
}

/// What a service is made of beside its own configuration.
#[derive(Clone, Debug)]
pub struct Context {
    /// Its database.
    pub database: Database,
    /// The keys of its database.
    pub keys: Keys,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// New identifiers.
    pub ids: Arc<dyn Ids>,
    /// True once the process is to stop.
    pub stopping: watch::Receiver<bool>,
}

/// What a service serves.
pub struct Served {
    /// Its gRPC services.
    pub routes: tonic::service::Routes,
    /// Their full names, for `grpc.health.v1`.
    pub names: Vec<&'static str>,
    /// Encoded `FileDescriptorSet`, for reflection.
    pub descriptor_set: &'static [u8],
    /// Runs beside the server and must not end before it. It is given what it may set once the service may be called ready; the
    /// database must be ready too.
    pub background: Option<Background>,
    /// Whether it serves on, from memory, while the database is away: then it stays ready once it was.
    pub outlives_database: bool,
    /// Who takes what is in the outbox. `None`: it waits without end, and the metrics show it.
    pub receiver: Option<Arc<dyn outbox::Deliver>>,
}

/// See [`Served::background`].
pub type Background = Box<dyn FnOnce(watch::Sender<bool>) -> BoxFuture<'static, ()> + Send>;

impl fmt::Debug for Served {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Served")
            .field("names", &self.names)
            .finish_non_exhaustive()
    }
}

/// The whole of a service's `main`.
pub async fn main<S: Service>() -> ExitCode {
    let matches = S::DEFAULTS
        .on(Config::<S::Arguments>::command())
        .get_matches();
    let config = match Config::<S::Arguments>::from_arg_matches(&matches) {
        Ok(config) => config,
        Err(error) => error.exit(),
    };
    let outcome = match config.command {
        // Before anything is read or opened: it runs beside the process that has them, every few seconds.
        Some(Command::Health) => {
            probe::ready(config.server.operators_listen).map_err(StartError::from)
        }
        _ => run::<S>(config).await,
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {}", S::DEFAULTS.name, chain(error.as_ref()));
            ExitCode::FAILURE
        }
    }
}

fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

async fn run<S: Service>(config: Config<S::Arguments>) -> Result<(), StartError> {
    let telemetry = telemetry::init(S::DEFAULTS.identity(), &config.telemetry)?;
    let outcome = run_with_telemetry::<S>(&config).await;
    telemetry.shutdown().await;
    outcome
}

async fn run_with_telemetry<S: Service>(config: &Config<S::Arguments>) -> Result<(), StartError> {
    let keys = config.store.keys()?;
    if let Some(command) = &config.command {
        return command.run::<S>(config, &keys).await;
    }
    let stop = service_kit::shutdown::signal();
    let database = config.store.open(S::SCHEMA, &keys).await?;
    let (stopper, stopping) = watch::channel(false);
    let context = Context {
        database,
        keys,
        clock: Arc::new(SystemClock),
        ids: Arc::new(RandomIds),
        stopping,
    };
    let served = S::start(&config.own, &context).await?;
    let listener = TcpListener::bind(config.listen)
        .await
        .map_err(|error| format!("cannot listen on {}: {error}", config.listen))?;
    serve(served, &context, stopper, &config.server, listener, stop).await?;
    Ok(())
}

/// Serves until `shutdown` ends, then finishes what was accepted and closes the database. `stopper` is the other end of the context's
/// `stopping`.
///
/// # Errors
/// When the server cannot start, or requests were still under way after the drain's limit.
pub async fn serve(
    served: Served,
    context: &Context,
    stopper: watch::Sender<bool>,
    config: &ServerConfig,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let readiness = Readiness::new();
    let (may_be_ready, allowed) = watch::channel(served.background.is_none());
    let mut tasks = JoinSet::new();
    start_outbox(served.receiver, context, &mut tasks);
    if let Some(background) = served.background {
        let work = background(may_be_ready);
        let mut stopping = context.stopping.clone();
        tasks.spawn(async move {
            tokio::select! {
                () = work => {}
                _ = stopping.wait_for(|stopping| *stopping) => {}
            }
        });
    }
    // Asked once before the port is announced: whoever starts a service whose database is there finds it ready.
    if *allowed.borrow() {
        readiness.set_ready(is_ready(&context.database).await);
    }
    let watch = keep_ready(
        context.database.clone(),
        readiness.clone(),
        allowed,
        context.stopping.clone(),
        served.outlives_database,
    );
    let watching = tokio::spawn(watch);
    let outcome = server::serve(
        server::Service {
            listener,
            routes: served.routes,
            readiness,
            descriptor_set: served.descriptor_set,
            names: &served.names,
        },
        config,
        async move {
            shutdown.await;
            stopper.send_replace(true);
            // First the watcher: it must not call a stopping process ready again.
            drop(watching.await);
        },
    )
    .await;
    while let Some(ended) = tasks.join_next().await {
        if let Err(error) = ended {
            tracing::error!(%error, "a background task failed");
        }
    }
    context.database.close().await;
    outcome
}

/// Starts a worker for each lane of the receiver, and the task that observes the lanes.
fn start_outbox(
    receiver: Option<Arc<dyn outbox::Deliver>>,
    context: &Context,
    tasks: &mut JoinSet<()>,
) {
    let mut lanes = Vec::new();
    if let Some(receiver) = receiver {
        for lane in receiver.lanes() {
            lanes.push(lane.name);
            let worker = outbox::Worker {
                database: context.database.clone(),
                receiver: Arc::clone(&receiver),
                lane,
                clock: Arc::clone(&context.clock),
                ids: Arc::clone(&context.ids),
            };
            // Awaited before the database is closed, so that a delivery under way is noted.
            let delivering = worker.start(context.stopping.clone());
            tasks.spawn(async move {
                if let Err(error) = delivering.await {
                    tracing::error!(%error, "a worker of the outbox failed");
                }
            });
        }
    } else {
        lanes.push(outbox::DEFAULT_LANE);
    }
    tasks.spawn(outbox::observe(
        context.database.clone(),
        lanes,
        Arc::clone(&context.clock),
        context.stopping.clone(),
    ));
}

async fn is_ready(database: &Database) -> bool {
    match tokio::time::timeout(CHECK_TIMEOUT, database.ready()).await {
        Ok(Ok(())) => true,
        Ok(Err(error)) => {
            tracing::debug!(
                error = &error as &dyn std::error::Error,
                "the database is not ready"
            );
            false
        }
        Err(_) => false,
    }
}

/// Keeps readiness true to the database and to the service's own word; it depends on nothing else.
async fn keep_ready(
    database: Database,
    readiness: Readiness,
    mut allowed: watch::Receiver<bool>,
    mut stopping: watch::Receiver<bool>,
    outlives_database: bool,
) {
    // The last state that was logged: each is logged once, not four times a second.
    let mut said = None;
    loop {
        let check = async {
            if !*allowed.borrow() {
                return Err("the service is still starting".to_owned());
            }
            match tokio::time::timeout(CHECK_TIMEOUT, database.ready()).await {
                Ok(Ok(())) => Ok(()),
                Ok(Err(error)) => Err(chain(&error)),
                Err(_) => Err("the database does not answer".to_owned()),
            }
        };
        let ready = tokio::select! {
            _ = stopping.wait_for(|stopping| *stopping) => return,
            ready = check => ready,
        };
        if said.as_ref() != Some(&ready) {
            match &ready {
                Ok(()) => tracing::info!("ready"),
                Err(reason) => tracing::warn!(reason, "not ready"),
            }
            readiness.set_ready(ready.is_ok());
            said = Some(ready.clone());
        }
        if ready.is_ok() && outlives_database {
            return;
        }
        let pause = if ready.is_ok() {
            CHECK_INTERVAL
        } else {
            RETRY_INTERVAL
        };
        tokio::select! {
            _ = stopping.wait_for(|stopping| *stopping) => return,
            () = tokio::time::sleep(pause) => {}
            // Once the sender is gone its last word stands.
            Ok(()) = allowed.changed() => {}
        }
    }
}
