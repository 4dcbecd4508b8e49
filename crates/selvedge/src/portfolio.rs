//! Engines side by side: each on a thread of its own, with a share of the memory; per check the first evidence wins, and when every
//! question is answered the rest is cancelled. An engine that ends without an answer leaves the others running until the deadline,
//! unless it knows that nothing more can be found out.
//!
//! **Who starts when.** Engines with [`Entry::AtOnce`] do. A *reserve* ([`Entry::Reserve`]: `cartesian`) would take time from them on
//! machines with few cores, and most programs are settled without it. So it stays off [`RESERVE_SOON`] long, then starts if the program
//! is of the kind it is made for (a function that is started as a thread more than once), else after [`RESERVE_LATE`], or as soon as no
//! other engine runs. It gets an eighth of the memory unless it is alone, and comes last in the order of preference.
//!
//! **What is deterministic.** A verdict that rests on evidence is: the engines are sound, so whichever is first, a check that is
//! settled is settled the same way. Where two engines have evidence for one check before the end, the one that comes first in
//! the order of preference is shown; and when everything is settled, an engine that is preferred to the one that settled it is given
//! a moment more (as long as the run took so far, between [`GRACE`]), so that on small programs the trace shown is always the
//! same. What a limit on time leaves open depends on the machine, and so does which of two slow engines is shown.

use crate::CheckOptions;
use crate::board::{Board, Desk, Evidence, Rank, Told};
use crate::engines::{Engine, Entry};
use crate::questions::Questions;
use selvedge_evidence::{Answer, Gap, InternalError};
use selvedge_program::{Budget, Exhausted, Program, Progress, Report};
use std::any::Any;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope};
use std::time::{Duration, Instant};

/// When a run is over, besides when all engines have ended or the budget is used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stop {
    /// When every question is answered.
    #[default]
    WhenSettled,
    /// At the first violation of anything.
    AtFirstViolation,
}

/// The shortest and longest time that a preferred engine is waited for when everything is settled.
pub const GRACE: RangeInclusive<Duration> = Duration::from_millis(20)..=Duration::from_millis(250);

/// How long a reserve stays off in any case while others run: what is small is settled by then.
pub const RESERVE_SOON: Duration = Duration::from_millis(300);

/// How long a reserve stays off that the program does not call for.
pub const RESERVE_LATE: Duration = Duration::from_secs(2);

/// How often progress is passed on, and cancellation noticed.
const TICK: Duration = Duration::from_millis(50);

/// The stack sizes to try for an engine: the memory is only reserved, but a limit on the address space may forbid the larger.
const STACK_SIZES: [usize; 2] = [1 << 28, 1 << 25];

/// Runs engines, in the order of preference, until every question is answered. The questions are found while the engines start.
pub fn run(
    program: &Program,
    engines: &[Box<dyn Engine>],
    options: &CheckOptions,
    budget: &Budget,
    progress: &mut dyn Progress,
) -> (Questions, Evidence) {
    let begin = Instant::now();
    let board = Board::new(engines.len());
    let relays: Vec<Relay> = engines.iter().map(|_| Relay::default()).collect();
    let shares = Shares::of(budget, engines);
    let questions = std::thread::scope(|scope| {
        // However this closure ends, no engine goes on without it.
        let _cancel = CancelAtEnd(&shares, &board);
        for (rank, engine) in engines.iter().enumerate() {
            let (properties, race_on) = (engine.properties(), options.race_on.as_deref());
            let desk = Desk { program, board: &board, rank, properties, race_on, budget: &shares.0[rank] };
            Seat { engine: engine.as_ref(), desk }.start(scope, &relays[rank]);
        }
        let questions = Questions::of(program, options);
        Watch { board: &board, relays: &relays, stop: options.stop, begin }.until_over(&questions, budget, progress);
        questions
    });
    let evidence = board.evidence().clone();
    (questions, evidence)
}

/// The engines' budgets: the same deadline, a share of the memory, a flag each.
struct Shares(Vec<Budget>);

impl Shares {
    /// An eighth of the memory for each reserve, equal shares of the rest for the others.
    fn of(budget: &Budget, engines: &[Box<dyn Engine>]) -> Self {
        let reserves = engines.iter().filter(|engine| engine.entry() == Entry::Reserve).count() as u64;
        let others = engines.len() as u64 - reserves;
        let share = |engine: &dyn Engine, memory: u64| match engine.entry() {
            _ if others == 0 => memory / reserves.max(1),
            Entry::Reserve => memory / 8,
            Entry::AtOnce => memory.saturating_sub(memory / 8 * reserves) / others,
        };
        let budget = |engine: &dyn Engine| Budget {
            deadline: budget.deadline,
            memory: budget.memory.map(|memory| share(engine, memory)),
            cancel: Arc::new(AtomicBool::new(false)),
        };
        Shares(engines.iter().map(|engine| budget(engine.as_ref())).collect())
    }
}

struct CancelAtEnd<'a>(&'a Shares, &'a Board);

impl Drop for CancelAtEnd<'_> {
    fn drop(&mut self) {
        for share in &self.0.0 {
            share.cancel.store(true, Ordering::Relaxed);
        }
        self.1.wake();
    }
}

/// An engine with its place at the board.
#[derive(Clone, Copy)]
struct Seat<'a> {
    engine: &'a dyn Engine,
    desk: Desk<'a>,
}

