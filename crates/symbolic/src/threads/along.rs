//! A thread along a path of its own steps: what it has for itself and what it sees of the shared cells, as terms over what
//! it began with. The effects of steps ([`Moved`]) are put one into the other; what the others do in between, whoever
//! walks the path says.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use selvedge_logic::{Error, Op, Substitution, Term};
use selvedge_program::{CheckId, FunctionId};

use super::held::Parts;
use super::unfold::ArcKind;
use super::universe::Kept;
use super::view::{Local, Moved, Named, View, Who};
use crate::cell::{CellKey, Note};
use crate::eval::Trouble;
use crate::predicate::Predicate;
use crate::word::Word;

/// What a shared cell is that was not looked at since the path began, or since others moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unseen {
    /// What it is called.
    Named,
    /// What it is when the program begins.
    Initial,
    /// Anything that it can be.
    Anything,
}

/// A thread at some point of a path. What it has for itself and is not spoken of is what it is called.
#[derive(Clone, Debug)]
pub struct Along {
    locals: BTreeMap<Local, Word>,
    cells: BTreeMap<CellKey, Word>,
    unseen: Unseen,
}

/// A step on the way: all over what the path began with.
#[derive(Clone, Debug)]
pub struct Passed {
    /// Nothing keeps it from happening.
    pub enabled: Term,
    /// What is undefined or not modelled, each under a condition.
    pub troubles: Vec<(Term, Trouble)>,
    /// Assertions that fail, each under a condition.
    pub violations: Vec<(Term, CheckId)>,
}

impl Along {
    /// A thread of which nothing is known but what things are called.
    pub fn named() -> Along {
        Along { locals: BTreeMap::new(), cells: BTreeMap::new(), unseen: Unseen::Named }
    }

    /// The first thread of the program when that begins.
    pub fn begins(view: &mut View<'_>) -> Along {
        let mut along = Along { unseen: Unseen::Initial, ..Along::named() };
        for tag in view.universe.tags().collect::<Vec<_>>() {
            if view.universe.kept(tag) != Kept::Own {
                continue;
            }
            let notes = [CellKey::Alive(tag), CellKey::Note(Note::Born, tag)];
            for key in view.universe.cells_of(tag).into_iter().chain(notes) {
                along.begin_with(view, key);
            }
        }
        for key in view.universe.counters().collect::<Vec<_>>() {
            for own in crate::cell::Tally::ALL.into_iter().filter_map(|tally| key.tally(tally)) {
                along.begin_with(view, own);
            }
        }
        along
    }

    fn begin_with(&mut self, view: &mut View<'_>, key: CellKey) {
        if view.universe.kept_cell(key) == Kept::Own
            && let Some(word) = view.initial(key)
        {
            self.locals.insert(Local::Cell(key), word);
        }
    }

    /// A thread that runs a function when it begins, whoever starts it and with whatever arguments; `None` if nobody
    /// starts one.
    pub fn starts(view: &mut View<'_>, entry: FunctionId) -> Option<Along> {
        let arcs = (0..view.universe.templates.len()).flat_map(|template| {
            let unfolded = view.universe.unfolded(template);
            let starts = unfolded.arcs.iter().filter(|arc| arc.kind == ArcKind::Spawn(entry));
            starts.map(|arc| (unfolded.get(arc.source).function, arc.edge)).collect::<Vec<_>>()
        });
        let (function, edge) = arcs.into_iter().next()?;
        let moved = view.moved(Who::Own, function, edge, ArcKind::Spawn(entry));
        // What it is given differs from start to start; the beginning of its memory does not.
        let own = moved.passed.iter().filter(|(local, _)| matches!(local, Local::Cell(_)));
        let locals = own.map(|(local, word)| (*local, *word)).collect();
        Some(Along { locals, cells: BTreeMap::new(), unseen: Unseen::Anything })
    }

    /// Others may have moved: the shared cells are anything.
    pub fn interrupted(&mut self) {
        self.cells.clear();
        self.unseen = Unseen::Anything;
    }

