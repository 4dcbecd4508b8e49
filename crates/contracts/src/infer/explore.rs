//! What the threads of a program do to what they share, seen in all executions of a program that has finitely many
//! states. Each thread is looked at where its next step has to do with another thread: what it has for itself there is a
//! *stand*, and a step leads from one stand to the next ones. Nothing rests on it that this is complete: what comes out is a
//! suggestion, which is checked like a specification that people write.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_program::live::Live;
use selvedge_program::semantics::memory::Block;
use selvedge_program::semantics::{
    Answers, Effects, Event, GhostKey, Instance, Outcome, Pointer, Semantics, Spot, State, Value,
};
use selvedge_program::{
    AccessKind, Action, AtomicStep, Budget, EdgeId, FunctionId, LocationId, ObjectId, ObjectKind, Program, ThreadIndex,
};

/// With more states than this a program is not looked at.
const MOST_STATES: usize = 60_000;

/// A thread that takes more steps of its own in a row is not followed.
const MOST_OWN_STEPS: usize = 20_000;

/// Of a choice with more answers nothing is said.
const MOST_ANSWERS: u128 = 16;

/// A part of a static object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    Bytes { object: ObjectId, offset: u64, size: u32 },
    Ghost { object: ObjectId, key: GhostKey },
}

/// What a part holds, as a thread sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seen {
    Number(u128),
    /// The thread itself.
    Own,
    /// Another thread.
    Other,
    /// Something that a specification cannot name.
    Something,
}

/// What a step does to a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Use {
    pub before: Seen,
    pub after: Seen,
    /// Whether what was there before is looked at.
    pub is_read: bool,
}

/// What a step does to another thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Life {
    Create(FunctionId),
    /// The step at an edge.
    Join(FunctionId, EdgeId),
}

/// A stand, by number.
pub type StandId = usize;

/// A step from one stand to another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Taken {
    pub from: StandId,
    pub to: StandId,
    pub uses: BTreeMap<Part, Use>,
    pub life: Option<Life>,
    /// Whether it can be taken only for some values.
    pub is_guarded: bool,
    /// Whether something is asserted on the way.
    pub is_checked: bool,
}

/// Where a thread stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stand {
    /// The function that the thread runs.
    pub entry: FunctionId,
    activations: Vec<(FunctionId, LocationId, Vec<Option<Value>>)>,
    blocks: Vec<Block>,
}

impl Stand {
    /// The place of the next step; `None` at the end of the thread.
    pub fn place(&self) -> Option<(FunctionId, LocationId)> {
        self.activations.last().map(|(function, location, _)| (*function, *location))
    }
}

/// What was seen.
#[derive(Debug, Default)]
pub struct Explored {
    pub stands: Vec<Stand>,
    pub begins: BTreeSet<StandId>,
    pub taken: BTreeSet<Taken>,
    /// The states of the parts that threads have to do with, with where threads stood.
    moments: Vec<(State, Vec<StandId>)>,
    /// What is there when the first thread is started.
    pub initial: Vec<State>,
}

impl Explored {
    /// How many threads that run a function were there at once.
    pub fn most(&self, entry: FunctionId) -> usize {
        let of_it = |standing: &[StandId]| standing.iter().filter(|stand| self.stands[**stand].entry == entry).count();
        self.moments.iter().map(|(_, standing)| of_it(standing)).max().unwrap_or_default()
    }

    /// Everything that a part was while a thread stood somewhere, for several parts at once.
    pub fn seen_at(&self, program: &Program, stands: &BTreeSet<StandId>, parts: &[Part]) -> BTreeSet<Vec<Seen>> {
        let mut all = BTreeSet::new();
        for (state, standing) in &self.moments {
            for (thread, stand) in standing.iter().enumerate().filter(|(_, stand)| stands.contains(stand)) {
                debug_assert!(*stand < self.stands.len());
                let thread = ThreadIndex::new(thread);
                all.insert(parts.iter().map(|part| seen(program, state, *part, thread)).collect());
            }
        }
        all
    }
}

