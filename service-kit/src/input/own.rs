//! The hospital's own mailboxes. They never belong to a patient, and mails to patients must not come back to reception.

use super::email_to_look_up;

/// Addresses refused as a patient's.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct OwnMailboxes {
    addresses: Vec<String>,
    /// Domains of those addresses that belong to the site.
    domains: Vec<String>,
}

impl OwnMailboxes {
    /// Instruction shown instead.
    pub const REFUSAL: &'static str = "Enter your own e-mail address, not the hospital's";

    /// Collects the addresses and, where their domain is the site's own, every address of that domain. `origin` is the
    /// site's, such as `https://www.hospital.example`. For a mailbox at a shared provider, only that mailbox is
    /// refused.
    pub fn new<'a>(origin: &str, addresses: impl IntoIterator<Item = &'a str>) -> Self {
        let host = origin.split_once("://").map_or(origin, |(_, rest)| rest);
        let host = host.split([':', '/']).next().unwrap_or_default();
        let host = host.to_lowercase();
        let mut own = Self::default();
        for address in addresses {
            let address = email_to_look_up(address);
            if let Some((_, domain)) = address.rsplit_once('@') {
                let is_of_site = host == domain
                    || host
                        .strip_suffix(domain)
                        .is_some_and(|sub| sub.ends_with('.'));
                if is_of_site && domain.contains('.') && !own.domains.iter().any(|d| d == domain) {
                    own.domains.push(domain.to_owned());
                }
            }
            own.addresses.push(address);
        }
        own
    }

    /// Returns whether an address belongs to the hospital.
    pub fn has(&self, email: &str) -> bool {
        let email = email_to_look_up(email);
        let domain = email.rsplit_once('@').map_or("", |(_, domain)| domain);
        self.addresses.contains(&email) || self.domains.iter().any(|own| own == domain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// X9: the hospital's own mailboxes were accepted as patients' addresses.
    #[test]
    fn recognises_the_hospitals_own_mailboxes() {
        let mailboxes = ["Hello@Sampige.example", "clinic.jayanagar@mail.example"];
        let own = OwnMailboxes::new("https://www.sampige.example:8443", mailboxes);
        for email in [
            "hello@sampige.example",
            "HELLO@SAMPIGE.EXAMPLE",
            "nurse@sampige.example",
            "clinic.jayanagar@mail.example",
        ] {
            assert!(own.has(email), "{email}");
        }
        for email in [
            "kamala@visitor.example",
            "kamala@mail.example",
            "kamala@notsampige.example",
            "kamala@sampige.example.org",
        ] {
            assert!(!own.has(email), "{email}");
        }
        // On a laptop no domain is the site's own, so only the mailboxes count.
        let own = OwnMailboxes::new("http://127.0.0.1:8080", mailboxes);
        assert!(own.has("hello@sampige.example") && !own.has("nurse@sampige.example"));
    }
}
