//! Paths of abstract states as formulas over the values along them: whether a thread can really go there, if the
//! others do what they were found to do.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use selvedge_abstraction::backward::Taken;
use selvedge_abstraction::{StepKey, Stop};
use selvedge_logic::{Op, Substitution, Term};
use selvedge_symbolic::threads::held::Parts;
use selvedge_symbolic::threads::{Local, Moved, View, Who};
use selvedge_symbolic::{CellKey, Word};

use crate::space::{Origin, Space, StateId};

/// A part of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leg {
    /// A step of the thread that the path is about, or of one that will start it.
    Own(StepKey),
    /// A step of another thread, in a state of its own.
    Other(StateId, StepKey),
    /// A step that starts the thread that the path goes on with.
    Starts(StepKey),
}

impl Leg {
    /// The step, by whom it is taken.
    pub fn taken(self) -> Taken {
        match self {
            Leg::Own(step) => Taken::Own(step),
            Leg::Other(_, step) => Taken::Other(step),
            Leg::Starts(step) => Taken::Starts(step),
        }
    }

    pub fn step(self) -> StepKey {
        match self {
            Leg::Own(step) | Leg::Other(_, step) | Leg::Starts(step) => step,
        }
    }
}

/// The last legs that led to a state, at most so many, and where they begin; `None` if that is the beginning of the
/// program.
pub fn to(space: &Space<'_, '_, '_>, state: StateId, most: usize) -> (Option<StateId>, Vec<Leg>) {
    let mut legs = Vec::new();
    let mut at = state;
    let mut first = None;
    loop {
        if legs.len() >= most {
            first = Some(at);
            break;
        }
        let (leg, before) = match space.state(at).origin {
            Origin::Start => break,
            Origin::Own(before, step) => (Leg::Own(step), before),
            Origin::Other(before, source, step) => (Leg::Other(source, step), before),
            Origin::Started(before, step) => (Leg::Starts(step), before),
        };
        legs.push(leg);
        at = before;
    }
    legs.reverse();
    (first, legs)
}

/// The values at some point of a path.
#[derive(Debug)]
pub struct Values {
    pub cells: BTreeMap<CellKey, Word>,
    pub thread: Thread,
    /// Whether cells begin with their initial values.
    begins: bool,
}

/// What a thread has for itself at some point of a path.
#[derive(Debug)]
pub struct Thread {
    locals: BTreeMap<Local, Word>,
    identity: Term,
}

impl Thread {
    /// A thread of which nothing is known yet.
    pub fn new(view: &mut View<'_>) -> Self {
        let width = view.universe.program.pointer_width();
        let identity = view.builder.fresh("path.id", selvedge_logic::Sort::Bits(width));
        Thread { locals: BTreeMap::new(), identity }
    }
}

impl Values {
    /// At the beginning of the program, or where nothing is known.
    pub fn new(view: &mut View<'_>, begins: bool) -> Self {
        Values { cells: BTreeMap::new(), thread: Thread::new(view), begins }
    }

    pub fn identity(&self) -> Term {
        self.thread.identity
    }

    fn symbol(&self, view: &mut View<'_>, like: Term) -> Term {
        let sort = view.builder.terms.sort(like);
        view.builder.fresh("path.", sort)
    }

    /// What a cell holds.
    pub fn cell(&mut self, view: &mut View<'_>, key: CellKey) -> Option<Word> {
        if let Some(word) = self.cells.get(&key) {
            return Some(*word);
        }
        let word = if self.begins {
            view.initial(key)?
        } else {
            let called = view.cell(key)?;
            self.open(view, called)
        };
        self.cells.insert(key, word);
        Some(word)
    }

    /// Anything that something can be that is called like this.
    fn open(&self, view: &mut View<'_>, called: Word) -> Word {
        let bits = match view.builder.terms.constant_value(called.bits) {
            Some(_) => called.bits,
            None => self.symbol(view, called.bits),
        };
        let tag = match view.builder.terms.constant_value(called.tag) {
            Some(_) => called.tag,
            None => self.symbol(view, called.tag),
        };
        Word { tag, bits }
    }

    fn local(&mut self, view: &mut View<'_>, local: Local, called: Word) -> Word {
        if let Some(word) = self.thread.locals.get(&local) {
            return *word;
        }
        let initial = match local {
            Local::Cell(key) if self.begins => view.initial(key),
            _ => None,
        };
        let word = initial.unwrap_or_else(|| self.open(view, called));
        self.thread.locals.insert(local, word);
        word
    }

