//! What is looked for among the locks in memory, and never found.
//!
//! Before bytes are moved, the models of the library look whether a lock that is in use lies among them, and go where this is
//! modelled only roughly if one does. No thread gets there if what is looked at is state of locks that nobody ever
//! writes, but to set it to 0: it is 0. Of many bytes, a function looks at the state step by step from what it is given on ([`Looker`]): it answers 0 where
//! nobody writes such state anywhere in the objects that it is given, or where it is given memory that was just
//! allocated ([`is_new`]). The branches that are never taken for these reasons are taken out of the program
//! ([`without_unfound`]); what is not modelled at all and stays in it may be reached ([`unmodelled`]).

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_analysis::points_to::SharedTargets;
use selvedge_analysis::{AbstractObject, Offset, Target};
use selvedge_program::{
    AccessKind, Action, AtomicStep, Base, Callee, Edge, EdgeId, Expr, FrameObjectId, Function, FunctionId, GhostField,
    LocationId, ObjectId, Place, Program, RegisterId, Touched, ValueFlow,
};

use super::names::{Names, Origin, behind, carried};
use super::pruned;

/// The edges that are not modelled, and may be reached.
pub fn unmodelled<'a, 'p>(names: &'a Names<'p>) -> impl Iterator<Item = &'p Edge> + 'a {
    let functions = names.program.functions.iter().enumerate().filter(|(index, _)| names.life().is_run[*index]);
    functions.flat_map(|(_, function)| &function.edges).filter(|edge| matches!(edge.action, Action::Unsupported(_)))
}

/// The program without what is reached only where a lock is found; `None` if there is nothing like that.
pub fn without_unfound(names: &Names<'_>) -> Option<Program> {
    let mut written = None;
    let mut never: Vec<(FunctionId, EdgeId)> = Vec::new();
    for (index, function) in names.program.functions.iter().enumerate().filter(|(index, _)| names.life().is_run[*index])
    {
        let id = FunctionId::new(index);
        let mut rough = FxHashSet::default();
        for edge in &function.edges {
            if matches!(edge.action, Action::Unsupported(_) | Action::Inexact(_)) {
                rough.insert(edge.source);
            }
        }
        for (position, branch) in function.edges.iter().enumerate().filter(|(_, edge)| rough.contains(&edge.target)) {
            if matches!(branch.action, Action::Assume(_)) {
                let written = written.get_or_insert_with(|| Written::of(names));
                if is_never_taken(names, written, id, function, branch) {
                    never.push((id, EdgeId::new(position)));
                }
            }
        }
    }
    if never.is_empty() {
        return None;
    }
    let mut program = names.program.clone();
    for (function, edge) in never {
        program.functions[function.index()].edges[edge.index()].action = Action::Assume(Expr::falsehood());
    }
    pruned::prune(&mut program);
    Some(program)
}

/// By field, where something other than 0 may be written, or is at first.
struct Written {
    targets: FxHashMap<GhostField, Vec<SharedTargets>>,
}

impl Written {
    fn of(names: &Names<'_>) -> Written {
        let mut written = Written { targets: FxHashMap::default() };
        for (index, object) in names.program.objects.iter().enumerate() {
            for (offset, field, _) in &object.initial_ghosts {
                let offset = Offset { start: i64::try_from(*offset).unwrap_or(0), stride: 0 };
                let target = Target { object: AbstractObject::Static(ObjectId::new(index)), offset };
                written.targets.entry(*field).or_default().push(SharedTargets::single(target));
            }
        }
        for (index, function) in names.program.functions.iter().enumerate() {
            let writes = function.edges.iter().filter(|edge| !only_clears(&edge.action));
            for touch in writes.flat_map(|edge| edge.action.touches()) {
                if let (Touched::Ghost(field), AccessKind::Write) = (touch.what, touch.mode.kind) {
                    let targets = written.targets.entry(field).or_default();
                    let new = names.targets(FunctionId::new(index), touch.address);
                    if !targets.contains(&new) {
                        targets.push(new);
                    }
                }
            }
        }
        written
    }
}

