//! Engines side by side: each on a thread of its own, with a share of the memory; per check the first evidence wins,
//! and when every question is answered the rest is cancelled. An engine that ends without an answer leaves the others
//! running until the deadline, unless it knows that nothing more can be found out.
//!
//! **Who starts when.** Engines with [`Entry::AtOnce`] do. A *reserve* ([`Entry::Reserve`]: `cartesian`) would take
//! time from them on machines with few cores, and most programs are settled without it. So it stays off
//! [`RESERVE_SOON`] long, then starts if the program is of the kind it is made for (a function that is started as a
//! thread more than once), else after [`RESERVE_LATE`], or as soon as no other engine runs. It gets an eighth of the
//! memory unless it is alone, and comes last in the order of preference.
//!
//! **What is deterministic.** A verdict that rests on evidence is: the engines are sound, so whichever is first, a
//! check that is settled is settled the same way. Where two engines have evidence for one check before the end, the one
//! that comes first in the order of preference is shown; and when everything is settled, an engine that is preferred to
//! the one that settled it is given a moment more (as long as the run took so far, between [`GRACE`]), so that on small
//! programs the trace shown is always the same. Where something is on trust, the others are given some time more
//! ([`TRUST`]) to have a proof that is confirmed. What a limit on time leaves open depends on the machine, and so does
//! which of two slow engines is shown.
//!
//! **Who ends a run.** An engine's limit is its own: reaching it never stops another. Engines poll their budgets; the
//! watch is there for what they miss. It stops one engine after the other while the process occupies more memory than
//! it may, and it leaves an engine behind that does not answer within [`PATIENCE`] of the deadline or of being told to
//! stop: that is a mistake of ours and is reported as one, but costs nobody's evidence. On a machine that is busy with
//! other things the process may not have been running for as long; then that is no mistake, and where the time is not up
//! it waits on, [`LOAD`] times as long at most. Engines have threads that nobody joins, and share what they need; one that
//! is left behind goes on until its process ends.

use crate::CheckOptions;
use crate::board::{Board, Desk, Evidence, Rank, Told};
use crate::news::News;
use crate::questions::Questions;
use selvedge_analysis::Facts;
use selvedge_evidence::{Answer, Engine, Entry, Gap, InternalError};
use selvedge_program::{Budget, Exhausted, Program, Progress, Report};
use std::any::Any;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// When a run is over, besides when all engines have ended or the budget is used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunUntil {
    /// When every question is answered.
    #[default]
    Settled,
    /// At the first violation of anything.
    FirstViolation,
}

/// The shortest and longest time that a preferred engine is waited for when everything is settled.
pub const GRACE: RangeInclusive<Duration> = Duration::from_millis(20)..=Duration::from_millis(250);

/// The shortest and longest time that others are waited for when everything is settled, but something on trust: one of
/// them may have a proof that is confirmed.
pub const TRUST: RangeInclusive<Duration> = Duration::from_millis(300)..=Duration::from_secs(5);

/// How long a reserve stays off in any case while others run: what is small is settled by then.
pub const RESERVE_SOON: Duration = Duration::from_millis(300);

/// How long a run goes on at least where something is violated only by a guess: reserves are to have had the time to
/// look at executions one by one.
const GUESSED: Duration = Duration::from_millis(1500);

/// How long a reserve stays off that the program does not call for.
pub const RESERVE_LATE: Duration = Duration::from_secs(2);

/// Who says how many checks are left.
pub const CHECKS: &str = "checks";

/// Who tells what has been decided, as soon as it is.
pub const RESULT: &str = "result";

/// How often progress is passed on, and cancellation noticed.
const TICK: Duration = Duration::from_millis(50);

/// How long an engine is waited for that is to stop. Unoptimised builds are slower to look at their budgets.
pub const PATIENCE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 2000 } else { 800 });

/// On how busy a machine an engine still gets the time that it needs to stop.
pub const LOAD: u32 = 5;

