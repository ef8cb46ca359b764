//! Settings of the staff area.

use std::path::{Path, PathBuf};

use clap::Args;
use url::Url;

use super::{error::SessionError, site::is_secure_or_local};

/// Name of the claim with a person's groups, unless configured.
const GROUPS_CLAIM_DEFAULT: &str = "groups";
/// Scopes of a sign-in, unless configured.
const SCOPES_DEFAULT: &str = "openid profile";
/// Scope that makes an OAuth request one of OpenID Connect.
const OPENID: &str = "openid";
/// Maximum length of the scopes, in bytes.
const SCOPES_BYTES_MAX: usize = 255;
/// Maximum length of the issuer's address, in bytes.
const ISSUER_BYTES_MAX: usize = 512;
/// Maximum length of the client id and of the claim's name, in bytes.
const NAME_BYTES_MAX: usize = 255;

/// Sign-in of staff by OpenID Connect.
#[derive(Clone, Debug, Default, Args)]
pub struct SessionConfig {
    /// Issuer that signs staff in, exactly as its discovery document names it: https, or http on this machine. Without
    /// it there is no staff area, and the other STAFF settings, SESSION_KEYS_FILE and TOKEN_KEY_FILE are refused.
    #[arg(long, env = "STAFF_ISSUER", value_parser = issuer)]
    pub staff_issuer: Option<String>,

    /// Client id of this site at the issuer (1 to 255 visible ASCII characters).
    #[arg(long, env = "STAFF_CLIENT_ID", value_parser = client_id)]
    pub staff_client_id: Option<String>,

    /// File with the client's secret, as one line. Reloaded when the file changes.
    #[arg(long, env = "STAFF_CLIENT_SECRET_FILE")]
    pub staff_client_secret_file: Option<PathBuf>,

    /// TOML file that maps the issuer's groups to scopes: `[roles]`, then `frontdesk = ["appointments:read"]`. At most
    /// 64 groups and 64 different scopes. Other groups get no scope. `[doctors]` maps a person's claim `sub` to the id
    /// of a doctor of the roster, for at most 500 people. Reloaded when the file changes, also for people who are
    /// signed in.
    #[arg(long, env = "STAFF_ROLES")]
    pub staff_roles: Option<PathBuf>,

    /// Claim of the ID token with a person's groups: an array of texts, or one text. Default: groups.
    #[arg(long, env = "STAFF_GROUPS_CLAIM", value_parser = groups_claim)]
    pub staff_groups_claim: Option<String>,

    /// Scopes that a sign-in requests at the issuer, separated by one space, with `openid` among them. Some issuers put
    /// the groups into the ID token only for a scope of their own, often `groups`. Default: openid profile.
    #[arg(long, env = "STAFF_ISSUER_SCOPES", value_parser = issuer_scopes)]
    pub staff_issuer_scopes: Option<String>,

    /// File with 1 to 8 keys that seal cookies, one per line: 32 random bytes in base64. The first key seals, all of
    /// them open, so a new key goes in front of the old ones. Reloaded when the file changes.
    #[arg(long, env = "SESSION_KEYS_FILE")]
    pub session_keys_file: Option<PathBuf>,

    /// File that keeps ended sessions, at most 100000, so that a sign-out outlives a restart. Created if it is missing,
    /// with two files beside it, so its folder must be writable. Several gateways on one machine may share it. Without
    /// it, a restart forgets which sessions were ended.
    #[arg(long, env = "STAFF_ENDED_FILE")]
    pub staff_ended_file: Option<PathBuf>,

    /// File with 1 to 4 private Ed25519 keys for the gateway's own tokens: PKCS#8 as PEM, or one as DER. The first key
    /// signs, the public keys of all are published. Reloaded when the file changes.
    #[arg(long, env = "TOKEN_KEY_FILE")]
    pub token_key_file: Option<PathBuf>,
}

/// The checked settings of a staff area.
#[derive(Debug)]
pub(crate) struct Settings<'a> {
    pub(crate) issuer: &'a str,
    pub(crate) client_id: &'a str,
    pub(crate) client_secret_file: &'a Path,
    pub(crate) roles: &'a Path,
    pub(crate) groups_claim: &'a str,
    pub(crate) scopes: &'a str,
    pub(crate) session_keys_file: &'a Path,
    pub(crate) ended_file: Option<&'a Path>,
    pub(crate) token_key_file: &'a Path,
}

