//! The locks that functions may give back or overwrite: by where they may be, or by the parameter that they are given by.
//! So a function that unlocks what it is given loses what each caller gives it, and no other lock.

use rustc_hash::FxHashSet;
use selvedge_analysis::points_to::SharedTargets;
use selvedge_program::{BinaryOp, Bits, EdgeId, Expr, Function, FunctionId, LockKind, RegisterId, Transfer};

use super::held::{Update, Updates};
use super::names::{Names, behind};

/// Locks farther than this from what a parameter points to are known by where they may be: recursion does not go on for
/// ever with ever larger distances.
const FARTHEST: u64 = 4096;

/// A lock that a function may give back or overwrite.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Loss {
    /// One of these.
    There(LockKind, SharedTargets),
    /// The one so many bytes behind what a parameter points to.
    Given(LockKind, usize, i64),
}

impl Loss {
    /// What is lost where a function updates a lock at an address.
    fn of(names: &Names<'_>, constant: &[Vec<bool>], function: FunctionId, address: &Expr, kind: LockKind) -> Loss {
        let parameters = &names.program.function(function).parameters;
        let given = behind(address).filter(|(_, distance)| distance.unsigned_abs() <= FARTHEST);
        let given = given.and_then(|(register, distance)| {
            let position = parameters.iter().position(|parameter| *parameter == register)?;
            constant[function.index()][position].then_some(Loss::Given(kind, position, distance))
        });
        given.unwrap_or_else(|| Loss::There(kind, names.targets(function, address)))
    }

    /// The same for who calls the function.
    fn by_call(&self, names: &Names<'_>, constant: &[Vec<bool>], call: (FunctionId, EdgeId), by: FunctionId) -> Loss {
        let Loss::Given(kind, position, distance) = self else { return self.clone() };
        match arguments(names, call).get(*position) {
            Some(argument) => Loss::of(names, constant, call.0, &further(argument, *distance), *kind),
            None => Loss::There(*kind, own_targets(names, by, *position, *distance)),
        }
    }

    /// What it may be where the function is called.
    pub fn meant(&self, names: &Names<'_>, call: (FunctionId, EdgeId), by: FunctionId) -> (LockKind, SharedTargets) {
        match self {
            Loss::There(kind, targets) => (*kind, targets.clone()),
            Loss::Given(kind, position, distance) => match arguments(names, call).get(*position) {
                Some(argument) => (*kind, names.targets(call.0, &further(argument, *distance))),
                None => (*kind, own_targets(names, by, *position, *distance)),
            },
        }
    }
}

/// What lies behind a parameter, wherever the function is called.
fn own_targets(names: &Names<'_>, function: FunctionId, position: usize, distance: i64) -> SharedTargets {
    let own = names.program.function(function).parameters[position];
    names.targets(function, &further(&Expr::register(own, names.program.pointer_width()), distance))
}

/// The arguments of a call.
fn arguments<'p>(names: &Names<'p>, (function, edge): (FunctionId, EdgeId)) -> &'p [Expr] {
    match names.program.function(function).edge(edge).action.transfer() {
        Transfer::Call { arguments, .. } => arguments,
        Transfer::Along
        | Transfer::Spawn { .. }
        | Transfer::Return { .. }
        | Transfer::ThreadExit { .. }
        | Transfer::Exit { .. }
        | Transfer::AtomicBegin
        | Transfer::AtomicEnd
        | Transfer::Unknown => &[],
    }
}

/// An address so many bytes further.
pub fn further(address: &Expr, distance: i64) -> Expr {
    let distance = Expr::Constant(Bits::signed(address.width(), i128::from(distance)));
    Expr::binary(BinaryOp::Add, address.clone(), distance)
}

/// By function: the parameters that keep their values.
pub fn constant_parameters(names: &Names<'_>) -> Vec<Vec<bool>> {
    let of = |function: &Function| {
        let assigned: FxHashSet<RegisterId> = function.edges.iter().flat_map(|edge| edge.action.assigned()).collect();
        function.parameters.iter().map(|parameter| !assigned.contains(parameter)).collect()
    };
    names.program.functions.iter().map(of).collect()
}

/// By function: the locks that it, or what it calls, may give back or overwrite.
pub fn lost(names: &Names<'_>, constant: &[Vec<bool>], updates: &Updates<'_>) -> Vec<FxHashSet<Loss>> {
    let entering = &names.life().entering;
    let mut lost: Vec<FxHashSet<Loss>> = vec![FxHashSet::default(); entering.len()];
    for ((function, _), updates) in updates {
        for update in updates {
            if let Update::Given(address, _, kind, _) | Update::Overwritten(address, _, kind) = update {
                lost[function.index()].insert(Loss::of(names, constant, *function, address, *kind));
            }
        }
    }
    let mut calls: Vec<Vec<(FunctionId, EdgeId)>> = vec![Vec::new(); entering.len()];
    for entering in entering.iter().flatten().filter(|entering| !entering.is_start) {
        entering.entered.iter().for_each(|callee| calls[callee.index()].push(entering.at));
    }
    let is_any = |function: &FunctionId| !lost[function.index()].is_empty();
    let mut pending: Vec<FunctionId> = (0..lost.len()).map(FunctionId::new).filter(is_any).collect();
    while let Some(callee) = pending.pop() {
        for &call in &calls[callee.index()] {
            let caller = call.0;
            let all: Vec<Loss> =
                lost[callee.index()].iter().map(|loss| loss.by_call(names, constant, call, callee)).collect();
            let before = lost[caller.index()].len();
            lost[caller.index()].extend(all);
            if lost[caller.index()].len() > before {
                pending.push(caller);
            }
        }
    }
    lost
}
