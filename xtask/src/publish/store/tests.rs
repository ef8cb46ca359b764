//! Tests against a real S3 server, which checks each signature and stores objects as files.

use std::{
    cell::Cell,
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{Ipv4Addr, TcpListener},
    thread,
    time::Instant,
};

use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
};
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use s3s_fs::FileSystem;
use tokio::runtime::Runtime;

use super::*;
use crate::{
    page_contract::Contract,
    publish::{
        Move,
        pointer::{POINTERS, entry, move_in, read},
        verification::seal,
    },
};

const SECRET: &str = "a secret of the tests";

/// An S3 server that stores objects as files in a folder. Its bucket is `pages`.
struct Server {
    folder: TempDir,
    address: String,
    _runtime: Runtime,
}

impl Server {
    fn start() -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("pages")).unwrap();
        let mut service = S3ServiceBuilder::new(FileSystem::new(folder.path()).unwrap());
        service.set_auth(SimpleAuth::from_single("key", SECRET));
        let service = service.build();
        let runtime = Runtime::new().unwrap();
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
        let listener = runtime.block_on(listener).unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        runtime.spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let service = service.clone();
                tokio::spawn(async move {
                    let builder = Builder::new(TokioExecutor::new());
                    let served = builder.serve_connection(TokioIo::new(stream), service);
                    // Errors when a client disconnects are expected.
                    drop(served.await);
                });
            }
        });
        Self {
            folder,
            address,
            _runtime: runtime,
        }
    }

    fn place(&self) -> Place {
        place(&format!("{}/pages/remotes/", self.address), SECRET).unwrap()
    }

    /// Returns the file of an object.
    fn object(&self, key: &str) -> PathBuf {
        self.folder.path().join("pages/remotes").join(key)
    }

    fn pointers(&self) -> serde_json::Value {
        read(&self.object(""), POINTERS).unwrap()
    }

    fn stable(&self, name: &str) -> String {
        let pointers = self.pointers();
        entry(&pointers, name)["stable"]
            .as_str()
            .unwrap()
            .to_owned()
    }
}

fn place(base: &str, secret: &str) -> Result<Place> {
    let project = Project::find()?;
    let credentials = [Some("key"), Some(secret), None, None].map(|value| value.map(str::to_owned));
    let store = Store::new(&project, base, credentials)?;
    Ok(Place {
        project: project.publishing_to(Some(store.copy.path())),
        store: Some(store),
    })
}

/// Writes the files that `publish` leaves in the local copy before it uploads.
fn built(place: &Place, name: &str, version: &str, script: &str) {
    let folder = published(place.project(), name, version);
    fs::create_dir_all(folder.join("images")).unwrap();
    for (file, text) in [
        ("module.json", "{}"),
        ("server.js", script),
        ("images/a b+c.svg", "<svg/>"),
    ] {
        fs::write(folder.join(file), text).unwrap();
    }
    seal(&folder, None).unwrap();
}

/// Moves a pointer in the local copy only.
fn moved_in_copy(place: &Place, name: &str, to: Move<'_>) -> Result<String> {
    let contract = Contract::of(place.project())?;
    let folder = &place.project().remotes;
    move_in(folder, name, to, Some("sha256-x"), &contract, None)
}

fn move_to(place: &Place, name: &str, to: Move<'_>) -> Result<String> {
    place.moving(|| moved_in_copy(place, name, to))
}

fn published_whole(place: &Place, name: &str, version: &str) -> Result<String> {
    built(place, name, version, version);
    place.upload(name, version)?;
    move_to(place, name, Move::Stable(version))
}

#[test]
fn uploads_a_version_before_moving_the_pointer_and_rolls_back() {
    let server = Server::start();
    let place = server.place();
    assert_eq!(published_whole(&place, "booking", "1+a").unwrap(), "1+a");
    let file = |name: &str| fs::read_to_string(server.object("booking/1+a").join(name)).unwrap();
    assert_eq!(file("server.js"), "1+a");
    assert_eq!(file("images/a b+c.svg"), "<svg/>");
    let manifest = published(place.project(), "booking", "1+a").join(INTEGRITY);
    assert_eq!(file(INTEGRITY), fs::read_to_string(manifest).unwrap());
    assert_eq!(server.stable("booking"), "1+a");
    // Another pipeline shares nothing with the first but the store.
    let other = server.place();
    published_whole(&other, "booking", "2").unwrap();
    assert_eq!(server.stable("booking"), "2");
    assert_eq!(
        move_to(&server.place(), "booking", Move::Back).unwrap(),
        "1+a"
    );
    assert_eq!(server.stable("booking"), "1+a");
    let third = server.place();
    third.fetch("booking", "2").unwrap();
    let folder = published(third.project(), "booking", "2");
    assert!(folder.join("module.json").exists() && folder.join(INTEGRITY).exists());
    third.fetch("booking", "3").unwrap();
    let never = published(third.project(), "booking", "3");
    assert!(!never.join("module.json").exists());
}

