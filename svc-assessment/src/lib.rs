//! Team assessment: scores self-assessments of health risk and keeps them without any identifier of a person.
//!
//! `domain` knows the rules and nothing else; `store` knows SQL and nothing of the rules; `service` is the gRPC face of both, and
//! `wire` stands between the contract and the domain.

pub mod domain;
pub mod scoring;
mod service;
pub mod store;
pub mod wire;

use async_trait::async_trait;
use hospital_proto::assessment::v1::assessment_service_server::{
    AssessmentServiceServer, SERVICE_NAME,
};
use store_kit::{
    migrate::Schema,
    process::{Context, Defaults, Served, Service, StartError},
};
use tonic::service::Routes;

/// The process.
#[derive(Clone, Copy, Debug)]
pub struct Assessments;

#[async_trait]
impl Service for Assessments {
    type Arguments = ();

    const DEFAULTS: Defaults = Defaults {
        name: "svc-assessment",
        version: service_kit::version!(),
        about: "Scores and keeps self-assessments, over gRPC. Without a command it serves.",
        listen: env!("SERVICE_LISTEN"),
        operators_listen: env!("SERVICE_OPERATORS_LISTEN"),
        database_url: env!("SERVICE_DATABASE_URL"),
    };

    const SCHEMA: Schema = store::SCHEMA;

    async fn start((): &(), context: &Context) -> Result<Served, StartError> {
        let rpcs = AssessmentServiceServer::new(service::AssessmentRpcs::new(context));
        Ok(Served {
            routes: Routes::new(rpcs),
            names: vec![SERVICE_NAME],
            descriptor_set: hospital_proto::FILE_DESCRIPTOR_SET,
            background: None,
            outlives_database: false,
            receiver: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, FromArgMatches as _};
    use store_kit::process::Config;

    use super::*;

    fn parse(arguments: &[&str]) -> Result<Config<()>, clap::Error> {
        let command = Assessments::DEFAULTS.on(Config::<()>::command());
        let matches = command.try_get_matches_from([&["svc-assessment"], arguments].concat())?;
        Config::from_arg_matches(&matches)
    }

    #[test]
    fn flags_have_their_defaults_and_values_that_cannot_work_are_refused() {
        for arguments in [&[][..], &["migrate"]] {
            let config = parse(arguments).expect("the defaults");
            assert_eq!(config.listen.to_string(), "127.0.0.1:50053");
            assert_eq!(
                config.store.url().to_string(),
                "sqlite:data/svc-assessment.db"
            );
        }
        for bad in [
            ["--listen", "nowhere"],
            ["--database-url", "mysql:x"],
            ["--database-connections-max", "0"],
            ["--database-connections-max", "1001"],
        ] {
            assert!(parse(&bad).is_err(), "{bad:?}");
        }
    }
}
