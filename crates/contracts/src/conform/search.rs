//! Which abstract states match and which of the tracked predicates hold together at the cuts of a thread: all of it is
//! collected until nothing is new. At a cut nothing else is remembered, so a way to something wrong may be none: then it
//! is taken again in a row from the beginning, and what excludes it is tracked from then on.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use selvedge_abstraction::predicates::{PredicateId, Predicates};
use selvedge_evidence::conformance::{Place, Possible, States};
use selvedge_logic::{Answer, Cancellation, Limits, Model, Questions, Term};
use selvedge_program::{Budget, Span};
use selvedge_symbolic::Predicate;
use selvedge_symbolic::threads::{NodeId, View, Who};

use super::part::{Instrumented, Part, Point, Record, Wrong};
use super::refine::{EFFORTS, Leg, alive, suggested};
use super::{Doubtful, Failed, Failure, Step, Stuck};

/// What came out.
pub enum Found {
    Invariant(BTreeMap<Place, Vec<Possible>>),
    Failure(Failure),
}

/// More combinations at one end of a part are not looked at one by one.
const MOST_COMBINATIONS: usize = 48;

/// So many questions are asked to make the numbers of a failure small.
const MOST_TRIED: usize = 200;

/// With more states than this the search is given up.
const MOST_STATES: usize = 4_000;

/// What may be so at a cut.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Said {
    cut: usize,
    states: States,
    cube: Vec<(PredicateId, bool)>,
}

/// How it came to be so.
#[derive(Clone, Debug)]
struct Origin {
    from: usize,
    /// Which end of the part.
    end: usize,
    /// The steps there.
    legs: Vec<Leg>,
}

/// What a look at a part came to.
enum Looked {
    /// Nothing is wrong there.
    Fine,
    /// What seemed wrong is excluded by predicates that are tracked from now on.
    Refined,
    Failed(Failure),
}

struct Search<'a, 'p> {
    view: &'a mut View<'p>,
    thread: &'a Instrumented<'a>,
    budget: &'a Budget,
    solver: Questions,
    predicates: Predicates,
    parts: BTreeMap<(usize, States), std::rc::Rc<Part>>,
    known: Vec<(Said, Option<Origin>)>,
    doubts: BTreeSet<Doubtful>,
}

/// Finds an invariant of a thread and its abstract thread, or an execution that is not matched.
pub fn search(
    view: &mut View<'_>,
    thread: &Instrumented<'_>,
    budget: &Budget,
    doubts: &mut BTreeSet<Doubtful>,
) -> Result<Found, Stuck> {
    let limits = Limits {
        deadline: budget.deadline,
        cancellation: Some(Cancellation::from_flag(budget.cancel.clone())),
        conflicts: None,
    };
    let mut predicates = Predicates::default();
    for predicate in alive(view) {
        predicates.add(view, &predicate);
    }
    let mut search = Search {
        view,
        thread,
        budget,
        solver: Questions::keeping(limits, 20_000),
        predicates,
        parts: BTreeMap::new(),
        known: Vec::new(),
        doubts: BTreeSet::new(),
    };
    if search.begins_wrong()? {
        return Ok(Found::Failure(Failure { wrong: Failed::Initially, steps: Vec::new() }));
    }
    loop {
        if let Some(found) = search.round()? {
            *doubts = search.doubts;
            return Ok(found);
        }
    }
}

impl Search<'_, '_> {
    fn model(&mut self, conditions: &[Term]) -> Result<Option<Model>, Stuck> {
        self.budget.check()?;
        if conditions.iter().any(|condition| self.view.builder.is(*condition, false)) {
            return Ok(None);
        }
        match self.solver.check(&self.view.builder.terms, conditions)? {
            Answer::Satisfiable => Ok(Some(self.solver.model(&self.view.builder.terms)?)),
            Answer::Unsatisfiable => Ok(None),
            Answer::Unknown(_) => Err(Stuck::Exhausted(self.budget.stopped_by())),
        }
    }

    fn is_true(&self, model: &Model, term: Term) -> Result<bool, Stuck> {
        Ok(model.satisfies(&self.view.builder.terms, term)?)
    }