/// How long an engine that was stopped for want of memory is given to release what it holds before the next one is
/// stopped.
const RELEASE: Duration = Duration::from_millis(300);

/// The stack sizes to try for an engine: the memory is only reserved, but a limit on the address space may forbid the
/// larger.
const STACK_SIZES: [usize; 2] = [1 << 28, 1 << 25];

/// Runs engines, in the order of preference, until every question is answered. The questions are found while the
/// engines start.
pub fn run(
    program: &Program,
    engines: Vec<Box<dyn Engine>>,
    options: &CheckOptions,
    budget: &Budget,
    progress: &mut dyn Progress,
) -> Outcome {
    let begin = Instant::now();
    let at_sight = Questions::at_sight(program, &options.task);
    if at_sight.are_none() {
        let evidence = Evidence { told: vec![Told::default(); engines.len()], ..Evidence::default() };
        return Outcome { questions: at_sight, evidence, mistake: None };
    }
    let for_facts = budget.apart();
    let run = Arc::new(Run {
        facts: Facts::new(Arc::new(program.clone()), for_facts.clone()),
        for_facts,
        options: options.clone(),
        board: Board::new(engines.len()),
        relays: engines.iter().map(|_| Relay::default()).collect(),
        shares: shares(budget, &engines),
        questions: OnceLock::new(),
        engines,
    });
    // However this ends, no engine goes on without it.
    let _cancel = CancelAtEnd(&run);
    for rank in 0..run.engines.len() {
        let seat = Seat { run: run.clone(), rank };
        let started = start(run.engines[rank].name(), move || seat.work());
        if let Err(error) = started {
            run.board.ended(rank, Err(InternalError::Failed(format!("no thread to run it on: {error}"))));
        }
    }
    let asking = run.clone();
    let started = start("questions", move || asking.find_questions());
    if let Err(error) = started {
        let _ = run.questions.set(Err(InternalError::Failed(error)));
    }
    Watch { run: &run, begin, patience: None, trust: None, memory: Memory::new(budget), news: News::default() }
        .until_over(budget, progress);
    let evidence = run.board.evidence().clone();
    let (questions, mistake) = match run.questions.get() {
        Some(Ok(questions)) => (questions.clone(), None),
        Some(Err(error)) => (at_sight, Some(error.clone())),
        None => (at_sight, None),
    };
    give_back(run.clone());
    Outcome { questions, evidence, mistake }
}

/// Sees to it that nobody waits for what engines share to be given back: the facts about a large program are gigabytes.
fn give_back(run: Arc<Run>) {
    let last = move || {
        while Arc::strong_count(&run) > 1 {
            std::thread::sleep(TICK);
        }
        drop(run);
    };
    // Where there is no thread for that, it takes its time here.
    drop(Builder::new().name("facts".to_owned()).spawn(last));
}

/// How a run came out.
#[derive(Debug)]
pub struct Outcome {
    /// What was asked.
    pub questions: Questions,
    /// What the engines told.
    pub evidence: Evidence,
    /// What went wrong while the questions were found.
    pub mistake: Option<InternalError>,
}

/// What the threads of a run share.
struct Run {
    /// What is known of the program, found once for all engines.
    facts: Facts,
    /// The limits of that, with switches of their own.
    for_facts: Budget,
    options: CheckOptions,
    engines: Vec<Box<dyn Engine>>,
    board: Board,
    relays: Vec<Relay>,
    /// The engines' budgets: the same deadline, a share of the memory, switches each.
    shares: Vec<Budget>,
    /// Once they are found.
    questions: OnceLock<Result<Questions, InternalError>>,
}

impl Run {
    fn find_questions(&self) {
        let found = catch_unwind(AssertUnwindSafe(|| Questions::of(&self.facts, &self.options.task)));
        let found = found.map_err(|panic| InternalError::Panicked(panic_message(panic.as_ref())));
        // Nobody else sets them.
        let _ = self.questions.set(found);
        self.board.wake();
    }

