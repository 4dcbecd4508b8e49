//! The analysis: fixpoint, alarms, executions that confirm them, exception sets that dispel them, until a proof or an
//! end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use selvedge_analysis::Facts;
use selvedge_evidence::cartesian::{Rejected, certify};
use selvedge_evidence::modular::Shown;
use selvedge_evidence::{CartesianProof, Gap, Replicas, Subject, Violation};
use selvedge_program::trace::Trace;
use selvedge_program::{Budget, Program, Progress, Report, Span};

use crate::alarms::{Alarm, alarms, wrongs};
use crate::concretise;
use crate::domain::{Count, Fixpoint, Kept, Shared, solve};
use crate::found::{CheckedBy, Found, Options, Statistics};
use crate::infer::{Examples, next_places};
use crate::privacy::Privacy;
use crate::program::{At, GivenUp, ProgramSystem};
use crate::proof::state_sets;
use crate::split::{Crowds, MOST_INDIVIDUALS, MOST_ROLES, Unsplit};
use crate::step::Wrong;
use crate::tuples::{Reached, reach};

/// How many moves the first attempt may take, before executions are looked at.
const FIRST_MOVES: usize = 20_000;

/// Analyses a program, which must be well-formed.
pub fn analyse(program: &Program, options: &Options, budget: &Budget, progress: &mut dyn Progress) -> Found {
    analyse_telling(&Facts::of(program), options, budget, progress, &|_| {})
}

/// The same, telling violations as soon as they are found; some may be told twice.
pub(crate) fn analyse_telling(
    facts: &Facts,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn Progress,
    tell: &dyn Fn(&Violation),
) -> Found {
    let begun = Instant::now();
    let privacy = match Privacy::of(facts) {
        Ok(privacy) => privacy,
        Err(limit) => return Found { obstacles: vec![Gap::Limit(limit)], ..Found::default() },
    };
    let context = Context { program: facts.program(), options, budget, tell };
    let mut found = run(context, &privacy, options.task.threads, progress);
    if found.1 == Some(Unsplit::Individuals) && options.task.threads == Replicas::AsStarted {
        found = run(context, &privacy, Replicas::Any, progress);
    }
    found.0.statistics.time = begun.elapsed();
    found.0
}

/// What is asked, and who is told.
#[derive(Clone, Copy)]
struct Context<'r, 'p> {
    program: &'p Program,
    options: &'r Options,
    budget: &'r Budget,
    tell: &'r dyn Fn(&Violation),
}

fn run<'p>(
    context: Context<'_, 'p>,
    privacy: &Privacy<'p>,
    replicas: Replicas,
    progress: &mut dyn Progress,
) -> (Found, Option<Unsplit>) {
    let Context { program, options, budget, tell } = context;
    let (entries, count) = match replicas {
        Replicas::AsStarted => (Vec::new(), Count::Unbounded),
        Replicas::AtMost(most) => (privacy.replicated.clone(), Count::Exactly(most)),
        Replicas::Any => (privacy.replicated.clone(), Count::Unbounded),
    };
    let bound = match replicas {
        Replicas::AtMost(most) if !entries.is_empty() => Some(most),
        _ => None,
    };
    let mut system = ProgramSystem::new(program, privacy, Crowds { entries, count }, budget);
    system.max_states = options.max_states;
    system.max_moves = options.max_moves;
    system.described = options.exceptions.clone();
    let mut run = Run {
        program,
        options,
        budget,
        progress,
        system,
        tell,
        findings: Found {
            violations: Vec::new(),
            open: BTreeSet::new(),
            obstacles: Vec::new(),
            bound,
            proof: None,
            exceptions: String::new(),
            statistics: Statistics::default(),
        },
    };
    if replicas == Replicas::Any && run.system.splitter.crowds.entries.is_empty() {
        let message =
            "no function is started as a thread more than once, so there is no number of threads to leave open";
        run.findings.obstacles.push(Gap::Inapplicable { span: Span::NOWHERE, message: message.to_owned() });
    }
    let stopped = run.go().err();
    let mut unsplit = None;
    if let Some(stop) = stopped {
        if let GivenUp::Unsplit(which, _) = stop {
            unsplit = Some(which);
        }
        let obstacle = run.obstacle(stop);
        run.findings.obstacles.push(obstacle);
    }
    run.findings.statistics.shared = run.system.splitter.shared.len() as u64;
    run.findings.statistics.locals = run.system.splitter.locals.iter().map(|class| class.len() as u64).sum();
    run.findings.obstacles.sort();
    run.findings.obstacles.dedup();
    (run.findings, unsplit)
}

