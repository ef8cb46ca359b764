//! Team messaging: receives and routes visitors' messages, and sends the hospital's mails.
//!
//! `domain` has the rules and depends on nothing else. `spam` classifies messages. `store` has the SQL but no rules.
//! `service` implements the gRPC services, and `wire` converts between the contract and the domain.

pub mod content;
pub mod delivery;
pub mod domain;
pub mod mail;
mod metrics;
pub mod newsletter;
mod notice;
pub mod service;
pub mod site;
pub mod spam;
pub mod store;
pub mod wire;

use std::{path::PathBuf, sync::Arc};

use async_trait::async_trait;
use change_rpc::Announcer;
use hospital_proto::messaging::v1::{
    delivery_service_server::{self, DeliveryServiceServer},
    event_service_server::{self, EventServiceServer},
    inbox_service_server::{self, InboxServiceServer},
    messaging_service_server::{self, MessagingServiceServer},
    newsletter_service_server::{self, NewsletterServiceServer},
    notice_service_server::{self, NoticeServiceServer},
};
use service_kit::{
    auth::{AuthConfig, Verifier},
    input::OwnMailboxes,
    source::{Clock, Ids},
};
use store_kit::{
    keys::Keys,
    migrate::Schema,
    process::{Background, Context, Defaults, Served, Service, StartError},
};
use tonic::service::Routes;

use content::{ContentConfig, ContentReader};
use delivery::{config::Delivery, sources::Stored};
use domain::{
    mailboxes::{Mailboxes, MailboxesError},
    retention::Retention,
};
use newsletter::Links;
use notice::Tokens;
use service::{
    DeliveryRpcs, EventRpcs, InboxRpcs, LISTS, MessagingRpcs, NewsletterRpcs, SeenCourier,
};
use site::{CurrentSite, Site};
use store::Store;

/// Maximum size of a request, in bytes: the longest valid issue in four-byte characters, plus headroom.
const REQUEST_BYTES_MAX: usize = 128 * 1024;

/// Settings specific to this service.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// TOML file of mailboxes, with the subject words that route to each. Default: the file compiled into the program.
    #[arg(long, env = "MAILBOXES", value_name = "PATH")]
    pub mailboxes: Option<PathBuf>,

    /// Issuer and verification of staff tokens.
    #[command(flatten)]
    pub auth: AuthConfig,

    /// Facts about the hospital used in mails.
    #[command(flatten)]
    pub site: Site,

    /// Connection to the content service.
    #[command(flatten)]
    pub content: ContentConfig,

    /// Mail delivery settings.
    #[command(flatten)]
    pub delivery: Delivery,

    /// Retention periods of visitors' data.
    #[command(flatten)]
    pub retention: Retention,

    /// File with the tokens of services that may request notices: one per line, at least 32 characters each. Use
    /// several lines during token rotation. Required, except with --development.
    #[arg(long, env = "NOTICE_TOKEN_FILE", value_name = "PATH")]
    pub notice_token_file: Option<PathBuf>,
}

impl Arguments {
    fn mailboxes(&self) -> Result<Mailboxes, MailboxesError> {
        match &self.mailboxes {
            Some(path) => Mailboxes::read(path),
            None => Ok(Mailboxes::embedded()),
        }
    }

    fn notice_tokens(&self, is_development: bool) -> Result<Tokens, StartError> {
        match &self.notice_token_file {
            Some(path) => Ok(Tokens::read(path)?),
            None if is_development => Ok(Tokens::default()),
            None => Err(
                "NOTICE_TOKEN_FILE (--notice-token-file) must be set: without it any client that reaches the port could write to \
                 patients (or start with --development)"
                    .into(),
            ),
        }
    }

    /// Returns the hospital's own mailboxes, which never belong to a patient.
    fn own_mailboxes(&self, site: &Site, mailboxes: &Mailboxes) -> OwnMailboxes {
        let from = self.delivery.mail_from.email.to_string();
        let bounces = self.delivery.bounce_address.as_deref();
        let addresses = mailboxes
            .addresses()
            .chain([site.email.as_str(), from.as_str()])
            .chain(bounces);
        OwnMailboxes::new(&site.origin, addresses)
    }

    fn store(&self, context: &Context) -> Result<Store, MailboxesError> {
        let (database, keys) = (context.database.clone(), context.keys.clone());
        Ok(Store::new(database, keys, Arc::new(self.mailboxes()?)))
    }
}

/// Shared state of the gRPC services.
#[derive(Debug)]
pub struct Parts {
    pub store: Store,
    pub keys: Keys,
    /// Verifies staff tokens, which grant access to visitors' messages.
    pub verifier: Verifier,
    /// Facts about the hospital, which follow the content service.
    pub site: Arc<CurrentSite>,
    /// Reads the content service; `None` if none is configured.
    pub content: Option<ContentReader>,
    /// Builds the links in newsletter mails.
    pub links: Links,
    /// The hospital's own mailboxes, which never belong to a patient.
    pub own: OwnMailboxes,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
    /// Publishes changes of the staff's lists to watchers.
    pub seen: Arc<Announcer>,
}

