//! Contains a panic in one request, so that no other request fails.

use std::panic::AssertUnwindSafe;

use futures::FutureExt;

use crate::problem::Problem;

/// Runs `work`; a panic becomes a problem 500. The panic hook logs the panic's text, which is never sent.
pub async fn contain<T>(work: impl Future<Output = T>) -> Result<T, Problem> {
    // Nothing of the future is used after a panic, and the state it shared is behind locks that do not poison.
    AssertUnwindSafe(work).catch_unwind().await.map_err(|_| {
        tracing::error!("a request panicked");
        Problem::internal()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn turns_a_panic_into_a_problem() {
        let panics = async || -> u8 { panic!("of this test") };
        let problem = contain(panics()).await.unwrap_err();
        assert_eq!(problem.status().as_u16(), 500);
        assert_eq!(contain(async { 7 }).await.unwrap(), 7);
    }
}
