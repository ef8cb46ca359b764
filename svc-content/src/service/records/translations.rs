//! Translations of a record's texts.

use hospital_proto::content::v1 as api;

use super::{CATCH_UP_MAX, Rpcs, requests::invalid};
use crate::{
    error::AnswerError,
    language::Language,
    records::{
        Kind,
        translations::{TEXTS_MAX, TranslatedText},
    },
    store::records::{Target, TranslationOutcome},
    wire::records as wire,
};

pub(super) fn language(code: &str) -> Result<Language, AnswerError> {
    Language::of(code).ok_or_else(|| invalid("language", "Choose kn or hi"))
}

pub(super) fn texts(sent: Vec<api::TranslatedText>) -> Result<Vec<TranslatedText>, AnswerError> {
    if sent.is_empty() || sent.len() > TEXTS_MAX {
        return Err(invalid("texts", format!("Send 1 to {TEXTS_MAX} texts")));
    }
    let text = |sent: api::TranslatedText| TranslatedText {
        english: sent.english,
        translation: sent.translation.trim().to_owned(),
    };
    Ok(sent.into_iter().map(text).collect())
}

impl Rpcs {
    pub(super) async fn translations(
        &self,
        kind: &'static Kind,
        id: String,
        language: Language,
    ) -> Result<api::RecordTranslations, AnswerError> {
        let found = self.store()?.record_translations(kind, id, language);
        let known = found.await?.ok_or(AnswerError::NotFound("record"))?;
        let content = self.posts.content();
        let files = content.catalogues.of_files(language);
        Ok(wire::translations(known, language, files))
    }

    /// Publishes translations, and returns all of the record's.
    pub(super) async fn translate(
        &self,
        target: Target,
        language: Language,
        texts: Vec<TranslatedText>,
    ) -> Result<api::RecordTranslations, AnswerError> {
        let (kind, id) = (target.kind, target.id.clone());
        let outcome = self.store()?.translate_record(target, language, texts);
        match outcome.await? {
            TranslationOutcome::Done => {}
            TranslationOutcome::Absent => return Err(AnswerError::NotFound("record")),
            TranslationOutcome::EtagMismatch => return Err(AnswerError::EtagMismatch),
            TranslationOutcome::Invalid(violations) => return Err(violations.into()),
            TranslationOutcome::Full => {
                let words = "There are 10000 translations of staff. Ask the operators for more";
                return Err(AnswerError::Unfit("TRANSLATIONS_MAX", words));
            }
        }
        self.catch_up(CATCH_UP_MAX).await;
        self.translations(kind, id, language).await
    }
}
