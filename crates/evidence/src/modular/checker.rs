//! The obligations of a proof, each a question to the solver unless it is plain that it holds.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_analysis::AbstractObject;
use selvedge_logic::Term;
use selvedge_program::{CheckId, EdgeId, FunctionId, Span, Undefined};
use selvedge_symbolic::effect::Touched;
use selvedge_symbolic::threads::{Arc, ArcKind, Moved, NodeId, View, Who};
use selvedge_symbolic::{Tag, Trouble};

use super::obligations::{Answers, At, Kind, Question};
use super::places::{Cells, Literal, Names, Place, Places, changes_life, meet, names};
use super::{ModularProof, Refusal, Shown, abstracted};

/// Checks what a proof says against the steps of the program.
///
/// # Errors
/// When it does not show what it is to show, or there is no answer to a question.
pub fn check(
    mut view: View<'_>,
    proof: &ModularProof,
    shown: &Shown<'_>,
    answers: &mut dyn Answers,
) -> Result<(), Refusal> {
    let places = Rc::new(Places::read(&mut view, proof)?);
    let mut checker = Checker {
        view,
        answers,
        proof,
        shown,
        left: BTreeSet::new(),
        many: BTreeSet::new(),
        places,
        after: FxHashMap::default(),
        compatible: FxHashMap::default(),
        kept: FxHashMap::default(),
        stays: FxHashMap::default(),
        apart: FxHashSet::default(),
        names: FxHashMap::default(),
    };
    checker.initially()?;
    checker.steps()?;
    checker.interference()?;
    checker.races()?;
    match checker.left.into_iter().next() {
        None => Ok(()),
        Some(Left::Assertion(check)) => Err(Refusal::Assertion(check)),
        Some(Left::Undefined(..) | Left::Race(None)) => Err(Refusal::Undefined),
        Some(Left::Race(Some(object))) => Err(Refusal::Race(object)),
    }
}

/// Something claimed that has not been shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Left {
    Assertion(CheckId),
    Undefined(FunctionId, EdgeId, Undefined),
    Race(Option<AbstractObject>),
}

/// A step, by what its effect depends on.
type StepKey = (FunctionId, EdgeId, ArcKind);

/// A step of another thread: where that stands, what it does, and which cells it changes.
struct Other {
    place: usize,
    step: StepKey,
    moved: Rc<Moved>,
    cells: Cells,
    starts: Option<FunctionId>,
}

/// That a step of the thread or of another one leads from what is said to one of several conjunctions, of which only the
/// rest is left to show: by what it depends on, of the one who takes it and of the other one, and the rests.
type Kept = (Who, StepKey, Vec<Literal>, Vec<Literal>, Vec<Vec<Literal>>);

struct Checker<'a, 'p> {
    view: View<'p>,
    answers: &'a mut dyn Answers,
    proof: &'a ModularProof,
    shown: &'a Shown<'a>,
    left: BTreeSet<Left>,
    /// Of these there may be several threads.
    many: BTreeSet<FunctionId>,
    places: Rc<Places>,
    /// Predicates after steps.
    after: FxHashMap<(u32, Who, Who, StepKey), Term>,
    /// Whether two threads can meet, as far as what each says of one cell tells.
    compatible: FxHashMap<(u32, u32), bool>,
    kept: FxHashMap<Kept, bool>,
    /// Whether a literal of a thread stays true by itself when any other thread takes a step.
    stays: FxHashMap<(StepKey, Literal), bool>,
    /// Accesses that do not race: what is said, by number, and the condition of the access, of both.
    apart: FxHashSet<(u32, Term, u32, Term)>,
    names: FxHashMap<(Who, StepKey), Rc<Names>>,
}

impl Checker<'_, '_> {
    fn can_hold(&mut self, (question, kind): (&Question, Kind), conditions: &[Term]) -> Result<bool, Refusal> {
        self.answers.can_hold(&self.view.builder.terms, (question, kind), conditions)
    }

    /// A thread at a place that takes a step.
    fn step(&self, place: &Place, step: StepKey) -> At {
        let span = self.view.universe.program.function(step.0).edge(step.1).span;
        At { thread: self.entry(place.template), place: place.node.0, span }
    }