    /// What the thread has for itself that is not what it is called.
    pub fn locals(&self) -> impl Iterator<Item = Local> + '_ {
        self.locals.keys().copied()
    }

    /// What something of the thread's own is; `None` if nothing can be known of it.
    pub fn local(&self, view: &mut View<'_>, local: Local) -> Option<Word> {
        self.locals.get(&local).copied().or_else(|| view.local(Who::Own, local))
    }

    /// Something of the thread's own is this.
    pub fn put(&mut self, local: Local, word: Word) {
        self.locals.insert(local, word);
    }

    /// What a shared cell is; `None` if it is not tracked.
    pub fn cell(&mut self, view: &mut View<'_>, key: CellKey) -> Result<Option<Word>, Error> {
        if let Some(word) = self.cells.get(&key) {
            return Ok(Some(*word));
        }
        let Some(called) = view.cell(key) else { return Ok(None) };
        let word = match self.unseen {
            Unseen::Named => called,
            Unseen::Initial => view.initial(key).unwrap_or(called),
            Unseen::Anything => anything(view, called)?,
        };
        self.cells.insert(key, word);
        Ok(Some(word))
    }

    /// A predicate of the thread here; of shared cells that were not looked at since the path began, or since others moved,
    /// it says what they are from now on.
    pub fn holds(&mut self, view: &mut View<'_>, predicate: &Predicate) -> Result<Term, Error> {
        let term = view.holds(predicate, Who::Own);
        Ok(self.put_in(view, &[term])?[0])
    }

    /// Terms over what things are called with what they are here put in. Symbols that are no names become fresh ones.
    pub fn put_in(&mut self, view: &mut View<'_>, roots: &[Term]) -> Result<Vec<Term>, Error> {
        let symbols = symbols(view, roots);
        let mut known: FxHashMap<Term, Term> = FxHashMap::default();
        let own_identity = view.identity(Who::Own);
        known.insert(own_identity, own_identity);
        let mut names: BTreeSet<Named> = BTreeSet::new();
        for &symbol in &symbols {
            match view.named(symbol) {
                Some(Named::Local(Who::Own, local)) if !self.locals.contains_key(&local) => {
                    known.insert(symbol, symbol);
                }
                Some(named) => drop(names.insert(named)),
                None => {}
            }
        }
        for name in names {
            let Some(called) = view.called(name) else { continue };
            let word = match name {
                Named::Cell(key) => self.cell(view, key)?,
                Named::Local(Who::Own, local) => self.local(view, local),
                Named::Local(..) => None,
            };
            let Some(word) = word else { continue };
            let parts = Parts::of(&view.builder, called);
            if let Some(bits) = parts.bits {
                known.insert(bits, word.bits);
            }
            for (which, tag) in parts.tags {
                let is = view.builder.terms.equal(word.tag, tag);
                known.insert(which, is);
            }
        }
        let mut substitution = Substitution::new();
        for symbol in symbols {
            let to = match known.get(&symbol) {
                Some(to) => *to,
                None => {
                    let sort = view.builder.terms.sort(symbol);
                    view.builder.fresh("along.", sort)
                }
            };
            if to != symbol {
                substitution.put(&view.builder.terms, symbol, to)?;
            }
        }
        roots.iter().map(|root| view.builder.terms.substitute(*root, &mut substitution)).collect()
    }

    /// Takes a step.
    pub fn take(&mut self, view: &mut View<'_>, moved: &Moved) -> Result<Passed, Error> {
        let mut roots = vec![moved.enabled];
        roots.extend(moved.troubles.iter().map(|(when, _)| *when));
        roots.extend(moved.violations.iter().map(|(when, _)| *when));
        let conditions = roots.len();
        let words = moved.locals.values().chain(moved.cells.values());
        roots.extend(words.flat_map(|word| [word.tag, word.bits]));
        let put = self.put_in(view, &roots)?;
        let (conditions, words) = put.split_at(conditions);
        let mut words = words.chunks(2).map(|pair| Word { tag: pair[0], bits: pair[1] });
        for local in moved.locals.keys() {
            self.locals.extend(words.next().map(|word| (*local, word)));
        }
        for key in moved.cells.keys() {
            self.cells.extend(words.next().map(|word| (*key, word)));
        }
        for &local in &moved.forgotten {
            if let Some(called) = view.local(Who::Own, local) {
                let word = anything(view, called)?;
                self.locals.insert(local, word);
            }
        }
        let (troubles, violations) = conditions[1..].split_at(moved.troubles.len());
        let troubles = troubles.iter().zip(&moved.troubles).map(|(when, (_, trouble))| (*when, trouble.clone()));
        let violations = violations.iter().zip(&moved.violations).map(|(when, (_, check))| (*when, *check));
        Ok(Passed { enabled: conditions[0], troubles: troubles.collect(), violations: violations.collect() })
    }

    /// One of two ways that came to the same place: the first under a condition, else the second. Others may have moved.
    pub fn merge(&self, view: &mut View<'_>, first: Term, second: &Along) -> Along {
        let mut locals = BTreeMap::new();
        for local in self.locals.keys().chain(second.locals.keys()) {
            if let (Some(one), Some(other)) = (self.local(view, *local), second.local(view, *local)) {
                locals.insert(*local, view.builder.choose(first, one, other));
            }
        }
        Along { locals, cells: BTreeMap::new(), unseen: Unseen::Anything }
    }
}

/// The shared cells that a step looks at or writes.
pub fn cells_of(view: &mut View<'_>, moved: &Moved) -> BTreeSet<CellKey> {
    let mut roots = vec![moved.enabled];
    roots.extend(moved.troubles.iter().map(|(when, _)| *when));
    roots.extend(moved.violations.iter().map(|(when, _)| *when));
    let words = moved.locals.values().chain(moved.cells.values());
    roots.extend(words.flat_map(|word| [word.tag, word.bits]));
    let mut cells = view.cells_in(&roots);
    cells.extend(moved.cells.keys());
    cells.extend(moved.touched.iter().map(|touched| touched.cell));
    cells
}

/// Anything that something can be that is called like this.
fn anything(view: &mut View<'_>, called: Word) -> Result<Word, Error> {
    let mut substitution = Substitution::new();
    for symbol in symbols(view, &[called.tag, called.bits]) {
        let sort = view.builder.terms.sort(symbol);
        let fresh = view.builder.fresh("along.", sort);
        substitution.put(&view.builder.terms, symbol, fresh)?;
    }
    let terms = &mut view.builder.terms;
    Ok(Word {
        tag: terms.substitute(called.tag, &mut substitution)?,
        bits: terms.substitute(called.bits, &mut substitution)?,
    })
}

fn symbols(view: &View<'_>, roots: &[Term]) -> Vec<Term> {
    let terms = &view.builder.terms;
    let order = terms.post_order(roots);
    order.into_iter().filter(|term| matches!(terms.op(*term), Op::Symbol(_))).collect()
}
