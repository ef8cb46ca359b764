//! Annotations become endpoints: paths, parameters, bodies, creates and their description.

use http::Method;
use serde_json::{Value, json};

use crate::{
    contract,
    gateway_under_test::{Answer, GatewayUnderTest, nobody, start},
    library::Library,
};

/// Returns the list request as the service received it.
fn received(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    serde_json::from_str(answer.json()["heard"].as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn maps_query_parameters_to_fields() {
    let (gateway, _library) = start(&[]).await;
    let query = "pageSize=5&page_token=a%26b&tags=x&tags=y&lent=true&filter.bookId=7&filter.binding=BINDING_CLOTH\
                 &filter.printedAfter=2026-11-21T09:30:00Z";
    let received = received(&gateway.get(&format!("/api/books?{query}")).await);
    let expected = json!({
        "pageSize": 5, "pageToken": "a&b", "tags": ["x", "y"], "lent": true,
        "filter": {"bookId": "7", "binding": "BINDING_CLOTH", "printedAfter": "2026-11-21T09:30:00Z"},
    });
    assert_eq!(received, expected);
}

#[tokio::test]
async fn names_all_invalid_parameters() {
    let (gateway, library) = start(&[]).await;
    let query =
        "pageSize=many&colour=red&lent=perhaps&filter.binding=LEATHER&pageToken=a&pageToken=b";
    let answer = gateway.get(&format!("/api/books?{query}")).await;
    let problem = answer.problem(400);
    assert_eq!(problem["reason"], "INVALID_ARGUMENT");
    let named = ["pageSize", "colour", "lent", "filter.binding", "pageToken"];
    assert_eq!(answer.fields(), named);
    assert_eq!(library.calls(), 0);
}

#[tokio::test]
async fn maps_decoded_path_variables_to_fields() {
    let (gateway, _library) = start(&[]).await;
    let answer = gateway.get("/api/shelves/a%20b/books/7%2F8").await;
    assert_eq!(answer.json()["title"], "a b");
    assert_eq!(answer.json()["id"], "7/8");
    let answer = gateway.get("/api/any/rooms/1/shelves/2/9").await;
    assert_eq!(answer.json()["title"], "rooms/1/shelves/2");
    gateway.get("/api/any/rooms/1/9").await.problem(404);
    gateway.get("/api/shelves/a/books/%ff").await.problem(404);
    // A field bound by the path must not appear in the query too.
    let answer = gateway.get("/api/shelves/a/books/1?shelf=b").await;
    answer.problem(400);
    assert_eq!(answer.fields(), ["shelf"]);
}

#[tokio::test]
async fn a_part_of_the_path_selects_the_upstream() {
    let pool = contract::pool();
    let (main, annex) = (Library::start(&pool).await, Library::start(&pool).await);
    let gone = nobody().await;
    let upstreams = format!(
        "library.v1=http://{},town.annex.v1=http://{},gone.v2=http://{gone}",
        main.address, annex.address
    );
    let gateway = GatewayUnderTest::start_before(pool, &upstreams, &[]).await;
    // Declared as cacheable: answers of several services are never stored.
    for calls in 1..=2 {
        let answer = gateway.get("/api/branches/annex/7").await;
        assert_eq!(answer.json()["title"], "annex");
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!((main.calls(), annex.calls()), (0, calls));
    }
    gateway.get("/api/branches/library/7").await.json();
    assert_eq!((main.calls(), annex.calls()), (1, 2));
    // One branch that is down does not affect the others.
    gateway.get("/api/branches/gone/7").await.problem(503);
    for unknown in [
        "other",
        "town",
        "v1",
        "town.annex",
        "library.v1",
        "%20",
        "..",
        "a%2Fb",
    ] {
        let answer = gateway.get(&format!("/api/branches/{unknown}/7")).await;
        answer.problem(404);
    }
    assert_eq!((main.calls(), annex.calls()), (1, 2));
}

#[tokio::test]
async fn a_create_answers_201_with_location_and_resource() {
    let (gateway, library) = start(&[]).await;
    let answer = gateway
        .ask(Method::POST, "/api/books")
        .write()
        .header("idempotency-key", "key-of-one-create-0001")
        .body(r#"{"title":"Emma","author":{"fullName":"Jane Austen"},"pagesRead":"9007199254740993"}"#)
        .send()
        .await;
    assert_eq!(answer.status, 201, "{:?}", answer.body);
    assert_eq!(
        answer.header("location"),
        "/api/books/key-of-one-create-0001"
    );
    assert_eq!(answer.header("cache-control"), "no-store");
    // Canonical: camelCase, defaults included, 64-bit integers as text, unset fields with presence omitted.
    let expected = json!({
        "id": "key-of-one-create-0001", "title": "Emma", "pagesRead": "9007199254740993",
        "binding": "BINDING_UNSPECIFIED", "tags": [], "author": {"fullName": "Jane Austen", "birthYear": 0},
    });
    assert_eq!(answer.json(), expected);
    assert_eq!(library.calls(), 1);
}

#[tokio::test]
async fn maps_body_and_response_body_to_a_list_or_the_message() {
    let (gateway, _library) = start(&[]).await;
    let put = gateway.ask(Method::PUT, "/api/books/7/tags").write();
    let answer = put.body(r#"["x","y"]"#).send().await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()),
        (200, json!(["x", "y"]))
    );
    let put = gateway.ask(Method::PUT, "/api/books/7/tags").write();
    // The body cannot set anything outside its own field.
    let answer = put.body(r#"["x"],"bookId":"8""#).send().await;
    assert_eq!(answer.problem(400)["reason"], "MALFORMED_JSON");
    let answer = gateway
        .post("/api/books/7:archive", r#"{"reason":"worn"}"#)
        .await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()["id"], "7");
    assert_eq!(answer.json()["title"], "worn");
}

#[tokio::test]
async fn refuses_invalid_bodies_by_field_name() {
    let (gateway, library) = start(&[]).await;
    for (body, field) in [
        (r#"{"colour":"red"}"#, "colour"),
        (r#"{"author":{"age":3}}"#, "author.age"),
        (r#"{"author":{"birthYear":"soon"}}"#, "author.birthYear"),
        (r#"{"tags":["a",5]}"#, "tags[1]"),
        (r#"{"printedAt":"yesterday"}"#, "printedAt"),
        (r#"{"binding":"LEATHER"}"#, "binding"),
    ] {
        let answer = gateway.post("/api/books", body).await;
        answer.problem(400);
        assert_eq!(answer.fields(), [field], "{body}");
    }
    for body in ["{", "{\"title\":\"a\"} x", "nonsense"] {
        let problem = gateway.post("/api/books", body).await.problem(400);
        assert_eq!(problem["reason"], "MALFORMED_JSON", "{body}");
    }
    gateway.post("/api/books", "[]").await.problem(400);
    assert_eq!(library.calls(), 0);
}

#[tokio::test]
async fn head_is_get_without_a_body() {
    let (gateway, _library) = start(&[]).await;
    for path in [
        "/api/books",
        "/api/shelves/a/books/1",
        "/api/openapi.json",
        "/healthz",
    ] {
        let get = gateway.get(path).await;
        let head = gateway.ask(Method::HEAD, path).send().await;
        assert_eq!(head.status, 200, "{path}");
        assert!(head.body.is_empty());
        assert_eq!(
            head.header("content-length"),
            get.body.len().to_string(),
            "{path}"
        );
        assert_eq!(head.header("etag"), get.header("etag"));
    }
}

#[tokio::test]
async fn options_lists_the_allowed_methods() {
    let (gateway, library) = start(&[]).await;
    for (path, allow) in [
        ("/api/books", "GET, HEAD, OPTIONS, POST"),
        ("/api/books/7/tags", "OPTIONS, PUT"),
        ("/api/books/7:archive", "OPTIONS, POST"),
        ("/api/volumes/7", "DELETE, GET, HEAD, OPTIONS, PUT"),
        ("/api", "GET, HEAD, OPTIONS"),
        ("/api/docs", "GET, HEAD, OPTIONS"),
        ("/api/openapi.json", "GET, HEAD, OPTIONS"),
    ] {
        let answer = gateway.ask(Method::OPTIONS, path).send().await;
        assert_eq!(answer.status, 204, "{path}");
        assert_eq!(answer.header("allow"), allow, "{path}");
        assert!(answer.headers.get("access-control-allow-origin").is_none());
        let refused = gateway
            .ask(Method::from_bytes(b"LINK").unwrap(), path)
            .send();
        let refused = refused.await;
        refused.problem(405);
        assert_eq!(refused.header("allow"), allow, "{path}");
    }
    let unknown = gateway.ask(Method::OPTIONS, "/api/nothing").send().await;
    unknown.problem(404);
    assert_eq!(library.calls(), 0);
}

#[tokio::test]
async fn separates_a_verb_from_an_id() {
    let (gateway, library) = start(&[]).await;
    let answer = gateway.get("/api/diaries/7:burn").await;
    answer.problem(405);
    assert_eq!(answer.header("allow"), "OPTIONS, POST");
    assert_eq!(library.calls(), 0);
}

#[tokio::test]
async fn redirects_reads_with_extra_slashes_or_capital_letters() {
    let (gateway, library) = start(&[]).await;
    for (path, meant) in [
        ("/api/Books/", "/api/books"),
        (
            "/api/books/?pageSize=5&q=a%2F",
            "/api/books?pageSize=5&q=a%2F",
        ),
        ("/api/SHELVES/A/Books/b%2Fc/", "/api/shelves/A/books/b%2Fc"),
        ("/api/OpenAPI.json", "/api/openapi.json"),
        ("/api/docs/", "/api/docs"),
    ] {
        for method in [Method::GET, Method::HEAD] {
            let answer = gateway.ask(method, path).send().await;
            assert_eq!(answer.status, 308, "{path}");
            assert_eq!(answer.header("location"), meant);
        }
    }
    // Only reads are redirected, and only to existing addresses. A redirected write could be sent twice.
    gateway.post("/api/Books/", "{}").await.problem(404);
    gateway.get("/api/nothing/").await.problem(404);
    gateway.get("/api//books").await.problem(404);
    gateway.get("/api/books//").await.problem(404);
    // A redirect must never lead to another host.
    gateway.get("/api//evil.example/").await.problem(404);
    assert_eq!(library.calls(), 0);
}

#[tokio::test]
async fn serves_the_description_to_programs_and_people() {
    let (gateway, _library) = start(&[]).await;
    let index = gateway.get("/api").await;
    assert_eq!(index.header("content-type"), "application/json");
    let links = index.json();
    assert_eq!(links["collections"]["books"]["href"], "/api/books");
    assert_eq!(links["collections"]["secret"]["scope"], "books.read");
    for link in [&links["openapi"], &links["docs"]] {
        let answer = gateway.get(link.as_str().unwrap()).await;
        assert_eq!(answer.status, 200, "{link}");
        assert_eq!(answer.header("vary"), "accept-encoding");
        let again = gateway.ask(Method::GET, link.as_str().unwrap());
        let again = again.header("if-none-match", answer.header("etag"));
        assert_eq!(again.send().await.status, 304);
    }
    let page = gateway.get("/api/docs").await;
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    let policy = page.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'; style-src 'sha256-"),
        "{policy}"
    );
    let text = std::str::from_utf8(&page.body).unwrap();
    assert!(text.contains("/api/shelves/{shelf}/books/{filter.book_id}"));
}

#[tokio::test]
async fn unknown_paths_and_methods_are_problems() {
    let (gateway, _library) = start(&[]).await;
    for path in ["/api/nothing", "/api/books/7/", "/api//books", "/elsewhere"] {
        assert_eq!(
            gateway.get(path).await.problem(404)["reason"],
            "NOT_FOUND",
            "{path}"
        );
    }
    let answer = gateway
        .ask(Method::DELETE, "/api/books")
        .write()
        .send()
        .await;
    answer.problem(405);
    assert_eq!(answer.header("allow"), "GET, HEAD, OPTIONS, POST");
    let answer = gateway.get("/api/books/7:archive").await;
    answer.problem(405);
    assert_eq!(answer.header("allow"), "OPTIONS, POST");
    let answer = gateway.ask(Method::POST, "/healthz").send().await;
    answer.problem(405);
}

#[tokio::test]
async fn serves_the_api_at_the_root_of_its_own_host() {
    let (gateway, _library) = start(&["--api-host=api.library.example"]).await;
    let get = |host: &'static str, path: &'static str| {
        gateway.ask(Method::GET, path).header("host", host).send()
    };
    assert_eq!(get("api.library.example", "/books").await.status, 200);
    assert_eq!(get("API.library.example:8080", "/books").await.status, 200);
    assert_eq!(get("api.library.example", "/api/books").await.status, 200);
    get("library.example", "/books").await.problem(404);
    let create = gateway.ask(Method::POST, "/books").write();
    let answer = create
        .header("host", "api.library.example")
        .header("idempotency-key", "k1")
        .body(r#"{"title":"Emma"}"#)
        .send()
        .await;
    assert_eq!(answer.header("location"), "/books/k1");
}

#[tokio::test]
async fn the_description_follows_the_contract() {
    let (gateway, _library) = start(&[]).await;
    let answer = gateway.get("/api/openapi.json").await;
    assert_eq!(answer.header("content-type"), "application/json");
    let description = answer.json();
    assert_eq!(description["openapi"], "3.1.0");
    let list = &description["paths"]["/books"]["get"];
    assert_eq!(list["operationId"], "ListBooks");
    assert_eq!(list["summary"], "Lists books");
    assert_eq!(list["description"], "Lists books. Newest first.");
    let parameters = list["parameters"].as_array().unwrap();
    let names: Vec<&str> = parameters
        .iter()
        .map(|p| p["name"].as_str().unwrap())
        .collect();
    for name in ["pageSize", "tags", "filter.printedAfter", "X-Client-Id"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    assert!(description["paths"]["/any/{shelf}/{filter.book_id}"]["get"].is_object());
    let schemas = &description["components"]["schemas"];
    assert_eq!(schemas["BookInput"]["required"], json!(["title"]));
    assert_eq!(schemas["BookInput"]["properties"]["title"]["maxLength"], 20);
    let answered = json!(["id", "title", "pagesRead", "binding", "tags"]);
    assert_eq!(schemas["Book"]["required"], answered);
    assert_eq!(
        schemas["Book"]["properties"]["pagesRead"]["format"],
        "int64"
    );
    let tags = &description["paths"]["/books/{book_id}/tags"]["put"];
    let body = &tags["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(body["type"], "array");
    let etag = answer.header("etag");
    let again = gateway
        .ask(Method::GET, "/api/openapi.json")
        .header("if-none-match", etag);
    assert_eq!(again.send().await.status, 304);
}

#[tokio::test]
async fn the_same_gateway_serves_the_projects_own_contracts() {
    let pool = prost_reflect::DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET).unwrap();
    let gateway = GatewayUnderTest::start(pool, nobody().await, &[]).await;
    let description = gateway.get("/api/openapi.json").await.json();
    let operations = description["paths"].as_object().unwrap();
    assert!(operations.len() >= 8, "{}", operations.len());
    for (path, methods) in operations.iter().filter(|(path, _)| !path.contains('{')) {
        let get = &methods["get"];
        // The path is known but no service runs here. Calls that need a token are refused before the upstream is
        // called.
        let expected = match () {
            () if get.is_null() => 405,
            () if get["security"].is_array() => 403,
            () => 503,
        };
        let answer = gateway.get(&format!("/api{path}")).await;
        assert_eq!(answer.status, expected, "{path}");
    }
}

#[test]
fn committed_api_description_is_fresh() {
    let pool = prost_reflect::DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET).unwrap();
    let made = gateway_api::openapi::document(&pool).unwrap();
    let copy = concat!(env!("CARGO_MANIFEST_DIR"), "/../web-kit/api/openapi.json");
    let checked_in = std::fs::read_to_string(copy).unwrap();
    assert!(
        checked_in == format!("{}\n", serde_json::to_string_pretty(&made).unwrap()),
        "web-kit/api is stale: run `cargo xtask gen`"
    );
}

#[tokio::test]
async fn serves_http_2_without_tls() {
    let (gateway, _library) = start(&[]).await;
    let client = hyper_util::client::legacy::Client::builder(hyper_util::rt::TokioExecutor::new())
        .http2_only(true)
        .build_http::<axum::body::Body>();
    for (method, path, status) in [
        (Method::GET, "/api/books", 200),
        (Method::HEAD, "/api/books", 200),
        (Method::HEAD, "/api/nothing", 404),
    ] {
        let request = http::Request::builder()
            .method(method)
            .uri(format!("http://{}{path}", gateway.address))
            .body(axum::body::Body::empty())
            .unwrap();
        let response = client.request(request).await.unwrap();
        assert_eq!(response.version(), http::Version::HTTP_2);
        assert_eq!(response.status(), status);
    }
}

#[tokio::test]
async fn create_that_stored_nothing_is_200_without_location_if_declared() {
    let (gateway, _library) = start(&[]).await;
    let lend = |body| {
        gateway
            .ask(Method::POST, "/api/loans")
            .write()
            .body(body)
            .send()
    };
    let made = lend("{}").await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    assert_eq!(made.header("location"), "/api/loans/1");
    let looked = lend(r#"{"id": "look only"}"#).await;
    assert_eq!(looked.status, 200, "{:?}", looked.body);
    assert_eq!(looked.header("location"), "");
    // CreateBook sends the same metadata, but its contract does not declare `may_create_nothing`.
    let book = gateway
        .ask(Method::POST, "/api/books")
        .write()
        .header("idempotency-key", "made-nothing-0001");
    let book = book.body(r#"{"title": "A"}"#).send().await;
    assert_eq!(book.status, 201, "{:?}", book.body);
}
