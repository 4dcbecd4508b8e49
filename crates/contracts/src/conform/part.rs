//! A loop-free part of a thread as one formula: the thread's steps with the set F of matching abstract states beside
//! them, one bit for each (the paper's Section 3.1). Ways that come to the same place are merged, so the formula is as large as
//! the part.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_evidence::conformance::{AbstractThread, Contract, Lived, Lives, States};
use selvedge_logic::{Sort, Term};
use selvedge_program::{CheckId, Undefined};
use selvedge_symbolic::threads::along::cells_of;
use selvedge_symbolic::threads::{Along, Arc, ArcKind, NodeId, View, Who};
use selvedge_symbolic::{CellKey, Trouble, Variable, Word};

use super::Stuck;
use super::graph::Graph;

/// What shared variables are.
pub type Words = BTreeMap<Variable, Word>;

/// A thread at a place.
#[derive(Clone, Debug)]
pub struct Point {
    /// When it comes there.
    pub when: Term,
    pub along: Along,
    /// Which abstract states match, by number.
    pub matching: Vec<Term>,
    /// In an atomic section: what the shared variables were when it began.
    section: Option<Words>,
    /// What the shared variables were after the thread's last step that had to do with them.
    last: Option<Words>,
}

/// What can be wrong with a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// No abstract step does the same.
    Unmatched,
    /// An assertion of the program fails, and no abstract state that matches is wrong.
    Assertion(CheckId),
    /// A thread is started where the initial condition does not hold.
    Initially,
    /// The thread ends where no abstract state that matches is an end.
    Ends,
    /// Something is not modelled.
    Unsupported(String),
}

/// A step of a part.
#[derive(Clone, Debug)]
pub struct Record {
    pub arc: Arc,
    pub place: usize,
    /// The points that it leads from and to, by number.
    pub from: usize,
    pub to: Option<usize>,
    /// When the thread chooses it, and the shared variables are as the matching states assert.
    pub chosen: Term,
    /// The abstract states that match before and after it.
    pub before: Vec<Term>,
    pub after: Vec<Term>,
    /// The shared variables before and after it, if it has to do with them.
    pub shared: Option<(Words, Words)>,
    /// Whether others may move before it.
    pub is_interrupted: bool,
}

/// The steps from one cut to the next ones.
#[derive(Debug, Default)]
pub struct Part {
    /// What can go wrong, each with a condition and the step.
    pub wrongs: Vec<(Term, Wrong, usize)>,
    /// What may be undefined, each with a condition and the step.
    pub undefined: Vec<(Term, Undefined, usize)>,
    pub records: Vec<Record>,
    /// The cuts that it leads to, with the number of the point.
    pub ends: Vec<(usize, Point, usize)>,
    /// What points became when they were merged with others.
    pub merged: BTreeMap<usize, usize>,
}

/// A thread and what it is to conform to.
#[derive(Debug)]
pub struct Instrumented<'a> {
    pub template: usize,
    pub graph: Graph,
    pub contract: &'a Contract,
    pub lives: &'a Lives,
    pub to: AbstractThread,
    /// The shared variables, as cells.
    pub shared: Vec<(Variable, CellKey)>,
}

