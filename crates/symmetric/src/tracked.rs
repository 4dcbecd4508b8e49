//! What is tracked, and which abstract states may lead somewhere by a step.
//!
//! An assignment that satisfies the conditions of a step gives truth values to all predicates of all threads that are
//! there. Those that the conditions speak of are an abstract state from which the step may lead there. If a part of
//! them already implies that it does, that part is *exact*, and the smallest such part is taken.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_abstraction::atoms::{conditions, of_step};
use selvedge_abstraction::backward::{Before, Taken, before, before_other, without_chosen};
use selvedge_abstraction::{PredicateId, Predicates, Stop};
use selvedge_evidence::symmetric::configuration::{Configuration, Literal, Member};
use selvedge_evidence::symmetric::count::{Fewer, Group};
use selvedge_evidence::symmetric::moves::{At, Move, StepKey};
use selvedge_evidence::symmetric::stage::Stage;
use selvedge_logic::{Answer, Cancellation, Limits, Op, Questions, SymbolId, Term};
use selvedge_program::{AccessKind, BinaryOp, Budget, Expr, RegisterId};
use selvedge_symbolic::threads::{Kept, Local, View, Who};
use selvedge_symbolic::{Predicate, Tag, Variable};

use crate::impossible::Impossible;
use crate::normal::{normal, with_constants};
use crate::remainders::instead;
use crate::sample::{Sample, Samples};

/// How many conflicts a question may take whose answer need not be known. Not a time, so that the answer is the same on
/// every machine.
const MOST_CONFLICTS: u32 = 2_000;

/// How large the circuits of questions grow together: the questions about one step differ in what is known already.
const MOST_GATES: usize = 50_000;

/// The most threads that are told from more.
const MOST_COUNTED: u32 = 64;

/// The number of a predicate that has none.
const NONE: u32 = u32::MAX;

/// Why something may lead somewhere.
#[derive(Clone, Debug)]
pub enum Reason<'a> {
    /// These steps fail, or race.
    Ends(&'a [StepKey]),
    /// A step leads into a configuration.
    Leads(&'a Configuration, &'a Move),
}

impl Reason<'_> {
    /// The step that it is about; of several that fail together, the first.
    pub fn step(&self) -> Option<StepKey> {
        match self {
            Reason::Ends(steps) => steps.first().copied(),
            Reason::Leads(_, by) => Some(by.step),
        }
    }
}

/// An abstract state of the threads that are there.
#[derive(Clone, Debug)]
pub struct Found {
    pub configuration: Configuration,
    /// For each thread of the configuration, which of those that are there it is.
    pub order: Vec<usize>,
    /// Whether all that it stands for leads there.
    pub is_exact: bool,
}

/// The predicates, with the solver.
#[derive(Debug)]
pub struct Tracked<'p, 'b> {
    pub stage: Stage<'p>,
    scopes: Predicates,
    /// The numbers of predicates on the stage, by those for scopes.
    numbers: Vec<u32>,
    /// The numbers of what is tracked of how many threads there are, by group and in the order of the bounds.
    counts: BTreeMap<Group, BTreeMap<u32, u32>>,
    in_scope: FxHashMap<At, (usize, Rc<Vec<PredicateId>>)>,
    /// By step: what is asked about one step shares its circuit, and has little to do with what is asked about another.
    solvers: FxHashMap<Option<StepKey>, Questions>,
    /// For what need not be known.
    quick: FxHashMap<Option<StepKey>, Questions>,
    limits: Limits,
    /// What the last question was about.
    asked: Option<StepKey>,
    pub budget: &'b Budget,
    pub queries: u64,
    /// Conditions that cannot hold together, as far as that was asked.
    impossible: Impossible,
    samples: Samples,
    /// Of the last of these.
    core: Vec<Term>,
    /// The smallest parts of what is said that imply a condition, by the question.
    cores: FxHashMap<Vec<Term>, Option<FxHashSet<Term>>>,
    /// How many questions there are left for the work at hand.
    pub allowance: u64,
    /// Whether predicates are added where a step is not exact.
    pub is_eager: bool,
}

