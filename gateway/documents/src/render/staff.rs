//! The signed-in member of staff for whom a document is made, as modules and the shell receive the person.

use std::{fmt, sync::Arc};

use gateway_api::Person;
use serde_json::{Value, json};

use super::data::DataResult;
use crate::registry::{Registry, access::DeskPage};

/// A signed-in member of staff.
#[derive(Clone)]
pub struct StaffMember {
    /// Name that the person sees in the header.
    pub name: String,
    /// Subject and scopes.
    pub person: Arc<Person>,
}

/// Shows nothing of the person.
impl fmt::Debug for StaffMember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaffMember").finish_non_exhaustive()
    }
}

impl StaffMember {
    /// Returns the prop `staff` of modules as JSON text.
    pub(crate) fn prop(&self) -> String {
        let mut staff = json!({"name": self.name, "scopes": self.person.scopes});
        if let Some(doctor) = &self.person.claims.doctor {
            staff["doctor"] = json!(doctor);
        }
        staff.to_string()
    }

    /// Returns the input `staff` of the shell's frame as JSON text.
    pub(crate) fn of_frame(&self, registry: &Registry) -> String {
        json!({"name": self.name, "pages": self.pages(registry)}).to_string()
    }

    /// Returns the pages that the person may see, as module data.
    pub(crate) fn listing(&self, registry: &Registry) -> DataResult {
        let pages = self.pages(registry);
        DataResult::found(&json!({ "pages": pages }))
    }

    fn pages(&self, registry: &Registry) -> Vec<Value> {
        let pages = registry.desk_pages.iter();
        let seen = pages.filter(|page| page.access.allows(&self.person.scopes));
        seen.map(entry).collect()
    }
}

fn entry(page: &DeskPage) -> Value {
    json!({"path": page.path, "label": page.access.label, "team": page.team})
}

/// Returns data of staff on a document of a visitor: none, as from a call without a token.
pub(crate) fn no_listing() -> DataResult {
    DataResult {
        json: r#"{"ok":false,"status":401,"body":null}"#.to_owned(),
        is_failure: false,
        moved: None,
    }
}
