//! The program with as many threads as are spoken of at a time, and what predicates say of each of them before and
//! after a step.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_logic::{SymbolId, Term};
use selvedge_symbolic::Predicate;
use selvedge_symbolic::Variable;
use selvedge_symbolic::effect::Touched;
use selvedge_symbolic::threads::{ArcKind, Kept, Moved, Slot, Thing, View, Who};

use super::configuration::{Configuration, Literal};
use super::count::{Counted, Fewer, Group, MOST};
use super::moves::{At, MAIN, Map, Move, StepKey};

/// The most threads that are spoken of at a time, besides the active one.
pub const MOST_PASSIVE: u8 = 8;

/// What is known by a number.
#[derive(Clone, Debug)]
enum Spoken {
    /// A predicate, and whether it says the same of all threads.
    Predicate(Predicate, bool),
    /// That fewer threads than so many are in the group with a number.
    Fewer(usize, u32),
}

/// The program, its control flow backwards, and numbered predicates.
#[derive(Debug)]
pub struct Stage<'p> {
    pub view: View<'p>,
    pub map: Map,
    spoken: Vec<Spoken>,
    numbers: FxHashMap<Predicate, u32>,
    counts: FxHashMap<Fewer, u32>,
    groups: Vec<Counted>,
    before: FxHashMap<(u32, Who), Term>,
    after: FxHashMap<(u32, Who, StepKey), Term>,
    apart: FxHashMap<(Who, Who), Term>,
    symbols: FxHashMap<Term, Rc<Vec<SymbolId>>>,
    /// Whether a predicate says something of which thread it is, or of how many there are.
    tells_apart: bool,
}

impl<'p> Stage<'p> {
    /// # Errors
    /// If the program is not of the kind that can be looked at in this way, with the reason. Allocations, and locals
    /// that other threads may reach, are several behind one name, of which nothing is said here.
    pub fn new(mut view: View<'p>) -> Result<Stage<'p>, &'static str> {
        for tag in view.universe.tags().collect::<Vec<_>>() {
            match view.universe.thing(tag) {
                Some(Thing::Site(_) | Thing::One(_)) => return Err("it allocates memory"),
                Some(Thing::Frame(..) | Thing::ThreadLocal(_)) if view.universe.kept(tag) == Kept::Nowhere => {
                    return Err("threads may reach the locals of others");
                }
                None | Some(Thing::Frame(..) | Thing::ThreadLocal(_)) => {}
                Some(Thing::Static(_) | Thing::Thread | Thing::Function(_)) => {}
            }
        }
        let map = Map::new(&mut view);
        let starts_main = |(_, (_, _, kind)): (At, StepKey)| kind == ArcKind::Spawn(map.entry(MAIN));
        if map.steps().any(starts_main) {
            return Err("`main` is started as a thread");
        }
        for passive in 0..MOST_PASSIVE {
            view.introduce(Who::Passive(passive));
        }
        Ok(Stage {
            view,
            map,
            spoken: Vec::new(),
            numbers: FxHashMap::default(),
            counts: FxHashMap::default(),
            groups: Vec::new(),
            before: FxHashMap::default(),
            after: FxHashMap::default(),
            apart: FxHashMap::default(),
            symbols: FxHashMap::default(),
            tells_apart: false,
        })
    }

    /// The number of a predicate; `None` if the state does not decide it.
    pub fn number(&mut self, predicate: &Predicate) -> Option<u32> {
        if let Some(number) = self.numbers.get(predicate) {
            return Some(*number);
        }
        if !predicate.fits(self.view.universe.program) {
            return None;
        }
        let mut is_shared = !predicate.condition().mentions_self();
        let mut tells_apart = !is_shared;
        for &variable in predicate.variables() {
            tells_apart |= matches!(variable, Variable::Changer { .. } | Variable::Tally { .. } | Variable::Unjoined);
            match self.view.slot(variable) {
                Some(Slot::Own(_)) => is_shared = false,
                Some(Slot::Shared(_)) => {}
                None if matches!(variable, Variable::Address(_)) => {}
                None => return None,
            }
        }
        // What comes out differently when it is asked again is no matter of the state.
        if self.view.holds(predicate, Who::Own) != self.view.holds(predicate, Who::Own) {
            return None;
        }
        self.tells_apart |= tells_apart;
        let number = self.spoken.len() as u32;
        self.spoken.push(Spoken::Predicate(predicate.clone(), is_shared));
        self.numbers.insert(predicate.clone(), number);
        Some(number)
    }