impl<'p, 'b> Tracked<'p, 'b> {
    pub fn new(stage: Stage<'p>, budget: &'b Budget) -> Self {
        let limits = Limits {
            deadline: budget.deadline,
            cancellation: Some(Cancellation::from_flag(budget.cancel.clone())),
            conflicts: None,
        };
        Tracked {
            stage,
            scopes: Predicates::default(),
            numbers: Vec::new(),
            counts: BTreeMap::new(),
            in_scope: FxHashMap::default(),
            solvers: FxHashMap::default(),
            quick: FxHashMap::default(),
            limits,
            asked: None,
            budget,
            impossible: Impossible::default(),
            samples: Samples::default(),
            core: Vec::new(),
            cores: FxHashMap::default(),
            queries: 0,
            allowance: u64::MAX,
            is_eager: false,
        }
    }

    /// How many predicates are tracked.
    pub fn len(&self) -> usize {
        self.numbers.len() + self.counts.values().map(BTreeMap::len).sum::<usize>()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The tracked predicates.
    pub fn predicates(&self) -> impl Iterator<Item = &Predicate> {
        self.numbers.iter().filter(|number| **number != NONE).filter_map(|number| self.stage.predicate(*number))
    }

    /// Tracks one more, or what is tracked instead; `false` if that is nothing new.
    fn add(&mut self, predicate: &Predicate) -> bool {
        let Some(instead) = instead(predicate) else { return self.add_one(predicate) };
        let known = self.len();
        for predicate in &instead {
            self.add_one(predicate);
        }
        self.len() > known
    }

    fn add_one(&mut self, predicate: &Predicate) -> bool {
        let known = self.scopes.len();
        let predicate = &normal(&with_constants(&mut self.stage.view, predicate));
        if self.scopes.add(&mut self.stage.view, predicate).is_none() || self.scopes.len() == known {
            return false;
        }
        // What the state does not decide has no number on the stage, and stands for nothing.
        let number = self.stage.number(predicate).unwrap_or(NONE);
        self.numbers.push(number);
        number != NONE
    }

    /// Tracks whether there are fewer threads than so many at some places; `false` if that is nothing new.
    pub fn count(&mut self, fewer: &Fewer) -> bool {
        if fewer.than > MOST_COUNTED {
            return false;
        }
        let Some(number) = self.stage.number_of_fewer(fewer) else { return false };
        self.counts.entry(fewer.group.clone()).or_default().insert(fewer.than, number).is_none()
    }

    /// Whether it is tracked how many threads there are somewhere.
    pub fn counts_threads(&self) -> bool {
        !self.counts.is_empty()
    }

    /// What is tracked of how many threads there are, as an assignment has it: of each group the closest bounds.
    fn counted(&mut self, model: &Sample) -> Result<Vec<(Said, Term)>, Stop> {
        let mut said = Vec::new();
        for numbers in self.counts.values() {
            let mut least = None;
            for number in numbers.values() {
                let term = self.stage.holds((*number, true), Who::Own);
                let is_fewer = model.satisfies(&self.stage.view.builder.terms, term)?;
                let literal = (*number, is_fewer);
                let known = (Said { thread: None, literal }, self.stage.holds(literal, Who::Own));
                if is_fewer {
                    said.push(known);
                    break;
                }
                least = Some(known);
            }
            said.extend(least);
        }
        Ok(said)
    }

    /// Whether conditions can hold together; most of them are about a step, if there is one.
    pub fn can_hold(&mut self, step: Option<StepKey>, conditions: &[Term]) -> Result<bool, Stop> {
        self.budget.check()?;
        if let Some(core) = self.impossible.find(conditions) {
            self.core = core;
            return Ok(false);
        }
        self.queries += 1;
        self.allowance = self.allowance.checked_sub(1).ok_or(Stop::Spent)?;
        self.asked = step;
        let limits = &self.limits;
        let solver = self.solvers.entry(step).or_insert_with(|| Questions::keeping(limits.clone(), MOST_GATES));
        match solver.check(&self.stage.view.builder.terms, conditions)? {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => {
                self.core = solver.core()?;
                self.impossible.add(&self.core);
                Ok(false)
            }
            Answer::Unknown(_) => Err(Stop::Exhausted(self.budget.stopped_by())),
        }
    }

    /// After conditions that cannot hold together: some that cannot.
    pub fn core(&self) -> FxHashSet<Term> {
        self.core.iter().copied().collect()
    }

    /// The assignment of the last question.
    pub fn model(&mut self) -> Result<Sample, Stop> {
        let Some(solver) = self.solvers.get_mut(&self.asked) else {
            return Err(Stop::Internal("an assignment is asked for before a question".to_owned()));
        };
        let model = solver.model(&self.stage.view.builder.terms);
        if model.is_err() {
            // It may have to be found once more, for which there may be no time.
            self.budget.check()?;
        }
        Ok(Sample::new(model?))
    }

    /// An assignment under which conditions on threads that are there hold together.
    pub fn sample(
        &mut self,
        step: Option<StepKey>,
        conditions: &[Term],
        there: &[(Who, At)],
    ) -> Result<Option<Rc<Sample>>, Stop> {
        if let Some(sample) = self.samples.find(&self.stage.view.builder.terms, conditions, there)? {
            return Ok(Some(sample));
        }
        if !self.can_hold(step, conditions)? {
            return Ok(None);
        }
        let sample = Rc::new(self.model()?);
        self.samples.keep(there, Rc::clone(&sample));
        Ok(Some(sample))
    }

    /// The abstract state that an assignment is in, as far as the conditions depend on it.
    pub fn found(
        &mut self,
        (needed, different): (&[Term], &[Term]),
        there: &[(Who, At)],
        model: &Sample,
        reason: &Reason<'_>,
    ) -> Result<Found, Stop> {
        let mut effort = 0;
        let kept = self.kept(there, reason);
        loop {
            let mut said = Vec::new();
            let mut is_exact = true;
            for condition in needed {
                if let Some(same) = kept.iter().find(|(_, term)| term == condition) {
                    said.push(*same);
                    continue;
                }
                let literals = self.relevant(&[*condition], there, model)?;
                match self.exact(reason.step(), (*condition, different), &literals, model)? {
                    Some(exact) => said.extend(exact),
                    None => {
                        is_exact = false;
                        said.extend(literals);
                    }
                }
            }
            said.extend(self.counted(model)?);
            said.sort_unstable();
            said.dedup();
            if is_exact || !self.is_eager || !self.suggest(reason, &mut effort) {
                return Ok(Found { is_exact, ..configuration(&said, there, 0) });
            }
        }
    }

    /// What a configuration says of threads that are there before a step into it: where the step does not change it, it is
    /// what has to hold before.
    fn kept(&mut self, there: &[(Who, At)], reason: &Reason<'_>) -> Vec<(Said, Term)> {
        let Reason::Leads(to, by) = reason else { return Vec::new() };
        let mut kept = Vec::new();
        for literal in &to.shared {
            kept.push((Said { thread: None, literal: *literal }, self.stage.holds(*literal, Who::Own)));
        }
        for (thread, member) in to.threads.iter().enumerate() {
            let who = by.who(thread);
            let Some(place) = there.iter().position(|(other, _)| *other == who) else { continue };
            for literal in &member.literals {
                kept.push((Said { thread: Some(place), literal: *literal }, self.stage.holds(*literal, who)));
            }
        }
        kept
    }

    /// What predicates say, of those that have something to do with conditions.
    fn relevant(&mut self, needed: &[Term], there: &[(Who, At)], model: &Sample) -> Result<Vec<(Said, Term)>, Stop> {
        let about: FxHashSet<SymbolId> = self.stage.view.builder.terms.symbols_of(needed).into_iter().collect();
        let mut candidates = Vec::new();
        for (place, (who, at)) in there.iter().enumerate() {
            for id in self.scope(*at).iter() {
                let number = self.numbers[id.0 as usize];
                let is_shared = self.stage.is_shared(number);
                if !is_shared || place == 0 {
                    candidates.push((number, (!is_shared).then_some(place), if is_shared { Who::Own } else { *who }));
                }
            }
        }
        let counts = self.counts.values().flat_map(BTreeMap::values);
        candidates.extend(counts.map(|number| (*number, None, Who::Own)));
        let mut relevant = Vec::new();
        for (number, thread, who) in candidates {
            let term = self.stage.holds((number, true), who);
            let symbols = self.stage.symbols_of(term);
            if !symbols.iter().any(|symbol| about.contains(symbol)) {
                continue;
            }
            let truth = model.satisfies(&self.stage.view.builder.terms, term)?;
            let literal = self.stage.holds((number, truth), who);
            relevant.push((Said { thread, literal: (number, truth) }, literal));
        }
        Ok(relevant)
    }

    fn scope(&mut self, at: At) -> Rc<Vec<PredicateId>> {
        if let Some((known, scope)) = self.in_scope.get(&at)
            && *known == self.scopes.len()
        {
            return Rc::clone(scope);
        }
        let universe = &self.stage.view.universe;
        let mut scope = self.scopes.in_scope(universe, universe.unfolded(at.0), at.1);
        scope.retain(|id| self.numbers[id.0 as usize] != NONE);
        let scope = Rc::new(scope);
        self.in_scope.insert(at, (self.scopes.len(), Rc::clone(&scope)));
        scope
    }

    /// A smallest part of what is said that implies a condition, for the values that the step chooses.
    fn exact(
        &mut self,
        step: Option<StepKey>,
        (condition, different): (Term, &[Term]),
        literals: &[(Said, Term)],
        model: &Sample,
    ) -> Result<Option<Vec<(Said, Term)>>, Stop> {
        if self.stage.view.builder.is(condition, true) {
            return Ok(Some(Vec::new()));
        }
        if let Some(same) = literals.iter().find(|(_, term)| *term == condition) {
            return Ok(Some(vec![*same]));
        }
        let mut question: Vec<Term> = literals.iter().map(|(_, term)| *term).collect();
        question.extend(different);
        question.extend(self.chosen(&[condition], different, model)?);
        question.push(self.stage.view.builder.not(condition));
        self.budget.check()?;
        if !self.cores.contains_key(&question) {
            self.queries += 1;
            let limits = &self.limits;
            let quick = self.quick.entry(step).or_insert_with(|| {
                Questions::keeping(Limits { conflicts: Some(MOST_CONFLICTS), ..limits.clone() }, MOST_GATES)
            });
            let core = match quick.check(&self.stage.view.builder.terms, &question)? {
                Answer::Satisfiable | Answer::Unknown(_) => None,
                Answer::Unsatisfiable => {
                    quick.minimise_core()?;
                    Some(quick.core()?.into_iter().collect())
                }
            };
            self.cores.insert(question.clone(), core);
        }
        let core = self.cores[&question].as_ref();
        Ok(core.map(|core| literals.iter().filter(|(_, term)| core.contains(term)).copied().collect()))
    }

    /// What is no part of the state, and which thread is which, apart, has the values of an assignment.
    fn chosen(&mut self, needed: &[Term], different: &[Term], model: &Sample) -> Result<Vec<Term>, Stop> {
        let terms = &self.stage.view.builder.terms;
        let identities: FxHashSet<SymbolId> = terms.symbols_of(different).into_iter().collect();
        let is_symbol = |term: &Term| matches!(terms.op(*term), Op::Symbol(symbol) if !identities.contains(&symbol));
        let symbols: Vec<Term> = terms.post_order(needed).into_iter().filter(is_symbol).collect();
        let own = self.stage.view.identity(Who::Own);
        let mut chosen = Vec::new();
        for symbol in symbols {
            if symbol == own || self.stage.is_count(symbol) || self.stage.view.named(symbol).is_some() {
                continue;
            }
            let builder = &mut self.stage.view.builder;
            let value = model.value(&builder.terms, symbol)?;
            chosen.push(match builder.terms.sort(symbol) {
                selvedge_logic::Sort::Bool if value.is_true() => symbol,
                selvedge_logic::Sort::Bool => builder.not(symbol),
                selvedge_logic::Sort::Bits(width) => {
                    let value = builder.terms.bits(width, value.unsigned());
                    builder.terms.equal(symbol, value)
                }
            });
        }
        Ok(chosen)
    }

    /// What decides whether a predicate of a passive thread holds after a step, with registers of the active one
    /// spoken of as cells: those that tracked predicates say they equal. What would speak of two threads becomes a
    /// predicate of one.
    fn through_cells(&mut self, step: StepKey, predicate: &Predicate) -> Vec<Predicate> {
        let equal: Vec<(Variable, Variable)> = self.predicates().filter_map(equation).collect();
        let mut cells: Vec<Variable> = equal.iter().map(|(_, cell)| *cell).collect();
        cells.sort_unstable();
        cells.dedup();
        let mut found = before_other(&mut self.stage.view, step, predicate, &[]);
        for cell in cells {
            let equal: Vec<_> = equal.iter().filter(|(_, other)| *other == cell).copied().collect();
            found.extend(before_other(&mut self.stage.view, step, predicate, &equal));
        }
        found
    }

    /// Tracks how many threads there have to be before a step, for as many as a configuration has.
    fn count_before(&mut self, reason: &Reason<'_>) -> bool {
        let Reason::Leads(to, by) = reason else { return false };
        let mut is_new = false;
        for (number, _) in &to.shared {
            if let (Some(before), Some((group, _))) = (self.stage.fewer_before(*number, by), self.stage.fewer(*number))
                && let Ok(than) = u32::try_from(before)
            {
                let group = group.clone();
                is_new |= self.count(&Fewer { than, group });
            }
        }
        is_new
    }

    /// Tracks what a reason suggests: first weakest preconditions, then those that speak of another
    /// thread only through cells, then what the steps compare and assign. `false` if nothing is new.
    fn suggest(&mut self, reason: &Reason<'_>, effort: &mut u32) -> bool {
        while *effort < 3 {
            let view = &mut self.stage.view;
            let mut suggested = Vec::new();
            match (reason, *effort) {
                (Reason::Ends(steps), 0) => {
                    for step in *steps {
                        suggested.extend(conditions(view, *step));
                    }
                }
                (Reason::Ends(steps), _) => {
                    for step in *steps {
                        suggested.extend(of_step(view, *step));
                    }
                }
                (Reason::Leads(to, by), 0 | 1) => {
                    if *effort == 0 {
                        suggested.extend(conditions(view, by.step));
                        let own = by.active.map_or(&[][..], |thread| &to.threads[thread].literals[..]);
                        let said = own.iter().chain(&to.shared);
                        let said = said.filter_map(|(number, _)| self.stage.predicate(*number)).cloned();
                        let said: Vec<Predicate> = said.collect();
                        suggested.extend(without_chosen(&mut self.stage.view, by.step, &said));
                    }
                    let of_threads = to.threads.iter().enumerate().flat_map(|(thread, member)| {
                        member.literals.iter().map(move |(number, _)| (*number, by.who(thread)))
                    });
                    let literals = to.shared.iter().map(|(number, _)| (*number, Who::Own)).chain(of_threads);
                    for (number, who) in literals.collect::<Vec<_>>() {
                        let Some(predicate) = self.stage.predicate(number).cloned() else { continue };
                        let taken = match who {
                            Who::Own => Taken::Own(by.step),
                            Who::Started => Taken::Starts(by.step),
                            Who::Other | Who::Passive(_) => Taken::Other(by.step),
                        };
                        match taken {
                            Taken::Other(step) if *effort == 1 => {
                                suggested.extend(self.through_cells(step, &predicate));
                            }
                            _ if *effort == 1 => {}
                            taken => {
                                let found = before(&mut self.stage.view, taken, &predicate);
                                suggested.extend(found.into_iter().map(|found| match found {
                                    Before::Own(predicate) | Before::Other(predicate) => predicate,
                                }));
                            }
                        }
                    }
                }
                (Reason::Leads(_, by), _) => {
                    suggested.extend(of_step(view, by.step));
                    suggested.extend(determinate(view, by.step));
                }
            }
            *effort += 1;
            let mut is_new = self.count_before(reason);
            for predicate in suggested {
                is_new |= self.add(&predicate);
            }
            if is_new {
                return true;
            }
        }
        false
    }
}

/// Whether the cells that a step reads have been written, where that is not certain.
fn determinate(view: &mut View<'_>, (function, edge, kind): StepKey) -> Vec<Predicate> {
    let moved = view.moved(Who::Own, function, edge, kind);
    let mut suggested = Vec::new();
    for touched in moved.touched.iter().filter(|touched| touched.mode.kind == AccessKind::Read) {
        let word = match view.universe.kept_cell(touched.cell) {
            Kept::Own => view.local(Who::Own, Local::Cell(touched.cell)),
            Kept::Shared => view.cell(touched.cell),
            Kept::Nowhere => None,
        };
        if let Some(word) = word
            && view.builder.tags(word).contains(&Tag::INDETERMINATE)
            && let Some(Variable::Cell { object, offset, size }) = view.variable(touched.cell)
        {
            let condition = Expr::register(RegisterId(0), 1);
            suggested.push(Predicate::new(&condition, &[Variable::Determinate { object, offset, size }]));
        }
    }
    suggested
}

/// The register and the cell of which a predicate says that they are equal.
fn equation(predicate: &Predicate) -> Option<(Variable, Variable)> {
    let Expr::Binary(BinaryOp::Equal, left, right) = predicate.condition() else { return None };
    let (Expr::Register(left, _), Expr::Register(right, _)) = (&**left, &**right) else { return None };
    let of = |register: &RegisterId| predicate.variables().get(register.index()).copied();
    match (of(left)?, of(right)?) {
        (own @ Variable::Register(..), cell @ Variable::Cell { .. })
        | (cell @ Variable::Cell { .. }, own @ Variable::Register(..)) => Some((own, cell)),
        _ => None,
    }
}

/// What is said of a thread that is there, or of what all share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Said {
    thread: Option<usize>,
    literal: Literal,
}