    /// Whether the initial condition does not hold when the program begins, if its first thread is to conform from there on.
    fn begins_wrong(&mut self) -> Result<bool, Stuck> {
        if self.thread.template != 0 || self.thread.graph.places[0].is_alone {
            return Ok(false);
        }
        let mut point = self.thread.begins(self.view)?;
        let words = self.thread.words(self.view, &mut point.along)?;
        let holds = self.view.holds_of(&self.thread.contract.initially, &words);
        let wrong = self.view.builder.not(holds);
        Ok(self.model(&[wrong])?.is_some())
    }

    /// Collects what may be so at the cuts; nothing if predicates were added on the way.
    fn round(&mut self) -> Result<Option<Found>, Stuck> {
        self.known.clear();
        self.doubts.clear();
        self.start()?;
        let mut pending: VecDeque<usize> = (0..self.known.len()).collect();
        let mut seen: BTreeSet<Said> = self.known.iter().map(|(said, _)| said.clone()).collect();
        while let Some(at) = pending.pop_front() {
            let said = self.known[at].0.clone();
            let part = self.part(&said)?;
            let given = self.literals(&said);
            match self.look_for_wrong(at, &part, &given)? {
                Looked::Fine => {}
                Looked::Refined => return Ok(None),
                Looked::Failed(failure) => return Ok(Some(Found::Failure(failure))),
            }
            self.look_for_doubts(&part, &given)?;
            for (end, (cut, point, _)) in part.ends.iter().enumerate() {
                for (next, legs) in self.combinations(&part, (*cut, point, end), &given)? {
                    if seen.insert(next.clone()) {
                        if self.known.len() >= MOST_STATES {
                            return Err(Stuck::TooMany);
                        }
                        pending.push_back(self.known.len());
                        self.known.push((next, Some(Origin { from: at, end, legs })));
                    }
                }
            }
        }
        Ok(Some(Found::Invariant(self.invariant())))
    }

    /// The thread's beginning: by itself where it is not the head of a loop, since then all is known there.
    fn start(&mut self) -> Result<(), Stuck> {
        let states = if self.thread.graph.places[0].is_alone { States::new() } else { self.thread.to.initial.clone() };
        if !self.thread.graph.heads.contains(&0) {
            self.known.push((Said { cut: 0, states, cube: Vec::new() }, None));
            return Ok(());
        }
        let mut point = self.thread.begins(self.view)?;
        let scope = self.scope(0);
        let mut cube = Vec::new();
        for id in scope {
            let predicate = self.predicates.get(id).clone();
            let holds = point.along.holds(self.view, &predicate)?;
            for (truth, condition) in [(true, self.view.builder.not(holds)), (false, holds)] {
                if self.model(&[point.when, condition])?.is_none() {
                    cube.push((id, truth));
                    break;
                }
            }
        }
        self.known.push((Said { cut: 0, states, cube }, None));
        Ok(())
    }

    fn literals(&mut self, said: &Said) -> Vec<Term> {
        let mut literals = Vec::new();
        for &(id, truth) in &said.cube {
            let term = self.predicates.term(id, Who::Own);
            literals.push(if truth { term } else { self.view.builder.not(term) });
        }
        literals
    }

    /// The predicates that mean something at a place, and that nobody else changes there.
    fn scope(&mut self, place: usize) -> Vec<PredicateId> {
        let at = self.thread.graph.places[place];
        let unfolded = self.view.universe.unfolded(self.thread.template);
        let all: Vec<PredicateId> = self.predicates.all().collect();
        let meant = self.predicates.among(&all, &self.view.universe, unfolded, NodeId(at.node));
        meant.into_iter().filter(|id| at.is_alone || self.predicates.cells(*id).is_empty()).collect()
    }

    fn part(&mut self, said: &Said) -> Result<std::rc::Rc<Part>, Stuck> {
        let key = (said.cut, said.states.clone());
        if let Some(part) = self.parts.get(&key) {
            return Ok(part.clone());
        }
        let start = if self.is_beginning(said.cut) {
            self.thread.begins(self.view)?
        } else {
            self.thread.anywhere(self.view, &said.states)
        };
        let part = std::rc::Rc::new(self.thread.part(self.view, said.cut, start)?);
        self.parts.insert(key, part.clone());
        Ok(part)
    }

    fn is_beginning(&self, cut: usize) -> bool {
        cut == 0 && !self.thread.graph.heads.contains(&0)
    }

