//! Staff sign-in of a local run: its issuer, and the settings that the gateway and the services get for it.
//!
//! The issuer's accounts have known passwords. Like the site of a local run, it listens on loopback only; it refuses any
//! other address itself.

use std::process::Command;

use crate::{
    keys, shell,
    site::{Site, loopback},
};

pub(crate) const ISSUER: &str = "issuer";
/// Accounts of the issuer, as in `e2e/issuer/accounts.mjs`.
pub(crate) const ACCOUNTS: &str = "frontdesk, editor, doctor or manager";
/// Settings of the gateway that a stray variable must not change.
pub(crate) const VARIABLES: [&str; 9] = [
    "STAFF_ISSUER",
    "STAFF_CLIENT_ID",
    "STAFF_CLIENT_SECRET_FILE",
    "STAFF_ROLES",
    "STAFF_GROUPS_CLAIM",
    "STAFF_ISSUER_SCOPES",
    "STAFF_ENDED_FILE",
    "SESSION_KEYS_FILE",
    "TOKEN_KEY_FILE",
];
/// Client id of the gateway at the issuer.
const CLIENT_ID: &str = "hospital-gateway";
/// Scopes of the issuer's groups.
const ROLES: &str = "deploy/staff-roles.toml";
/// Issuer and audience of the tokens that the gateway signs for the services.
const TOKEN_ISSUER: &str = "gateway";
const TOKEN_AUDIENCE: &str = "hospital-services";

/// Returns the command that starts the issuer.
pub(crate) fn issuer(site: &Site<'_>) -> Command {
    let mut command = shell::command(&site.project.root, "node", ["e2e/issuer/issuer.mjs"]);
    let origin = site.origin();
    command
        .args(["--listen", &loopback(site.ports.issuer)])
        .args(["--client-id", CLIENT_ID])
        .arg("--client-secret-file")
        .arg(keys::of_staff_client(&site.data))
        .arg("--keys")
        .arg(keys::of_issuer(&site.data))
        .args(["--redirect-uri", &format!("{origin}/staff/callback")])
        .args(["--post-logout-uri", &format!("{origin}/")])
        .args([
            "--back-channel-logout-uri",
            &format!("{origin}/staff/back-channel-logout"),
        ]);
    command
}

/// Adds the settings with which staff can sign in at the gateway.
pub(crate) fn for_gateway(site: &Site<'_>, command: &mut Command) {
    command
        // Staff sign in at the first origin; forms may also be sent from the second.
        .env(
            "SITE_ORIGINS",
            format!("{},http://localhost:{}", site.origin(), site.ports.site),
        )
        .env(
            "STAFF_ISSUER",
            format!("http://{}", loopback(site.ports.issuer)),
        )
        .env("STAFF_CLIENT_ID", CLIENT_ID)
        .env(
            "STAFF_CLIENT_SECRET_FILE",
            keys::of_staff_client(&site.data),
        )
        .env("STAFF_ROLES", site.project.root.join(ROLES))
        .env("STAFF_ENDED_FILE", site.data.join("staff-ended"))
        .env("SESSION_KEYS_FILE", keys::of_sessions(&site.data))
        .env("TOKEN_KEY_FILE", keys::of_tokens(&site.data));
}

/// Makes a service accept the gateway's tokens. The gateway also verifies the tokens of programs, and signs a new one
/// for each call.
pub(crate) fn for_service(site: &Site<'_>, command: &mut Command) {
    command
        .env("JWKS_FILE", keys::of_token_set(&site.data))
        .env("JWT_ISSUER", TOKEN_ISSUER)
        .env("JWT_AUDIENCE", TOKEN_AUDIENCE);
}