impl Tracked<'_, '_> {
    /// What a configuration says that a step of none of its threads does not change.
    pub fn unchanged(&mut self, to: &Configuration, by: &Move) -> Found {
        let places = to.places();
        let there = by.before(&places);
        let moved = self.stage.moved(by.step);
        let shared = to.shared.iter().map(|literal| (None, *literal));
        let own = to.threads.iter().enumerate().flat_map(|(thread, member)| {
            // The active thread comes first.
            member.literals.iter().map(move |literal| (Some(thread + 1), *literal))
        });
        let mut said = Vec::new();
        for (thread, literal) in shared.chain(own).collect::<Vec<_>>() {
            let who = thread.map_or(Who::Own, |thread| there[thread].0);
            let term = self.stage.holds(literal, who);
            if self.stage.holds_after(literal, who, by, &moved) == term {
                said.push((Said { thread, literal }, term));
            }
        }
        let mut found = configuration(&said, &there[1..], 1);
        found.is_exact = false;
        found
    }
}

/// What is said, as a configuration of all threads that are there; the first of them has this number.
fn configuration(said: &[(Said, Term)], there: &[(Who, At)], first: usize) -> Found {
    let mut members: Vec<(Member, usize)> = there
        .iter()
        .enumerate()
        .map(|(place, (_, at))| {
            let place = first + place;
            let own = said.iter().filter(|(said, _)| said.thread == Some(place)).map(|(said, _)| said.literal);
            let mut literals: Vec<Literal> = own.collect();
            literals.sort_unstable();
            (Member { at: *at, literals }, place)
        })
        .collect();
    members.sort();
    let mut shared: Vec<Literal> =
        said.iter().filter(|(said, _)| said.thread.is_none()).map(|(said, _)| said.literal).collect();
    shared.sort_unstable();
    let order = members.iter().map(|(_, place)| *place).collect();
    let threads = members.into_iter().map(|(member, _)| member).collect();
    Found { configuration: Configuration { shared, threads }, order, is_exact: true }
}
