//! Database addresses: which database, and where.

use std::{fmt, path::PathBuf, str::FromStr};

use sqlx::postgres::PgConnectOptions;

/// Address of a database, as configured.
#[derive(Clone)]
pub enum DatabaseUrl {
    /// `sqlite:` and a file's path.
    Sqlite(PathBuf),
    /// `postgres:` with all parameters of a libpq URL.
    Postgres(Box<PgConnectOptions>),
}

/// The two databases that a service runs on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DatabaseKind {
    /// SQLite.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

impl DatabaseKind {
    /// Returns `db.system.name` of OpenTelemetry's conventions.
    pub fn system_name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgresql",
        }
    }
}

impl DatabaseUrl {
    /// Returns which database the address refers to.
    pub fn kind(&self) -> DatabaseKind {
        match self {
            Self::Sqlite(_) => DatabaseKind::Sqlite,
            Self::Postgres(_) => DatabaseKind::Postgres,
        }
    }
}

impl FromStr for DatabaseUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(path) = text.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            if path.is_empty() || path.starts_with(':') || path.contains('?') {
                return Err("expected sqlite: and the path of a file, without parameters".into());
            }
            return Ok(Self::Sqlite(path.into()));
        }
        if text.starts_with("postgres:") || text.starts_with("postgresql:") {
            return PgConnectOptions::from_str(text)
                .map(|options| Self::Postgres(Box::new(options)))
                // The text may contain a password, so the message omits it.
                .map_err(|_| "not a valid postgres: URL".into());
        }
        Err("expected a URL that starts with sqlite: or postgres:".into())
    }
}

impl fmt::Display for DatabaseUrl {
    /// Omits user and password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(options) => write!(
                f,
                "postgres://{}:{}/{}",
                options.get_host(),
                options.get_port(),
                options.get_database().unwrap_or_default()
            ),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_parsed_or_refused() {
        assert_eq!(
            "sqlite:data/x.db".parse::<DatabaseUrl>().unwrap().kind(),
            DatabaseKind::Sqlite
        );
        for refused in [
            "sqlite::memory:",
            "sqlite:",
            "sqlite:x?mode=ro",
            "mysql://x",
        ] {
            assert!(refused.parse::<DatabaseUrl>().is_err(), "{refused}");
        }
    }

    #[test]
    fn the_password_is_never_printed() {
        let url: DatabaseUrl = "postgres://me:secret@127.0.0.1:5432/db".parse().unwrap();
        assert_eq!(url.to_string(), "postgres://127.0.0.1:5432/db");
        assert!(!format!("{url:?}").contains("secret"));
    }
}
