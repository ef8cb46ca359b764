//! Decides from flags and environment; the library does the work.

use anyhow::Context;
use clap::Parser;
use service_kit::{shutdown, telemetry};
use svc_content::{
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
    let content = Content::load(&sources, config.site_origin.as_ref())?;
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("cannot listen on {}", config.listen))?;
    serve(config, content, listener, shutdown::signal()).await?;
    Ok(())
}