/// Looks at all executions of a program.
///
/// # Errors
/// Why that is not done, in a sentence.
pub fn explore(program: &Program, budget: &Budget) -> Result<Explored, String> {
    let semantics = Semantics::new(program);
    let live = program.functions.iter().map(Live::of).collect();
    let mut explorer = Explorer { semantics, live, known: FxHashMap::default(), explored: Explored::default() };
    let first = explorer.semantics.initial().map_err(|outcome| told(&outcome))?;
    let mut entries = vec![program.main().ok_or("there is no `main`")?];
    let mut met: FxHashSet<(Vec<StandId>, Vec<Arc<Block>>, Vec<(GhostKey, Value)>)> = FxHashSet::default();
    let mut pending: Vec<(State, Vec<FunctionId>)> = Vec::new();
    for state in explorer.settled(first)? {
        pending.push((state, entries.clone()));
    }
    entries.clear();
    while let Some((state, entries)) = pending.pop() {
        if budget.exhausted().is_some() {
            return Err(format!("{}", budget.stopped_by()));
        }
        let standing = explorer.standing(&state, &entries);
        let statics = (0..program.objects.len()).map(ObjectId::new);
        let statics = statics.filter_map(|object| state.memory().shared_static(object).cloned()).collect();
        let ghosts = state.ghosts().map(|(key, value)| (key, value.clone())).collect();
        if state.exit_status().is_some() || !met.insert((standing.clone(), statics, ghosts)) {
            continue;
        }
        if met.len() > MOST_STATES {
            return Err(format!("the program has more than {MOST_STATES} states"));
        }
        if state.thread_count() == 1 {
            explorer.explored.initial.push(state.clone());
            explorer.explored.begins.extend(&standing);
        }
        for thread in state.thread_indices().filter(|thread| state.is_live(*thread)) {
            for step in explorer.steps(&state, thread)? {
                let mut entries = entries.clone();
                if let Some(Life::Create(function)) = step.life {
                    entries.push(function);
                }
                for next in explorer.settled(step.state.clone())? {
                    let after = explorer.standing(&next, &entries);
                    if entries.len() > standing.len() {
                        explorer.explored.begins.extend(after.last());
                    }
                    let index = thread.index();
                    explorer.explored.taken.insert(Taken {
                        from: standing[index],
                        to: after[index],
                        uses: step.uses.clone(),
                        life: step.life,
                        is_guarded: step.is_guarded,
                        is_checked: step.is_checked || explorer.checks_after(&step.state, thread),
                    });
                    pending.push((next, entries.clone()));
                }
            }
        }
        explorer.explored.moments.push((state, standing));
    }
    Ok(explorer.explored)
}

fn told(outcome: &Outcome) -> String {
    match outcome {
        Outcome::AssertionFailed(_) => "an assertion of the program can fail".to_owned(),
        Outcome::Undefined(undefined, _) => format!("the program can be undefined: a step {undefined}"),
        Outcome::Unsupported(what) => format!("not modelled: {what}"),
        Outcome::NeedsChoice(_) => "there are too many values to choose among".to_owned(),
        Outcome::Disabled => "a step cannot be taken".to_owned(),
        Outcome::Internal(message) => format!("internal error: {message}"),
    }
}

/// A step that others may notice, with what follows in the same atomic section.
struct Step {
    state: State,
    uses: BTreeMap<Part, Use>,
    life: Option<Life>,
    is_guarded: bool,
    is_checked: bool,
}

struct Explorer<'p> {
    semantics: Semantics<'p>,
    live: Vec<Live>,
    known: FxHashMap<Stand, StandId>,
    explored: Explored,
}

