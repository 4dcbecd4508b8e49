//! Interpolants over templates: what is true all along the paths to an alarm, shows that it cannot happen, and does not
//! count how often they went round.
//!
//! The solver's own proofs are about bits, and what they say between two steps is of no use at the next round of a loop. So the
//! interpolants are looked for among templates over the variables of the paths: comparisons of two of them, of one with
//! a constant that the program compares something with, and sums of two that are a third. The paths are gone along with all of
//! these (what is known after a step follows from what is known before it, so each conjunction is one that the steps before imply), those
//! of other threads whose steps are on them included. If the alarm is excluded, it is asked why, from the end back to
//! the beginning: at each step a part of what was known before it that is enough, made of what is tracked already and
//! of what was needed elsewhere, as far as that goes. What was needed is tracked.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_abstraction::atoms::of_step;
use selvedge_abstraction::reasons::Cost;
use selvedge_abstraction::{Cube, PredicateId, PredicateSet, Side, StepKey, Stop};
use selvedge_logic::Term;
use selvedge_program::{BinaryOp, Bits, Expr, RegisterId};
use selvedge_symbolic::threads::Who;
use selvedge_symbolic::{Predicate, Variable};

use crate::loops::counting;
use crate::space::{Alarm, Origin, Problem, Space, StateId};

/// With more states than this on the paths, or more variables, none are looked for.
const MOST_STATES: usize = 600;
const MOST_REGISTERS: usize = 24;
const MOST_CELLS: usize = 8;

/// How many constants are looked at, by how many numbers sums may be apart, and of how many cells sums are made.
const MOST_CONSTANTS: usize = 8;
const MOST_STEPS: usize = 2;
const MOST_SUMMED: usize = 5;

/// What to track so that the paths to an alarm are excluded; nothing if templates do not do it.
///
/// # Errors
/// When the budget is used up.
pub fn interpolants(space: &mut Space<'_, '_, '_>, alarm: &Alarm) -> Result<Vec<Predicate>, Stop> {
    let Some(states) = leading_to(space, alarm) else { return Ok(Vec::new()) };
    let mut steps = vec![alarm.step];
    if let Problem::Race(_, _, step) = alarm.problem {
        steps.push(step);
    }
    for state in &states {
        match space.state(*state).origin {
            Origin::Own(_, step) | Origin::Other(_, _, step) | Origin::Started(_, step) if !steps.contains(&step) => {
                steps.push(step);
            }
            Origin::Start | Origin::Own(..) | Origin::Other(..) | Origin::Started(..) => {}
        }
    }
    let Some(templates) = Templates::of(space, &steps) else { return Ok(Vec::new()) };
    space.on.prover.share(true);
    let found = Along::walk(space, &templates, &states);
    let found = found.and_then(|along| along.needed(space, &templates, (alarm, &states)));
    space.on.prover.share(false);
    found
}

/// The states that lead to an alarm: each comes after those that it comes from.
fn leading_to(space: &Space<'_, '_, '_>, alarm: &Alarm) -> Option<Vec<StateId>> {
    let mut found = BTreeSet::new();
    let mut pending = vec![alarm.state];
    if let Problem::Race(_, other, _) = alarm.problem {
        pending.push(other);
    }
    while let Some(state) = pending.pop() {
        if !found.insert(state) {
            continue;
        }
        if found.len() > MOST_STATES {
            return None;
        }
        match space.state(state).origin {
            Origin::Start => {}
            Origin::Own(before, _) | Origin::Started(before, _) => pending.push(before),
            Origin::Other(before, source, _) => pending.extend([before, source]),
        }
    }
    Some(found.into_iter().collect())
}

/// What may be said along the paths, with how little each is wanted.
struct Templates {
    ids: Vec<PredicateId>,
    costs: FxHashMap<PredicateId, u32>,
}

/// Costs: of what says how two variables relate, of what compares one with a constant, of sums, of
/// equations with constants, and of what only counts a loop up.
const RELATES: u32 = 2;
const COMPARES: u32 = 3;
const SUMS: u32 = 4;
const EQUALS: u32 = 5;
const COUNTS: u32 = 6;

