//! Pages while a client holds as many connections as the gateway allows.

use std::time::Duration;

use axum::http::StatusCode;
use tokio::{io::AsyncWriteExt, net::TcpStream};

use crate::site::Site;

/// Form posts with one byte of their body, and silent connections.
#[tokio::test]
async fn silent_connections_and_unfinished_forms_block_no_page() {
    let flags = ["--connections-max=64", "--requests-in-flight-max=16"];
    let site = Site::start_with(&flags).await;
    let mut held = Vec::new();
    for n in 0..400 {
        let mut stream = TcpStream::connect(site.address()).await.expect("taken");
        if n % 2 == 0 {
            let form = b"POST /book HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\n\r\na";
            stream.write_all(form).await.expect("taken");
        }
        held.push(stream);
    }
    for path in ["/urgent", "/plain"] {
        let reply = tokio::time::timeout(Duration::from_secs(10), site.get(path)).await;
        assert_eq!(reply.expect("an answer").status, StatusCode::OK, "{path}");
    }
    drop(held);
}
