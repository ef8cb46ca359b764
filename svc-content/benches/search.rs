//! Benchmark with 10,000 blog posts, over gRPC: latency of queries and of list pages at any depth, and memory of the
//! process. `BENCH_JSON` names a file for the results; `TEST_POSTGRES_URL` adds PostgreSQL. With `BENCH_SHORT` it takes
//! seconds, and shows only that the bench works.

use std::{
    fmt::Write as _,
    fs::File,
    io::Write as _,
    process::Stdio,
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use futures::{StreamExt as _, stream};
use hdrhistogram::Histogram;
use hospital_proto::content::v1::{
    GetBlogRequest, ListBlogsRequest, SearchRequest, content_service_client::ContentServiceClient,
};
use service_kit::source::{Ids as _, RandomIds};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use store_kit::{database::Limits, keys::Keys, migrate, requests::RequestKey};
use svc_content::{
    domain::blog::{BlogForm, Draft, NewBlog},
    files::Sources,
    store::{CREATE, CreateOutcome, SCHEMA, Store},
    wire,
};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
};
use tonic::transport::Channel;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;
type Client = ContentServiceClient<Channel>;

const WRITES_AT_ONCE: usize = 64;
const WORDS_PER_POST: usize = 500;
const PAGE_SIZE: i32 = 20;

/// Size of a run.
struct Extent {
    posts: usize,
    /// Calls of one kind.
    rounds: usize,
    /// Numbers of the measured pages, counted from 1.
    depths: &'static [usize],
}

const WHOLE: Extent = Extent {
    posts: 10_000,
    rounds: 200,
    depths: &[1, 10, 100, 250, 500],
};
const SHORT: Extent = Extent {
    posts: 200,
    rounds: 2,
    depths: &[1, 10],
};

fn extent() -> &'static Extent {
    if std::env::var_os("BENCH_SHORT").is_some() {
        &SHORT
    } else {
        &WHOLE
    }
}

/// Sample queries: known, misspelt, frequent and multiple words.
const QUERIES: [&str; 8] = [
    "cardiology",
    "cardeology",
    "piles",
    "orthopaedic surgeon",
    "blood pressure at home",
    "diabtes and the eys",
    "card",
    "zzzzqqqqxxxx",
];

