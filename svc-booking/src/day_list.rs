//! The day list: one self-contained HTML file for each of today and tomorrow, for printing. It is right when everything
//! else is down.
//!
//! The head of each file names the state of the database that it was made from. So a check needs no memory: processes
//! that share a folder skip each other's work, and correct a file that a slower one has overwritten.

mod folder;
mod page;

use std::{path::PathBuf, sync::Arc, time::Duration};

use chrono::{DateTime, NaiveDate, Utc};
use service_kit::source::Ids;
use store_kit::error::StoreError;

use crate::{
    Parts,
    domain::{calendar::today, roster::Roster},
    metrics::{DayListOutcome, count_day_list},
    store::{
        Store,
        day::{DayState, listed_with},
    },
};
use folder::Folder;
use page::{Grouped, Head};

/// Maximum time between a change and its list.
const CHECK_INTERVAL: Duration = Duration::from_mins(2);
/// Age at which a list without a change is made again.
const AGE_SECONDS_MAX: i64 = 3600;
/// Maximum appointments in memory.
const PAGE_ROWS: u32 = 100;
/// Maximum appointments of a list.
const ROWS_MAX: usize = 20_000;

/// A list could not be written. No message holds personal data.
#[derive(Debug, thiserror::Error)]
pub enum DayListError {
    #[error("the folder cannot be read or made")]
    Folder(#[source] std::io::Error),
    #[error("other users can read the folder, and its mode cannot be changed to 0700")]
    NotPrivate(#[source] std::io::Error),
    #[error("the file cannot be written")]
    Write(#[source] std::io::Error),
    #[error("the appointments cannot be read")]
    Store(#[from] StoreError),
    #[error("the list cannot be made")]
    Render(#[from] askama::Error),
    #[error("the day has more than {ROWS_MAX} appointments")]
    TooLong,
}

/// The lists of a folder.
#[derive(Debug)]
pub struct DayLists {
    folder: Folder,
    /// Name of the hospital.
    site_name: String,
    ids: Arc<dyn Ids>,
}

impl DayLists {
    pub fn new(folder: PathBuf, site_name: &str, ids: Arc<dyn Ids>) -> Self {
        Self {
            folder: Folder(folder),
            site_name: site_name.to_owned(),
            ids,
        }
    }

    /// Deletes the lists of past days, and writes those of today and tomorrow unless they are right. Returns the number
    /// of written lists. A failure of one list does not prevent the other.
    ///
    /// # Errors
    /// Returns the first failure. A list that cannot be replaced stays as it is.
    pub async fn update(&self, store: &Store, now: DateTime<Utc>) -> Result<u32, DayListError> {
        let first = today(now);
        self.folder.prepare().await?;
        // Runs first, because it may free a full disk.
        let mut failure = self.folder.remove_before(first, now).await.err();
        let roster = store.rosters.read(now).await?;
        let mut written = 0;
        for date in first.iter_days().take(2) {
            match self.list(store, &roster, date, now).await {
                Ok(is_written) => written += u32::from(is_written),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        failure.map_or(Ok(written), Err)
    }

    /// Writes the list of a day unless it is right.
    async fn list(
        &self,
        store: &Store,
        roster: &Roster,
        date: NaiveDate,
        now: DateTime<Utc>,
    ) -> Result<bool, DayListError> {
        let state = mark(store.day_state(date).await?, roster);
        if let Some(made_seconds) = self.folder.made_seconds(date, &state).await
            && (0..AGE_SECONDS_MAX).contains(&(now.timestamp() - made_seconds))
        {
            return Ok(false);
        }
        let mut file = self.folder.create(date, self.ids.uuid()).await?;
        let head = Head::new(&self.site_name, date, &state, now);
        file.write(&head.text()?).await?;
        let mut grouped = Grouped::default();
        let mut last = None;
        loop {
            let page = store.day_page(date, last.as_ref(), PAGE_ROWS).await?;
            let Some(end) = page.last().cloned() else {
                break;
            };
            if grouped.rows + page.len() > ROWS_MAX {
                return Err(DayListError::TooLong);
            }
            file.write(&grouped.text(page, roster)?).await?;
            last = Some(end);
        }
        file.write(&grouped.end()?).await?;
        file.publish().await?;
        Ok(true)
    }
}

/// Identifies what a list was made from. A new build makes the lists again.
fn mark(state: DayState, roster: &Roster) -> String {
    let DayState {
        appointments,
        versions,
        contacts,
    } = state;
    let (version, revision) = (service_kit::version!(), roster.revision);
    format!("{version} {revision} {appointments} {versions} {contacts}")
}

/// Keeps the lists of a folder right, until dropped.
pub async fn keep_day_lists(parts: Arc<Parts>, folder: Option<PathBuf>) {
    let Some(folder) = folder else {
        tracing::info!("DAY_LIST_DIR is not set: no day lists are written");
        return;
    };
    let lists = DayLists::new(folder, &parts.site.name, Arc::clone(&parts.ids));
    loop {
        match lists.update(&parts.store, parts.clock.now()).await {
            Ok(written) => count_day_list(DayListOutcome::Written, written),
            Err(error) => {
                count_day_list(DayListOutcome::Failed, 1);
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "the day lists were not written"
                );
            }
        }
        tokio::time::sleep(CHECK_INTERVAL).await;
    }
}
