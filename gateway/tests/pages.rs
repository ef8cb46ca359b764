//! Documents over a real connection, from hand-written page modules and this crate's own API.

#[path = "pages/ahead.rs"]
mod ahead;
mod announcer;
#[path = "pages/attacks.rs"]
mod attacks;
#[path = "pages/bare.rs"]
mod bare;
#[path = "pages/caching.rs"]
mod caching;
#[path = "pages/canary.rs"]
mod canary;
#[path = "pages/changes.rs"]
mod changes;
#[path = "pages/client_failures.rs"]
mod client_failures;
#[path = "pages/creates.rs"]
mod creates;
#[path = "pages/crowd.rs"]
mod crowd;
#[path = "pages/damage.rs"]
mod damage;
#[path = "pages/declared.rs"]
mod declared;
#[path = "pages/documents.rs"]
mod documents;
#[path = "pages/failures.rs"]
mod failures;
#[path = "pages/forms.rs"]
mod forms;
#[path = "pages/forms_caller.rs"]
mod forms_caller;
#[path = "pages/forms_v2.rs"]
mod forms_v2;
#[path = "pages/heads.rs"]
mod heads;
#[path = "pages/isolation.rs"]
mod isolation;
#[path = "api/issuer.rs"]
mod issuer;
#[path = "pages/keeping.rs"]
mod keeping;
#[path = "pages/key_changes.rs"]
mod key_changes;
#[path = "pages/languages.rs"]
mod languages;
#[path = "pages/ledger.rs"]
mod ledger;
#[path = "pages/origin.rs"]
mod origin;
#[path = "pages/outputs.rs"]
mod outputs;
#[path = "pages/overload.rs"]
mod overload;
#[path = "pages/previews.rs"]
mod previews;
#[path = "pages/receipts.rs"]
mod receipts;
#[path = "pages/redirects.rs"]
mod redirects;
#[path = "pages/replays.rs"]
mod replays;
#[path = "pages/reports.rs"]
mod reports;
#[path = "pages/resident.rs"]
mod resident;
#[path = "pages/signatures.rs"]
mod signatures;
#[path = "pages/signing_tools.rs"]
mod signing_tools;
#[path = "pages/site.rs"]
mod site;
#[path = "pages/skeletons.rs"]
mod skeletons;
#[path = "pages/slots.rs"]
mod slots;
#[path = "pages/staff_calls.rs"]
mod staff_calls;
#[path = "pages/staff_events.rs"]
mod staff_events;
#[path = "pages/staff_forms.rs"]
mod staff_forms;
#[path = "pages/staff_issuer.rs"]
mod staff_issuer;
#[path = "pages/staff_logs.rs"]
mod staff_logs;
#[path = "pages/staff_pages.rs"]
mod staff_pages;
#[path = "pages/staff_sign_in.rs"]
mod staff_sign_in;
#[path = "pages/staff_site.rs"]
mod staff_site;
#[path = "pages/statics.rs"]
mod statics;
#[path = "pages/status.rs"]
mod status;
#[path = "pages/swap.rs"]
mod swap;
#[path = "pages/upstream.rs"]
mod upstream;
#[path = "pages/views.rs"]
mod views;
#[path = "pages/vitals.rs"]
mod vitals;
