//! Keys of a run, stored beside its data. Each service has a key file for the fields that it seals in its database. The
//! gateway has one for the idempotency keys of native forms, and those of the staff area. svc-booking authenticates to
//! svc-messaging with a token.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::{project::Project, shell};

/// Creates the key files that this data folder lacks, readable by their owner only. Existing files are never
/// overwritten.
pub(crate) fn ensure(project: &Project, data: &Path) -> Result<()> {
    let script = ["xtask/src/keys/make.mjs"];
    let mut node = shell::command(&project.root, "node", script);
    node.arg(folder(data))
        .args(project.services.iter().map(|service| &service.name));
    shell::capture(&mut node).map(drop)
}

/// Returns the `SEAL_KEYS_FILE` of a service.
pub(crate) fn of_service(data: &Path, service: &str) -> PathBuf {
    folder(data).join(format!("{service}.toml"))
}

/// Returns the `FORM_KEY_FILE` of the gateway.
pub(crate) fn of_forms(data: &Path) -> PathBuf {
    folder(data).join("form.key")
}

/// Returns the `MESSAGING_TOKEN_FILE` of svc-booking, which is also the `NOTICE_TOKEN_FILE` of svc-messaging.
pub(crate) fn of_notices(data: &Path) -> PathBuf {
    folder(data).join("notice.token")
}

/// Returns the `SESSION_KEYS_FILE` of the gateway.
pub(crate) fn of_sessions(data: &Path) -> PathBuf {
    folder(data).join("session.keys")
}

/// Returns the `TOKEN_KEY_FILE` of the gateway.
pub(crate) fn of_tokens(data: &Path) -> PathBuf {
    folder(data).join("token.pem")
}

/// Returns the `JWKS_FILE` of the services: the public key of the gateway's tokens.
pub(crate) fn of_token_set(data: &Path) -> PathBuf {
    folder(data).join("token.jwks.json")
}

/// Returns the gateway's secret at the issuer of staff sign-ins.
pub(crate) fn of_staff_client(data: &Path) -> PathBuf {
    folder(data).join("staff-client.secret")
}

/// Returns the signing keys of that issuer, which the issuer itself creates.
pub(crate) fn of_issuer(data: &Path) -> PathBuf {
    folder(data).join("issuer.json")
}

fn folder(data: &Path) -> PathBuf {
    data.join("keys")
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn writes_one_key_file_per_program_and_keeps_existing_ones() {
        let project = Project::find().unwrap();
        let data = tempfile::tempdir().unwrap();
        ensure(&project, data.path()).unwrap();
        assert_eq!(mode(&folder(data.path())), 0o700);
        let texts = || -> Vec<String> {
            let names = project.services.iter().map(|service| &service.name);
            names
                .map(|name| fs::read_to_string(of_service(data.path(), name)).unwrap())
                .collect()
        };
        let made = texts();
        for (service, text) in project.services.iter().zip(&made) {
            assert_eq!(mode(&of_service(data.path(), &service.name)), 0o600);
            let keys: toml::Table = text.parse().unwrap();
            assert_eq!(keys["active"].as_str(), Some("k1"));
            // 32 bytes in base64.
            assert_eq!(keys["index_key"].as_str().unwrap().len(), 44);
            assert_eq!(keys["keys"]["k1"].as_str().unwrap().len(), 44);
            assert_ne!(keys["index_key"], keys["keys"]["k1"]);
        }
        assert_ne!(made[0], made[1]);

        let form_key = || fs::read(of_forms(data.path())).unwrap();
        let made_form_key = form_key();
        assert_eq!(mode(&of_forms(data.path())), 0o600);
        assert_eq!(made_form_key.len(), 32);

        // M8: svc-booking authenticates to svc-messaging with it.
        let notice_token = || fs::read_to_string(of_notices(data.path())).unwrap();
        let made_notice_token = notice_token();
        assert_eq!(mode(&of_notices(data.path())), 0o600);
        assert_eq!(made_notice_token.trim().len(), 43);

        let staff_files = [of_sessions, of_tokens, of_token_set, of_staff_client];
        let staff_texts = || staff_files.map(|file| fs::read_to_string(file(data.path())).unwrap());
        let made_staff_texts = staff_texts();
        for file in staff_files {
            assert_eq!(mode(&file(data.path())), 0o600);
        }
        let [sessions, token_key, token_set, client_secret] = &made_staff_texts;
        assert_eq!(sessions.trim().len(), 44);
        assert!(token_key.starts_with("-----BEGIN PRIVATE KEY-----"));
        let token_set: serde_json::Value = serde_json::from_str(token_set).unwrap();
        assert_eq!(token_set["keys"][0]["crv"], "Ed25519");
        assert!(token_set["keys"][0].get("d").is_none(), "the key is public");
        assert_eq!(client_secret.trim().len(), 43);

        ensure(&project, data.path()).unwrap();
        assert_eq!(staff_texts(), made_staff_texts);
        assert_eq!(texts(), made);
        assert_eq!(notice_token(), made_notice_token);
        assert_eq!(form_key(), made_form_key);
        let left = fs::read_dir(folder(data.path())).unwrap().count();
        assert_eq!(left, project.services.len() + 2 + staff_files.len());
    }
}
