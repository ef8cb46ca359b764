//! Decides from flags and environment; the library does the work.

use anyhow::Context;
use clap::Parser;
use service_kit::{shutdown, telemetry};
use svc_assessment::{
    config::{Command, Config},
    serve, store,
};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let config = Config::parse();
    let telemetry = telemetry::init("svc-assessment", service_kit::version!(), &config.telemetry)?;
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
    // Before the port: a process without its database must not look like one that works.
    let store = store::open(&config.database_url, config.database_connections_max).await?;
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("cannot listen on {}", config.listen))?;
    serve(&config.server, store, listener, shutdown::signal()).await?;
    Ok(())
}
