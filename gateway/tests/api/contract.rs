//! The contract that the tests serve. The gateway's code has no knowledge of it.

use std::fs;

use prost_reflect::DescriptorPool;

const LIBRARY: &str = r#"
syntax = "proto3";
package library.v1;

import "google/api/annotations.proto";
import "google/api/field_behavior.proto";
import "google/api/httpbody.proto";
import "google/protobuf/timestamp.proto";
import "hospital/api/v1/limits.proto";
import "hospital/api/v1/policy.proto";

// Books and where they stand.
service LibraryService {
  // Lists books. Newest first.
  rpc ListBooks(ListBooksRequest) returns (ListBooksResponse) {
    option (google.api.http) = {get: "/books"};
    option (hospital.api.v1.policy) = {cache_seconds: 60};
  }
  // Times at which the library is open, as they are this second.
  rpc ListOpenings(ListOpeningsRequest) returns (ListOpeningsResponse) {
    option (google.api.http) = {get: "/openings"};
    option (hospital.api.v1.policy) = {cache_seconds: 1};
  }
  rpc GetBook(GetBookRequest) returns (GetBookResponse) {
    option (google.api.http) = {
      get: "/shelves/{shelf}/books/{filter.book_id}"
      response_body: "book"
      additional_bindings {get: "/any/{shelf=rooms/*/shelves/*}/{filter.book_id}" response_body: "book"}
    };
  }
  rpc CreateBook(CreateBookRequest) returns (CreateBookResponse) {
    option (google.api.http) = {post: "/books" body: "book" response_body: "book"};
  }
  rpc ReplaceTags(ReplaceTagsRequest) returns (ReplaceTagsResponse) {
    option (google.api.http) = {put: "/books/{book_id}/tags" body: "tags" response_body: "tags"};
  }
  rpc ArchiveBook(ArchiveBookRequest) returns (Book) {
    option (google.api.http) = {post: "/books/{book_id}:archive" body: "*"};
  }
  rpc ReadSlowly(ReadSlowlyRequest) returns (Book) {
    option (google.api.http) = {get: "/slow"};
    option (hospital.api.v1.policy) = {deadline_ms: 400};
  }
  rpc ReadFailing(ReadFailingRequest) returns (Book) {
    option (google.api.http) = {get: "/failing"};
  }
  rpc ReadSecret(ReadSecretRequest) returns (Book) {
    option (google.api.http) = {get: "/secret"};
    option (hospital.api.v1.policy) = {scope: "books.read"};
  }
  // One volume and its version.
  rpc GetVolume(GetVolumeRequest) returns (GetVolumeResponse) {
    option (google.api.http) = {get: "/volumes/{volume_id}" response_body: "volume"};
    option (hospital.api.v1.policy) = {cache_seconds: 3600};
  }
  rpc ReplaceVolume(ReplaceVolumeRequest) returns (ReplaceVolumeResponse) {
    option (google.api.http) = {put: "/volumes/{volume_id}" body: "volume" response_body: "volume"};
    option (hospital.api.v1.policy) = {scope: "volumes.write"};
  }
  rpc DeleteVolume(DeleteVolumeRequest) returns (DeleteVolumeResponse) {
    option (google.api.http) = {delete: "/volumes/{volume_id}"};
    option (hospital.api.v1.policy) = {scope: "volumes.write"};
  }
  // A diary, for whoever has its secret.
  rpc GetDiary(GetDiaryRequest) returns (GetDiaryResponse) {
    option (google.api.http) = {get: "/diaries/{diary_id}" response_body: "diary"};
    option (hospital.api.v1.policy) = {scope: "diaries.read" secret_header: "x-diary-secret" cache_seconds: 60};
  }
  rpc BurnDiary(BurnDiaryRequest) returns (BurnDiaryResponse) {
    option (google.api.http) = {post: "/diaries/{diary_id}:burn" body: "*" response_body: "diary"};
    option (hospital.api.v1.policy) = {scope: "diaries.write" secret_header: "x-diary-secret"};
  }
  rpc PrintDiary(PrintDiaryRequest) returns (google.api.HttpBody) {
    option (google.api.http) = {get: "/diaries/{diary_id}/print"};
    option (hospital.api.v1.policy) = {cache_seconds: 60};
  }
  // Keeps a book for somebody.
  rpc CreateLoan(CreateLoanRequest) returns (CreateLoanResponse) {
    option (google.api.http) = {post: "/loans" body: "loan" response_body: "loan"};
    option (hospital.api.v1.policy) = {client: true may_create_nothing: true};
  }
  // The body is the scan itself.
  rpc CreateScan(CreateScanRequest) returns (CreateScanResponse) {
    option (google.api.http) = {put: "/scans" body: "scan" response_body: "loan"};
    option (hospital.api.v1.policy) = {scope: "scans.write" may_create_nothing: true body_bytes_max: 200000};
  }
  rpc ReadEmergency(ReadEmergencyRequest) returns (Book) {
    option (google.api.http) = {get: "/emergency-number"};
    option (hospital.api.v1.policy) = {rate_class: RATE_CLASS_EXEMPT};
  }
  // Every branch answers this.
  rpc ReadBranch(ReadBranchRequest) returns (Book) {
    option (google.api.http) = {get: "/branches/{branch}/{filter.book_id}"};
    option (hospital.api.v1.policy) = {cache_seconds: 60 upstream_field: "branch"};
  }
}

