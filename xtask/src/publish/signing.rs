//! Signatures of published versions: of a version's manifest, and of the entry of `remotes.json` that names it.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Map, Value};

use crate::shell;

const SIGN: &str = include_str!("sign.mjs");
const VERIFY: &str = include_str!("verify-signature.mjs");
/// Context line, signed in front of the bytes so that a signature is not valid for another purpose. The gateway uses
/// the same context lines.
pub(super) const MANIFEST: &str = "hospital page modules, integrity 1\n";
const POINTER: &str = "hospital page modules, pointer 1\n";
/// Signed fields of an entry. A gateway with keys uses no others.
const FIELDS: [&str; 7] = [
    "stable",
    "previous",
    "canary",
    "integrity",
    "published",
    "keep",
    "moves",
];
const SIGNED: &str = "signed";
const SIGNATURE: &str = "signature";

/// Returns the signature, in base64, of a context line followed by these bytes.
///
/// # Errors
/// When the file is not an Ed25519 key as PKCS#8 in PEM.
pub(crate) fn sign(key: &Path, context: &str, bytes: Vec<u8>) -> Result<String> {
    let arguments = ["--input-type=module", "-e", SIGN];
    let mut node = shell::command(Path::new("."), "node", arguments);
    node.arg(key).arg(context);
    let signature = shell::feed(&mut node, bytes)
        .with_context(|| format!("{} does not sign", key.display()))?;
    Ok(String::from_utf8(signature)?)
}

/// Verifies a signature in base64 of a context line followed by these bytes.
///
/// # Errors
/// When the signature is not of this key (32 bytes in base64) and these bytes.
pub(crate) fn verify(key: &str, context: &str, signature: &str, bytes: Vec<u8>) -> Result<()> {
    let arguments = ["--input-type=module", "-e", VERIFY, key, context, signature];
    let mut node = shell::command(Path::new("."), "node", arguments);
    shell::feed(&mut node, bytes).map(drop)
}

/// Signs an entry's fields. Without a key the old signature is only removed, because it covers the fields before the
/// move.
pub(super) fn renew(entry: &mut Value, name: &str, key: Option<&Path>) -> Result<()> {
    let entry = entry.as_object_mut().context("an entry is an object")?;
    entry.remove(SIGNED);
    entry.remove(SIGNATURE);
    let Some(key) = key else { return Ok(()) };
    let mut statement = Map::from_iter([("name".to_owned(), name.into())]);
    for field in FIELDS {
        if let Some(value) = entry.get(field) {
            statement.insert(field.to_owned(), value.clone());
        }
    }
    let statement = Value::Object(statement).to_string();
    let signature = sign(key, POINTER, statement.clone().into_bytes())?;
    entry.insert(SIGNED.to_owned(), statement.into());
    entry.insert(SIGNATURE.to_owned(), signature.into());
    Ok(())
}

/// Returns an entry as gateways with keys read it. The next signature must not cover unsigned fields that were edited
/// beside the signed ones.
///
/// # Errors
/// When the entry's signed statement is for another name.
pub(super) fn stated(entry: &Value, name: &str) -> Result<Value> {
    let mut stated = entry.clone();
    let (Some(text), Some(fields)) = (entry[SIGNED].as_str(), stated.as_object_mut()) else {
        return Ok(stated);
    };
    let statement: Value = serde_json::from_str(text).unwrap_or_default();
    ensure!(
        statement["name"] == name,
        "`signed` of {name} in remotes.json is not for {name}: it was changed"
    );
    for field in FIELDS {
        fields.remove(field);
        if let Some(value) = statement.get(field) {
            fields.insert(field.to_owned(), value.clone());
        }
    }
    Ok(stated)
}

