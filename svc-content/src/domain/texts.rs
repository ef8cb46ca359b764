//! The texts of the served messages, which a catalogue translates. Ids, slugs, addresses, numbers and the names of
//! purposes are no texts: pages compare and link by them.

use hospital_proto::content::v1::{
    Address, Blog, BlogLink, BlogSection, DepartmentProfile, Doctor, EmailAddress, Event,
    ExternalLink, Insurance, News, OpeningHours, Page, PageSection, PhoneNumber, Promo, Question,
    RecoveryStep, Review, Service, Site, Specialty, Statistic, Surgery, SurgeryCost,
    SurgeryPackage,
};

/// A message with texts.
pub(crate) trait Texts {
    /// Calls `change` with each text.
    fn each_text(&mut self, change: &mut dyn FnMut(&mut String));
}

/// Declares the texts of messages: single ones, lists of them, and messages inside.
macro_rules! texts {
    ($($message:ident [$($text:ident)*] [$($list:ident)*] [$($part:ident)*];)+) => {$(
        impl Texts for $message {
            fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
                $(change(&mut self.$text);)*
                $(self.$list.iter_mut().for_each(&mut *change);)*
                $(self.$part.iter_mut().for_each(|part| part.each_text(change));)*
            }
        }
    )+};
}

texts! {
    Site [name tagline] [accreditations] [address phones emails hours statistics];
    Address [street locality city region] [] [];
    PhoneNumber [label] [] [];
    EmailAddress [label] [] [];
    OpeningHours [label hours] [] [];
    Statistic [label] [] [];
    Doctor [name specialty degrees experience visiting_days timings about seo_title meta_description]
        [languages education specializations achievements] [];
    DepartmentProfile [name summary] [treats problems] [];
    Review [name comment location] [] [];
    Service [name home_name description place hours] [features long_description benefits equipment] [];
    Specialty [name description] [doctors services long_description] [faqs];
    Question [question answer] [] [];
    Surgery [name description duration recovery stay back_to_work] [about indications procedure benefits]
        [faqs cost recovery_steps];
    SurgeryCost [] [included excluded changes] [packages insurance];
    SurgeryPackage [name description] [] [];
    Insurance [cover approval] [steps] [];
    RecoveryStep [time title text] [] [];
    Event [r#type title time location description performer cancelled] [] [];
    // The content is prose, of which lists show the beginning: it stays English.
    News [title meta_title meta_description excerpt source_name] [] [external_links];
    ExternalLink [label] [] [];
    Promo [title cta_label] [] [];
    Page [title description intro] [] [sections];
    PageSection [heading] [paragraphs items signs steps avoid today home] [];
    Blog [title summary excerpt author category read_time] [tags] [sections related popular];
    BlogSection [heading] [] [];
    BlogLink [title] [] [];
}