/// Whether an action writes nothing but zeros.
fn only_clears(action: &Action) -> bool {
    let is_zero = |value: &Expr| matches!(value, Expr::Constant(bits) if bits.is_zero());
    match action {
        Action::Store { value, .. } => is_zero(value),
        Action::Atomic(steps) => steps.iter().all(|step| match step {
            AtomicStep::Write { value, .. } => is_zero(value),
            AtomicStep::WriteThreads { .. } | AtomicStep::PickThread { .. } => false,
            AtomicStep::Read { .. }
            | AtomicStep::Let { .. }
            | AtomicStep::Guard(_)
            | AtomicStep::Spurious
            | AtomicStep::Require(..)
            | AtomicStep::Mark { .. } => true,
        }),
        _ => false,
    }
}

/// Whether a branch needs something other than 0 where nobody writes that.
fn is_never_taken(names: &Names<'_>, written: &Written, id: FunctionId, function: &Function, branch: &Edge) -> bool {
    let Action::Assume(condition) = &branch.action else { return false };
    let mut looks = into(function, branch.source);
    let (Some(look), None) = (looks.next(), looks.next()) else { return false };
    if let Action::Call { target: Some(target), callee: Callee::Direct(callee), arguments } = &look.action {
        let is_zero = Looker::of(names.program.function(*callee)).is_some_and(|looker| {
            is_new(names.program, function, look.source, arguments.first(), DEEPEST)
                || looker.finds_nothing(names, written, id, arguments)
        });
        let condition = condition.substitute(&mut |register, width| {
            let answers = is_zero && register == *target;
            if answers { Expr::constant(width, 0) } else { Expr::register(register, width) }
        });
        return branch.source != function.entry && condition == Expr::falsehood();
    }
    let is_zero = |register: RegisterId| {
        let mut steps = look.action.steps().iter().filter(|step| step.assigned() == Some(register));
        match (steps.next(), steps.next()) {
            (Some(AtomicStep::Read { access, .. }), None) => match &access.place {
                Place::Ghost { address, field } if !field.belongs_to_thread() => {
                    if is_new(names.program, function, look.source, Some(address), DEEPEST) {
                        return true;
                    }
                    let targets = names.targets(id, address);
                    let mut all = written.targets.get(field).into_iter().flatten();
                    !all.any(|other| names.may_alias(&targets, other))
                }
                Place::Ghost { .. } | Place::Memory { .. } => false,
            },
            _ => false,
        }
    };
    let condition = condition.substitute(&mut |register, width| {
        if is_zero(register) { Expr::constant(width, 0) } else { Expr::register(register, width) }
    });
    branch.source != function.entry && condition == Expr::falsehood()
}