    /// A thread at a place.
    fn standing(&self, place: &Place) -> At {
        let next = self.arcs(place.template, place.node).first().map(|(_, step)| self.step(place, *step));
        next.unwrap_or(At { thread: self.entry(place.template), place: place.node.0, span: Span::NOWHERE })
    }

    fn entry(&self, template: usize) -> FunctionId {
        self.view.universe.templates[template].0
    }

    fn name(&self, template: usize) -> String {
        self.view.universe.program.function(self.entry(template)).name.clone()
    }

    /// What is left to show of each conjunction that may hold after a step of `by`; `None` if nothing is left of one.
    fn rests(
        &self,
        held: &[Literal],
        said: Range<usize>,
        unstarted: &BTreeSet<FunctionId>,
        (moved, by): (&Moved, Who),
    ) -> Option<Vec<Vec<Literal>>> {
        let is_life_kept = !changes_life(moved);
        let mut rests = Vec::new();
        for place in &self.places.all[said] {
            if !place.unstarted.is_subset(unstarted) {
                continue;
            }
            let is_kept = |literal: &&Literal| {
                is_life_kept && held.binary_search(literal).is_ok() && self.places.is_kept(literal.0, moved, by)
            };
            let rest: Vec<Literal> = place.literals.iter().filter(|literal| !is_kept(literal)).copied().collect();
            if rest.is_empty() {
                return None;
            }
            rests.push(rest);
        }
        Some(rests)
    }

    /// Whether conditions imply one of several conjunctions, of a thread after a step.
    fn implies(
        &mut self,
        asked: (&Question, Kind),
        conditions: &[Term],
        rests: &[Vec<Literal>],
        who: Who,
        (step, moved, by): (StepKey, &Moved, Who),
    ) -> Result<bool, Refusal> {
        let mut question = conditions.to_vec();
        for rest in rests {
            let mut all = self.view.builder.yes;
            for (number, truth) in rest {
                let holds = self.holds_after(*number, who, (step, moved, by));
                let literal = if *truth { holds } else { self.view.builder.not(holds) };
                all = self.view.builder.and(all, literal);
            }
            question.push(self.view.builder.not(all));
        }
        if by == Who::Other {
            let apart = self.view.two_threads_where(Who::Own, Who::Other, &question);
            question.push(apart);
        }
        Ok(!self.can_hold(asked, &question)?)
    }

    fn holds_after(&mut self, number: u32, who: Who, (step, moved, by): (StepKey, &Moved, Who)) -> Term {
        if let Some(term) = self.after.get(&(number, who, by, step)) {
            return *term;
        }
        let term = self.view.holds_after(&self.places.known[number as usize].predicate, who, moved, by);
        self.after.insert((number, who, by, step), term);
        term
    }

    fn initially(&mut self) -> Result<(), Refusal> {
        let places = Rc::clone(&self.places);
        let unstarted: BTreeSet<FunctionId> =
            self.view.universe.templates[1..].iter().map(|(entry, _)| *entry).collect();
        let first = &places.all[places.at(0, self.view.universe.unfolded(0).first())];
        let literals = first.iter().flat_map(|place| &place.literals);
        let mut question = self.view.begins(literals.map(|(number, _)| &places.known[*number as usize].predicate));
        for place in first.iter().filter(|place| place.unstarted.is_subset(&unstarted)) {
            let builder = &mut self.view.builder;
            let all = place.own.iter().fold(builder.yes, |all, literal| builder.and(all, *literal));
            question.push(builder.not(all));
        }
        let asked = (&Question::Initially, Kind::Obligation);
        if self.can_hold(asked, &question)? { Err(Refusal::Initially) } else { Ok(()) }
    }

    fn arcs(&self, template: usize, node: NodeId) -> Vec<(Arc, StepKey)> {
        let unfolded = self.view.universe.unfolded(template);
        let function = unfolded.get(node).function;
        let arcs = unfolded.outgoing(node).iter().map(|arc| unfolded.arc(*arc));
        arcs.map(|arc| (arc, (function, arc.edge, arc.kind))).collect()
    }

