//! Fetches page modules from an origin by URL (`REMOTES_URL`), so team pipelines need no access to this machine's disk.
//!
//! Versions that the pointers name are fetched file by file into the folder of page modules and checked against their
//! integrity manifests. Afterwards the pointers are adopted. With keys, a pointer is adopted only if its team signed it
//! and it is not older than the local one.
//!
//! Damaged versions are fetched again, and re-signed versions get their new signature. The rest works as with a folder
//! that is filled by other means. While the origin is down or sends invalid data, the local files stay in use.

mod disk;

use std::{
    fs, io,
    net::IpAddr,
    path::{Path, PathBuf},
    sync::{Arc, Weak},
    time::{Duration, Instant},
};

use axum::http::{Request, StatusCode, Uri, uri::Scheme};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};

use self::disk::{blocking, make_room, replace, swap, write};
use super::{
    folder::{FOLDER_BYTES_MAX, FOLDER_FILES_MAX, JSON_BYTES_MAX},
    integrity::{MANIFEST, Manifest, SIGNATURE, Trust},
    pointers::FILE,
    refusal::AtOrigin,
    remote::{MODULE_JSON, checked, trusted},
    takeover::{Merged, merge},
};
use crate::error::PagesError;

const POLL_INTERVAL: Duration = Duration::from_secs(5);
const RETRY_MAX: Duration = Duration::from_mins(1);
/// Interval for comparing all local files with their manifests. One comparison takes some 0.3 s of processor time.
const VERIFY_INTERVAL: Duration = Duration::from_mins(10);
/// Maximum time from the request to the last byte of one file.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(20);
/// Maximum time of one poll of the origin, including all fetches.
const POLL_TIME_MAX: Duration = Duration::from_mins(2);
/// Reasons why a fetch failed.
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

/// The origin of page modules and their local folder.
#[derive(Debug)]
pub(crate) struct Origin {
    /// Without a trailing slash.
    base: String,
    folder: PathBuf,
    trust: Arc<Trust>,
    client: Client<HttpsConnector<HttpConnector>, Empty<Bytes>>,
    /// Last logged problem; suppresses duplicate logs.
    problem: Option<String>,
    follower: Arc<AtOrigin>,
    /// The origin's pointers and the edition of the keys at the last poll without a problem.
    seen: Option<(Bytes, u64)>,
    /// Time at which all files of all named versions were last compared with their manifests.
    verified: Instant,
}

/// A version named by the pointers.
#[derive(Clone, Copy, Debug)]
struct Named<'a> {
    name: &'a str,
    version: &'a str,
    /// Digest of its integrity manifest.
    digest: Option<&'a str>,
}