    /// The number under which it is known that a group has fewer threads than so many; `None` if there is no such group,
    /// or that is never so or too much.
    pub fn number_of_fewer(&mut self, fewer: &Fewer) -> Option<u32> {
        if let Some(number) = self.counts.get(fewer) {
            return Some(*number);
        }
        if fewer.than == 0 || fewer.than > MOST {
            return None;
        }
        let group = match self.groups.iter().position(|counted| counted.group == fewer.group) {
            Some(group) => group,
            None => {
                self.groups.push(Counted::new(&mut self.view, &fewer.group)?);
                self.map.tells_joins |= fewer.group.ended;
                self.groups.len() - 1
            }
        };
        let number = self.spoken.len() as u32;
        self.spoken.push(Spoken::Fewer(group, fewer.than));
        self.counts.insert(fewer.clone(), number);
        Some(number)
    }

    /// The predicate with a number, if it is one.
    pub fn predicate(&self, number: u32) -> Option<&Predicate> {
        match &self.spoken[number as usize] {
            Spoken::Predicate(predicate, _) => Some(predicate),
            Spoken::Fewer(..) => None,
        }
    }

    /// The group with a number that something known by a number is about, and fewer than how many threads that has.
    pub fn fewer(&self, number: u32) -> Option<(&Group, u32)> {
        match &self.spoken[number as usize] {
            Spoken::Predicate(..) => None,
            Spoken::Fewer(group, than) => Some((&self.groups[*group].group, *than)),
        }
    }

    /// What has to be fewer threads than before a step, for what is known by a number to hold after it.
    pub fn fewer_before(&self, number: u32, by: &Move) -> Option<i64> {
        match &self.spoken[number as usize] {
            Spoken::Predicate(..) => None,
            Spoken::Fewer(group, than) => Some(self.groups[*group].before(&self.map, by, *than)),
        }
    }

    /// Whether a term is the number of threads of a group.
    pub fn is_count(&self, term: Term) -> bool {
        self.groups.iter().any(|counted| counted.number == term)
    }

    /// Whether it says the same of all threads.
    pub fn is_shared(&self, number: u32) -> bool {
        match &self.spoken[number as usize] {
            Spoken::Predicate(_, is_shared) => *is_shared,
            Spoken::Fewer(..) => true,
        }
    }

    /// That something holds of a thread.
    pub fn holds(&mut self, (number, truth): Literal, who: Who) -> Term {
        let term = match self.before.get(&(number, who)) {
            Some(term) => *term,
            None => {
                let term = match &self.spoken[number as usize] {
                    Spoken::Predicate(predicate, _) => self.view.holds(predicate, who),
                    Spoken::Fewer(group, than) => self.groups[*group].fewer(&mut self.view, i64::from(*than)),
                };
                self.before.insert((number, who), term);
                term
            }
        };
        if truth { term } else { self.view.builder.not(term) }
    }

    /// That something holds of a thread after a step of the active one.
    pub fn holds_after(&mut self, (number, truth): Literal, who: Who, by: &Move, moved: &Moved) -> Term {
        let term = match (&self.spoken[number as usize], self.after.get(&(number, who, by.step))) {
            (Spoken::Fewer(group, than), _) => {
                let group = &self.groups[*group];
                group.fewer(&mut self.view, group.before(&self.map, by, *than))
            }
            (Spoken::Predicate(..), Some(term)) => *term,
            (Spoken::Predicate(predicate, _), None) => {
                let term = self.view.holds_after(predicate, who, moved, Who::Own);
                self.after.insert((number, who, by.step), term);
                term
            }
        };
        if truth { term } else { self.view.builder.not(term) }
    }

    /// What the active thread does by a step.
    pub fn moved(&mut self, step: StepKey) -> Rc<Moved> {
        self.view.moved(Who::Own, step.0, step.1, step.2)
    }

    /// What is certain of threads that are there, before a step if there is one: that they are different ones, unless
    /// neither some conditions nor any predicate could tell, and what follows for how many there are.
    pub fn certain(&mut self, there: &[(Who, At)], by: Option<&Move>, conditions: &[Term]) -> Vec<Term> {
        let mut who: Vec<Who> = there.iter().map(|(who, _)| *who).collect();
        if by.is_some_and(|by| by.started.is_some()) {
            who.push(Who::Started);
        }
        let mut certain = self.different(&who, conditions);
        let places: Vec<At> = there.iter().map(|(_, at)| *at).collect();
        for counted in &self.groups {
            certain.extend(counted.certain(&mut self.view, &self.map, &places, by));
            certain.extend(self.groups.iter().filter_map(|whole| counted.within(whole, &mut self.view)));
        }
        certain
    }