struct Run<'r, 'a, 'p> {
    program: &'p Program,
    options: &'r Options,
    budget: &'r Budget,
    progress: &'r mut dyn Progress,
    system: ProgramSystem<'a, 'p>,
    tell: &'r dyn Fn(&Violation),
    findings: Found,
}

impl Run<'_, '_, '_> {
    fn go(&mut self) -> Result<(), GivenUp> {
        self.probe()?;
        self.system.max_moves = self.options.max_moves.min(FIRST_MOVES);
        let mut fixpoint = match self.solve() {
            Ok(fixpoint) => fixpoint,
            Err(GivenUp::TooMany) => {
                let limit = crate::domains::largest(self.program, &self.system);
                self.system.max_moves = self.options.max_moves.saturating_add(FIRST_MOVES);
                let reached = self.confirm(None)?;
                if reached.is_complete && self.options.infer {
                    return self.keep_all(&reached);
                }
                match self.solve() {
                    Ok(fixpoint) => fixpoint,
                    Err(GivenUp::TooMany) => {
                        self.findings.obstacles.push(Gap::Inapplicable { span: limit.0, message: limit.1 });
                        return Ok(());
                    }
                    Err(stop) => return Err(stop),
                }
            }
            Err(stop) => return Err(stop),
        };
        self.system.max_moves = self.options.max_moves;
        let mut found = self.relevant(&fixpoint);
        if !found.is_empty() {
            let reached = self.confirm(Some(&found))?;
            if self.options.infer {
                self.infer(&reached, &mut fixpoint, &mut found)?;
            }
        }
        self.conclude(&fixpoint, &found);
        Ok(())
    }

    /// Where products alone lead to too many states and executions only to a few, all of these are kept exact.
    fn keep_all(&mut self, reached: &Reached) -> Result<(), GivenUp> {
        let examples = Examples::of(reached);
        for shared in examples.places() {
            self.go_on()?;
            let cover = examples.cover(shared, &self.system.components_of(shared));
            self.system.exceptions.insert(shared, cover);
        }
        self.findings.statistics.rounds += 1;
        let fixpoint = self.solve()?;
        let found = self.relevant(&fixpoint);
        self.conclude(&fixpoint, &found);
        Ok(())
    }

    /// Whether there is time left.
    fn go_on(&self) -> Result<(), GivenUp> {
        Ok(self.budget.check()?)
    }

    /// Notes what follows from a fixpoint.
    fn conclude(&mut self, fixpoint: &Fixpoint, found: &BTreeMap<Wrong, Vec<Alarm>>) {
        let open: Vec<Wrong> = found.keys().filter(|wrong| !self.is_shown(wrong)).cloned().collect();
        self.findings.open.extend(open);
        self.blocked(found);
        let exceptions = fixpoint.nodes.iter().map(|node| node.exceptions.products().len() as u64);
        self.findings.statistics.exceptions = exceptions.sum();
        self.findings.exceptions = crate::text::print(&self.system);
        if self.findings.obstacles.is_empty() {
            self.certify(fixpoint);
        }
    }

    /// Makes the certificate, and has it checked unless others do.
    fn certify(&mut self, fixpoint: &Fixpoint) {
        match self.certified(fixpoint) {
            Ok(proof) => self.findings.proof = Some(Arc::new(proof)),
            Err(Rejected::Exhausted(limit)) => {
                self.findings.obstacles.push(Gap::Limit(limit));
            }
            Err(rejected) => {
                let message = format!("the proof that was found is not accepted by the checker: {rejected}");
                self.findings.obstacles.push(Gap::Inapplicable { span: Span::NOWHERE, message });
            }
        }
    }

    fn certified(&self, fixpoint: &Fixpoint) -> Result<CartesianProof, Rejected> {
        let sets = state_sets(&self.system, fixpoint, self.findings.bound);
        let proof = CartesianProof::of(self.program, &sets, self.budget)?;
        if self.options.checked_by == CheckedBy::Listener && self.findings.bound.is_none() {
            return Ok(proof);
        }
        let violated = self.findings.violations.iter().map(|violation| violation.subject);
        let but: BTreeSet<Subject> = self.findings.open.iter().filter_map(Wrong::subject).chain(violated).collect();
        let is_shown =
            |subject: Subject| self.options.task.asks_about(self.program, subject) && !but.contains(&subject);
        let shown = Shown {
            assertions: &|check| is_shown(Subject::Assertion(check)),
            races: &|object| is_shown(Subject::Race(object)),
            undefined: &|_| true,
        };
        certify(self.program, &proof, &shown, self.budget)?;
        Ok(proof)
    }

    /// Goes ahead with `main` alone, to see early whether it starts more threads than can be kept apart.
    fn probe(&mut self) -> Result<(), GivenUp> {
        if !self.system.splitter.crowds.entries.is_empty() {
            return Ok(());
        }
        let mut seen: BTreeSet<(Shared, u32)> = BTreeSet::new();
        let mut pending = self.system.starts()?;
        while let Some((shared, local)) = pending.pop() {
            if seen.len() < 2000 && seen.insert((shared, local)) {
                let moves = self.system.moves_of(At { shared, component: 0, local })?;
                pending.extend(moves.iter().map(|made| (made.target, made.local)));
            }
        }
        Ok(())
    }

    fn solve(&mut self) -> Result<Fixpoint, GivenUp> {
        let (budget, progress, rounds) = (self.budget, &mut *self.progress, self.findings.statistics.rounds);
        let mut polls = 0u32;
        let fixpoint = solve(&mut self.system, Kept::Seen, |system, fixpoint| {
            polls = polls.wrapping_add(1);
            let memory = system.states() as u64 * 2048 + fixpoint.nodes.len() as u64 * 512;
            if polls.is_multiple_of(64) {
                progress.report(&Report {
                    engine: "cartesian",
                    states: system.states() as u64,
                    waiting: 0,
                    depth: rounds,
                    memory,
                });
            }
            Ok(budget.check_with(memory)?)
        })?;
        self.findings.statistics.products += fixpoint.products;
        Ok(fixpoint)
    }

    /// The alarms that somebody asked about, and those that stand in the way of any proof.
    fn relevant(&mut self, fixpoint: &Fixpoint) -> BTreeMap<Wrong, Vec<Alarm>> {
        let mut found = alarms(&mut self.system, fixpoint);
        for (fault, _) in &self.system.initial_faults {
            found.entry(fault.clone()).or_default();
        }
        found.retain(|wrong, _| self.is_asked(wrong));
        found
    }

    /// Whether somebody asked about it, or it stands in the way of every proof.
    fn is_asked(&self, wrong: &Wrong) -> bool {
        match wrong {
            Wrong::Violation(Subject::Memory(..)) | Wrong::Unsupported { .. } => true,
            Wrong::Violation(subject) => self.options.task.asks_about(self.program, *subject),
        }
    }

    /// Whether an execution has shown it.
    fn is_shown(&self, wrong: &Wrong) -> bool {
        let subject = wrong.subject();
        self.findings.violations.iter().any(|violation| Some(violation.subject) == subject)
    }

    /// Looks for executions that do what the alarms say, or anything wrong.
    fn confirm(&mut self, found: Option<&BTreeMap<Wrong, Vec<Alarm>>>) -> Result<Reached, GivenUp> {
        let (program, budget) = (self.program, self.budget);
        let mut confirmed: BTreeMap<Subject, Trace> = self.initial_failures();
        let wanted: Option<BTreeSet<Subject>> = found.map(|found| found.keys().filter_map(Wrong::subject).collect());
        let is_wanted = |subject: Subject| wanted.as_ref().is_none_or(|wanted| wanted.contains(&subject));
        // With many threads the moves of one tuple can take long.
        let mut poll = || Ok(budget.check()?);
        let infer = self.options.infer;
        let mut tried: BTreeMap<Subject, u32> = BTreeMap::new();
        let reached = reach(
            &mut self.system,
            self.options.crowd,
            self.options.search,
            &mut poll,
            &mut |system, reached, number| {
                for (wrong, alarm) in wrongs(system, reached, number) {
                    let Some(subject) = wrong.subject() else { continue };
                    let tries = tried.entry(subject).or_default();
                    if *tries < 20 && is_wanted(subject) && !confirmed.contains_key(&subject) {
                        *tries += 1;
                        let trace = concretise::trace(program, system, reached, number, (&wrong, alarm), budget);
                        confirmed.extend(trace.map(|trace| (subject, trace)));
                    }
                }
                infer
                    || wanted
                        .as_ref()
                        .is_none_or(|wanted| !wanted.iter().all(|subject| confirmed.contains_key(subject)))
            },
        )?;
        self.findings.statistics.searched = reached.tuples.len() as u64;
        for (subject, trace) in confirmed {
            let wrong = Wrong::Violation(subject);
            if is_wanted(subject) && self.is_asked(&wrong) && !self.is_shown(&wrong) {
                let violation = Violation { subject, trace };
                (self.tell)(&violation);
                self.findings.violations.push(violation);
            }
        }
        Ok(reached)
    }

    /// Failures before anything is shared, as traces.
    fn initial_failures(&self) -> BTreeMap<Subject, Trace> {
        use selvedge_program::ThreadIndex;
        use selvedge_program::trace::{TraceStep, replay};
        let trace = |(fault, path): &(Wrong, crate::step::Path)| {
            let steps = path.iter().map(|(function, edge, answers)| TraceStep {
                thread: ThreadIndex(0),
                function: *function,
                edge: *edge,
                choices: answers.clone(),
            });
            let trace = Trace { steps: steps.collect(), end: concretise::end_of_step(fault)? };
            replay(self.program, &trace).ok().and_then(|_| Some((fault.subject()?, trace)))
        };
        // The first failure of a kind is shown.
        self.system.initial_faults.iter().rev().filter_map(trace).collect()
    }

    /// Adds exceptions until the alarms that no execution has shown are gone, or nothing more can be added.
    fn infer(
        &mut self,
        reached: &Reached,
        fixpoint: &mut Fixpoint,
        found: &mut BTreeMap<Wrong, Vec<Alarm>>,
    ) -> Result<(), GivenUp> {
        let examples = Examples::of(reached);
        let mut exact: BTreeSet<Shared> = BTreeSet::new();
        loop {
            let errors = self.spurious(found);
            if errors.is_empty() {
                return Ok(());
            }
            let places = next_places(fixpoint, &errors, &exact);
            if places.is_empty() {
                return Ok(());
            }
            for shared in &places {
                self.go_on()?;
                let cover = examples.cover(*shared, &self.system.components_of(*shared));
                self.system.exceptions.insert(*shared, cover);
            }
            exact.extend(places);
            self.findings.statistics.rounds += 1;
            *fixpoint = self.solve()?;
            *found = self.relevant(fixpoint);
        }
    }

    /// The shared states of alarms that no execution has confirmed.
    fn spurious(&self, found: &BTreeMap<Wrong, Vec<Alarm>>) -> BTreeSet<Shared> {
        let open = found.iter().filter(|(wrong, _)| !self.is_shown(wrong));
        open.flat_map(|(_, alarms)| alarms.iter().map(|alarm| alarm.shared())).collect()
    }

    /// Notes what stands in the way of every proof: what is undefined or not modelled ends paths.
    fn blocked(&mut self, found: &BTreeMap<Wrong, Vec<Alarm>>) {
        for wrong in found.keys() {
            let (span, message) = match wrong {
                // The handle of an interchangeable thread is an indeterminate value to everybody else.
                Wrong::Unsupported { span, what } if self.system.splitter.crowds.entries.is_empty() => {
                    (*span, what.clone())
                }
                Wrong::Unsupported { span, what } => {
                    (*span, format!("{what} (handles of interchangeable threads can be passed on but not used)"))
                }
                Wrong::Violation(Subject::Memory(function, edge, undefined)) => {
                    let span = self.program.function(*function).edge(*edge).span;
                    (span, format!("it is not excluded that the program {undefined}"))
                }
                Wrong::Violation(_) => continue,
            };
            self.findings.obstacles.push(Gap::Inapplicable { span, message });
        }
    }

    fn obstacle(&self, stop: GivenUp) -> Gap {
        let (span, message) = match stop {
            GivenUp::Exhausted(limit) => return Gap::Limit(limit),
            GivenUp::TooMany => crate::domains::largest(self.program, &self.system),
            GivenUp::Start(reason) => (Span::NOWHERE, format!("the program cannot start: {reason}")),
            GivenUp::Unsplit(Unsplit::Individuals, span) => {
                (span, format!("more than {MOST_INDIVIDUALS} threads are kept apart from here on; try `--threads any`"))
            }
            GivenUp::Unsplit(Unsplit::Roles, span) => {
                (span, format!("from here on, shared data refers to more than {MOST_ROLES} interchangeable threads"))
            }
        };
        Gap::Inapplicable { span, message }
    }
}
