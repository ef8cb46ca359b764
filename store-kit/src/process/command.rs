//! Commands of a service's program besides serving.

use std::sync::Arc;

use clap::Subcommand;
use service_kit::source::{Clock as _, RandomIds, SystemClock};
use tokio::sync::watch;
use uuid::Uuid;

use super::{Config, Context, Service, StartError};
use crate::{
    audit::{self, Verdict},
    database::Database,
    keys::Keys,
    migrate::{self, Schema},
    outbox, sealed,
};

/// Maximum number of dead messages listed.
const DEAD_LISTED_MAX: u32 = 1000;

/// Command to run instead of serving.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Bring the database's schema up to date and exit. SQLite is migrated automatically at start.
    Migrate,
    /// Reseal all rows with the active key and recompute lookup hashes with `index_key`. Can be interrupted and rerun
    /// while the service is running. Rows that cannot be opened are skipped, counted and listed; the command then exits
    /// with an error.
    RotateKeys,
    /// Verify the hash chain of the audit log and print its head.
    VerifyAudit {
        /// Head printed by an earlier check; fails if the log's last entry is not this one.
        #[arg(long, value_name = "NUMBER:HASH")]
        expect: Option<String>,
    },
    /// Delete expired rows, as the running service does daily, and print the number of each kind.
    Retain {
        /// Delete nothing; print what would be deleted.
        #[arg(long)]
        dry_run: bool,
    },
    /// Check that the process serving on the same OPERATORS_LISTEN is ready, within 2 s; for an image's health check.
    Health,
    /// Inspect and resend messages that could not be delivered.
    Outbox {
        /// What to do with the dead messages.
        #[command(subcommand)]
        action: OutboxAction,
    },
}

/// Commands for dead messages.
#[derive(Clone, Debug, Subcommand)]
pub enum OutboxAction {
    /// List dead messages, the oldest first, at most 1000.
    Dead,
    /// Resend dead messages.
    Resend {
        /// Id of one message. Default: all.
        id: Option<Uuid>,
    },
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// When the database fails, or the audit log is broken or does not end with the expected head.
    pub async fn run<S: Service>(
        &self,
        config: &Config<S::Arguments>,
        keys: &Keys,
    ) -> Result<(), StartError> {
        let (store, schema) = (&config.store, S::SCHEMA);
        if matches!(self, Self::Migrate) {
            migrate::migrate(store.url(), &schema, keys).await?;
            tracing::info!(database = %store.url(), "schema is up to date");
            return Ok(());
        }
        let database = store.open(schema, keys).await?;
        let outcome = async {
            match self {
                Self::Migrate | Self::Health => Ok(()),
                Self::RotateKeys => rotate_keys(&database, keys, &schema).await,
                Self::Retain { dry_run } => {
                    let (_stopper, stopping) = watch::channel(false);
                    let context = Context {
                        database: database.clone(),
                        keys: keys.clone(),
                        clock: Arc::new(SystemClock),
                        ids: Arc::new(RandomIds),
                        stopping,
                        is_development: config.development,
                    };
                    for line in S::retain(&config.own, &context, *dry_run).await? {
                        println!("{line}");
                    }
                    Ok(())
                }
                Self::VerifyAudit { expect } => {
                    verdict(&audit::verify(&database, keys).await?, expect.as_deref())
                }
                Self::Outbox { action } => action.run(&database).await,
            }
        };
        let outcome = outcome.await;
        database.close().await;
        outcome
    }
}

async fn rotate_keys(database: &Database, keys: &Keys, schema: &Schema) -> Result<(), StartError> {
    let mut broken = 0;
    for table in schema.sealed {
        let rotated = sealed::rotate(database, keys, *table).await?;
        println!("{}: {} rows rewritten", table.table, rotated.rows);
        broken += rotated.broken;
        for id in &rotated.broken_ids {
            println!("{}: row {id} cannot be opened", table.table);
        }
        let unnamed = rotated.broken - rotated.broken_ids.len() as u64;
        if unnamed > 0 {
            println!("{}: {unnamed} more rows cannot be opened", table.table);
        }
    }
    if broken == 0 {
        return Ok(());
    }
    Err(format!("{broken} rows cannot be opened; keep them and their keys").into())
}

fn verdict(verdict: &Verdict, expect: Option<&str>) -> Result<(), StartError> {
    match verdict {
        Verdict::Broken { at } => Err(format!("the audit log is broken at entry {at}").into()),
        Verdict::Intact { head, .. } if expect.is_some_and(|expect| expect != head) => {
            Err(format!("the audit log ends with {head}").into())
        }
        Verdict::Intact { entries, head } => {
            println!("{entries} entries are as they were written\nhead {head}");
            Ok(())
        }
    }
}

impl OutboxAction {
    async fn run(&self, database: &Database) -> Result<(), StartError> {
        match self {
            Self::Dead => {
                for message in outbox::dead(database, DEAD_LISTED_MAX).await? {
                    println!(
                        "{} {} {} after {} attempts: {}",
                        message.id,
                        message.kind,
                        message.subject,
                        message.attempts,
                        message.last_error
                    );
                }
            }
            Self::Resend { id } => {
                let messages = outbox::resend(database, *id, SystemClock.now()).await?;
                println!("{messages} messages will be sent again");
            }
        }
        Ok(())
    }
}
