//! Flags: memory that keeps one value until somebody *raises* it, which is to write anything else there. Who has read
//! another value than that knows that it has been raised, and goes on knowing it: it is history.
//!
//! So a flag that nobody raises is known by what it keeps. Of another one it is known who was first: a thread whose step
//! raises it without having seen it raised before. That thread has been started then, or that step taken; if the initial
//! thread is where it cannot have done that yet, nobody who has seen the flag raised is there beside it ([`Past`]).
//!
//! What memory keeps is its initial value if it is static, and else the number that is stored there before anybody reads
//! it ([`Written`]); zeros that it begins with do not count as stored.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_analysis::{AbstractObject, Offset, Target};
use selvedge_program::{
    Access, AccessKind, Action, AtomicStep, Bits, Budget, EdgeId, Exhausted, Expr, FunctionId, Interpretation,
    LocationId, Place, RegisterId, Touched, Transfer,
};

use super::beside::Threads;
use super::held::Locksets;
use super::names::{Name, Names};
use super::tried::Failed;
use super::written::{Written, Zeros};

/// An edge of a function.
type At = (FunctionId, EdgeId);

/// A register takes what a flag holds.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub register: RegisterId,
    pub flag: u32,
    /// What it holds as long as nobody has raised it.
    pub kept: Bits,
}

/// The flags of a program.
#[derive(Debug, Default)]
pub struct Flags {
    /// By edge.
    pub seen: FxHashMap<At, Vec<Seen>>,
    /// By flag: who raises it.
    raised: Vec<Vec<At>>,
}

/// Flags that are raised at more edges than this are left out, and those of an object with more values than this.
const MOST_RAISING: usize = 32;
const MOST_VALUES: usize = 4;

/// So many steps are what a branch looks at computed in.
const COMPUTED: usize = 2;

/// So many flags are looked at.
const MOST_FLAGS: usize = 200;

/// What a write leaves there, if that is one number.
#[derive(Clone, Debug)]
struct Write {
    at: At,
    offset: Offset,
    size: u64,
    value: Option<Bits>,
}

/// A place that is read as a whole.
type Cell = (AbstractObject, i64, u64);

impl Flags {
    /// Finds them.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn of(names: &Names<'_>, budget: &Budget) -> Result<Flags, Exhausted> {
        let reads = reads(names);
        let objects: FxHashSet<AbstractObject> = reads.keys().map(|(object, _, _)| *object).collect();
        let writes = writes(names, &objects, budget)?;
        let (mut flags, mut written) = (Flags::default(), None);
        for (cell, loads) in reads {
            budget.check()?;
            let nothing = Vec::new();
            let of_object = writes.get(&cell.0).unwrap_or(&nothing);
            let is_there = |write: &&Write| write.offset.may_overlap(write.size, exactly(cell.1), cell.2);
            let there: Vec<&Write> = of_object.iter().filter(is_there).collect();
            for kept in kept(names, cell, &there) {
                if !loads.iter().any(|((function, _), register, _)| decides(names, *function, *register, kept)) {
                    continue;
                }
                let is_kept = |write: &&&Write| {
                    (write.offset, write.size) == (exactly(cell.1), cell.2) && write.value == Some(kept)
                };
                let mut raised: Vec<At> = there.iter().filter(|write| !is_kept(write)).map(|write| write.at).collect();
                raised.sort_unstable();
                raised.dedup();
                if raised.len() > MOST_RAISING || raised.iter().any(|at| is_early(names, *at)) {
                    continue;
                }
                if !matches!(cell.0, AbstractObject::Static(_)) {
                    if written.is_none() {
                        written = Some(Written::of(names, Zeros::AreNothing, budget)?);
                    }
                    let is_written = |(at, access): &(At, &Access)| {
                        written.as_ref().is_some_and(|written| {
                            written.is_written(at.0, names.program.function(at.0).edge(at.1).source, access)
                        })
                    };
                    if !loads.iter().all(|(at, _, access)| is_written(&(*at, access))) {
                        continue;
                    }
                }
                let flag = flags.raised.len() as u32;
                for (at, register, _) in &loads {
                    flags.seen.entry(*at).or_default().push(Seen { register: *register, flag, kept });
                }
                flags.raised.push(raised);
                if flags.raised.len() == MOST_FLAGS {
                    return Ok(flags);
                }
            }
        }
        Ok(flags)
    }
}

