//! The engine among others: explores, follows alarms, tracks what they suggest, until nothing is wrong or nothing
//! helps.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Instant;

use selvedge_abstraction::{Abstraction, PredicateSet, Prover, Stop};
use selvedge_analysis::{AbstractObject, Facts};
use selvedge_evidence::modular::{Possible, abstracted};
use selvedge_evidence::{Answer, Figure, Findings, Gap, InternalError, ModularProof, Subject};
use selvedge_program::{
    AccessKind, Base, BinaryOp, Budget, CheckId, Expr, Program, Progress, Property, RegisterId, Span,
};
use selvedge_symbolic::threads::{Kept, Local, Thing, Universe, View, Who};
use selvedge_symbolic::{CellKey, Note, Predicate, Tag, Trouble, Variable};

use crate::course::Course;
use crate::groups::Group;
use crate::space::{Alarm, MOST_TEMPLATES, Problem, Space, Width};

/// What the engine is asked.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub properties: Vec<Property>,
    /// Only races on the object with this name are meant.
    pub race_on: Option<String>,
}

/// Whether the engine has something to say about a property.
pub fn answers(property: Property) -> bool {
    match property {
        Property::Assertion | Property::Race | Property::Memory | Property::Overflow => true,
        Property::Deadlock | Property::Atomicity => false,
    }
}

/// What it took, in the words of the paper's Table 2.
#[derive(Clone, Copy, Debug, Default)]
struct Statistics {
    outer: u64,
    states: u64,
    predicates: u64,
    queries: u64,
}

/// Checks a program.
///
/// # Errors
/// Only for mistakes of the engine's own.
pub fn check(
    facts: &Facts,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn Progress,
    findings: &dyn Findings,
) -> Result<Answer, InternalError> {
    let begun = Instant::now();
    let program = facts.program();
    let mut statistics = Statistics::default();
    let stopped = run(program, options, budget, progress, findings, &mut statistics);
    let mut gaps = match stopped {
        Ok(gaps) => gaps,
        Err(Stop::Exhausted(limit)) => vec![Gap::Limit(limit)],
        Err(Stop::Internal(what)) => return Err(InternalError::Uncertified(what)),
    };
    gaps.sort();
    gaps.dedup();
    let figures = vec![
        ("outer_iterations", Figure::Count(statistics.outer)),
        ("abstract_states", Figure::Count(statistics.states)),
        ("predicates", Figure::Count(statistics.predicates)),
        ("prover_queries", Figure::Count(statistics.queries)),
        ("seconds", Figure::Time(begun.elapsed())),
    ];
    Ok(Answer { gaps, statistics: figures })
}

fn inapplicable(message: &str) -> Vec<Gap> {
    vec![Gap::Inapplicable { span: Span::NOWHERE, message: message.to_owned() }]
}

/// How many alarms about one thing are followed at a time, as long as none suggests anything.
pub const ALARMS: usize = 4;

/// A program that is explored with more states than this is looked at in groups.
const LARGE: usize = 1_000;

fn run(
    program: &Program,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn Progress,
    findings: &dyn Findings,
    statistics: &mut Statistics,
) -> Result<Vec<Gap>, Stop> {
    let universe = match Universe::of(program, || budget.exhausted().is_none()) {
        Ok(Some(universe)) => universe,
        Ok(None) => return Ok(budget.exhausted().map(Gap::Limit).into_iter().collect()),
        Err(_) => return Ok(inapplicable("threads that call functions recursively are not looked at one by one")),
    };
    if universe.templates.len() > MOST_TEMPLATES {
        return Ok(inapplicable("more kinds of threads than are looked at one by one"));
    }
    let mut view = View::new(universe);
    let first = first_predicates(&mut view);
    let mut on = Abstraction::new(view, Prover::new(budget));
    let first: Vec<_> = first.iter().filter_map(|predicate| on.predicates.add(&mut on.view, predicate)).collect();
    let mut pending = VecDeque::from([Group::all(PredicateSet::of(first.into_iter()))]);
    let mut width = Width::Whole;
    let mut course = Course::new(program, options, findings);
    while let Some(group) = pending.pop_front() {
        statistics.outer += 1;
        statistics.predicates = on.predicates.len() as u64;
        progress.say("modular", &format!("iteration {}, {} predicates", statistics.outer, on.predicates.len()));
        let mut space = Space::new(&mut on, group.tracked.clone(), width);
        let explored = space.explore();
        statistics.states = statistics.states.max(space.states.len() as u64);
        statistics.queries = space.on.prover.queries;
        explored?;
        let suggested = if group.rounds < width.most_rounds() { course.follow(&mut space, &group)? } else { Vec::new() };
        statistics.queries = space.on.prover.queries;
        course.note(&space);
        if space.states.len() > LARGE {
            width = Width::Narrow;
        }
        let next = match width {
            Width::Whole => group.together(&mut on, suggested),
            Width::Narrow => group.apart(&mut on, suggested),
        };
        pending.extend(next);
        let is_done = course.is_done();
        // To tell is to have it checked, which takes a while; later there is more to tell at once.
        if is_done || pending.is_empty() || statistics.outer.is_power_of_two() {
            course.tell();
        }
        if is_done {
            break;
        }
    }
    Ok(course.gaps())
}

