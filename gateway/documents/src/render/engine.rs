//! One QuickJS runtime with one page module bundle.
//!
//! Each bundle has its own runtime, not only its own context. The memory limit then covers one team only, and dropping
//! a runtime after a failure frees everything that the failed render held.

use std::{
    fs,
    sync::{Arc, Weak},
    time::{Duration, Instant},
};

use crate::publish::program::Program;
use axum::http::StatusCode;
use parking_lot::Mutex;
use rquickjs::{CatchResultExt as _, CaughtError, Context, Function, Runtime};

/// Maximum C stack of a render in bytes; threads of the pool have four times as much.
const STACK_BYTES_MAX: usize = 2 * 1024 * 1024;
/// Maximum time to evaluate a bundle. A bundle of React and a team's pages takes some 8 ms.
const LOAD_TIME_MAX: Duration = Duration::from_secs(2);
/// Multiple of the time limit after which a render is stopped by elapsed time, even if it got little processor time.
/// At the default limit 2 s, less than the time that a caller waits.
const WALL_CLOCK_FACTOR: u32 = 40;
/// Renders after which a runtime is replaced, to bound a module's leaks.
const RENDERS_MAX: u32 = 10_000;
/// Maximum output of a bundle in bytes.
const OUTPUT_BYTES_MAX: usize = 4 * 1024 * 1024;
const ENTRY_POINT: &str = "hospitalRender";

/// Limits of one render.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RenderLimits {
    /// Processor time; see [`Stopwatch`].
    pub(crate) time_max: Duration,
    /// Memory of the whole runtime, including bundle, props and output.
    pub(crate) memory_bytes_max: usize,
}

/// Reasons why a render failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RenderError {
    #[error("the render queue is full")]
    Overloaded,
    #[error("stopped at its time limit, after {elapsed:?}, {cpu:?} of them on a processor")]
    Overrun {
        elapsed: Duration,
        /// `None` if the system does not report it.
        cpu: Option<Duration>,
    },
    #[error("the bundle threw: {0}")]
    Threw(String),
    #[error("the answer violates the contract: {0}")]
    BadAnswer(String),
    #[error("no render thread took the job in time")]
    NoAnswer,
}

impl RenderError {
    /// Returns the status of the fallback: 503 when there was no capacity for the render, otherwise 500.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Overloaded | Self::NoAnswer => StatusCode::SERVICE_UNAVAILABLE,
            Self::Overrun { .. } | Self::Threw(_) | Self::BadAnswer(_) => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
        }
    }

    /// Removes the bundle's message, which may quote a visitor's form.
    pub(crate) fn without_details(self) -> Self {
        match self {
            Self::Threw(_) => {
                Self::Threw("(message withheld: it may contain personal data)".to_owned())
            }
            other => other,
        }
    }
}

/// A loaded bundle.
pub(crate) struct Engine {
    context: Context,
    stopwatch: Arc<Mutex<Stopwatch>>,
    program: Weak<Program>,
    renders: u32,
}

impl Engine {
    /// Evaluates the bundle and checks that it defines the entry point.
    pub(crate) fn load(program: &Arc<Program>, limits: RenderLimits) -> Result<Self, RenderError> {
        let setup = |error: rquickjs::Error| RenderError::Threw(error.to_string());
        let runtime = Runtime::new().map_err(setup)?;
        runtime.set_memory_limit(limits.memory_bytes_max);
        runtime.set_max_stack_size(STACK_BYTES_MAX);
        let stopwatch = Arc::new(Mutex::new(Stopwatch::start(LOAD_TIME_MAX)));
        let watched = Arc::clone(&stopwatch);
        runtime.set_interrupt_handler(Some(Box::new(move || watched.lock().is_over())));
        let context = Context::full(&runtime).map_err(setup)?;
        let engine = Self {
            context,
            stopwatch,
            program: Arc::downgrade(program),
            renders: 0,
        };
        engine.context.with(|ctx| {
            ctx.eval::<(), _>(program.source.as_str())
                .catch(&ctx)
                .map_err(|error| engine.failure(&error))?;
            ctx.globals()
                .get::<_, Function>(ENTRY_POINT)
                .map(drop)
                .map_err(|_| {
                    RenderError::BadAnswer(format!("server.js does not define `{ENTRY_POINT}`"))
                })
        })?;
        Ok(engine)
    }

