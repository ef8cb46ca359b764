//! The real process on its own database: started, killed with SIGKILL and restarted.

use std::{
    net::TcpListener,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    rand::SystemRandom,
    signature::{Ed25519KeyPair, KeyPair as _},
};
use serde_json::json;
use service_kit::source::{Clock as _, Ids as _, RandomIds, SystemClock};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
};

use crate::{
    ProofError, Result,
    world::{NETWORK_MAX, OPEN_MAX, World},
};

/// Keys of sealed fields. They need no protection: the sealed data is deleted after the proof.
const SEAL_KEYS: &str = r#"
active = "k1"
index_key = "cHJvb2YtaW5kZXgtcHJvb2YtaW5kZXgtcHJvb2YtaW4="
[keys]
k1 = "cHJvb2Ytc2VhbC1wcm9vZi1zZWFsLXByb29mLXNlYWw="
"#;
const ISSUER: &str = "booking-proof";
const AUDIENCE: &str = "hospital-api";
const SCOPES: &str = "appointments:read appointments:write rosters:read rosters:write";
const TOKEN_SECONDS: i64 = 24 * 3600;
/// Startup timeout.
const START_MAX: Duration = Duration::from_secs(30);

/// Kind of database that the process runs on.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Server {
    /// A new database file in this folder.
    Sqlite(PathBuf),
    /// A new database on this server. The URL names an existing database to connect to for `CREATE DATABASE`.
    Postgres(String),
}

impl Server {
    /// Returns the display name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "SQLite",
            Self::Postgres(_) => "PostgreSQL",
        }
    }
}

/// A new, migrated database and the settings to start the process on it.
#[derive(Debug)]
pub struct Service {
    program: PathBuf,
    pub database_url: String,
    /// Server URL and database name (PostgreSQL only).
    on_server: Option<(String, String)>,
    folder: TempDir,
    port: u16,
    /// `Authorization` header of staff: `Bearer …`.
    pub token: String,
    hold_seconds: u16,
    messaging_url: String,
}

impl Service {
    /// Creates and migrates the database. The process sends its notices to `messaging_url`.
    pub async fn create(
        program: &Path,
        server: &Server,
        world: &World,
        messaging_url: &str,
    ) -> Result<Self> {
        let folder = match server {
            Server::Sqlite(parent) => tempfile::tempdir_in(parent)?,
            Server::Postgres(_) => tempfile::tempdir()?,
        };
        let (database_url, on_server) = match server {
            Server::Sqlite(_) => {
                let file = folder.path().join("booking.db");
                (format!("sqlite:{}", file.display()), None)
            }
            Server::Postgres(server) => {
                let name = format!("proof_{}", RandomIds.uuid().simple());
                administrate(server, &format!("CREATE DATABASE {name}")).await?;
                let (base, _) = server
                    .rsplit_once('/')
                    .ok_or_else(|| ProofError::Other("the URL names no database".into()))?;
                (format!("{base}/{name}"), Some((server.clone(), name)))
            }
        };
        std::fs::write(folder.path().join("resources.toml"), world.resources_file())?;
        std::fs::write(folder.path().join("keys.toml"), SEAL_KEYS)?;
        let token = token(&folder.path().join("jwks.json"))?;
        let service = Self {
            program: program.to_owned(),
            database_url,
            on_server,
            folder,
            // Chosen once: clients reconnect to the same port after a kill.
            port: TcpListener::bind("127.0.0.1:0")?.local_addr()?.port(),
            token,
            hold_seconds: world.hold_seconds,
            messaging_url: messaging_url.to_owned(),
        };
        let migrated = service
            .command()
            .arg("migrate")
            .stdout(Stdio::null())
            .status()
            .await?;
        if !migrated.success() {
            return Err(ProofError::Other("the schema cannot be made".into()));
        }
        Ok(service)
    }

    fn command(&self) -> Command {
        let file = |name: &str| self.folder.path().join(name);
        let mut command = Command::new(&self.program);
        command
            .env_clear()
            .args(["--listen", &format!("127.0.0.1:{}", self.port)])
            .args(["--operators-listen", "127.0.0.1:0"])
            .args(["--database-url", &self.database_url])
            .args(["--hold-seconds", &self.hold_seconds.to_string()])
            .args(["--open-appointments-max", &OPEN_MAX.to_string()])
            .args(["--network-appointments-max", &NETWORK_MAX.to_string()])
            .args(["--messaging-url", &self.messaging_url])
            .args(["--log-filter", "off"])
            .arg("--resources")
            .arg(file("resources.toml"))
            .args(["--jwt-issuer", ISSUER, "--jwt-audience", AUDIENCE])
            .arg("--jwks-file")
            .arg(file("jwks.json"))
            .env("SEAL_KEYS_FILE", file("keys.toml"))
            .env("DEVELOPMENT", "true")
            .stdin(Stdio::null())
            .kill_on_drop(true);
        command
    }

    /// Returns the base URL of the process.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Starts the process and waits until it listens.
    pub async fn start(&self) -> Result<Child> {
        let mut child = self.command().stdout(Stdio::piped()).spawn()?;
        let stdout = child
            .stdout
            .take()
            .ok_or_else(|| ProofError::Other("no standard output".into()))?;
        let mut lines = BufReader::new(stdout).lines();
        let line = tokio::time::timeout(START_MAX, lines.next_line()).await;
        match line {
            Ok(Ok(Some(line))) if line.starts_with("listening on ") => {
                // Drains stdout: a full pipe would block the process.
                tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
                Ok(child)
            }
            _ => Err(ProofError::Other("the process does not listen".into())),
        }
    }

    /// Drops the database (PostgreSQL) and deletes the folder.
    pub async fn remove(self) -> Result<()> {
        if let Some((server, name)) = &self.on_server {
            administrate(server, &format!("DROP DATABASE {name} WITH (FORCE)")).await?;
        }
        Ok(())
    }
}

async fn administrate(server: &str, sql: &str) -> Result<()> {
    let mut connection = PgConnection::connect(server).await?;
    sqlx::query(AssertSqlSafe(sql.to_owned()))
        .execute(&mut connection)
        .await?;
    Ok(())
}

/// Writes the key set of a throwaway issuer and returns a token signed with its key.
fn token(key_set: &Path) -> Result<String> {
    let random = SystemRandom::new();
    let unusable = |_| ProofError::Other("no signing key".into());
    let document = Ed25519KeyPair::generate_pkcs8(&random).map_err(unusable)?;
    let key = Ed25519KeyPair::from_pkcs8(document.as_ref())
        .map_err(|error| ProofError::Other(error.to_string()))?;
    let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    let public = json!({ "keys": [{ "kty": "OKP", "crv": "Ed25519", "kid": "proof", "alg": "EdDSA", "use": "sig",
                                    "x": encode(key.public_key().as_ref()) }] });
    std::fs::write(key_set, public.to_string())?;
    let head = json!({ "alg": "EdDSA", "typ": "JWT", "kid": "proof" });
    let issued = SystemClock.now().timestamp();
    let claims = json!({ "iss": ISSUER, "sub": "proof", "aud": AUDIENCE, "iat": issued,
                         "exp": issued + TOKEN_SECONDS, "scope": SCOPES });
    let message = format!(
        "{}.{}",
        encode(head.to_string().as_bytes()),
        encode(claims.to_string().as_bytes())
    );
    let signature = encode(key.sign(message.as_bytes()).as_ref());
    Ok(format!("Bearer {message}.{signature}"))
}
