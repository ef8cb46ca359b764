//! The emergency number of built-in pages. It is that of the content; the configured one until the content was read.

use std::{
    collections::BTreeSet,
    sync::{Arc, Weak},
    time::Duration,
};

use arc_swap::ArcSwap;
use serde::Deserialize;

use super::data;
use crate::Pages;

const SITE: &str = "/site";
const PURPOSE: &str = "emergency";
/// Interval of reading the content. The reads are answered from the cache until the content changes. While the content is
/// not available, each logs a warning, so they are rare.
const INTERVAL: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(crate) struct EmergencyPhone(ArcSwap<String>);

#[derive(Deserialize)]
struct Answer {
    body: Site,
}

#[derive(Deserialize)]
struct Site {
    phones: Vec<Phone>,
}

#[derive(Deserialize)]
struct Phone {
    purpose: String,
    display: String,
}

impl EmergencyPhone {
    pub(crate) fn new(configured: &str) -> Self {
        Self(ArcSwap::from_pointee(configured.to_owned()))
    }

    pub(crate) fn get(&self) -> Arc<String> {
        self.0.load_full()
    }

    /// Takes the number from the result of a read of the site. Any other result changes nothing.
    fn take(&self, result: &str) {
        let Ok(Answer { body }) = serde_json::from_str(result) else {
            return;
        };
        let mut phones = body.phones.into_iter();
        let found = phones.find(|phone| phone.purpose == PURPOSE);
        if let Some(Phone { display, .. }) = found.filter(|phone| !phone.display.is_empty())
            && display != **self.0.load()
        {
            self.0.store(Arc::new(display));
        }
    }
}

/// Follows the number of the content until the process ends.
pub(crate) async fn follow(pages: Weak<Pages>) {
    while let Some(pages) = pages.upgrade() {
        let composer = &pages.live.composer;
        let paths = BTreeSet::from([SITE.to_owned()]);
        let answers = data::fetch(&composer.api, paths, composer.data_time_max).await;
        for answer in answers.values() {
            composer.emergency_phone.take(&answer.json);
        }
        drop(pages);
        tokio::time::sleep(INTERVAL).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_only_the_emergency_number_of_a_site() {
        let phone = EmergencyPhone::new("+91 1");
        for nothing in [
            r#"{"ok":false,"status":503,"body":null}"#,
            r#"{"ok":true,"status":200,"body":{"phones":[]}}"#,
            r#"{"ok":true,"body":{"phones":[{"purpose":"reception","display":"+91 3"}]}}"#,
            r#"{"ok":true,"body":{"phones":[{"purpose":"emergency","display":""}]}}"#,
        ] {
            phone.take(nothing);
            assert_eq!(*phone.get(), "+91 1", "{nothing}");
        }
        phone.take(r#"{"ok":true,"body":{"phones":[{"purpose":"emergency","display":"+91 2","e164":"+912"}]}}"#);
        assert_eq!(*phone.get(), "+91 2");
    }
}
