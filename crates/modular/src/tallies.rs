//! What is tracked of counters that a path changes or looks at: that the counter is what all threads have added to it,
//! or what they have left of what was there, and whether the thread itself has added or taken something. Two threads
//! of which each holds a part then know that the counter is not what it would be without them.

use std::collections::BTreeSet;

use selvedge_abstraction::StepKey;
use selvedge_program::{BinaryOp, Expr, RegisterId};
use selvedge_symbolic::tally::TALLY_WIDTH;
use selvedge_symbolic::threads::Who;
use selvedge_symbolic::{CellKey, Predicate, Tally, Variable};

use crate::path::Leg;
use crate::slice::Lock;
use crate::space::Space;

/// How many values that are stored to a counter are taken for what it begins with.
const MOST_FIRST: usize = 3;

/// What to track of the counters on a path and at the step after it.
pub fn tallies(space: &mut Space<'_, '_, '_>, legs: &[Leg], last: StepKey, found: &mut Vec<Predicate>) {
    let counters: Vec<CellKey> = space.on.view.universe.counters().collect();
    if counters.is_empty() {
        return;
    }
    let mut touched: BTreeSet<CellKey> = BTreeSet::new();
    for (function, edge, kind) in legs.iter().map(|leg| leg.step()).chain([last]) {
        let moved = space.on.view.moved(Who::Own, function, edge, kind);
        touched.extend(moved.touched.iter().map(|touched| touched.cell));
    }
    for counter in counters.into_iter().filter(|counter| touched.contains(counter)) {
        let begins = first_values(space, counter);
        for predicate in of_counter(space, counter, &begins) {
            if !found.contains(&predicate) {
                found.push(predicate);
            }
        }
    }
}

/// What to track of the counters of some locks: of those that several threads may hold at a time.
pub fn of_locks_held_by_several(space: &mut Space<'_, '_, '_>, locks: &BTreeSet<Lock>) -> Vec<Predicate> {
    let is_of = |counter: &CellKey| match *counter {
        CellKey::Ghost { object, offset, .. } => locks.contains(&(object, offset)),
        _ => false,
    };
    let counters: Vec<CellKey> = space.on.view.universe.counters().filter(is_of).collect();
    let mut found = Vec::new();
    for counter in counters {
        let begins = first_values(space, counter);
        found.extend(of_counter(space, counter, &begins));
    }
    found
}

/// What a counter may hold before anybody counts: its initial value, and constants that are stored to it.
fn first_values(space: &mut Space<'_, '_, '_>, counter: CellKey) -> BTreeSet<u128> {
    let view = &mut space.on.view;
    let mut values = BTreeSet::new();
    let initial = view.initial(counter);
    let written = view.steps().into_iter().map(|(function, edge, kind)| {
        let moved = view.moved(Who::Own, function, edge, kind);
        moved.cells.get(&counter).copied()
    });
    let written: Vec<_> = written.collect();
    for word in written.into_iter().chain([initial]).flatten() {
        if let (Some(value), true) = (view.builder.constant(word.bits), view.builder.is_number(word)) {
            values.insert(value);
        }
    }
    // And nothing: what was there may have been taken by somebody to whom it was not counted.
    values.insert(0);
    values.into_iter().take(MOST_FIRST).collect()
}

fn of_counter(space: &Space<'_, '_, '_>, counter: CellKey, begins: &BTreeSet<u128>) -> Vec<Predicate> {
    let view = &space.on.view;
    let variable = |tally: Tally| counter.tally(tally).and_then(|key| view.variable(key));
    let (Some(cell), Some(added), Some(taken), Some(all_added), Some(all_taken)) = (
        view.variable(counter),
        variable(Tally::Added),
        variable(Tally::Taken),
        variable(Tally::AllAdded),
        variable(Tally::AllTaken),
    ) else {
        return Vec::new();
    };
    let width = match cell {
        Variable::Cell { size, .. } => size * 8,
        Variable::Ghost { field, .. } => field.width(view.universe.program.data_model),
        _ => return Vec::new(),
    };
    let value = Expr::register(RegisterId(0), width);
    let wide = width.max(TALLY_WIDTH);
    let value = value.resize_unsigned(wide);
    let tally = Expr::register(RegisterId(1), TALLY_WIDTH).resize_unsigned(wide);
    let number = |value: u128| Expr::constant(wide, value);
    let plus = |left: Expr, right: Expr| Expr::binary(BinaryOp::Add, left, right);
    let mut found = Vec::new();
    for &begin in begins {
        let is_sum = Expr::equal(value.clone(), plus(tally.clone(), number(begin)));
        found.push(Predicate::new(&is_sum, &[cell, all_added]));
        if begin > 0 {
            let is_rest = Expr::equal(plus(value.clone(), tally.clone()), number(begin));
            found.push(Predicate::new(&is_rest, &[cell, all_taken]));
        }
    }
    let is = |side: Variable, value: u128| {
        let tally = Expr::register(RegisterId(0), TALLY_WIDTH);
        Predicate::new(&Expr::equal(tally, Expr::constant(TALLY_WIDTH, value)), &[side])
    };
    found.extend([is(added, 0), is(added, 1), is(all_added, 0)]);
    if begins.iter().any(|begin| *begin > 0) {
        found.extend([is(taken, 0), is(taken, 1), is(all_taken, 0)]);
    }
    found
}
