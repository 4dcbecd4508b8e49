//! From an alarm to predicates: the paths of the threads that meet there are followed with values. If they contradict
//! themselves, the steps that the contradiction needs, and those that its values come from, say what should have been
//! tracked.

use std::collections::BTreeSet;

use selvedge_logic::Term;
use selvedge_program::{AccessKind, Action, Base, BinaryOp, Bits, Expr, RegisterId, RegisterUse};
use selvedge_symbolic::threads::{Local, Slot, Thing, Who};
use selvedge_symbolic::{CellKey, Note, Predicate, Root, Variable, Word};

use crate::interpolants::interpolants;
use crate::loops::{counts_up, replace_counting, templates};
use crate::path::{Leg, Named, Values, to};
use crate::space::{Alarm, Origin, Problem, Space, StateId, Weakening};
use crate::tallies::tallies;
use selvedge_abstraction::atoms::{Table, cells, conditions, of_step, with_cell};
use selvedge_abstraction::backward::{Before, before, counted, unjoined};
use selvedge_abstraction::{StepKey, Stop};

/// How many predicates one path suggests.
const MOST_ATOMS: usize = 200;

/// What came of following an alarm.
#[derive(Debug)]
pub enum Followed {
    /// Track these.
    Track(Vec<Predicate>),
    /// It can happen, as far as each thread by itself and what was found of the others says.
    CanHappen,
}

/// A path with values: its legs, and for each the condition of taking it.
struct Followable {
    /// Where it ends.
    end: StateId,
    /// Whether it begins with the program, and with what is in memory then.
    is_whole: bool,
    legs: Vec<Leg>,
    conditions: Vec<Term>,
    values: Values,
    /// What is known where it begins.
    known: Vec<Term>,
}

/// What is known of the memory in which a path begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Memory {
    /// At the beginning of the program, the initial values.
    Initial,
    /// Nothing.
    Any,
}

/// How much of a path is followed: its last legs, at most so many.
type Stretch = (usize, Memory);

/// The last legs to a state.
fn follow(space: &mut Space<'_, '_, '_>, state: StateId, (most, memory): Stretch) -> Result<Followable, Stop> {
    let (first, legs) = to(space, state, most);
    let is_whole = first.is_none() && memory == Memory::Initial;
    let mut values = Values::new(&mut space.on.view, is_whole);
    let known = match first {
        Some(first) => {
            let cube = space.state(first).cube.clone();
            let literals = space.on.literals(&cube, Who::Own);
            values.put_in(&mut space.on.view, true, &literals)?
        }
        None => Vec::new(),
    };
    let mut conditions = Vec::new();
    for leg in &legs {
        conditions.push(values.take(space, *leg)?);
    }
    Ok(Followable { end: state, is_whole, legs, conditions, values, known })
}

/// Follows an alarm. Where that suggests nothing, or only what counts a loop up, interpolants over templates are looked
/// for.
pub fn discover(space: &mut Space<'_, '_, '_>, alarm: &Alarm) -> Result<Followed, Stop> {
    if space.weakening == Weakening::InRounds {
        let found = at_once(space, alarm)?;
        if !found.is_empty() {
            return Ok(Followed::Track(found));
        }
    }
    let followed = along_paths(space, alarm)?;
    if let Followed::Track(found) = &followed
        && !found.is_empty()
        && !counts_up(space, found)
    {
        return Ok(followed);
    }
    let better = interpolants(space, alarm)?;
    Ok(if better.is_empty() { followed } else { Followed::Track(better) })
}

/// Follows an alarm as the paper does: all of both paths at once, whatever the program begins with.
fn at_once(space: &mut Space<'_, '_, '_>, alarm: &Alarm) -> Result<Vec<Predicate>, Stop> {
    let paths = follow_both(space, alarm, (usize::MAX, Memory::Any))?;
    let contradiction = contradiction(space, &paths, &BTreeSet::new(), Depth::Everything)?;
    Ok(contradiction.map(|contradiction| contradiction.found).unwrap_or_default())
}

/// How many contradictions of a path are looked for that have nothing to do with the alarm.
const MOST_ASIDE: usize = 40;

