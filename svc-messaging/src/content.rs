//! Follows the content service: the hospital's facts in mails, and its events.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Duration};

use clap::Args;
use hospital_proto::content::v1::{
    self as api, GetEventRequest, GetSiteRequest, ListDepartmentProfilesRequest,
    ListDoctorsRequest, ListEventsRequest, content_service_client::ContentServiceClient,
};
use service_kit::{
    client_tls::{self, ClientTlsError, ClientTlsFiles},
    language::{CONTENT_LANGUAGE, Language},
};
use tonic::{
    Code, Request, Status, codegen::http::Uri, metadata::MetadataValue, transport::Channel,
};

use crate::{
    Parts,
    domain::event::{Announced, Event},
    site::Translated,
};

/// Timeout of a call.
const CALL_TIME_MAX: Duration = Duration::from_secs(3);
/// Poll interval. A changed phone number is in mails written this much later.
const INTERVAL: Duration = Duration::from_secs(10);
/// Poll interval until the first read.
const INTERVAL_AT_FIRST: Duration = Duration::from_secs(2);
/// Polls between two reads of the translations: 5 minutes.
const TRANSLATIONS_EVERY: u32 = 30;
const PAGE_SIZE: i32 = 100;
/// Maximum pages of events read in one poll.
const PAGES_MAX: usize = 20;

/// Address and certificates of the content service, whose facts and events mails follow.
#[derive(Clone, Debug, Default, Args)]
pub struct ContentConfig {
    /// URL of the content service: `http://host:port`, or `https://` with CONTENT_CA. Without it, mails have the
    /// SITE_* settings, and registrations for events are not counted.
    #[arg(long, env = "CONTENT_URL", value_name = "URL")]
    pub content_url: Option<Uri>,
    /// PEM file, at most 1 MiB, with the CA certificates that sign the content service's certificate. Read again for
    /// each new connection, like the two files below.
    #[arg(long, env = "CONTENT_CA", value_name = "PATH")]
    pub content_ca: Option<PathBuf>,
    /// PEM file, at most 1 MiB, with the client certificate chain for the content service (mutual TLS), leaf first.
    #[arg(
        long,
        env = "CONTENT_CERTIFICATE",
        value_name = "PATH",
        requires = "content_key"
    )]
    pub content_certificate: Option<PathBuf>,
    /// PEM file, at most 1 MiB, with the private key of that certificate.
    #[arg(
        long,
        env = "CONTENT_KEY",
        value_name = "PATH",
        requires = "content_certificate"
    )]
    pub content_key: Option<PathBuf>,
    /// Name in the certificate of the content service, if it differs from the host of its URL.
    #[arg(long, env = "CONTENT_SERVER_NAME", value_name = "NAME")]
    pub content_server_name: Option<String>,
}

impl ContentConfig {
    /// Returns a lazy connection to the content service; `None` if none is configured.
    ///
    /// # Errors
    /// Fails if TLS is configured but unusable.
    pub fn content(&self) -> Result<Option<ContentReader>, ClientTlsError> {
        let Some(url) = &self.content_url else {
            return Ok(None);
        };
        let files = ClientTlsFiles {
            variables: "CONTENT",
            authorities: self.content_ca.clone(),
            certificate: self.content_certificate.clone(),
            key: self.content_key.clone(),
            server_name: self.content_server_name.clone(),
        };
        let channel = client_tls::channel(url, &files, CALL_TIME_MAX)?;
        Ok(Some(ContentReader(ContentServiceClient::new(channel))))
    }
}

/// Reads from the content service. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ContentReader(ContentServiceClient<Channel>);

impl ContentReader {
    async fn site(&self) -> Result<Option<api::Site>, Status> {
        let answer = self.0.clone().get_site(GetSiteRequest {}).await?;
        Ok(answer.into_inner().site)
    }

    /// Returns the listed events. Events with unsound values are left out.
    async fn events(&self) -> Result<Vec<Event>, Status> {
        let events = self.listed_events(None).await?;
        Ok(events.iter().filter_map(read).collect())
    }

    async fn listed_events(&self, language: Option<Language>) -> Result<Vec<api::Event>, Status> {
        let mut events = Vec::new();
        let mut page_token = String::new();
        for _ in 0..PAGES_MAX {
            let request = ListEventsRequest {
                page_size: PAGE_SIZE,
                page_token,
            };
            let request = in_language(request, language);
            let page = self.0.clone().list_events(request).await?.into_inner();
            events.extend(page.events);
            page_token = page.next_page_token;
            if page_token.is_empty() {
                break;
            }
        }
        Ok(events)
    }

