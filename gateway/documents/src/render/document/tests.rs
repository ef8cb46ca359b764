use std::collections::BTreeMap;

use super::*;
use crate::{
    publish::{integrity::Trust, remote::Remote},
    registry::part::Declaration,
};

#[test]
fn data_cannot_break_out_of_its_element() {
    let json = "{\"a\":\"</script><!--\u{2028}\u{2029}\"}";
    let inert = inert(json);
    assert!(
        !inert.contains('<') && !inert.contains('\u{2028}') && !inert.contains('\u{2029}'),
        "{inert}"
    );
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    assert_eq!(value(&inert), value(json));
}

#[test]
fn finds_executable_markup() {
    let html = "<script>a()</script><script src=\"/x.js\"></script><script type=\"application/json\">{}</script>\
                <p>x</p><script type=\"module\">b()</script>";
    assert_eq!(inline_scripts(html).collect::<Vec<_>>(), ["a()", "b()"]);
}

#[test]
fn omits_scripts_without_hydration() {
    let document = Document {
        frame: Frame::default(),
        fragments: Vec::new(),
        styles: Vec::new(),
        scripts: Vec::new(),
        banner: "",
        notice: None,
        contract: 1,
        shell_version: "1.0.0",
        shell_script: Some("/remotes/shell/1/shell.js"),
        speculation_rules: "",
        trusted_types: None,
        ahead: "",
        skeletons: "",
        measure: None,
        live: None,
        bare: false,
        frames: false,
    };
    let (html, policy) = document.assemble();
    assert!(!html.contains("<script"), "{html}");
    assert!(policy.contains("script-src 'self';"), "{policy}");
}
/// Returns a part of the fixtures with this hydration mode.
fn part(mode: &str) -> Part {
    let remotes =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/remotes");
    let remote = Remote::read(&remotes, "clinic", "1.0.0", None, &Trust::default());
    let remote = remote.expect("fixture");
    let hydrate: Hydrate = serde_json::from_value(mode.into()).expect("mode");
    assert_eq!(hydrate.as_str(), mode);
    let declaration = Declaration {
        id: "beside",
        module: "./book",
        hydrate,
        data: &BTreeMap::new(),
        action: false,
    };
    Part::new(&Arc::new(remote), &declaration, &[], &[]).expect("a module that hydrates")
}

fn document_of(parts: &[Part]) -> String {
    let fragments = parts.iter().enumerate().map(|(index, part)| Fragment {
        id: format!("f{index}"),
        label: part.label(),
        version: "1.0.0".to_owned(),
        html: "<form></form>".to_owned(),
        untranslated: index == 1,
        inside: Vec::new(),
        hydration: Some(Hydration {
            part,
            props: "{}".to_owned(),
            messages: None,
        }),
    });
    let document = Document {
        frame: Frame::default(),
        fragments: fragments.collect(),
        styles: Vec::new(),
        scripts: Vec::new(),
        banner: "",
        notice: None,
        contract: 2,
        shell_version: "1.0.0",
        shell_script: Some("/remotes/shell/1/shell.js"),
        speculation_rules: "",
        trusted_types: None,
        ahead: "/remotes/booking/1/a.js",
        skeletons: "/blogs card 6 Loading posts",
        measure: Some("/remotes/shell/1/measure.js"),
        live: None,
        bare: false,
        frames: false,
    };
    document.assemble().0
}

#[test]
fn defers_scripts_of_parts_hydrated_on_interaction() {
    let html = document_of(&[part("interaction")]);
    assert!(
        !html.contains("<script src") && !html.contains("preload"),
        "{html}"
    );
    // The document script needs the part and the URL of the shell's script.
    assert!(
        html.contains(r#" data-hydrate="interaction"><form>"#),
        "{html}"
    );
    assert!(
        html.contains(r#"id="page-data" data-script="/remotes/shell/1/shell.js">{"#),
        "{html}"
    );
    assert!(html.contains(r#""hydrate":"interaction""#), "{html}");
    // Nothing else uses the network or measures the page, so prefetching and the measuring script are enabled.
    let later = r#"<body data-ahead="/remotes/booking/1/a.js" data-measure="/remotes/shell/1/measure.js" data-skeletons="/blogs card 6 Loading posts">"#;
    assert!(html.contains(later), "{html}");
}

#[test]
fn shares_scripts_with_parts_hydrated_on_load() {
    for mode in ["load", "idle", "visible"] {
        let html = document_of(&[part("interaction"), part(mode)]);
        let script = r#"<script src="/remotes/shell/1/shell.js" defer>"#;
        assert!(
            html.contains(script) && !html.contains("data-script"),
            "{html}"
        );
        assert_eq!(html.matches("data-hydrate").count(), 1, "{html}");
        assert_eq!(html.matches(r#" lang="en"><form>"#).count(), 1, "{html}");
        // Links to other pages may be slow from this page too.
        let body = r#"<body data-skeletons="/blogs card 6 Loading posts">"#;
        assert!(html.contains(body), "{html}");
    }
}