    pub(crate) fn runs(&self, program: &Arc<Program>) -> bool {
        std::ptr::eq(self.program.as_ptr(), Arc::as_ptr(program))
    }

    /// Returns false once its version has been retired or it has reached its maximum of renders. It is then replaced.
    pub(crate) fn is_current(&self) -> bool {
        let program = self.program.upgrade();
        program.is_some_and(|program| !program.is_retired()) && self.renders < RENDERS_MAX
    }

    /// Calls the bundle's function once. After an error the engine must be dropped.
    pub(crate) fn call(
        &mut self,
        input: &str,
        limits: RenderLimits,
    ) -> Result<String, RenderError> {
        self.renders += 1;
        *self.stopwatch.lock() = Stopwatch::start(limits.time_max);
        let output = self.context.with(|ctx| {
            let call = || -> rquickjs::Result<String> {
                ctx.globals()
                    .get::<_, Function>(ENTRY_POINT)?
                    .call((input,))
            };
            call().catch(&ctx).map_err(|error| self.failure(&error))
        })?;
        if output.len() > OUTPUT_BYTES_MAX {
            return Err(RenderError::BadAnswer(format!(
                "{} bytes, more than {OUTPUT_BYTES_MAX}",
                output.len()
            )));
        }
        if self.context.runtime().is_job_pending() {
            return Err(RenderError::BadAnswer(
                "asynchronous work was left pending".to_owned(),
            ));
        }
        Ok(output)
    }

    fn failure(&self, error: &CaughtError<'_>) -> RenderError {
        if let Some((elapsed, cpu)) = self.stopwatch.lock().stopped {
            return RenderError::Overrun { elapsed, cpu };
        }
        RenderError::Threw(match error {
            CaughtError::Exception(exception) => {
                let message = exception.message().unwrap_or_default();
                let place = exception.stack().unwrap_or_default();
                format!(
                    "{message} {}",
                    place.lines().next().unwrap_or_default().trim()
                )
            }
            CaughtError::Value(_) => "a value that is not an Error".to_owned(),
            CaughtError::Error(error) => error.to_string(),
        })
    }
}

/// Measures the thread's CPU time where the system reports it. A busy machine therefore does not fail a render within
/// its budget. Elapsed time is limited too, more generously.
struct Stopwatch {
    started: Instant,
    started_cpu: Option<Duration>,
    limit: Duration,
    /// Elapsed and processor time when the limit was exceeded.
    stopped: Option<(Duration, Option<Duration>)>,
}

impl Stopwatch {
    fn start(limit: Duration) -> Self {
        Self {
            started: Instant::now(),
            started_cpu: thread_cpu_time(),
            limit,
            stopped: None,
        }
    }

    /// Returns whether the time limit is exceeded. QuickJS calls this about every 10,000 steps.
    fn is_over(&mut self) -> bool {
        let elapsed = self.started.elapsed();
        if elapsed > self.limit {
            let cpu = self
                .started_cpu
                .zip(thread_cpu_time())
                .map(|(before, now)| now.saturating_sub(before));
            let is_over =
                elapsed > self.limit * WALL_CLOCK_FACTOR || cpu.is_none_or(|cpu| cpu > self.limit);
            self.stopped = is_over.then_some((elapsed, cpu));
        }
        self.stopped.is_some()
    }
}

/// Reads the first field of Linux' `schedstat`: nanoseconds on a processor. `None` elsewhere.
fn thread_cpu_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_ascii_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds)).filter(|time| !time.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shed_renders_do_not_count_as_module_failures() {
        for error in [RenderError::Overloaded, RenderError::NoAnswer] {
            assert_eq!(error.status(), StatusCode::SERVICE_UNAVAILABLE, "{error}");
        }
        let failures = [
            RenderError::Overrun {
                elapsed: Duration::ZERO,
                cpu: None,
            },
            RenderError::Threw(String::new()),
            RenderError::BadAnswer(String::new()),
        ];
        for error in failures {
            assert_eq!(error.status(), StatusCode::INTERNAL_SERVER_ERROR, "{error}");
        }
    }
}