    fn moved(&mut self, who: Who, step: StepKey) -> Rc<Moved> {
        self.view.moved(who, step.0, step.1, step.2)
    }

    /// Every step of every thread keeps what is said, and does nothing that is claimed not to happen.
    fn steps(&mut self) -> Result<(), Refusal> {
        let places = Rc::clone(&self.places);
        // From the same to the same, the same step does the same.
        let mut seen = FxHashSet::default();
        for (index, place) in places.all.iter().enumerate() {
            for (arc, step) in self.arcs(place.template, place.node) {
                let leads_to = arc.target.map(|target| places.list(place.template, target));
                if !seen.insert((step, place.number, leads_to)) {
                    continue;
                }
                let moved = self.moved(Who::Own, step);
                self.errors(index, step, &moved)?;
                let mut conditions = place.own.clone();
                conditions.push(moved.enabled);
                let mut unstarted = place.unstarted.clone();
                if let ArcKind::Spawn(entry) = arc.kind {
                    let several = Question::Several(self.step(place, step), entry);
                    if !unstarted.remove(&entry) && self.can_hold((&several, Kind::Inquiry), &conditions)? {
                        self.many.insert(entry);
                    }
                    self.starts(index, (entry, step), &moved, &unstarted)?;
                }
                let Some(target) = arc.target else { continue };
                let said = places.at(place.template, target);
                let Some(rests) = self.rests(&place.literals, said, &unstarted, (&moved, Who::Own)) else { continue };
                let taken = (step, &*moved, Who::Own);
                let question = Question::Step(self.step(place, step));
                if !self.leads(&question, index, &[], rests, taken)? {
                    return Err(Refusal::Step(self.name(place.template)));
                }
            }
        }
        Ok(())
    }

    /// Whether something is claimed, and not known not to be shown.
    fn is_left(&self, what: Left) -> bool {
        let is_claimed = match what {
            Left::Assertion(check) => (self.shown.assertions)(check),
            Left::Undefined(_, _, undefined) => (self.shown.undefined)(undefined),
            Left::Race(object) => object.is_none_or(|object| (self.shown.races)(object)),
        };
        is_claimed && !self.left.contains(&what)
    }

    /// What goes wrong at a step, where it is not excluded.
    fn errors(&mut self, place: usize, step: StepKey, moved: &Moved) -> Result<(), Refusal> {
        let (function, edge, _) = step;
        let at = self.step(&self.places.all[place], step);
        // An assertion fails whichever allocation is the one; what is wrong with an allocation is noticed of the one
        // alone.
        let mut where_it_fails = self.places.all[place].own.clone();
        let mut where_it_is_wrong = where_it_fails.clone();
        if let Some(register) = self.proof.witnesses.get(&(function, edge)) {
            if register.index() >= self.view.universe.program.function(function).registers.len() {
                return Err(Refusal::Foreign);
            }
            let points = self.view.points_to_one((function, *register));
            where_it_fails.extend(points);
            where_it_is_wrong.extend(points.filter(|_| self.view.says_which((function, edge), *register)));
        }
        for (when, trouble) in &moved.troubles {
            let what = match trouble {
                Trouble::Undefined(undefined) => Some(Left::Undefined(function, edge, *undefined)),
                Trouble::Unsupported(_) => None,
            };
            let mut conditions = where_it_is_wrong.clone();
            conditions.push(*when);
            let question = match trouble {
                Trouble::Undefined(undefined) => Question::Undefined(at, *undefined),
                Trouble::Unsupported(what) => Question::Unsupported(at, what.clone()),
            };
            let is_asked = what.is_none_or(|what| self.is_left(what));
            if is_asked && self.can_hold((&question, Kind::Obligation), &conditions)? {
                match (what, trouble) {
                    (None, Trouble::Unsupported(what)) => return Err(Refusal::Unsupported(what.clone())),
                    (what, _) => self.left.extend(what),
                }
            }
        }
        for (when, check) in &moved.violations {
            let mut conditions = where_it_fails.clone();
            conditions.push(*when);
            let question = Question::Assertion(at, *check);
            let is_asked = self.is_left(Left::Assertion(*check));
            if is_asked && self.can_hold((&question, Kind::Obligation), &conditions)? {
                self.left.insert(Left::Assertion(*check));
            }
        }
        Ok(())
    }

