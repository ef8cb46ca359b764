//! Writes mails into a Maildir (<https://cr.yp.to/proto/maildir.html>), which mail programs can open. For machines
//! without a mail server.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    time::SystemTime,
};

use async_trait::async_trait;

use super::{SendError, Transport};
use crate::mail::message::Envelope;

const FOLDERS: [&str; 3] = ["tmp", "new", "cur"];

/// A Maildir readable only by its owner.
#[derive(Clone, Debug)]
pub struct Maildir {
    folder: PathBuf,
}

impl Maildir {
    /// Creates a handle; the folder itself is created with the first mail.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    fn keep(&self, name: &str, mail: &[u8]) -> io::Result<()> {
        for name in FOLDERS {
            let mut builder = DirBuilder::new();
            builder.recursive(true).mode(0o700);
            builder.create(self.folder.join(name))?;
        }
        if self.has(name)? {
            return Ok(());
        }
        let beside = self.folder.join("tmp").join(name);
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&beside)?;
        file.write_all(mail)?;
        file.sync_all()?;
        fs::rename(&beside, self.folder.join("new").join(name))?;
        // Also flush the directory entry that the rename created.
        File::open(self.folder.join("new"))?.sync_all()
    }

    /// Moves a new mail to `cur` for manual review.
    pub(super) fn set_aside(&self, name: &str) -> io::Result<()> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(self.folder.join("cur"))?;
        let seen = self.folder.join("cur").join(format!("{name}:2,"));
        fs::rename(self.folder.join("new").join(name), seen)
    }

    /// Deletes mails written before `before`, read or unread, and returns their number.
    ///
    /// # Errors
    /// When the folder cannot be read or changed.
    pub fn purge(&self, before: SystemTime) -> io::Result<u64> {
        let mut removed = 0;
        for name in FOLDERS {
            let entries = match fs::read_dir(self.folder.join(name)) {
                Ok(entries) => entries,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            for entry in entries {
                let entry = entry?;
                if entry.metadata()?.modified()? < before {
                    fs::remove_file(entry.path())?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }

    /// Returns whether the mail exists in `new` or `cur`. Mail programs append flags to the names of read mails.
    fn has(&self, name: &str) -> io::Result<bool> {
        if self.folder.join("new").join(name).try_exists()? {
            return Ok(true);
        }
        for entry in fs::read_dir(self.folder.join("cur"))? {
            let known = entry?.file_name();
            let known = known.as_encoded_bytes();
            let flags = known.strip_prefix(name.as_bytes());
            if flags.is_some_and(|flags| flags.is_empty() || flags.starts_with(b":")) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[async_trait]
impl Transport for Maildir {
    fn leaves_the_house(&self) -> bool {
        false
    }

    async fn send(&self, envelope: &Envelope) -> Result<(), SendError> {
        let name = format!(
            "{}.{}.mail",
            envelope.create_time.timestamp(),
            envelope.id.simple()
        );
        // Files on this machine use LF line endings.
        let mut mail = Vec::with_capacity(envelope.body.len());
        for line in envelope.body.split_inclusive(|byte| *byte == b'\n') {
            match line.strip_suffix(b"\r\n") {
                Some(line) => {
                    mail.extend_from_slice(line);
                    mail.push(b'\n');
                }
                None => mail.extend_from_slice(line),
            }
        }
        let maildir = self.clone();
        let kept = tokio::task::spawn_blocking(move || maildir.keep(&name, &mail)).await;
        match kept {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(SendError::Temporary(format!(
                "the folder of mails cannot be written: {}",
                error.kind()
            ))),
            Err(_) => Err(SendError::Temporary(
                "the folder of mails was not written".into(),
            )),
        }
    }
}