    /// The questions, if they have been found.
    fn questions(&self) -> Option<&Questions> {
        self.questions.get()?.as_ref().ok()
    }
}

/// Starts a thread that nobody joins.
fn start(name: &str, work: impl FnOnce() + Send + Clone + 'static) -> Result<(), String> {
    let mut refused = String::new();
    for size in STACK_SIZES {
        match Builder::new().name(name.to_owned()).stack_size(size).spawn(work.clone()) {
            Ok(_) => return Ok(()),
            Err(error) => refused = error.to_string(),
        }
    }
    Err(refused)
}

/// An eighth of the memory for each reserve, equal shares of the rest for the others.
fn shares(budget: &Budget, engines: &[Box<dyn Engine>]) -> Vec<Budget> {
    let reserves = engines.iter().filter(|engine| engine.entry() == Entry::Reserve).count() as u64;
    let others = engines.len() as u64 - reserves;
    let share = |engine: &dyn Engine, memory: u64| match engine.entry() {
        _ if others == 0 => memory / reserves.max(1),
        Entry::Reserve => memory / 8,
        Entry::AtOnce => memory.saturating_sub(memory / 8 * reserves) / others,
    };
    let budget = |engine: &dyn Engine| {
        let mut own = budget.apart();
        own.memory = budget.memory.map(|memory| share(engine, memory));
        own
    };
    engines.iter().map(|engine| budget(engine.as_ref())).collect()
}

struct CancelAtEnd<'a>(&'a Run);

impl Drop for CancelAtEnd<'_> {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Run {
    /// Has all engines stop, also those that have not started yet.
    fn cancel(&self) {
        for share in self.shares.iter().chain([&self.for_facts]) {
            share.cancel.store(true, Ordering::Relaxed);
        }
        self.board.wake();
    }
}

/// An engine with its place at the board.
#[derive(Clone)]
struct Seat {
    run: Arc<Run>,
    rank: Rank,
}

impl Seat {
    fn engine(&self) -> &dyn Engine {
        self.run.engines[self.rank].as_ref()
    }

    fn budget(&self) -> &Budget {
        &self.run.shares[self.rank]
    }

    /// Runs the engine. A panic is a mistake of this engine, and nobody else's.
    fn work(&self) {
        let run = &*self.run;
        let desk = Desk {
            program: run.facts.program(),
            board: &run.board,
            rank: self.rank,
            properties: self.engine().properties(),
            race_on: run.options.task.race_on.as_deref(),
            lines: &run.options.task.atomic,
            threads: run.options.task.threads,
            budget: self.budget(),
        };
        let mut passed_on = PassedOn(&run.relays[self.rank]);
        let checked = || match self.stay_off() {
            Ok(()) => self.engine().check(&run.facts, self.budget(), &mut passed_on, &desk),
            Err(limit) => Ok(Answer { gaps: vec![Gap::Limit(limit)], statistics: Vec::new() }),
        };
        let end = catch_unwind(AssertUnwindSafe(checked))
            .unwrap_or_else(|panic| Err(InternalError::Panicked(panic_message(panic.as_ref()))));
        run.board.ended(self.rank, end);
    }

    /// Lets the others go first, if that is this engine's place.
    fn stay_off(&self) -> Result<(), Exhausted> {
        if self.engine().entry() == Entry::AtOnce {
            return Ok(());
        }
        self.wait_while_others_run(RESERVE_SOON)?;
        if self.engine().is_made_for(&self.run.facts) {
            return Ok(());
        }
        self.wait_while_others_run(RESERVE_LATE.saturating_sub(RESERVE_SOON))
    }

