//! Public keys of the teams that sign page modules (`REMOTES_KEYS`). The file is re-read while the gateway runs, so new
//! or changed keys need no restart.

use std::{
    collections::BTreeMap,
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use arc_swap::ArcSwap;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use ring::signature::{ED25519, UnparsedPublicKey};

use super::manifest;
use crate::error::PagesError;

const KEYS_BYTES_MAX: u64 = 1024 * 1024;
const ED25519_BYTES: usize = 32;

/// Team (or `shell`) → its keys.
type Teams = BTreeMap<String, Vec<Vec<u8>>>;

/// Keys in use at one time.
#[derive(Debug)]
pub(crate) struct Keys {
    teams: Teams,
    /// Grows by one with each change of the file.
    pub(crate) edition: u64,
}

impl Keys {
    /// Returns whether `signature` (base64) was made with a key of this team.
    pub(crate) fn have_signed(
        &self,
        team: &str,
        context: &[u8],
        bytes: &[u8],
        signature: &[u8],
    ) -> bool {
        let Ok(signature) = STANDARD.decode(signature.trim_ascii()) else {
            return false;
        };
        let signed = [context, bytes].concat();
        let mut keys = self.teams.get(team).into_iter().flatten();
        keys.any(|key| {
            let key = UnparsedPublicKey::new(&ED25519, key);
            key.verify(&signed, &signature).is_ok()
        })
    }
}

/// A key file and its last readable contents.
#[derive(Debug)]
pub(crate) struct KeyFile {
    path: PathBuf,
    keys: ArcSwap<Keys>,
}

impl KeyFile {
    /// Reads JSON: team (or `shell`) → list of Ed25519 public keys, 32 bytes in base64. At most 1 MiB. Blocks.
    pub(crate) fn open(path: &Path) -> Result<Self, PagesError> {
        let keys = Keys {
            teams: read(path)?,
            edition: 0,
        };
        Ok(Self {
            path: path.to_owned(),
            keys: ArcSwap::from_pointee(keys),
        })
    }

    pub(crate) fn keys(&self) -> Arc<Keys> {
        self.keys.load_full()
    }

    /// Re-reads the file and returns whether the keys changed. Blocks.
    ///
    /// # Errors
    /// When the file cannot be read. The previous keys stay in use.
    pub(crate) fn reload(&self) -> Result<bool, PagesError> {
        let teams = read(&self.path)?;
        let before = self.keys.load();
        if before.teams == teams {
            return Ok(false);
        }
        let edition = before.edition + 1;
        self.keys.store(Arc::new(Keys { teams, edition }));
        Ok(true)
    }
}

fn read(path: &Path) -> Result<Teams, PagesError> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(KEYS_BYTES_MAX + 1).read_to_end(&mut bytes))
        .map_err(|source| PagesError::Read {
            path: path.to_owned(),
            source,
        })?;
    let invalid =
        |field: &str, problem: String| PagesError::invalid(path.to_owned(), field, problem);
    if bytes.len() as u64 > KEYS_BYTES_MAX {
        let problem = format!("has more than {KEYS_BYTES_MAX} bytes");
        return Err(invalid("", problem));
    }
    let texts: BTreeMap<String, Vec<String>> = manifest::parse_json(path, &bytes)?;
    let teams = texts.into_iter().map(|(team, texts)| {
        let decoded = texts.iter().map(|text| {
            let key = STANDARD.decode(text).ok();
            key.filter(|key| key.len() == ED25519_BYTES)
                .ok_or_else(|| invalid(&team, format!("is not {ED25519_BYTES} bytes in base64")))
        });
        Ok((team.clone(), decoded.collect::<Result<_, PagesError>>()?))
    });
    teams.collect()
}