impl SessionConfig {
    /// Returns the settings; `None` without an issuer. All settings that are missing or out of place are named at once.
    pub(crate) fn settings(&self) -> Result<Option<Settings<'_>>, SessionError> {
        let secret = self.staff_client_secret_file.as_deref();
        let roles = self.staff_roles.as_deref();
        let session_keys = self.session_keys_file.as_deref();
        let token_key = self.token_key_file.as_deref();
        let required = [
            ("STAFF_CLIENT_ID", self.staff_client_id.is_some()),
            ("STAFF_CLIENT_SECRET_FILE", secret.is_some()),
            ("STAFF_ROLES", roles.is_some()),
            ("SESSION_KEYS_FILE", session_keys.is_some()),
            ("TOKEN_KEY_FILE", token_key.is_some()),
        ];
        let optional = [
            ("STAFF_GROUPS_CLAIM", self.staff_groups_claim.is_some()),
            ("STAFF_ISSUER_SCOPES", self.staff_issuer_scopes.is_some()),
            ("STAFF_ENDED_FILE", self.staff_ended_file.is_some()),
        ];
        let Some(address) = &self.staff_issuer else {
            let settings = named(required.into_iter().chain(optional), true);
            return settings.map_or(Ok(None), |settings| {
                Err(SessionError::WithoutIssuer { settings })
            });
        };
        let (Some(id), Some(secret), Some(roles), Some(session_keys), Some(token_key)) = (
            self.staff_client_id.as_deref(),
            secret,
            roles,
            session_keys,
            token_key,
        ) else {
            let settings = named(required, false).unwrap_or_default();
            return Err(SessionError::Missing { settings });
        };
        let claim = self.staff_groups_claim.as_deref();
        let claim = claim.unwrap_or(GROUPS_CLAIM_DEFAULT);
        let scopes = self.staff_issuer_scopes.as_deref();
        let scopes = scopes.unwrap_or(SCOPES_DEFAULT);
        for (setting, checked) in [
            ("STAFF_ISSUER", issuer(address)),
            ("STAFF_CLIENT_ID", client_id(id)),
            ("STAFF_GROUPS_CLAIM", groups_claim(claim)),
            ("STAFF_ISSUER_SCOPES", issuer_scopes(scopes)),
        ] {
            checked.map_err(|problem| SessionError::Invalid { setting, problem })?;
        }
        Ok(Some(Settings {
            issuer: address,
            client_id: id,
            client_secret_file: secret,
            roles,
            groups_claim: claim,
            scopes,
            session_keys_file: session_keys,
            ended_file: self.staff_ended_file.as_deref(),
            token_key_file: token_key,
        }))
    }
}

