//! The traces in memory, with three limits. The least recently updated trace is evicted first.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use parking_lot::RwLock;

use crate::search::Filter;
use crate::span::{Kind, Process, Span, SpanId, TraceId};

/// Maximum number of spans in a response. It prevents bodies of hundreds of megabytes for searches that match many huge
/// traces. The trace that crosses the limit is still returned whole.
const SPANS_PER_ANSWER_MAX: usize = 50_000;

/// Approximate cost of an index entry, a map slot and the reference counts per span, in bytes.
const SPAN_OVERHEAD_BYTES: usize = 64;

#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub spans_max: usize,
    pub spans_per_trace_max: usize,
    /// Approximate memory of all spans and processes, in bytes.
    pub bytes_max: usize,
}

/// Outcome of one export request.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Added {
    pub added: usize,
    /// Spans rejected by the limit per trace.
    pub over_trace_limit: usize,
}

/// A trace as returned, with its spans by start time.
#[derive(Debug)]
pub struct Trace {
    pub id: TraceId,
    pub spans: Vec<Arc<Span>>,
    /// Spans rejected by the limit per trace.
    pub spans_refused: usize,
}

/// Number of calls from one service to another.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dependency {
    pub parent: Arc<str>,
    pub child: Arc<str>,
    pub calls: usize,
}

/// Current size of the store.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    pub traces: usize,
    pub spans: usize,
    pub bytes: usize,
    pub processes: usize,
}

#[derive(Debug)]
pub struct Store {
    limits: Limits,
    held: RwLock<Held>,
}

/// Number of spans per operation; the entry is removed with its last span.
type OperationCounts = BTreeMap<(Arc<str>, Option<Kind>), usize>;

#[derive(Debug, Default)]
struct Held {
    traces: HashMap<TraceId, HeldTrace>,
    /// Traces by the last request that added to them. The first entry is evicted next.
    by_arrival: BTreeSet<(u64, TraceId)>,
    requests: u64,
    processes: HashMap<Arc<[u8]>, HeldProcess>,
    operations: BTreeMap<Arc<str>, OperationCounts>,
    spans: usize,
    bytes: usize,
}

#[derive(Debug, Default)]
struct HeldTrace {
    /// By span id, because a retrying exporter sends a span twice.
    spans: HashMap<SpanId, Arc<Span>>,
    arrival: u64,
    start_nanos: u64,
    spans_refused: usize,
}

#[derive(Debug)]
struct HeldProcess {
    process: Arc<Process>,
    spans: usize,
}

impl Store {
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            held: RwLock::default(),
        }
    }

    /// Stores the spans of one request, then evicts the oldest traces until the limits hold.
    pub fn add(&self, spans: Vec<Span>) -> Added {
        let mut held = self.held.write();
        held.requests += 1;
        let mut result = Added::default();
        for span in spans {
            if held.insert(span, self.limits.spans_per_trace_max) {
                result.added += 1;
            } else {
                result.over_trace_limit += 1;
            }
        }
        let mut evicted = 0;
        while held.spans > self.limits.spans_max || held.bytes > self.limits.bytes_max {
            if !held.evict_oldest() {
                break;
            }
            evicted += 1;
        }
        if evicted > 0 {
            tracing::debug!(
                traces = evicted,
                spans_held = held.spans,
                "oldest traces made room"
            );
        }
        result
    }

    pub fn services(&self) -> Vec<Arc<str>> {
        self.held.read().operations.keys().cloned().collect()
    }

    /// Returns the operations of a service with their kinds, sorted by name.
    pub fn operations(&self, service: &str) -> Vec<(Arc<str>, Option<Kind>)> {
        let held = self.held.read();
        held.operations
            .get(service)
            .map(|operations| operations.keys().cloned().collect())
            .unwrap_or_default()
    }

    pub fn trace(&self, id: TraceId) -> Option<Trace> {
        self.held
            .read()
            .traces
            .get(&id)
            .map(|trace| trace.answer(id))
    }

    /// Returns the traces with at least one span that the filter accepts, newest first.
    pub fn search(&self, filter: &Filter) -> Vec<Trace> {
        let held = self.held.read();
        let mut found: Vec<(u64, TraceId)> = held
            .traces
            .iter()
            .filter(|(_, trace)| trace.spans.values().any(|span| filter.accepts(span)))
            .map(|(id, trace)| (trace.start_nanos, *id))
            .collect();
        found.sort_unstable_by(|a, b| b.cmp(a));
        let mut spans = 0;
        found
            .into_iter()
            .take(filter.limit)
            .map_while(|(_, id)| {
                let trace = held
                    .traces
                    .get(&id)
                    .filter(|_| spans < SPANS_PER_ANSWER_MAX)?;
                spans += trace.spans.len();
                Some(trace.answer(id))
            })
            .collect()
    }

    /// Returns all spans that `is_wanted` accepts, in no order.
    pub fn spans(&self, is_wanted: impl Fn(&Span) -> bool) -> Vec<Arc<Span>> {
        let held = self.held.read();
        let spans = held.traces.values().flat_map(|trace| trace.spans.values());
        spans.filter(|span| is_wanted(span)).cloned().collect()
    }

    /// Returns the calls between different services. Counts spans whose parent is stored too and whose start is within
    /// the window (microseconds since 1970, both ends included).
    pub fn dependencies(&self, start_micros: u64, end_micros: u64) -> Vec<Dependency> {
        let held = self.held.read();
        let mut calls: BTreeMap<(&Arc<str>, &Arc<str>), usize> = BTreeMap::new();
        for trace in held.traces.values() {
            for span in trace.spans.values() {
                let Some(parent) = span.parent.and_then(|parent| trace.spans.get(&parent)) else {
                    continue;
                };
                let crosses = parent.process.service != span.process.service;
                if crosses && (start_micros..=end_micros).contains(&span.start_micros()) {
                    *calls
                        .entry((&parent.process.service, &span.process.service))
                        .or_default() += 1;
                }
            }
        }
        calls
            .into_iter()
            .map(|((parent, child), calls)| Dependency {
                parent: Arc::clone(parent),
                child: Arc::clone(child),
                calls,
            })
            .collect()
    }

    pub fn usage(&self) -> Usage {
        let held = self.held.read();
        Usage {
            traces: held.traces.len(),
            spans: held.spans,
            bytes: held.bytes,
            processes: held.processes.len(),
        }
    }
}

