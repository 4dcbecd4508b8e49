//! What the analysis says of random programs against what their executions do: every pair of places that two threads
//! are at in one state must be said to be parallel, every access must be to what its address may point to, shared
//! objects must be known as such, every race must be among the conflicts, every lock that is said to be held must have
//! the thread as its owner and nobody else must be said to hold it, and the marks of updates must keep what they
//! promise.
//!
//! `SELVEDGE_PROGRAMS` is the number of programs of each kind, `SELVEDGE_STATES` the number of states of each.

mod common;

use common::marks::Taken;
use selvedge_analysis::conflicts::Found;
use selvedge_analysis::locks::LockFamily;
use selvedge_analysis::{
    AbstractObject, Cells, Conflicts, Facts, Locksets, Parallel, PointsTo, Reach, Sharing, SpawnSite, Target,
    TemplateId, ThreadPlace, Visible,
};
use selvedge_frontend::compile::{CompileOptions, compile, compile_text};
use selvedge_generate::shrink::smallest;
use selvedge_generate::stored::c_files;
use selvedge_program::semantics::effects::{Event, Observer};
use selvedge_program::semantics::eval::Evaluator;
use selvedge_program::semantics::memory::Origin;
use selvedge_program::semantics::{
    AccessKind, Answers, Byte, GhostKey, Instance, Outcome, PendingAccess, Pointer, Question, Semantics, Spot, State,
    Value,
};
use selvedge_program::{
    Action, AtomicStep, CodeLocation, EdgeId, Exhausted, Expr, FunctionId, GhostField, LockMode, Place, Program,
    RegisterId, ThreadIndex,
};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

fn number(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable).ok().and_then(|count| count.parse().ok()).unwrap_or(otherwise)
}

/// What one step does that the analysis has a say in.
#[derive(Default)]
struct Heard {
    accesses: Vec<PendingAccess>,
    started: bool,
}

impl Observer for Heard {
    fn access(&mut self, access: PendingAccess) {
        self.accesses.push(access);
    }

    fn event(&mut self, event: Event) {
        self.started |= matches!(event, Event::Started(..));
    }
}

/// What is compared with executions.
struct Claims<'f> {
    points_to: &'f PointsTo,
    parallel: &'f Parallel,
    sharing: &'f Sharing,
    conflicts: &'f Conflicts,
    locksets: &'f Locksets,
    reach: &'f Reach,
    cells: &'f Cells,
    visible: &'f Visible,
    /// How often a word was held as a lock.
    words: Cell<usize>,
}