    /// Terms of a step with the values of this point put in; what is the path's own thread, `own` says. Other symbols
    /// become fresh ones.
    pub fn put_in(&mut self, view: &mut View<'_>, own: bool, roots: &[Term]) -> Result<Vec<Term>, Stop> {
        let symbols = symbols(view, roots);
        let mut substitution = Substitution::new();
        let own_identity = view.identity(Who::Own);
        let mut known: FxHashMap<Term, Term> = FxHashMap::default();
        known.insert(own_identity, self.thread.identity);
        let names: BTreeSet<Named> = symbols.iter().filter_map(|symbol| view.named(*symbol)).collect();
        for name in names {
            let Some(called) = view.called(name) else { continue };
            let word = match name {
                Named::Cell(key) => match self.cell(view, key) {
                    Some(word) => word,
                    None => continue,
                },
                Named::Local(Who::Own, local) if own => self.local(view, local, called),
                Named::Local(..) => continue,
            };
            let parts = Parts::of(&view.builder, called);
            if let Some(bits) = parts.bits {
                known.insert(bits, word.bits);
            }
            for (which, tag) in parts.tags {
                let is = view.builder.terms.equal(word.tag, tag);
                known.insert(which, is);
            }
        }
        for symbol in symbols {
            let to = match known.get(&symbol) {
                Some(to) => *to,
                None => self.symbol(view, symbol),
            };
            substitution.put(&view.builder.terms, symbol, to)?;
        }
        let put = roots.iter().map(|root| view.builder.terms.substitute(*root, &mut substitution));
        Ok(put.collect::<Result<_, _>>()?)
    }

    /// The condition under which a leg of the path's own thread can be taken.
    pub fn condition(&mut self, space: &mut Space<'_, '_, '_>, leg: Leg) -> Result<Term, Stop> {
        let (function, edge, kind) = leg.step();
        let moved = space.on.view.moved(Who::Own, function, edge, kind);
        Ok(self.put_in(&mut space.on.view, true, &[moved.enabled])?[0])
    }

    /// The thread that a step of the path's own one starts, before that is taken.
    pub fn started(&mut self, space: &mut Space<'_, '_, '_>, (function, edge, kind): StepKey) -> Result<Thread, Stop> {
        let moved = space.on.view.moved(Who::Own, function, edge, kind);
        let roots: Vec<Term> = moved.passed.values().flat_map(|word| [word.tag, word.bits]).collect();
        let put = self.put_in(&mut space.on.view, true, &roots)?;
        let words = put.chunks(2).map(|pair| Word { tag: pair[0], bits: pair[1] });
        let locals = moved.passed.keys().copied().zip(words).collect();
        Ok(Thread { locals, ..Thread::new(&mut space.on.view) })
    }

    /// Takes a leg; the condition under which it can be taken.
    pub fn take(&mut self, space: &mut Space<'_, '_, '_>, leg: Leg) -> Result<Term, Stop> {
        let (function, edge, kind) = leg.step();
        let who = if let Leg::Other(..) = leg { Who::Other } else { Who::Own };
        let moved = space.on.view.moved(who, function, edge, kind);
        let mut roots = vec![moved.enabled];
        if let Leg::Other(source, _) = leg {
            let cube = space.state(source).cube.clone();
            roots.extend(space.on.literals(&cube, Who::Other));
            let apart = space.on.view.two_threads_where(Who::Own, Who::Other, &roots);
            roots.push(apart);
        }
        let conditions = roots.len();
        let words = changed(&moved, leg);
        roots.extend(words.iter().flat_map(|(_, word)| [word.tag, word.bits]));
        let put = self.put_in(&mut space.on.view, who == Who::Own, &roots)?;
        let mut after = put[conditions..].chunks(2).map(|pair| Word { tag: pair[0], bits: pair[1] });
        if let Leg::Starts(_) = leg {
            self.thread.locals.clear();
            self.thread.identity = self.symbol(&mut space.on.view, self.thread.identity);
        } else if who == Who::Own {
            for local in &moved.forgotten {
                self.thread.locals.remove(local);
            }
        }
        for (changed, _) in words {
            let Some(word) = after.next() else { break };
            match changed {
                Named::Cell(key) => self.cells.insert(key, word),
                Named::Local(_, local) => self.thread.locals.insert(local, word),
            };
        }
        let mut condition = put[0];
        for other in &put[1..conditions] {
            condition = space.on.view.builder.and(condition, *other);
        }
        Ok(condition)
    }
}

pub use selvedge_symbolic::threads::view::Named;

/// What a leg changes of what a path follows.
fn changed(moved: &Moved, leg: Leg) -> Vec<(Named, Word)> {
    let locals = match leg {
        Leg::Own(_) => Some(&moved.locals),
        Leg::Starts(_) => Some(&moved.passed),
        Leg::Other(..) => None,
    };
    let locals = locals.into_iter().flatten().map(|(local, word)| (Named::Local(Who::Own, *local), *word));
    let cells = moved.cells.iter().map(|(key, word)| (Named::Cell(*key), *word));
    locals.chain(cells).collect()
}

fn symbols(view: &View<'_>, roots: &[Term]) -> Vec<Term> {
    let terms = &view.builder.terms;
    let mut seen = rustc_hash::FxHashSet::default();
    let mut pending = roots.to_vec();
    let mut found = Vec::new();
    while let Some(term) = pending.pop() {
        if seen.insert(term) {
            match terms.op(term) {
                Op::Symbol(_) => found.push(term),
                _ => pending.extend(terms.operands(term)),
            }
        }
    }
    found.sort_unstable();
    found
}
