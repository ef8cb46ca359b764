//! Processor time of one cached document over plain HTTP/1.1 with keep-alive, all layers of the gateway included.
//!
//! `cargo bench -p gateway --bench documents` uses the tests' fixtures. With `REMOTES_DIR` it uses real page modules.
//! Services should then run (`UPSTREAMS`), because a document without its data is rendered again every 2 s. Only the
//! server threads count, with the CPU time that the kernel reports. The clients are blocking threads beside them. Takes
//! some 15 s. Target: at most 16 µs.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use clap::Parser;
use gateway::{Gateway, config::Config};
use gateway_listen::Listeners;
use prost_reflect::DescriptorPool;

const CONNECTIONS: usize = 8;
const TIME: Duration = Duration::from_secs(2);
const WARM_UP: Duration = Duration::from_millis(1500);
const SERVER_THREADS: usize = 2;
const THREAD_NAME: &str = "bench-server";

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    config: Config,
}

fn main() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let (remotes, paths) = match std::env::var_os("REMOTES_DIR") {
        Some(folder) => (
            PathBuf::from(folder),
            ["/appointment", "/doctors", "/nowhere"],
        ),
        None => (
            root.join("tests/fixtures/remotes"),
            ["/long", "/book", "/nowhere"],
        ),
    };
    let address = serve(&remotes);
    println!("documents of {}", remotes.display());
    println!(
        "{:<14} {:<9} {:>9} {:>10} {:>12} {:>14}",
        "path", "as", "status", "bytes", "requests/s", "server µs CPU"
    );
    let mut visitor = 0;
    for path in paths {
        let first = exchange(address, path, "");
        let tag = first
            .headers
            .lines()
            .find_map(|line| line.strip_prefix("etag: "))
            .unwrap_or("\"none\"")
            .to_owned();
        let known = format!("if-none-match: {tag}\r\n");
        let ways = [
            ("identity", ""),
            ("brotli", "accept-encoding: br\r\n"),
            ("known", &known),
        ];
        for (name, header) in ways {
            visitor += 1;
            let header = format!("{header}x-forwarded-for: 10.0.0.{visitor}\r\n");
            measure(address, path, &header, WARM_UP);
            let found = measure(address, path, &header, TIME);
            println!(
                "{path:<14} {name:<9} {:>9} {:>10} {:>12.0} {:>14.1}",
                found.status, found.bytes, found.per_second, found.cpu_us,
            );
        }
    }
}

/// Starts a gateway on dedicated threads.
fn serve(remotes: &Path) -> SocketAddr {
    let remotes = remotes.to_str().expect("UTF-8");
    let flags = [
        "bench",
        "--listen=127.0.0.1:0",
        "--remotes-dir",
        remotes,
        "--trace-read-ratio=0",
        // This limit is the highest possible one. A client address per measurement keeps each measurement below it.
        "--address-documents-max=1000000",
        "--trusted-hops=1",
    ];
    let config = Arguments::parse_from(flags).config;
    let pool = DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET).expect("contracts");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(SERVER_THREADS)
        .thread_name(THREAD_NAME)
        .enable_all()
        .build()
        .expect("a runtime");
    let listeners = runtime
        .block_on(Listeners::bind(&config.listen))
        .expect("a free port");
    let address = listeners.public.local_addr().expect("bound");
    thread::spawn(move || {
        let server = runtime.spawn(gateway::serve(
            Gateway {
                config,
                pool,
                listeners,
            },
            std::future::pending(),
        ));
        runtime
            .block_on(server)
            .expect("no panic")
            .expect("page modules load");
    });
    address
}

struct Found {
    status: u16,
    bytes: usize,
    per_second: f64,
    cpu_us: f64,
}

fn measure(address: SocketAddr, path: &str, header: &str, time: Duration) -> Found {
    let request = request(path, header);
    let sample = exchange(address, path, header);
    let length = sample.length;
    let cpu_before = server_cpu();
    let started = Instant::now();
    let requests: u64 = thread::scope(|scope| {
        let clients: Vec<_> = (0..CONNECTIONS)
            .map(|_| scope.spawn(|| hammer(address, request.as_bytes(), time)))
            .collect();
        clients
            .into_iter()
            .map(|client| client.join().expect("no panic"))
            .sum()
    });
    let elapsed = started.elapsed();
    let cpu = server_cpu().saturating_sub(cpu_before);
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let requests = requests as f64;
    Found {
        status: sample.status,
        bytes: length,
        per_second: requests / elapsed.as_secs_f64(),
        cpu_us: cpu.as_secs_f64() * 1e6 / requests,
    }
}

fn request(path: &str, header: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: bench\r\n{header}\r\n")
}

/// Sends requests one after the other on one connection; returns their number.
fn hammer(address: SocketAddr, request: &[u8], time: Duration) -> u64 {
    let mut stream = connect(address);
    let mut buffer = vec![0; 256 * 1024];
    let started = Instant::now();
    let mut count = 0;
    while started.elapsed() < time {
        answer(&mut stream, request, &mut buffer);
        count += 1;
    }
    count
}

struct Exchange {
    status: u16,
    headers: String,
    length: usize,
}

fn exchange(address: SocketAddr, path: &str, header: &str) -> Exchange {
    let mut stream = connect(address);
    let mut buffer = vec![0; 256 * 1024];
    let size = answer(&mut stream, request(path, header).as_bytes(), &mut buffer);
    let text = String::from_utf8_lossy(&buffer[..size]).into_owned();
    let (headers, _) = text.split_once("\r\n\r\n").expect("a head");
    let status = headers
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .expect("a status");
    Exchange {
        status,
        headers: headers.to_owned(),
        length: size - headers.len() - 4,
    }
}

/// Sends one request and reads its whole response. Returns the response's size, head included.
fn answer(stream: &mut TcpStream, request: &[u8], buffer: &mut [u8]) -> usize {
    stream.write_all(request).expect("sent");
    let mut got = 0;
    loop {
        let read = stream.read(&mut buffer[got..]).expect("an answer");
        assert!(read > 0, "the connection was closed");
        got += read;
        let head = buffer[..got]
            .windows(4)
            .position(|window| window == b"\r\n\r\n");
        let Some(head) = head else { continue };
        let text = String::from_utf8_lossy(&buffer[..head]).to_ascii_lowercase();
        let length = text
            .lines()
            .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        let length: usize = if text.starts_with("http/1.1 304") {
            0
        } else {
            length.expect("a length")
        };
        if got >= head + 4 + length {
            return head + 4 + length;
        }
    }
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("connected");
    stream.set_nodelay(true).expect("an option");
    stream
}

/// Returns the CPU time of the server threads, from the first field of Linux's `schedstat`.
fn server_cpu() -> Duration {
    let tasks = fs::read_dir("/proc/self/task").expect("Linux");
    let nanoseconds = tasks.filter_map(Result::ok).filter_map(|task| {
        let name = fs::read_to_string(task.path().join("comm")).ok()?;
        let is_server = name.starts_with(THREAD_NAME);
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        is_server.then(|| text.split_ascii_whitespace().next()?.parse::<u64>().ok())?
    });
    Duration::from_nanos(nanoseconds.sum())
}
