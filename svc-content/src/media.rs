//! Pictures that staff upload. An upload is decoded and stored before it is answered; [`Library::make_forms`] makes its
//! AVIF and WebP afterwards. Only a picture in the state `ready` has forms.

pub mod files;
pub mod forms;
mod http;
pub mod picture;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use service_kit::source::{Clock, Ids};
use store_kit::error::StoreError;
use tokio::sync::{Notify, Semaphore, oneshot};
use uuid::Uuid;

use self::{
    files::{Files, FilesError},
    forms::{FormError, FormFormat, FormKey, widths},
    picture::{Picture, Refusal},
};
use crate::{
    domain::media::Description,
    store::{
        Store,
        media::{FAILED, MediaCreation, MediaRow, NewMedia, READY},
    },
};

/// Maximum pictures that are decoded at once. One takes up to 400 MiB: 16 bits with alpha, or a progressive JPEG.
const DECODED_MAX: usize = 1;
/// Maximum uploads that are decoded or wait for it.
const UPLOADS_MAX: usize = 6;
/// Name of the file that forms are made from.
const SOURCE: &str = "source.png";
/// Interval at which pictures are looked for that another process has left.
const POLL: Duration = Duration::from_secs(5);
/// Time that one form takes at most, after which another attempt may begin. Two attempts write the same files.
const LEASE: TimeDelta = TimeDelta::seconds(10);
const ATTEMPTS_MAX: i64 = 5;
/// Interval of the search for folders without a picture, and for pictures that nothing uses.
const SWEEP: Duration = Duration::from_hours(1);
/// Age of a folder without a picture at which it is deleted. Far above the time of an upload.
const ORPHAN_AGE: TimeDelta = TimeDelta::days(1);
/// Time after which a picture that no content uses is deleted.
pub const UNUSED_MAX: TimeDelta = TimeDelta::days(30);
/// Hashes read per query.
const HASHES: usize = 500;

