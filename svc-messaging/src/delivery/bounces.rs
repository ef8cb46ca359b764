//! Reads bounced mails from the Maildir into which the mail server delivers BOUNCE_ADDRESS.
//!
//! A recognised report is deleted, because it quotes the mail. Any other mail is moved to `cur` for manual review and
//! deleted after 30 days.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock},
    time::Duration,
};

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
};
use service_kit::source::{Clock, Ids};
use store_kit::{database::Database, error::StoreError, keys::Keys};

use super::{maildir::Maildir, reply::Enhanced};
use crate::mail::{
    bounce::{self, Report, ReturnPath},
    store::Bounced,
};

/// Poll interval of the folder.
const INTERVAL: Duration = Duration::from_mins(1);
/// Maximum reports read per round.
const FILES_MAX: usize = 500;

/// Values of the metric's `outcome` label.
const FINAL: &str = "final";
const FAILED: &str = "failed";
const OTHER: &str = "other";
const UNKNOWN: &str = "unknown";

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Labels {
    outcome: &'static str,
}

static BOUNCES: LazyLock<Family<Labels, Counter>> = LazyLock::new(|| {
    let bounces = Family::<Labels, Counter>::default();
    for outcome in [FINAL, FAILED, OTHER, UNKNOWN] {
        drop(bounces.get_or_create(&Labels { outcome }));
    }
    service_kit::metrics::with_registry(|registry| {
        registry.register(
            "mail_bounces",
            "Reports on mails that a server had taken: the address does not exist (final), failed otherwise, no failure (other), not \
             understood (unknown)",
            bounces.clone(),
        );
    });
    bounces
});

/// Processes bounce reports.
#[derive(Debug)]
pub struct Bounces {
    pub database: Database,
    pub keys: Keys,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
    pub return_path: ReturnPath,
    pub folder: PathBuf,
}

impl Bounces {
    /// Processes reports in an endless loop. `changed` is called after each round that may have processed some.
    pub async fn watch(self, changed: impl Fn()) {
        LazyLock::force(&BOUNCES);
        loop {
            let round = self.round().await;
            if !matches!(round, Ok(0)) {
                changed();
            }
            match round {
                Ok(count) if count == FILES_MAX => continue,
                Ok(_) => {}
                Err(error) => tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    path = %self.folder.display(),
                    "cannot read the bounce folder"
                ),
            }
            tokio::time::sleep(INTERVAL).await;
        }
    }

    /// Processes at most 500 reports in `new` and returns their number.
    ///
    /// # Errors
    /// When the folder cannot be read or changed. A report that the database did not accept stays for the next round.
    pub async fn round(&self) -> io::Result<usize> {
        let names = files(&self.folder.join("new"))?;
        for name in &names {
            let path = self.folder.join("new").join(name);
            let report = read(&path)?;
            let outcome = match self.take(&report).await {
                Ok(outcome) => outcome,
                Err(error) => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "a bounce could not be recorded; retrying"
                    );
                    continue;
                }
            };
            BOUNCES.get_or_create(&Labels { outcome }).inc();
            if outcome == UNKNOWN {
                Maildir::new(&self.folder).set_aside(name)?;
            } else {
                std::fs::remove_file(&path)?;
            }
        }
        Ok(names.len())
    }

    async fn take(&self, report: &[u8]) -> Result<&'static str, StoreError> {
        let Some((mail, report)) = bounce::read(&self.return_path, report) else {
            return Ok(UNKNOWN);
        };
        let Report::Failed(status) = report else {
            return Ok(OTHER);
        };
        let is_final = status.is_of_recipient();
        let bounced = Bounced {
            keys: self.keys.clone(),
            suppression: self.ids.uuid(),
            id: mail,
            status: status.to_string(),
            is_final,
            now: self.clock.now(),
        };
        let is_known = self.database.write("UPDATE mails", bounced).await?;
        tracing::warn!(mail.id = %mail, mail.status = %status, is_known, "a mail bounced");
        Ok(if is_final { FINAL } else { FAILED })
    }
}

/// Returns the names of the folder's oldest files, at most [`FILES_MAX`]; Maildir names sort by time. Returns none if
/// the folder does not exist yet.
fn files(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut names = Vec::new();
    for entry in entries {
        if let Ok(name) = entry?.file_name().into_string() {
            names.push(name);
        }
    }
    names.sort_unstable();
    names.truncate(FILES_MAX);
    Ok(names)
}

/// Reads the beginning of a file. A report's fields come before the mail that it quotes.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    use std::io::Read as _;
    let mut report = Vec::new();
    let limit = bounce::REPORT_BYTES_MAX as u64;
    std::fs::File::open(path)?
        .take(limit)
        .read_to_end(&mut report)?;
    Ok(report)
}

impl std::fmt::Display for Enhanced {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}.{}.{}", self.class, self.subject, self.detail)
    }
}
