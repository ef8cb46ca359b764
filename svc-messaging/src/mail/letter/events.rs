//! Letters to people who registered for an event. They repeat nothing that the person typed: a stranger can have them
//! sent to any address.

use super::{
    Action, Letter,
    language::{Words, key},
};
use crate::{mail::content::Registration, site::Site};

pub(super) fn registered(words: Words, registration: &Registration, site: &Site) -> Letter {
    let when = words.short_date_time(registration.starts_at);
    let cancel = format!("/registration/cancel?token={}", registration.token);
    let mut letter = Letter {
        subject: words.fill(key!("You're registered: {when}"), &[("when", &when)]),
        preheader: words.name(site, &registration.title).to_owned(),
        heading: words.text(key!("You're registered")).into(),
        opening: vec![words.text(key!("We'll keep your place for you.")).into()],
        action: Some(Action {
            label: words.text(key!("Give my place back")),
            url: words.page(site, &cancel),
        }),
        closing: vec![
            words.fill(
                key!("Add it to your calendar: {url}"),
                &[("url", &calendar(registration, site))],
            ),
            words.fill(
                key!(
                    "If you can't come, please give your place back so that someone else can have it. You can also call us on {phone}."
                ),
                &[("phone", &site.phone)],
            ),
        ],
        reason: reason(words, site),
        ..Letter::to_visitor(words, "")
    };
    letter.event(words, registration, site);
    letter
}

pub(super) fn cancelled(words: Words, registration: &Registration, site: &Site) -> Letter {
    let when = words.short_date_time(registration.starts_at);
    let mut letter = Letter {
        subject: words.fill(key!("Cancelled: the event on {when}"), &[("when", &when)]),
        preheader: words.name(site, &registration.title).to_owned(),
        heading: words.text(key!("This event is cancelled")).into(),
        opening: vec![
            words
                .text(key!(
                    "We're sorry: the event below won't take place. You don't need to do anything else."
                ))
                .into(),
            words.name(site, &registration.cancelled).to_owned(),
        ],
        closing: vec![
            words.fill(
                key!("Remove it from your calendar: {url}"),
                &[("url", &calendar(registration, site))],
            ),
            words.fill(
                key!("If you have a question, call us on {phone}."),
                &[("phone", &site.phone)],
            ),
        ],
        reason: reason(words, site),
        ..Letter::to_visitor(words, "")
    };
    letter.event(words, registration, site);
    letter
}

/// Returns the address of the event's calendar file. The API has no addresses by language.
fn calendar(registration: &Registration, site: &Site) -> String {
    format!(
        "{}/api/events/{}/calendar",
        site.origin, registration.event_id
    )
}

impl Letter {
    fn event(&mut self, words: Words, registration: &Registration, site: &Site) {
        self.fact(
            words.text(key!("Event")),
            words.name(site, &registration.title),
        );
        self.fact(
            words.text(key!("When")),
            words.date_time(registration.starts_at),
        );
        let location = words.name(site, &registration.location);
        self.fact(
            words.text(key!("Where")),
            format!("{location}, {}", site.address),
        );
        self.fact(words.text(key!("People")), registration.people.to_string());
        self.fact(words.text(key!("Reference")), &registration.reference);
    }
}

fn reason(words: Words, site: &Site) -> String {
    words.fill(
        key!(
            "You're getting this e-mail because this address was given in a registration for an event at {hospital}. If you did not \
             register, tell us at {email}."
        ),
        &[("hospital", &site.name), ("email", &site.email)],
    )
}