impl Explorer<'_> {
    /// Where threads stand.
    fn standing(&mut self, state: &State, entries: &[FunctionId]) -> Vec<StandId> {
        let stands = state.thread_indices().zip(entries);
        stands.map(|(thread, entry)| self.stand(state, thread, *entry)).collect()
    }

    fn stand(&mut self, state: &State, thread: ThreadIndex, entry: FunctionId) -> StandId {
        let mut stand = Stand { entry, activations: Vec::new(), blocks: Vec::new() };
        let frames = state.thread(thread).map_or(&[][..], |thread| &thread.frames);
        let own: Vec<Instance> =
            state.memory().belongings(thread).into_iter().flat_map(|own| own.made(thread)).collect();
        // Objects by how many there are, not by how many there were.
        let renamed = |pointer: Pointer| {
            let position = own.iter().position(|instance| *instance == pointer.object);
            let nobody = ThreadIndex(u32::MAX);
            let object = match (pointer.object, position) {
                (Instance::Frame { .. } | Instance::Heap { .. }, Some(position)) => {
                    Instance::Frame { thread: nobody, serial: position as u64 }
                }
                (Instance::Thread(other), _) if other == thread => Instance::Thread(nobody),
                (other, _) => other,
            };
            Pointer { object, ..pointer }
        };
        for frame in frames {
            let live = self.live[frame.function.index()].at(frame.location);
            let value = |register: &selvedge_program::RegisterId| match frame.registers.get(register.index()) {
                Some(Some(Value::Pointer(pointer))) => Some(Value::Pointer(renamed(*pointer))),
                Some(value) => value.clone(),
                None => None,
            };
            stand.activations.push((frame.function, frame.location, live.iter().map(value).collect()));
        }
        if !frames.is_empty() {
            for block in own.iter().filter_map(|instance| state.memory().block(*instance)) {
                let mut block = block.clone();
                block.contents.replace_pointers(&|pointer| Some(renamed(pointer)));
                stand.blocks.push(block);
            }
        }
        let next = self.explored.stands.len();
        let explored = &mut self.explored;
        *self.known.entry(stand.clone()).or_insert_with(|| {
            explored.stands.push(stand);
            next
        })
    }

    /// The states after a step, with every answer to what it asks.
    fn take(
        &self,
        state: &State,
        (thread, edge): (ThreadIndex, EdgeId),
        answers: &mut Vec<Value>,
        found: &mut Vec<(State, Effects)>,
    ) -> Result<(), String> {
        match self.semantics.step(state, thread, edge, &mut Answers::new(answers)) {
            Ok(next) => found.push(next),
            Err(Outcome::Disabled) => {}
            Err(Outcome::NeedsChoice(question)) => {
                let all = question.answers(MOST_ANSWERS);
                for answer in all.map_err(|_| told(&Outcome::NeedsChoice(question)))? {
                    answers.push(answer);
                    self.take(state, (thread, edge), answers, found)?;
                    answers.pop();
                }
            }
            Err(outcome) => return Err(told(&outcome)),
        }
        Ok(())
    }

    fn edges(&self, state: &State, thread: ThreadIndex) -> Vec<(EdgeId, FunctionId)> {
        let Some(frame) = state.frame(thread) else { return Vec::new() };
        let location = self.semantics.program.function(frame.function).location(frame.location);
        location.outgoing.iter().map(|edge| (*edge, frame.function)).collect()
    }

    fn action(&self, (edge, function): (EdgeId, FunctionId)) -> &Action {
        &self.semantics.program.function(function).edge(edge).action
    }

    /// Whether a thread's next step concerns nobody else. Nothing does as long as there is one thread.
    fn is_own(&self, state: &State, thread: ThreadIndex) -> bool {
        let edges = self.edges(state, thread);
        let is_alone = state.thread_count() == 1;
        !edges.is_empty()
            && edges.iter().all(|edge| match self.action(*edge) {
                Action::Spawn { .. } => false,
                Action::Assume(_)
                | Action::Assign { .. }
                | Action::Havoc { .. }
                | Action::Assert { .. }
                | Action::Require { .. }
                | Action::Call { .. }
                | Action::Return { .. }
                | Action::ThreadExit { .. }
                | Action::Exit { .. }
                | Action::Fence(_)
                | Action::Output(_)
                | Action::Forget { .. }
                | Action::EndLife { .. }
                | Action::Allocate { .. }
                | Action::Free { .. } => true,
                Action::AtomicBegin | Action::AtomicEnd => is_alone,
                Action::Load { .. } | Action::Store { .. } | Action::Atomic(_) => {
                    is_alone
                        || self.semantics.accesses(state, thread).iter().all(|access| self.is_private(access.spot))
                            && self.action(*edge).joined_thread().is_none()
                }
                Action::Unsupported(_) | Action::Inexact(_) => true,
            })
    }

    /// Whether nobody can notice what happens to a spot, as far as a specification speaks of it.
    fn is_private(&self, spot: Spot) -> bool {
        match spot.object() {
            Some(Instance::Static(object)) => {
                self.semantics.program.object(object).kind != ObjectKind::Global
                    || matches!(spot, Spot::Ghost(key) if crate::text::lock_word(key.field).is_none())
            }
            Some(_) | None => true,
        }
    }

    /// After all steps of threads that concern nobody else.
    fn settled(&self, state: State) -> Result<Vec<State>, String> {
        let (mut settled, mut pending, mut steps) = (Vec::new(), vec![state], 0);
        while let Some(state) = pending.pop() {
            let mut threads = state.thread_indices().filter(|thread| state.is_live(*thread));
            let Some(thread) = threads.find(|thread| state.exit_status().is_none() && self.is_own(&state, *thread))
            else {
                settled.push(state);
                continue;
            };
            steps += 1;
            if steps > MOST_OWN_STEPS {
                return Err("a thread takes very many steps that concern nobody else".to_owned());
            }
            let mut next = Vec::new();
            for (edge, _) in self.edges(&state, thread) {
                self.take(&state, (thread, edge), &mut Vec::new(), &mut next)?;
            }
            pending.extend(next.into_iter().map(|(state, _)| state));
        }
        Ok(settled)
    }

    /// Whether a thread comes to an assertion before its next step that concerns others.
    fn checks_after(&self, state: &State, thread: ThreadIndex) -> bool {
        let mut pending = vec![state.clone()];
        for _ in 0..MOST_OWN_STEPS {
            let Some(state) = pending.pop() else { return false };
            if !state.is_live(thread) || !self.is_own(&state, thread) {
                continue;
            }
            let mut next = Vec::new();
            for edge in self.edges(&state, thread) {
                if matches!(self.action(edge), Action::Assert { .. } | Action::Require { .. }) {
                    return true;
                }
                if self.take(&state, (thread, edge.0), &mut Vec::new(), &mut next).is_err() {
                    return true;
                }
            }
            pending.extend(next.into_iter().map(|(state, _)| state));
        }
        true
    }

    /// The steps of a thread that others may notice.
    fn steps(&self, state: &State, thread: ThreadIndex) -> Result<Vec<Step>, String> {
        let mut steps = Vec::new();
        let mut pending = vec![Step {
            state: state.clone(),
            uses: BTreeMap::new(),
            life: None,
            is_guarded: false,
            is_checked: false,
        }];
        let mut taken = 0;
        while let Some(before) = pending.pop() {
            for edge in self.edges(&before.state, thread) {
                let mut found = Vec::new();
                self.take(&before.state, (thread, edge.0), &mut Vec::new(), &mut found)?;
                let action = self.action(edge);
                for (after, effects) in found {
                    let step = self.after(&before, (edge, action), thread, (after, &effects));
                    match step.state.atomic_section() {
                        Some(_) => pending.push(step),
                        None => steps.push(step),
                    }
                }
            }
            taken += 1;
            if taken > MOST_OWN_STEPS {
                return Err("an atomic section takes very many steps".to_owned());
            }
        }
        Ok(steps)
    }

    fn after(
        &self,
        before: &Step,
        ((edge, function), action): ((EdgeId, FunctionId), &Action),
        thread: ThreadIndex,
        (state, effects): (State, &Effects),
    ) -> Step {
        let program = self.semantics.program;
        let mut uses = before.uses.clone();
        for access in &effects.accesses {
            let Some(part) = part(access.spot).filter(|_| !self.is_private(access.spot)) else { continue };
            let now = seen(program, &state, part, thread);
            let was = seen(program, &before.state, part, thread);
            let known = uses.entry(part).or_insert(Use { before: was, after: now, is_read: false });
            known.after = now;
            // What the section has written itself it does not have to look at.
            known.is_read |= access.kind == AccessKind::Read && known.before == was;
        }
        let started = effects.events.iter().find_map(|event| match event {
            Event::Started(_, function) => Some(Life::Create(*function)),
            _ => None,
        });
        let joined = action.joined_thread().map(|_| Life::Join(function, edge));
        let guards = |step: &AtomicStep| matches!(step, AtomicStep::Guard(_));
        let is_assumed = before.state.atomic_section().is_some() && matches!(action, Action::Assume(_));
        Step {
            state,
            uses,
            life: before.life.or(started).or(joined),
            is_guarded: before.is_guarded || is_assumed || action.steps().iter().any(guards),
            is_checked: before.is_checked || matches!(action, Action::Assert { .. } | Action::Require { .. }),
        }
    }
}

