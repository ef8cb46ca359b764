//! The file of ended sessions, which the gateways of one machine share.
//!
//! The first line is `ended-sessions 1 <generation>`. Each further line has a mark, the last time of issue and the
//! expiry, both in milliseconds since 1970. Writers hold a lock on `<file>.lock` and append. When most lines have
//! expired, a writer replaces the file by one with another generation. Readers take no lock: they read on from where
//! they were, or from the start of a new generation.

use std::{
    fmt::Write as _,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

use parking_lot::Mutex;

use crate::{
    reloaded::FileVersion,
    secrets::{Mark, random_text},
};

const MAGIC: &str = "ended-sessions 1 ";
/// Random bytes of a generation's name, and its length in base64url.
const GENERATION_BYTES: usize = 16;
const GENERATION_CHARS: usize = 22;
/// Length of the first line, in bytes.
const HEAD_BYTES: usize = MAGIC.len() + GENERATION_CHARS + 1;
/// Maximum size of the file, in bytes: above what 200,000 lines need.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// A file with more lines than twice its live ones, and with more than this, is replaced.
const LINES_MIN: usize = 1024;
/// Maximum time to wait for other writers, and interval between tries.
const LOCK_TIME_MAX: Duration = Duration::from_secs(2);
const LOCK_RETRY: Duration = Duration::from_millis(5);
/// Only the gateway's user may read or write the file.
const MODE: u32 = 0o600;

/// An end of sessions.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Line {
    pub(super) mark: Mark,
    /// Sessions that were issued until this time have ended.
    pub(super) issued: i64,
    /// When the last of them would have expired.
    pub(super) until: i64,
}

impl Line {
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let line = Self {
            mark: Mark::parse(words.next()?)?,
            issued: words.next()?.parse().ok()?,
            until: words.next()?.parse().ok()?,
        };
        words.next().is_none().then_some(line)
    }

    fn write(self, text: &mut String) {
        let mark = self.mark.to_text();
        // Writing to a string cannot fail.
        _ = writeln!(text, "{mark} {} {}", self.issued, self.until);
    }
}

/// The file, and how far this process has read it.
#[derive(Debug)]
pub(super) struct EndedFile {
    path: PathBuf,
    position: Mutex<Position>,
}

#[derive(Debug, Default)]
struct Position {
    version: Option<FileVersion>,
    generation: String,
    /// End of the last complete line that was read.
    offset: u64,
    lines: usize,
}

impl EndedFile {
    /// Opens the file, or creates an empty one.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = Self {
            path: path.to_owned(),
            position: Mutex::default(),
        };
        options().append(true).open(path)?;
        file.open_lock()?;
        Ok(file)
    }

    /// Reads the new lines.
    pub(super) fn read(&self, on_line: impl FnMut(Line)) -> io::Result<()> {
        self.position.lock().read(&self.path, on_line)
    }

    /// Reads the new lines if the file has changed. A version that cannot be read is reported once.
    ///
    /// Does nothing while another thread reads or writes: a request need not wait for the disk.
    pub(super) fn refresh(&self, on_line: impl FnMut(Line)) -> io::Result<()> {
        let Some(mut position) = self.position.try_lock() else {
            return Ok(());
        };
        let version = FileVersion::of(&self.path);
        if version == position.version {
            return Ok(());
        }
        position.version = version;
        position.read(&self.path, on_line)
    }

    /// Locks out other writers, on this machine.
    pub(super) async fn lock(&self) -> io::Result<File> {
        let lock = self.open_lock()?;
        let tries = async {
            loop {
                match lock.try_lock() {
                    Ok(()) => return Ok(()),
                    Err(TryLockError::WouldBlock) => tokio::time::sleep(LOCK_RETRY).await,
                    Err(TryLockError::Error(error)) => return Err(error),
                }
            }
        };
        let late = |_| io::Error::new(io::ErrorKind::TimedOut, "another gateway holds the lock");
        tokio::time::timeout(LOCK_TIME_MAX, tries)
            .await
            .map_err(late)??;
        Ok(lock)
    }

    fn open_lock(&self) -> io::Result<File> {
        options()
            .append(true)
            .open(with_suffix(&self.path, ".lock"))
    }

    /// Writes a line and waits for the disk. First reads what others wrote. If the file is damaged, or most of it has
    /// expired, replaces it by the lines of `all`.
    pub(super) fn append(
        &self,
        line: Line,
        _lock: &File,
        on_line: impl FnMut(Line),
        all: impl FnOnce() -> Vec<Line>,
    ) -> io::Result<()> {
        let mut position = self.position.lock();
        let is_read = position.read(&self.path, on_line).is_ok();
        let length = fs::metadata(&self.path).map_or(0, |metadata| metadata.len());
        // An incomplete last line would merge with the next one.
        let is_whole = is_read && position.offset > 0 && position.offset == length;
        let kept = all();
        if !is_whole || position.lines >= LINES_MIN.max(2 * kept.len()) {
            position.replace(&self.path, &kept)?;
        } else {
            let mut text = String::new();
            line.write(&mut text);
            let mut file = options().append(true).open(&self.path)?;
            file.write_all(text.as_bytes())?;
            file.sync_data()?;
            position.offset += text.len() as u64;
            position.lines += 1;
        }
        position.version = FileVersion::of(&self.path);
        Ok(())
    }
}

impl Position {
    fn read(&mut self, path: &Path, mut on_line: impl FnMut(Line)) -> io::Result<()> {
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                *self = Self::default();
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let length = file.metadata()?.len();
        if length > FILE_BYTES_MAX {
            return Err(invalid(&format!("has more than {FILE_BYTES_MAX} bytes")));
        }
        if length == 0 {
            *self = Self::default();
            return Ok(());
        }
        let mut head = [0; HEAD_BYTES];
        file.read_exact(&mut head)?;
        let generation = str::from_utf8(&head)
            .ok()
            .and_then(|head| head.strip_prefix(MAGIC)?.strip_suffix('\n'));
        let generation = generation.ok_or_else(|| invalid("is not a file of ended sessions"))?;
        if generation != self.generation || self.offset > length {
            generation.clone_into(&mut self.generation);
            self.offset = HEAD_BYTES as u64;
            self.lines = 0;
        }
        file.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = Vec::new();
        file.take(FILE_BYTES_MAX).read_to_end(&mut bytes)?;
        let complete = bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        self.offset += complete as u64;
        let mut damaged = 0_usize;
        for text in String::from_utf8_lossy(&bytes[..complete]).lines() {
            self.lines += 1;
            match Line::parse(text) {
                Some(line) => on_line(line),
                None => damaged += 1,
            }
        }
        if damaged > 0 {
            tracing::warn!(damaged, "STAFF_ENDED_FILE has lines that are not readable");
        }
        Ok(())
    }

    /// Replaces the file by a new generation, atomically.
    fn replace(&mut self, path: &Path, lines: &[Line]) -> io::Result<()> {
        let generation = random_text::<GENERATION_BYTES>().map_err(io::Error::other)?;
        let mut text = format!("{MAGIC}{generation}\n");
        for line in lines {
            line.write(&mut text);
        }
        let new = with_suffix(path, ".new");
        let mut file = options().write(true).truncate(true).open(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        if let Some(folder) = path.parent() {
            // Otherwise a crash of the machine might undo the renaming. Not every file system allows this.
            _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        self.generation = generation;
        self.offset = text.len() as u64;
        self.lines = lines.len();
        Ok(())
    }
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.create(true).mode(MODE);
    options
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn invalid(problem: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem)
}