    fn starts(
        &mut self,
        place: usize,
        (entry, step): (FunctionId, StepKey),
        moved: &Moved,
        unstarted: &BTreeSet<FunctionId>,
    ) -> Result<(), Refusal> {
        let places = Rc::clone(&self.places);
        let place = &places.all[place];
        let Some(template) = self.view.universe.template_of(entry) else { return Err(Refusal::Unfolding) };
        let first = self.view.universe.unfolded(template).first();
        let mut conditions = place.own.clone();
        conditions.extend([moved.enabled, self.view.two_threads(Who::Own, Who::Started)]);
        let said = places.all[places.at(template, first)].iter();
        let said = said.filter(|said| said.unstarted.is_subset(unstarted)).map(|said| said.literals.clone());
        let rests: Vec<Vec<Literal>> = said.collect();
        let question = Question::Starts(self.step(place, step), entry);
        let asked = (&question, Kind::Obligation);
        if self.implies(asked, &conditions, &rests, Who::Started, (step, moved, Who::Own))? {
            Ok(())
        } else {
            Err(Refusal::Start(self.name(place.template)))
        }
    }

    /// Whether threads at two places can be there together, as far as is plain.
    fn can_meet(&mut self, one: usize, other: usize) -> Result<bool, Refusal> {
        let places = Rc::clone(&self.places);
        let (one, other) = (&places.all[one], &places.all[other]);
        let (a, b) = (self.entry(one.template), self.entry(other.template));
        let is_apart = one.unstarted.contains(&b) || other.unstarted.contains(&a);
        if is_apart || (a == b && !self.many.contains(&a)) {
            return Ok(false);
        }
        let mut theirs = other.said.iter().peekable();
        for (cell, mine) in &one.said {
            while theirs.next_if(|(other, _)| other < cell).is_some() {}
            if let Some((_, their)) = theirs.next_if(|(other, _)| other == cell)
                && !self.are_compatible(*mine, *their)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether two threads can say this of a cell at the same time.
    fn are_compatible(&mut self, mine: u32, their: u32) -> Result<bool, Refusal> {
        if let Some(known) = self.compatible.get(&(mine, their)) {
            return Ok(*known);
        }
        let places = Rc::clone(&self.places);
        let mut conditions = places.terms(&mut self.view, &places.sayings[mine as usize], Who::Own);
        conditions.extend(places.terms(&mut self.view, &places.sayings[their as usize], Who::Other));
        let apart = self.view.two_threads_where(Who::Own, Who::Other, &conditions);
        conditions.push(apart);
        let can = self.can_hold((&Question::Together, Kind::Inquiry), &conditions)?;
        self.compatible.insert((mine, their), can);
        Ok(can)
    }

    /// The steps that change something of which something is said, or start a thread.
    fn others(&mut self) -> Vec<Other> {
        let places = Rc::clone(&self.places);
        let mut others = Vec::new();
        let mut seen = FxHashSet::default();
        for (index, place) in places.all.iter().enumerate() {
            for (arc, step) in self.arcs(place.template, place.node) {
                // Where the same is said, the same step does the same.
                if !seen.insert((place.template, step, place.number)) {
                    continue;
                }
                let moved = self.moved(Who::Other, step);
                let starts = match arc.kind {
                    ArcKind::Spawn(entry) => Some(entry),
                    _ => None,
                };
                let cells = places.set(moved.cells.keys().filter_map(|key| places.cell(*key)));
                let is_noticed = starts.is_some() || cells.iter().any(|cells| *cells != 0);
                if is_noticed {
                    others.push(Other { place: index, step, moved, cells, starts });
                }
            }
        }
        others
    }

    /// No step of another thread changes what is said where others may move.
    fn interference(&mut self) -> Result<(), Refusal> {
        let places = Rc::clone(&self.places);
        let others = self.others();
        let mut seen = FxHashSet::default();
        for (index, place) in places.all.iter().enumerate() {
            let is_visible = self.view.is_visible(place.template, place.node);
            let stays_among = places.list(place.template, place.node);
            if !is_visible || !seen.insert((place.template, place.number, stays_among)) {
                continue;
            }
            let cells = places.set(place.said.iter().map(|(cell, _)| *cell));
            for other in &others {
                let starts = other.starts.filter(|entry| place.unstarted.contains(entry));
                let is_concerned = starts.is_some() || meet(&cells, &other.cells);
                if !is_concerned || (starts.is_none() && self.stays(index, other)?) {
                    continue;
                }
                if self.can_meet(index, other.place)? && !self.keeps(index, other)? {
                    let thread = self.name(place.template);
                    let other = self.name(places.all[other.place].template);
                    return Err(Refusal::Interference { thread, other });
                }
            }
        }
        Ok(())
    }

    /// Whether every literal of a place stays true by itself when another thread takes a step, wherever that one is.
    fn stays(&mut self, index: usize, other: &Other) -> Result<bool, Refusal> {
        let places = Rc::clone(&self.places);
        let (place, moved) = (&places.all[index], &other.moved);
        let is_life_kept = !changes_life(moved);
        for &literal in &place.literals {
            if is_life_kept && places.is_kept(literal.0, moved, Who::Other) {
                continue;
            }
            let stays = match self.stays.get(&(other.step, literal)) {
                Some(stays) => *stays,
                None => {
                    let mut conditions = places.terms(&mut self.view, &[literal], Who::Own);
                    conditions.push(moved.enabled);
                    let from = self.step(&places.all[other.place], other.step);
                    let question = Question::Interference { thread: self.standing(place), other: from };
                    let (asked, taken) = ((&question, Kind::Inquiry), (other.step, &**moved, Who::Other));
                    let stays = self.implies(asked, &conditions, &[vec![literal]], Who::Own, taken)?;
                    self.stays.insert((other.step, literal), stays);
                    stays
                }
            };
            if !stays {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a step of another thread leads to what is said of the place where the thread stands.
    fn keeps(&mut self, index: usize, other: &Other) -> Result<bool, Refusal> {
        let places = Rc::clone(&self.places);
        let (place, from) = (&places.all[index], &places.all[other.place]);
        let mut unstarted = place.unstarted.clone();
        if let Some(entry) = other.starts {
            unstarted.remove(&entry);
        }
        let said = places.at(place.template, place.node);
        let by = (&*other.moved, Who::Other);
        let Some(rests) = self.rests(&place.literals, said, &unstarted, by) else { return Ok(true) };
        let question = Question::Interference { thread: self.standing(place), other: self.step(from, other.step) };
        self.leads(&question, index, &from.literals, rests, (other.step, &other.moved, Who::Other))
    }

    /// Whether a step leads from what is said of a place, and of another thread, to one of several conjunctions: first
    /// from what has to do with the step and with these, then from everything.
    fn leads(
        &mut self,
        question: &Question,
        place: usize,
        from: &[Literal],
        rests: Vec<Vec<Literal>>,
        (step, moved, by): (StepKey, &Moved, Who),
    ) -> Result<bool, Refusal> {
        let places = Rc::clone(&self.places);
        let own = &places.all[place].literals;
        let needed = self.needed((own, from), &rests, (step, moved, by));
        let mut conditions = vec![moved.enabled];
        let key = (by, step, needed.0, needed.1, rests);
        let known = self.kept.get(&key).copied();
        let is_kept = match known {
            Some(is_kept) => is_kept,
            None => {
                let mut conditions = conditions.clone();
                conditions.extend(places.terms(&mut self.view, &key.2, Who::Own));
                conditions.extend(places.terms(&mut self.view, &key.3, Who::Other));
                let is_all = (key.2.len(), key.3.len()) == (own.len(), from.len());
                let kind = if is_all { Kind::Obligation } else { Kind::Inquiry };
                let is_kept = self.implies((question, kind), &conditions, &key.4, Who::Own, (step, moved, by))?;
                self.kept.insert(key.clone(), is_kept);
                is_kept
            }
        };
        if is_kept || (key.2.len(), key.3.len()) == (own.len(), from.len()) {
            return Ok(is_kept);
        }
        conditions.extend(places.terms(&mut self.view, own, Who::Own));
        conditions.extend(places.terms(&mut self.view, from, Who::Other));
        self.implies((question, Kind::Obligation), &conditions, &key.4, Who::Own, (step, moved, by))
    }

    /// Of what is known, what has to do with a step and with what is to be shown.
    fn needed(
        &mut self,
        (own, from): (&[Literal], &[Literal]),
        rests: &[Vec<Literal>],
        (step, moved, by): (StepKey, &Moved, Who),
    ) -> (Vec<Literal>, Vec<Literal>) {
        let of_step = match self.names.get(&(by, step)) {
            Some(names) => Rc::clone(names),
            None => {
                let names = Rc::new(names(&mut self.view, moved));
                self.names.insert((by, step), Rc::clone(&names));
                names
            }
        };
        let mut names = (*of_step).clone();
        let shown = rests.iter().flatten().map(|literal| literal.0);
        if by == Who::Own {
            self.places.add_names(shown, &mut names);
            return self.places.connected(own, from, &mut names);
        }
        // The locals are those of the other thread, and what is shown speaks of the thread itself.
        let mut all = Names::default();
        self.places.add_names(shown, &mut all);
        names.cells.extend(&all.cells);
        let (theirs, mut mine) = self.places.connected(from, own, &mut names);
        let of_locals = self.places.connected(own, &[], &mut all).0;
        mine.extend(of_locals);
        mine.sort_unstable();
        mine.dedup();
        (mine, theirs)
    }

    /// No two threads are ever about to touch the same, of what is claimed.
    fn races(&mut self) -> Result<(), Refusal> {
        let places = Rc::clone(&self.places);
        // By object, in the order of places; of those where the same is said, one.
        let mut own: BTreeMap<Tag, Vec<(usize, Touched)>> = BTreeMap::new();
        let mut others: BTreeMap<Tag, Vec<(usize, Touched)>> = BTreeMap::new();
        let mut seen = FxHashSet::default();
        for (index, place) in places.all.iter().enumerate() {
            for (who, touches) in [(Who::Own, &mut own), (Who::Other, &mut others)] {
                for (step, touched) in self.view.touches(place.template, place.node, who) {
                    let said = (place.template, place.number);
                    if seen.insert((who, said, step, touched.cell, touched.mode, touched.when)) {
                        touches.entry(touched.cell.object()).or_default().push((index, touched));
                    }
                }
            }
        }
        for (object, mine) in own {
            let what = Left::Race(abstracted(&self.view.universe, object));
            let theirs = others.get(&object).map_or(&[][..], |touches| touches);
            let is_left = !self.view.universe.is_private(object) && self.is_left(what);
            if is_left && self.may_race(object, &mine, theirs)? {
                self.left.insert(what);
            }
        }
        Ok(())
    }

    /// Whether two threads may be about to make two of these accesses that race.
    fn may_race(
        &mut self,
        object: Tag,
        mine: &[(usize, Touched)],
        theirs: &[(usize, Touched)],
    ) -> Result<bool, Refusal> {
        let places = Rc::clone(&self.places);
        for (one, touch) in mine {
            for (other, their) in theirs.iter().filter(|(other, _)| other >= one) {
                let races = touch.cell.overlaps(their.cell) && touch.mode.races_with(their.mode);
                let key = (places.all[*one].number, touch.when, places.all[*other].number, their.when);
                if !races || self.apart.contains(&key) || !self.can_meet(*one, *other)? {
                    continue;
                }
                let mut conditions = places.all[*one].own.clone();
                conditions.extend(&places.all[*other].other);
                conditions.extend([touch.when, their.when]);
                let apart = self.view.two_threads_where(Who::Own, Who::Other, &conditions);
                conditions.push(apart);
                let object = abstracted(&self.view.universe, object);
                let (first, second) = (self.standing(&places.all[*one]), self.standing(&places.all[*other]));
                let question = Question::Race { object, first, second };
                if self.can_hold((&question, Kind::Obligation), &conditions)? {
                    return Ok(true);
                }
                self.apart.insert(key);
            }
        }
        Ok(false)
    }
}
