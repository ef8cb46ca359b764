use std::io::Write as _;
use std::time::SystemTime;

use anyhow::Context as _;
use clap::Parser as _;
use ops_traces::Listeners;
use ops_traces::config::{Config, LogFormat};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let config = Config::parse();
    log_to_stderr(config.log_format)?;
    let mut terminate = signal(SignalKind::terminate()).context("cannot wait for SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot wait for SIGINT")?;
    let shutdown = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };

    let listeners = Listeners::bind(&config).await?;
    // The parent process waits for this line; connections are queued from here on.
    let mut stdout = std::io::stdout();
    writeln!(stdout, "listening on {}", listeners.addresses()?)
        .and_then(|()| stdout.flush())
        .context("stdout")?;

    #[expect(
        clippy::disallowed_methods,
        reason = "the one place where the real clock is chosen"
    )]
    let now = SystemTime::now;
    ops_traces::serve(&config, listeners, now, shutdown).await?;
    Ok(())
}

/// Logs to stderr, because stdout carries only the line with the addresses.
fn log_to_stderr(format: LogFormat) -> anyhow::Result<()> {
    let filter = match std::env::var("RUST_LOG") {
        Ok(directives) if !directives.is_empty() => {
            EnvFilter::try_new(&directives).context("RUST_LOG")?
        }
        Ok(_) | Err(_) => EnvFilter::new("info"),
    };
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    match format {
        LogFormat::Human => subscriber.init(),
        LogFormat::Json => subscriber.json().init(),
    }
    Ok(())
}
