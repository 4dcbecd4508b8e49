//! Arrays of which every thread is given an element of its own: a loop of the initial thread starts a thread in each of
//! its rounds, with the address of the element whose index is the loop's counter.
//!
//! The counter goes up by one from a number that is not negative, as long as it is less than something, and no product
//! wraps around; so two rounds never mean the same element. When the loop is entered no thread of that start is alive,
//! and nothing in it starts the loop again. So all threads of the start that are alive at once were started in one
//! execution of the loop, each with another element; and what a round does to the element of its own index before it
//! starts its thread, it does to an element that no thread was given that is alive.
//!
//! Of a started function it is known which registers point how far behind what the thread was given. An access is to the
//! thread's *portion* if it stays within the element.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use selvedge_program::{
    Action, BinaryOp, Conversion, EdgeId, Expr, Function, FunctionId, LocationId, RegisterId, Transfer,
};

use super::beside::{Beside, Threads};
use super::life::Life;
use super::names::{Names, behind};
use super::rounds::{Counted, Courses, is_reached};

/// The starts that give each thread an element of its own.
#[derive(Debug)]
pub struct Portions {
    /// By the number of the start.
    starts: BTreeMap<u32, Start>,
    /// By function that such starts enter: which registers point how far behind what the thread was given.
    given: FxHashMap<FunctionId, Vec<Option<BTreeMap<RegisterId, i64>>>>,
}

#[derive(Debug)]
struct Start {
    function: FunctionId,
    edge: EdgeId,
    counted: Counted,
    element: Element,
    /// Whom it enters; only such starts enter it.
    entered: Vec<FunctionId>,
}

/// An address in terms of a loop's counter: some values that the loop does not change, the counter times a stride, and a
/// constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Element {
    others: Vec<Expr>,
    stride: Option<u64>,
    constant: i64,
}

/// The largest distance of an element that is looked at: no product wraps around.
const LARGEST: i64 = 1 << 48;

impl Portions {
    /// Finds them.
    pub fn of<'a, 'p>(names: &'a Names<'p>, courses: &mut Courses<'a, 'p>, beside: &Beside<'_, '_>) -> Portions {
        let life = names.life();
        let mut portions = Portions { starts: BTreeMap::new(), given: FxHashMap::default() };
        let mut loops: FxHashMap<FunctionId, Vec<Counted>> = FxHashMap::default();
        for (number, (id, edge, _)) in (1u32..).zip(&life.starts) {
            if life.is_initial_only(*id) {
                let loops = loops.entry(*id).or_insert_with(|| courses.loops(*id));
                let mut found =
                    loops.iter().filter_map(|counted| start(names, courses, beside, (number, *id, *edge), counted));
                let first = found.next();
                portions.starts.extend(first.map(|start| (number, start)));
            }
        }
        // Who is entered otherwise, too, may be given anything.
        loop {
            let before = portions.starts.len();
            let known: Vec<(FunctionId, EdgeId)> =
                portions.starts.values().map(|start| (start.function, start.edge)).collect();
            for entering in life.entering.iter().flatten().filter(|entering| !known.contains(&entering.at)) {
                portions
                    .starts
                    .retain(|_, start| !start.entered.iter().any(|entered| entering.entered.contains(entered)));
            }
            if portions.starts.len() == before {
                break;
            }
        }
        for entered in portions.starts.values().flat_map(|start| &start.entered) {
            portions.given.entry(*entered).or_insert_with(|| given(names.program.function(*entered)));
        }
        portions
    }

    /// The starts each of whose threads was given a portion, to which alone an access at an address is made.
    pub fn within(&self, function: FunctionId, location: LocationId, address: &Expr, size: u64) -> Threads {
        let distance = behind(address).and_then(|(register, distance)| {
            let given = self.given.get(&function)?[location.index()].as_ref()?;
            given.get(&register)?.checked_add(distance)
        });
        let Some(distance) = distance else { return Threads::new() };
        let stays = |start: &Start| {
            start.entered.contains(&function) && is_inside(distance, size, start.element.stride.unwrap_or(0))
        };
        self.starts.iter().filter(|(_, start)| stays(start)).map(|(number, _)| *number).collect()
    }