impl<'f> Claims<'f> {
    fn of(facts: &'f Facts) -> Result<Claims<'f>, Exhausted> {
        Ok(Claims {
            points_to: facts.points_to()?,
            parallel: facts.parallel()?.expect("there is a main"),
            sharing: facts.sharing()?,
            conflicts: facts.conflicts()?,
            locksets: facts.locksets()?,
            reach: facts.reach()?,
            cells: facts.cells()?,
            visible: facts.visible()?,
            words: Cell::new(0),
        })
    }

    /// Panics if a lock that a thread is said to hold is not held by it. How often one was held.
    fn check_locks(&self, program: &Program, state: &State) -> usize {
        let mut held = 0;
        let mut alone = HashSet::new();
        for thread in state.thread_indices() {
            let Some(frame) = state.frame(thread) else { continue };
            let place = CodeLocation { function: frame.function, location: frame.location };
            assert!(self.reach.is_reached(place), "nobody is said to get to {place:?}");
            for (lock, mode) in self.locksets.held(place) {
                let address = Evaluator::of_thread(program, state, thread).eval(&lock.address);
                let Ok(Value::Pointer(Pointer { object, offset })) = address else {
                    panic!("{lock:?} is held at {place:?}, but its address is {address:?}");
                };
                let ghost = |field| state.ghost(GhostKey { object: Some(object), offset, field });
                let is_gone = !matches!(object, Instance::Static(_)) && state.memory().block(object).is_none();
                if let LockFamily::Library(kind) = lock.family {
                    let is_mine = ghost(kind.owner()) == Some(&Value::to_start_of(Instance::Thread(thread)));
                    let is_read = mode == LockMode::Shared && ghost(GhostField::Readers).is_some();
                    assert!(is_mine || is_read || is_gone, "{thread:?} does not hold {lock:?} ({mode:?}) at {place:?}");
                }
                let is_alone = alone.insert((thread, object, offset, lock.family));
                let is_others = |other: ThreadIndex| alone.contains(&(other, object, offset, lock.family));
                let others = state.thread_indices().filter(|other| *other != thread);
                assert!(
                    mode == LockMode::Shared || is_gone || !others.into_iter().any(is_others),
                    "{thread:?} is not the only one to hold {lock:?} at {place:?}"
                );
                self.words.set(self.words.get() + usize::from(is_alone && lock.family == LockFamily::Word));
                held += 1;
            }
        }
        held
    }

    /// Panics if a register holds a pointer, or a part of one, that it is said not to hold.
    fn check_registers(&self, program: &Program, state: &State) {
        for frame in state.thread_indices().filter_map(|thread| state.thread(thread)).flat_map(|thread| &thread.frames)
        {
            for (index, value) in frame.registers.iter().enumerate() {
                let (function, register) = (frame.function, RegisterId::new(index));
                let is_said = self.points_to.may_hold_pointer(function, register);
                match value {
                    Some(Value::Pointer(Pointer { object, offset })) => {
                        assert!(is_said, "{register} of {function} holds a pointer");
                        let Some(object) = abstraction(state, *object) else { continue };
                        let width = program.function(function).register(register).width;
                        let targets = self.points_to.targets_of(function, &Expr::register(register, width));
                        let is_it = |target: &Target| {
                            target.object == object && contains(target.offset.start, target.offset.stride, *offset)
                        };
                        assert!(targets.iter().any(is_it), "{register} of {function} holds {object:?} at {offset}");
                    }
                    Some(Value::Raw(bytes)) => {
                        let is_part = |byte: &Byte| matches!(byte, Byte::Part(..));
                        assert!(is_said || !bytes.iter().any(is_part), "{register} of {function} holds a part of one");
                    }
                    Some(Value::Bits(_)) | None => {}
                }
            }
        }
    }

    /// Panics if two threads stand where they cannot stand together.
    fn check_places(&self, program: &Program, state: &State, templates: &[TemplateId], checked: &mut usize) {
        let places: Vec<ThreadPlace> = state
            .thread_indices()
            .filter_map(|thread| {
                let frame = state.frame(thread)?;
                let template = templates[thread.index()];
                Some(ThreadPlace { template, function: frame.function, location: frame.location })
            })
            .collect();
        for (position, a) in places.iter().enumerate() {
            assert!(self.parallel.beside(*a).is_some(), "{}: nobody is said to get to {a:?}", name(program, *a));
            for b in &places[position + 1..] {
                *checked += 1;
                for (a, b) in [(*a, *b), (*b, *a)] {
                    assert!(
                        self.parallel.may_happen_in_parallel(a, b),
                        "{} and {} are parallel: {a:?} {b:?}",
                        name(program, a),
                        name(program, b)
                    );
                }
            }
        }
    }

    /// Panics if a race is not among the conflicts.
    fn check_races(&self, program: &Program, semantics: &Semantics<'_>, state: &State) {
        for race in semantics.races(state) {
            let is_known = |access: &PendingAccess| !matches!(access.spot, Spot::Ghost(_));
            let Some(object) = race.first.spot.object().filter(|_| is_known(&race.first) || is_known(&race.second))
            else {
                continue;
            };
            let Some(object) = abstraction(state, object) else { continue };
            let site = |access: &PendingAccess| {
                let function = state.frame(access.thread).expect("is running").function;
                (function, access.edge, access.kind)
            };
            let (first, second) = (site(&race.first), site(&race.second));
            let known = match self.conflicts.of_object.get(&object) {
                None => false,
                Some(Found::TooMany { .. }) => true,
                Some(Found::Pairs(pairs)) => pairs.iter().any(|(a, b)| {
                    let (a, b) = ((a.function, a.edge, a.kind), (b.function, b.edge, b.kind));
                    (a, b) == (first, second) || (b, a) == (first, second)
                }),
            };
            let span =
                |(function, edge, _): (FunctionId, EdgeId, AccessKind)| program.function(function).edge(edge).span;
            assert!(known, "{object:?}: {first:?} {:?} races with {second:?} {:?}", span(first), span(second));
        }
    }

    /// Panics if an access is not among what its address may point to.
    fn check_access(&self, program: &Program, state: &State, function: FunctionId, access: &PendingAccess) {
        let (object, offset, is_ghost) = match access.spot {
            Spot::Bytes { object, offset, .. } => (object, offset, false),
            Spot::Whole(_) => return,
            Spot::Ghost(key) => match key.object {
                Some(object) => (object, key.offset, true),
                None => return,
            },
        };
        let Some(object) = abstraction(state, object) else { return };
        let edge = program.function(function).edge(access.edge);
        if let Spot::Bytes { offset, size, .. } = access.spot {
            let layout = self.cells.layout(object);
            let covers = layout.is_some_and(|all| all.is_cut(offset as i64) && all.is_cut((offset + size) as i64));
            assert!(covers, "{:?} at {:?} covers no cells: {offset}, {size} in {layout:?}", edge.action, edge.span);
        }
        let fits = |place: &Place| {
            matches!(place, Place::Ghost { .. }) == is_ghost
                && self.points_to.targets(function, place).iter().any(|target| {
                    target.object == object && contains(target.offset.start, target.offset.stride, offset)
                })
        };
        let expected = match &edge.action {
            Action::Load { access, .. } | Action::Store { access, .. } => fits(&access.place),
            Action::Atomic(steps) => steps.iter().any(|step| match step {
                AtomicStep::Read { access, .. } | AtomicStep::Write { access, .. } => fits(&access.place),
                AtomicStep::PickThread { .. } | AtomicStep::WriteThreads { .. } => object == AbstractObject::Thread,
                AtomicStep::Let { .. }
                | AtomicStep::Guard(_)
                | AtomicStep::Spurious
                | AtomicStep::Require(..)
                | AtomicStep::Mark { .. } => false,
            }),
            _ => true,
        };
        assert!(expected, "{:?} at {:?} does not expect {object:?} at {offset}", edge.action, edge.span);
    }
}

fn contains(start: i64, stride: u64, offset: u64) -> bool {
    match stride {
        0 => start == offset as i64,
        stride => (offset as i64 - start).rem_euclid(stride as i64) == 0,
    }
}

fn name(program: &Program, place: ThreadPlace) -> String {
    let function = program.function(place.function);
    let line = function.location(place.location).outgoing.first().map_or(0, |edge| function.edge(*edge).span.line);
    format!("{} {} line {line}", function.name, place.location)
}

fn abstraction(state: &State, object: Instance) -> Option<AbstractObject> {
    match object {
        Instance::Static(id) | Instance::ThreadLocal(id, _) => Some(AbstractObject::Static(id)),
        Instance::Thread(_) => Some(AbstractObject::Thread),
        Instance::Function(_) => None,
        Instance::Frame { .. } | Instance::Heap { .. } => Some(match state.memory().block(object)?.origin {
            Origin::Object(id) => AbstractObject::Static(id),
            Origin::Local(function, local) => AbstractObject::Frame(function, local),
            Origin::Site(site) => AbstractObject::Site(site),
        }),
    }
}

type Node = (State, Vec<TemplateId>);

struct Exploration<'p> {
    program: &'p Program,
    semantics: Semantics<'p>,
    facts: Claims<'p>,
    seen: HashSet<Node>,
    work: Vec<Node>,
    /// Who has accessed the bytes of an object: threads by their template and how many of it were started before, since
    /// their indices differ from execution to execution.
    users: BTreeMap<Instance, (BTreeSet<(TemplateId, usize)>, AbstractObject)>,
    /// By which edges.
    edges: BTreeMap<Instance, BTreeSet<(FunctionId, EdgeId)>>,
    pairs: usize,
    /// How often a thread was seen with a lock.
    locks: usize,
    /// How many marks were compared.
    marks: usize,
}