#[test]
fn concurrent_publications_of_teams_lose_nothing() {
    let server = Server::start();
    published_whole(&server.place(), "booking", "1").unwrap();
    let place = server.place();
    built(&place, "booking", "2", "two");
    place.upload("booking", "2").unwrap();
    let tries = Cell::new(0);
    let moved = place.moving(|| {
        tries.set(tries.get() + 1);
        if tries.get() <= 2 {
            // A concurrent publisher moves its pointer first.
            published_whole(&server.place(), "content", &format!("{}", tries.get()))?;
        }
        moved_in_copy(&place, "booking", Move::Stable("2"))
    });
    assert_eq!((moved.unwrap().as_str(), tries.get()), ("2", 3));
    assert_eq!(
        (server.stable("booking"), server.stable("content")),
        ("2".into(), "2".into())
    );
    let pointers = server.pointers();
    assert_eq!(entry(&pointers, "booking")["previous"], "1", "{pointers}");
    assert_eq!(entry(&pointers, "booking")["moves"], 2, "{pointers}");
}

#[test]
fn fails_if_every_attempt_is_overtaken() {
    let server = Server::start();
    let place = server.place();
    let tries = Cell::new(0);
    let moved = place.moving(|| {
        tries.set(tries.get() + 1);
        let text = format!(
            "{{\"contract\": 2, \"shell\": {{}}, \"teams\": {{}}, \"n\": {}}}",
            tries.get()
        );
        fs::create_dir_all(server.object("")).unwrap();
        let other = server.place();
        let mine = other.project().remotes.join(POINTERS);
        other.moving(|| Ok(fs::write(&mine, &text)?))?;
        moved_in_copy(&place, "booking", Move::Stable("1"))
    });
    let problem = moved.unwrap_err().to_string();
    assert!(
        problem.contains("was changed by others 10 times"),
        "{problem}"
    );
    assert_eq!(tries.get(), TRIES_MAX);
    assert!(entry(&server.pointers(), "booking").is_null());
}

#[test]
fn does_not_repeat_a_move_whose_response_was_lost() {
    let server = Server::start();
    for version in ["1", "2"] {
        published_whole(&server.place(), "booking", version).unwrap();
    }
    let place = server.place();
    let ours = place.project().remotes.join(POINTERS);
    let back = place.moving(|| {
        let stable = moved_in_copy(&place, "booking", Move::Back)?;
        // Simulates a write that succeeded although its response was lost.
        let taken = server.place();
        let copy = taken.project().remotes.join(POINTERS);
        taken.moving(|| Ok(fs::copy(&ours, &copy)?))?;
        Ok(stable)
    });
    assert_eq!(back.unwrap(), "1");
    assert_eq!(server.stable("booking"), "1");
}

#[test]
fn keeps_published_versions_and_finishes_partial_uploads() {
    let server = Server::start();
    published_whole(&server.place(), "booking", "1").unwrap();
    let place = server.place();
    built(&place, "booking", "1", "other bytes");
    let problem = place.upload("booking", "1").unwrap_err().to_string();
    assert!(
        problem.contains("published before with other bytes"),
        "{problem}"
    );
    let script = server.object("booking/1/server.js");
    assert_eq!(fs::read_to_string(&script).unwrap(), "1");
    // Uploading the same version again sends only a signature.
    fs::remove_file(&script).unwrap();
    built(&place, "booking", "1", "1");
    let signature = published(place.project(), "booking", "1").join("integrity.sig");
    fs::write(signature, "by another key").unwrap();
    place.upload("booking", "1").unwrap();
    assert!(!script.exists());
    let signature = fs::read_to_string(server.object("booking/1/integrity.sig"));
    assert_eq!(signature.unwrap(), "by another key");
    // A pipeline that died left no manifest: gateways do not fetch the version, and the next run uploads all of it.
    fs::remove_file(server.object("booking/1").join(INTEGRITY)).unwrap();
    place.upload("booking", "1").unwrap();
    assert!(script.exists() && server.object("booking/1").join(INTEGRITY).exists());
}

#[test]
fn a_partial_upload_has_no_manifest() {
    let server = Server::start();
    let place = server.place();
    built(&place, "booking", "1", "1");
    // A folder at this path makes writing the file fail.
    let in_the_way = server.object("booking/1/server.js");
    fs::create_dir_all(in_the_way.join("x")).unwrap();
    let problem = place.upload("booking", "1").unwrap_err().to_string();
    assert!(problem.contains("booking/1/server.js: 5"), "{problem}");
    let manifest = server.object("booking/1").join(INTEGRITY);
    assert!(!manifest.exists());
    fs::remove_dir_all(in_the_way).unwrap();
    place.upload("booking", "1").unwrap();
    assert!(manifest.exists());
}

