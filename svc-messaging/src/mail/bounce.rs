//! Bounced mails. Each mail has its own return path (VERP), which identifies the mail regardless of what the report
//! quotes. Reports are parsed as RFC 3464 defines.

use std::fmt;

use service_kit::input::EmailAddress;
use store_kit::keys::Keys;
use uuid::Uuid;

use crate::delivery::reply::Enhanced;

/// Maximum length of the configured address's local part. `+`, 32 id digits and 12 proof digits are appended, and the
/// limit is 64 characters.
const LOCAL_CHARS_MAX: usize = 64 - 1 - ID_CHARS - PROOF_CHARS;
const ID_CHARS: usize = 32;
const PROOF_CHARS: usize = 12;
/// Maximum bytes of a report that are read. The rest of a longer report is the quoted mail.
pub const REPORT_BYTES_MAX: usize = 256 * 1024;

/// Creates and parses addresses such as `bounces+<mail><proof>@hospital.example`. The proof is a keyed hash: knowing a
/// mail's id is not enough to have its address suppressed.
#[derive(Clone)]
pub struct ReturnPath {
    local: String,
    domain: String,
    keys: Keys,
}

impl fmt::Debug for ReturnPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ReturnPath({}@{})", self.local, self.domain)
    }
}

impl ReturnPath {
    /// Uses an address whose server also delivers `local+anything` to it.
    ///
    /// # Errors
    /// When the address is invalid, too long to be extended, or contains a `+`.
    pub fn new(address: &str, keys: Keys) -> Result<Self, &'static str> {
        const WANTED: &str =
            "BOUNCE_ADDRESS must be an address with at most 19 characters before the @, and no +";
        let address = EmailAddress::parse(address).map_err(|_| WANTED)?;
        let (local, domain) = address.as_str().split_once('@').ok_or(WANTED)?;
        if local.len() > LOCAL_CHARS_MAX || local.contains('+') {
            return Err(WANTED);
        }
        Ok(Self {
            local: local.to_lowercase(),
            domain: domain.to_lowercase(),
            keys,
        })
    }

    /// Returns the return path of a mail.
    pub fn of(&self, mail: Uuid) -> String {
        let id = mail.simple();
        format!("{}+{id}{}@{}", self.local, self.proof(mail), self.domain)
    }

    /// Returns the mail that a return path belongs to; `None` if the address or its proof is wrong.
    pub fn mail(&self, address: &str) -> Option<Uuid> {
        let address = address.trim().trim_matches(['<', '>']).to_lowercase();
        let (local, domain) = address.split_once('@')?;
        let tag = local.strip_prefix(&self.local)?.strip_prefix('+')?;
        let (id, proof) = tag.split_at_checked(ID_CHARS)?;
        let id = Uuid::try_parse(id).ok()?;
        (domain == self.domain && proof == self.proof(id)).then_some(id)
    }

    fn proof(&self, mail: Uuid) -> String {
        let digest = self.keys.digest("mails.bounce", mail.as_bytes());
        let digits = digest.iter().map(|byte| format!("{byte:02x}"));
        digits.take(PROOF_CHARS / 2).collect()
    }
}

/// Result that a report states.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Report {
    /// The mail bounced.
    Failed(Enhanced),
    /// The mail was delayed, delivered or relayed; no action is needed.
    Other,
}

/// Returns the mail that a report is about, and its result. `None` if this is not a report on one of our mails, for
/// example an out-of-office reply.
pub fn read(return_path: &ReturnPath, report: &[u8]) -> Option<(Uuid, Report)> {
    let report = &report[..report.len().min(REPORT_BYTES_MAX)];
    let text = String::from_utf8_lossy(report).replace("\r\n", "\n");
    let (head, body) = text.split_once("\n\n")?;
    let headers = headers(head);
    // Mail servers put the report's recipient into one of these headers.
    let mail = headers
        .iter()
        .filter(|(name, _)| matches!(name.as_str(), "to" | "delivered-to" | "x-original-to"))
        .flat_map(|(_, value)| value.split([',', ' ', ';']))
        .find_map(|address| return_path.mail(address))?;
    let kind = value_of(&headers, "content-type")?;
    if !kind.to_lowercase().starts_with("multipart/report") {
        return None;
    }
    let boundary = parameter(kind, "boundary")?;
    let status = body.split(&format!("--{boundary}")).find_map(|part| {
        let (head, rest) = part.trim_start_matches('\n').split_once("\n\n")?;
        let part_headers = self::headers(head);
        let kind = value_of(&part_headers, "content-type")?.to_lowercase();
        kind.starts_with("message/delivery-status").then_some(rest)
    })?;
    Some((mail, of_recipients(status)))
}

