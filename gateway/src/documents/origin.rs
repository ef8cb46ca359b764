//! Page modules from an origin by URL (`REMOTES_URL`), so that a team's pipeline needs no access to this machine's disk.
//!
//! What the pointers name is fetched into the folder of page modules, file by file and checked against its integrity manifest, and
//! only then are the pointers taken over (with keys, each only as far as its team has signed it and it is not older than the one that
//! lies here). From there on everything is as with a folder that somebody else fills: while the origin
//! is away, or gives nonsense, what was there stays.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write as _},
    net::IpAddr,
    path::{Path, PathBuf},
    sync::{Arc, Weak},
    time::{Duration, SystemTime},
};

use axum::http::{Request, StatusCode, Uri, uri::Scheme};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};

use super::{
    Pages, PagesError,
    integrity::{MANIFEST, Manifest, SIGNATURE, Trust},
    pointers::FILE,
    refusal::OriginRefusals,
    remote::{FOLDER_BYTES_MAX, FOLDER_FILES_MAX, MODULE_JSON, checked},
    takeover::{TakenOver, take_over},
};

const POLL_INTERVAL: Duration = Duration::from_secs(5);
const RETRY_MAX: Duration = Duration::from_mins(1);
/// From the request to the last byte of one file.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(20);
/// One look at the origin, with everything that is fetched for it.
const LOOK_TIME_MAX: Duration = Duration::from_mins(2);
/// Pointers, manifest or signature.
const JSON_BYTES_MAX: usize = 1024 * 1024;
/// All versions that were fetched; beyond, the oldest that no pointer names go.
const CACHE_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// Why something was not fetched.
#[derive(Debug, thiserror::Error)]
enum OriginError {
    #[error("{0}: no answer in time")]
    Late(String),
    #[error("{address}: {problem}")]
    Answer { address: String, problem: String },
    #[error(transparent)]
    Pages(#[from] PagesError),
    #[error(transparent)]
    Disk(#[from] io::Error),
}

/// Where page modules come from, and where they are put.
#[derive(Debug)]
pub(super) struct Origin {
    /// Without a slash at its end.
    base: String,
    folder: PathBuf,
    trust: Arc<Trust>,
    client: Client<HttpsConnector<HttpConnector>, Empty<Bytes>>,
    /// What was said last, so that it is said once.
    problem: Option<String>,
    /// Whose pointers were not taken over.
    refused: OriginRefusals,
}

impl Origin {
    /// # Errors
    /// When the address is neither `https` nor of this machine, or the machine trusts no certificates.
    pub(super) fn new(
        base: &Uri,
        folder: PathBuf,
        trust: Arc<Trust>,
        refused: OriginRefusals,
    ) -> Result<Self, PagesError> {
        let invalid =
            |problem: String| PagesError::invalid(PathBuf::from("REMOTES_URL"), "", problem);
        let host = base.host().unwrap_or_default().trim_matches(['[', ']']);
        let is_here = host == "localhost"
            || host
                .parse()
                .is_ok_and(|address: IpAddr| address.is_loopback());
        if base.scheme() != Some(&Scheme::HTTPS) && !is_here {
            return Err(invalid(format!("`{base}` is not an https address")));
        }
        let connector = HttpsConnectorBuilder::new()
            .with_native_roots()
            .map_err(|error| invalid(error.to_string()))?
            .https_or_http()
            .enable_http1()
            .build();
        Ok(Self {
            base: base.to_string().trim_end_matches('/').to_owned(),
            folder,
            trust,
            client: Client::builder(TokioExecutor::new()).build(connector),
            problem: None,
            refused,
        })
    }

    /// Looks again and again, more rarely while it fails, until `pages` is dropped.
    pub(super) async fn follow(mut self, pages: Weak<Pages>) {
        let mut wait = POLL_INTERVAL;
        loop {
            tokio::time::sleep(wait).await;
            if pages.strong_count() == 0 {
                return;
            }
            let is_good = self.look().await;
            wait = if is_good {
                POLL_INTERVAL
            } else {
                (wait * 2).min(RETRY_MAX)
            };
        }
    }

    /// Fetches what is new; says whether that went well. What went wrong is logged, once.
    pub(super) async fn look(&mut self) -> bool {
        let taken = tokio::time::timeout(LOOK_TIME_MAX, self.take()).await;
        let problem = match taken {
            Ok(Ok(problems)) => (!problems.is_empty()).then(|| problems.join("; ")),
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some(format!("not done after {} s", LOOK_TIME_MAX.as_secs())),
        };
        if problem != self.problem {
            if let Some(problem) = &problem {
                tracing::error!(
                    origin = self.base,
                    problem,
                    "page modules cannot be fetched, what is here goes on"
                );
            } else {
                tracing::info!(origin = self.base, "page modules can be fetched again");
            }
        }
        self.problem = problem;
        self.problem.is_none()
    }

    /// The problems of single versions: they are their teams' matters.
    async fn take(&self) -> Result<Vec<String>, OriginError> {
        let file = self.get(FILE, JSON_BYTES_MAX).await?;
        let TakenOver {
            file,
            pointers,
            mut refusals,
        } = take_over(&self.folder, file, &self.trust)?;
        for refusal in refusals.values_mut() {
            refusal.detail = format!("{}/{FILE}: {}", self.base, refusal.detail);
        }
        *self.refused.lock() = refusals;
        let mut problems = Vec::new();
        let mut named = Vec::new();
        for (name, pointer) in pointers.readable() {
            for version in pointer.versions() {
                let at = checked(name).and_then(|name| Ok((name, checked(version)?)));
                let (name, version) = at?;
                let folder = self.folder.join(name).join(version);
                named.push(folder.clone());
                if folder.join(MODULE_JSON).exists() {
                    continue;
                }
                let digest = pointer.integrity.get(version).map(String::as_str);
                if let Err(error) = self.fetch(name, version, digest).await {
                    problems.push(format!("{name} {version}: {error}"));
                }
            }
        }
        let path = self.folder.join(FILE);
        if fs::read(&path).ok().as_deref() != Some(&*file) {
            let unfinished = self.folder.join(format!(".{FILE}.unfinished"));
            write(unfinished.clone(), file).await?;
            fs::rename(unfinished, path)?;
        }
        let folder = self.folder.clone();
        blocking(move || make_room(&folder, &named)).await?;
        Ok(problems)
    }

    /// One version into a folder of its own, which gets its name when it is whole.
    async fn fetch(
        &self,
        name: &str,
        version: &str,
        digest: Option<&str>,
    ) -> Result<(), OriginError> {
        let at = |file: &str| format!("{name}/{version}/{file}");
        let manifest = self.get(&at(MANIFEST), JSON_BYTES_MAX).await?;
        // A version that nobody signed has none, and one that does not come is asked for again: the check below decides.
        let signature = self.get(&at(SIGNATURE), JSON_BYTES_MAX).await.ok();
        let folder = self.folder.join(name).join(version);
        let read = |file: &str| match file {
            MANIFEST => Some(&*manifest),
            _ => signature.as_deref(),
        };
        let checked = self.trust.manifest(name, &folder, digest, read)?;
        let files = checked.as_ref().map(Manifest::files).unwrap_or_default();
        let unfinished = self
            .folder
            .join(name)
            .join(format!(".unfinished-{version}"));
        if unfinished.exists() {
            fs::remove_dir_all(&unfinished)?;
        }
        let mut bytes_left = FOLDER_BYTES_MAX;
        if files.len() > FOLDER_FILES_MAX {
            return Err(self.wrong(&at(MANIFEST), "names too many files"));
        }
        for file in files {
            for component in file.split('/') {
                self::checked(component)?;
            }
            let max = usize::try_from(bytes_left).unwrap_or(usize::MAX);
            let bytes = self.get(&at(file), max).await?;
            bytes_left = bytes_left.saturating_sub(bytes.len() as u64);
            if !checked
                .as_ref()
                .is_some_and(|known| known.has(file, &bytes))
            {
                return Err(self.wrong(&at(file), "is not what integrity.json says"));
            }
            write(unfinished.join(file), bytes).await?;
        }
        write(unfinished.join(MANIFEST), manifest.clone()).await?;
        if let Some(signature) = signature.clone() {
            write(unfinished.join(SIGNATURE), signature).await?;
        }
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        Ok(fs::rename(unfinished, folder)?)
    }

    async fn get(&self, path: &str, bytes_max: usize) -> Result<Bytes, OriginError> {
        let address = format!("{}/{path}", self.base);
        let wrong = |problem: String| self.wrong(path, &problem);
        let request = Request::get(&address).body(Empty::new());
        let request = request.map_err(|error| wrong(error.to_string()))?;
        let answer = async {
            let sent = self.client.request(request).await;
            let response = sent.map_err(|error| wrong(error.to_string()))?;
            if response.status() != StatusCode::OK {
                return Err(wrong(response.status().to_string()));
            }
            let body = Limited::new(response.into_body(), bytes_max)
                .collect()
                .await;
            Ok(body.map_err(|error| wrong(error.to_string()))?.to_bytes())
        };
        let answer = tokio::time::timeout(ANSWER_TIME_MAX, answer).await;
        answer.unwrap_or(Err(OriginError::Late(address)))
    }

    fn wrong(&self, path: &str, problem: &str) -> OriginError {
        OriginError::Answer {
            address: format!("{}/{path}", self.base),
            problem: problem.to_owned(),
        }
    }
}

/// Durably, and apart from the threads that answer visitors: a disk may take its time.
async fn write(path: PathBuf, bytes: Bytes) -> io::Result<()> {
    blocking(move || {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = File::create(path)?;
        file.write_all(&bytes)?;
        file.sync_all()
    })
    .await
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(io::Error::other)?
}

/// Removes the oldest versions that no pointer names until the rest is small enough.
fn make_room(folder: &Path, named: &[PathBuf]) -> io::Result<()> {
    let mut versions: BTreeMap<(SystemTime, PathBuf), u64> = BTreeMap::new();
    let mut bytes = 0;
    for team in fs::read_dir(folder)? {
        let team = team?;
        if !team.file_type()?.is_dir() {
            continue;
        }
        for version in fs::read_dir(team.path())? {
            let version = version?;
            let size = size(&version.path())?;
            bytes += size;
            if !named.contains(&version.path()) {
                let modified = version.metadata()?.modified()?;
                versions.insert((modified, version.path()), size);
            }
        }
    }
    for ((_, path), size) in versions {
        if bytes <= CACHE_BYTES_MAX {
            break;
        }
        fs::remove_dir_all(path)?;
        bytes = bytes.saturating_sub(size);
    }
    Ok(())
}

fn size(path: &Path) -> io::Result<u64> {
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_dir() {
        return Ok(metadata.len());
    }
    let mut bytes = 0;
    for entry in fs::read_dir(path)? {
        bytes += size(&entry?.path())?;
    }
    Ok(bytes)
}