/// How much was compared.
#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    pairs: usize,
    locks: usize,
    words: usize,
    marks: usize,
}

impl Exploration<'_> {
    /// Explores in a random order, up to so many states.
    fn run(&mut self, limit: usize, seed: u64) {
        // A program with an object that is too large has no executions.
        self.work.extend(self.semantics.initial().ok().map(|initial| (initial, vec![TemplateId::MAIN])));
        let mut random = selvedge_generate::random::Random::new(seed);
        while !self.work.is_empty() && self.seen.len() < limit {
            // Mostly depth first, so that executions come to their ends.
            let last = self.work.len() - 1;
            let pick = if random.chance(90) { last } else { random.below(last as u64 + 1) as usize };
            let node = self.work.swap_remove(pick);
            self.facts.check_places(self.program, &node.0, &node.1, &mut self.pairs);
            self.facts.check_races(self.program, &self.semantics, &node.0);
            self.facts.check_registers(self.program, &node.0);
            self.locks += self.facts.check_locks(self.program, &node.0);
            let threads: Vec<ThreadIndex> = node.0.thread_indices().collect();
            let first = random.below(threads.len() as u64) as usize;
            for position in 0..threads.len() {
                let thread = threads[(first + position) % threads.len()];
                for enabled in self.semantics.enabled(&node.0, thread) {
                    self.successors(&node, thread, enabled.edge, &mut Vec::new());
                }
            }
        }
    }

    fn successors(&mut self, node: &Node, thread: ThreadIndex, edge: EdgeId, answers: &mut Vec<Value>) {
        let (state, templates) = node;
        let Some(function) = state.frame(thread).map(|frame| frame.function) else { return };
        let (mut next, mut heard) = (state.clone(), Heard::default());
        match self.semantics.apply(&mut next, thread, edge, &mut Answers::new(answers), &mut heard) {
            Ok(()) => {
                let taken = Taken { program: self.program, before: state, after: &next, thread, function, edge };
                self.marks += taken.check_marks();
                for access in &heard.accesses {
                    self.facts.check_access(self.program, state, function, access);
                    self.remember(state, templates, access);
                    if let Spot::Bytes { object, .. } = access.spot {
                        self.edges.entry(object).or_default().insert((function, edge));
                    }
                }
                let mut templates = templates.clone();
                if heard.started {
                    let template = self.facts.parallel.threads().of_spawn(SpawnSite { function, edge });
                    templates.push(template.expect("the spawn has a template"));
                }
                let node = (next, templates);
                if self.seen.insert(node.clone()) {
                    self.work.push(node);
                }
            }
            Err(Outcome::NeedsChoice(question)) => {
                for answer in sample(&question) {
                    answers.push(answer);
                    self.successors(node, thread, edge, answers);
                    answers.pop();
                }
            }
            Err(_) => {}
        }
    }

    fn remember(&mut self, state: &State, templates: &[TemplateId], access: &PendingAccess) {
        let Spot::Bytes { object, .. } = access.spot else { return };
        let Some(of) = abstraction(state, object) else { return };
        let (before, template) = (&templates[..access.thread.index()], templates[access.thread.index()]);
        let user = (template, before.iter().filter(|other| **other == template).count());
        self.users.entry(object).or_insert_with(|| (BTreeSet::new(), of)).0.insert(user);
    }

    /// Objects that two threads have accessed must be known as shared. Frame objects are numbered anew in every
    /// execution, so only those that last are looked at.
    fn check_sharing(&self) {
        for (object, (users, of)) in &self.users {
            let is_once = |template: TemplateId| self.facts.parallel.threads().is_once(template);
            let of_one_thread = users.first().zip(users.last()).is_none_or(|((a, _), (b, _))| a == b && is_once(*a));
            if users.len() > 1 && !of_one_thread && matches!(object, Instance::Static(_)) {
                assert!(self.facts.sharing.shared.contains_key(of), "{of:?} is shared");
                for (function, edge) in &self.edges[object] {
                    assert!(
                        self.facts.visible.is_visible(*function, *edge),
                        "{of:?} is touched by {edge} of {function}"
                    );
                }
            }
        }
    }
}

