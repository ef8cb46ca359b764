//! Checks before publication whether this gateway can serve a built folder: its module.json, its files and each of its
//! renders. Renders use the production engine and limits.

use std::{fmt::Display, io, path::Path, sync::Arc, thread, time::Duration};

use serde::Deserialize;

use crate::{
    config::{MIB, PagesConfig},
    error::PagesError,
    publish::{manifest::Hydrate, remote::Remote},
    registry::{
        parameters,
        part::{Declaration, Part},
    },
    render::{
        engine::{Engine, RenderLimits},
        message::{self, ActionAnswer, Frame, Rendered},
        pool::THREAD_STACK_BYTES,
    },
};

/// Length of the excerpt quoted where two outputs differ, in characters.
const EXCERPT_BYTES: usize = 60;

/// A render made by another engine.
#[derive(Debug, Deserialize)]
pub struct Case {
    /// Human-readable description: page or fragment, and its data.
    pub what: String,
    /// JSON text.
    pub input: String,
    /// Exact output of the other engine; `None` if there is nothing to compare.
    pub output: Option<String>,
}

/// Returns all problems of a built folder, each naming the page and the error. Empty when there are none.
///
/// # Errors
/// When the folder is not publishable at all, or no thread can be started.
pub fn verify(
    folder: &Path,
    cases: Vec<Case>,
    config: &PagesConfig,
) -> Result<Vec<String>, PagesError> {
    let remote = Arc::new(Remote::built(folder)?);
    let mut problems = declared(&remote);
    let limits = RenderLimits {
        time_max: Duration::from_millis(config.render_time_ms_max),
        memory_bytes_max: usize::try_from(config.render_memory_mib_max * MIB).unwrap_or(usize::MAX),
    };
    let rendering = thread::Builder::new()
        .stack_size(THREAD_STACK_BYTES)
        .spawn(move || render_all(&remote, &cases, limits));
    let rendered = rendering.map_err(PagesError::Threads)?.join();
    problems.extend(rendered.map_err(|_| PagesError::Threads(io::Error::other("it panicked")))?);
    Ok(problems)
}

/// Checks the declarations of all pages and compositions.
fn declared(remote: &Arc<Remote>) -> Vec<String> {
    let file = &remote.file;
    let pages = file.pages.iter().map(|page| {
        let declaration = Declaration {
            id: &page.route,
            module: &page.module,
            hydrate: page.hydrate,
            data: &page.data,
            action: page.action,
        };
        (declaration, parameters(&page.route), &page.query)
    });
    let compositions = file.compositions.iter().map(|page| {
        let declaration = Declaration {
            id: &page.route,
            module: &page.module,
            hydrate: Hydrate::None,
            data: &page.data,
            action: page.action,
        };
        (declaration, parameters(&page.route), &page.query)
    });
    let all = pages.chain(compositions);
    let problems = all.filter_map(|(declaration, parameters, query)| {
        let made = Part::new(remote, &declaration, &parameters, query);
        let (field, problem) = made.err()?;
        Some(format!("page {}: {field}: {problem}", declaration.id))
    });
    problems.collect()
}

fn render_all(remote: &Remote, cases: &[Case], limits: RenderLimits) -> Vec<String> {
    let mut problems = Vec::new();
    let mut engine = None;
    for case in cases {
        let result = match engine.take() {
            Some(engine) => Ok(engine),
            None => Engine::load(&remote.program, limits),
        };
        let mut loaded = match result {
            Ok(loaded) => loaded,
            Err(error) => {
                problems.push(format!("server.js does not load: {error}"));
                return problems;
            }
        };
        match render(&mut loaded, case, limits) {
            Ok(()) => engine = Some(loaded),
            // A failed engine may hold half-finished state.
            Err(problem) => problems.push(format!("{}: {problem}", case.what)),
        }
    }
    problems
}

