//! A bounded pool of threads that run page module bundles.

use std::{
    collections::{BTreeSet, VecDeque},
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use parking_lot::{Condvar, Mutex};
use tokio::sync::oneshot;

use super::engine::{Engine, RenderError, RenderLimits};
use crate::{metrics, publish::program::Program};

pub(crate) const THREAD_STACK_BYTES: usize = 8 * 1024 * 1024;
/// Maximum time that a caller waits for its render, including the queue.
pub(crate) const ANSWER_TIME_MAX: Duration = Duration::from_secs(3);
/// Maximum time that a preparation waits. It gets only a small share of a busy thread. A version refused by a timeout
/// would be retried while the gateway is just as busy.
const PREPARATION_TIME_MAX: Duration = Duration::from_secs(30);
/// Maximum queued renders of resident pages; more than any site has.
const PREPARATIONS_MAX: usize = 1_024;
/// Idle time after which a thread drops its engines.
const QUIET: Duration = Duration::from_mins(2);
/// After a preparation, visitors' jobs get this multiple of its time on the thread while any are queued. A fifth is
/// left for preparations.
const VISITORS_SHARE: u32 = 4;

/// Threads with one [`Engine`] per bundle that they have rendered. A job is rejected immediately when its queue is
/// full.
///
/// An engine takes some 1.5 MB. A job therefore goes to the idle thread with the lowest index, and all threads except
/// the first drop their engines after an idle period. Memory follows the load, and a quiet site holds each bundle once.
#[derive(Debug)]
pub(crate) struct RenderPool {
    inbox: Arc<Inbox>,
}

#[derive(Debug)]
struct Inbox {
    state: Mutex<State>,
    /// One per thread.
    wake: Vec<Condvar>,
    queues: Queues,
    limits: RenderLimits,
}

/// Priority class of a render. Each lane has its own bounded queue, so page reads cannot block forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// A visitor's form, with typed input or a completed booking. Taken before reads.
    Forms,
    Reads,
    /// Resident pages. Like bundle loads, they get a share of each thread regardless of waiting visitors. An overloaded
    /// gateway must be able to adopt a better version.
    Preparations,
}

/// Maximum queued jobs per lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queues {
    pub(crate) forms_max: usize,
    pub(crate) reads_max: usize,
}

#[derive(Debug, Default)]
struct State {
    forms: VecDeque<Job>,
    reads: VecDeque<Job>,
    /// Also holds bundle loads before a version goes live.
    preparations: VecDeque<Job>,
    /// Threads waiting for a job.
    idle: BTreeSet<usize>,
    closed: bool,
}

#[derive(Debug)]
struct Job {
    program: Arc<Program>,
    /// `None` only loads the bundle.
    input: Option<String>,
    span: tracing::Span,
    answer: oneshot::Sender<Result<String, RenderError>>,
}

impl RenderPool {
    /// Starts `threads` threads. Fails when the system cannot create them.
    pub(crate) fn start(threads: usize, queues: Queues, limits: RenderLimits) -> io::Result<Self> {
        let inbox = Arc::new(Inbox {
            state: Mutex::default(),
            wake: (0..threads).map(|_| Condvar::new()).collect(),
            queues,
            limits,
        });
        let pool = Self {
            inbox: Arc::clone(&inbox),
        };
        for index in 0..threads {
            let inbox = Arc::clone(&inbox);
            thread::Builder::new()
                .name(format!("render-{index}"))
                .stack_size(THREAD_STACK_BYTES)
                .spawn(move || work(&inbox, index))?;
        }
        Ok(pool)
    }

    /// Calls a bundle's function with `input` in the current span.
    pub(crate) async fn call(
        &self,
        program: &Arc<Program>,
        input: String,
        lane: Lane,
    ) -> Result<String, RenderError> {
        let span = tracing::Span::current();
        self.submit(program, Some(input), span, lane).await
    }

    /// Loads a bundle before it goes live, to catch broken ones. A bundle in use is not loaded again.
    pub(crate) async fn warm(&self, program: &Arc<Program>) -> Result<(), RenderError> {
        if program.is_in_use() {
            return Ok(());
        }
        program.set_loading();
        let span = tracing::Span::none();
        let lane = Lane::Preparations;
        self.submit(program, None, span, lane).await?;
        program.set_in_use();
        Ok(())
    }

    async fn submit(
        &self,
        program: &Arc<Program>,
        input: Option<String>,
        span: tracing::Span,
        lane: Lane,
    ) -> Result<String, RenderError> {
        let (answer, answered) = oneshot::channel();
        {
            let mut state = self.inbox.state.lock();
            let queues = self.inbox.queues;
            let (queue, jobs_max) = match lane {
                Lane::Forms => (&mut state.forms, queues.forms_max),
                Lane::Reads => (&mut state.reads, queues.reads_max),
                Lane::Preparations => (&mut state.preparations, PREPARATIONS_MAX),
            };
            if queue.len() >= jobs_max {
                return Err(RenderError::Overloaded);
            }
            queue.push_back(Job {
                program: Arc::clone(program),
                input,
                span,
                answer,
            });
            // If no thread is idle, the first one to finish its job takes this one.
            if let Some(thread) = state.idle.pop_first() {
                self.inbox.wake[thread].notify_one();
            }
        }
        let time_max = match lane {
            Lane::Forms | Lane::Reads => ANSWER_TIME_MAX,
            Lane::Preparations => PREPARATION_TIME_MAX,
        };
        match tokio::time::timeout(time_max, answered).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) | Err(_) => Err(RenderError::NoAnswer),
        }
    }
}

