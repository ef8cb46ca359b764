//! The body of an answer, tracked until the client has taken it.
//!
//! HTTP/2 flow control lets a client stall an answer without any write waiting. hyper then holds the data for as long
//! as the client likes. So each part of a body handed to hyper records when it leaves for the socket, in
//! [`Buf::advance`].

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::body::Body;
use bytes::{Buf, Bytes};
use http::Version;
use http_body::{Frame, SizeHint};

use super::{
    activity::{Activity, Generation},
    metrics::ListenMetrics,
};

/// Bytes by which a part of an answer must progress within two generations. HTTP/2 sends this much of one stream before
/// the next one's turn.
const TURN_BYTES: usize = 16 * 1024;

/// A request under way, until its answer has been taken or abandoned.
#[derive(Debug)]
pub(super) struct UnderWay(Arc<Activity>);

impl UnderWay {
    pub(super) fn begin(activity: &Arc<Activity>, version: Version) -> Self {
        activity.begin_request(version == Version::HTTP_2);
        Self(Arc::clone(activity))
    }

    fn wait_for_client(&self, bytes: Bytes) -> AnswerBytes {
        self.0.hold_request();
        AnswerBytes {
            bytes,
            generation: self.0.begin_answer_wait(),
            progress: 0,
            under_way: Self(Arc::clone(&self.0)),
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.end_request();
    }
}

/// Body of an answer, which tracks each part that it hands to hyper.
#[derive(Debug)]
pub(super) struct AnswerBody {
    body: Body,
    under_way: UnderWay,
}

impl AnswerBody {
    pub(super) fn new(body: Body, under_way: UnderWay) -> Self {
        Self { body, under_way }
    }
}

impl http_body::Body for AnswerBody {
    type Data = AnswerBytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<AnswerBytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        frame.map_ok(|frame| frame.map_data(|bytes| self.under_way.wait_for_client(bytes)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A part of an answer that hyper holds; it waits for the client until it is written or dropped.
#[derive(Debug)]
pub(super) struct AnswerBytes {
    bytes: Bytes,
    /// Generation of its last progress.
    generation: Generation,
    /// Bytes taken since then.
    progress: usize,
    under_way: UnderWay,
}

impl Buf for AnswerBytes {
    fn remaining(&self) -> usize {
        self.bytes.remaining()
    }

    fn chunk(&self) -> &[u8] {
        self.bytes.chunk()
    }

    fn advance(&mut self, count: usize) {
        self.bytes.advance(count);
        self.progress += count;
        let activity = &self.under_way.0;
        activity.record_taken(count);
        if self.progress >= TURN_BYTES {
            self.progress = 0;
            activity.record_progress(&mut self.generation);
        }
    }
}

impl Drop for AnswerBytes {
    fn drop(&mut self) {
        self.under_way.0.end_answer_wait(self.generation);
        if self.bytes.has_remaining() {
            ListenMetrics::global().answers_unread.inc();
        }
    }
}