/// Names the settings that are set, or that are not.
fn named(settings: impl IntoIterator<Item = (&'static str, bool)>, is_set: bool) -> Option<String> {
    let settings = settings.into_iter().filter(|setting| setting.1 == is_set);
    let names: Vec<_> = settings.map(|setting| setting.0).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// Parses an issuer's address (OpenID Connect Discovery, 3). The text is kept, because tokens repeat it exactly.
fn issuer(text: &str) -> Result<String, String> {
    let is_issuer = |url: &Url| {
        is_secure_or_local(url)
            && url.query().is_none()
            && url.fragment().is_none()
            && text.is_ascii()
            && text.len() <= ISSUER_BYTES_MAX
    };
    Url::parse(text)
        .ok()
        .filter(is_issuer)
        .map(|_| text.to_owned())
        .ok_or_else(|| {
            format!(
                "must be https, or http on this machine, without query, fragment or password, at most \
                 {ISSUER_BYTES_MAX} bytes"
            )
        })
}

fn client_id(text: &str) -> Result<String, String> {
    name(text)
}

fn groups_claim(text: &str) -> Result<String, String> {
    name(text)
}

/// Parses the scopes of a sign-in (RFC 6749, 3.3).
fn issuer_scopes(text: &str) -> Result<String, String> {
    let is_scope = |scope: &str| {
        let is_allowed = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\');
        !scope.is_empty() && scope.bytes().all(is_allowed)
    };
    let mut scopes = text.split(' ');
    let are_scopes = text.len() <= SCOPES_BYTES_MAX
        && scopes.clone().all(is_scope)
        && scopes.any(|scope| scope == OPENID);
    are_scopes.then(|| text.to_owned()).ok_or_else(|| {
        format!(
            "must be scopes separated by one space, with `{OPENID}` among them, at most \
             {SCOPES_BYTES_MAX} bytes"
        )
    })
}

fn name(text: &str) -> Result<String, String> {
    let is_name = (1..=NAME_BYTES_MAX).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_graphic());
    is_name
        .then(|| text.to_owned())
        .ok_or_else(|| format!("must have 1 to {NAME_BYTES_MAX} visible ASCII characters"))
}

/// Parses the file with the client's secret.
pub(crate) fn client_secret(file: &[u8]) -> Result<ClientSecret, String> {
    let text = str::from_utf8(file).unwrap_or_default().trim_end();
    let is_secret = !text.is_empty() && !text.chars().any(char::is_control);
    is_secret
        .then(|| ClientSecret(text.to_owned()))
        .ok_or_else(|| "is not one line of text".to_owned())
}

/// The client's secret. It has no `Debug`.
pub(crate) struct ClientSecret(pub(crate) String);

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Program {
        #[command(flatten)]
        config: SessionConfig,
    }

    fn parse(flags: &[&str]) -> Result<SessionConfig, clap::Error> {
        let flags = ["gateway"].iter().chain(flags);
        Program::try_parse_from(flags).map(|program| program.config)
    }

    const ALL: [&str; 6] = [
        "--staff-issuer=https://issuer.example/realms/hospital",
        "--staff-client-id=desk",
        "--staff-client-secret-file=secret",
        "--staff-roles=roles.toml",
        "--session-keys-file=keys",
        "--token-key-file=token.pem",
    ];

    #[test]
    fn nothing_is_configured_by_default() {
        let config = parse(&[]).expect("no flags are needed");
        assert!(config.settings().expect("allowed").is_none());
    }

    #[test]
    fn names_every_missing_setting() {
        let config = parse(&ALL).expect("allowed");
        let settings = config.settings().expect("allowed").expect("a staff area");
        assert_eq!(
            (settings.groups_claim, settings.scopes),
            ("groups", "openid profile")
        );
        let some = parse(&[ALL[0], ALL[1], ALL[4]]).expect("allowed");
        assert_eq!(
            some.settings().expect_err("missing").to_string(),
            "STAFF_ISSUER is set, so these settings are required: STAFF_CLIENT_SECRET_FILE, STAFF_ROLES, \
             TOKEN_KEY_FILE"
        );
    }

    #[test]
    fn refuses_each_setting_without_an_issuer() {
        let others = [
            "--staff-groups-claim=roles",
            "--staff-issuer-scopes=openid",
            "--staff-ended-file=ended",
        ];
        for flag in ALL[1..].iter().chain(&others) {
            let error = parse(&[*flag]).expect("allowed");
            let error = error.settings().expect_err("no issuer").to_string();
            let name = flag[2..].split('=').next().unwrap_or_default();
            let name = name.to_ascii_uppercase().replace('-', "_");
            assert!(error.ends_with(&format!(": {name}")), "{error}");
        }
    }

    #[test]
    fn refuses_invalid_values() {
        let long = format!("https://issuer.example/{}", "a".repeat(512));
        for issuer in [
            "",
            "issuer.example",
            "http://issuer.example",
            "ftp://127.0.0.1",
            "https://issuer.example?x",
            "https://issuer.example#x",
            "https://user:word@issuer.example",
            &long,
        ] {
            let config = SessionConfig {
                staff_issuer: Some(issuer.to_owned()),
                ..parse(&ALL).expect("allowed")
            };
            let error = config.settings().expect_err(issuer).to_string();
            assert!(error.starts_with("STAFF_ISSUER must be https"), "{error}");
            assert!(parse(&["--staff-issuer", issuer]).is_err(), "{issuer}");
        }
        for issuer in [
            "http://127.0.0.1:9400",
            "http://localhost/",
            "http://[::1]:1",
        ] {
            assert!(parse(&["--staff-issuer", issuer]).is_ok(), "{issuer}");
        }
        for flag in [
            "--staff-client-id=",
            "--staff-client-id=a b",
            "--staff-groups-claim=",
            "--staff-issuer-scopes=",
            "--staff-issuer-scopes=profile groups",
            "--staff-issuer-scopes=openid  groups",
            "--staff-issuer-scopes=openid \"groups\"",
        ] {
            assert!(parse(&[flag]).is_err(), "{flag}");
        }
    }

    #[test]
    fn requests_the_configured_scopes() {
        let flags = [&ALL[..], &["--staff-issuer-scopes=openid groups"]].concat();
        let config = parse(&flags).expect("allowed");
        let settings = config.settings().expect("allowed").expect("a staff area");
        assert_eq!(settings.scopes, "openid groups");
    }

    #[test]
    fn reads_a_secret_of_one_line() {
        let secret = client_secret(b"a secret\n").map(|secret| secret.0);
        assert_eq!(secret.as_deref(), Ok("a secret"));
        for bad in [&b""[..], b"\n", b"a\nb", b"\xff"] {
            assert!(client_secret(bad).is_err());
        }
    }
}