    /// All combinations of matching states and tracked predicates at an end of a part, each with a way there.
    fn combinations(
        &mut self,
        part: &Part,
        (cut, point, end): (usize, &Point, usize),
        given: &[Term],
    ) -> Result<Vec<(Said, Vec<Leg>)>, Stuck> {
        let scope = self.scope(cut);
        let mut point = point.clone();
        let mut terms = Vec::new();
        for &id in &scope {
            let predicate: Predicate = self.predicates.get(id).clone();
            terms.push(point.along.holds(self.view, &predicate)?);
        }
        let is_alone = self.thread.graph.places[cut].is_alone;
        let matching = if is_alone { Vec::new() } else { point.matching.clone() };
        let mut found = Vec::new();
        let mut conditions = given.to_vec();
        conditions.push(point.when);
        while let Some(model) = self.model(&conditions)? {
            if found.len() >= MOST_COMBINATIONS {
                return self.cartesian(part, (cut, &point, end), given, &scope, &terms);
            }
            let mut differs = self.view.builder.no;
            let mut states = States::new();
            for (state, bit) in matching.iter().enumerate() {
                let is = self.is_true(&model, *bit)?;
                if is {
                    states.insert(state);
                }
                let other = if is { self.view.builder.not(*bit) } else { *bit };
                differs = self.view.builder.or(differs, other);
            }
            let mut cube = Vec::new();
            for (&id, &term) in scope.iter().zip(&terms) {
                let truth = self.is_true(&model, term)?;
                cube.push((id, truth));
                let other = if truth { self.view.builder.not(term) } else { term };
                differs = self.view.builder.or(differs, other);
            }
            let legs = self.way(part, &model, part.ends[end].2)?;
            found.push((Said { cut, states, cube }, legs));
            conditions.push(differs);
        }
        Ok(found)
    }

    /// The same with each predicate by itself, for every combination of matching states.
    fn cartesian(
        &mut self,
        part: &Part,
        (cut, point, end): (usize, &Point, usize),
        given: &[Term],
        scope: &[PredicateId],
        terms: &[Term],
    ) -> Result<Vec<(Said, Vec<Leg>)>, Stuck> {
        let is_alone = self.thread.graph.places[cut].is_alone;
        let matching = if is_alone { Vec::new() } else { point.matching.clone() };
        let mut found = Vec::new();
        let mut conditions = given.to_vec();
        conditions.push(point.when);
        while let Some(model) = self.model(&conditions)? {
            let (mut states, mut these, mut differs) = (States::new(), Vec::new(), self.view.builder.no);
            for (state, bit) in matching.iter().enumerate() {
                let is = self.is_true(&model, *bit)?;
                if is {
                    states.insert(state);
                }
                let other = if is { self.view.builder.not(*bit) } else { *bit };
                these.push(self.view.builder.not(other));
                differs = self.view.builder.or(differs, other);
            }
            let legs = self.way(part, &model, part.ends[end].2)?;
            let mut cube = Vec::new();
            for (&id, &term) in scope.iter().zip(terms) {
                for (truth, other) in [(true, self.view.builder.not(term)), (false, term)] {
                    let mut question = given.to_vec();
                    question.push(point.when);
                    question.extend(&these);
                    question.push(other);
                    if self.model(&question)?.is_none() {
                        cube.push((id, truth));
                        break;
                    }
                }
            }
            found.push((Said { cut, states, cube }, legs));
            if found.len() >= MOST_COMBINATIONS {
                return Err(Stuck::TooMany);
            }
            conditions.push(differs);
        }
        Ok(found)
    }

    /// The steps of a part that a model takes to a point.
    fn way(&self, part: &Part, model: &Model, to: usize) -> Result<Vec<Leg>, Stuck> {
        let records = self.records(part, model, |record| record.to == Some(to))?;
        Ok(records.into_iter().map(|record| self.leg(record)).collect())
    }

    fn leg(&self, record: &Record) -> Leg {
        let place = self.thread.graph.places[record.place];
        let node = self.view.universe.unfolded(self.thread.template).get(NodeId(place.node));
        Leg { step: (node.function, record.arc.edge, record.arc.kind), is_interrupted: record.is_interrupted }
    }