/// Returns an entry's signed statement if it was not signed by this key: it was signed with another key, or tampered
/// with. Only the gateway knows all keys of a team and can tell the two cases apart.
///
/// # Errors
/// When signing with this key fails.
pub(super) fn signed_by_another(entry: &Value, key: &Path) -> Result<Option<String>> {
    let Some(text) = entry[SIGNED].as_str() else {
        return Ok(None);
    };
    // Ed25519 signatures are deterministic (RFC 8032).
    let signature = sign(key, POINTER, text.as_bytes().to_vec())?;
    Ok((entry[SIGNATURE] != signature).then(|| text.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf, process::Command};

    use serde_json::json;
    use tempfile::TempDir;

    use super::*;
    use crate::{
        page_contract::Contract,
        project::Project,
        publish::{
            pointer::{Move, POINTERS, entry, move_in, read},
            published, put,
            verification::is_sealed,
        },
    };

    /// A folder of remotes whose pointer has moved to booking 1 and then 2, and a separate folder of keys.
    struct Scratch {
        remotes: TempDir,
        keys: TempDir,
    }

    impl Scratch {
        fn new() -> Self {
            let [remotes, keys] = [(); 2].map(|()| tempfile::tempdir().unwrap());
            let scratch = Self { remotes, keys };
            for version in ["1", "2"] {
                scratch.to(Move::Stable(version), None).unwrap();
            }
            scratch
        }

        fn to(&self, to: Move<'_>, key: Option<&Path>) -> Result<String> {
            let contract = Contract::of(&Project::find()?)?;
            let digest = Some("sha256-x");
            move_in(self.remotes.path(), "booking", to, digest, &contract, key)
        }

        fn pointers(&self) -> Value {
            read(self.remotes.path(), POINTERS).unwrap()
        }

        fn booking(&self) -> Value {
            entry(&self.pointers(), "booking").clone()
        }

        fn change(&self, change: impl Fn(&mut Value)) {
            let mut pointers = self.pointers();
            change(&mut pointers);
            fs::write(self.remotes.path().join(POINTERS), pointers.to_string()).unwrap();
        }

        fn key(&self, algorithm: &[&str]) -> PathBuf {
            let file = self.keys.path().join(algorithm[0]);
            let make = ["genpkey", "-algorithm"].iter().chain(algorithm);
            openssl(make.map(Path::new).chain([Path::new("-out"), &file]));
            file
        }

        /// Returns the entry's signed statement, after openssl has verified its signature by this key.
        fn stated(&self, key: &Path) -> Value {
            let booking = self.booking();
            let statement = booking["signed"].as_str().unwrap();
            let [message, signature, encoded] =
                ["message", "signature", "encoded"].map(|name| self.keys.path().join(name));
            fs::write(
                &message,
                format!("hospital page modules, pointer 1\n{statement}"),
            )
            .unwrap();
            fs::write(&encoded, booking["signature"].as_str().unwrap()).unwrap();
            let decode = ["base64", "-d", "-A", "-in"].map(Path::new).into_iter();
            openssl(decode.chain([&*encoded, Path::new("-out"), &signature]));
            let verify = ["pkeyutl", "-verify", "-rawin", "-inkey"].map(Path::new);
            let files = [
                key,
                Path::new("-in"),
                &message,
                Path::new("-sigfile"),
                &signature,
            ];
            openssl(verify.into_iter().chain(files));
            serde_json::from_str(statement).unwrap()
        }
    }

    fn openssl<'a>(arguments: impl Iterator<Item = &'a Path>) {
        let ran = Command::new("openssl").args(arguments).output().unwrap();
        let problem = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{problem}");
    }

    /// Returns a statement without the publication times of its versions, which are signed, too.
    fn without_times(statement: &Value) -> Value {
        let mut statement = statement.clone();
        let times = statement.as_object_mut().unwrap().remove("published");
        assert!(times.unwrap().is_object());
        statement
    }

    #[test]
    fn a_moved_entry_is_signed_and_others_are_untouched() {
        let scratch = Scratch::new();
        let content =
            json!({"stable": "7", "moves": 3, "signed": "{}", "signature": "x", "later": 1});
        scratch.change(|pointers| {
            pointers["teams"]["content"] = content.clone();
            pointers["teams"]["booking"]["later"] = true.into();
        });
        let key = scratch.key(&["ed25519"]);
        scratch.to(Move::Canary("3", 10), Some(&key)).unwrap();
        let says = json!({
            "name": "booking", "stable": "2", "previous": "1", "canary": {"version": "3", "percent": 10},
            "integrity": {"1": "sha256-x", "2": "sha256-x", "3": "sha256-x"}, "moves": 3,
        });
        let stated = scratch.stated(&key);
        assert_eq!(without_times(&stated), says);
        let booking = scratch.booking();
        assert_eq!(booking["published"], stated["published"]);
        for (field, value) in says.as_object().unwrap() {
            let plain = (field != "name").then_some(value);
            assert_eq!(booking.get(field), plain, "{field}");
        }
        assert_eq!(booking["later"], true);
        assert_eq!(*entry(&scratch.pointers(), "content"), content);
        scratch.to(Move::Work("4"), Some(&key)).unwrap();
        assert_eq!(scratch.stated(&key)["keep"], true);
    }

    #[test]
    fn another_key_signs_a_folder_again_but_never_with_other_bytes() {
        let (scratch, others) = (Scratch::new(), Scratch::new());
        let [key, other] = [&scratch, &others].map(|scratch| scratch.key(&["ed25519"]));
        let project = Project::find()
            .unwrap()
            .publishing_to(Some(scratch.remotes.path()));
        let built = tempfile::tempdir().unwrap();
        let put_script = |script: &str, key: Option<&Path>| {
            fs::write(built.path().join("server.js"), script).unwrap();
            put(&project, "booking", "1", built.path(), key)
        };
        let folder = published(&project, "booking", "1");
        let is_good = |key| is_sealed(&folder, key).unwrap();
        put_script("one", None).unwrap();
        assert!(is_good(None) && !is_good(Some(&key)));
        let written = || fs::metadata(folder.join("server.js")).unwrap().modified();
        let first = written().unwrap();
        for (ours, theirs) in [(&key, &other), (&other, &key)] {
            put_script("one", Some(ours)).unwrap();
            assert!(is_good(None) && is_good(Some(ours)) && !is_good(Some(theirs)));
        }
        let problem = put_script("two", Some(&key)).unwrap_err().to_string();
        assert!(problem.contains("with other bytes"), "{problem}");
        let script = || fs::read_to_string(folder.join("server.js")).unwrap();
        assert_eq!((script(), written().unwrap()), ("one".to_owned(), first));
        assert!(is_good(Some(&other)), "what is there keeps its signature");
        // As left by older tools or by an interrupted copy.
        fs::remove_file(folder.join("integrity.json")).unwrap();
        assert!(is_good(None) && !is_good(Some(&other)));
        put_script("two", Some(&key)).unwrap();
        assert!(script() == "two" && is_good(Some(&key)));
    }

    #[test]
    fn a_rollback_is_signed_and_increments_the_counter() {
        let scratch = Scratch::new();
        let key = scratch.key(&["ed25519"]);
        scratch.to(Move::Stable("3"), Some(&key)).unwrap();
        assert_eq!(scratch.to(Move::Back, Some(&key)).unwrap(), "2");
        let says =
            json!({"name": "booking", "stable": "2", "integrity": {"2": "sha256-x"}, "moves": 4});
        assert_eq!(without_times(&scratch.stated(&key)), says);
    }

    #[test]
    fn a_move_without_a_key_leaves_no_signature() {
        let scratch = Scratch::new();
        let key = scratch.key(&["ed25519"]);
        for to in [Move::Stable("4"), Move::Back] {
            scratch.to(Move::Stable("3"), Some(&key)).unwrap();
            scratch.stated(&key);
            scratch.to(to, None).unwrap();
            let booking = scratch.booking();
            let left = (booking.get("signed"), booking.get("signature"));
            assert_eq!(left, (None, None), "{to:?}");
        }
    }

    #[test]
    fn does_not_sign_fields_beside_the_signed_entry() {
        let scratch = Scratch::new();
        let key = scratch.key(&["ed25519"]);
        scratch.to(Move::Stable("3"), Some(&key)).unwrap();
        scratch.change(|pointers| {
            let booking = &mut pointers["teams"]["booking"];
            booking["previous"] = "0.9".into();
            booking["canary"] = json!({"version": "0.8", "percent": 99});
            booking["moves"] = 1.into();
        });
        assert_eq!(scratch.to(Move::Back, Some(&key)).unwrap(), "2");
        assert_eq!(scratch.stated(&key)["moves"], 4);
        scratch.to(Move::Stable("3"), Some(&key)).unwrap();
        scratch.change(|pointers| {
            let booking = &mut pointers["teams"]["booking"];
            let signed = booking["signed"]
                .as_str()
                .unwrap()
                .replace("booking", "content");
            booking["signed"] = signed.into();
        });
        let problem = scratch.to(Move::Back, Some(&key)).unwrap_err().to_string();
        assert!(problem.contains("not for booking"), "{problem}");
    }

    #[test]
    fn distinguishes_entries_signed_by_another_key() {
        let scratch = Scratch::new();
        let key = scratch.key(&["ed25519"]);
        let another = |entry: &Value| signed_by_another(entry, &key).unwrap();
        assert_eq!(another(&scratch.booking()), None, "nobody signed it");
        scratch.to(Move::Stable("3"), Some(&key)).unwrap();
        let signed = scratch.booking();
        assert_eq!(another(&signed), None);
        let mut changed = signed.clone();
        changed["signed"] = json!(r#"{"name":"booking","stable":"0.9"}"#);
        assert_eq!(another(&changed).as_deref(), changed["signed"].as_str());
        // Overwrites the file with a different key.
        scratch.key(&["ed25519"]);
        assert_eq!(another(&signed).as_deref(), signed["signed"].as_str());
    }

    #[test]
    fn a_key_that_cannot_sign_moves_nothing() {
        let scratch = Scratch::new();
        let before = scratch.pointers();
        let other = scratch.key(&["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]);
        for key in [&*other, Path::new("nowhere.pem")] {
            let problem = format!(
                "{:#}",
                scratch.to(Move::Stable("3"), Some(key)).unwrap_err()
            );
            assert!(problem.contains(&key.display().to_string()), "{problem}");
        }
        assert_eq!(scratch.pointers(), before);
    }
}
