//! Benchmark of the staff's changes over gRPC, with the shipped content and with 10,000 records: time of a publication
//! until visitors read it, processor time of reads, time of the upload of a photograph of 12 megapixels, and memory.
//!
//! `BENCH_PROGRAM` names another `svc-content` to measure. With `BENCH_JSON`, the results are also in the file of that
//! name that ends in `.desk.json`. With `BENCH_SHORT` it takes seconds, and shows only that the bench works.

use std::{
    fs,
    io::{Cursor, Write as _},
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use hospital_proto::content::v1::{
    CreateMediaRequest, GetDoctorRequest, GetMediaRequest, GetRecordRequest, ListBlogsRequest,
    ListDoctorsRequest, PublishRecordRequest, UpdateRecordRequest,
    content_service_client::ContentServiceClient, media_service_client::MediaServiceClient,
    record_service_client::RecordServiceClient,
};
use hospital_proto::google::api::HttpBody;
use image::{RgbImage, codecs::jpeg::JpegEncoder};
use prost_types::{Value, value::Kind};
use serde_json::json;

use tempfile::TempDir;
use test_kit::issuer::Issuer;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
};
use toml::Table;
use tonic::transport::Channel;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

const WRITE: &str = "content:read content:write content:publish media:write";
const MESSAGE_BYTES_MAX: usize = 32 * 1024 * 1024;
/// Clock ticks per second of `/proc/PID/stat`, on every Linux that Rust supports.
const TICKS: f64 = 100.0;

/// Records of a kind: the file, the list in it, and how many there are in all.
const MANY: [(&str, &str, usize); 7] = [
    ("doctors", "doctor", 2_000),
    ("reviews", "review", 2_000),
    ("news", "news", 2_000),
    ("events", "event", 2_000),
    ("services", "service", 1_000),
    ("headlines", "headline", 500),
    ("promos", "promo", 300),
];

struct Extent {
    changes: usize,
    reads: u32,
    /// Divides the numbers of records.
    fraction: usize,
    /// Size of the photograph.
    size: (u32, u32),
}

const WHOLE: Extent = Extent {
    changes: 10,
    reads: 3_000,
    fraction: 1,
    size: (4_000, 3_000),
};
const SHORT: Extent = Extent {
    changes: 1,
    reads: 50,
    fraction: 50,
    size: (400, 300),
};

fn extent() -> &'static Extent {
    if std::env::var_os("BENCH_SHORT").is_some() {
        &SHORT
    } else {
        &WHOLE
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let mut report = Vec::new();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("content");
    let many = tempfile::tempdir()?;
    let count = multiply(&shipped, many.path())?;
    for (name, folder) in [
        ("shipped content".to_owned(), shipped.as_path()),
        (format!("{count} more records"), many.path()),
    ] {
        measure(&mut report, &name, folder).await?;
    }
    upload(&mut report, &shipped).await?;
    if let Some(path) = std::env::var_os("BENCH_JSON") {
        // The other bench of the crate writes the file itself.
        fs::write(
            Path::new(&path).with_extension("desk.json"),
            report.join("\n") + "\n",
        )?;
    }
    Ok(())
}

/// Writes the content files with more records to another folder. Returns how many were added.
fn multiply(from: &Path, to: &Path) -> Result<usize> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    let mut added = 0;
    for (file, list, count) in MANY {
        let path = to.join(format!("{file}.toml"));
        let mut table: Table = toml::from_str(&fs::read_to_string(&path)?)?;
        let entries = table
            .get_mut(list)
            .and_then(toml::Value::as_array_mut)
            .ok_or("no list")?;
        let own = entries.clone();
        for number in own.len()..count / extent().fraction {
            let model = own[number % own.len()].as_table().ok_or("no record")?;
            entries.push(toml::Value::Table(copy(list, model, number)));
            added += 1;
        }
        fs::write(path, table.to_string())?;
    }
    Ok(added)
}

/// Returns a copy of a record whose name and address are its own.
fn copy(list: &str, model: &Table, number: usize) -> Table {
    let mut record = model.clone();
    for field in ["id", "slug", "name", "title", "meta_title", "text"] {
        let own = match record.get(field) {
            Some(toml::Value::String(text)) if matches!(field, "id" | "slug") => {
                toml::Value::String(format!("{text}-{number}"))
            }
            Some(toml::Value::String(text)) => toml::Value::String(format!("{text} {number}")),
            Some(toml::Value::Integer(_)) => {
                toml::Value::Integer(i64::try_from(number).unwrap_or_default() + 1)
            }
            _ => continue,
        };
        record.insert(field.to_owned(), own);
    }
    for field in ["aliases", "home_name"] {
        record.remove(field);
    }
    if let Some(on_home) = record.get_mut("on_home") {
        *on_home = false.into();
    }
    if list == "doctor" {
        let registration = format!("KMC {:06}", 100_000 + number);
        record.insert("registration_number".to_owned(), registration.into());
    }
    record
}

