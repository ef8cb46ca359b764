//! The folder of the day lists. Readable by the service's user only, because the files hold patients' names.

use std::{
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use tokio::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{AsyncReadExt as _, AsyncWriteExt as _},
};
use uuid::Uuid;

use super::DayListError;

const NAME: &str = "day-list-";
const EXTENSION: &str = ".html";
/// Extension of a file that is still being written.
const UNFINISHED: &str = ".tmp";
/// Age at which an unfinished file is one of a process that ended.
const UNFINISHED_AGE_MAX: TimeDelta = TimeDelta::hours(1);
/// Maximum files looked at in one round.
const ENTRIES_MAX: usize = 1_000;
/// Length of the head that names the state, in bytes.
const HEAD_BYTES_MAX: u64 = 300;

/// Path of the folder.
#[derive(Debug)]
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    fn path(&self, date: NaiveDate) -> PathBuf {
        self.0.join(format!("{NAME}{date}{EXTENSION}"))
    }

    /// Creates the folder if it is missing, and makes it private.
    pub(super) async fn prepare(&self) -> Result<(), DayListError> {
        let mut builder = DirBuilder::new();
        let made = builder.recursive(true).mode(0o700).create(&self.0).await;
        made.map_err(DayListError::Folder)?;
        let metadata = fs::metadata(&self.0).await.map_err(DayListError::Folder)?;
        let mut permissions = metadata.permissions();
        let of_others = permissions.mode() & 0o077;
        if of_others == 0 {
            return Ok(());
        }
        permissions.set_mode(0o700);
        let set = fs::set_permissions(&self.0, permissions).await;
        set.map_err(DayListError::NotPrivate)
    }

    /// Deletes the lists of days before `date`, and unfinished files of processes that ended.
    pub(super) async fn remove_before(
        &self,
        date: NaiveDate,
        now: DateTime<Utc>,
    ) -> Result<(), DayListError> {
        let mut entries = fs::read_dir(&self.0).await.map_err(DayListError::Folder)?;
        for _ in 0..ENTRIES_MAX {
            let entry = entries.next_entry().await.map_err(DayListError::Folder)?;
            let Some(entry) = entry else {
                break;
            };
            let name = entry.file_name();
            let is_over = match name.to_str().and_then(parsed) {
                Some((day, true)) => day < date,
                Some((_, false)) => is_abandoned(&entry.path(), now).await,
                // Not a file of this program.
                None => false,
            };
            if is_over {
                remove(&entry.path()).await.map_err(DayListError::Folder)?;
            }
        }
        Ok(())
    }

    /// Returns the time at which the present list of a day was made, in seconds since 1970, if it was made from this
    /// state.
    pub(super) async fn made_seconds(&self, date: NaiveDate, state: &str) -> Option<i64> {
        let file = File::open(self.path(date)).await.ok()?;
        let mut head = Vec::new();
        file.take(HEAD_BYTES_MAX)
            .read_to_end(&mut head)
            .await
            .ok()?;
        let head = String::from_utf8_lossy(&head);
        let (made, _) = head.strip_prefix(&mark_before(state))?.split_once(' ')?;
        made.parse().ok()
    }

    /// Begins a list. It replaces the present one when it is published. `id` is unique.
    pub(super) async fn create(
        &self,
        date: NaiveDate,
        id: Uuid,
    ) -> Result<Unfinished, DayListError> {
        let name = format!(".{NAME}{date}.{id}{UNFINISHED}");
        let path = self.0.join(name);
        let mut options = OpenOptions::new();
        let opened = options.write(true).create_new(true).mode(0o600).open(&path);
        let file = opened.await.map_err(DayListError::Write)?;
        Ok(Unfinished {
            file,
            path,
            target: self.path(date),
            folder: self.0.clone(),
            is_published: false,
        })
    }
}

/// Returns the first bytes of a list made from this state. The time in seconds and a space follow.
pub(super) fn mark_before(state: &str) -> String {
    format!("<!doctype html>\n<!-- {state} at ")
}

/// A list that is being written. Deleted unless it is published.
#[derive(Debug)]
pub(super) struct Unfinished {
    file: File,
    path: PathBuf,
    target: PathBuf,
    folder: PathBuf,
    is_published: bool,
}

impl Unfinished {
    pub(super) async fn write(&mut self, text: &str) -> Result<(), DayListError> {
        let written = self.file.write_all(text.as_bytes()).await;
        written.map_err(DayListError::Write)
    }

    /// Replaces the present list of the day. After a power failure the folder has either the old list or this one.
    pub(super) async fn publish(mut self) -> Result<(), DayListError> {
        let write = DayListError::Write;
        self.file.flush().await.map_err(write)?;
        self.file.sync_all().await.map_err(write)?;
        fs::rename(&self.path, &self.target).await.map_err(write)?;
        self.is_published = true;
        let folder = File::open(&self.folder).await.map_err(write)?;
        folder.sync_all().await.map_err(write)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_published {
            // A failure leaves a file that `remove_before` deletes.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Parses a file name of this program. Returns the day, and whether the file is finished.
fn parsed(name: &str) -> Option<(NaiveDate, bool)> {
    let hidden = name.strip_prefix('.');
    let rest = hidden.unwrap_or(name).strip_prefix(NAME)?;
    let (day, rest) = rest.split_at_checked("YYYY-MM-DD".len())?;
    let is_finished = hidden.is_none() && rest == EXTENSION;
    let is_unfinished = hidden.is_some() && rest.ends_with(UNFINISHED);
    let day = NaiveDate::parse_from_str(day, "%Y-%m-%d").ok()?;
    (is_finished || is_unfinished).then_some((day, is_finished))
}

async fn is_abandoned(path: &Path, now: DateTime<Utc>) -> bool {
    let Ok(metadata) = fs::metadata(path).await else {
        return false;
    };
    let modified = metadata.modified();
    modified.is_ok_and(|time| now - DateTime::<Utc>::from(time) > UNFINISHED_AGE_MAX)
}

/// Deletes a file that another process may have deleted.
async fn remove(path: &Path) -> std::io::Result<()> {
    match fs::remove_file(path).await {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
