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
fn selects_all_steps_by_default() {
    assert_eq!(names(&[]).len(), STEPS.len());
    assert_eq!(names(&["tidy", "format"]), ["tidy", "format"]);
}

#[test]
fn orders_steps_after_the_steps_they_need() {
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
fn no_compiling_step_waits_for_a_parallel_one() {
    for step in &STEPS {
        for name in step
            .waits_for()
            .filter(|&name| named(name).unwrap().is_beside)
        {
            assert_eq!((step.name, name), (E2E, DOC_TESTS));
        }
    }
}

#[test]
fn web_linters_need_no_build() {
    assert_eq!(names(&["web lint"]), ["web install", "web lint"]);
    assert_eq!(names(&["web format"]), ["web install", "web format"]);
}

#[test]
fn the_reference_of_commands_lists_every_step() {
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
fn an_unknown_step_is_an_error_that_lists_the_known_ones() {
    let error = wanted(&["nonsense".to_owned()]).unwrap_err().to_string();
    for step in &STEPS {
        assert!(error.contains(step.name), "{error}");
    }
}