/// Follows an alarm: the ends of the paths first, from what is known where they begin, then more and more of them. So
/// what contradicts itself shortly before the end is found there, and not by way of how the program begins.
///
/// A path may contradict itself before it comes to what the alarm is about. That is left aside as long as there may be
/// a reason why the alarm is false whatever the path.
fn along_paths(space: &mut Space<'_, '_, '_>, alarm: &Alarm) -> Result<Followed, Stop> {
    let mut most = 1;
    let mut aside: BTreeSet<Blamed> = BTreeSet::new();
    let mut found_aside: Option<Vec<Predicate>> = None;
    let mut times = 0;
    loop {
        let paths = follow_both(space, alarm, (most, Memory::Initial))?;
        let is_whole = paths.0.iter().all(|(path, _)| path.is_whole);
        while let Some(contradiction) = contradiction(space, &paths, &aside, Depth::Conditions)? {
            let Contradiction { found, is_about_alarm, blamed } = contradiction;
            let is_more = !blamed.is_empty() && times < MOST_ASIDE;
            if is_about_alarm || !is_more {
                let is_better = is_about_alarm && !found.is_empty();
                let found = if is_better { found } else { found_aside.clone().unwrap_or(found) };
                if !found.is_empty() {
                    return Ok(Followed::Track(found));
                }
                break;
            }
            times += 1;
            aside.extend(blamed);
            note(&found, found_aside.get_or_insert_default());
        }
        if is_whole {
            if let Some(found) = found_aside.filter(|found| !found.is_empty()) {
                return Ok(Followed::Track(found));
            }
            // Whatever it is about.
            let anyhow = contradiction(space, &paths, &BTreeSet::new(), Depth::Everything)?;
            if let Some(Contradiction { found, .. }) = &anyhow
                && !found.is_empty()
            {
                return Ok(Followed::Track(found.clone()));
            }
            let found = meetings(space, alarm)?;
            return Ok(match anyhow {
                _ if !found.is_empty() => Followed::Track(found),
                Some(_) => Followed::Track(Vec::new()),
                None => environment(space, &paths),
            });
        }
        most *= 2;
    }
}

/// How far suggestions go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// Where the contradiction is not about the alarm, only to the conditions.
    Conditions,
    /// To all that the steps say.
    Everything,
}

/// A leg of one of two paths, by how far it is from the end.
type Blamed = (usize, usize);

/// Why a path cannot be.
struct Contradiction {
    /// What would show that and is not tracked yet.
    found: Vec<Predicate>,
    /// Whether it needs what the alarm is about.
    is_about_alarm: bool,
    /// The legs whose conditions it needs.
    blamed: Vec<Blamed>,
}

/// A path that the steps of others make possible: what decides these steps, in the threads that take them.
fn environment(space: &mut Space<'_, '_, '_>, (paths, _): &Ends) -> Followed {
    let mut found = Vec::new();
    for (path, step) in paths {
        let mut legs: Vec<(Leg, bool)> = path.legs.iter().map(|leg| (*leg, false)).collect();
        let goals = conditions(&mut space.on.view, *step);
        if goals.is_empty() {
            // Getting there is wrong: the last condition for that.
            let last = legs.iter_mut().rev().find(|(leg, _)| {
                !matches!(leg, Leg::Other(..)) && !conditions(&mut space.on.view, leg.step()).is_empty()
            });
            last.into_iter().for_each(|(_, is_blamed)| *is_blamed = true);
        }
        preconditions(space, (legs, goals, 0), Suggest::Related, &mut found);
        ones(space, path, &mut found);
        tallies(space, &path.legs, *step, &mut found);
    }
    found.retain(|predicate| space.is_new(predicate));
    if found.is_empty() { Followed::CanHappen } else { Followed::Track(found) }
}

/// Paths, each with the step that comes after it, and the conditions at their end.
type Ends = (Vec<(Followable, StepKey)>, Vec<Term>);

