//! Paging through the departments.

use service_kit::input::{Violation, Violations};

use super::roster::{Department, Roster};

/// Maximum departments per page.
pub const PAGE_SIZE_MAX: usize = 100;

/// Unvalidated page size and page token.
#[derive(Clone, Debug, Default)]
pub struct PageRequest {
    pub page_size: i32,
    pub page_token: String,
}

/// One page of the departments and the token of the next; the token is empty on the last page.
#[derive(Debug)]
pub struct Page<'a> {
    pub departments: &'a [Department],
    pub next_page_token: String,
}

/// Returns the requested page. A token is the id of the last department of the previous page, and stays valid when
/// departments are added.
pub fn page<'a>(request: &PageRequest, roster: &'a Roster) -> Result<Page<'a>, Vec<Violation>> {
    let mut violations = Violations::default();
    let size = violations.take("pageSize", parse_size(request.page_size));
    let start = violations.take("pageToken", parse_token(&request.page_token, roster));
    let (Some(size), Some(start)) = (size, start) else {
        return Err(violations.into_vec());
    };
    let rest = &roster.departments[start..];
    let departments = &rest[..size.min(rest.len())];
    let more = departments.len() < rest.len();
    Ok(Page {
        departments,
        next_page_token: departments
            .last()
            .filter(|_| more)
            .map(|last| last.id.clone())
            .unwrap_or_default(),
    })
}

fn parse_size(size: i32) -> Result<usize, String> {
    match usize::try_from(size) {
        Ok(0) => Ok(PAGE_SIZE_MAX),
        Ok(size) => Ok(size.min(PAGE_SIZE_MAX)),
        Err(_) => Err("Ask for 1 to 100 departments, or leave it out".to_owned()),
    }
}

fn parse_token(token: &str, roster: &Roster) -> Result<usize, String> {
    if token.is_empty() {
        return Ok(0);
    }
    roster
        .departments
        .iter()
        .position(|department| department.id == token)
        .map(|last| last + 1)
        .ok_or_else(|| "Use the nextPageToken of the page before, unchanged".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::roster::Seed;

    #[test]
    fn pages_have_no_gap_or_overlap() {
        let roster = Seed::embedded().roster();
        for page_size in [1, 5, 11, 12, 13, 100] {
            let mut seen = Vec::new();
            let mut page_token = String::new();
            loop {
                let request = PageRequest {
                    page_size,
                    page_token,
                };
                let page = page(&request, &roster).expect("a valid request");
                seen.extend(
                    page.departments
                        .iter()
                        .map(|department| department.id.clone()),
                );
                page_token = page.next_page_token;
                if page_token.is_empty() {
                    break;
                }
            }
            let all: Vec<String> = roster
                .departments
                .iter()
                .map(|department| department.id.clone())
                .collect();
            assert_eq!(seen, all, "pages of {page_size}");
        }
    }

    #[test]
    fn a_bad_page_is_refused_by_field() {
        let request = PageRequest {
            page_size: -1,
            page_token: "astrology".to_owned(),
        };
        let violations = page(&request, &Seed::embedded().roster()).expect_err("refused");
        let fields: Vec<_> = violations
            .iter()
            .map(|found| found.field.as_str())
            .collect();
        assert_eq!(fields, ["pageSize", "pageToken"]);
    }
}
