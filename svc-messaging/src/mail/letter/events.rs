//! Letters to people who registered for an event. They repeat nothing that the person typed: a stranger can have them
//! sent to any address.

use super::{
    Action, Letter,
    times::{date_time, short_date_time},
    words::greeting,
};
use crate::{mail::content::Registration, site::Site};

pub(super) fn registered(registration: &Registration, site: &Site) -> Letter {
    let when = short_date_time(registration.starts_at);
    let mut letter = Letter {
        subject: format!("You're registered: {when}"),
        preheader: registration.title.clone(),
        heading: "You're registered".into(),
        greeting: greeting(""),
        opening: vec!["We'll keep your place for you.".into()],
        action: Some(Action {
            label: "Give my place back",
            url: format!(
                "{}/registration/cancel?token={}",
                site.origin, registration.token
            ),
        }),
        closing: vec![
            format!(
                "Add it to your calendar: {}/api/events/{}/calendar",
                site.origin, registration.event_id
            ),
            format!(
                "If you can't come, please give your place back so that someone else can have it. You can also call us on {}.",
                site.phone
            ),
        ],
        reason: reason(site),
        ..Letter::default()
    };
    letter.event(registration, site);
    letter
}

pub(super) fn cancelled(registration: &Registration, site: &Site) -> Letter {
    let when = short_date_time(registration.starts_at);
    let mut letter = Letter {
        subject: format!("Cancelled: the event on {when}"),
        preheader: registration.title.clone(),
        heading: "This event is cancelled".into(),
        greeting: greeting(""),
        opening: vec![
            "We're sorry: the event below won't take place. You don't need to do anything else."
                .into(),
            registration.cancelled.clone(),
        ],
        closing: vec![
            format!(
                "Remove it from your calendar: {}/api/events/{}/calendar",
                site.origin, registration.event_id
            ),
            format!("If you have a question, call us on {}.", site.phone),
        ],
        reason: reason(site),
        ..Letter::default()
    };
    letter.event(registration, site);
    letter
}

impl Letter {
    fn event(&mut self, registration: &Registration, site: &Site) {
        self.fact("Event", &registration.title);
        self.fact("When", date_time(registration.starts_at));
        self.fact(
            "Where",
            format!("{}, {}", registration.location, site.address),
        );
        self.fact("People", registration.people.to_string());
        self.fact("Reference", &registration.reference);
    }
}

fn reason(site: &Site) -> String {
    format!(
        "You're getting this e-mail because this address was given in a registration for an event at {}. If you did not register, tell us \
         at {}.",
        site.name, site.email
    )
}