fn render(engine: &mut Engine, case: &Case, limits: RenderLimits) -> Result<(), String> {
    let output = engine.call(&case.input, limits);
    let output = output.map_err(|error| explained(&error))?;
    let kind = if case.input.starts_with(r#"{"kind":"action""#) {
        message::parse::<ActionAnswer>(&output).map(drop)
    } else if case.input.starts_with(r#"{"kind":"document""#) {
        message::parse::<Frame>(&output).map(drop)
    } else {
        message::parse::<Rendered>(&output).map(drop)
    };
    kind.map_err(|error| error.to_string())?;
    match &case.output {
        Some(other) if *other != output => Err(difference(other, &output)),
        _ => Ok(()),
    }
}

/// Formats an error, with advice for the most frequent one.
fn explained(error: &impl Display) -> String {
    let error = error.to_string();
    let is_missing = error.contains("Intl") || error.contains("is not defined");
    if is_missing {
        format!(
            "{error}: the gateway's engine has only the JavaScript language, without Intl, browser or Node APIs"
        )
    } else {
        error
    }
}

fn difference(node: &str, here: &str) -> String {
    let bytes = node.bytes().zip(here.bytes());
    let start = bytes.take_while(|(one, other)| one == other).count();
    let excerpt = |text: &str| {
        let mut from = start.saturating_sub(EXCERPT_BYTES / 3).min(text.len());
        while !text.is_char_boundary(from) {
            from -= 1;
        }
        text[from..].chars().take(EXCERPT_BYTES).collect::<String>()
    };
    format!(
        "Node and the gateway's engine render it differently: {:?} and {:?}",
        excerpt(node),
        excerpt(here)
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;
    use serde_json::json;

    use super::*;

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        pages: PagesConfig,
    }

    /// Returns the problems of a bundle whose only page shows the value of the expression.
    fn problems_of(expression: &str, node: Option<&str>) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let module = json!({"name": "rooms", "version": "1", "contract": 2, "modules": {"./rooms": {}},
            "pages": [{"route": "/rooms", "module": "./rooms"}]});
        fs::write(folder.path().join("module.json"), module.to_string()).unwrap();
        let bundle = format!(
            "globalThis.hospitalRender = () => JSON.stringify({{html: String({expression})}});"
        );
        fs::write(folder.path().join("server.js"), bundle).unwrap();
        let case = |what: &str, input: &str| Case {
            what: what.to_owned(),
            input: input.to_owned(),
            output: node.map(|html| json!({ "html": html }).to_string()),
        };
        let cases = vec![
            case("page /rooms, data down", r#"{"kind":"fragment"}"#),
            case("page /rooms, sample data", r#"{"kind":"fragment"}"#),
        ];
        let config = Arguments::parse_from(["verify"]).pages;
        verify(folder.path(), cases, &config).unwrap()
    }

    #[test]
    fn accepts_equal_renders_of_both_engines() {
        assert_eq!(problems_of("'a room'", Some("a room")), [""; 0]);
    }

    #[test]
    fn refuses_a_module_that_uses_intl_and_names_its_page() {
        let problems = problems_of(
            "new Intl.NumberFormat('en-IN').format(100000)",
            Some("1,00,000"),
        );
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(
            problems[0].starts_with("page /rooms, data down: the bundle threw: "),
            "{problems:?}"
        );
        assert!(problems[0].contains("Intl"), "{problems:?}");
    }

    #[test]
    fn shows_where_a_difference_begins() {
        // The engine's own `toLocaleString` ignores the locale.
        let problems = problems_of("(1234.5).toLocaleString('en-IN')", Some("1,234.5"));
        assert!(
            problems[0].contains("1,234.5") && problems[0].contains("differently"),
            "{problems:?}"
        );
    }

    #[test]
    fn stops_endless_renders() {
        let problems = problems_of("(() => { for (;;); })()", None);
        assert!(problems[0].contains("time limit"), "{problems:?}");
    }
}