/// Why an upload or a form failed.
#[derive(Debug, thiserror::Error)]
pub enum MediaError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Too many uploads are waiting.
    #[error("too many pictures are being uploaded")]
    Busy,
    /// There are [`PICTURES_MAX`](crate::store::media::PICTURES_MAX) pictures.
    #[error("too many pictures are stored")]
    Full,
    #[error("the picture cannot be stored as PNG")]
    Encoding(#[from] image::ImageError),
    #[error(transparent)]
    Form(#[from] FormError),
    #[error(transparent)]
    Files(#[from] FilesError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Pictures in the database and their files. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Library {
    pub store: Store,
    pub files: Files,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    uploads: Arc<Semaphore>,
    decoders: Arc<Semaphore>,
    /// Wakes [`Self::make_forms`].
    uploaded: Arc<Notify>,
}

impl Library {
    pub fn new(store: Store, files: Files, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Self {
        Self {
            store,
            files,
            clock,
            ids,
            uploads: Arc::new(Semaphore::new(UPLOADS_MAX)),
            decoders: Arc::new(Semaphore::new(DECODED_MAX)),
            uploaded: Arc::new(Notify::new()),
        }
    }

    /// Decodes an upload, and forgets it.
    pub async fn check(&self, bytes: Vec<u8>) -> Result<(), MediaError> {
        let _upload = self.uploads.try_acquire().map_err(|_| MediaError::Busy)?;
        self.decode(bytes).await.map(drop)
    }

    /// Stores an upload; returns the picture, and whether it is new. The same picture again changes nothing.
    pub async fn upload(
        &self,
        bytes: Vec<u8>,
        description: Description,
        author: &str,
    ) -> Result<(MediaRow, bool), MediaError> {
        let _upload = self.uploads.try_acquire().map_err(|_| MediaError::Busy)?;
        let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let decoded = self.decode(bytes).await?;
        let known = self.store.media(&decoded.hash).await?;
        if let Some(row) = known.filter(|row| row.state != FAILED) {
            return Ok((row, false));
        }
        let folder = self.ids.uuid();
        self.files.put(folder, SOURCE, decoded.png).await?;
        let new = NewMedia {
            hash: decoded.hash,
            folder,
            bytes: size,
            width: decoded.width,
            height: decoded.height,
            description,
            author: author.to_owned(),
            create_time: self.clock.now(),
            etag: self.ids.uuid().to_string(),
        };
        let created = self.store.insert_media(new).await?;
        if !matches!(created, MediaCreation::Done(_, true)) {
            self.delete_files(folder).await;
        }
        let MediaCreation::Done(row, is_new) = created else {
            return Err(MediaError::Full);
        };
        if is_new {
            tracing::info!(media.hash = row.hash, "a picture was uploaded");
            self.uploaded.notify_one();
        }
        Ok((*row, is_new))
    }

    /// Deletes the files of a picture that has no row (any more).
    pub async fn delete_files(&self, folder: Uuid) {
        if let Err(error) = self.files.delete(folder).await {
            // Found later as a folder without a picture.
            tracing::info!(%error, "the files of a picture remain for now");
        }
    }

    /// Decodes on a blocking thread, which keeps its permit if the caller is cancelled.
    async fn decode(&self, bytes: Vec<u8>) -> Result<Decoded, MediaError> {
        let permit = Arc::clone(&self.decoders).acquire_owned().await;
        let work = move || -> Result<Decoded, MediaError> {
            let _permit = permit;
            let picture = Picture::decode(&bytes)?;
            drop(bytes);
            Ok(Decoded {
                hash: picture.hash(),
                width: picture.width,
                height: picture.height,
                png: picture.to_png()?,
            })
        };
        let decoded = tokio::task::spawn_blocking(work).await;
        // A decoder panicked: the picture is at fault.
        decoded.unwrap_or_else(|error| {
            tracing::warn!(%error, "a decoder of pictures failed");
            Err(Refusal::broken().into())
        })
    }

    /// Returns the bytes of a form; `None` if the picture is absent or not ready, or has no such form.
    pub async fn form(&self, hash: &str, key: FormKey) -> Result<Option<Bytes>, MediaError> {
        let row = self.store.media(hash).await?;
        let Some(row) = row.filter(|row| row.state == READY) else {
            return Ok(None);
        };
        if !form_widths(&row).contains(&key.width) {
            return Ok(None);
        }
        Ok(self.files.get(row.folder, &key.name()).await?)
    }

    /// Makes the forms of uploaded pictures, one picture at a time, in an endless loop.
    pub async fn make_forms(&self) {
        loop {
            match self.make_forms_of_one().await {
                Ok(true) => {}
                Ok(false) => {
                    tokio::time::timeout(POLL, self.uploaded.notified())
                        .await
                        .ok();
                }
                Err(error) => {
                    tracing::warn!(
                        error = &error as &(dyn std::error::Error + 'static),
                        "the forms of a picture could not be made; another attempt follows"
                    );
                    tokio::time::sleep(POLL).await;
                }
            }
        }
    }

    /// Returns whether there was a picture without forms.
    async fn make_forms_of_one(&self) -> Result<bool, MediaError> {
        let now = self.clock.now();
        let Some(row) = self.store.take_media(now, now + LEASE).await? else {
            return Ok(false);
        };
        let (hash, folder) = (&row.hash, row.folder);
        match self.make_forms_of(&row).await {
            Ok(()) => {
                self.store.end_media(hash, folder, READY).await?;
                tracing::info!(media.hash = hash, "the forms of a picture are ready");
                Ok(true)
            }
            Err(error) if row.attempts >= ATTEMPTS_MAX => {
                tracing::error!(
                    error = &error as &(dyn std::error::Error + 'static),
                    media.hash = hash,
                    "the forms of a picture cannot be made"
                );
                self.store.end_media(hash, folder, FAILED).await?;
                Ok(true)
            }
            Err(error) => Err(error),
        }
    }

    async fn make_forms_of(&self, row: &MediaRow) -> Result<(), MediaError> {
        let source = self.files.get(row.folder, SOURCE).await?;
        let source = source.ok_or(FormError::Unreadable)?;
        let source = run(move || Ok(Picture::decode(&source)?)).await?;
        let source = Arc::new(source);
        for width in form_widths(row) {
            for format in FormFormat::ALL {
                let key = FormKey { width, format };
                let picture = Arc::clone(&source);
                let form = run(move || Ok(forms::encode(&picture, key)?)).await?;
                self.files.put(row.folder, &key.name(), form).await?;
                let again = self.clock.now() + LEASE;
                self.store.renew_media(row, again).await?;
            }
        }
        Ok(())
    }

    /// Deletes folders without a picture, and pictures that nothing uses, in an endless loop. A crash between file and
    /// row leaves such a folder.
    pub async fn sweep(&self) {
        loop {
            if let Err(error) = self.clean_up(self.clock.now()).await {
                tracing::warn!(
                    error = &error as &(dyn std::error::Error + 'static),
                    "files of pictures could not be cleaned up; another attempt follows"
                );
            }
            tokio::time::sleep(SWEEP).await;
        }
    }

    async fn clean_up(&self, now: DateTime<Utc>) -> Result<(), MediaError> {
        self.delete_orphans(now).await?;
        let used = self.store.media_uses().await?.into_keys().collect();
        self.delete_unused(&used, now).await?;
        Ok(())
    }

    /// Deletes folders without a picture that are older than a day; returns how many.
    pub async fn delete_orphans(&self, now: DateTime<Utc>) -> Result<usize, MediaError> {
        let mut count = 0;
        for folder in self.files.folders_before(now - ORPHAN_AGE).await? {
            if !self.store.has_media_folder(folder).await? {
                self.files.delete(folder).await?;
                count += 1;
            }
        }
        Ok(count)
    }

    /// Deletes pictures that have not been used for 30 days. `used` are the hashes that content refers to. Call it at
    /// least once a day. Returns how many were deleted.
    pub async fn delete_unused(
        &self,
        used: &BTreeSet<String>,
        now: DateTime<Utc>,
    ) -> Result<usize, MediaError> {
        let (mut after, mut count) = (String::new(), 0);
        loop {
            let hashes = self.store.media_hashes(&after, HASHES).await?;
            let Some(last) = hashes.last() else {
                return Ok(count);
            };
            after.clone_from(last);
            for hash in hashes {
                let is_used = used.contains(&hash);
                let before = now - UNUSED_MAX;
                let deleted = self
                    .store
                    .note_media_use(hash, is_used, now, before)
                    .await?;
                if let Some(folder) = deleted {
                    self.delete_files(folder).await;
                    count += 1;
                }
            }
        }
    }
}

struct Decoded {
    hash: String,
    width: u32,
    height: u32,
    png: Vec<u8>,
}

/// Returns the widths of a picture's forms.
pub fn form_widths(row: &MediaRow) -> Vec<u32> {
    widths(u32::try_from(row.width).unwrap_or_default())
}

/// Runs `work` on a thread of its own, which does not delay the end of the process: an encoder can take a minute. A panic
/// of a codec counts as an unreadable picture.
async fn run<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, MediaError> + Send + 'static,
) -> Result<T, MediaError> {
    let (sender, receiver) = oneshot::channel();
    let thread = std::thread::Builder::new().name("picture".to_owned());
    // Nobody waits for the outcome if the caller was cancelled.
    let started = thread.spawn(move || sender.send(work()).ok());
    started.map_err(|_| FormError::Unreadable)?;
    receiver.await.map_err(|_| FormError::Unreadable)?
}