/// Whether an address is in memory that was allocated just before a location is reached, however it is reached: since
/// then only registers were assigned and looked at, and the address kept in a local that nobody else can know of, so
/// nobody has written any state there. The same where a function has just returned such an address.
fn is_new(program: &Program, function: &Function, location: LocationId, address: Option<&Expr>, depth: u32) -> bool {
    let Some((register, _)) = address.and_then(behind) else { return false };
    let (mut at, mut held) = (location, Held::In(register));
    // There are no more ways backwards than locations.
    for _ in 0..function.locations.len() {
        let mut before = into(function, at);
        let (Some(edge), None) = (before.next(), before.next()) else { return false };
        if at == function.entry {
            return false;
        }
        if let (Action::Forget { object } | Action::EndLife { object }, Held::At(local)) = (&edge.action, held)
            && *object == local
        {
            return false;
        }
        match (edge.action.value_flow(), held) {
            (ValueFlow::Allocate { target }, Held::In(register)) if target == register => return true,
            (ValueFlow::Call { target: Some(target), .. }, Held::In(register)) if target == register => {
                return depth > 0 && gives_new(program, &edge.action, depth - 1);
            }
            (ValueFlow::Assign { target, value }, Held::In(register)) if target == register => match behind(value) {
                Some((from, _)) => held = Held::In(from),
                None => return false,
            },
            (ValueFlow::Load { target, .. }, Held::In(register)) if target == register => {
                let Some(local) = local_of(&edge.action).filter(|local| is_named_only(function, *local)) else {
                    return false;
                };
                held = Held::At(local);
            }
            (ValueFlow::Store { value, .. }, Held::At(local)) if local_of(&edge.action) == Some(local) => {
                match behind(value) {
                    Some((from, 0)) => held = Held::In(from),
                    _ => return false,
                }
            }
            (ValueFlow::Assign { .. } | ValueFlow::None, _) => {}
            (ValueFlow::Update(steps), _) if steps.iter().all(|step| only_reads(step, held)) => {}
            (flow, _) => match flow {
                ValueFlow::Allocate { .. }
                | ValueFlow::Choose { .. }
                | ValueFlow::Load { .. }
                | ValueFlow::Store { .. }
                | ValueFlow::Return { .. }
                | ValueFlow::Spawn { .. }
                | ValueFlow::Call { .. }
                | ValueFlow::Assign { .. }
                | ValueFlow::None
                | ValueFlow::Update(_) => return false,
            },
        }
        at = edge.source;
    }
    false
}

/// How many functions may return it to each other.
const DEEPEST: u32 = 4;

/// Whether a call returns an address in memory that was just allocated, or a number.
fn gives_new(program: &Program, call: &Action, depth: u32) -> bool {
    let Action::Call { callee: Callee::Direct(callee), .. } = call else { return false };
    let function = program.function(*callee);
    function.edges.iter().all(|edge| match &edge.action {
        Action::Return { value: Some(Expr::Constant(_)) } => true,
        Action::Return { value } => is_new(program, function, edge.source, value.as_ref(), depth),
        _ => true,
    })
}

/// Where an address is that is followed backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    In(RegisterId),
    /// At the beginning of a local.
    At(FrameObjectId),
}

/// The local that an action loads an address from the beginning of, or stores one there.
fn local_of(action: &Action) -> Option<FrameObjectId> {
    let (Action::Load { access, .. } | Action::Store { access, .. }) = action else { return None };
    match &access.place {
        Place::Memory { address: Expr::Address(Base::Frame(local), width), size, .. } if 8 * *size == *width => {
            Some(*local)
        }
        Place::Memory { .. } | Place::Ghost { .. } => None,
    }
}

/// Whether a local's address is nowhere but in its own function's loads and stores of all of it: nobody else accesses it.
fn is_named_only(function: &Function, local: FrameObjectId) -> bool {
    let names = |expr: &Expr| {
        let mut found = false;
        carried(expr, &mut |origin| found |= origin == Origin::Local(local));
        found
    };
    function.edges.iter().all(|edge| {
        let mut mentions = 0;
        edge.action.for_each_expression(&mut |expr| mentions += usize::from(names(expr)));
        mentions == usize::from(local_of(&edge.action) == Some(local))
    })
}

/// Whether a step does nothing but read something into another register.
fn only_reads(step: &AtomicStep, held: Held) -> bool {
    matches!(step, AtomicStep::Read { target, .. } if held != Held::In(*target))
}

/// A function that does nothing but look at state of locks, in the object that its first parameter points into, and
/// that returns something other than 0 only where some of that is not 0.
struct Looker {
    fields: Vec<GhostField>,
}