enum Binding { BINDING_UNSPECIFIED = 0; BINDING_PAPER = 1; BINDING_CLOTH = 2; }

message Book {
  // Output only.
  string id = 1 [(google.api.field_behavior) = OUTPUT_ONLY];
  // Required. 1 to 20 characters.
  string title = 2 [(google.api.field_behavior) = REQUIRED, (hospital.api.v1.limits) = {length_min: 1, length_max: 20}];
  int64 pages_read = 3;
  Binding binding = 4;
  repeated string tags = 5;
  optional double weight = 6;
  google.protobuf.Timestamp printed_at = 7;
  Author author = 8;
}
message Author { string full_name = 1; int32 birth_year = 2; }

message Filter { string book_id = 1; Binding binding = 2; google.protobuf.Timestamp printed_after = 3; }
message ListBooksRequest { int32 page_size = 1; string page_token = 2; repeated string tags = 3; Filter filter = 4; bool lent = 5; string subject = 6; }
message ListBooksResponse { repeated Book books = 1; string next_page_token = 2; string heard = 3; }
message ListOpeningsRequest { string day = 1; }
message ListOpeningsResponse { repeated string times = 1; }
message GetBookRequest { string shelf = 1; Filter filter = 2; }
message GetBookResponse { Book book = 1; }
message CreateBookRequest { Book book = 1; string request_id = 2; }
message CreateBookResponse { Book book = 1; }
message ReplaceTagsRequest { string book_id = 1; repeated string tags = 2; }
message ReplaceTagsResponse { repeated string tags = 1; }
message ArchiveBookRequest { string book_id = 1; string reason = 2; }
message ReadSlowlyRequest { }
message ReadFailingRequest { string code = 1; }
message ReadSecretRequest { }
message ReadEmergencyRequest { }
message ReadBranchRequest { string branch = 1; Filter filter = 2; }
message Diary { string id = 1; string text = 2; string etag = 3; }
message GetDiaryRequest { string diary_id = 1; }
message GetDiaryResponse { Diary diary = 1; }
message PrintDiaryRequest { string diary_id = 1; string as = 2; }
message BurnDiaryRequest { string diary_id = 1; }
message BurnDiaryResponse { Diary diary = 1; }
message Loan { string id = 1; }
message CreateScanRequest { google.api.HttpBody scan = 1; string title = 2; }
message CreateScanResponse { Loan loan = 1; }
message CreateLoanRequest { Loan loan = 1; }
message CreateLoanResponse { Loan loan = 1; }
message Volume { string id = 1; string text = 2; string etag = 3; }
message GetVolumeRequest { string volume_id = 1; bool upper = 2; }
message GetVolumeResponse { Volume volume = 1; }
// Version that is replaced.
message ReplaceVolumeRequest { string volume_id = 1; Volume volume = 2; string etag = 3; }
message ReplaceVolumeResponse { Volume volume = 1; }
message DeleteVolumeRequest { string volume_id = 1; string etag = 2; }
message DeleteVolumeResponse { }
"#;

/// Compiles the contract together with the project's own options.
pub(crate) fn pool() -> DescriptorPool {
    pool_with(&[])
}

/// Compiles the contract together with further contracts.
pub(crate) fn pool_with(more: &[&str]) -> DescriptorPool {
    let folder = tempfile::tempdir().unwrap();
    let options = concat!(env!("CARGO_MANIFEST_DIR"), "/../proto");
    let mut compiler = protox::Compiler::new([folder.path(), options.as_ref()]).unwrap();
    compiler.include_imports(true).include_source_info(true);
    for (number, text) in [LIBRARY].iter().chain(more).enumerate() {
        let name = format!("contract_{number}.proto");
        fs::write(folder.path().join(&name), text).unwrap();
        compiler.open_file(&name).unwrap();
    }
    DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice()).unwrap()
}