/// Some answers.
fn sample(question: &Question) -> Vec<Value> {
    match question {
        Question::Thread(threads) => {
            threads.iter().map(|thread| Value::to_start_of(Instance::Thread(*thread))).collect()
        }
        Question::Number { known, free } => {
            let lowest = free.unsigned() & free.unsigned().wrapping_neg();
            let other = Value::bits(free.width(), known.unsigned() | lowest);
            vec![Value::Bits(*known), other]
        }
        Question::Address { width } => vec![Value::bits(*width, 0), Value::bits(*width, 4096)],
    }
}

/// Explores a program; the number of pairs of places and of held locks looked at.
fn explore(program: &Program, limit: usize, seed: u64) -> Compared {
    let facts = Facts::of(program);
    let mut exploration = Exploration {
        program,
        semantics: Semantics::new(program),
        facts: Claims::of(&facts).expect("there are no limits"),
        seen: HashSet::new(),
        work: Vec::new(),
        users: BTreeMap::new(),
        edges: BTreeMap::new(),
        pairs: 0,
        locks: 0,
        marks: 0,
    };
    exploration.run(limit, seed);
    exploration.check_sharing();
    let Exploration { pairs, locks, marks, facts, .. } = exploration;
    Compared { pairs, locks, marks, words: facts.words.get() }
}

