//! The language of a call: `lang` of reads and `Accept-Language` of writes, as metadata for the service.

use http::Method;

use crate::{
    announcer::Announcer,
    gateway_under_test::{GatewayUnderTest, eventually, start},
    library::Library,
};

/// Queries of one resource in all languages.
const QUERIES: [&str; 3] = ["", "?lang=kn", "?lang=hi"];

#[tokio::test]
async fn reads_in_a_language_are_cached_apart() {
    let (gateway, library) = start(&[]).await;
    library.write("1", "old");
    for (calls, query, language) in [
        (1, "", ""),
        (2, "?lang=kn", "kn"),
        (3, "?lang=hi&upper=true", "hi"),
        (4, "?upper=true&lang=kn", "kn"),
    ] {
        for _ in 0..2 {
            let answer = gateway.get(&format!("/api/volumes/1{query}")).await;
            assert_eq!(answer.status, 200, "{query}: {:?}", answer.body);
        }
        assert_eq!(library.calls(), calls, "{query}");
        assert_eq!(library.last("content-language"), language, "{query}");
    }
    for same in ["?lang=en", "?lang=kn", "?lang=kn&upper=true"] {
        gateway.get(&format!("/api/volumes/1{same}")).await.json();
    }
    assert_eq!(library.calls(), 4);
    // A header must not change what others get from the cache.
    let header = gateway.ask(Method::GET, "/api/volumes/1");
    header.header("accept-language", "kn").send().await.json();
    assert_eq!(library.calls(), 4);
}

#[tokio::test]
async fn refuses_unknown_languages() {
    let (gateway, library) = start(&[]).await;
    for query in ["lang=ta", "lang=", "lang", "lang=KN", "lang=kn&lang=hi"] {
        let answer = gateway.get(&format!("/api/books?{query}")).await;
        let problem = answer.problem(400);
        assert_eq!(answer.fields(), ["lang"], "{query}");
        let message = &problem["fields"][0]["message"];
        if query != "lang=kn&lang=hi" {
            assert_eq!(message, "must be en, kn or hi");
        }
    }
    assert_eq!(library.calls(), 0);
}

#[tokio::test]
async fn writes_are_in_the_preferred_language() {
    let (gateway, library) = start(&[]).await;
    for (header, language) in [("hi-IN,en;q=0.5", "hi"), ("ta,kn;q=0.3", "kn"), ("de", "")] {
        let ask = gateway.ask(Method::POST, "/api/books").write();
        let ask = ask.header("accept-language", header);
        let answer = ask.body(r#"{"title":"Emma"}"#).send().await;
        assert_eq!(answer.status, 201, "{:?}", answer.body);
        assert_eq!(library.last("content-language"), language, "{header}");
    }
    // The parameter belongs to reads.
    let answer = gateway.post("/api/books?lang=kn", r#"{"title":"Emma"}"#);
    answer.await.problem(400);
}

#[tokio::test]
async fn a_change_drops_the_copies_in_all_languages() {
    let pool = crate::contract::pool();
    let announcer = Announcer::new();
    let library = Library::start_with(&pool, Some(&announcer)).await;
    let gateway = GatewayUnderTest::start(pool, library.address, &[]).await;
    library.write("1", "old");
    let read = async |query: &str| {
        let answer = gateway.get(&format!("/api/volumes/1{query}")).await;
        answer.json()["text"].take()
    };
    for query in QUERIES {
        assert_eq!(read(query).await, "old");
    }
    library.write("1", "new");
    for query in QUERIES {
        assert_eq!(read(query).await, "old", "it is kept for an hour");
    }
    eventually("a stream", async || announcer.streams() == 1).await;
    announcer.announce("2", &["/volumes/1"]);
    for query in QUERIES {
        eventually("the change", async || read(query).await == "new").await;
    }
}
