//! Flags and environment variables specific to this service. Invalid values are refused before a port is bound.

use std::path::PathBuf;

use service_kit::auth::AuthConfig;

use crate::{media::files::MediaUrl, values::Origin};

/// Settings specific to this service.
#[derive(Debug, Clone, clap::Args)]
pub struct Arguments {
    /// Folder with all content files: site.toml, doctors.toml and so on. Default: the files compiled into the program.
    #[arg(long, env = "CONTENT_DIR")]
    pub content_dir: Option<PathBuf>,

    /// Public address of the site, for canonical URLs: http:// or https://, a host and optionally a port, without a
    /// trailing slash. Default: the origin in site.toml.
    #[arg(long, env = "SITE_ORIGIN")]
    pub site_origin: Option<Origin>,

    /// Place of uploaded pictures: file: and a folder, or s3://bucket/prefix. S3 takes its settings from the variables
    /// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT and AWS_ALLOW_HTTP. Several processes need S3
    /// or a shared folder.
    #[arg(long, env = "MEDIA_URL", default_value = "file:data/media")]
    pub media_url: MediaUrl,

    /// Authentication of writers of posts.
    #[command(flatten)]
    pub auth: AuthConfig,
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, FromArgMatches as _};
    use store_kit::process::{Config, Service as _};

    use super::*;
    use crate::SvcContent;

    fn parse(arguments: &[&str]) -> Result<Config<Arguments>, clap::Error> {
        let command = SvcContent::DEFAULTS.on(Config::<Arguments>::command());
        let matches = command.try_get_matches_from([&["svc-content"], arguments].concat())?;
        Config::from_arg_matches(&matches)
    }

    #[test]
    fn refuses_unusable_values() {
        assert!(parse(&[]).is_ok());
        assert!(parse(&["--database-url", "sqlite:x.db", "migrate"]).is_ok());
        assert!(parse(&["--jwks-url", "https://issuer.example/jwks.json"]).is_ok());
        for bad in [
            ["--listen", "nowhere"],
            ["--site-origin", "https://sampige.example/"],
            ["--media-url", "data/media"],
            ["--database-url", "mysql:x"],
            ["--database-connections-max", "0"],
            ["--jwt-audience", ""],
            ["--jwks-url", "http://issuer.example/jwks.json"],
        ] {
            assert!(parse(&bad).is_err(), "{bad:?}");
        }
    }
}