impl Instrumented<'_> {
    /// Where the thread begins.
    pub fn begins(&self, view: &mut View<'_>) -> Result<Point, Stuck> {
        let entry = view.universe.templates[self.template].0;
        let along = match self.template {
            0 => Along::begins(view),
            _ => Along::starts(view, entry).ok_or(Stuck::NotStarted)?,
        };
        let matching = self.initial_states(view);
        let mut point = Point { when: view.builder.yes, along, matching, section: None, last: None };
        if self.to.environment.is_some() {
            let mut first = Along::named();
            first.interrupted();
            let words = self.words(view, &mut first)?;
            // What others have done before a thread is created, its abstract thread does not know.
            if !self.contract.is_created(entry) {
                point.when = view.holds_of(&self.contract.initially, &words);
            }
            point.last = Some(words);
        }
        Ok(point)
    }

    fn initial_states(&self, view: &View<'_>) -> Vec<Term> {
        self.bits(view, &self.to.initial)
    }

    /// A set of states as bits.
    pub fn bits(&self, view: &View<'_>, states: &States) -> Vec<Term> {
        let bit = |state| if states.contains(&state) { view.builder.yes } else { view.builder.no };
        (0..self.to.assertions.len()).map(bit).collect()
    }

    /// A thread at the head of a loop of which nothing is known but which states match.
    pub fn anywhere(&self, view: &View<'_>, states: &States) -> Point {
        let matching = self.bits(view, states);
        Point { when: view.builder.yes, along: Along::named(), matching, section: None, last: None }
    }

    /// The shared variables at a point.
    pub fn words(&self, view: &mut View<'_>, along: &mut Along) -> Result<Words, Stuck> {
        let mut words = Words::new();
        for (variable, key) in &self.shared {
            let word = along.cell(view, *key)?.ok_or(Stuck::Untracked(*variable))?;
            words.insert(*variable, word);
        }
        Ok(words)
    }

    /// The part that begins at a cut, from a point there.
    pub fn part(&self, view: &mut View<'_>, cut: usize, start: Point) -> Result<Part, Stuck> {
        let mut part = Part::default();
        let mut points = 1;
        let mut pending: BTreeMap<usize, Vec<(usize, Point)>> = BTreeMap::from([(cut, vec![(0, start)])]);
        for place in self.graph.part(cut) {
            let arrived = pending.remove(&place).unwrap_or_default();
            for (number, point) in self.merged(view, place, arrived, &mut part, &mut points) {
                let steps = &self.graph.steps[place];
                let mut rest = point.when;
                for (at, (arc, target)) in steps.iter().enumerate() {
                    let chosen = if at + 1 == steps.len() {
                        rest
                    } else {
                        let this = view.builder.fresh("choice", Sort::Bool);
                        let chosen = view.builder.and(rest, this);
                        rest = view.builder.and_not(rest, this);
                        chosen
                    };
                    let from = Point { when: chosen, ..point.clone() };
                    let after = self.step(view, (place, number), *arc, from, &mut part)?;
                    let (Some(target), Some(record)) = (target, part.records.last_mut()) else { continue };
                    record.to = Some(points);
                    if self.graph.heads.contains(target) {
                        part.ends.push((*target, after, points));
                    } else {
                        pending.entry(*target).or_default().push((points, after));
                    }
                    points += 1;
                }
            }
        }
        Ok(part)
    }

    /// One point for all that came to a place where others may move; else each by itself.
    fn merged(
        &self,
        view: &mut View<'_>,
        place: usize,
        arrived: Vec<(usize, Point)>,
        part: &mut Part,
        points: &mut usize,
    ) -> Vec<(usize, Point)> {
        let at = self.graph.places[place];
        let sections = view.universe.unfolded(self.template).get(NodeId(at.node)).sections;
        if at.is_alone || sections > 0 || arrived.len() < 2 {
            return arrived;
        }
        let number = *points;
        *points += 1;
        let mut all: Option<Point> = None;
        for (one, point) in arrived {
            part.merged.insert(one, number);
            all = Some(match all {
                None => point,
                Some(all) => merge(view, &all, &point),
            });
        }
        all.into_iter().map(|point| (number, point)).collect()
    }

    fn step(
        &self,
        view: &mut View<'_>,
        (place, number): (usize, usize),
        arc: Arc,
        mut point: Point,
        part: &mut Part,
    ) -> Result<Point, Stuck> {
        let at = self.graph.places[place];
        let unfolded = view.universe.unfolded(self.template);
        let node = unfolded.get(NodeId(at.node));
        let sections_after = arc.target.map_or(0, |target| unfolded.get(target).sections);
        let moved = view.moved(Who::Own, node.function, arc.edge, arc.kind);
        let program = view.universe.program;
        let mut lived = self.lives.of_step(program, self.contract, self.to.function, (node.function, arc));
        match lived {
            Lived::Creates(_) if node.sections > 0 => return Err(Stuck::StartInSection(node.function, arc.edge)),
            // Of a section only what it does to the shared variables counts.
            Lived::Joins(_) if node.sections > 0 => lived = Lived::Nothing,
            Lived::Nothing | Lived::Creates(_) | Lived::Joins(_) | Lived::Ends => {}
        }
        let is_interrupted = !at.is_alone && node.sections == 0;
        if is_interrupted {
            point.along.interrupted();
        }
        let begins_section = is_interrupted && sections_after > 0;
        let ends_section = !at.is_alone && node.sections > 0 && sections_after == 0;
        let before_matching = point.matching.clone();
        let mut before = None;
        if begins_section || (is_interrupted && (lived != Lived::Nothing || self.concerns(view, &moved))) {
            let words = self.words(view, &mut point.along)?;
            point.when = self.assume(view, &point, &words);
            before = Some(words);
        }
        if at.is_alone && matches!(arc.kind, ArcKind::Spawn(_)) {
            if node.sections > 0 {
                return Err(Stuck::StartInSection(node.function, arc.edge));
            }
            let words = self.words(view, &mut point.along)?;
            let holds = view.holds_of(&self.contract.initially, &words);
            let wrong = view.builder.and_not(point.when, holds);
            part.wrongs.push((wrong, Wrong::Initially, part.records.len()));
            point.matching = self.initial_states(view);
            before = matches!(lived, Lived::Creates(_)).then_some(words);
        }
        let chosen = point.when;
        let passed = point.along.take(view, &moved)?;
        for (when, trouble) in passed.troubles {
            let when = view.builder.and(chosen, when);
            if view.builder.is(when, false) {
                continue;
            }
            match trouble {
                Trouble::Undefined(undefined) => part.undefined.push((when, undefined, part.records.len())),
                Trouble::Unsupported(what) => {
                    part.wrongs.push((when, Wrong::Unsupported(what), part.records.len()));
                }
            }
        }
        for (when, check) in passed.violations {
            let when = view.builder.and(chosen, when);
            if !view.builder.is(when, false) {
                part.wrongs.push((when, Wrong::Assertion(check), part.records.len()));
            }
        }
        if let Lived::Joins(joined) = &lived
            && !joined.is_settled
        {
            part.undefined.push((chosen, Undefined::Uninitialised, part.records.len()));
        }
        point.when = view.builder.and(chosen, passed.enabled);
        if begins_section {
            point.section = before;
            before = None;
        } else if ends_section {
            before = point.section.take();
        }
        let mut shared = None;
        if let Some(before) = before {
            let after = self.words(view, &mut point.along)?;
            point.matching = self.matching_after(view, &point.matching, (&before, &after), &lived);
            let mut any = view.builder.no;
            for bit in &point.matching {
                any = view.builder.or(any, *bit);
            }
            let wrong = view.builder.and_not(point.when, any);
            if !view.builder.is(wrong, false) {
                let what = if lived == Lived::Ends { Wrong::Ends } else { Wrong::Unmatched };
                part.wrongs.push((wrong, what, part.records.len()));
            }
            point.last = self.to.environment.is_some().then(|| after.clone());
            shared = Some((before, after));
        }
        let after = point.matching.clone();
        let record = Record {
            arc,
            place,
            from: number,
            to: None,
            chosen,
            before: before_matching,
            after,
            shared,
            is_interrupted,
        };
        part.records.push(record);
        Ok(point)
    }

    /// Whether a step has to do with the shared variables, or can go wrong.
    fn concerns(&self, view: &mut View<'_>, moved: &selvedge_symbolic::threads::Moved) -> bool {
        let no = view.builder.no;
        let may = |term: &Term| *term != no;
        if moved.troubles.iter().any(|(when, _)| may(when)) || moved.violations.iter().any(|(when, _)| may(when)) {
            return true;
        }
        let cells: BTreeSet<CellKey> = cells_of(view, moved);
        self.shared.iter().any(|(_, key)| cells.contains(key))
    }

    /// That the matching abstract states are not wrong, and others did what they may.
    fn assume(&self, view: &mut View<'_>, point: &Point, words: &Words) -> Term {
        let mut all = point.when;
        for (matches, assertion) in point.matching.iter().zip(&self.to.assertions) {
            if !view.builder.is(*matches, false) {
                let holds = view.holds_of(assertion, words);
                let wrong = view.builder.and_not(*matches, holds);
                all = view.builder.and_not(all, wrong);
            }
        }
        if let (Some(environment), Some(last)) = (&self.to.environment, &point.last) {
            let did = view.relates(environment, last, words);
            all = view.builder.and(all, did);
        }
        all
    }

    /// The abstract states that match after a step: those that idle, and those that an edge leads to.
    fn matching_after(
        &self,
        view: &mut View<'_>,
        matching: &[Term],
        (before, after): (&Words, &Words),
        lived: &Lived,
    ) -> Vec<Term> {
        let mut same = if lived.allows(self.contract, None) { view.builder.yes } else { view.builder.no };
        for (variable, word) in before {
            let is_same = view.builder.same(*word, after[variable]);
            same = view.builder.and(same, is_same);
        }
        let mut result: Vec<Term> = matching.iter().map(|bit| view.builder.and(*bit, same)).collect();
        for edge in self.to.edges.iter().filter(|edge| lived.allows(self.contract, edge.life)) {
            if !view.builder.is(matching[edge.from], false) {
                let holds = view.relates(&edge.relation, before, after);
                let leads = view.builder.and(matching[edge.from], holds);
                result[edge.to] = view.builder.or(result[edge.to], leads);
            }
        }
        if *lived == Lived::Ends {
            let ends = self.to.ends();
            let going_on = result.iter_mut().enumerate().filter(|(state, _)| !ends.contains(state));
            going_on.for_each(|(_, bit)| *bit = view.builder.no);
        }
        result
    }
}

/// One of two points at the same place where others may move.
fn merge(view: &mut View<'_>, first: &Point, second: &Point) -> Point {
    let along = first.along.merge(view, first.when, &second.along);
    let bits = first.matching.iter().zip(&second.matching);
    let matching = bits.map(|(one, other)| view.builder.terms.ite(first.when, *one, *other)).collect();
    let last = match (&first.last, &second.last) {
        (Some(one), Some(other)) => {
            let choose = |(variable, word): (&Variable, &Word)| {
                (*variable, view.builder.choose(first.when, *word, other[variable]))
            };
            Some(one.iter().map(choose).collect())
        }
        _ => None,
    };
    Point { when: view.builder.or(first.when, second.when), along, matching, section: None, last }
}