impl Origin {
    /// Creates the client for the origin.
    ///
    /// # Errors
    /// When the address is neither `https` nor on this machine, or the machine has no trusted root certificates.
    pub(crate) fn new(
        base: &Uri,
        folder: PathBuf,
        trust: Arc<Trust>,
        follower: Arc<AtOrigin>,
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
            follower,
            seen: None,
            // Startup reads all files anyway.
            verified: Instant::now(),
        })
    }

    /// Polls until `pages` is dropped. Failures back off exponentially up to one minute.
    pub(crate) async fn follow<T: Send + Sync>(mut self, pages: Weak<T>) {
        let mut wait = POLL_INTERVAL;
        loop {
            tokio::time::sleep(wait).await;
            if pages.strong_count() == 0 {
                return;
            }
            let is_good = self.poll().await;
            wait = if is_good {
                POLL_INTERVAL
            } else {
                (wait * 2).min(RETRY_MAX)
            };
        }
    }

    /// Fetches changes and returns whether that succeeded. A problem is logged once.
    pub(crate) async fn poll(&mut self) -> bool {
        let taken = tokio::time::timeout(POLL_TIME_MAX, self.take()).await;
        let problem = match taken {
            Ok(Ok(problems)) => (!problems.is_empty()).then(|| problems.join("; ")),
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some(format!("not done after {} s", POLL_TIME_MAX.as_secs())),
        };
        if problem != self.problem {
            if let Some(problem) = &problem {
                tracing::error!(
                    origin = self.base,
                    problem,
                    "page modules cannot be fetched, local versions stay live"
                );
            } else {
                tracing::info!(origin = self.base, "page modules can be fetched again");
            }
        }
        self.problem = problem;
        self.problem.is_none()
    }

    /// Fetches changes and returns the problems of single versions, which affect only their teams.
    async fn take(&mut self) -> Result<Vec<String>, OriginError> {
        let offered = self.get(FILE, JSON_BYTES_MAX).await?;
        let seen = (offered.clone(), self.trust.edition());
        let Merged {
            file,
            pointers,
            mut refusals,
        } = merge(&self.folder, offered, &self.trust)?;
        for refusal in refusals.values_mut() {
            refusal.detail = format!("{}/{FILE}: {}", self.base, refusal.detail);
        }
        *self.follower.refused.lock() = refusals;
        let has_moved = self.seen.as_ref() != Some(&seen);
        let verifies = self.follower.take_damage() || self.verified.elapsed() >= VERIFY_INTERVAL;
        let mut problems = Vec::new();
        let mut named = Vec::new();
        for (name, pointer) in pointers.readable() {
            for version in pointer.versions() {
                let at = checked(name).and_then(|name| Ok((name, checked(version)?)));
                let (name, version) = at?;
                named.push(self.folder.join(name).join(version));
                let digest = pointer.integrity.get(version).map(String::as_str);
                let version = Named {
                    name,
                    version,
                    digest,
                };
                if let Err(error) = self.bring(version, has_moved, verifies).await {
                    problems.push(format!("{name} {}: {error}", version.version));
                }
            }
        }
        if verifies {
            self.verified = Instant::now();
        }
        let path = self.folder.join(FILE);
        if fs::read(&path).ok().as_deref() != Some(&*file) {
            replace(path, file).await?;
        }
        let folder = self.folder.clone();
        blocking(move || make_room(&folder, &named)).await?;
        self.seen = problems.is_empty().then_some(seen);
        Ok(problems)
    }

    /// Updates the local copy of a version. A missing version is fetched. With `verifies`, a damaged one is fetched
    /// again. A changed signature is replaced: a re-signed version must stay valid when its old key is removed.
    async fn bring(
        &self,
        version: Named<'_>,
        has_moved: bool,
        verifies: bool,
    ) -> Result<(), OriginError> {
        let folder = self.folder.join(version.name).join(version.version);
        if !folder.join(MODULE_JSON).exists() {
            return self.fetch(version).await;
        }
        if (has_moved || verifies) && self.trust.has_keys() {
            self.renew_signature(version, &folder).await?;
        }
        if verifies && let Err(error) = self.verified(version).await {
            tracing::warn!(name = version.name, version = version.version, %error, "local version is damaged and is fetched again");
            self.fetch(version).await?;
            self.follower.add_healed();
        }
        Ok(())
    }

    /// Checks that the local copy is what was published and signed.
    async fn verified(&self, version: Named<'_>) -> Result<(), OriginError> {
        let (folder, trust) = (self.folder.clone(), Arc::clone(&self.trust));
        let (name, number) = (version.name.to_owned(), version.version.to_owned());
        let digest = version.digest.map(str::to_owned);
        let check = move || Ok(trusted(&folder, &name, &number, digest.as_deref(), &trust));
        blocking(check).await??;
        Ok(())
    }

    /// Adopts the origin's signature if it differs from the local one and is valid.
    async fn renew_signature(&self, version: Named<'_>, folder: &Path) -> Result<(), OriginError> {
        let Named {
            name,
            version,
            digest,
        } = version;
        let here = |file: &str| fs::read(folder.join(file)).ok();
        let (manifest, old) = (here(MANIFEST), here(SIGNATURE));
        let at = format!("{name}/{version}/{SIGNATURE}");
        let new = match self.get(&at, JSON_BYTES_MAX).await {
            Ok(new) => new,
            // The local signature may still be valid.
            Err(_) if old.is_some() => return Ok(()),
            Err(error) => return Err(error),
        };
        if old.as_deref() == Some(&*new) {
            return Ok(());
        }
        let read = |file: &str| match file {
            MANIFEST => manifest.as_deref(),
            _ => Some(&*new),
        };
        if self.trust.manifest(name, folder, digest, read).is_ok() {
            replace(folder.join(SIGNATURE), new).await?;
            self.follower.add_healed();
            tracing::info!(name, version, "version has another signature");
        }
        Ok(())
    }

    /// Fetches a version into a temporary folder and renames it once it is complete.
    async fn fetch(&self, version: Named<'_>) -> Result<(), OriginError> {
        let Named {
            name,
            version,
            digest,
        } = version;
        let at = |file: &str| format!("{name}/{version}/{file}");
        let manifest = self.get(&at(MANIFEST), JSON_BYTES_MAX).await?;
        // Unsigned versions have no signature file. A failed download is retried at the next poll, because the check
        // below fails when a signature is required.
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
            return Err(self.wrong(&at(MANIFEST), "lists too many files"));
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
                return Err(self.wrong(&at(file), "does not match integrity.json"));
            }
            write(unfinished.join(file), bytes).await?;
        }
        write(unfinished.join(MANIFEST), manifest.clone()).await?;
        if let Some(signature) = signature.clone() {
            write(unfinished.join(SIGNATURE), signature).await?;
        }
        let damaged = self.folder.join(name).join(format!(".damaged-{version}"));
        blocking(move || swap(&unfinished, &folder, &damaged)).await?;
        Ok(())
    }

    async fn get(&self, path: &str, bytes_max: usize) -> Result<Bytes, OriginError> {
        let address = format!("{}/{path}", self.base);
        let wrong = |problem: String| self.wrong(path, &problem);
        let built = Request::get(&address).body(Empty::new());
        let request = built.map_err(|error| wrong(error.to_string()))?;
        let exchange = async {
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
        let answer = tokio::time::timeout(ANSWER_TIME_MAX, exchange).await;
        answer.unwrap_or(Err(OriginError::Late(address)))
    }

    fn wrong(&self, path: &str, problem: &str) -> OriginError {
        OriginError::Answer {
            address: format!("{}/{path}", self.base),
            problem: problem.to_owned(),
        }
    }
}