    fn wait_while_others_run(&self, time: Duration) -> Result<(), Exhausted> {
        let begin = Instant::now();
        let mut evidence = self.run.board.evidence();
        loop {
            self.budget().check()?;
            let left = time.saturating_sub(begin.elapsed());
            let is_another = |(rank, told): (Rank, &Told)| rank != self.rank && told.end.is_none();
            if left.is_zero() || !evidence.told.iter().enumerate().any(is_another) {
                return Ok(());
            }
            evidence = self.run.board.wait(evidence, left);
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

/// The moment when engines were told to stop.
struct Stop {
    when: Instant,
    /// How long the process had been running then, if that is known.
    running: Option<Duration>,
    /// Why.
    because: Because,
}

/// Why engines are to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Because {
    /// The time is up: the user has waited for long enough.
    OfTime,
    /// Nothing is left to do, or nobody wants it.
    ItIsOver,
}

impl Stop {
    fn now(because: Because) -> Self {
        Stop { when: Instant::now(), running: selvedge_meter::time_on_processors(), because }
    }

    /// Whether nobody waits any longer.
    fn has_been_long(&self) -> bool {
        let elapsed = self.when.elapsed();
        match self.because {
            _ if elapsed < PATIENCE => false,
            Because::OfTime => true,
            Because::ItIsOver => elapsed >= PATIENCE * LOAD || self.was_time_to_stop(),
        }
    }

    /// Whether every engine has had the time to stop.
    fn was_time_to_stop(&self) -> bool {
        // Where it is not known how busy the machine is, nobody is told to be patient.
        self.has_run().is_none_or(|time| time >= PATIENCE)
    }

    /// Whether who has not stopped by now had the chance: the process has been running for half of the time at least, or
    /// hardly at all, since nobody wanted to.
    fn was_a_chance_to_stop(&self) -> bool {
        self.has_run().is_none_or(|time| time >= PATIENCE / 2 || time <= PATIENCE / 20)
    }

    /// How long the process has been running since.
    fn has_run(&self) -> Option<Duration> {
        let (now, then) = selvedge_meter::time_on_processors().zip(self.running)?;
        Some(now.saturating_sub(then))
    }
}

/// Watches the board, the clock and the memory.
struct Watch<'a> {
    run: &'a Run,
    begin: Instant,
    /// Until when a preferred engine is waited for, once everything is settled.
    patience: Option<Instant>,
    /// Until which time of the run somebody is waited for who confirms what is on trust, once everything is settled.
    trust: Option<Duration>,
    memory: Memory,
    /// What has been told of results.
    news: News,
}

impl Watch<'_> {
    /// Returns when all engines have ended, or are to stop and have had time to do so. Those that have not are noted
    /// down.
    fn until_over(mut self, budget: &Budget, progress: &mut dyn Progress) {
        let mut stop: Option<Stop> = None;
        loop {
            self.pass_on(progress);
            self.memory.look(self.run);
            let evidence = self.run.board.evidence();
            if evidence.told.iter().all(|told| told.end.is_some()) && self.run.questions.get().is_some() {
                return;
            }
            if stop.is_none() && self.is_over(&evidence, budget) {
                let is_late = budget.deadline.is_some_and(|deadline| Instant::now() >= deadline);
                stop = Some(Stop::now(if is_late { Because::OfTime } else { Because::ItIsOver }));
                drop(evidence);
                self.run.cancel();
                continue;
            }
            if let Some(stop) = stop.as_ref().filter(|stop| stop.has_been_long()) {
                drop(evidence);
                // Who had no chance to stop has made no mistake.
                if stop.was_a_chance_to_stop() {
                    self.run.board.left_behind();
                }
                return;
            }
            let now = Instant::now();
            let wait = self.patience.map_or(TICK, |patience| TICK.min(patience.saturating_duration_since(now)));
            drop(self.run.board.wait(evidence, wait.max(Duration::from_millis(1))));
        }
    }