fn exactly(start: i64) -> Offset {
    Offset { start, stride: 0 }
}

/// Whether the initial thread may take an edge before it has started any other thread: whatever that raises has been
/// raised when others look.
fn is_early(names: &Names<'_>, (function, edge): At) -> bool {
    let source = names.program.function(function).edge(edge).source;
    names.life().runners(function).contains(&0) && !names.life().has_company(function, source)
}

/// Whether some branch of a function looks as if it were not taken where a register holds a value: otherwise nothing is
/// found out by that.
fn decides(names: &Names<'_>, function: FunctionId, register: RegisterId, kept: Bits) -> bool {
    let function = names.program.function(function);
    let mut held = Failed::told_by(register, kept);
    // What is computed of it a few steps further on.
    for _ in 0..COMPUTED {
        for edge in &function.edges {
            if let Action::Assign { target, value } = &edge.action
                && *target != register
                && held.value(value).is_some()
                && !matches!(value, Expr::Constant(_))
            {
                held.assign(*target, Some(value));
            }
        }
    }
    function.edges.iter().any(|edge| match &edge.action {
        Action::Assume(condition) => {
            !matches!(condition, Expr::Constant(_)) && held.value(condition).is_some_and(Bits::is_zero)
        }
        Action::Return { value: Some(value) } => !matches!(value, Expr::Constant(_)) && held.value(value).is_some(),
        _ => false,
    })
}

/// The loads of numbers from one place each, by place.
fn reads<'p>(names: &Names<'p>) -> BTreeMap<Cell, Vec<(At, RegisterId, &'p Access)>> {
    let mut found: BTreeMap<Cell, Vec<(At, RegisterId, &'p Access)>> = BTreeMap::new();
    let program = names.program;
    for (index, function) in program.functions.iter().enumerate().filter(|(index, _)| names.life().is_run[*index]) {
        let id = FunctionId::new(index);
        for (position, edge) in function.edges.iter().enumerate() {
            let mut read = |register: RegisterId, access: &'p Access| {
                let Place::Memory { address, size, .. } = &access.place else { return };
                let targets = names.targets(id, address);
                let [Target { object, offset: Offset { start, stride: 0 } }] = *targets else { return };
                let is_memory =
                    matches!(object, AbstractObject::Static(_) | AbstractObject::Site(_) | AbstractObject::Frame(..));
                if is_memory {
                    let cell = (object, start, u64::from(*size));
                    found.entry(cell).or_default().push(((id, EdgeId::new(position)), register, access));
                }
            };
            match &edge.action {
                Action::Load { target, access, interpretation: Interpretation::Value } => read(*target, access),
                Action::Atomic(steps) => {
                    for step in steps {
                        if let AtomicStep::Read { target, access } = step {
                            read(*target, access);
                        }
                    }
                }
                _ => {}
            }
        }
    }
    found
}

/// All writes to some objects.
fn writes(
    names: &Names<'_>,
    objects: &FxHashSet<AbstractObject>,
    budget: &Budget,
) -> Result<FxHashMap<AbstractObject, Vec<Write>>, Exhausted> {
    let mut found: FxHashMap<AbstractObject, Vec<Write>> = FxHashMap::default();
    let program = names.program;
    for (index, function) in program.functions.iter().enumerate().filter(|(index, _)| names.life().is_run[*index]) {
        budget.check()?;
        let id = FunctionId::new(index);
        for (position, edge) in function.edges.iter().enumerate() {
            let at = (id, EdgeId::new(position));
            for touch in edge.action.touches() {
                if touch.mode.kind != AccessKind::Write {
                    continue;
                }
                // Of what is freed nobody reads anything.
                let (size, is_anywhere) = match touch.what {
                    Touched::Bytes(size) => (size, false),
                    Touched::CString => (1, true),
                    Touched::Ghost(_) | Touched::Whole => continue,
                };
                let value = stored(&edge.action, touch.address);
                for target in names.targets(id, touch.address).iter().filter(|at| objects.contains(&at.object)) {
                    let offset = if is_anywhere { Offset::ANY } else { target.offset };
                    found.entry(target.object).or_default().push(Write { at, offset, size, value });
                }
            }
        }
    }
    Ok(found)
}

