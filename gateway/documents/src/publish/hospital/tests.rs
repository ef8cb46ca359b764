use serde_json::Value;

use super::*;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/second-hospital")
}

/// Copies the example, with one change to the text of one file, and returns the error.
fn problem(file: &str, from: &str, to: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path();
    for name in [LOOK_FILE, SITE_FILE, "mark.svg"]
        .into_iter()
        .map(PathBuf::from)
        .chain(PICTURES.map(|name| Path::new("root").join(name)))
    {
        let target = copy.join(&name);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(example().join(&name), target).unwrap();
    }
    let path = copy.join(file);
    match to {
        "removed" => fs::remove_file(&path).unwrap(),
        to => {
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.contains(from), "{from}");
            fs::write(&path, text.replacen(from, to, 1)).unwrap();
        }
    }
    let error = Hospital::read(copy).unwrap_err().to_string();
    assert!(error.contains(file), "{error}");
    error
}

#[test]
fn the_example_has_facts_mark_and_colours() {
    let hospital = Hospital::read(&example()).unwrap();
    let site: Value = serde_json::from_str(&hospital.site).unwrap();
    assert_eq!(site["foundedYear"], 2004);
    assert_eq!(site["address"]["postalCode"], "570020");
    assert_eq!(site["phones"][0]["e164"], "+918210000310");
    assert_eq!(hospital.emergency_phone, "+91 821 000 0310");
    assert!(hospital.style.contains("--action-strong:#"));
    assert!(hospital.style.contains("svg[data-mark]"));
    for path in [
        "/favicon.svg",
        "/favicon.ico",
        "/share.png",
        "/site.webmanifest",
    ] {
        assert!(hospital.file(path).is_some(), "{path}");
    }
    let manifest = hospital.file(MANIFEST).and_then(StaticFile::text).unwrap();
    let manifest: Value = serde_json::from_str(manifest).unwrap();
    assert_eq!(manifest["name"], site["name"]);
}

#[test]
fn names_the_wrong_file_and_field() {
    let colour = problem(LOOK_FILE, "action = \"#", "action = \"#f");
    assert!(colour.contains("colours.action: must be like"), "{colour}");
    let pale = problem(LOOK_FILE, "text-soft = \"#", "text-soft = \"#b0b0b0\" # ");
    assert!(pale.contains("text-soft: has a contrast of"), "{pale}");
    let other = problem(LOOK_FILE, "surface = ", "danger = \"#ffffff\"\nsurface = ");
    assert!(other.contains("danger: is no role"), "{other}");
    assert!(
        problem(
            LOOK_FILE,
            "short_name = \"",
            "short_name = \"A name that is too long "
        )
        .contains("short_name")
    );
    assert!(problem(LOOK_FILE, "mark = ", "logo = ").contains("logo"));
    assert!(problem(SITE_FILE, "name = ", "named = ").contains("name: is missing"));
    assert!(
        problem(SITE_FILE, "purpose = \"emergency\"", "purpose = \"other\"").contains("emergency")
    );
    assert!(problem("mark.svg", "<svg", "<html").contains("SVG"));
    problem("root/share.png", "", "removed");
    problem(SITE_FILE, "", "removed");
}

#[test]
fn the_shells_own_colours_pass_the_same_check() {
    let tokens = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web-shell/src/style/tokens.css");
    let text = fs::read_to_string(tokens).unwrap();
    let roles = text.lines().filter_map(|line| {
        let (role, colour) = line.trim().strip_prefix("--")?.split_once(": #")?;
        let colour = colour.trim_end_matches(';');
        let colour = if colour.len() == 3 {
            colour.repeat(2)
        } else {
            colour.to_owned()
        };
        let is_chosen = !role.starts_with("danger") && !role.starts_with("success");
        is_chosen.then(|| (role.to_owned(), format!("#{colour}")))
    });
    // The first definition of each role: later ones are for more contrast.
    let mut all = std::collections::BTreeMap::new();
    for (role, colour) in roles {
        all.entry(role).or_insert(colour);
    }
    let colours: Colours = serde_json::from_value(serde_json::to_value(all).unwrap()).unwrap();
    assert_eq!(colours.check(), Ok(()));
}