#[tokio::main]
async fn main() -> Result<()> {
    let mut report = Report::default();
    let few = Server::start(&Database::sqlite()?).await?;
    let (name, mib) = ("15 posts", few.resident_mib()?);
    report.add(
        &format!("sqlite, {name}: {mib:.1} MiB resident"),
        &format!(r#"{{"database":"sqlite","posts":15,"resident_mib":{mib:.1}}}"#),
    );
    few.stop().await?;
    measure(&mut report, Database::sqlite()?).await?;
    if let Some(database) = Database::postgres().await? {
        measure(&mut report, database).await?;
    }
    report.finish()
}

async fn measure(report: &mut Report, database: Database) -> Result<()> {
    let (name, posts) = (database.name, extent().posts);
    fill(&database).await?;
    let started = Instant::now();
    let server = Server::start(&database).await?;
    let ready = started.elapsed().as_secs_f64();
    let mib = server.resident_mib()?;
    report.add(
        &format!("{name}, {posts} posts: ready after {ready:.2} s, {mib:.1} MiB resident"),
        &format!(r#"{{"database":"{name}","posts":{posts},"ready_s":{ready:.2},"resident_mib":{mib:.1}}}"#),
    );
    let mut client = ContentServiceClient::connect(server.url.clone()).await?;
    for query in QUERIES {
        let mut times = Times::new()?;
        let mut found = 0;
        for _ in 0..extent().rounds {
            let request = SearchRequest {
                q: query.to_owned(),
                ..SearchRequest::default()
            };
            let started = Instant::now();
            found = client.search(request).await?.into_inner().results.len();
            times.add(started.elapsed())?;
        }
        report.times(name, "search", query, &times);
        if query != "zzzzqqqqxxxx" && found == 0 {
            return Err(format!("nothing is found for {query}").into());
        }
    }
    for category in ["", "Category 3"] {
        pages(report, name, &mut client, category).await?;
    }
    let mut times = Times::new()?;
    for number in 0..extent().rounds {
        let request = GetBlogRequest {
            blog: format!("post-{}", number * (extent().posts / extent().rounds)),
        };
        let started = Instant::now();
        client.get_blog(request).await?;
        times.add(started.elapsed())?;
    }
    report.times(name, "get", "by slug", &times);
    server.stop().await?;
    database.remove().await
}

/// Measures list pages; the latency must not grow with the depth.
async fn pages(report: &mut Report, name: &str, client: &mut Client, category: &str) -> Result<()> {
    let mut request = ListBlogsRequest {
        page_size: PAGE_SIZE,
        category: category.to_owned(),
        ..ListBlogsRequest::default()
    };
    for depth in 1.. {
        let page = client.list_blogs(request.clone()).await?.into_inner();
        if extent().depths.contains(&depth) {
            let mut times = Times::new()?;
            for _ in 0..extent().rounds {
                let started = Instant::now();
                client.list_blogs(request.clone()).await?;
                times.add(started.elapsed())?;
            }
            let what = format!(
                "page {depth} of {}",
                if category.is_empty() {
                    "all"
                } else {
                    "a category"
                }
            );
            report.times(name, "list", &what, &times);
        }
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    Ok(())
}

/// Fills the database with posts of realistic word frequencies. Half of the words come from the hospital's own posts,
/// the others from a made-up vocabulary.
async fn fill(database: &Database) -> Result<()> {
    let sources = Sources::embedded();
    let own: Vec<&str> = sources
        .text("blogs.toml")
        .split_whitespace()
        .filter(|word| word.chars().all(char::is_alphabetic))
        .collect();
    let mut random = Random(1);
    let mut posts = Vec::with_capacity(extent().posts);
    for number in 0..extent().posts {
        let mut content = String::with_capacity(WORDS_PER_POST * 8);
        for _ in 0..WORDS_PER_POST {
            let word = random.below(own.len());
            if random.below(2) == 0 {
                write!(content, "{} ", own[word])?;
            } else {
                // Words further back in the vocabulary are rarer.
                let rank = random.below(30_000).min(random.below(30_000));
                write!(content, "{} ", made_up(rank))?;
            }
        }
        let at = DateTime::from_timestamp(1_600_000_000 + i64::try_from(number)? * 3600, 0)
            .ok_or("a time")?;
        let form = BlogForm {
            title: format!("Post {number}"),
            content,
            category: format!("Category {}", number % 20),
            tags: vec![format!("tag{}", number % 300), format!("tag{}", number % 7)],
            published_at: Some(at),
            ..BlogForm::default()
        };
        let draft = Draft::parse(&form, DateTime::<Utc>::MAX_UTC - chrono::Duration::days(1))
            .map_err(|violations| format!("{violations:?}"))?;
        posts.push(NewBlog::new(
            RandomIds.uuid().to_string(),
            draft,
            at,
            RandomIds.uuid(),
        ));
    }
    write(database, posts).await
}

/// Writes like editors, but concurrently, so that SQLite can group commits.
async fn write(database: &Database, posts: Vec<NewBlog>) -> Result<()> {
    let url = database.url.parse()?;
    let keys = Keys::read(&test_kit::keys::path())?;
    migrate::migrate(&url, &SCHEMA, &keys).await?;
    let open = store_kit::database::Database::open(&url, Limits::default(), SCHEMA, &keys).await?;
    let store = Store::new(open.clone(), keys.clone());
    let writes = posts.into_iter().map(|post| {
        let id = RandomIds.uuid().to_string();
        let request = RequestKey::new(
            &keys,
            CREATE,
            &id,
            &wire::fingerprinted(post.draft().form()),
        );
        store.create_blog(post, request, "bench")
    });
    let mut writes = stream::iter(writes).buffer_unordered(WRITES_AT_ONCE);
    while let Some(written) = writes.next().await {
        if !matches!(written?, CreateOutcome::Created(_)) {
            return Err("a post was not created".into());
        }
    }
    open.close().await;
    Ok(())
}

fn made_up(rank: usize) -> String {
    const SYLLABLES: [&str; 32] = [
        "ba", "re", "ti", "mo", "lu", "ka", "se", "ni", "po", "du", "fa", "ge", "hi", "jo", "ru",
        "va", "we", "li", "no", "su", "ma", "be", "di", "go", "tu", "la", "ne", "pi", "ro", "ku",
        "sa", "te",
    ];
    let mut word = String::new();
    let mut rest = rank + 1024;
    while rest > 0 {
        word.push_str(SYLLABLES[rest % 32]);
        rest /= 32;
    }
    word
}

/// A deterministic random generator (linear congruential, with the constants of Knuth's MMIX).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound
    }
}

struct Times(Histogram<u64>);

impl Times {
    fn new() -> Result<Self> {
        Ok(Self(Histogram::new(3)?))
    }

    fn add(&mut self, time: Duration) -> Result<()> {
        Ok(self.0.record(u64::try_from(time.as_micros())?)?)
    }
}

#[derive(Default)]
struct Report(Vec<String>);

impl Report {
    /// Adds a result as text and as JSON.
    fn add(&mut self, text: &str, json: &str) {
        println!("{text}");
        self.0.push(json.to_owned());
    }

    fn times(&mut self, database: &str, call: &str, what: &str, times: &Times) {
        let [median, p99] = [0.5, 0.99].map(|quantile| times.0.value_at_quantile(quantile));
        self.add(
            &format!("{database}, {call}, {what}: median {median} us, p99 {p99} us"),
            &format!(r#"{{"database":"{database}","call":"{call}","what":"{what}","median_us":{median},"p99_us":{p99}}}"#),
        );
    }

    fn finish(self) -> Result<()> {
        if let Some(path) = std::env::var_os("BENCH_JSON") {
            let mut file = File::create(path)?;
            for line in &self.0 {
                writeln!(file, "{line}")?;
            }
        }
        Ok(())
    }
}

struct Database {
    name: &'static str,
    url: String,
    _folder: Option<TempDir>,
    /// URL of the server and name of the database on it.
    on_server: Option<(String, String)>,
}

impl Database {
    fn sqlite() -> Result<Self> {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
        Ok(Self {
            name: "sqlite",
            url: format!("sqlite:{}", folder.path().join("content.db").display()),
            _folder: Some(folder),
            on_server: None,
        })
    }

    async fn postgres() -> Result<Option<Self>> {
        let Ok(server) = std::env::var("TEST_POSTGRES_URL") else {
            println!("skipped: TEST_POSTGRES_URL is not set");
            return Ok(None);
        };
        let name = format!("bench_{}", RandomIds.uuid().simple());
        let mut admin = PgConnection::connect(&server).await?;
        let create = AssertSqlSafe(format!("CREATE DATABASE {name}"));
        sqlx::query(create).execute(&mut admin).await?;
        let (base, _) = server.rsplit_once('/').ok_or("the URL names no database")?;
        Ok(Some(Self {
            name: "postgresql",
            url: format!("{base}/{name}"),
            _folder: None,
            on_server: Some((server, name)),
        }))
    }

    async fn remove(self) -> Result<()> {
        if let Some((server, name)) = self.on_server {
            let mut admin = PgConnection::connect(&server).await?;
            let remove = AssertSqlSafe(format!("DROP DATABASE {name} WITH (FORCE)"));
            sqlx::query(remove).execute(&mut admin).await?;
        }
        Ok(())
    }
}

/// The real program, ready to serve.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    async fn start(database: &Database) -> Result<Self> {
        let mut child = Command::new(env!("CARGO_BIN_EXE_svc-content"))
            .args([
                "--listen",
                "127.0.0.1:0",
                "--operators-listen",
                "127.0.0.1:0",
                "--database-url",
                &database.url,
            ])
            .env("RUST_LOG", "error")
            .env("SEAL_KEYS_FILE", test_kit::keys::path())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let stdout = child.stdout.take().ok_or("no standard output")?;
        let line = BufReader::new(stdout)
            .lines()
            .next_line()
            .await?
            .ok_or("the process ended")?;
        let address = line.strip_prefix("listening on ").ok_or("no address")?;
        let url = format!("http://{address}");
        let mut client = ContentServiceClient::connect(url.clone()).await?;
        // Lists work once the database has been read.
        while client
            .list_blogs(ListBlogsRequest::default())
            .await
            .is_err()
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(Self { child, url })
    }

    /// Returns the resident memory of the process in MiB, as reported by the kernel.
    fn resident_mib(&self) -> Result<f64> {
        let id = self.child.id().ok_or("the process ended")?;
        let status = std::fs::read_to_string(format!("/proc/{id}/status"))?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .ok_or("no VmRSS")?;
        let kib: f64 = line.trim().trim_end_matches(" kB").parse()?;
        Ok(kib / 1024.0)
    }

    async fn stop(mut self) -> Result<()> {
        Ok(self.child.kill().await?)
    }
}