/// The service's process definition.
#[derive(Clone, Copy, Debug)]
pub struct Messaging;

#[async_trait]
impl Service for Messaging {
    type Arguments = Arguments;

    const DEFAULTS: Defaults = Defaults {
        name: "svc-messaging",
        version: service_kit::version!(),
        team: "messaging",
        about: "Receives visitors' messages and sends the hospital's mail, over gRPC. Without a command it serves.",
        listen: env!("SERVICE_LISTEN"),
        operators_listen: env!("SERVICE_OPERATORS_LISTEN"),
        database_url: env!("SERVICE_DATABASE_URL"),
    };

    const SCHEMA: Schema = store::SCHEMA;

    async fn start(arguments: &Arguments, context: &Context) -> Result<Served, StartError> {
        let site = arguments.site.clone().complete(context.is_development)?;
        let mailboxes = arguments.mailboxes()?;
        let own = arguments.own_mailboxes(&site, &mailboxes);
        let site_facts = arguments.content.content()?;
        if site_facts.is_none() {
            tracing::warn!(
                "CONTENT_URL is not set: mails have the SITE_* settings, and registrations are not counted"
            );
        }
        let links = Links::new(context.keys.clone(), &site.origin);
        let site = Arc::new(CurrentSite::new(site));
        let parts = Arc::new(Parts {
            store: arguments.store(context)?,
            keys: context.keys.clone(),
            verifier: Verifier::from_config(&arguments.auth)?,
            links,
            own: own.clone(),
            site: Arc::clone(&site),
            content: site_facts,
            clock: Arc::clone(&context.clock),
            ids: Arc::clone(&context.ids),
            seen: Arc::new(Announcer::new(context.ids.uuid(), LISTS)),
        });
        let changes = change_rpc::server(Arc::clone(&parts.seen), context.stopping.clone());
        macro_rules! server {
            ($server:ident, $rpcs:ident) => {
                $server::new($rpcs(Arc::clone(&parts))).max_decoding_message_size(REQUEST_BYTES_MAX)
            };
        }
        let routes = Routes::new(server!(MessagingServiceServer, MessagingRpcs))
            .add_service(server!(InboxServiceServer, InboxRpcs))
            .add_service(server!(NewsletterServiceServer, NewsletterRpcs))
            .add_service(server!(DeliveryServiceServer, DeliveryRpcs))
            .add_service(server!(EventServiceServer, EventRpcs))
            .add_service(changes)
            .add_service(audit_rpc::server(context, parts.verifier.clone()));
        // Notices requested by other services, and mail delivery.
        let has_sms = arguments.delivery.has_sms();
        let tokens = arguments.notice_tokens(context.is_development)?;
        let notices = notice::NoticeRpcs::new(context, Arc::clone(&site), has_sms, tokens, own);
        let notices =
            NoticeServiceServer::new(notices).max_decoding_message_size(notice::REQUEST_BYTES_MAX);
        let routes = routes.add_service(notices);
        let sources = Stored {
            database: context.database.clone(),
            keys: context.keys.clone(),
        };
        let courier = arguments
            .delivery
            .courier(site, Arc::new(sources), context)?;
        let courier = SeenCourier {
            courier,
            seen: Arc::clone(&parts.seen),
        };
        let retention = arguments.retention;
        let bounces = arguments.delivery.bounces(context)?;
        let folders = arguments.delivery.folders();
        let digest_to = mailboxes.reception();
        let background: Background = Box::new(move |ready| {
            Box::pin(async move {
                ready.send_replace(true);
                let newsletters = service::send_newsletters(Arc::clone(&parts));
                let watch = service::watch(Arc::clone(&parts), digest_to);
                let seen = Arc::clone(&parts.seen);
                let returned = async {
                    if let Some(bounces) = bounces {
                        bounces.watch(|| service::bounced(&seen)).await;
                    }
                };
                let following = content::follow(Arc::clone(&parts));
                let retention = service::keep_retention(parts, retention, folders);
                tokio::join!(newsletters, retention, watch, returned, following);
            })
        });
        Ok(Served {
            routes,
            names: vec![
                messaging_service_server::SERVICE_NAME,
                inbox_service_server::SERVICE_NAME,
                newsletter_service_server::SERVICE_NAME,
                delivery_service_server::SERVICE_NAME,
                event_service_server::SERVICE_NAME,
                notice_service_server::SERVICE_NAME,
                change_rpc::SERVICE_NAME,
                audit_rpc::SERVICE_NAME,
            ],
            descriptor_set: hospital_proto::FILE_DESCRIPTOR_SET,
            background: Some(background),
            outlives_database: false,
            receiver: Some(Arc::new(courier)),
        })
    }

    async fn retain(
        arguments: &Arguments,
        context: &Context,
        dry_run: bool,
    ) -> Result<Vec<String>, StartError> {
        let store = arguments.store(context)?;
        let (retention, now) = (&arguments.retention, context.clock.now());
        Ok(if dry_run {
            store.over(retention, now).await?.report("expired")
        } else {
            store.retain(retention, now).await?.report("removed")
        })
    }
}
