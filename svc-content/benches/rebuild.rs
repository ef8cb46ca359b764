//! Benchmark of a publication among 10,000 records: the check before the commit, the rebuild of the content, and the
//! time until the real program serves it. With `BENCH_SHORT` it takes seconds, and shows only that the bench works.

use std::{
    process::Stdio,
    sync::Arc,
    time::{Duration, Instant},
};

use hospital_proto::content::v1::{GetNewsRequest, content_service_client::ContentServiceClient};
use serde_json::json;
use service_kit::source::{Clock as _, SystemClock};
use store_kit::{database::Limits, keys::Keys, migrate};
use svc_content::{
    files::Sources,
    records::{self, Kind, Live, gaps},
    store::{
        SCHEMA, Store,
        records::{Author, Check, Publication, RecordOutcome, Target},
    },
};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
};
use tonic::transport::Channel;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Kinds of which a hospital has many.
const MANY: [&str; 3] = ["news", "event", "review"];

#[tokio::main]
async fn main() -> Result<()> {
    let is_short = std::env::var_os("BENCH_SHORT").is_some();
    let (count, rounds) = if is_short { (300, 1) } else { (10_000, 10) };
    let base = Sources::embedded();
    let all = many(&base, count)?;
    println!("{} records", all.len());
    let mut times = Vec::new();
    for _ in 0..rounds {
        let started = Instant::now();
        let content = records::load(&base, &all, None).map_err(|problem| format!("{problem:?}"))?;
        times.push(started.elapsed());
        let now = SystemClock.now();
        assert!(!gaps::gaps_in(&content, now).is_empty());
    }
    report("load", times);
    publish(&base, all, rounds).await
}

/// Returns the records of the files and copies of some, `count` in all.
fn many(base: &Sources, count: usize) -> Result<Vec<Live>> {
    let own = records::of_sources(base)?;
    let samples: Vec<Live> = own
        .iter()
        .filter(|record| MANY.contains(&record.kind.name))
        .cloned()
        .collect();
    let more = count - own.len();
    let copies = samples.iter().cycle().take(more).enumerate();
    let copies = copies.map(|(number, sample)| {
        let mut copy = sample.clone();
        copy.id = format!("{}-copy{number}", sample.id);
        copy.body.insert("id".to_owned(), json!(copy.id));
        copy
    });
    let mut all: Vec<Live> = copies.collect();
    all.extend(own);
    all.sort_by_key(|record| record.kind.name);
    Ok(all)
}

async fn publish(base: &Sources, all: Vec<Live>, rounds: usize) -> Result<()> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let url = format!("sqlite:{}", folder.path().join("content.db").display());
    let keys = Keys::read(&test_kit::keys::path())?;
    migrate::migrate(&url.parse()?, &SCHEMA, &keys).await?;
    let limits = Limits::default();
    let open = store_kit::database::Database::open(&url.parse()?, limits, SCHEMA, &keys).await?;
    let store = Store::new(open.clone(), keys);
    let base = base.clone();
    let check: Check = Arc::new(move |live| records::load(&base, live, None).map(drop));
    let now = SystemClock.now();
    let taken = store.take_files(all, false, Arc::clone(&check), (now, "files".to_owned()));
    println!("{:?}", taken.await?);
    let started = Instant::now();
    let mut server = Server::start(&url).await?;
    report("start of the program", vec![started.elapsed()]);
    let (kind, id) = (Kind::of("news").ok_or("a kind")?, "dengue-desk");
    let (mut publications, mut served) = (Vec::new(), Vec::new());
    for number in 0..rounds {
        let row = store.record_row(kind, id).await?.ok_or("a record")?;
        let body = store.record_body(kind, id, row.version).await?;
        let mut body = body.ok_or("a body")?;
        let excerpt = format!("Summary {number}.");
        body.insert("excerpt".to_owned(), json!(excerpt));
        let target = |etag: &str, next: &str| Target {
            kind,
            id: id.to_owned(),
            etag: etag.to_owned(),
            author: Author::default(),
            now: SystemClock.now(),
            next_etag: format!("{next}-{number}"),
        };
        let saved = store.save_record(target(&row.etag, "saved"), body).await?;
        let RecordOutcome::Done(draft) = saved else {
            return Err(format!("{saved:?}").into());
        };
        let started = Instant::now();
        let target = target(&draft.etag, "published");
        let live = store.publish_record(target, Publication::default(), Arc::clone(&check));
        let live = live.await?;
        if !matches!(live, RecordOutcome::Done(_)) {
            return Err(format!("{live:?}").into());
        }
        publications.push(started.elapsed());
        let started = Instant::now();
        while server.excerpt(id).await? != excerpt {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        served.push(started.elapsed());
    }
    report("publication, with its check", publications);
    report("until it is served, polled every 250 ms", served);
    server.child.kill().await?;
    open.close().await;
    Ok(())
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let (middle, last) = (times[times.len() / 2], times[times.len() - 1]);
    println!(
        "{what}: median {} ms, most {} ms",
        middle.as_millis(),
        last.as_millis()
    );
}

/// The real program, ready to serve.
struct Server {
    child: Child,
    client: ContentServiceClient<Channel>,
}

impl Server {
    async fn start(database_url: &str) -> Result<Self> {
        let mut child = Command::new(env!("CARGO_BIN_EXE_svc-content"))
            .args([
                "--listen",
                "127.0.0.1:0",
                "--operators-listen",
                "127.0.0.1:0",
            ])
            .args(["--database-url", database_url])
            .env("RUST_LOG", "error")
            .env("SEAL_KEYS_FILE", test_kit::keys::path())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let stdout = child.stdout.take().ok_or("no standard output")?;
        let line = BufReader::new(stdout).lines().next_line().await?;
        let line = line.ok_or("the process ended")?;
        let address = line.strip_prefix("listening on ").ok_or("no address")?;
        let client = ContentServiceClient::connect(format!("http://{address}")).await?;
        Ok(Self { child, client })
    }

    /// Returns the summary that visitors read.
    async fn excerpt(&mut self, id: &str) -> Result<String> {
        let news = id.to_owned();
        let read = self.client.get_news(GetNewsRequest { news }).await?;
        Ok(read.into_inner().news.ok_or("no news")?.excerpt)
    }
}