impl Looker {
    fn of(function: &Function) -> Option<Looker> {
        let pointer = *function.parameters.first()?;
        let is_at = |address: &Expr| behind(address).is_some_and(|(register, _)| register == pointer);
        let mut fields = Vec::new();
        let mut seen: Vec<RegisterId> = Vec::new();
        for edge in &function.edges {
            match &edge.action {
                Action::Assume(_) | Action::Return { .. } => {}
                // The pointer is only moved within its object, and no number becomes what was seen.
                Action::Assign { target, value } if *target == pointer => {
                    is_at(value).then_some(())?;
                }
                Action::Assign { .. } => {}
                Action::Atomic(steps) => {
                    for step in steps {
                        let AtomicStep::Read { target, access } = step else { return None };
                        let Place::Ghost { address, field } = &access.place else { return None };
                        (is_at(address) && !field.belongs_to_thread()).then_some(())?;
                        seen.push(*target);
                        fields.push(*field);
                    }
                }
                Action::Load { .. }
                | Action::Store { .. }
                | Action::Havoc { .. }
                | Action::Forget { .. }
                | Action::EndLife { .. }
                | Action::Allocate { .. }
                | Action::Free { .. }
                | Action::Call { .. }
                | Action::Spawn { .. }
                | Action::ThreadExit { .. }
                | Action::Exit { .. }
                | Action::Assert { .. }
                | Action::Require { .. }
                | Action::AtomicBegin
                | Action::AtomicEnd
                | Action::Fence(_)
                | Action::Output(_)
                | Action::Unsupported(_)
                | Action::Inexact(_) => return None,
            }
        }
        let assigned = function.edges.iter().filter_map(|edge| match edge.action.value_flow() {
            ValueFlow::Assign { target, .. } => Some(target),
            ValueFlow::None
            | ValueFlow::Choose { .. }
            | ValueFlow::Load { .. }
            | ValueFlow::Store { .. }
            | ValueFlow::Return { .. }
            | ValueFlow::Allocate { .. }
            | ValueFlow::Spawn { .. }
            | ValueFlow::Call { .. }
            | ValueFlow::Update(_) => None,
        });
        let is_seen_only = assigned.into_iter().all(|target| !seen.contains(&target));
        // Where all that it sees is 0, it comes to no return of anything else.
        let is_taken = |edge: &Edge| {
            let Action::Assume(condition) = &edge.action else { return true };
            let condition = condition.substitute(&mut |register, width| {
                let is_nothing = seen.contains(&register);
                if is_nothing { Expr::constant(width, 0) } else { Expr::register(register, width) }
            });
            condition != Expr::falsehood()
        };
        let mut reached = vec![false; function.locations.len()];
        let mut pending = vec![function.entry];
        while let Some(location) = pending.pop() {
            if std::mem::replace(&mut reached[location.index()], true) {
                continue;
            }
            let ways = function.edges.iter().filter(|edge| edge.source == location && is_taken(edge));
            pending.extend(ways.filter(|edge| edge.action.falls_through()).map(|edge| edge.target));
        }
        let answers_nothing = function.edges.iter().filter(|edge| reached[edge.source.index()]).all(|edge| {
            let Action::Return { value } = &edge.action else { return true };
            matches!(value, Some(Expr::Constant(bits)) if bits.is_zero())
        });
        (is_seen_only && answers_nothing && !fields.is_empty()).then_some(Looker { fields })
    }

    /// Whether nobody writes what it looks at, anywhere in the objects that it is given.
    fn finds_nothing(&self, names: &Names<'_>, written: &Written, id: FunctionId, arguments: &[Expr]) -> bool {
        let Some(pointer) = arguments.first() else { return false };
        let targets = names.targets(id, pointer);
        self.fields.iter().all(|field| {
            let all = written.targets.get(field).into_iter().flatten();
            let is_among = |other: &Target| targets.iter().any(|target| target.object == other.object);
            !all.into_iter().flat_map(|targets| targets.iter()).any(is_among)
        })
    }
}

/// The edges that lead to a location.
fn into(function: &Function, location: LocationId) -> impl Iterator<Item = &Edge> {
    function.edges.iter().filter(move |edge| edge.target == location && edge.action.falls_through())
}