    fn different(&mut self, who: &[Who], conditions: &[Term]) -> Vec<Term> {
        let mut different = Vec::new();
        let mut is_told = self.tells_apart;
        for (place, one) in who.iter().enumerate() {
            for other in &who[place + 1..] {
                let apart = self.apart(*one, *other);
                different.push(apart);
                let about = self.symbols_of(apart);
                is_told = is_told
                    || conditions.iter().any(|condition| {
                        self.symbols_of(*condition).iter().any(|symbol| about.binary_search(symbol).is_ok())
                    });
            }
        }
        if is_told { different } else { Vec::new() }
    }

    /// That these are two threads.
    fn apart(&mut self, one: Who, other: Who) -> Term {
        if let Some(apart) = self.apart.get(&(one, other)) {
            return *apart;
        }
        let apart = self.view.two_threads(one, other);
        self.apart.insert((one, other), apart);
        apart
    }

    /// The symbols of a term, in their order.
    pub fn symbols_of(&mut self, term: Term) -> Rc<Vec<SymbolId>> {
        if let Some(symbols) = self.symbols.get(&term) {
            return Rc::clone(symbols);
        }
        let mut symbols = self.view.builder.terms.symbols_of(&[term]);
        symbols.sort_unstable();
        let symbols = Rc::new(symbols);
        self.symbols.insert(term, Rc::clone(&symbols));
        symbols
    }

    /// That a move leads into a configuration: that it is taken, and then all of it holds.
    pub fn leads(&mut self, to: &Configuration, by: &Move) -> Vec<Term> {
        let moved = self.moved(by.step);
        let mut conditions = vec![moved.enabled];
        if let (true, Some(joins)) = (by.tells_joins, moved.joined) {
            conditions.push(if by.joined.is_some() { joins } else { self.view.builder.not(joins) });
        }
        for literal in &to.shared {
            conditions.push(self.holds_after(*literal, Who::Own, by, &moved));
        }
        for (thread, member) in to.threads.iter().enumerate() {
            for literal in &member.literals {
                conditions.push(self.holds_after(*literal, by.who(thread), by, &moved));
            }
        }
        conditions
    }

    /// Whether a step of a thread that is none of a configuration's changes nothing that it speaks of, and starts none
    /// of its threads: what held after the step held before it.
    pub fn is_indifferent(&mut self, to: &Configuration, by: &Move) -> bool {
        if by.active.is_some() || by.started.is_some() {
            return false;
        }
        let moved = self.moved(by.step);
        let shared = to.shared.iter().map(|literal| (*literal, Who::Own));
        let own = to.threads.iter().enumerate().flat_map(|(thread, member)| {
            member.literals.iter().map(move |literal| (*literal, Who::Passive(thread as u8)))
        });
        let literals: Vec<(Literal, Who)> = shared.chain(own).collect();
        literals.into_iter().all(|(literal, who)| {
            let is_shared = self.is_shared(literal.0);
            // Of what all share the active thread says the same.
            let who = if is_shared { Who::Own } else { who };
            self.holds_after(literal, who, by, &moved) == self.holds(literal, who)
        })
    }

    /// That a configuration holds, with each of its threads one of those that are there.
    pub fn is_in(&mut self, configuration: &Configuration, way: &[usize], there: &[(Who, At)]) -> Vec<Term> {
        let mut conditions = Vec::new();
        for literal in &configuration.shared {
            conditions.push(self.holds(*literal, Who::Own));
        }
        for (member, place) in configuration.threads.iter().zip(way) {
            for literal in &member.literals {
                conditions.push(self.holds(*literal, there[*place].0));
            }
        }
        conditions
    }

    /// Whether a configuration may hold when the program begins, when there is only `main`'s thread; if so, that it
    /// does.
    pub fn is_first(&mut self, configuration: &Configuration) -> Option<Vec<Term>> {
        let first = (MAIN, self.view.universe.unfolded(MAIN).first());
        let way = configuration.among(&[first]).into_iter().next()?;
        let literals =
            configuration.shared.iter().chain(configuration.threads.iter().flat_map(|member| &member.literals));
        let predicates: Vec<Predicate> = literals.filter_map(|(number, _)| self.predicate(*number)).cloned().collect();
        let mut conditions = self.view.begins(predicates.iter());
        conditions.extend(self.groups.iter().map(|counted| counted.begins(&mut self.view)));
        conditions.extend(self.is_in(configuration, &way, &[(Who::Own, first)]));
        Some(conditions)
    }

    /// The accesses that a thread at a place may be about to make.
    pub fn touches(&mut self, (template, node): At, who: Who) -> Vec<Touched> {
        self.view.touches(template, node, who).into_iter().map(|(_, touched)| touched).collect()
    }
}