impl Templates {
    fn of(space: &mut Space<'_, '_, '_>, steps: &[StepKey]) -> Option<Templates> {
        let mut atoms: Vec<Predicate> = Vec::new();
        for step in steps {
            for atom in of_step(&mut space.on.view, *step) {
                if !atoms.contains(&atom) {
                    atoms.push(atom);
                }
            }
        }
        let Spoken { cells, registers, constants, added, is_signed } = Spoken::of(space, &atoms);
        if cells.len() > MOST_CELLS || registers.len() > MOST_REGISTERS {
            return None;
        }
        let mut found: Vec<(Predicate, u32)> = atoms.into_iter().map(|atom| (atom, COMPARES)).collect();
        let counting = counting(space);
        let all: Vec<(Variable, u32)> = cells.iter().chain(&registers).copied().collect();
        for (place, one) in all.iter().enumerate() {
            for other in all[place + 1..].iter().filter(|other| other.1 == one.1 && may_relate(one.0, other.0)) {
                let of = |expr: Expr| (Predicate::new(&expr, &[one.0, other.0]), RELATES);
                let (a, b) = (Expr::register(RegisterId(0), one.1), Expr::register(RegisterId(1), one.1));
                found.push(of(Expr::equal(a.clone(), b.clone())));
                for op in less(is_signed) {
                    found.push(of(Expr::binary(op, a.clone(), b.clone())));
                    found.push(of(Expr::binary(op, b.clone(), a.clone())));
                }
                let apart = added.iter().filter(|(width, _)| *width == one.1);
                for (_, by) in apart {
                    for (left, right) in [(&a, &b), (&b, &a)] {
                        let more = Expr::binary(BinaryOp::Add, right.clone(), Expr::constant(one.1, *by));
                        found.push((Predicate::new(&Expr::equal(left.clone(), more), &[one.0, other.0]), SUMS));
                    }
                }
            }
            for (width, constant) in constants.iter().filter(|(width, _)| *width == one.1) {
                let (value, constant) = (Expr::register(RegisterId(0), *width), Expr::constant(*width, *constant));
                let of = |expr: Expr, cost: u32| (Predicate::new(&expr, &[one.0]), cost);
                found.push(of(Expr::equal(value.clone(), constant.clone()), EQUALS));
                for op in less(is_signed) {
                    found.push(of(Expr::binary(op, value.clone(), constant.clone()), COMPARES));
                    found.push(of(Expr::binary(op, constant.clone(), value.clone()), COMPARES));
                }
            }
        }
        sums(&cells, &added, &mut found);
        let mut costs: FxHashMap<PredicateId, u32> = FxHashMap::default();
        for (predicate, cost) in found {
            if let Some(id) = space.on.predicates.add(&mut space.on.view, &predicate) {
                let known = costs.entry(id).or_insert(cost);
                *known = (*known).min(cost);
            }
        }
        // Of what is tracked, too, more may be known.
        costs.extend(space.tracked().iter().map(|id| (id, if counting.contains(&id) { COUNTS } else { 1 })));
        let mut ids: Vec<PredicateId> = costs.keys().copied().collect();
        ids.sort_unstable();
        Some(Templates { ids, costs })
    }

    /// How little a predicate is wanted, where some were chosen already.
    fn cost(&self, id: PredicateId, chosen: &BTreeSet<PredicateId>) -> u32 {
        let cost = self.costs.get(&id).copied().unwrap_or(0);
        if chosen.contains(&id) { cost.min(1) } else { cost }
    }
}

/// Registers of two functions have nothing to do with each other, mostly.
fn may_relate(one: Variable, other: Variable) -> bool {
    match (one, other) {
        (Variable::Register(one, _), Variable::Register(other, _)) => one == other,
        _ => true,
    }
}

fn less(is_signed: bool) -> Vec<BinaryOp> {
    if is_signed { vec![BinaryOp::LessUnsigned, BinaryOp::LessSigned] } else { vec![BinaryOp::LessUnsigned] }
}