    /// The starts whose threads have been given other elements than the one to which the initial thread makes an access.
    pub fn ahead(&self, function: &Function, id: FunctionId, edge: EdgeId, address: &Expr, size: u64) -> Threads {
        let source = function.edge(edge).source;
        let is_ahead = |start: &Start| {
            let counted = &start.counted;
            if id != start.function || !counted.is_inside(source) || source == counted.header {
                return false;
            }
            let begun = function.edge(start.edge).target;
            let is_after = begun != counted.header
                && (begun == source || is_reached(function, &counted.body, begun, source, counted.back));
            let address = in_round(function, counted, edge, address, 0);
            let element = address.and_then(|address| element(&address, counted.counter()));
            !is_after
                && element.is_some_and(|other| {
                    let distance = other.constant.checked_sub(start.element.constant);
                    (&other.others, other.stride) == (&start.element.others, start.element.stride)
                        && distance.is_some_and(|distance| is_inside(distance, size, other.stride.unwrap_or(0)))
                })
        };
        self.starts.iter().filter(|(_, start)| is_ahead(start)).map(|(number, _)| *number).collect()
    }
}

/// Whether so many bytes at a distance from the beginning of an element are all in it.
fn is_inside(distance: i64, size: u64, stride: u64) -> bool {
    u64::try_from(distance).ok().and_then(|from| from.checked_add(size)).is_some_and(|end| end <= stride)
}

/// A start that a loop makes once in a round, with an element of its own.
fn start<'a, 'p>(
    names: &'a Names<'p>,
    courses: &Courses<'a, 'p>,
    beside: &Beside<'_, '_>,
    (number, id, edge): (u32, FunctionId, EdgeId),
    counted: &Counted,
) -> Option<Start> {
    let function = names.program.function(id);
    let Transfer::Spawn { arguments, .. } = function.edge(edge).action.transfer() else { return None };
    let source = function.edge(edge).source;
    // Once in a round: it is not reached again but by the next one.
    let is_once = counted.is_inside(source)
        && source != counted.header
        && (function.edge(edge).target == counted.header
            || function.edge(edge).target != source
                && !is_reached(function, &counted.body, function.edge(edge).target, source, counted.back));
    let counter = counted.counter();
    let (first, last) = courses.goes_up(counted.course)?;
    let element = element(&in_round(function, counted, edge, arguments.first()?, 0)?, counter)?;
    let stride = i64::try_from(element.stride?).ok()?;
    let is_small = first >= 0 && last.checked_mul(stride).is_some_and(|largest| largest <= LARGEST);
    // No thread of it is there when the loop begins.
    let mut entries =
        function.edges.iter().filter(|entry| entry.target == counted.header && !counted.is_inside(entry.source));
    let is_none = entries.all(|entry| {
        let is_plain = matches!(entry.action.transfer(), Transfer::Along);
        is_plain && !beside.beside_initial(id, entry.source).contains(&number)
    });
    let life = names.life();
    let mut calls =
        life.entering[id.index()].iter().filter(|entering| !entering.is_start && counted.is_inside(entering.source));
    let is_alone = !calls.any(|call| call.entered.iter().any(|callee| reaches(life, *callee, id)));
    let entered = life.entered(id, edge).to_vec();
    (is_once && is_small && is_none && is_alone && counted.header != function.entry).then(|| Start {
        function: id,
        edge,
        counted: counted.clone(),
        element,
        entered,
    })
}

/// How deep values are followed within a round.
const DEEPEST: u32 = 16;