/// Returns the result of the first failed recipient. Each group of fields after the first describes one recipient (RFC
/// 3464, 2.1).
fn of_recipients(status: &str) -> Report {
    let failed = status.split("\n\n").find_map(|group| {
        let fields = headers(group);
        let action = value_of(&fields, "action")?;
        let enhanced = Enhanced::parse(value_of(&fields, "status")?)?;
        action.eq_ignore_ascii_case("failed").then_some(enhanced)
    });
    failed.map_or(Report::Other, Report::Failed)
}

/// Parses headers into lower-case names and unfolded values.
fn headers(head: &str) -> Vec<(String, String)> {
    let mut headers: Vec<(String, String)> = Vec::new();
    for line in head.lines() {
        if let (true, Some((_, value))) = (line.starts_with([' ', '\t']), headers.last_mut()) {
            value.push(' ');
            value.push_str(line.trim());
        } else if let Some((name, value)) = line.split_once(':') {
            headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    headers
}

fn value_of<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = headers.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_str())
}

/// Returns a header parameter, quoted or unquoted.
fn parameter<'a>(value: &'a str, name: &str) -> Option<&'a str> {
    value.split(';').skip(1).find_map(|part| {
        let (known, value) = part.trim().split_once('=')?;
        let is_wanted = known.trim().eq_ignore_ascii_case(name);
        is_wanted.then(|| value.trim().trim_matches('"'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> ReturnPath {
        ReturnPath::new("Bounces@sampige.example", test_kit::keys::keys()).expect("an address")
    }

    #[test]
    fn a_return_path_identifies_one_mail_and_cannot_be_forged() {
        let (path, mail) = (path(), Uuid::from_u128(7));
        let address = path.of(mail);
        let (local, domain) = address.split_once('@').expect("an address");
        assert!(
            local.len() <= 64 && domain == "sampige.example",
            "{address}"
        );
        EmailAddress::parse(&address).expect("an address");
        assert_eq!(path.mail(&address), Some(mail));
        assert_eq!(
            path.mail(&format!("<{}>", address.to_uppercase())),
            Some(mail)
        );
        let other = path.of(Uuid::from_u128(8));
        let forged = format!("{}{}", &address[..40], &other[40..]);
        for wrong in [
            "",
            "bounces@sampige.example",
            "bounces+7@sampige.example",
            &forged,
            &address.replace("sampige", "evil"),
        ] {
            assert_eq!(path.mail(wrong), None, "{wrong}");
        }
        for bad in [
            "",
            "bounces",
            "a+b@c.example",
            "twenty-characters-xx@c.example",
        ] {
            assert!(
                ReturnPath::new(bad, test_kit::keys::keys()).is_err(),
                "{bad}"
            );
        }
    }

    fn report(to: &str, kind: &str, status: &str) -> String {
        format!(
            "From: MAILER-DAEMON@mx.example\r\nTo: {to}\r\nSubject: Undelivered\r\nContent-Type: {kind};\r\n\treport-type=delivery-status; \
             boundary=\"B/1\"\r\n\r\n--B/1\r\nContent-Type: text/plain\r\n\r\nIt failed.\r\n\r\n--B/1\r\nContent-Type: \
             message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n{status}\r\n\r\n--B/1--\r\n"
        )
    }

    #[test]
    fn reads_bounce_reports() {
        let (path, mail) = (path(), Uuid::from_u128(7));
        let to = format!("<{}>", path.of(mail));
        let failed = "Final-Recipient: rfc822; kamala@visitor.example\r\nAction: failed\r\nStatus: 5.1.1 (no such user)\r\n\
                      Diagnostic-Code: smtp; 550 5.1.1 unknown";
        let read = |text: &str| read(&path, text.as_bytes());
        let Some((of, Report::Failed(status))) = read(&report(&to, "multipart/report", failed))
        else {
            panic!("a report");
        };
        assert_eq!((of, status.subject, status.detail), (mail, 1, 1));
        let delayed = failed
            .replace("failed", "delayed")
            .replace("5.1.1", "4.4.7");
        assert_eq!(
            read(&report(&to, "multipart/report", &delayed)),
            Some((mail, Report::Other))
        );
        for other in [
            report("hello@sampige.example", "multipart/report", failed),
            report(&to, "multipart/mixed", failed),
            format!(
                "To: {to}\r\nSubject: Out of office\r\nContent-Type: text/plain\r\n\r\nI am away."
            ),
            String::new(),
            "no mail".to_owned(),
        ] {
            assert_eq!(read(&other), None, "{other}");
        }
    }
}
