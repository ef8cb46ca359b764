//! What a service's program can do beside serving.

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

/// Dead messages that are listed at most.
const DEAD_LISTED_MAX: u32 = 1000;

/// What to do instead of serving.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Bring the database's schema up to date and exit. SQLite does this at start by itself.
    Migrate,
    /// Seal everything with the active key and hash what people are found by with `index_key`. May be stopped and run again; serving
    /// goes on meanwhile. Rows that do not open are left, counted and named; then the command fails in the end.
    RotateKeys,
    /// Check the chain of the audit log and print its head.
    VerifyAudit {
        /// The head that an earlier check printed. The log must still hold it as its last entry.
        #[arg(long, value_name = "NUMBER:HASH")]
        expect: Option<String>,
    },
    /// Remove what is kept beyond its time, as serving does every day, and print how many rows of each kind that were.
    Retain {
        /// Remove nothing, and print what would be removed.
        #[arg(long)]
        dry_run: bool,
    },
    /// Ask the process that serves with the same OPERATORS_LISTEN whether it is ready, for at most 2 s: the health check of an image.
    Health,
    /// Messages that could not be delivered.
    Outbox {
        /// What to do with them.
        #[command(subcommand)]
        action: OutboxAction,
    },
}

/// What to do with dead messages.
#[derive(Clone, Debug, Subcommand)]
pub enum OutboxAction {
    /// List the dead ones, the oldest first, at most 1000.
    Dead,
    /// Send dead ones again.
    Resend {
        /// The message. Without it, all.
        id: Option<Uuid>,
    },
}

impl Command {
    /// Does it.
    ///
    /// # Errors
    /// When the database fails, or the audit log is not what it should be.
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
        println!("{}: {} rows written again", table.table, rotated.rows);
        broken += rotated.broken;
        for id in &rotated.broken_ids {
            println!("{}: row {id} does not open", table.table);
        }
        let unnamed = rotated.broken - rotated.broken_ids.len() as u64;
        if unnamed > 0 {
            println!("{}: {unnamed} more rows do not open", table.table);
        }
    }
    if broken == 0 {
        return Ok(());
    }
    Err(format!("{broken} rows do not open: they and the keys that they name stay").into())
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
                        "{} {} {} after {} tries: {}",
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