fn follow_both(space: &mut Space<'_, '_, '_>, alarm: &Alarm, extent: Stretch) -> Result<Ends, Stop> {
    let mut one = follow(space, alarm.state, extent)?;
    let mut last = one.values.put_in(&mut space.on.view, true, &[alarm.when])?;
    let Problem::Race(object, other, step) = &alarm.problem else {
        return Ok((vec![(one, alarm.step)], last));
    };
    let mut two = follow(space, *other, extent)?;
    let moved = space.on.view.moved(Who::Own, step.0, step.1, step.2);
    let touches = moved.touched.iter().filter(|touched| touched.cell.object() == *object);
    let touches: Vec<Term> = touches.map(|touched| touched.when).collect();
    let touches = two.values.put_in(&mut space.on.view, true, &touches)?;
    let builder = &mut space.on.view.builder;
    let any = touches.into_iter().fold(builder.no, |any, when| builder.or(any, when));
    last.push(any);
    together(space, &mut one, &mut two, &mut last);
    Ok((vec![(one, alarm.step), (two, *step)], last))
}

/// That two paths are of two threads, and end at the same time.
fn together(space: &mut Space<'_, '_, '_>, one: &mut Followable, two: &mut Followable, last: &mut Vec<Term>) {
    let builder = &mut space.on.view.builder;
    last.push(builder.terms.distinct(one.values.identity(), two.values.identity()));
    if let Some(count) = one.values.cell(&mut space.on.view, CellKey::Unjoined) {
        let builder = &mut space.on.view.builder;
        let two = builder.terms.bits(builder.width(count.bits), 2);
        last.push(builder.terms.ule(two, count.bits));
    }
    // Both paths end in the same memory.
    let keys: BTreeSet<CellKey> = one.values.cells.keys().chain(two.values.cells.keys()).copied().collect();
    for key in keys {
        if let (Some(a), Some(b)) = (one.values.cell(&mut space.on.view, key), two.values.cell(&mut space.on.view, key))
        {
            last.push(space.on.view.builder.same(a, b));
        }
    }
}

/// How many steps of others on a path are looked at by themselves, and how long the paths to them may be.
const MOST_MEETINGS: usize = 4;
const LONGEST_MEETING: usize = 300;

/// What shows that others cannot take their steps on the way to an alarm: each comes from a state of its own, of which
/// the path of the thread itself says only what is known there.
fn meetings(space: &mut Space<'_, '_, '_>, alarm: &Alarm) -> Result<Vec<Predicate>, Stop> {
    let mut ends = vec![alarm.state];
    if let Problem::Race(_, other, _) = &alarm.problem {
        ends.push(*other);
    }
    let mut looked_at = 0;
    for end in ends {
        let mut at = end;
        while looked_at < MOST_MEETINGS {
            match space.state(at).origin {
                Origin::Start => break,
                Origin::Own(before, _) | Origin::Started(before, _) => at = before,
                Origin::Other(before, source, step) => {
                    looked_at += 1;
                    at = before;
                    let found = meeting(space, before, (source, step), alarm.step)?;
                    if !found.is_empty() {
                        return Ok(found);
                    }
                }
            }
        }
    }
    Ok(Vec::new())
}

/// What shows that a thread in a state is not there while another one takes a step in a state of its own.
fn meeting(
    space: &mut Space<'_, '_, '_>,
    state: StateId,
    (source, step): (StateId, StepKey),
    next: StepKey,
) -> Result<Vec<Predicate>, Stop> {
    let mut one = follow(space, state, (usize::MAX, Memory::Initial))?;
    let mut two = follow(space, source, (usize::MAX, Memory::Initial))?;
    if one.legs.len().max(two.legs.len()) > LONGEST_MEETING {
        return Ok(Vec::new());
    }
    let moved = space.on.view.moved(Who::Own, step.0, step.1, step.2);
    let mut last = two.values.put_in(&mut space.on.view, true, &[moved.enabled])?;
    together(space, &mut one, &mut two, &mut last);
    let paths = (vec![(one, next), (two, step)], last);
    let contradiction = contradiction(space, &paths, &BTreeSet::new(), Depth::Everything)?;
    Ok(contradiction.map(|contradiction| contradiction.found).unwrap_or_default())
}

