//! A service as a process: configuration, commands, start, readiness and shutdown. Shared by all services; a service
//! supplies only what differs ([`Service`]).

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

/// How often a ready service checks its database, and the timeout of a check.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);
/// How often a service that is not ready checks.
const RETRY_INTERVAL: Duration = Duration::from_millis(250);

/// Start failure, worded for an operator.
pub type StartError = Box<dyn std::error::Error + Send + Sync>;

/// Definition of one service.
#[async_trait]
pub trait Service: Send {
    /// The service's own flags and environment variables.
    type Arguments: clap::Args + Clone + fmt::Debug + Send + Sync;

    /// Name, version and defaults of the flags that every service has.
    const DEFAULTS: Defaults;

    /// Expected database schema.
    const SCHEMA: Schema;

    /// Builds the service. Invalid arguments must be rejected here, before a port is bound. The database may be
    /// unavailable.
    async fn start(arguments: &Self::Arguments, context: &Context) -> Result<Served, StartError>;

    /// Deletes expired rows, or only counts them (`dry_run`): the command `retain`. Returns a line per kind of row. A
    /// service that keeps everything returns no lines.
    async fn retain(
        _arguments: &Self::Arguments,
        _context: &Context,
        _dry_run: bool,
    ) -> Result<Vec<String>, StartError> {
        Ok(Vec::new())
    }
}

/// Parts of a service other than its own configuration.
#[derive(Clone, Debug)]
pub struct Context {
    /// The service's database.
    pub database: Database,
    /// Keys of the database.
    pub keys: Keys,
    /// Source of the current time.
    pub clock: Arc<dyn Clock>,
    /// Source of new identifiers.
    pub ids: Arc<dyn Ids>,
    /// True once the process is shutting down.
    pub stopping: watch::Receiver<bool>,
    /// Run on one machine; settings that production requires may be missing (`--development`).
    pub is_development: bool,
}

/// What a service serves, and its background work.
pub struct Served {
    /// gRPC services.
    pub routes: tonic::service::Routes,
    /// Full names of the gRPC services, for `grpc.health.v1`.
    pub names: Vec<&'static str>,
    /// Encoded `FileDescriptorSet`, for reflection.
    pub descriptor_set: &'static [u8],
    /// Task that runs beside the server and must not end before it. It receives a sender to set to true once the
    /// service may become ready. The database must be ready too.
    pub background: Option<Background>,
    /// Whether the service can serve from memory without its database. If so, it stays ready once it was.
    pub outlives_database: bool,
    /// Receiver of the outbox's messages. `None`: messages wait indefinitely, visible in the metrics.
    pub receiver: Option<Arc<dyn outbox::Deliver>>,
}

/// Task of [`Served::background`].
pub type Background = Box<dyn FnOnce(watch::Sender<bool>) -> BoxFuture<'static, ()> + Send>;

impl fmt::Debug for Served {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Served")
            .field("names", &self.names)
            .finish_non_exhaustive()
    }
}

/// Runs a service; the whole of its `main`.
pub async fn main<S: Service>() -> ExitCode {
    let matches = S::DEFAULTS
        .on(Config::<S::Arguments>::command())
        .get_matches();
    let config = match Config::<S::Arguments>::from_arg_matches(&matches) {
        Ok(config) => config,
        Err(error) => error.exit(),
    };
    let outcome = match config.command {
        // Handled first: the probe runs every few seconds beside the serving process and must not open its files.
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
        is_development: config.development,
    };
    let served = S::start(&config.own, &context).await?;
    let listener = TcpListener::bind(config.listen)
        .await
        .map_err(|error| format!("cannot listen on {}: {error}", config.listen))?;
    serve(served, &context, stopper, &config.server, listener, stop).await?;
    Ok(())
}

/// Serves until `shutdown` completes, then finishes accepted work and closes the database. `stopper` is the sender of
/// the context's `stopping`.
///
/// # Errors
/// When the server cannot start, or requests were still running after the drain limit.
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
    // Checked once before the port is announced, so a service whose database is available is ready at once.
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
            // The watcher ends first: it must not mark a stopping process ready again.
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

/// Starts a worker for each lane of the receiver, and the task that updates the metrics.
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
            // Awaited before the database is closed, so that deliveries in progress are recorded.
            let delivering = worker.start(context.stopping.clone());
            tasks.spawn(async move {
                if let Err(error) = delivering.await {
                    tracing::error!(%error, "an outbox worker failed");
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

/// Updates readiness from database checks and the service's own flag, and from nothing else.
async fn keep_ready(
    database: Database,
    readiness: Readiness,
    mut allowed: watch::Receiver<bool>,
    mut stopping: watch::Receiver<bool>,
    outlives_database: bool,
) {
    // Last logged state; each state is logged once, not four times a second.
    let mut said = None;
    loop {
        let check = async {
            if !*allowed.borrow() {
                return Err("the service is still starting".to_owned());
            }
            match tokio::time::timeout(CHECK_TIMEOUT, database.ready()).await {
                Ok(Ok(())) => Ok(()),
                Ok(Err(error)) => Err(chain(&error)),
                Err(_) => Err("the database check timed out".to_owned()),
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
            // The last value remains valid after the sender is dropped.
            Ok(()) = allowed.changed() => {}
        }
    }
}