/// That two cells are together what a third one is, or as much more or less as steps add.
fn sums(cells: &[(Variable, u32)], added: &[(u32, u128)], found: &mut Vec<(Predicate, u32)>) {
    if cells.len() > MOST_SUMMED {
        return;
    }
    for whole in cells {
        let parts: Vec<_> = cells.iter().filter(|part| part.0 != whole.0 && part.1 == whole.1).collect();
        for (place, one) in parts.iter().enumerate() {
            for other in &parts[place + 1..] {
                let variable = |place: u32| Expr::register(RegisterId(place), whole.1);
                let plus = |left: Expr, right: Expr| Expr::binary(BinaryOp::Add, left, right);
                let together = plus(variable(1), variable(2));
                let mut apart = vec![together.clone()];
                for (_, by) in added.iter().filter(|(width, _)| *width == whole.1) {
                    apart.push(plus(together.clone(), Expr::constant(whole.1, *by)));
                }
                for together in apart {
                    let predicate = Predicate::new(&Expr::equal(variable(0), together), &[whole.0, one.0, other.0]);
                    found.push((predicate, SUMS));
                }
            }
        }
    }
}

/// What steps speak of.
struct Spoken {
    /// Numbers, with their widths.
    cells: Vec<(Variable, u32)>,
    registers: Vec<(Variable, u32)>,
    /// What numbers are compared with, and what is added to them, with their widths.
    constants: Vec<(u32, u128)>,
    added: Vec<(u32, u128)>,
    /// Whether they are compared as numbers with signs.
    is_signed: bool,
}

impl Spoken {
    fn of(space: &Space<'_, '_, '_>, atoms: &[Predicate]) -> Spoken {
        let program = space.on.view.universe.program;
        let (mut cells, mut registers) = (BTreeSet::new(), BTreeSet::new());
        let (mut constants, mut added) = (BTreeSet::new(), BTreeSet::new());
        let mut is_signed = false;
        for atom in atoms {
            for_each_part(atom.condition(), &mut |part| match part {
                Expr::Register(place, width @ 8..=64) => {
                    let variable = atom.variables()[place.index()];
                    match variable {
                        Variable::Register(function, register)
                            if !program.function(function).register(register).may_be_address =>
                        {
                            registers.insert((variable, *width));
                        }
                        Variable::Cell { .. } => drop(cells.insert((variable, *width))),
                        _ => {}
                    }
                }
                Expr::Binary(BinaryOp::Add | BinaryOp::Subtract, _, by) => {
                    if let Expr::Constant(bits) = **by {
                        added.insert((bits.width(), bits.unsigned()));
                        added
                            .insert((bits.width(), Bits::new(bits.width(), bits.unsigned().wrapping_neg()).unsigned()));
                    }
                }
                Expr::Binary(op @ (BinaryOp::LessUnsigned | BinaryOp::LessSigned | BinaryOp::Equal), left, right) => {
                    is_signed |= *op == BinaryOp::LessSigned;
                    for side in [left, right] {
                        if let Expr::Constant(bits) = **side {
                            constants.insert((bits.width(), bits.unsigned()));
                        }
                    }
                }
                _ => {}
            });
        }
        constants.retain(|(width, _)| *width >= 8);
        let constants = constants.into_iter().take(MOST_CONSTANTS).collect();
        let added = added.into_iter().take(2 * MOST_STEPS).collect();
        Spoken {
            cells: cells.into_iter().collect(),
            registers: registers.into_iter().collect(),
            constants,
            added,
            is_signed,
        }
    }
}

fn for_each_part(expr: &Expr, look: &mut dyn FnMut(&Expr)) {
    look(expr);
    match expr {
        Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => {}
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => for_each_part(operand, look),
        Expr::Binary(_, left, right) => {
            for_each_part(left, look);
            for_each_part(right, look);
        }
        Expr::IfThenElse(condition, then, otherwise) => {
            for part in [condition, then, otherwise] {
                for_each_part(part, look);
            }
        }
    }
}

/// What is needed in each state.
type Needed = BTreeMap<StateId, BTreeSet<(PredicateId, bool)>>;

/// What is known in each state of the paths, of what is tracked and of templates.
struct Along {
    known: FxHashMap<StateId, Rc<Cube>>,
    /// A state that cannot be reached, if one was met: the step that led to it cannot be taken.
    closed: Option<StateId>,
    affected: FxHashMap<(Who, StepKey), Rc<PredicateSet>>,
}

