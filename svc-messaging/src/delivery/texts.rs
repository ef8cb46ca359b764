//! Text messages: the registered sender and templates, and the gateway's request body.

use service_kit::language::Language;
use uuid::Uuid;

use crate::mail::letter::{PhoneText, TextKind};

/// Sender and template ids registered with India's telecom regulator (TRAI, TCCCPR 2018). Operators drop unregistered
/// texts.
#[derive(Clone, Debug, Default, Eq, PartialEq, clap::Args)]
pub struct Registration {
    /// Sender id of text messages (DLT header), 3 to 11 letters and digits. Required with SMS_URL.
    #[arg(long = "sms-sender-id", env = "SMS_SENDER_ID", value_name = "ID", default_value = "", hide_default_value = true, value_parser = sender)]
    pub sender_id: String,

    /// The hospital's id as a sender (DLT principal entity), digits. Required with SMS_URL.
    #[arg(long = "sms-entity-id", env = "SMS_ENTITY_ID", value_name = "ID", default_value = "", hide_default_value = true, value_parser = digits("SMS_ENTITY_ID"))]
    pub entity_id: String,

    /// Template id of reminders (DLT), digits. Required with SMS_URL.
    #[arg(long = "sms-template-reminder", env = "SMS_TEMPLATE_REMINDER", value_name = "ID", default_value = "", hide_default_value = true, value_parser = digits("SMS_TEMPLATE_REMINDER"))]
    pub template_reminder: String,

    /// Template id of cancellations (DLT), digits. Required with SMS_URL.
    #[arg(long = "sms-template-cancelled", env = "SMS_TEMPLATE_CANCELLED", value_name = "ID", default_value = "", hide_default_value = true, value_parser = digits("SMS_TEMPLATE_CANCELLED"))]
    pub template_cancelled: String,

    /// Template id of reminders in Kannada (DLT), digits. Without it, they are sent in English.
    #[arg(long = "sms-template-reminder-kn", env = "SMS_TEMPLATE_REMINDER_KN", value_name = "ID", default_value = "", hide_default_value = true, value_parser = digits("SMS_TEMPLATE_REMINDER_KN"))]
    pub template_reminder_kn: String,

    /// Template id of cancellations in Kannada (DLT), digits. Without it, they are sent in English.
    #[arg(long = "sms-template-cancelled-kn", env = "SMS_TEMPLATE_CANCELLED_KN", value_name = "ID", default_value = "", hide_default_value = true, value_parser = digits("SMS_TEMPLATE_CANCELLED_KN"))]
    pub template_cancelled_kn: String,

    /// Template id of reminders in Hindi (DLT), digits. Without it, they are sent in English.
    #[arg(long = "sms-template-reminder-hi", env = "SMS_TEMPLATE_REMINDER_HI", value_name = "ID", default_value = "", hide_default_value = true, value_parser = digits("SMS_TEMPLATE_REMINDER_HI"))]
    pub template_reminder_hi: String,

    /// Template id of cancellations in Hindi (DLT), digits. Without it, they are sent in English.
    #[arg(long = "sms-template-cancelled-hi", env = "SMS_TEMPLATE_CANCELLED_HI", value_name = "ID", default_value = "", hide_default_value = true, value_parser = digits("SMS_TEMPLATE_CANCELLED_HI"))]
    pub template_cancelled_hi: String,
}

impl Registration {
    /// Returns whether every id of English texts is set.
    pub fn is_complete(&self) -> bool {
        [
            &self.sender_id,
            &self.entity_id,
            &self.template_reminder,
            &self.template_cancelled,
        ]
        .iter()
        .all(|name| !name.is_empty())
    }