/// What an expression at an edge of a loop is in terms of the counter and of registers that the loop does not change.
fn in_round(function: &Function, counted: &Counted, edge: EdgeId, value: &Expr, depth: u32) -> Option<Expr> {
    if depth > DEEPEST {
        return None;
    }
    let source = function.edge(edge).source;
    let mut is_known = true;
    let value = value.substitute(&mut |register, width| {
        let inside = |edge: &&(usize, &selvedge_program::Edge)| {
            counted.is_inside(edge.1.source) && edge.1.action.assigned().contains(&register)
        };
        let all: Vec<(usize, &selvedge_program::Edge)> = function.edges.iter().enumerate().collect();
        let mut assigning = all.iter().filter(inside);
        let found = match (assigning.next(), assigning.next()) {
            _ if register == counted.counter() => Some(Expr::register(register, width)),
            (None, _) => Some(Expr::register(register, width)),
            (Some((index, by)), None) => {
                let is_passed = source != counted.header
                    && !is_reached(function, &counted.body, counted.header, source, EdgeId::new(*index));
                match &by.action {
                    Action::Assign { value, .. } if is_passed => {
                        in_round(function, counted, EdgeId::new(*index), value, depth + 1)
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        is_known &= found.is_some();
        found.unwrap_or_else(|| Expr::constant(width, 0))
    });
    is_known.then_some(value)
}

/// An address in terms of a counter.
fn element(address: &Expr, counter: RegisterId) -> Option<Element> {
    let mut element = Element::default();
    add(&mut element, address, counter)?;
    element.stride?;
    Some(element)
}

fn add(element: &mut Element, value: &Expr, counter: RegisterId) -> Option<()> {
    match value {
        Expr::Constant(bits) => {
            element.constant = element.constant.checked_add(i64::try_from(bits.as_signed()).ok()?)?;
        }
        Expr::Binary(BinaryOp::Add, left, right) => {
            add(element, left, counter)?;
            add(element, right, counter)?;
        }
        value if !value.mentions(&[counter]) => element.others.push(value.clone()),
        Expr::Binary(BinaryOp::Multiply, index, stride) if is_counter(index, counter) => {
            let Expr::Constant(stride) = **stride else { return None };
            let stride = u64::try_from(stride.as_signed()).ok().filter(|stride| *stride > 0)?;
            if element.stride.replace(stride).is_some() {
                return None;
            }
        }
        _ => return None,
    }
    Some(())
}

/// Whether a value is the counter, perhaps made wider.
fn is_counter(value: &Expr, counter: RegisterId) -> bool {
    match value {
        Expr::Register(register, _) => *register == counter,
        Expr::Convert(Conversion::ZeroExtend | Conversion::SignExtend, _, narrow) => is_counter(narrow, counter),
        _ => false,
    }
}

/// By location of a started function, which registers point how far behind its first argument.
fn given(function: &Function) -> Vec<Option<BTreeMap<RegisterId, i64>>> {
    let mut at: Vec<Option<BTreeMap<RegisterId, i64>>> = vec![None; function.locations.len()];
    at[function.entry.index()] = Some(function.parameters.first().map(|first| (*first, 0)).into_iter().collect());
    let mut pending = vec![function.entry];
    while let Some(location) = pending.pop() {
        let Some(known) = at[location.index()].clone() else { continue };
        for edge in &function.location(location).outgoing {
            let edge = function.edge(*edge);
            if !edge.action.falls_through() {
                continue;
            }
            let copied = match &edge.action {
                Action::Assign { target, value } => behind(value)
                    .and_then(|(register, distance)| Some((*target, known.get(&register)?.checked_add(distance)?))),
                _ => None,
            };
            let mut after = known.clone();
            edge.action.assigned().iter().for_each(|register| {
                after.remove(register);
            });
            after.extend(copied);
            let is_new = match &mut at[edge.target.index()] {
                None => {
                    at[edge.target.index()] = Some(after);
                    true
                }
                Some(before) => {
                    let count = before.len();
                    before.retain(|register, distance| after.get(register) == Some(distance));
                    before.len() < count
                }
            };
            if is_new {
                pending.push(edge.target);
            }
        }
    }
    at
}

/// Whether one function may come to call another, or is it.
fn reaches(life: &Life, from: FunctionId, to: FunctionId) -> bool {
    let (mut seen, mut pending) = (Vec::new(), vec![from]);
    while let Some(function) = pending.pop() {
        if function == to {
            return true;
        }
        if !seen.contains(&function) {
            seen.push(function);
            let calls = life.entering[function.index()].iter().filter(|entering| !entering.is_start);
            pending.extend(calls.flat_map(|call| &call.entered).copied());
        }
    }
    false
}