fn part(spot: Spot) -> Option<Part> {
    match spot {
        Spot::Bytes { object: Instance::Static(object), offset, size } => {
            Some(Part::Bytes { object, offset, size: u32::try_from(size).ok()? })
        }
        Spot::Ghost(key) => match key.object {
            Some(Instance::Static(object)) => Some(Part::Ghost { object, key }),
            Some(_) | None => None,
        },
        Spot::Bytes { .. } | Spot::Whole(_) => None,
    }
}

/// What a part holds in a state.
pub fn seen(program: &Program, state: &State, part: Part, thread: ThreadIndex) -> Seen {
    let value = match part {
        Part::Bytes { object, offset, size } => {
            let block = state.memory().block(Instance::Static(object));
            block.map(|block| block.contents.load_raw(offset, size, program.pointer_width() / 8))
        }
        Part::Ghost { key, .. } => Some(state.ghost(key).cloned().unwrap_or_else(|| Value::bits(64, 0))),
    };
    match value {
        Some(Value::Bits(bits)) => Seen::Number(bits.unsigned()),
        Some(Value::Pointer(Pointer { object: Instance::Thread(owner), .. })) if owner == thread => Seen::Own,
        Some(Value::Pointer(Pointer { object: Instance::Thread(_), .. })) => Seen::Other,
        Some(Value::Pointer(_) | Value::Raw(_)) | None => Seen::Something,
    }
}