/// Why paths contradict themselves, with some of their conditions left aside; `None` if they do not.
fn contradiction(
    space: &mut Space<'_, '_, '_>,
    (paths, last): &Ends,
    aside: &BTreeSet<Blamed>,
    depth: Depth,
) -> Result<Option<Contradiction>, Stop> {
    let mut question = last.clone();
    let mut taken: Vec<(Blamed, Term)> = Vec::new();
    for (which, (path, _)) in paths.iter().enumerate() {
        question.extend(&path.known);
        let legs = path.conditions.len();
        taken.extend(path.conditions.iter().enumerate().map(|(place, term)| ((which, legs - place), *term)));
    }
    taken.retain(|(leg, _)| !aside.contains(leg));
    question.extend(taken.iter().map(|(_, term)| *term));
    let Some(core) = space.on.prover.contradiction(&space.on.view.builder.terms, &question)? else { return Ok(None) };
    let core: BTreeSet<Term> = core.into_iter().collect();
    taken.retain(|(_, term)| core.contains(term));
    let blamed: Vec<Blamed> = taken.into_iter().map(|(leg, _)| leg).collect();
    let is_about_alarm = last.iter().any(|term| core.contains(term));
    // What is counted may be compared long before.
    let walked: Vec<(Vec<Leg>, StepKey)> =
        paths.iter().map(|(path, step)| (to(space, path.end, usize::MAX).1, *step)).collect();
    for suggest in [Suggest::Core, Suggest::Related, Suggest::Equations, Suggest::Loops] {
        let mut found = Vec::new();
        for (which, (path, step)) in paths.iter().enumerate() {
            match suggest {
                Suggest::Core | Suggest::Related => {
                    let count = path.legs.len();
                    let is_blamed = (0..count).map(|place| blamed.contains(&(which, count - place)));
                    let legs = path.legs.iter().copied().zip(is_blamed).collect();
                    let mut goals = conditions(&mut space.on.view, *step);
                    if paths.len() > 1 {
                        goals.extend(alone(space));
                    }
                    preconditions(space, (legs, goals, 0), suggest, &mut found);
                    ones(space, path, &mut found);
                    tallies(space, &path.legs, *step, &mut found);
                }
                Suggest::Equations => equations(space, path, *step, &mut found),
                Suggest::Loops => templates(space, &walked[which].0, *step, &mut found),
            }
        }
        found.retain(|predicate| space.is_new(predicate));
        replace_counting(space, &walked, &mut found);
        if !found.is_empty() {
            return Ok(Some(Contradiction { found, is_about_alarm, blamed }));
        }
        if !is_about_alarm && suggest == Suggest::Related && depth == Depth::Conditions {
            break;
        }
    }
    Ok(Some(Contradiction { found: Vec::new(), is_about_alarm, blamed }))
}

/// What a path that contradicts itself suggests, the most to the point first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Suggest {
    /// The conditions that the contradiction needs, and what they say of all states before.
    Core,
    /// And the conditions that speak of the same variables.
    Related,
    /// What all steps that its values come from compare and assign.
    Equations,
    /// What may hold of what the path counts, however often it goes round.
    Loops,
}

/// How many conditions are followed back at a time.
const MOST_GOALS: usize = 24;

/// How deep the paths of other threads are followed whose steps decide what is asked.
const DEEPEST: u32 = 2;

/// A condition that is followed back, as it was at later places, and as it is now.
#[derive(Clone, Debug)]
struct Goal {
    later: Vec<Predicate>,
    now: Predicate,
    /// It is asked for. Others wait until they speak of the same variables as one that is.
    is_asked: bool,
}

impl Goal {
    fn new(now: Predicate, is_asked: bool) -> Goal {
        Goal { later: Vec::new(), now, is_asked }
    }

    /// The same at an earlier place.
    fn earlier(&self, now: Predicate, equations: &[Predicate]) -> Goal {
        let mut later = self.later.clone();
        if now != self.now {
            later.push(self.now.clone());
            later.extend_from_slice(equations);
        }
        Goal { later, now, is_asked: self.is_asked }
    }
}

/// A path to follow conditions back along, each leg with whether it is asked why it is taken; the conditions at its
/// end; and how many threads were crossed to get there.
type Back = (Vec<(Leg, bool)>, Vec<Predicate>, u32);