impl<'a> Seat<'a> {
    /// Starts the engine on a thread of its own.
    fn start<'scope>(self, scope: &'scope Scope<'scope, '_>, relay: &'scope Relay)
    where
        'a: 'scope,
    {
        let mut refused = None;
        for size in STACK_SIZES {
            let thread = Builder::new().name(self.engine.name().to_owned()).stack_size(size);
            match thread.spawn_scoped(scope, move || self.work(relay)) {
                Ok(_) => return,
                Err(error) => refused = Some(error),
            }
        }
        let error = refused.map_or_else(String::new, |error| error.to_string());
        self.desk.board.ended(self.desk.rank, Err(InternalError::Failed(format!("no thread to run it on: {error}"))));
    }

    /// Runs the engine. A panic is a mistake of this engine, and nobody else's.
    fn work(&self, relay: &Relay) {
        let mut passed_on = PassedOn(relay);
        let checked = || match self.stay_off() {
            Ok(()) => self.engine.check(self.desk.program, self.desk.budget, &mut passed_on, &self.desk),
            Err(limit) => Ok(Answer { gaps: vec![Gap::Limit(limit)], statistics: Vec::new() }),
        };
        let end = catch_unwind(AssertUnwindSafe(checked))
            .unwrap_or_else(|panic| Err(InternalError::Panicked(panic_message(panic.as_ref()))));
        self.desk.board.ended(self.desk.rank, end);
    }
}

impl Seat<'_> {
    /// Lets the others go first, if that is this engine's place.
    fn stay_off(&self) -> Result<(), Exhausted> {
        if self.engine.entry() == Entry::AtOnce {
            return Ok(());
        }
        self.wait_while_others_run(RESERVE_SOON)?;
        if self.engine.is_made_for(self.desk.program) {
            return Ok(());
        }
        self.wait_while_others_run(RESERVE_LATE.saturating_sub(RESERVE_SOON))
    }

    fn wait_while_others_run(&self, time: Duration) -> Result<(), Exhausted> {
        let begin = Instant::now();
        let mut evidence = self.desk.board.evidence();
        loop {
            if let Some(limit) = self.desk.budget.exhausted() {
                return Err(limit);
            }
            let left = time.saturating_sub(begin.elapsed());
            let is_another = |(rank, told): (Rank, &Told)| rank != self.desk.rank && told.end.is_none();
            if left.is_zero() || !evidence.told.iter().enumerate().any(is_another) {
                return Ok(());
            }
            evidence = self.desk.board.wait(evidence, left);
        }
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".to_owned())
}

/// The newest report of an engine that has not been passed on.
#[derive(Debug, Default)]
struct Relay(Mutex<Option<Said>>);

#[derive(Clone, Debug)]
enum Said {
    Figures(Report),
    Words(&'static str, String),
}

impl Relay {
    fn put(&self, said: Said) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(said);
    }

    fn take(&self) -> Option<Said> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The progress sink of an engine.
struct PassedOn<'a>(&'a Relay);

impl Progress for PassedOn<'_> {
    fn report(&mut self, report: &Report) {
        self.0.put(Said::Figures(*report));
    }

    fn say(&mut self, engine: &'static str, words: &str) {
        self.0.put(Said::Words(engine, words.to_owned()));
    }
}

/// Watches the board.
struct Watch<'a> {
    board: &'a Board,
    relays: &'a [Relay],
    stop: Stop,
    begin: Instant,
}

impl Watch<'_> {
    /// Returns when all engines have ended, everything is settled, or the run is cancelled from outside. The engines' own
    /// budgets see to the deadline.
    fn until_over(&self, questions: &Questions, budget: &Budget, progress: &mut dyn Progress) {
        let mut patience: Option<Instant> = None;
        loop {
            self.pass_on(progress);
            let evidence = self.board.evidence();
            if budget.cancel.load(Ordering::Relaxed) || evidence.told.iter().all(|told| told.end.is_some()) {
                return;
            }
            let mut wait = TICK;
            if let Some(worst) = self.settled_by(&evidence, questions) {
                let until = *patience.get_or_insert_with(|| Instant::now() + grace(self.begin.elapsed()));
                let left = until.saturating_duration_since(Instant::now());
                let preferred_is_running = evidence.told.iter().take(worst).any(|told| told.end.is_none());
                if !preferred_is_running || left.is_zero() {
                    return;
                }
                wait = wait.min(left);
            }
            drop(self.board.wait(evidence, wait));
        }
    }

    fn settled_by(&self, evidence: &Evidence, questions: &Questions) -> Option<Rank> {
        let settled = evidence.settled_by(questions);
        match self.stop {
            Stop::WhenSettled => settled,
            Stop::AtFirstViolation => {
                let violations = evidence.violations.keys().filter_map(|subject| evidence.violation(*subject));
                settled.or_else(|| violations.map(|(rank, _)| rank).min())
            }
        }
    }

    fn pass_on(&self, progress: &mut dyn Progress) {
        for said in self.relays.iter().filter_map(Relay::take) {
            match said {
                Said::Figures(report) => progress.report(&report),
                Said::Words(engine, words) => progress.say(engine, &words),
            }
        }
    }
}

fn grace(taken: Duration) -> Duration {
    taken.clamp(*GRACE.start(), *GRACE.end())
}