async fn measure(report: &mut Vec<String>, name: &str, content: &Path) -> Result<()> {
    let started = Instant::now();
    let server = Server::start(content).await?;
    let ready = started.elapsed().as_secs_f64();
    let mut client = ContentServiceClient::connect(server.url.clone()).await?;
    let mut desk = RecordServiceClient::connect(server.url.clone()).await?;
    let kind = "doctor";
    let mut times = Vec::new();
    for number in 0..extent().changes {
        let about = format!("Dr. Hegde reads scans. This is change {number}.");
        let read = GetRecordRequest {
            kind: kind.to_owned(),
            record_id: "doc-01".to_owned(),
        };
        let present = desk.get_record(server.issuer.request(WRITE, read)).await?;
        let mut record = present.into_inner().record.ok_or("no record")?;
        let etag = record.etag.clone();
        let value = Value {
            kind: Some(Kind::StringValue(about.clone())),
        };
        let body = record.body.as_mut().ok_or("no body")?;
        body.fields.insert("about".to_owned(), value);
        let update = UpdateRecordRequest {
            kind: kind.to_owned(),
            record_id: "doc-01".to_owned(),
            record: Some(record),
            etag,
        };
        let updated = desk
            .update_record(server.issuer.request(WRITE, update))
            .await?;
        let publish = PublishRecordRequest {
            kind: kind.to_owned(),
            record_id: "doc-01".to_owned(),
            etag: updated.into_inner().record.ok_or("no record")?.etag,
            ..PublishRecordRequest::default()
        };
        let (begun, cpu) = (Instant::now(), server.cpu_s()?);
        desk.publish_record(server.issuer.request(WRITE, publish))
            .await?;
        let answered = begun.elapsed().as_secs_f64();
        // The answer does not wait longer than two seconds for the rebuild.
        while !reads(&mut client, &about).await? {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let seen = begun.elapsed().as_secs_f64();
        times.push((seen, answered, server.cpu_s()? - cpu));
    }
    times.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (p50, max) = (times[times.len() / 2], times[times.len() - 1]);
    let peak = server.status_mib("VmHWM:")?;
    add(
        report,
        &json!({
            "content": name,
            "ready_s": rounded(ready),
            "publish_p50_s": rounded(p50.0),
            "publish_max_s": rounded(max.0),
            "answer_p50_s": rounded(p50.1),
            "cpu_p50_s": rounded(p50.2),
            "peak_mib": rounded(peak),
        }),
    );
    measure_reads(report, name, &server).await?;
    server.stop().await
}

async fn measure_reads(report: &mut Vec<String>, name: &str, server: &Server) -> Result<()> {
    let mut client = ContentServiceClient::connect(server.url.clone()).await?;
    for call in ["get", "list"] {
        let (begun, cpu) = (Instant::now(), server.cpu_s()?);
        for _ in 0..extent().reads {
            if call == "get" {
                let doctor = "dr-vasundhara-hegde".to_owned();
                client.get_doctor(GetDoctorRequest { doctor }).await?;
            } else {
                let request = ListDoctorsRequest {
                    page_size: 20,
                    ..ListDoctorsRequest::default()
                };
                client.list_doctors(request).await?;
            }
        }
        let each = 1e6 / f64::from(extent().reads);
        let (cpu, wall) = (
            (server.cpu_s()? - cpu) * each,
            begun.elapsed().as_secs_f64() * each,
        );
        let call = format!("{call} doctors");
        let (cpu_us, mean_us) = (rounded(cpu), rounded(wall));
        add(
            report,
            &json!({ "content": name, "call": call, "cpu_us": cpu_us, "mean_us": mean_us }),
        );
    }
    Ok(())
}

/// Prints a result, and keeps it for the file.
fn add(report: &mut Vec<String>, result: &serde_json::Value) {
    println!("{result}");
    report.push(result.to_string());
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// Returns whether visitors read this text about the doctor.
async fn reads(client: &mut ContentServiceClient<Channel>, about: &str) -> Result<bool> {
    let doctor = "dr-vasundhara-hegde".to_owned();
    let reply = client.get_doctor(GetDoctorRequest { doctor }).await?;
    let doctor = reply.into_inner().doctor.ok_or("no doctor")?;
    Ok(doctor.about == about)
}

/// Uploads a photograph without two equal pixels in a row, the slowest to decode.
async fn upload(report: &mut Vec<String>, content: &Path) -> Result<()> {
    let server = Server::start(content).await?;
    let before = server.status_mib("VmHWM:")?;
    let (width, height) = extent().size;
    let mut seed = 1_u32;
    let picture = RgbImage::from_fn(width, height, |x, y| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [noise, _, _, _] = (seed >> 26).to_le_bytes();
        let [red, ..] = (x / 16).to_le_bytes();
        let [green, ..] = (y / 16).to_le_bytes();
        image::Rgb([red ^ noise, green ^ noise, noise.wrapping_mul(4)])
    });
    let mut data = Vec::new();
    JpegEncoder::new_with_quality(Cursor::new(&mut data), 85).encode_image(&picture)?;
    drop(picture);
    let mib = data.len() / 1024 / 1024;
    let mut client = MediaServiceClient::connect(server.url.clone())
        .await?
        .max_encoding_message_size(MESSAGE_BYTES_MAX);
    let message = CreateMediaRequest {
        picture: Some(HttpBody {
            data,
            ..HttpBody::default()
        }),
        alt: "Noise".to_owned(),
        ..CreateMediaRequest::default()
    };
    let begun = Instant::now();
    let reply = client
        .create_media(server.issuer.request(WRITE, message))
        .await?;
    let answered = begun.elapsed().as_secs_f64();
    let decoded = server.status_mib("VmHWM:")?;
    let hash = reply.into_inner().media.ok_or("no picture")?.hash;
    loop {
        let read = GetMediaRequest { hash: hash.clone() };
        let reply = client.get_media(server.issuer.request(WRITE, read)).await?;
        match reply.into_inner().media.ok_or("no picture")?.state.as_str() {
            "ready" => break,
            "failed" => return Err("the forms could not be made".into()),
            _ => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
    let ready = begun.elapsed().as_secs_f64();
    let peak = server.status_mib("VmHWM:")?;
    add(
        report,
        &json!({
            "upload": format!("{width}x{height}, {mib} MiB"),
            "answer_s": rounded(answered),
            "ready_s": rounded(ready),
            "before_mib": rounded(before),
            "answered_peak_mib": rounded(decoded),
            "peak_mib": rounded(peak),
        }),
    );
    server.stop().await
}

/// The real program on a new database, ready to serve.
struct Server {
    child: Child,
    url: String,
    issuer: Issuer,
    _folder: TempDir,
}

impl Server {
    async fn start(content: &Path) -> Result<Self> {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
        let issuer = Issuer::new();
        let own = env!("CARGO_BIN_EXE_svc-content");
        let program = std::env::var("BENCH_PROGRAM").unwrap_or_else(|_| own.to_owned());
        let within = |name: &str| folder.path().join(name).display().to_string();
        let mut child = Command::new(program)
            .args([
                "--listen",
                "127.0.0.1:0",
                "--operators-listen",
                "127.0.0.1:0",
            ])
            .args([
                "--database-url",
                &format!("sqlite:{}", within("content.db")),
            ])
            .args(["--media-url", &format!("file:{}", within("media"))])
            .args(["--content-dir", &content.display().to_string()])
            .args(issuer.flags())
            .env("RUST_LOG", "error")
            .env("SEAL_KEYS_FILE", test_kit::keys::path())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let stdout = child.stdout.take().ok_or("no standard output")?;
        let mut lines = BufReader::new(stdout).lines();
        let line = lines.next_line().await?.ok_or("the process ended")?;
        let address = line.strip_prefix("listening on ").ok_or("no address")?;
        let url = format!("http://{address}");
        let mut client = ContentServiceClient::connect(url.clone()).await?;
        // Lists of posts work once the database has been read.
        let ready = ListBlogsRequest::default;
        while client.list_blogs(ready()).await.is_err() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(Self {
            child,
            url,
            issuer,
            _folder: folder,
        })
    }

    fn proc(&self, file: &str) -> Result<String> {
        let id = self.child.id().ok_or("the process ended")?;
        Ok(fs::read_to_string(format!("/proc/{id}/{file}"))?)
    }

    /// Returns a size in MiB, as reported by the kernel.
    fn status_mib(&self, name: &str) -> Result<f64> {
        let status = self.proc("status")?;
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kib: f64 = line
            .ok_or("no such line")?
            .trim()
            .trim_end_matches(" kB")
            .parse()?;
        Ok(kib / 1024.0)
    }

    /// Returns the processor time of the process in seconds.
    fn cpu_s(&self) -> Result<f64> {
        let stat = self.proc("stat")?;
        let (_, fields) = stat.rsplit_once(") ").ok_or("no name")?;
        let ticks = fields.split(' ').skip(11).take(2);
        let ticks: f64 = ticks.filter_map(|field| field.parse::<f64>().ok()).sum();
        Ok(ticks / TICKS)
    }

    async fn stop(mut self) -> Result<()> {
        std::io::stdout().flush()?;
        Ok(self.child.kill().await?)
    }
}
