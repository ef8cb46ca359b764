//! Departments by what is the matter.

use std::collections::HashSet;

use hospital_proto::content::v1::{DepartmentProfile, ListDepartmentProfilesRequest};
use service_kit::input::{Line, Violation, Violations, optional};

use super::{collection::Collection, doctors::QUERY_CHARS_MAX};
use crate::{paging::PageRequest, search};

/// Query of a list of departments.
#[derive(Debug)]
pub(crate) struct ProfileQuery {
    /// Empty for all.
    text: String,
    pub(crate) page: PageRequest,
}

impl ProfileQuery {
    /// Parses the query. The error holds every violation.
    pub(crate) fn parse(request: &ListDepartmentProfilesRequest) -> Result<Self, Vec<Violation>> {
        let mut violations = Violations::default();
        let text = violations.take("q", optional(Line::parse(&request.q, QUERY_CHARS_MAX)));
        let text = text.flatten().map_or_else(String::new, Line::into_string);
        let violations = violations.into_vec();
        let filter = ["departments", &text];
        match PageRequest::parse(request.page_size, &request.page_token, &filter) {
            Ok(page) if violations.is_empty() => Ok(Self { text, page }),
            Ok(_) => Err(violations),
            Err(more) => Err([violations, more].concat()),
        }
    }

    /// Returns the ids of the wanted departments. `departments` are in English.
    pub(crate) fn fitting(&self, departments: &Collection<DepartmentProfile>) -> HashSet<String> {
        let all: Vec<&DepartmentProfile> = departments.iter().collect();
        let id = |profile: &&DepartmentProfile| profile.id.clone();
        if self.text.is_empty() {
            return all.iter().map(id).collect();
        }
        let texts = all.iter().map(|profile| {
            let lines = profile.treats.iter().chain(&profile.problems);
            lines.chain([&profile.name]).map(String::as_str).collect()
        });
        let texts: Vec<Vec<&str>> = texts.collect();
        let best = search::best(&self.text, &texts);
        let best = all.iter().zip(best).filter(|(_, is_best)| *is_best);
        best.map(|(profile, _)| id(profile)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::Content, files::Sources};

    fn found(words: &str) -> Vec<String> {
        let query = ProfileQuery::parse(&ListDepartmentProfilesRequest {
            q: words.to_owned(),
            ..ListDepartmentProfilesRequest::default()
        });
        let content = Content::load(&Sources::embedded(), None).expect("the embedded content");
        let mut ids: Vec<String> = query
            .expect("a query")
            .fitting(&content.departments)
            .into_iter()
            .collect();
        ids.sort();
        ids
    }

    #[test]
    fn words_of_each_language_find_the_same_departments() {
        for (department, words) in [
            (
                "general-medicine",
                ["fever", "ಜ್ವರ", "jwara", "बुखार", "bukhar"],
            ),
            (
                "orthopedics",
                ["knee", "ಮೊಣಕಾಲು", "monakalu", "घुटना", "ghutna"],
            ),
            ("cardiology", ["heart", "ಹೃದಯ", "hrudaya", "दिल", "dil"]),
        ] {
            let english = found(words[0]);
            assert!(english.contains(&department.to_owned()), "{english:?}");
            for other in &words[1..] {
                assert_eq!(found(other), english, "{other}");
            }
        }
    }

    #[test]
    fn unknown_words_find_none_and_no_words_find_all() {
        assert_eq!(found("zzzz"), Vec::<String>::new());
        assert!(found("").len() > 10);
    }
}