    /// Returns the settings of templates that have no id, although texts are sent in their language.
    pub fn missing_translated(&self) -> Vec<&'static str> {
        [
            ("SMS_TEMPLATE_REMINDER_KN", &self.template_reminder_kn),
            ("SMS_TEMPLATE_CANCELLED_KN", &self.template_cancelled_kn),
            ("SMS_TEMPLATE_REMINDER_HI", &self.template_reminder_hi),
            ("SMS_TEMPLATE_CANCELLED_HI", &self.template_cancelled_hi),
        ]
        .into_iter()
        .filter(|(_, id)| id.is_empty())
        .map(|(setting, _)| setting)
        .collect()
    }

    /// Returns the template id of a text message in a language; empty if there is none.
    fn template(&self, kind: TextKind, language: Option<Language>) -> &str {
        match (kind, language) {
            (TextKind::Reminder, None) => &self.template_reminder,
            (TextKind::Reminder, Some(Language::Kannada)) => &self.template_reminder_kn,
            (TextKind::Reminder, Some(Language::Hindi)) => &self.template_reminder_hi,
            (TextKind::Cancelled, None) => &self.template_cancelled,
            (TextKind::Cancelled, Some(Language::Kannada)) => &self.template_cancelled_kn,
            (TextKind::Cancelled, Some(Language::Hindi)) => &self.template_cancelled_hi,
        }
    }

    /// Returns the language in which a text message is sent: English, which has an id, in place of a language without one.
    pub fn language(&self, kind: TextKind, wanted: Option<Language>) -> Option<Language> {
        let has_id = |language| !self.template(kind, language).is_empty();
        wanted.filter(|_| has_id(wanted) || !has_id(None))
    }

    /// Builds the gateway's request body for a text message in a language.
    pub fn body(
        &self,
        id: Uuid,
        to: &str,
        text: &PhoneText,
        language: Option<Language>,
    ) -> Vec<u8> {
        serde_json::json!({
            "id": id,
            "to": to,
            "text": text.text,
            "encoding": text.encoding.as_str(),
            "senderId": self.sender_id,
            "entityId": self.entity_id,
            "templateId": self.template(text.kind, language),
        })
        .to_string()
        .into_bytes()
    }
}

fn sender(text: &str) -> Result<String, &'static str> {
    let is_fit = text.is_empty()
        || (3..=11).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_fit
        .then(|| text.to_owned())
        .ok_or("give 3 to 11 letters and digits")
}

/// Returns a parser of ids, whose error names the variable: clap names only the flag.
fn digits(
    variable: &'static str,
) -> impl Fn(&str) -> Result<String, String> + Clone + Send + Sync + 'static {
    move |text| {
        let is_fit = text.len() <= 30 && text.bytes().all(|byte| byte.is_ascii_digit());
        is_fit
            .then(|| text.to_owned())
            .ok_or_else(|| format!("give at most 30 digits ({variable})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(clap::Parser)]
    struct Program {
        #[command(flatten)]
        texts: Registration,
    }

    fn parse(flag: &str, value: &str) -> Result<Registration, clap::Error> {
        let program: Result<Program, _> = clap::Parser::try_parse_from(["program", flag, value]);
        program.map(|program| program.texts)
    }

    #[test]
    fn a_malformed_id_is_refused_by_its_variable() {
        for variable in [
            "SMS_ENTITY_ID",
            "SMS_TEMPLATE_REMINDER",
            "SMS_TEMPLATE_CANCELLED",
            "SMS_TEMPLATE_REMINDER_KN",
            "SMS_TEMPLATE_CANCELLED_KN",
            "SMS_TEMPLATE_REMINDER_HI",
            "SMS_TEMPLATE_CANCELLED_HI",
        ] {
            let flag = format!("--{}", variable.to_ascii_lowercase().replace('_', "-"));
            for value in ["12a", "೧೨", "1 2", &"1".repeat(31)] {
                let Err(refused) = parse(&flag, value) else {
                    panic!("{flag} {value} is accepted");
                };
                let refused = refused.to_string();
                assert!(refused.contains(&format!("({variable})")), "{refused}");
            }
            assert!(parse(&flag, "1107160000000012345").is_ok());
        }
    }

    #[test]
    fn each_kind_and_language_has_its_template() {
        let texts = parse("--sms-template-cancelled-hi", "17").expect("an id");
        assert_eq!(
            texts.template(TextKind::Cancelled, Some(Language::Hindi)),
            "17"
        );
        assert_eq!(
            texts.template(TextKind::Reminder, Some(Language::Hindi)),
            ""
        );
        assert_eq!(
            texts.template(TextKind::Cancelled, Some(Language::Kannada)),
            ""
        );
        let hindi = Some(Language::Hindi);
        let english = parse("--sms-template-reminder", "1").expect("an id");
        assert_eq!(english.language(TextKind::Reminder, hindi), None);
        assert_eq!(english.language(TextKind::Cancelled, hindi), hindi);
        assert_eq!(texts.language(TextKind::Cancelled, hindi), hindi);
        assert_eq!(
            texts.missing_translated(),
            [
                "SMS_TEMPLATE_REMINDER_KN",
                "SMS_TEMPLATE_CANCELLED_KN",
                "SMS_TEMPLATE_REMINDER_HI"
            ]
        );
    }
}