#[test]
fn names_a_store_that_refuses_or_does_not_respond() {
    let server = Server::start();
    let base = format!("{}/pages/remotes", server.address);
    let stranger = place(&base, "another secret").unwrap();
    let problem = move_to(&stranger, "booking", Move::Stable("1")).unwrap_err();
    let problem = problem.to_string();
    assert!(problem.contains("403 SignatureDoesNotMatch"), "{problem}");
    assert!(problem.contains(&format!("{base}/{POINTERS}")), "{problem}");

    fs::create_dir_all(server.object("")).unwrap();
    fs::write(server.object(POINTERS), " ".repeat(1024 * 1024 + 1)).unwrap();
    let problem = move_to(&server.place(), "booking", Move::Stable("1")).unwrap_err();
    let problem = problem.to_string();
    assert!(problem.contains("more than 1048576 bytes"), "{problem}");

    // Accepts connections but never responds.
    let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let mut place = place(
        &format!("http://{}/pages", silent.local_addr().unwrap()),
        SECRET,
    )
    .unwrap();
    place.store.as_mut().unwrap().object_time_max = Duration::from_millis(300);
    let began = Instant::now();
    let problem = move_to(&place, "booking", Move::Stable("1")).unwrap_err();
    assert!(
        problem.to_string().contains("not done after 300 ms"),
        "{problem}"
    );
    assert!(
        began.elapsed() < Duration::from_secs(20),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn refuses_a_store_without_conditional_writes() {
    // Responds with 404 to every read and 200 to every write.
    let careless = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = careless.local_addr().unwrap();
    thread::spawn(move || {
        for stream in careless.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") && stream.read_until(b'\n', &mut head).unwrap() > 0 {
            }
            let head = String::from_utf8(head).unwrap().to_lowercase();
            let mut lines = head.lines();
            let length = lines.find_map(|line| line.strip_prefix("content-length: "));
            let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
            stream.read_exact(&mut body).unwrap();
            let status = if head.starts_with("put") {
                "200 OK"
            } else {
                "404 Not Found"
            };
            let answer =
                format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            stream.get_mut().write_all(answer.as_bytes()).unwrap();
        }
    });
    let place = place(&format!("http://{address}/pages"), SECRET).unwrap();
    let problem = published_whole(&place, "booking", "1").unwrap_err();
    assert!(
        problem.to_string().contains("ignores `If-None-Match`"),
        "{problem}"
    );
}

#[test]
fn refuses_unsafe_store_addresses() {
    for base in [
        "http://store.example/pages",
        "ftp://store.example",
        "https://a@store.example/x",
        "https://store.example/?x",
    ] {
        let problem = place(base, SECRET).unwrap_err().to_string();
        assert!(problem.contains(base), "{problem}");
    }
    let project = Project::find().unwrap();
    let none = [const { None }; CREDENTIALS.len()];
    let problem = Store::new(&project, "https://store.example/pages", none).unwrap_err();
    assert!(
        problem.to_string().contains("AWS_ACCESS_KEY_ID is not set"),
        "{problem}"
    );
}

/// Runs the job of an image of page modules with a version and arguments. Returns its output.
fn run_job(server: &Server, version: &str, arguments: &[&str]) -> String {
    let root = Project::find().unwrap().root;
    let (pages, remotes) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let declaration = serde_json::json!({ "name": "booking", "version": version, "contract": 2 });
    for (file, text) in [
        ("module.json", &declaration.to_string()),
        ("server.js", &version.to_owned()),
    ] {
        fs::write(pages.path().join(file), text).unwrap();
    }
    seal(pages.path(), None).unwrap();
    let mut job = shell::command(&root, "node", ["deploy/docker/publish.mjs"]);
    job.args(arguments)
        .env("PAGES", "booking")
        .env("PAGES_DIR", pages.path())
        .env("REMOTES_DIR", remotes.path())
        .env(
            "REMOTES_STORE",
            format!("{}/pages/remotes/", server.address),
        )
        .envs([
            ("AWS_ACCESS_KEY_ID", "key"),
            ("AWS_SECRET_ACCESS_KEY", SECRET),
        ]);
    let done = job.output().unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    String::from_utf8(done.stdout).unwrap().trim().to_owned()
}

#[test]
fn the_job_of_an_image_publishes_canaries_and_rolls_back() {
    let server = Server::start();
    published_whole(&server.place(), "content", "1").unwrap();
    assert_eq!(run_job(&server, "1", &[]), "booking is 1");
    let script = fs::read_to_string(server.object("booking/1/server.js"));
    assert_eq!(script.unwrap(), "1");
    let said = run_job(&server, "2", &["--canary", "10"]);
    assert_eq!(said, "booking 2 makes 10 % of the documents");
    let canary = entry(&server.pointers(), "booking")["canary"].clone();
    assert_eq!(canary, serde_json::json!({ "version": "2", "percent": 10 }));
    assert_eq!(run_job(&server, "2", &[]), "booking is 2");
    assert_eq!(run_job(&server, "2", &["--back"]), "booking is 1");
    assert_eq!(run_job(&server, "2", &["--version", "2"]), "booking is 2");
    let pointers = server.pointers();
    let integrity = &entry(&pointers, "booking")["integrity"]["2"];
    assert!(integrity.is_string(), "{pointers}");
    assert_eq!(server.stable("content"), "1");
}