/// Follows conditions back along a path.
fn preconditions(space: &mut Space<'_, '_, '_>, back: Back, suggest: Suggest, found: &mut Vec<Predicate>) {
    let mut pending = vec![back];
    while let Some((legs, asked, depth)) = pending.pop() {
        note(&asked, found);
        let mut goals: Vec<Goal> = asked.into_iter().map(|goal| Goal::new(goal, true)).collect();
        for &(leg, is_blamed) in legs.iter().rev() {
            let mut theirs = Vec::new();
            // Of a value that is loaded, the cell and the register are spoken of.
            let is_load =
                suggest == Suggest::Related && matches!(leg, Leg::Own(_)) && !loaded(space, leg.step()).is_empty();
            let equations = if is_load { of_step(&mut space.on.view, leg.step()) } else { Vec::new() };
            goals = earlier(space, &goals, (leg, &equations), &mut theirs);
            if let Leg::Other(..) = leg {
                goals.extend(alone(space).filter(|_| is_blamed).map(|goal| Goal::new(goal, true)));
            } else {
                for condition in conditions(&mut space.on.view, leg.step()) {
                    if is_blamed || suggest == Suggest::Related {
                        goals.push(Goal::new(condition, is_blamed));
                    }
                }
            }
            ask(&mut goals, found);
            match leg {
                Leg::Other(source, _) if !theirs.is_empty() && suggest == Suggest::Related && depth < DEEPEST => {
                    let (_, legs) = to(space, source, usize::MAX);
                    let legs = legs.into_iter().map(|leg| (leg, false)).collect();
                    pending.push((legs, theirs, depth + 1));
                }
                _ => note(&theirs, found),
            }
            if found.len() >= MOST_ATOMS {
                return;
            }
        }
    }
}

/// What conditions after a leg say of the state before it; of that of another thread, separately.
fn earlier(
    space: &mut Space<'_, '_, '_>,
    goals: &[Goal],
    (leg, equations): (Leg, &[Predicate]),
    theirs: &mut Vec<Predicate>,
) -> Vec<Goal> {
    let mut earlier: Vec<Goal> = Vec::new();
    for goal in goals {
        for before in before(&mut space.on.view, leg.taken(), &goal.now) {
            match before {
                Before::Own(now) => match earlier.iter().position(|known| known.now == now) {
                    Some(known) => earlier[known].is_asked |= goal.is_asked,
                    None if earlier.len() < MOST_GOALS => earlier.push(goal.earlier(now, equations)),
                    None => {}
                },
                Before::Other(now) if goal.is_asked => note(&[now], theirs),
                Before::Other(_) => {}
            }
        }
    }
    earlier
}

/// Asks for those that speak of the same variables as others that are asked for, and notes all of these.
fn ask(goals: &mut [Goal], found: &mut Vec<Predicate>) {
    let asked: Vec<Predicate> = goals.iter().filter(|goal| goal.is_asked).map(|goal| goal.now.clone()).collect();
    for goal in goals.iter_mut() {
        let shares = |other: &Predicate| other.variables().iter().any(|v| goal.now.variables().contains(v));
        goal.is_asked |= asked.iter().any(shares);
        if goal.is_asked {
            note(&std::mem::take(&mut goal.later), found);
            note(std::slice::from_ref(&goal.now), found);
        }
    }
}

/// That there are no two threads, if threads are joined.
fn alone(space: &Space<'_, '_, '_>) -> Option<Predicate> {
    let universe = &space.on.view.universe;
    universe.has_joins.then(|| unjoined(universe.program.pointer_width(), 1))
}

/// Adds what is not there yet.
pub fn note(predicates: &[Predicate], found: &mut Vec<Predicate>) {
    for predicate in predicates {
        if !found.contains(predicate) {
            found.push(predicate.clone());
        }
    }
}

