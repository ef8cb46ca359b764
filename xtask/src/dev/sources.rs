//! The sources of a service and of the kits it is built from. The kernel's file notifications report saves.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::mpsc::Sender,
};

use anyhow::{Context as _, Result};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use service_list::Service;

use crate::{project::Project, supervise::Event};

/// Crates that every service is built from, besides its own.
const KITS: [&str; 3] = ["proto", "service-kit", "store-kit"];
/// Folders of a crate that its program is not built from.
const NOT_BUILT: [&str; 5] = ["web", "tests", "benches", "target", "node_modules"];

/// Returns the folders to watch, each with whether its subfolders are watched, too.
pub(super) fn of_service(
    project: &Project,
    service: &Service,
) -> Result<Vec<(PathBuf, RecursiveMode)>> {
    let mut found = Vec::new();
    for name in KITS.into_iter().chain([service.name.as_str()]) {
        let crate_folder = project.root.join(name);
        for entry in fs::read_dir(&crate_folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let is_built = !NOT_BUILT.iter().any(|other| name == *other);
            if entry.file_type()?.is_dir() && is_built {
                found.push((entry.path(), RecursiveMode::Recursive));
            }
        }
        found.push((crate_folder, RecursiveMode::NonRecursive));
    }
    Ok(found)
}

/// Sends [`Event::Saved`] for each change below the folders, until the watcher is dropped.
pub(super) fn watch(
    folders: &[(PathBuf, RecursiveMode)],
    events: Sender<Event>,
) -> Result<RecommendedWatcher> {
    let handle = move |event: notify::Result<notify::Event>| match event {
        Ok(event) if is_save(&event) => {
            // Fails once the run has ended.
            drop(events.send(Event::Saved));
        }
        Ok(_) => {}
        Err(error) => eprintln!("watching the sources failed: {error}"),
    };
    let mut watcher = notify::recommended_watcher(handle)?;
    for (folder, mode) in folders {
        watcher
            .watch(folder, *mode)
            .with_context(|| format!("cannot watch {}", folder.display()))?;
    }
    Ok(watcher)
}

/// Returns whether an event is a save. Reads do not count, nor do changes to editors' own files, such as swap files.
fn is_save(event: &notify::Event) -> bool {
    let is_change = matches!(
        event.kind,
        EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_)
    );
    is_change && event.paths.iter().any(|path| !is_of_an_editor(path))
}

fn is_of_an_editor(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // Vim creates a file of this name to test whether the folder is writable.
    let is_probe = name == "4913";
    let is_hidden = name.starts_with(['.', '#']);
    is_probe || is_hidden || name.ends_with('~')
}

#[cfg(test)]
mod tests {
    use std::{
        sync::mpsc::{RecvTimeoutError, channel},
        time::Duration,
    };

    use super::*;

    /// Ample time for the kernel's notification, and the limit of a failing test.
    const WAIT: Duration = Duration::from_secs(10);

    #[test]
    fn reports_only_saves_below_the_folders() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("src/deep");
        fs::create_dir_all(&source).unwrap();
        fs::write(source.join("lib.rs"), "// one").unwrap();
        let (sender, events) = channel();
        let folders = [(folder.path().join("src"), RecursiveMode::Recursive)];
        let watcher = watch(&folders, sender).unwrap();

        fs::read(source.join("lib.rs")).unwrap();
        fs::write(source.join(".lib.rs.swp"), "").unwrap();
        fs::write(folder.path().join("beside.rs"), "").unwrap();
        fs::write(source.join("lib.rs"), "// two").unwrap();
        assert!(matches!(events.recv_timeout(WAIT), Ok(Event::Saved)));
        // Like an editor's save: written to a temporary file, then renamed.
        while events.try_recv().is_ok() {}
        fs::write(source.join("#lib.rs#"), "// three").unwrap();
        fs::rename(source.join("#lib.rs#"), source.join("lib.rs")).unwrap();
        assert!(matches!(events.recv_timeout(WAIT), Ok(Event::Saved)));
        drop(watcher);
        while events.try_recv().is_ok() {}
        fs::write(source.join("lib.rs"), "// four").unwrap();
        let after = events.recv_timeout(WAIT);
        assert!(matches!(after, Err(RecvTimeoutError::Disconnected)));
    }

    #[test]
    fn ignores_temporary_files_of_editors() {
        for name in ["src/.lib.rs.swp", "src/lib.rs~", "src/4913", "src/#lib.rs#"] {
            assert!(is_of_an_editor(Path::new(name)), "{name}");
        }
        assert!(!is_of_an_editor(Path::new("src/lib.rs")));
    }

    #[test]
    fn pages_and_tests_are_not_sources_of_a_service() {
        let project = Project::find().unwrap();
        let content = project.services.iter().find(|s| s.name == "svc-content");
        let folders = of_service(&project, content.unwrap()).unwrap();
        let has = |path: &str| {
            let path = project.root.join(path);
            folders.iter().any(|(folder, _)| *folder == path)
        };
        assert!(has("svc-content/src") && has("svc-content/content") && has("store-kit/src"));
        assert!(!has("svc-content/web") && !has("svc-content/tests"));
    }
}
