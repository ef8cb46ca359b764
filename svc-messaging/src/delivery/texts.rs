//! Text messages: the registered sender and templates, and the gateway's request body.

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
    #[arg(long = "sms-entity-id", env = "SMS_ENTITY_ID", value_name = "ID", default_value = "", hide_default_value = true, value_parser = digits)]
    pub entity_id: String,

    /// Template id of reminders (DLT), digits. Required with SMS_URL.
    #[arg(long = "sms-template-reminder", env = "SMS_TEMPLATE_REMINDER", value_name = "ID", default_value = "", hide_default_value = true, value_parser = digits)]
    pub template_reminder: String,

    /// Template id of cancellations (DLT), digits. Required with SMS_URL.
    #[arg(long = "sms-template-cancelled", env = "SMS_TEMPLATE_CANCELLED", value_name = "ID", default_value = "", hide_default_value = true, value_parser = digits)]
    pub template_cancelled: String,
}

impl Registration {
    /// Returns whether every id is set.
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

    /// Builds the gateway's request body for a text message.
    pub fn body(&self, id: Uuid, to: &str, text: &PhoneText) -> Vec<u8> {
        let template = match text.kind {
            TextKind::Reminder => &self.template_reminder,
            TextKind::Cancelled => &self.template_cancelled,
        };
        serde_json::json!({
            "id": id,
            "to": to,
            "text": text.text,
            "encoding": text.encoding.as_str(),
            "senderId": self.sender_id,
            "entityId": self.entity_id,
            "templateId": template,
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

fn digits(text: &str) -> Result<String, &'static str> {
    let is_fit = text.len() <= 30 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_fit.then(|| text.to_owned()).ok_or("give digits")
}