/// What the steps of a path compare and assign that its end comes from.
fn equations(space: &mut Space<'_, '_, '_>, path: &Followable, last: StepKey, found: &mut Vec<Predicate>) {
    let mut needed: BTreeSet<Variable> = BTreeSet::new();
    let mut loads: Vec<(Variable, Variable)> = Vec::new();
    let mut atoms: Vec<Predicate> = Vec::new();
    let legs: Vec<Leg> = path.legs.iter().copied().chain([Leg::Own(last)]).collect();
    for &leg in legs.iter().rev() {
        for variable in changed(space, leg) {
            needed.remove(&variable);
        }
        needed.extend(used(space, leg));
        loads.extend(loaded(space, leg.step()));
        atoms.extend(of_step(&mut space.on.view, leg.step()));
    }
    if path.is_whole {
        atoms.extend(needed.iter().filter_map(|variable| initially(space, *variable)));
    }
    // What is said of registers, said of the cells that they were loaded from.
    let mut next = 0;
    while next < atoms.len() && atoms.len() < MOST_ATOMS {
        for (register, cell) in &loads {
            if let Some(atom) = with_cell(&atoms[next], *register, *cell)
                && !atoms.contains(&atom)
            {
                atoms.push(atom);
            }
        }
        next += 1;
    }
    note(&atoms, found);
    counting(space, path, found);
}

/// How many threads there are where a loop starts or joins one each time: as many as its counter says, or as it does
/// not say yet.
fn counting(space: &Space<'_, '_, '_>, path: &Followable, found: &mut Vec<Predicate>) {
    let own: Vec<Leg> = path.legs.iter().copied().filter(|leg| matches!(leg, Leg::Own(_) | Leg::Starts(_))).collect();
    if !space.on.view.universe.has_joins || !own.iter().any(|leg| counted(&space.on.view, leg.taken()).is_some()) {
        return;
    }
    let program = space.on.view.universe.program;
    let width = program.pointer_width();
    for (function, edge, _) in own.into_iter().map(Leg::step) {
        let Action::Assume(condition) = &program.function(function).edge(edge).action else { continue };
        let mut comparison = condition;
        if let Expr::Unary(_, inner) = comparison {
            comparison = inner;
        }
        let Expr::Binary(BinaryOp::LessSigned | BinaryOp::LessUnsigned, left, right) = comparison else { continue };
        if !matches!(**left, Expr::Register(..)) || left.width() > width {
            continue;
        }
        let mut table = Table(Vec::new());
        let all = table.variable(Variable::Unjoined, width);
        let (counter, bound) = (table.of(function, left), table.of(function, right));
        let wide = |expr: Expr| if expr.width() < width { expr.resize_unsigned(width) } else { expr };
        let (counter, bound) = (wide(counter), wide(bound));
        for others in 1..=MOST_OTHERS {
            let equal = |left: Expr, right: Expr| Expr::binary(BinaryOp::Equal, left, right);
            let plus = |left: Expr, right: Expr| Expr::binary(BinaryOp::Add, left, right);
            let started = equal(all.clone(), plus(counter.clone(), Expr::constant(width, others)));
            let left_over =
                equal(plus(all.clone(), counter.clone()), plus(bound.clone(), Expr::constant(width, others)));
            note(&[Predicate::new(&started, &table.0), Predicate::new(&left_over, &table.0)], found);
        }
    }
}

/// Which of the pointers that a path assigns, and of the shared cells that it comes by, point to the one that stands for
/// its site; and whether the thread took that out of such a cell.
fn ones(space: &mut Space<'_, '_, '_>, path: &Followable, found: &mut Vec<Predicate>) {
    let width = space.on.view.universe.program.pointer_width();
    for leg in &path.legs {
        let (function, edge, kind) = leg.step();
        let moved = space.on.view.moved(Who::Own, function, edge, kind);
        let assigned = match leg {
            Leg::Own(_) => &moved.locals,
            Leg::Starts(_) => &moved.passed,
            Leg::Other(..) => continue,
        };
        let mut pointers: Vec<(Option<Variable>, Word)> = Vec::new();
        for (local, word) in assigned {
            let variable = match local {
                Local::Register(function, register) => Some(Variable::Register(*function, *register)),
                Local::Cell(key) => space.on.view.variable(*key),
            };
            pointers.push((variable, *word));
        }
        for touched in &moved.touched {
            let word = space.on.view.cell(touched.cell);
            pointers.extend(word.map(|word| (space.on.view.variable(touched.cell), word)));
        }
        for (variable, word) in pointers {
            let view = &space.on.view;
            for tag in view.builder.tags(word) {
                if let (Some(Thing::One(site)), Some(variable)) = (view.universe.thing(tag), variable) {
                    let (left, right) = (Expr::register(RegisterId(0), width), Expr::register(RegisterId(1), width));
                    let same = Expr::binary(BinaryOp::Equal, left.clone(), right);
                    note(&[Predicate::new(&same, &[variable, Variable::Address(Root::One(site))])], found);
                    let own = Expr::Address(Base::SelfThread, width);
                    let is_taker = Expr::binary(BinaryOp::Equal, left, own);
                    note(&[Predicate::new(&is_taker, &[Variable::Note(Note::Taker, Root::One(site))])], found);
                }
            }
        }
    }
}

