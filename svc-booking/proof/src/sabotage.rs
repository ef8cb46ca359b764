//! Breaks the system from outside to test that the checker reports it. The product itself has no switch for any of
//! these faults.

use crate::{
    Result,
    rows::Observer,
    service::{Server, Service},
};

/// The fault to inject.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Sabotage {
    /// Removes both guards of a seat: the table's unique key and the lock that serialises transactions for the same
    /// seat. On PostgreSQL, no-op functions shadow the locking functions. SQLite has a single writer, so there each
    /// decision reads a state that is half a second old.
    SeatsUnguarded,
    /// Removes only the unique key. The locks alone must be enough.
    KeyDropped,
    /// Removes only the locks (PostgreSQL). The key alone must be enough.
    LocksGone,
    /// Makes the client move an appointment by cancelling it and booking another one.
    MoveInTwoSteps,
    /// Keeps holds from expiring.
    HoldsForever,
    /// Marks every new appointment as proven by its owner.
    ProofForged,
}

/// Drops the unique key, which keeps one seat from being sold twice.
const KEY_OF_POSTGRES: &str = "ALTER TABLE seats DROP CONSTRAINT seats_pkey";
const LOCKS_OF_POSTGRES: &str = "\
CREATE SCHEMA unguarded;
CREATE FUNCTION unguarded.pg_advisory_xact_lock(bigint) RETURNS void LANGUAGE sql AS '';
CREATE FUNCTION unguarded.pg_advisory_xact_lock_shared(bigint) RETURNS void LANGUAGE sql AS '';
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = unguarded, pg_catalog, public', current_database()); END $$";
const KEY_OF_SQLITE: &str = "\
CREATE TABLE unguarded (resource TEXT NOT NULL, starts_at TEXT NOT NULL, seat INTEGER NOT NULL, holder_kind TEXT NOT NULL,
                        holder_id BLOB NOT NULL, expire_time TEXT) STRICT;
DROP TABLE seats;
ALTER TABLE unguarded RENAME TO seats;
CREATE INDEX seats_of_holder ON seats (holder_id)";
const STALE_OF_SQLITE: &str = "\
CREATE TABLE unguarded (resource TEXT NOT NULL, starts_at TEXT NOT NULL, seat INTEGER NOT NULL, holder_kind TEXT NOT NULL,
                        holder_id BLOB NOT NULL, expire_time TEXT, written REAL NOT NULL) STRICT;
DROP TABLE seats;
CREATE VIEW seats AS SELECT resource, starts_at, seat, holder_kind, holder_id, expire_time FROM unguarded
WHERE written < julianday('now') - 0.5 / 86400;
CREATE TRIGGER seats_insert INSTEAD OF INSERT ON seats BEGIN
INSERT INTO unguarded VALUES (new.resource, new.starts_at, new.seat, new.holder_kind, new.holder_id, new.expire_time, julianday('now'));
END;
CREATE TRIGGER seats_delete INSTEAD OF DELETE ON seats BEGIN
DELETE FROM unguarded WHERE resource = old.resource AND starts_at = old.starts_at AND seat = old.seat AND holder_id = old.holder_id;
END";
const FORGE_OF_SQLITE: &str = "\
CREATE TRIGGER forged AFTER INSERT ON appointments BEGIN
UPDATE appointments SET proof = 'link' WHERE id = new.id;
END";
const FORGE_OF_POSTGRES: &str = "\
CREATE FUNCTION forge() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.proof := ''link''; RETURN NEW; END';
CREATE TRIGGER forged BEFORE INSERT ON appointments FOR EACH ROW EXECUTE FUNCTION forge()";
const UNEND: &str =
    "UPDATE seats SET expire_time = NULL WHERE holder_kind = 'hold' AND expire_time IS NOT NULL";

impl Sabotage {
    /// Applies the fault once, before the process starts.
    pub async fn before(self, server: &Server, service: &Service) -> Result<()> {
        let sql: &[&str] = match (self, server) {
            (Self::SeatsUnguarded, Server::Postgres(_)) => &[KEY_OF_POSTGRES, LOCKS_OF_POSTGRES],
            (Self::KeyDropped, Server::Postgres(_)) => &[KEY_OF_POSTGRES],
            (Self::LocksGone, Server::Postgres(_)) => &[LOCKS_OF_POSTGRES],
            (Self::SeatsUnguarded, Server::Sqlite(_)) => &[STALE_OF_SQLITE],
            (Self::KeyDropped, Server::Sqlite(_)) => &[KEY_OF_SQLITE],
            (Self::ProofForged, Server::Postgres(_)) => &[FORGE_OF_POSTGRES],
            (Self::ProofForged, Server::Sqlite(_)) => &[FORGE_OF_SQLITE],
            _ => &[],
        };
        let mut observer = Observer::connect(&service.database_url).await?;
        for sql in sql {
            observer.execute(sql).await?;
        }
        Ok(())
    }

    /// Applies the fault repeatedly while the process runs.
    pub async fn during(self, observer: &mut Observer) -> Result<()> {
        match self {
            Self::HoldsForever => observer.execute(UNEND).await,
            _ => Ok(()),
        }
    }

    /// Returns the description for the printed report.
    pub fn words(self) -> &'static str {
        match self {
            Self::SeatsUnguarded => {
                "We removed both safeguards that keep one seat from being given to two patients."
            }
            Self::KeyDropped => "We removed one of a seat's two safeguards: the unique key.",
            Self::LocksGone => "We removed the other of a seat's two safeguards: the lock.",
            Self::MoveInTwoSteps => "We moved appointments in two steps: cancel, then book again.",
            Self::HoldsForever => "We kept holds from expiring.",
            Self::ProofForged => {
                "We marked every booking as if its patient had opened the link in our e-mail."
            }
        }
    }
}
