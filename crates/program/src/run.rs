//! Running a program: one deterministic execution, as fast as the semantics goes.
//!
//! Used to compare the model with the compiled program. Open questions get the plainest answer, spurious wake-ups do
//! not happen, and of several edges that can be taken the first is.

use crate::semantics::effects::Event;
use crate::semantics::{Change, Chooser, Observer, Outcome, PendingAccess, Plainest, Semantics, State};
use crate::{Bits, EdgeId, Program, ThreadIndex};

/// Who moves next.
pub trait Scheduler {
    /// The thread to be tried first; if it cannot move, the ones after it are, and after the last the first.
    fn first(&mut self, last: ThreadIndex, threads: usize) -> ThreadIndex;
}

/// Always the lowest-numbered thread that can move.
#[derive(Clone, Copy, Debug, Default)]
pub struct LowestFirst;

impl Scheduler for LowestFirst {
    fn first(&mut self, _last: ThreadIndex, _threads: usize) -> ThreadIndex {
        ThreadIndex(0)
    }
}

/// Every thread in turn, for so many steps: programs that spin come to an end too.
#[derive(Clone, Copy, Debug)]
pub struct RoundRobin {
    slice: u32,
    left: u32,
}

impl RoundRobin {
    /// Turns of so many steps.
    pub fn new(slice: u32) -> Self {
        Self { slice, left: slice }
    }
}

impl Scheduler for RoundRobin {
    fn first(&mut self, last: ThreadIndex, threads: usize) -> ThreadIndex {
        if self.left > 0 {
            self.left -= 1;
            return last;
        }
        self.left = self.slice.saturating_sub(1);
        ThreadIndex::new((last.index() + 1) % threads)
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The process ended with a status.
    Exit(Bits),
    /// A step led to no state.
    Outcome {
        /// The thread.
        thread: ThreadIndex,
        /// Its edge.
        edge: EdgeId,
        /// What happened.
        outcome: Outcome,
    },
    /// There are live threads and none can move.
    Deadlock,
    /// No thread can move, and one stands where an assumption of the program does not hold.
    Abandoned,
    /// So many steps were not enough.
    StepLimit,
}

/// What a run gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunResult {
    /// How it ended.
    pub end: RunEnd,
    /// What it printed.
    pub output: Vec<u8>,
    /// How many steps it took.
    pub steps: u64,
}

/// Runs a program with a scheduler, with the plainest answers.
pub fn run(program: &Program, scheduler: &mut dyn Scheduler, max_steps: u64) -> RunResult {
    run_with(&Semantics::new(program), scheduler, &mut Plainest, max_steps)
}

/// Runs a program, asking a chooser.
pub fn run_with(
    semantics: &Semantics<'_>,
    scheduler: &mut dyn Scheduler,
    chooser: &mut dyn Chooser,
    max_steps: u64,
) -> RunResult {
    let mut log = Log::default();
    let mut steps = 0;
    let end = match semantics.initial() {
        Ok(state) => {
            Run { semantics, state, waiting: Vec::new() }.go(scheduler, chooser, &mut log, &mut steps, max_steps)
        }
        Err(outcome) => RunEnd::Outcome { thread: ThreadIndex(0), edge: EdgeId(0), outcome },
    };
    RunResult { end, output: log.output, steps }
}

/// What a run needs to hear: the output, and whether a waiting thread may have been woken.
#[derive(Default)]
struct Log {
    output: Vec<u8>,
    woke: bool,
}

impl Observer for Log {
    fn change(&mut self, _change: Change) {}

    fn event(&mut self, event: Event) {
        self.woke |= !matches!(event, Event::Called(_) | Event::Returned(_));
    }

    fn access(&mut self, access: PendingAccess) {
        self.woke |= access.kind == crate::semantics::AccessKind::Write;
    }

    fn output(&mut self, text: &[u8]) {
        self.output.extend_from_slice(text);
    }
}

struct Run<'a> {
    semantics: &'a Semantics<'a>,
    state: State,
    /// The threads found unable to move since memory last changed.
    waiting: Vec<bool>,
}

impl Run<'_> {
    fn go(
        &mut self,
        scheduler: &mut dyn Scheduler,
        chooser: &mut dyn Chooser,
        log: &mut Log,
        steps: &mut u64,
        max_steps: u64,
    ) -> RunEnd {
        let mut last = ThreadIndex(0);
        loop {
            if let Some(status) = self.state.exit_status() {
                return RunEnd::Exit(status);
            }
            if *steps == max_steps {
                return RunEnd::StepLimit;
            }
            let section = self.state.atomic_section().is_some();
            let threads = self.state.thread_count();
            self.waiting.resize(threads, false);
            let first = scheduler.first(last, threads).index();
            let mut moved = None;
            for position in (first..threads).chain(0..first) {
                if self.waiting[position] {
                    continue;
                }
                let thread = ThreadIndex::new(position);
                match self.advance(thread, chooser, log) {
                    Ok(true) => {
                        moved = Some(thread);
                        break;
                    }
                    Ok(false) => self.waiting[position] = true,
                    Err(end) => return end,
                }
            }
            let Some(thread) = moved else {
                return if self.semantics.deadlocked(&self.state) { RunEnd::Deadlock } else { RunEnd::Abandoned };
            };
            last = thread;
            *steps += 1;
            if std::mem::take(&mut log.woke) || section {
                self.waiting.fill(false);
            }
        }
    }

    /// Takes the first edge that the thread can take; `false` if there is none.
    fn advance(&mut self, thread: ThreadIndex, chooser: &mut dyn Chooser, log: &mut Log) -> Result<bool, RunEnd> {
        let Some(frame) = self.state.frame(thread) else { return Ok(false) };
        let program = self.semantics.program;
        let function = program.function(frame.function);
        for edge in &function.location(frame.location).outgoing {
            if function.edge(*edge).action.is_spurious() {
                continue;
            }
            match self.semantics.apply(&mut self.state, thread, *edge, chooser, log) {
                Ok(()) => return Ok(true),
                Err(Outcome::Disabled) => {}
                Err(outcome) => return Err(RunEnd::Outcome { thread, edge: *edge, outcome }),
            }
        }
        Ok(false)
    }
}
