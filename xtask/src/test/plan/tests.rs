use super::*;

fn names(only: &[&str]) -> Vec<&'static str> {
    let only: Vec<_> = only.iter().map(|&name| name.to_owned()).collect();
    wanted(&only)
        .unwrap()
        .iter()
        .map(|step| step.name)
        .collect()
}

#[test]
fn everything_is_wanted_unless_something_is_asked_for() {
    assert_eq!(names(&[]).len(), STEPS.len());
    assert_eq!(names(&["tidy", "format"]), ["tidy", "format"]);
}

#[test]
fn what_a_step_needs_comes_before_it() {
    assert_eq!(
        names(&["rust"]),
        [
            "protoc",
            "web install",
            "smtp server",
            "redis",
            "postgresql",
            "web build",
            "rust build",
            "rust tests"
        ]
    );
    assert!(names(&["e2e"]).contains(&"web build"));
    for (index, step) in STEPS.iter().enumerate() {
        let mut closure = BTreeSet::new();
        for need in step.needs {
            let found = STEPS[..index].iter().find(|step| step.name == *need);
            let found = found.unwrap_or_else(|| panic!("{} needs {need}", step.name));
            closure.extend(found.needs);
        }
        for need in closure {
            assert!(step.needs.contains(&need), "{} needs {need}", step.name);
        }
    }
}

#[test]
fn nobody_who_compiles_or_waits_for_it_needs_what_runs_beside() {
    for step in &STEPS {
        for name in step
            .waits_for()
            .filter(|&name| named(name).unwrap().is_beside)
        {
            assert_eq!((step.name, name), (E2E, CLIPPY));
        }
    }
}

#[test]
fn the_linters_of_the_web_need_nothing_that_is_built() {
    assert_eq!(names(&["web lint"]), ["web install", "web lint"]);
    assert_eq!(names(&["web format"]), ["web install", "web format"]);
}

#[test]
fn the_reference_of_commands_names_the_steps() {
    let text = include_str!("../../../../docs/reference/commands.md");
    let named = text
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let named: Vec<_> = named.map(|(name, _)| name).collect();
    let all: Vec<_> = STEPS.iter().map(|step| step.name).collect();
    let listed = named.windows(all.len()).any(|names| names == all);
    assert!(listed, "{named:?}");
}

#[test]
fn an_unknown_step_is_an_error_that_names_the_known_ones() {
    let error = wanted(&["nonsense".to_owned()]).unwrap_err().to_string();
    for step in &STEPS {
        assert!(error.contains(step.name), "{error}");
    }
}