impl Along {
    fn walk(space: &mut Space<'_, '_, '_>, templates: &Templates, states: &[StateId]) -> Result<Along, Stop> {
        let mut along = Along { known: FxHashMap::default(), closed: None, affected: FxHashMap::default() };
        for &state in states {
            let (origin, template, node) = {
                let state = space.state(state);
                (state.origin, state.template, state.node)
            };
            let scope = {
                let on = &mut *space.on;
                let unfolded = on.view.universe.unfolded(template);
                on.predicates.among(&templates.ids, &on.view.universe, unfolded, node)
            };
            if along.is_closed(space, origin)? {
                along.closed = Some(state);
                break;
            }
            let mut cube = match origin {
                Origin::Start => begin(space, &scope)?,
                Origin::Own(before, step) => {
                    let affected = along.affected(space, Who::Own, step);
                    let before = along.at(before);
                    space.on.after_step((step, Side::default()), &before, &scope, &affected)?
                }
                Origin::Started(before, step) => {
                    let before = along.at(before);
                    each(&scope, |id| space.on.started(step, &before, id))?
                }
                Origin::Other(before, source, step) => {
                    let (before, source) = (along.at(before), along.at(source));
                    each(&scope, |id| space.on.after_other(step, &before, &source, id))?
                }
            };
            cube.extend(space.state(state).cube.iter().copied());
            cube.sort_unstable();
            cube.dedup();
            along.known.insert(state, Rc::new(cube));
        }
        Ok(along)
    }

    /// Whether a step cannot be taken, as far as is known where it begins.
    fn is_closed(&self, space: &mut Space<'_, '_, '_>, origin: Origin) -> Result<bool, Stop> {
        Ok(match origin {
            Origin::Start => false,
            Origin::Own(before, step) | Origin::Started(before, step) => {
                !space.on.can_step(step, Side::default(), &self.at(before))?
            }
            Origin::Other(before, source, step) => {
                let (before, source) = (self.at(before), self.at(source));
                let (mine, theirs) = (space.on.said(&before), space.on.said(&source));
                !space.on.can_interfere(step, (&before, &mine), (&source, &theirs))?
            }
        })
    }

    fn at(&self, state: StateId) -> Rc<Cube> {
        self.known.get(&state).cloned().unwrap_or_default()
    }

    fn affected(&mut self, space: &mut Space<'_, '_, '_>, who: Who, step: StepKey) -> Rc<PredicateSet> {
        let affected = self.affected.entry((who, step));
        Rc::clone(affected.or_insert_with(|| Rc::new(space.on.affected(step, who))))
    }

    /// What is needed in a state, but for what the exploration has found there.
    fn add(&self, space: &Space<'_, '_, '_>, needed: &mut Needed, state: StateId, cube: &Cube) {
        let found = &space.state(state).cube;
        let new = cube.iter().filter(|literal| found.binary_search(literal).is_err()).copied();
        needed.entry(state).or_default().extend(new);
    }

    /// Why the alarm cannot happen: of what is known in the states that it is about, or in those where a step on the
    /// way cannot be taken. Nothing if it can, as far as is known.
    fn first_reasons(
        &self,
        space: &mut Space<'_, '_, '_>,
        templates: &Templates,
        alarm: &Alarm,
    ) -> Result<Vec<(StateId, Cube)>, Stop> {
        let cost: Cost<'_> = &|id| templates.cost(id, &BTreeSet::new());
        let (one, when, other) = match (self.closed.map(|state| space.state(state).origin), &alarm.problem) {
            (Some(Origin::Own(before, step) | Origin::Started(before, step)), _) => {
                (before, space.on.view.moved(Who::Own, step.0, step.1, step.2).enabled, None)
            }
            (Some(Origin::Other(before, source, step)), _) => {
                let enabled = space.on.view.moved(Who::Other, step.0, step.1, step.2).enabled;
                (before, space.on.view.builder.yes, Some((source, enabled)))
            }
            (Some(Origin::Start), _) => return Ok(Vec::new()),
            (None, Problem::Race(object, other, step)) => {
                let their = about_to_touch(space, *object, *step);
                (alarm.state, alarm.when, Some((*other, their)))
            }
            (None, Problem::Violation(_) | Problem::Trouble(_)) => (alarm.state, alarm.when, None),
        };
        let mine = self.at(one);
        Ok(match other {
            None => space.on.why_not(when, &mine, cost)?.map(|own| vec![(one, own)]),
            Some((other, their)) => {
                let why = space.on.why_apart((when, their), (&mine, &self.at(other)), cost)?;
                why.map(|(own, others)| vec![(one, own), (other, others)])
            }
        }
        .unwrap_or_default())
    }