/// The program that a text is; only what includes headers needs the preprocessor.
fn program(text: &str) -> Result<Program, String> {
    let compiled = if text.contains("#include") {
        let directory = tempfile::tempdir().expect("a directory for the program");
        let path = directory.path().join("t.c");
        std::fs::write(&path, text).expect("the directory is writable");
        compile(&[path], &CompileOptions::default())
    } else {
        compile_text("t.c", text, &CompileOptions::default())
    };
    Ok(compiled.map_err(|error| error.to_string())?.program)
}

/// Explores a generated program; where that finds something wrong, the smallest program with something wrong is shown.
fn explore_text(text: &str, seed: u64) -> Compared {
    let compared =
        |program: &Program| std::panic::catch_unwind(|| explore(program, number("SELVEDGE_STATES", 400), seed)).ok();
    let is_wrong = |text: &str| program(text).is_ok_and(|program| compared(&program).is_none());
    let program = program(text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
    compared(&program).unwrap_or_else(|| panic!("seed {seed}:\n{text}\nshrunk:\n{}", smallest(text, 1000, is_wrong)))
}

#[test]
fn the_life_of_threads() {
    let mut pairs = 0;
    for seed in 0..number("SELVEDGE_PROGRAMS", 150) as u64 {
        pairs += explore_text(&selvedge_generate::threads::program(seed), seed).pairs;
    }
    assert!(pairs > 1000, "only {pairs} pairs of places were seen");
}

#[test]
fn locks_and_data() {
    let mut all = Compared::default();
    for seed in 0..number("SELVEDGE_PROGRAMS", 15) as u64 {
        let compared = explore_text(&selvedge_generate::concurrent::program(seed), seed);
        all.pairs += compared.pairs;
        all.locks += compared.locks;
    }
    assert!(all.pairs > 1000, "only {} pairs of places were seen", all.pairs);
    assert!(all.locks > 100, "only {} held locks were seen", all.locks);
}

#[test]
fn the_programs_of_the_repository() {
    let (mut explored, mut all) = (0, Compared::default());
    for file in [c_files("examples"), c_files("tests/programs")].concat() {
        // Some need options or other files, and some are there to be refused.
        let Ok(compiled) = compile(std::slice::from_ref(&file), &CompileOptions::default()) else { continue };
        let result = std::panic::catch_unwind(|| explore(&compiled.program, number("SELVEDGE_STATES", 300), 0));
        let compared = result.unwrap_or_else(|_| panic!("{}", file.display()));
        all.locks += compared.locks;
        all.words += compared.words;
        all.marks += compared.marks;
        explored += 1;
    }
    assert!(explored > 200, "only {explored} programs");
    assert!(all.locks > 1000 && all.words > 10 && all.marks > 1000, "only {all:?} were seen");
}
