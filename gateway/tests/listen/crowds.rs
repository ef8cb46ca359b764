//! Many connections at once. Idle connections make room for connections with requests.

use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::AsyncWriteExt;

use crate::door::{Door, PROBE, SLOW, ask, eventually, head, is_closed, status};

/// Raises this process's open-file limit to its maximum and returns it.
fn raise_files() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    setrlimit(Resource::Nofile, raised).unwrap();
    limit
        .maximum
        .map_or(usize::MAX, |most| usize::try_from(most).unwrap())
}

#[tokio::test]
async fn silent_connections_from_one_address_do_not_block_the_site() {
    // Both ends of each connection are in this process.
    let silent_max = 4_100.min((raise_files() - 500) / 2);
    assert!(silent_max >= 200, "too few files may be open");
    let door = Door::start(&[]).await;
    let mut silent = Vec::new();
    for _ in 0..silent_max {
        silent.push(door.connect().await);
    }
    for _ in 0..20 {
        assert_eq!(door.probe().await, 200);
    }
    // A client with another address is served too.
    let mut neighbour = door.connect_from("127.0.0.9").await;
    assert_eq!(ask(&mut neighbour, PROBE).await, 200);
    // The gateway briefly accepts up to twice the limit.
    let few_are_open = async || silent.iter().filter(|s| !is_closed(s)).count() <= 512;
    eventually("silent ones to be closed", few_are_open).await;
    assert_eq!(
        ask(&mut neighbour, PROBE).await,
        200,
        "and the neighbour is not"
    );
}

#[tokio::test]
async fn silent_connections_from_many_addresses_do_not_block_the_site() {
    let door = Door::start(&["--connections-max=64"]).await;
    let mut silent = Vec::new();
    for n in 0..200 {
        silent.push(door.connect_from(&format!("127.0.1.{}", n % 50 + 1)).await);
        if n % 10 == 0 {
            assert_eq!(door.probe().await, 200, "after {n}");
        }
    }
    let closed = "http_server_connections_closed_total";
    assert!(door.metric(closed, "made_room").await >= 100.0);
    // The longest-waiting connections were closed; the newest are open.
    let first_are_closed = async || silent[..100].iter().all(is_closed);
    eventually("the first to be closed", first_are_closed).await;
    assert!(!is_closed(silent.last().unwrap()));
}

#[tokio::test]
async fn keeps_busy_connections_and_queues_more_of_a_proxy() {
    let flags = [
        "--connections-max=3",
        "--request-timeout-ms-max=1500",
        "--trusted-hops=1",
    ];
    let door = Door::start(&flags).await;
    let mut busy = Vec::new();
    for _ in 0..3 {
        let mut stream = door.connect().await;
        stream.write_all(SLOW).await.unwrap();
        busy.push(stream);
    }
    eventually("all to be at work", async || {
        door.metric("http_server_connections_open", "").await >= 3.0
    })
    .await;
    // Waits for a slot until one of the busy connections is done.
    let waits = door.probe();
    let (probe, answers) = tokio::join!(waits, async {
        let mut answers = Vec::new();
        for stream in &mut busy {
            answers.push(status(&head(stream).await));
        }
        answers
    });
    assert!(
        answers.iter().all(|status| [503, 504].contains(status)),
        "{answers:?}"
    );
    assert_eq!(probe, 200);
}

#[tokio::test]
async fn refuses_connections_beyond_an_addresss_busy_limit() {
    let flags = [
        "--address-connections-max=2",
        "--request-timeout-ms-max=60000",
    ];
    let door = Door::start(&flags).await;
    let begin = async || {
        let mut stream = door.connect_from("127.0.0.7").await;
        stream.write_all(SLOW).await.unwrap();
        stream
    };
    let mut busy = [begin().await, begin().await];
    let closed = "http_server_connections_closed_total";
    let refused = async || {
        for stream in &mut busy {
            // The gateway closes a connection to make room if it has not read the request yet.
            if is_closed(stream) {
                *stream = begin().await;
            }
        }
        let stream = door.connect_from("127.0.0.7").await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        is_closed(&stream) && door.metric(closed, "address_full").await >= 1.0
    };
    eventually("one more to be refused", refused).await;
    assert_eq!(door.probe().await, 200, "others are not concerned");
    assert!(!busy.iter().any(is_closed), "whoever is at work stays");
}

#[tokio::test]
async fn exempts_proxies_from_connection_limits() {
    let flags = [
        "--address-connections-max=2",
        "--trusted-hops=1",
        "--trusted-proxies=127.0.0.1",
    ];
    let door = Door::start(&flags).await;
    let mut open = Vec::new();
    for _ in 0..8 {
        let mut stream = door.connect().await;
        assert_eq!(ask(&mut stream, PROBE).await, 200);
        open.push(stream);
    }
    for stream in &mut open {
        assert_eq!(ask(stream, PROBE).await, 200);
    }
    // G6: any other address beside the proxy is limited as usual.
    let mut strangers = Vec::new();
    for _ in 0..8 {
        strangers.push(door.connect_from("127.0.0.9").await);
    }
    let few_are_open = async || strangers.iter().filter(|s| !is_closed(s)).count() <= 4;
    eventually("the stranger's to be closed", few_are_open).await;
}

#[tokio::test]
async fn answers_a_crowd_behind_one_address() {
    let door = Door::start(&["--address-connections-max=40"]).await;
    let mut crowd = Vec::new();
    for _ in 0..80 {
        let mut stream = door.connect().await;
        stream.write_all(PROBE).await.unwrap();
        crowd.push(stream);
    }
    for stream in &mut crowd {
        assert_eq!(status(&head(stream).await), 200);
    }
}

/// The real program, with a low open-file limit.
#[tokio::test]
async fn survives_a_low_file_descriptor_limit() {
    let upstream = "hospital.content.v1=http://127.0.0.1:9";
    let script = format!(
        "ulimit -n 120 && exec {} --listen 127.0.0.1:0 --api-only --log-filter error --upstream {upstream}",
        env!("CARGO_BIN_EXE_gateway")
    );
    let mut child = tokio::process::Command::new("sh")
        .args(["-c", &script])
        .stdout(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let out = tokio::io::BufReader::new(child.stdout.take().unwrap());
    let mut lines = tokio::io::AsyncBufReadExt::lines(out);
    let line = tokio::time::timeout(crate::door::PATIENCE, lines.next_line()).await;
    let line = line.unwrap().unwrap().expect("it starts");
    let address = line.strip_prefix("listening on ").expect("its address");
    let mut silent = Vec::new();
    for _ in 0..200 {
        silent.push(tokio::net::TcpStream::connect(address).await.unwrap());
    }
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    assert_eq!(ask(&mut stream, PROBE).await, 200);
    drop(silent);
    child.kill().await.unwrap();
}
