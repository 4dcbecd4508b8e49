//! A program without what no thread comes to because of constants: a branch on what a library function always answers,
//! as in `if (pthread_create(…) != 0)`.
//!
//! Of every register it is known at a location whether it holds one number whenever a thread is there: by what was
//! assigned, by the arguments of all calls of a function that are known, and by what a function returns wherever it does.
//! A branch whose condition is false with these numbers is never taken. Edges that are never passed are taken out of the
//! program; what stays has the same executions.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_program::{Action, Bits, Callee, Expr, Function, FunctionId, Program, RegisterId};

use super::cloned::addresses;

/// The numbers that registers hold; of others, nothing is known.
type Numbers = BTreeMap<RegisterId, Bits>;

/// How often what is known of functions is used to find out more.
const ROUNDS: usize = 3;

/// What is known of functions.
struct Known {
    /// What parameters are in all calls.
    given: FxHashMap<(FunctionId, RegisterId), Bits>,
    /// What functions return.
    results: FxHashMap<FunctionId, Bits>,
}

/// Takes out what is never passed.
pub fn prune(program: &mut Program) {
    let mut known = Known { given: FxHashMap::default(), results: FxHashMap::default() };
    let mut at = Vec::new();
    for round in 0..ROUNDS {
        at = (0..program.functions.len()).map(|id| known.follow(program, FunctionId::new(id))).collect();
        if round + 1 < ROUNDS {
            known = Known::of(program, &at);
        }
    }
    for (function, at) in program.functions.iter_mut().zip(at) {
        remove(function, &at);
    }
}

/// A value with the numbers that are known.
fn with(value: &Expr, numbers: &Numbers) -> Expr {
    value.substitute(&mut |register, width| match numbers.get(&register) {
        Some(bits) if bits.width() == width => Expr::Constant(*bits),
        _ => Expr::register(register, width),
    })
}

fn number(value: &Expr, numbers: &Numbers) -> Option<Bits> {
    match with(value, numbers) {
        Expr::Constant(bits) => Some(bits),
        _ => None,
    }
}

/// Whether an edge with this action may be passed.
fn may_pass(action: &Action, numbers: &Numbers) -> bool {
    !matches!(action, Action::Assume(condition) if with(condition, numbers) == Expr::falsehood())
}

impl Known {
    /// What is known of functions where it is known what threads hold at their locations.
    fn of(program: &Program, at: &[Vec<Option<Numbers>>]) -> Known {
        let mut arguments: FxHashMap<(FunctionId, RegisterId), Option<Bits>> = FxHashMap::default();
        let mut returned: FxHashMap<FunctionId, Option<Bits>> = FxHashMap::default();
        fn agree<K: std::hash::Hash + Eq>(all: &mut FxHashMap<K, Option<Bits>>, key: K, found: Option<Bits>) {
            let known = all.entry(key).or_insert(found);
            *known = known.filter(|known| Some(*known) == found);
        }
        for (index, function) in program.functions.iter().enumerate() {
            for edge in &function.edges {
                let Some(numbers) = &at[index][edge.source.index()] else { continue };
                match &edge.action {
                    Action::Call { callee, arguments: given, .. }
                    | Action::Spawn { entry: callee, arguments: given, .. } => {
                        let Callee::Direct(callee) = callee else { continue };
                        for (position, parameter) in program.function(*callee).parameters.iter().enumerate() {
                            let found = given.get(position).and_then(|value| number(value, numbers));
                            agree(&mut arguments, (*callee, *parameter), found);
                        }
                    }
                    Action::Return { value: Some(value) } => {
                        agree(&mut returned, FunctionId::new(index), number(value, numbers));
                    }
                    _ => {}
                }
            }
        }
        // Of these it is not known who else enters them.
        let mut open: Vec<FunctionId> = program.entries.iter().chain(&program.address_taken).copied().collect();
        let initial = program.objects.iter().flat_map(|object| &object.initial);
        initial.for_each(|initial| addresses(&initial.value, &mut open));
        let open: FxHashSet<FunctionId> = open.into_iter().collect();
        let given = arguments.into_iter().filter(|((function, _), _)| !open.contains(function));
        Known {
            given: given.filter_map(|(key, bits)| Some((key, bits?))).collect(),
            results: returned.into_iter().filter_map(|(key, bits)| Some((key, bits?))).collect(),
        }
    }

    /// The numbers at the locations of a function; `None` where no thread ever is.
    fn follow(&self, program: &Program, id: FunctionId) -> Vec<Option<Numbers>> {
        let function = program.function(id);
        let mut at: Vec<Option<Numbers>> = vec![None; function.locations.len()];
        let given = |parameter: &RegisterId| Some((*parameter, *self.given.get(&(id, *parameter))?));
        at[function.entry.index()] = Some(function.parameters.iter().filter_map(given).collect());
        let mut pending = vec![function.entry];
        while let Some(location) = pending.pop() {
            let Some(numbers) = at[location.index()].clone() else { continue };
            for edge in &function.location(location).outgoing {
                let edge = function.edge(*edge);
                if !edge.action.falls_through() || !may_pass(&edge.action, &numbers) {
                    continue;
                }
                let after = self.after(&edge.action, &numbers);
                if meet(&mut at[edge.target.index()], after) {
                    pending.push(edge.target);
                }
            }
        }
        at
    }

    fn after(&self, action: &Action, numbers: &Numbers) -> Numbers {
        let mut after = numbers.clone();
        for register in action.assigned() {
            after.remove(&register);
        }
        let assigned = match action {
            Action::Assign { target, value } => number(value, numbers).map(|bits| (*target, bits)),
            Action::Call { target: Some(target), callee: Callee::Direct(callee), .. } => {
                self.results.get(callee).map(|bits| (*target, *bits))
            }
            _ => None,
        };
        after.extend(assigned);
        after
    }
}

/// Takes back what is not so on another way; whether that changes anything.
fn meet(known: &mut Option<Numbers>, other: Numbers) -> bool {
    let Some(known) = known else {
        *known = Some(other);
        return true;
    };
    let before = known.len();
    known.retain(|register, bits| other.get(register) == Some(bits));
    known.len() < before
}

/// Takes the edges out that are never passed. They keep their numbers, and do nothing.
fn remove(function: &mut Function, at: &[Option<Numbers>]) {
    let mut is_passed = Vec::with_capacity(function.edges.len());
    for edge in &mut function.edges {
        let numbers = at[edge.source.index()].as_ref();
        is_passed.push(numbers.is_some_and(|numbers| may_pass(&edge.action, numbers)));
        if is_passed.last() == Some(&false) {
            edge.action = Action::Exit { status: Expr::constant(32, 0) };
        }
    }
    for location in &mut function.locations {
        location.outgoing.retain(|edge| is_passed[edge.index()]);
    }
}