impl Drop for RenderPool {
    fn drop(&mut self) {
        self.inbox.state.lock().closed = true;
        for thread in &self.inbox.wake {
            thread.notify_one();
        }
    }
}

fn work(inbox: &Inbox, index: usize) {
    let mut engines = Vec::new();
    let mut turns = Turns::default();
    loop {
        let (job, is_preparation) = match next(inbox, index, &turns) {
            Next::Job(job, _) if job.answer.is_closed() => continue,
            Next::Job(job, is_preparation) => (job, is_preparation),
            Next::Quiet => {
                engines = Vec::new();
                continue;
            }
            Next::End => return,
        };
        let started = Instant::now();
        engines.retain(Engine::is_current);
        let answer = job.span.in_scope(|| {
            catch_unwind(AssertUnwindSafe(|| run(&mut engines, &job, inbox.limits))).unwrap_or_else(
                |_| {
                    engines.clear();
                    Err(RenderError::BadAnswer("the engine panicked".to_owned()))
                },
            )
        });
        // Fails when the caller was cancelled, and then the answer is not needed.
        drop(job.answer.send(answer));
        turns.took(started.elapsed(), is_preparation);
    }
}

/// Divides a thread's time between visitors and preparations while both are queued.
#[derive(Debug, Default)]
struct Turns {
    /// Time reserved for visitors before the next preparation.
    owed: Duration,
}

impl Turns {
    fn is_for_preparations(&self) -> bool {
        self.owed.is_zero()
    }

    fn took(&mut self, time: Duration, is_preparation: bool) {
        self.owed = if is_preparation {
            time * VISITORS_SHARE
        } else {
            self.owed.saturating_sub(time)
        };
    }
}

/// Next step of a thread.
enum Next {
    /// A job, and whether it is a preparation.
    Job(Job, bool),
    /// The idle period is over.
    Quiet,
    End,
}

fn next(inbox: &Inbox, index: usize, turns: &Turns) -> Next {
    let mut state = inbox.state.lock();
    loop {
        if state.closed {
            return Next::End;
        }
        if let Some(job) = state.take(turns) {
            return job;
        }
        state.idle.insert(index);
        let waited = inbox.wake[index].wait_for(&mut state, QUIET);
        // A woken thread has already been removed from `idle`.
        state.idle.remove(&index);
        // The first thread keeps its engines, because it does all renders on a quiet site.
        if waited.timed_out() && index > 0 {
            return Next::Quiet;
        }
    }
}

impl State {
    fn take(&mut self, turns: &Turns) -> Option<Next> {
        let preparation = |state: &mut Self| Some(Next::Job(state.preparations.pop_front()?, true));
        // Forms before reads: they carry a person's input or a completed booking.
        let visitor = |state: &mut Self| {
            let job = state.forms.pop_front();
            let job = job.or_else(|| state.reads.pop_front())?;
            Some(Next::Job(job, false))
        };
        if turns.is_for_preparations() {
            preparation(self).or_else(|| visitor(self))
        } else {
            visitor(self).or_else(|| preparation(self))
        }
    }
}

fn run(engines: &mut Vec<Engine>, job: &Job, limits: RenderLimits) -> Result<String, RenderError> {
    let position = engines.iter().position(|engine| engine.runs(&job.program));
    let mut engine = match position {
        Some(position) => engines.swap_remove(position),
        None => Engine::load(&job.program, limits)?,
    };
    let Some(input) = &job.input else {
        engines.push(engine);
        return Ok(String::new());
    };
    let mut output = timed(&mut engine, input, limits);
    // One more try: on a shared processor a render of 20 ms may take three times as long for a moment. Not if the
    // caller has given up.
    if let Err(RenderError::Overrun { .. }) = output
        && !job.answer.is_closed()
    {
        engine = Engine::load(&job.program, limits)?;
        output = timed(&mut engine, input, limits);
    }
    let output = output?;
    // Only an engine that did not fail goes back: a failed one may hold half-finished state.
    engines.push(engine);
    Ok(output)
}

fn timed(engine: &mut Engine, input: &str, limits: RenderLimits) -> Result<String, RenderError> {
    let started = Instant::now();
    let output = engine.call(input, limits);
    metrics::get()
        .render_seconds
        .observe(started.elapsed().as_secs_f64());
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_warm_up_to_a_fifth_of_a_busy_thread() {
        let (preparation, visit) = (Duration::from_millis(8), Duration::from_millis(2));
        let mut turns = Turns::default();
        let mut order = String::new();
        for _ in 0..34 {
            let is_preparation = turns.is_for_preparations();
            turns.took(
                if is_preparation { preparation } else { visit },
                is_preparation,
            );
            order.push(if is_preparation { 'P' } else { '.' });
        }
        assert_eq!(order, format!("P{0}P{0}", ".".repeat(16)));
    }
}