/// How many threads there may be beside those that a loop starts or joins, for their number to be guessed.
const MOST_OTHERS: u128 = 2;

/// That a cell holds what it holds initially, if that is a number.
pub fn initially(space: &mut Space<'_, '_, '_>, variable: Variable) -> Option<Predicate> {
    let key = match space.on.view.slot(variable)? {
        Slot::Shared(key) | Slot::Own(Local::Cell(key)) => key,
        Slot::Own(Local::Register(..)) => return None,
    };
    let initial = space.on.view.initial(key)?;
    let builder = &space.on.view.builder;
    let value = builder.constant(initial.bits).filter(|_| builder.is_number(initial))?;
    let width = match variable {
        // Ghost fields are kept wider than they are spoken of.
        Variable::Ghost { field, .. } => field.width(space.on.view.universe.program.data_model),
        _ => builder.width(initial.bits),
    };
    let cell = Box::new(Expr::Register(RegisterId(0), width));
    let value = Box::new(Expr::Constant(Bits::new(width, value)));
    Some(Predicate::new(&Expr::Binary(BinaryOp::Equal, cell, value), &[variable]))
}

fn variable(space: &Space<'_, '_, '_>, named: Named) -> Option<Variable> {
    match named {
        Named::Local(_, Local::Register(function, register)) => Some(Variable::Register(function, register)),
        Named::Local(_, Local::Cell(key)) => space.on.view.variable(key),
        Named::Cell(key) => space.on.view.variable(key),
    }
}

/// What a leg assigns and writes.
fn changed(space: &mut Space<'_, '_, '_>, leg: Leg) -> Vec<Variable> {
    let step = leg.step();
    let who = if let Leg::Other(..) = leg { Who::Other } else { Who::Own };
    let moved = space.on.view.moved(who, step.0, step.1, step.2);
    let locals = match leg {
        Leg::Own(_) => moved.locals.keys().copied().collect(),
        Leg::Starts(_) => moved.passed.keys().copied().collect(),
        Leg::Other(..) => Vec::new(),
    };
    let locals = locals.into_iter().map(|local| Named::Local(Who::Own, local));
    let cells = moved.cells.keys().map(|key| Named::Cell(*key));
    locals.chain(cells).filter_map(|named| variable(space, named)).collect()
}

/// What a leg looks at.
fn used(space: &mut Space<'_, '_, '_>, leg: Leg) -> Vec<Variable> {
    let (function, edge, kind) = leg.step();
    let moved = space.on.view.moved(Who::Own, function, edge, kind);
    let mut used = Vec::new();
    let action = &space.on.view.universe.program.function(function).edge(edge).action;
    action.for_each_register(&mut |register| {
        if let RegisterUse::Used(register) = register {
            used.push(Variable::Register(function, register));
        }
    });
    for touched in moved.touched.iter().filter(|touched| touched.mode.kind == AccessKind::Read) {
        used.extend(space.on.view.variable(touched.cell));
    }
    used
}

/// Which registers are loaded from which cells.
pub fn loaded(space: &mut Space<'_, '_, '_>, key: StepKey) -> Vec<(Variable, Variable)> {
    use selvedge_program::{Action, AtomicStep};
    let program = space.on.view.universe.program;
    let loads: Vec<_> = match &program.function(key.0).edge(key.1).action {
        Action::Load { target, access, .. } => vec![(*target, access)],
        Action::Atomic(steps) => steps
            .iter()
            .filter_map(|step| match step {
                AtomicStep::Read { target, access } => Some((*target, access)),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    let mut loaded = Vec::new();
    for (target, access) in loads {
        let cells = cells(&mut space.on.view, key, access);
        loaded.extend(cells.into_iter().map(|cell| (Variable::Register(key.0, target), cell)));
    }
    loaded
}
