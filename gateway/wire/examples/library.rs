//! Binds `PUT /books/{book_id}?notifyReaders=true` with a JSON body to an RPC, and converts its answer.

use gateway_wire::{Binding, Body, Parts, Plans, Transcoder, WireError};
use prost_reflect::DescriptorPool;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let files = protox::compile(["library.proto"], [folder])?;
    let pool = DescriptorPool::from_file_descriptor_set(files)?;
    let message = |name: &str| pool.get_message_by_name(name).ok_or("not in the contract");
    let (input, output) = (
        message("library.v1.UpdateBookRequest")?,
        message("library.v1.Book")?,
    );
    let field = |name: &str| input.get_field_by_name(name).ok_or("not in the message");
    let mut transcoder = Transcoder::default();
    let update = transcoder.add(&Binding {
        path: vec![vec![field("book_id")?]],
        body: Body::Field(field("book")?),
        request_id: None,
        response_body: None,
        raw: None,
        input: input.clone(),
        output: output.clone(),
    });

    let parts = |body| Parts {
        path: vec!["7".to_owned()],
        query: Some("notifyReaders=true"),
        body,
        texts: Vec::new(),
    };
    let body = br#"{"title":"Emma","authors":["Jane Austen"]}"#;
    let request = transcoder.request(update, parts(body))?;
    println!("request: {} bytes of protobuf", request.message.len());

    // Stands for the answer of a service.
    let mut plans = Plans::default();
    let book = plans.add(&output);
    let book = plans.from_json(book, body)?;
    let answer = transcoder.response(update, &book.into())?;
    println!("answer: {}", String::from_utf8_lossy(&answer.body));

    let refused = transcoder.request(update, parts(br#"{"title":7,"autors":[]}"#));
    if let Err(WireError::Fields(wrong)) = refused {
        for violation in wrong {
            println!("refused: {} {}", violation.field, violation.message);
        }
    }
    Ok(())
}