/// What is tracked from the start: whether the thread owns each lock and each word that may serve as one, whether
/// locals are alive, and whether what it looks at in memory has been written.
fn first_predicates(view: &mut View<'_>) -> Vec<Predicate> {
    let program = view.universe.program;
    let (mut owners, mut bits) = (BTreeSet::new(), BTreeSet::new());
    let updated: Vec<_> = view.universe.updated().collect();
    owners.extend(updated.into_iter().filter_map(|(object, start)| view.variable(CellKey::Changer { object, start })));
    for tag in view.universe.tags().collect::<Vec<_>>() {
        if let Some(Thing::One(_)) = view.universe.thing(tag) {
            bits.extend(view.variable(CellKey::Note(Note::Born, tag)));
            if view.universe.kept(tag) == Kept::Shared {
                bits.extend(view.variable(CellKey::Note(Note::Escaped, tag)));
                owners.extend(view.variable(CellKey::Note(Note::Maker, tag)));
            }
        }
    }
    for (function, edge, kind) in view.steps() {
        let moved = view.moved(Who::Own, function, edge, kind);
        let own = moved.locals.iter().filter_map(|(local, word)| match local {
            Local::Cell(key) => Some((key, word)),
            Local::Register(..) => None,
        });
        for (key, word) in own.chain(&moved.cells) {
            if let (CellKey::Alive(_), None | Some(0)) = (key, view.builder.constant(word.bits)) {
                bits.extend(view.variable(*key));
            }
        }
        for (key, word) in &moved.cells {
            let is_thread = |tag: &Tag| view.universe.thing(*tag) == Some(Thing::Thread);
            if let CellKey::Ghost { .. } = key
                && view.builder.tags(*word).iter().any(is_thread)
            {
                owners.extend(view.variable(*key));
            }
        }
        for touched in moved.touched.iter().filter(|touched| touched.mode.kind == AccessKind::Read) {
            let word = match view.universe.kept(touched.cell.object()) {
                Kept::Own => view.local(Who::Own, Local::Cell(touched.cell)),
                Kept::Shared => view.cell(touched.cell),
                Kept::Nowhere => None,
            };
            if let (Some(Variable::Cell { object, offset, size }), Some(word)) = (view.variable(touched.cell), word)
                && view.builder.tags(word).contains(&Tag::INDETERMINATE)
            {
                bits.insert(Variable::Determinate { object, offset, size });
            }
        }
    }
    let width = program.pointer_width();
    let is_own = |owner: Variable| {
        let (owned_by, own) = (Expr::Register(RegisterId(0), width), Expr::Address(Base::SelfThread, width));
        Predicate::new(&Expr::Binary(BinaryOp::Equal, Box::new(owned_by), Box::new(own)), &[owner])
    };
    let owned = owners.into_iter().map(is_own);
    owned.chain(bits.into_iter().map(|bit| Predicate::new(&Expr::Register(RegisterId(0), 1), &[bit]))).collect()
}

/// What an alarm is about; `None` if it stands in the way of everything.
pub fn subject(space: &Space<'_, '_, '_>, alarm: &Alarm) -> Option<Subject> {
    match &alarm.problem {
        Problem::Violation(check) => Some(Subject::Assertion(*check)),
        Problem::Trouble(Trouble::Undefined(undefined)) => {
            Some(Subject::Memory(alarm.step.0, alarm.step.1, *undefined))
        }
        Problem::Trouble(Trouble::Unsupported(_)) => None,
        Problem::Race(tag, ..) => abstracted(&space.on.view.universe, *tag).map(Subject::Race),
    }
}

/// What there is of a property that can be proved by itself.
pub fn subjects(program: &Program, property: Property) -> Vec<Subject> {
    match property {
        Property::Assertion => (0..program.checks.len()).map(|check| Subject::Assertion(CheckId::new(check))).collect(),
        Property::Race => (0..program.objects.len())
            .map(|object| Subject::Race(AbstractObject::Static(selvedge_program::ObjectId::new(object))))
            .collect(),
        _ => Vec::new(),
    }
}

/// The explored states as a proof.
pub fn proof(space: &Space<'_, '_, '_>) -> ModularProof {
    let universe = &space.on.view.universe;
    let mut places: BTreeMap<_, Vec<Possible>> = BTreeMap::new();
    for state in space.states.iter().filter(|state| !state.is_covered) {
        let unstarted = (0..universe.templates.len()).filter(|template| state.unstarted & (1 << template) != 0);
        let literals = state.cube.iter().map(|(id, truth)| (space.on.predicates.get(*id).clone(), *truth));
        let possible = Possible {
            unstarted: unstarted.map(|template| universe.templates[template].0).collect(),
            literals: literals.collect(),
        };
        places.entry((universe.templates[state.template].0, state.node.0)).or_default().push(possible);
    }
    let witnesses = space.witnesses.iter().filter_map(|(edge, registers)| Some((*edge, *registers.first()?)));
    ModularProof { places, witnesses: witnesses.collect(), besides: Vec::new() }
}