    /// Whether the engines are to stop: everything is settled, the time is up, the run is cancelled from outside, or
    /// there is a contradiction.
    fn is_over(&mut self, evidence: &Evidence, budget: &Budget) -> bool {
        let is_late = budget.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if is_late || budget.cancel.load(Ordering::Relaxed) || !evidence.contradictions.is_empty() {
            return true;
        }
        let Some(worst) = self.settled_by(evidence) else { return false };
        let is_confirmed = self.run.questions().is_none_or(|questions| evidence.is_confirmed(questions));
        if !is_confirmed {
            let is_guessed = self.run.questions().is_some_and(|questions| evidence.rests_on_guesses(questions));
            let least = if is_guessed { GUESSED } else { Duration::ZERO };
            let trust = *self.trust.get_or_insert_with(|| trust(self.begin.elapsed()));
            if self.begin.elapsed() < trust.max(least) {
                return false;
            }
        }
        let until = *self.patience.get_or_insert_with(|| Instant::now() + grace(self.begin.elapsed()));
        let preferred_is_running = evidence.told.iter().take(worst).any(|told| told.end.is_none());
        !preferred_is_running || Instant::now() >= until
    }

    fn settled_by(&self, evidence: &Evidence) -> Option<Rank> {
        let settled = self.run.questions().and_then(|questions| evidence.settled_by(questions));
        match self.run.options.until {
            RunUntil::Settled => settled,
            RunUntil::FirstViolation => {
                let violations = evidence.violations.keys().filter_map(|subject| evidence.violation(*subject));
                settled.or_else(|| violations.map(|(rank, _)| rank).min())
            }
        }
    }

    fn pass_on(&mut self, progress: &mut dyn Progress) {
        if let Some(questions) = self.run.questions() {
            let evidence = self.run.board.evidence();
            let (left, all) = evidence.left(questions);
            let results = self.news.since_last(self.run.facts.program(), questions, &evidence);
            drop(evidence);
            progress.say(CHECKS, &format!("{} of {all} decided, {left} open", all - left));
            results.iter().for_each(|result| progress.say(RESULT, result));
        }
        for said in self.run.relays.iter().filter_map(Relay::take) {
            match said {
                Said::Figures(report) => progress.report(&report),
                Said::Words(engine, words) => progress.say(engine, &words),
            }
        }
    }
}

/// The limit on what the process may occupy: what the engines do not count themselves is part of it.
struct Memory {
    limit: Option<u64>,
    stopped: Option<Instant>,
}

impl Memory {
    /// What the process occupies already does not count.
    fn new(budget: &Budget) -> Self {
        let occupied = selvedge_meter::occupied_by_this_process().unwrap_or(0);
        Memory { limit: budget.memory.map(|memory| memory.saturating_add(occupied)), stopped: None }
    }

    /// Stops the least preferred engine that is still running, if the process occupies too much.
    fn look(&mut self, run: &Run) {
        let is_recent = self.stopped.is_some_and(|stopped| stopped.elapsed() < RELEASE);
        let is_full =
            || selvedge_meter::occupied_by_this_process().zip(self.limit).is_some_and(|(now, most)| now > most);
        if self.limit.is_none() || is_recent || !is_full() {
            return;
        }
        let evidence = run.board.evidence();
        let is_running =
            |rank: &Rank| evidence.told[*rank].end.is_none() && !run.shares[*rank].cancel.load(Ordering::Relaxed);
        if let Some(rank) = (0..run.engines.len()).rev().find(is_running) {
            run.shares[rank].stop_for_memory();
            self.stopped = Some(Instant::now());
            drop(evidence);
            run.board.wake();
        }
    }
}

fn grace(taken: Duration) -> Duration {
    taken.clamp(*GRACE.start(), *GRACE.end())
}

/// How long a run may be in which what is settled after so much time is on trust.
fn trust(taken: Duration) -> Duration {
    taken + (taken * 3).clamp(*TRUST.start(), *TRUST.end())
}
