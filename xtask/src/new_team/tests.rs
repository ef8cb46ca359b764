//! Refusals, after which nothing is written. The step `new team` of `cargo xtask test` checks that the written files
//! work.

use super::*;

/// Returns a tree with the files that the command reads.
fn tree() -> (tempfile::TempDir, Project) {
    let folder = tempfile::tempdir().unwrap();
    let own = Project::find().unwrap();
    for file in ["Cargo.toml", "package.json", "CODEOWNERS"] {
        fs::copy(own.root.join(file), folder.path().join(file)).unwrap();
    }
    let deploy = ["-r", "deploy"];
    shell::capture(shell::command(&own.root, "cp", deploy).arg(folder.path())).unwrap();
    let project = Project {
        root: folder.path().to_path_buf(),
        target: folder.path().join("target"),
        remotes: folder.path().join("remotes"),
        services: own.services,
    };
    (folder, project)
}

fn pharmacy() -> TeamName {
    "pharmacy".parse().unwrap()
}

#[test]
fn every_file_is_written_without_a_placeholder() {
    let (_folder, project) = tree();
    for (path, _) in write(&project, &pharmacy()).unwrap().own {
        assert!(path.to_string_lossy().contains("pharmacy"), "{path:?}");
        let text = fs::read_to_string(project.root.join(&path)).unwrap();
        for placeholder in ["@team@", "@Team@", "@react@", "@react-dom@", "@version@"] {
            assert!(!text.contains(placeholder), "{placeholder} in {path:?}");
        }
    }
}

#[test]
fn the_page_of_staff_needs_the_scope_of_its_data() {
    let (_folder, project) = tree();
    write(&project, &pharmacy()).unwrap();
    let web = project.root.join("svc-pharmacy/web");
    let config = read_json(&web.join("module.config.json")).unwrap();
    let pages = config["pages"].as_array().unwrap();
    let page = pages.iter().find(|page| page["route"] == "/staff/pharmacy");
    let page = page.unwrap();
    assert_eq!(page["access"]["scope"], "pharmacy:read");
    let contract = project
        .root
        .join("proto/hospital/pharmacy/v1/pharmacy.proto");
    let contract = fs::read_to_string(contract).unwrap();
    assert!(contract.contains("{scope: \"pharmacy:read\"}"));
    let module = page["module"].as_str().unwrap();
    let source = config["modules"][module].as_str().unwrap();
    assert!(web.join(source).exists(), "{source}");
    assert!(next_steps("pharmacy").contains("Add `\"pharmacy:read\"` to roles"));
}

#[test]
fn does_not_overwrite_existing_files() {
    for taken in ["svc-pharmacy", "proto/hospital/pharmacy"] {
        let (_folder, project) = tree();
        fs::create_dir_all(project.root.join(taken)).unwrap();
        let error = write(&project, &pharmacy()).unwrap_err().to_string();
        assert!(error.contains(taken), "{error}");
        let manifest = fs::read_to_string(project.root.join("Cargo.toml")).unwrap();
        assert!(!manifest.contains("pharmacy"), "nothing is registered");
    }
}

#[test]
fn site_descriptions_name_each_team_equally_often() {
    let (_folder, project) = tree();
    for (path, text) in write(&project, &pharmacy()).unwrap().changed {
        let of = |team: &str| text.matches(team).count();
        assert!(of("pharmacy") > 0, "{path:?}");
        if path != Path::new("Cargo.toml") {
            assert_eq!(of("pharmacy"), of("assessment"), "{path:?}");
        }
    }
}

#[test]
fn does_not_overwrite_existing_files_of_the_deployment() {
    let (_folder, project) = tree();
    let taken = "deploy/k8s/base/svc-pharmacy/own.yaml";
    let file = project.root.join(taken);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, "").unwrap();
    let error = write(&project, &pharmacy()).unwrap_err().to_string();
    assert!(error.contains(taken), "{error}");
    assert!(!project.root.join("svc-pharmacy").exists());
}

#[test]
fn refuses_a_page_that_another_team_declares() {
    let (_folder, project) = tree();
    let web = project.root.join("svc-care/web");
    fs::create_dir_all(&web).unwrap();
    let configuration = r#"{ "pages": [{ "route": "/pharmacy" }] }"#;
    fs::write(web.join("module.config.json"), configuration).unwrap();
    let error = write(&project, &pharmacy()).unwrap_err().to_string();
    assert!(
        error.contains("the page /pharmacy is declared by"),
        "{error}"
    );
    assert!(!project.root.join("svc-pharmacy").exists());
}

#[test]
fn every_template_of_the_folder_is_used() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/team");
    let mut open = vec![folder];
    let mut found = 0;
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found += 1;
            }
        }
    }
    assert_eq!(found, TEMPLATES.len());
}