    /// Returns one event; `None` if there is none of this id.
    pub(crate) async fn event(&self, id: &str) -> Result<Option<Event>, Status> {
        let event = id.to_owned();
        let answer = self.0.clone().get_event(GetEventRequest { event }).await;
        match answer {
            Ok(answer) => Ok(answer.into_inner().event.as_ref().and_then(read)),
            Err(status) if status.code() == Code::NotFound => Ok(None),
            Err(status) => Err(status),
        }
    }
}

impl ContentReader {
    /// Returns the names of departments, doctors and events by their ids, with those of an event's location and of the
    /// reason of its cancellation.
    async fn names(
        &self,
        language: Option<Language>,
    ) -> Result<BTreeMap<(&'static str, String), String>, Status> {
        let mut names = BTreeMap::new();
        let request = ListDepartmentProfilesRequest {
            page_size: PAGE_SIZE,
            ..ListDepartmentProfilesRequest::default()
        };
        let mut client = self.0.clone();
        let request = in_language(request, language);
        let read = client.list_department_profiles(request).await?.into_inner();
        for department in read.department_profiles {
            names.insert(("department", department.id), department.name);
        }
        let mut page_token = String::new();
        for _ in 0..PAGES_MAX {
            let request = ListDoctorsRequest {
                page_size: PAGE_SIZE,
                page_token,
                ..ListDoctorsRequest::default()
            };
            let request = in_language(request, language);
            let page = client.list_doctors(request).await?.into_inner();
            let doctors = page.doctors.into_iter();
            names.extend(doctors.map(|doctor| (("doctor", doctor.id), doctor.name)));
            page_token = page.next_page_token;
            if page_token.is_empty() {
                break;
            }
        }
        for event in self.listed_events(language).await? {
            names.insert(("title", event.id.clone()), event.title);
            names.insert(("location", event.id.clone()), event.location);
            names.insert(("cancelled", event.id), event.cancelled);
        }
        Ok(names)
    }

    /// Returns what mails in a language need. `english`: see [`Self::names`].
    async fn translated(
        &self,
        language: Language,
        english: &BTreeMap<(&'static str, String), String>,
    ) -> Result<Translated, Status> {
        let request = in_language(GetSiteRequest {}, Some(language));
        let site = self.0.clone().get_site(request).await?.into_inner().site;
        let names = self.names(Some(language)).await?;
        let names = names.into_iter().filter_map(|(place, name)| {
            let english = english.get(&place)?;
            (*english != name).then(|| (english.clone(), name))
        });
        Ok(Translated::new(&site.unwrap_or_default(), names.collect()))
    }
}

fn in_language<T>(request: T, language: Option<Language>) -> Request<T> {
    let mut request = Request::new(request);
    if let Some(language) = language {
        let code = MetadataValue::from_static(language.code());
        request.metadata_mut().insert(CONTENT_LANGUAGE, code);
    }
    request
}

fn read(event: &api::Event) -> Option<Event> {
    Event::read(Announced {
        id: &event.id,
        title: &event.title,
        location: &event.location,
        date: &event.date,
        time: &event.time,
        places: event.places,
        cancelled: &event.cancelled,
    })
}

/// Reads facts and events and notifies people of cancelled events, in an endless loop. Without a content service it
/// only finishes notices of events that are known.
pub(crate) async fn follow(parts: Arc<Parts>) {
    let mut has_read = false;
    let mut is_away = false;
    let mut until_translations = 0;
    loop {
        if let Some(content) = &parts.content {
            match round(&parts, content, &mut until_translations).await {
                Ok(()) => (has_read, is_away) = (true, false),
                Err(error) => {
                    if !is_away {
                        tracing::warn!(%error, "cannot read the content service; the last facts and events stay in use");
                    }
                    is_away = true;
                }
            }
        }
        if let Err(error) = parts.store.notify_cancelled(parts.clock.now()).await {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "cannot notify people of a cancelled event");
        }
        let interval = if has_read {
            INTERVAL
        } else {
            INTERVAL_AT_FIRST
        };
        tokio::time::sleep(interval).await;
    }
}

async fn translate(parts: &Parts, content: &ContentReader) -> Result<(), Status> {
    let english = content.names(None).await?;
    for language in Language::ALL {
        let translated = content.translated(language, &english).await?;
        parts.site.translate(language, translated);
    }
    Ok(())
}

async fn round(
    parts: &Parts,
    content: &ContentReader,
    until_translations: &mut u32,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    if let Some(site) = content.site().await?
        && parts.site.follow(&site)
    {
        tracing::info!("mails follow changed facts of the hospital");
    }
    let events = content.events().await?;
    parts.store.learn_events(events, parts.clock.now()).await?;
    if *until_translations == 0 {
        *until_translations = TRANSLATIONS_EVERY;
        // Facts and events are read already, so this is no failure of the poll.
        if let Err(error) = translate(parts, content).await {
            tracing::warn!(%error, "cannot read the translations of the content service; the last ones stay in use");
        }
    }
    *until_translations -= 1;
    Ok(())
}