    /// The steps that a model takes, up to the last one.
    fn records<'r>(
        &self,
        part: &'r Part,
        model: &Model,
        is_last: impl Fn(&Record) -> bool,
    ) -> Result<Vec<&'r Record>, Stuck> {
        let mut at = 0;
        let mut way = Vec::new();
        loop {
            let at_point = |point: usize| part.merged.get(&point).copied().unwrap_or(point);
            let mut next = None;
            for record in part.records.iter().filter(|record| record.from == at) {
                if self.is_true(model, record.chosen)? {
                    next = Some(record);
                    break;
                }
            }
            let Some(record) = next else { return Err(Stuck::Internal("a way without a step".to_owned())) };
            way.push(record);
            if is_last(record) {
                return Ok(way);
            }
            match record.to {
                Some(to) => at = at_point(to),
                None => return Err(Stuck::Internal("a way beyond the end".to_owned())),
            }
        }
    }

    fn look_for_doubts(&mut self, part: &Part, given: &[Term]) -> Result<(), Stuck> {
        for (when, undefined, record) in &part.undefined {
            let leg = self.leg(&part.records[*record]);
            let doubt = (leg.step.0, leg.step.1, *undefined);
            let mut conditions = given.to_vec();
            conditions.push(*when);
            if !self.doubts.contains(&doubt) && self.model(&conditions)?.is_some() {
                self.doubts.insert(doubt);
            }
        }
        Ok(())
    }

    /// Whether something can be wrong in a part: then a failure, or predicates were added.
    fn look_for_wrong(&mut self, at: usize, part: &Part, given: &[Term]) -> Result<Looked, Stuck> {
        let mut any = self.view.builder.no;
        for (when, ..) in &part.wrongs {
            any = self.view.builder.or(any, *when);
        }
        let mut conditions = given.to_vec();
        conditions.push(any);
        let Some(model) = self.model(&conditions)? else { return Ok(Looked::Fine) };
        // The first that is wrong on this way.
        let mut wrong = None;
        for (when, what, record) in &part.wrongs {
            if self.is_true(&model, *when)? {
                wrong = Some((what.clone(), *record));
                break;
            }
        }
        let Some((what, last)) = wrong else { return Err(Stuck::Internal("nothing is wrong".to_owned())) };
        let from = part.records[last].clone();
        if let Some(failure) = self.again(at, (&what, last))? {
            let leg = self.leg(&from);
            return match what {
                Wrong::Unsupported(message) => Err(Stuck::Unsupported(message, leg.step.0, leg.step.1)),
                Wrong::Unmatched | Wrong::Assertion(_) | Wrong::Initially | Wrong::Ends => Ok(Looked::Failed(failure)),
            };
        }
        let is_last =
            |record: &Record| record.place == from.place && record.from == from.from && record.arc == from.arc;
        let records = self.records(part, &model, is_last)?;
        let mut legs: Vec<Vec<Leg>> = vec![records.into_iter().map(|record| self.leg(record)).collect()];
        let mut cuts = vec![self.known[at].0.cut];
        let mut state = at;
        while let Some(origin) = &self.known[state].1 {
            legs.push(origin.legs.clone());
            state = origin.from;
            cuts.push(self.known[state].0.cut);
        }
        let mut is_new = false;
        for effort in 0..EFFORTS {
            for (cut, predicates) in suggested(self.view, self.thread, &legs, &cuts, effort) {
                for predicate in predicates {
                    is_new |= self.track(cut, &predicate);
                }
            }
            if is_new {
                return Ok(Looked::Refined);
            }
        }
        let leg = self.leg(&from);
        Err(Stuck::NoInvariant(leg.step.0, leg.step.1))
    }

    /// Tracks a predicate that means something at a cut; whether it is new.
    fn track(&mut self, cut: usize, predicate: &Predicate) -> bool {
        let before = self.predicates.len();
        let Some(id) = self.predicates.add(self.view, predicate) else { return false };
        self.predicates.len() > before && self.scope(cut).contains(&id)
    }

    /// The parts that led to a state in a row, from the thread's beginning, and then what is wrong.
    fn again(&mut self, at: usize, (what, last): (&Wrong, usize)) -> Result<Option<Failure>, Stuck> {
        let mut ends = Vec::new();
        let mut state = at;
        while let Some(origin) = &self.known[state].1 {
            ends.push((self.known[origin.from].0.cut, origin.end));
            state = origin.from;
        }
        ends.reverse();
        let mut point = self.thread.begins(self.view)?;
        let mut parts = Vec::new();
        for (cut, end) in ends {
            let part = self.thread.part(self.view, cut, point)?;
            let (_, next, number) = part.ends[end].clone();
            parts.push((part, number));
            point = next;
        }
        let part = self.thread.part(self.view, self.known[at].0.cut, point)?;
        let wrong = part.wrongs.iter().find(|(_, other, record)| other == what && *record == last);
        let Some((when, ..)) = wrong else { return Ok(None) };
        let Some(model) = self.model(&[*when])? else { return Ok(None) };
        let model = self.small(model, *when, parts.iter().map(|(part, _)| part).chain([&part]))?;
        let Some(wrong) = what.failed() else {
            return Ok(Some(Failure { wrong: Failed::Unmatched, steps: Vec::new() }));
        };
        let mut steps = Vec::new();
        for (part, to) in &parts {
            for record in self.records(part, &model, |record| record.to == Some(*to))? {
                steps.extend(self.told(record, &model, false)?);
            }
        }
        let from = part.records[last].clone();
        let is_last =
            |record: &Record| record.place == from.place && record.from == from.from && record.arc == from.arc;
        for record in self.records(&part, &model, is_last)? {
            steps.extend(self.told(record, &model, is_last(record))?);
        }
        Ok(Some(Failure { wrong, steps }))
    }

    /// A model of the same with small numbers in the shared variables, where little effort finds one: it is for people.
    fn small<'r>(
        &mut self,
        mut model: Model,
        when: Term,
        parts: impl Iterator<Item = &'r Part>,
    ) -> Result<Model, Stuck> {
        let mut conditions = vec![when];
        let records: Vec<&Record> = parts.flat_map(|part| &part.records).collect();
        let mut left = MOST_TRIED;
        for record in records.into_iter().rev() {
            let Some((before, _)) = &record.shared else { continue };
            if !self.is_true(&model, record.chosen)? {
                continue;
            }
            for word in before.values() {
                for value in 0..3 {
                    let width = self.view.builder.width(word.bits);
                    let small = self.view.builder.terms.bits(width, value);
                    let is_small = self.view.builder.terms.equal(word.bits, small);
                    if left == 0 {
                        return Ok(model);
                    }
                    left -= 1;
                    conditions.push(is_small);
                    if let Some(smaller) = self.model(&conditions)? {
                        model = smaller;
                        break;
                    }
                    conditions.pop();
                }
            }
        }
        Ok(model)
    }

    /// A step in a model, if it has to do with the shared variables or is the last one.
    fn told(&self, record: &Record, model: &Model, is_last: bool) -> Result<Option<Step>, Stuck> {
        let leg = self.leg(record);
        let span = self.view.universe.program.function(leg.step.0).edge(leg.step.1).span;
        let mut values = Vec::new();
        match &record.shared {
            Some((before, after)) => {
                for (variable, _) in &self.thread.shared {
                    let value = |term: Term| Ok::<u128, Stuck>(model.value(&self.view.builder.terms, term)?.unsigned());
                    values.push((value(before[variable].bits)?, value(after[variable].bits)?));
                }
            }
            None if is_last && span != Span::NOWHERE => {}
            None => return Ok(None),
        }
        let states = |bits: &[Term]| -> Result<Vec<usize>, Stuck> {
            let mut states = Vec::new();
            for (state, bit) in bits.iter().enumerate() {
                if self.is_true(model, *bit)? {
                    states.push(state);
                }
            }
            Ok(states)
        };
        let (before, after) = (states(&record.before)?, states(&record.after)?);
        Ok(Some(Step { span, function: leg.step.0, before, after, values }))
    }

    /// What was collected, by place.
    fn invariant(&self) -> BTreeMap<Place, Vec<Possible>> {
        let mut places: BTreeMap<Place, Vec<Possible>> = BTreeMap::new();
        for (said, _) in self.known.iter().filter(|(said, _)| !self.is_beginning(said.cut)) {
            let literal = |(id, truth): &(PredicateId, bool)| (self.predicates.get(*id).clone(), *truth);
            let possible = Possible { states: said.states.clone(), literals: said.cube.iter().map(literal).collect() };
            places.entry(self.thread.graph.places[said.cut]).or_default().push(possible);
        }
        places
    }
}
