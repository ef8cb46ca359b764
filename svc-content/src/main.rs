//! Decides from flags and environment; the library does the work.

use std::sync::Arc;

use anyhow::Context;
use clap::Parser;
use service_kit::{
    auth::Verifier,
    shutdown,
    source::{RandomIds, SystemClock},
    telemetry,
};
use svc_content::{
    Parts,
    config::{Command, Config},
    domain::Content,
    files::Sources,
    serve, store,
};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let config = Config::parse();
    let telemetry = telemetry::init("svc-content", service_kit::version!(), &config.telemetry)?;
    let outcome = run(&config).await;
    telemetry.shutdown().await;
    outcome
}

async fn run(config: &Config) -> anyhow::Result<()> {
    if let Some(Command::Migrate) = config.command {
        store::migrate(&config.database_url).await?;
        tracing::info!(database = %config.database_url, "schema is up to date");
        return Ok(());
    }
    let sources = match &config.content_dir {
        Some(folder) => Sources::read(folder)?,
        None => Sources::embedded(),
    };
    let parts = Parts {
        content: Arc::new(Content::load(&sources, config.site_origin.as_ref())?),
        verifier: Verifier::from_config(&config.auth)?,
        clock: Arc::new(SystemClock),
        ids: Arc::new(RandomIds),
    };
    let stop = shutdown::signal();
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("cannot listen on {}", config.listen))?;
    serve(config, parts, listener, stop).await?;
    Ok(())
}
