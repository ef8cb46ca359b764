//! Speculation rules: links that a browser may load before they are clicked.

use serde_json::{Value, json};

use crate::language::{self, Language};

/// Returns the rules of documents in a language, as JSON. Links are prefetched when a visitor hovers over them. Only
/// pages without scripts are also prerendered. Prerendering the others would run their scripts, whose calls count
/// against the visitor's rate limit. Links to other languages are not followed ahead: their pages have other routes.
pub(crate) fn rules(
    hydrating_routes: &[String],
    feed_routes: &[String],
    language: Language,
) -> String {
    let never = ["/api/*", "/remotes/*"].map(str::to_owned);
    let hydrating = hydrating_routes.iter();
    let hydrating = hydrating.map(|route| pattern(&language::address(language, route)));
    let scripted = hydrating.chain(feed_routes.iter().map(|route| pattern(route)));
    let marked = json!({"not": {"selector_matches": "[rel~=nofollow],[download],[target=_blank],[hreflang]"}});
    let everything = json!({"href_matches": "/*"});
    let prefetch = vec![everything, excluded(never), marked];
    let prerender: Vec<Value> = prefetch
        .iter()
        .cloned()
        .chain([excluded(scripted)])
        .collect();
    let rule =
        |conditions: Vec<Value>| json!([{"where": {"and": conditions}, "eagerness": "moderate"}]);
    let rules = json!({"prefetch": rule(prefetch), "prerender": rule(prerender)});
    // `<` occurs only inside of JSON strings. Escaping it keeps the text from closing its script element.
    rules.to_string().replace('<', "\\u003c")
}

/// Excludes these paths, with and without a query.
fn excluded(paths: impl IntoIterator<Item = String>) -> Value {
    let paths = paths.into_iter().map(|path| json!({"pathname": path}));
    json!({"not": {"href_matches": paths.collect::<Vec<_>>()}})
}

/// Converts a route to a URL pattern: `/doctors/{slug}` becomes `/doctors/:slug`.
fn pattern(route: &str) -> String {
    let mut pattern = String::with_capacity(route.len() + 3);
    for (index, piece) in route.split('{').enumerate() {
        match piece.split_once('}') {
            Some((name, rest)) if index > 0 => {
                if name.starts_with('*') {
                    pattern.push('*');
                } else {
                    pattern.push(':');
                    pattern.push_str(name);
                }
                pattern.push_str(rest);
            }
            _ => pattern.push_str(piece),
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefetches_scripted_pages_without_prerendering() {
        let of = |language| {
            rules(
                &["/doctors/{slug}".to_owned()],
                &["/feed".to_owned()],
                language,
            )
        };
        let kannada = of(Language::Kannada);
        assert!(kannada.contains("\"/kn/doctors/:slug\"") && kannada.contains("\"/feed\""));
        let rules: Value = serde_json::from_str(&of(Language::English)).expect("JSON");
        assert!(rules["prerender"].to_string().contains("/doctors/:slug"));
        assert!(!rules["prefetch"].to_string().contains("/doctors/:slug"));
        assert_eq!(rules["prerender"][0]["eagerness"], "moderate");
    }
}