impl HeldTrace {
    fn answer(&self, id: TraceId) -> Trace {
        let mut spans: Vec<Arc<Span>> = self.spans.values().cloned().collect();
        spans.sort_unstable_by_key(|span| (span.start_nanos, span.id));
        Trace {
            id,
            spans,
            spans_refused: self.spans_refused,
        }
    }
}

impl Held {
    /// Returns false if the trace is full. A duplicate span counts as stored.
    fn insert(&mut self, mut span: Span, spans_per_trace_max: usize) -> bool {
        let arrival = self.requests;
        let trace = self.traces.entry(span.trace).or_insert_with(|| HeldTrace {
            start_nanos: span.start_nanos,
            ..HeldTrace::default()
        });
        if trace.arrival != arrival {
            self.by_arrival.remove(&(trace.arrival, span.trace));
            self.by_arrival.insert((arrival, span.trace));
            trace.arrival = arrival;
        }
        if trace.spans.contains_key(&span.id) {
            return true;
        }
        if trace.spans.len() >= spans_per_trace_max {
            trace.spans_refused += 1;
            return false;
        }
        trace.start_nanos = trace.start_nanos.min(span.start_nanos);

        let bytes = &mut self.bytes;
        let process = self
            .processes
            .entry(Arc::clone(&span.process.identity))
            .or_insert_with(|| {
                *bytes += span.process.bytes();
                HeldProcess {
                    process: Arc::clone(&span.process),
                    spans: 0,
                }
            });
        process.spans += 1;
        span.process = Arc::clone(&process.process);

        let operations = self
            .operations
            .entry(Arc::clone(&span.process.service))
            .or_default();
        *operations
            .entry((Arc::clone(&span.operation), span.kind))
            .or_default() += 1;
        self.bytes += span.bytes() + SPAN_OVERHEAD_BYTES;
        self.spans += 1;
        trace.spans.insert(span.id, Arc::new(span));
        true
    }

    /// Returns false if no trace is left.
    fn evict_oldest(&mut self) -> bool {
        let Some((_, id)) = self.by_arrival.pop_first() else {
            return false;
        };
        let Some(trace) = self.traces.remove(&id) else {
            return false;
        };
        for span in trace.spans.into_values() {
            self.forget(&span);
        }
        true
    }

    fn forget(&mut self, span: &Span) {
        self.spans -= 1;
        self.bytes -= span.bytes() + SPAN_OVERHEAD_BYTES;
        if let Some(process) = self.processes.get_mut(&span.process.identity) {
            process.spans -= 1;
            if process.spans == 0 {
                self.bytes -= span.process.bytes();
                self.processes.remove(&span.process.identity);
            }
        }
        let service = &span.process.service;
        let Some(operations) = self.operations.get_mut(service) else {
            return;
        };
        let key = (Arc::clone(&span.operation), span.kind);
        if let Some(count) = operations.get_mut(&key) {
            *count -= 1;
            if *count == 0 {
                operations.remove(&key);
            }
        }
        if operations.is_empty() {
            self.operations.remove(service);
        }
    }
}