/// The number that an action stores at an address, if it stores nothing else there.
fn stored(action: &Action, address: &Expr) -> Option<Bits> {
    let number = |access: &Access, value: &Expr| match (&access.place, value) {
        (Place::Memory { address: at, .. }, Expr::Constant(bits)) if at == address => Some(*bits),
        _ => None,
    };
    match action {
        Action::Store { access, value } => number(access, value),
        Action::Atomic(steps) => {
            let mut there = steps.iter().filter_map(|step| match step {
                AtomicStep::Write { access, value, .. } => match &access.place {
                    Place::Memory { address: at, .. } if at == address => Some(number(access, value)),
                    Place::Memory { .. } | Place::Ghost { .. } => None,
                },
                _ => None,
            });
            let first = there.next()??;
            there.all(|other| other == Some(first)).then_some(first)
        }
        _ => None,
    }
}

/// What a place may keep: the number it begins with, or one that is stored there.
fn kept(names: &Names<'_>, (object, start, size): Cell, writes: &[&Write]) -> Vec<Bits> {
    let width = u32::try_from(size).ok().and_then(|size| size.checked_mul(8)).filter(|width| *width <= 64);
    let Some(width) = width else { return Vec::new() };
    if let AbstractObject::Static(id) = object {
        let initial = names.program.object(id).initial.iter();
        let mut there = initial.filter(|initial| {
            let at = i64::try_from(initial.offset).unwrap_or(i64::MAX);
            exactly(at).may_overlap(u64::from(initial.size), exactly(start), size)
        });
        return match (there.next(), there.next()) {
            (None, _) => vec![Bits::new(width, 0)],
            (Some(initial), None) if initial.offset as i64 == start && u64::from(initial.size) == size => {
                match initial.value {
                    Expr::Constant(bits) => vec![bits],
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        };
    }
    let exact = writes.iter().filter(|write| (write.offset, write.size) == (exactly(start), size));
    let values: BTreeSet<Bits> = exact.filter_map(|write| write.value).collect();
    if values.len() > MOST_VALUES { Vec::new() } else { values.into_iter().collect() }
}

/// What has happened when a flag has been raised, and what the initial thread can have done.
#[derive(Debug)]
pub struct Past {
    /// By flag: the events one of which has happened if it was raised; none if it never is; `None` where that is not
    /// known.
    first: Vec<Option<Rc<Threads>>>,
    /// By function and location: the events that may have happened when the initial thread is there.
    at: Vec<Vec<Rc<Threads>>>,
}

impl Past {
    /// Finds out. Events are the starts of threads, by their numbers, and then the edges by which the initial thread
    /// raises flags.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn of(names: &Names<'_>, flags: &Flags, locksets: &Locksets, budget: &Budget) -> Result<Past, Exhausted> {
        let life = names.life();
        let known = |(function, edge): At| {
            let source = names.program.function(function).edge(edge).source;
            raised(locksets, function, source)
        };
        // No flag of these is ever raised: the first one would be raised where one has been.
        let mut never: BTreeSet<u32> = (0..flags.raised.len() as u32).collect();
        loop {
            let is_open = |flag: &u32| {
                let mut raising = flags.raised[*flag as usize].iter();
                raising.any(|at| !known(*at).any(|other| never.contains(&other)))
            };
            let open: Vec<u32> = never.iter().copied().filter(is_open).collect();
            if open.is_empty() {
                break;
            }
            open.iter().for_each(|flag| {
                never.remove(flag);
            });
        }
        let mut numbers: BTreeMap<At, u32> = BTreeMap::new();
        let starts: BTreeMap<At, u32> =
            (1u32..).zip(&life.starts).map(|(number, (function, edge, _))| ((*function, *edge), number)).collect();
        let is_own = |number: &u32| {
            let (function, _, _) = &life.starts[*number as usize - 1];
            life.is_initial_only(*function)
        };
        let mut first = Vec::with_capacity(flags.raised.len());
        for (flag, raising) in (0u32..).zip(&flags.raised) {
            let mut events = Some(Threads::new());
            for at in raising.iter().filter(|_| !never.contains(&flag)) {
                if known(*at).any(|other| other == flag || never.contains(&other)) {
                    continue;
                }
                for runner in life.runners(at.0) {
                    let event = match runner {
                        0 => {
                            let next = (life.starts.len() + 1 + numbers.len()) as u32;
                            Some(*numbers.entry(*at).or_insert(next))
                        }
                        number => Some(*number).filter(is_own),
                    };
                    events = events.zip(event).map(|(mut events, event)| {
                        events.insert(event);
                        events
                    });
                }
            }
            first.push(events.map(Rc::new));
        }
        numbers.extend(starts);
        Ok(Past { first, at: happened(names, &numbers, budget)? })
    }

    /// Whether no thread is ever at a location.
    pub fn is_never(&self, locksets: &Locksets, function: FunctionId, location: LocationId) -> bool {
        let mut raised = raised(locksets, function, location);
        !locksets.is_reached(function, location)
            || raised.any(|flag| self.first[flag as usize].as_ref().is_some_and(|events| events.is_empty()))
    }

    /// Sets of events of each of which one has happened when a thread is at a location.
    pub fn before(&self, locksets: &Locksets, function: FunctionId, location: LocationId) -> BTreeSet<Rc<Threads>> {
        raised(locksets, function, location).filter_map(|flag| self.first[flag as usize].clone()).collect()
    }

    /// What may have happened when the initial thread is at a location.
    pub fn of_initial(&self, function: FunctionId, location: LocationId) -> Rc<Threads> {
        self.at[function.index()][location.index()].clone()
    }
}

/// The flags that have certainly been raised when a thread is at a location.
fn raised(locksets: &Locksets, function: FunctionId, location: LocationId) -> impl Iterator<Item = u32> {
    locksets.held(function, location).filter_map(|(name, _)| match name {
        Name::Raised(flag) => Some(flag),
        Name::Fixed(_) | Name::Behind(..) | Name::At(..) => None,
    })
}

/// By function and location, which edges the initial thread may have taken before it is there.
fn happened(
    names: &Names<'_>,
    numbers: &BTreeMap<At, u32>,
    budget: &Budget,
) -> Result<Vec<Vec<Rc<Threads>>>, Exhausted> {
    let program = names.program;
    let nothing = Rc::new(Threads::new());
    let mut at: Vec<Vec<Option<Rc<Threads>>>> =
        program.functions.iter().map(|function| vec![None; function.locations.len()]).collect();
    let mut left: Vec<Option<Rc<Threads>>> = vec![None; program.functions.len()];
    let mut calls: Vec<Vec<(FunctionId, LocationId)>> = vec![Vec::new(); program.functions.len()];
    for entering in names.life().entering.iter().flatten().filter(|entering| !entering.is_start) {
        let place = (entering.at.0, entering.source);
        entering.entered.iter().for_each(|callee| calls[callee.index()].push(place));
    }
    let grow = |known: &mut Option<Rc<Threads>>, more: &Rc<Threads>| match known {
        None => {
            *known = Some(more.clone());
            true
        }
        Some(known) if more.is_subset(known) => false,
        Some(known) => {
            Rc::make_mut(known).extend(more.iter());
            true
        }
    };
    let mut pending = Vec::new();
    if let Some(main) = program.main() {
        let entry = program.function(main).entry;
        at[main.index()][entry.index()] = Some(nothing.clone());
        pending.push((main, entry));
    }
    while let Some((id, location)) = pending.pop() {
        budget.check()?;
        let function = program.function(id);
        let Some(before) = at[id.index()][location.index()].clone() else { continue };
        for edge_id in &function.location(location).outgoing {
            let edge = function.edge(*edge_id);
            let mut after = before.clone();
            if let Some(number) = numbers.get(&(id, *edge_id)) {
                Rc::make_mut(&mut after).insert(*number);
            }
            match edge.action.transfer() {
                Transfer::Call { .. } => {
                    for callee in names.life().entered(id, *edge_id) {
                        let entry = program.function(*callee).entry;
                        if grow(&mut at[callee.index()][entry.index()], &after) {
                            pending.push((*callee, entry));
                        }
                        if let Some(left) = left[callee.index()].clone()
                            && grow(&mut at[id.index()][edge.target.index()], &left)
                        {
                            pending.push((id, edge.target));
                        }
                    }
                }
                Transfer::Return { .. } => {
                    let is_more = grow(&mut left[id.index()], &after);
                    pending.extend(calls[id.index()].iter().filter(|_| is_more));
                }
                _ if edge.action.falls_through() => {
                    let is_more = grow(&mut at[id.index()][edge.target.index()], &after);
                    pending.extend(is_more.then_some((id, edge.target)));
                }
                _ => {}
            }
        }
    }
    let of = |known: Vec<Option<Rc<Threads>>>| known.into_iter().map(|known| known.unwrap_or_else(|| nothing.clone()));
    Ok(at.into_iter().map(|known| of(known).collect()).collect())
}
