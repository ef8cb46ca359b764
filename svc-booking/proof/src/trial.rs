//! One trial: a new database, a plan, repeated kills of the process, and the recorded evidence.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use futures::future::join_all;
use service_kit::source::{Clock as _, SystemClock};
use tokio::task::JoinHandle;
use tonic::transport::{Channel, Endpoint};
use uuid::Uuid;

use crate::{
    ProofError, Result,
    client::{Client, Rpc, Shared},
    history::{History, Operation, Recorder, Sight},
    plan::Plan,
    rows::{Observer, Rows},
    sabotage::Sabotage,
    service::{Server, Service},
    world::{World, day},
};

/// Polling interval of the tables.
const LOOK: Duration = Duration::from_millis(20);
/// Concurrent callers in each race for one seat.
pub const RACERS: usize = 100;
/// First person number of the races; the plan's persons have lower numbers.
const FIRST_RACER: usize = 1_000;
/// Client number of the staff desk.
const DESK: usize = 9_999;
/// Time after the last call in which all running work of the service ends.
const SETTLE: Duration = Duration::from_millis(700);

/// Settings of a trial.
#[derive(Clone, Debug)]
pub struct Trial<'a> {
    pub program: &'a Path,
    pub server: &'a Server,
    pub plan: &'a Plan,
    /// Time limit for the clients.
    pub time_max: Duration,
    /// Number of races for one seat before the plan runs.
    pub races: usize,
    pub sabotage: Option<Sabotage>,
}

/// Evidence that the checker examines.
#[derive(Clone, Debug)]
pub struct Evidence {
    pub world: World,
    pub history: History,
    /// Contents of the tables after the trial.
    pub ending: Rows,
    /// Booking key of each appointment, read from the `reason` that staff can see.
    pub keys: HashMap<Uuid, usize>,
    /// Number of times that the process was killed.
    pub kills: usize,
    /// Duration of each race until the last caller had its response.
    pub races: Vec<Duration>,
}

impl Trial<'_> {
    /// Runs the trial on a new database and drops that database afterwards.
    pub async fn run(&self) -> Result<Evidence> {
        let began = SystemClock.now();
        let world = World::new(day(began), 1);
        let shared = Arc::new(Shared::new(world, Recorder::new(SystemClock.now())));
        let post = shared.mailbox.open().await?;
        let service = Service::create(self.program, self.server, &shared.world, &post.url);
        let service = Arc::new(service.await?);
        if let Some(sabotage) = self.sabotage {
            sabotage.before(self.server, &service).await?;
        }
        let mut child = service.start().await?;
        let channel = Endpoint::from_shared(service.url())?.connect_lazy();
        let observer = Observer::connect(&service.database_url).await?;
        let observing = tokio::spawn(observe(observer, Arc::clone(&shared), self.sabotage));
        let mut races = Vec::new();
        for number in 0..self.races {
            races.push(race(&service, &channel, &shared, number).await);
        }
        let clients = self.clients(&service, &shared)?;
        let kills = self.kill(&service, &mut child, &clients).await?;
        shared.is_over.store(true, Ordering::Relaxed);
        for client in clients {
            client.await?;
        }
        tokio::time::sleep(SETTLE).await;
        let evidence = ending(&service, &shared, channel, kills, races).await;
        observing.await??;
        child.kill().await?;
        if let Ok(service) = Arc::try_unwrap(service) {
            service.remove().await?;
        }
        evidence
    }

    fn clients(&self, service: &Service, shared: &Arc<Shared>) -> Result<Vec<JoinHandle<()>>> {
        let in_two_steps = self.sabotage == Some(Sabotage::MoveInTwoSteps);
        let mut clients = Vec::new();
        for (number, steps) in self.plan.clients.iter().enumerate() {
            let channel = Endpoint::from_shared(service.url())?.connect_lazy();
            let rpc = Rpc::new(channel, number, service.token.clone(), Arc::clone(shared));
            let client = Client::new(rpc, Arc::clone(shared), in_two_steps);
            clients.push(tokio::spawn(client.run(steps.clone())));
        }
        Ok(clients)
    }

    /// Kills the process until the clients have ended or the time limit has passed. Returns the number of kills.
    async fn kill(
        &self,
        service: &Service,
        child: &mut tokio::process::Child,
        clients: &[JoinHandle<()>],
    ) -> Result<usize> {
        let end = Instant::now() + self.time_max;
        let is_over = || Instant::now() >= end || clients.iter().all(JoinHandle::is_finished);
        let mut kills = 0;
        for pause in self.plan.kills_ms.iter().cycle() {
            let next = Instant::now() + Duration::from_millis((*pause).try_into().unwrap_or(1_000));
            while Instant::now() < next && !is_over() {
                tokio::time::sleep(LOOK).await;
            }
            if is_over() {
                return Ok(kills);
            }
            child.kill().await?; // SIGKILL
            *child = service.start().await?;
            kills += 1;
        }
        while !is_over() {
            tokio::time::sleep(LOOK).await;
        }
        Ok(kills)
    }
}

/// Polls the tables until the clients have ended, then reads them one last time.
async fn observe(
    mut observer: Observer,
    shared: Arc<Shared>,
    sabotage: Option<Sabotage>,
) -> Result<()> {
    loop {
        let is_last = shared.is_over.load(Ordering::Relaxed);
        if let Some(sabotage) = sabotage {
            sabotage.during(&mut observer).await?;
        }
        let (from, time) = (shared.recorder.now(), SystemClock.now());
        let rows = observer.read(false).await?;
        let until = shared.recorder.now();
        shared.recorder.sight(Sight {
            from,
            until,
            time,
            rows,
        });
        if is_last {
            return Ok(());
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Runs one race: all racers call for the same seat at the same moment.
async fn race(
    service: &Service,
    channel: &Channel,
    shared: &Arc<Shared>,
    number: usize,
) -> Duration {
    let place = shared.world.race(number);
    let calls = (0..RACERS).map(|racer| {
        let client = 500 + racer;
        let token = service.token.clone();
        let rpc = Rpc::new(channel.clone(), client, token, Arc::clone(shared));
        let operation = Operation::Create {
            key: shared.key(),
            person: FIRST_RACER + number * RACERS + racer,
            place: place.clone(),
            hold: None,
        };
        tokio::spawn(async move { rpc.call(operation, 0).await })
    });
    let calls: Vec<_> = calls.collect();
    let started = Instant::now();
    join_all(calls).await;
    started.elapsed()
}

async fn ending(
    service: &Service,
    shared: &Arc<Shared>,
    channel: Channel,
    kills: usize,
    races: Vec<Duration>,
) -> Result<Evidence> {
    let mut observer = Observer::connect(&service.database_url).await?;
    let ending = observer.read(true).await?;
    let rpc = Rpc::new(channel, DESK, service.token.clone(), Arc::clone(shared));
    let mut keys = HashMap::new();
    let days: std::collections::BTreeSet<_> = ending
        .appointments
        .iter()
        .map(|row| day(row.starts_at))
        .collect();
    for day in days {
        let listed = rpc.list(day, "").await;
        let listed = listed.map_err(|status| ProofError::Other(status.to_string()))?;
        for appointment in listed {
            let key = appointment.reason.strip_prefix("key ");
            if let (Ok(id), Some(Ok(key))) = (appointment.id.parse(), key.map(str::parse)) {
                keys.insert(id, key);
            }
        }
    }
    Ok(Evidence {
        world: shared.world.clone(),
        history: shared.recorder.history(),
        ending,
        keys,
        kills,
        races,
    })
}