    /// The templates that it takes to exclude an alarm.
    fn needed(
        mut self,
        space: &mut Space<'_, '_, '_>,
        templates: &Templates,
        (alarm, states): (&Alarm, &[StateId]),
    ) -> Result<Vec<Predicate>, Stop> {
        let mut needed = Needed::new();
        let mut chosen: BTreeSet<PredicateId> = BTreeSet::new();
        for (state, cube) in self.first_reasons(space, templates, alarm)? {
            self.add(space, &mut needed, state, &cube);
        }
        for &state in states.iter().rev() {
            let Some(literals) = needed.remove(&state) else { continue };
            chosen.extend(literals.iter().map(|(id, _)| *id));
            let origin = space.state(state).origin;
            for literal in literals {
                let cost: Cost<'_> = &|id| templates.cost(id, &chosen);
                match origin {
                    Origin::Start => {}
                    Origin::Own(before, step) => {
                        let affected = self.affected(space, Who::Own, step);
                        let cube = self.at(before);
                        let stays = !affected.contains(literal.0) && cube.binary_search(&literal).is_ok();
                        let why =
                            if stays { Some(vec![literal]) } else { space.on.why_after(step, &cube, literal, cost)? };
                        why.iter().for_each(|why| self.add(space, &mut needed, before, why));
                    }
                    Origin::Started(before, step) => {
                        let why = space.on.why_started(step, &self.at(before), literal, cost)?;
                        why.iter().for_each(|why| self.add(space, &mut needed, before, why));
                    }
                    Origin::Other(before, source, step) => {
                        let affected = self.affected(space, Who::Other, step);
                        let (cube, theirs) = (self.at(before), self.at(source));
                        let stays = !affected.contains(literal.0);
                        let (own, others) = match () {
                            () if stays && cube.binary_search(&literal).is_ok() => (vec![literal], Vec::new()),
                            () if stays && theirs.binary_search(&literal).is_ok() => (Vec::new(), vec![literal]),
                            () => {
                                let why = space.on.why_after_other(step, (&cube, &theirs), literal, cost)?;
                                why.unwrap_or_default()
                            }
                        };
                        self.add(space, &mut needed, before, &own);
                        self.add(space, &mut needed, source, &others);
                    }
                }
            }
        }
        chosen.retain(|id| !space.tracked().contains(*id));
        Ok(chosen.into_iter().map(|id| space.on.predicates.get(id).clone()).collect())
    }
}

/// What holds of templates when the program begins.
fn begin(space: &mut Space<'_, '_, '_>, scope: &[PredicateId]) -> Result<Cube, Stop> {
    let predicates = scope.iter().map(|id| space.on.predicates.get(*id));
    let first = space.on.view.begins(predicates);
    each(scope, |id| {
        let term = space.on.predicates.term(id, Who::Own);
        space.on.decide(&first, term)
    })
}

fn each(scope: &[PredicateId], mut known: impl FnMut(PredicateId) -> Result<Option<bool>, Stop>) -> Result<Cube, Stop> {
    let mut cube = Cube::new();
    for &id in scope {
        cube.extend(known(id)?.map(|truth| (id, truth)));
    }
    Ok(cube)
}

/// When another thread is about to touch an object with a step.
fn about_to_touch(space: &mut Space<'_, '_, '_>, object: selvedge_symbolic::Tag, step: StepKey) -> Term {
    let moved = space.on.view.moved(Who::Other, step.0, step.1, step.2);
    let touches = moved.touched.iter().filter(|touched| touched.cell.object() == object).map(|touched| touched.when);
    let builder = &mut space.on.view.builder;
    touches.fold(builder.no, |any, when| builder.or(any, when))
}
