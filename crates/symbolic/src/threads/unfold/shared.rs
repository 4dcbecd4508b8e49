//! Which functions are shared by all their calls, where call strings would be too many: those that would have very many
//! places, one after the other from the callers to the called. So what is near to where a thread begins is told apart by its
//! callers, and what many ways of calls lead to is not.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_program::{Callee, FunctionId, Program, Transfer};

use super::Callees;

/// A function that would have more places than this, all its calls together, is shared.
const MOST_OF_ONE: usize = 1_000;

/// The functions that are shared in threads that run a function. No way of calls leads from such a function back to it.
pub(super) fn functions(program: &Program, entry: FunctionId, callees: &Callees) -> BTreeSet<FunctionId> {
    let mut calls = BTreeMap::new();
    let order = from_callers(program, entry, callees, &mut calls);
    let mut strings = BTreeMap::from([(entry, 1_usize)]);
    let mut shared = BTreeSet::new();
    for function in order {
        let places = program.function(function).locations.len();
        let count = strings.get(&function).copied().unwrap_or(1);
        let is_large = count > 1 && count.saturating_mul(places) > MOST_OF_ONE;
        let count = if is_large && !calls_itself(&calls, function) {
            shared.insert(function);
            1
        } else {
            count
        };
        for &called in &calls[&function] {
            let of = strings.entry(called).or_default();
            *of = of.saturating_add(count);
        }
    }
    shared
}

/// The functions that a thread may call, callers before called where they do not call each other in circles, with the calls
/// that each makes.
fn from_callers(
    program: &Program,
    entry: FunctionId,
    callees: &Callees,
    calls: &mut BTreeMap<FunctionId, Vec<FunctionId>>,
) -> Vec<FunctionId> {
    let mut order = Vec::new();
    // Functions to go into, and those that are left behind.
    let mut pending = vec![(entry, false)];
    while let Some((function, is_done)) = pending.pop() {
        if is_done {
            order.push(function);
            continue;
        }
        if calls.contains_key(&function) {
            continue;
        }
        let called = called(program, function, callees);
        pending.push((function, true));
        pending.extend(called.iter().map(|called| (*called, false)));
        calls.insert(function, called);
    }
    order.reverse();
    order
}

/// Whom a function calls, once for each call.
fn called(program: &Program, function: FunctionId, callees: &Callees) -> Vec<FunctionId> {
    let edges = program.function(function).edges.iter().enumerate();
    let called = edges.flat_map(|(number, edge)| match edge.action.transfer() {
        Transfer::Call { callee: Callee::Direct(called), .. } => vec![*called],
        Transfer::Call { callee: Callee::Indirect(_), .. } => {
            let edge = selvedge_program::EdgeId::new(number);
            callees.get(&(function, edge)).into_iter().flatten().copied().collect()
        }
        _ => Vec::new(),
    });
    called.collect()
}

/// Whether some way of calls leads from a function back to it.
fn calls_itself(calls: &BTreeMap<FunctionId, Vec<FunctionId>>, function: FunctionId) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending = calls[&function].clone();
    while let Some(next) = pending.pop() {
        if next == function {
            return true;
        }
        if seen.insert(next) {
            pending.extend(calls.get(&next).into_iter().flatten());
        }
    }
    false
}
