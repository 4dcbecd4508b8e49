//! What the steps of a thread do, as terms over what it can name. Two threads are spoken of at a time: the thread
//! itself, and any other one that moves meanwhile; each has registers of its own and a different identity, and both
//! see the same cells.

mod after;
mod step;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_logic::{Op, Term};
use selvedge_program::{AccessMode, Action, Atomicity, CheckId, EdgeId, FunctionId, RegisterId, RegisterUse};

use super::held::Parts;
use super::standing::{Cells, Locals, identity, initially, local, shared};
use super::unfold::{ArcKind, NodeId};
use super::universe::{Kept, Universe};
use crate::Predicate;
use crate::builder::Builder;
use crate::cell::{CellKey, Tally};
use crate::effect::Touched;
use crate::eval::Trouble;
use crate::predicate::Variable;
use crate::tally::is_part;
use crate::word::{Tag, Word};
use after::After;

/// Of which thread something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Who {
    /// The thread itself.
    Own,
    /// Another one.
    Other,
    /// The one that is started by a step.
    Started,
    /// One of any number of others, by number: see [`View::introduce`].
    Passive(u8),
}

/// What a thread has for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Local {
    /// A register of a function; no function is active twice.
    Register(FunctionId, RegisterId),
    /// A cell of an object that no other thread can reach.
    Cell(CellKey),
}

/// What a variable of predicates is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    Own(Local),
    Shared(CellKey),
}

/// What can be spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Named {
    Local(Who, Local),
    Cell(CellKey),
}

/// What a step does.
#[derive(Clone, Debug)]
pub struct Moved {
    /// Nothing keeps it from happening.
    pub enabled: Term,
    /// What is undefined or not modelled, each under a condition.
    pub troubles: Vec<(Term, Trouble)>,
    pub violations: Vec<(Term, CheckId)>,
    /// What it assigns or writes of the thread's own; of a function that is called, all registers that have a value,
    /// and its locals.
    pub locals: BTreeMap<Local, Word>,
    /// What of a called function has no value that is known.
    pub forgotten: Vec<Local>,
    /// What it writes that all threads share.
    pub cells: BTreeMap<CellKey, Word>,
    pub touched: Vec<Touched>,
    /// Choices that are better looked at one by one.
    pub forks: Vec<Term>,
    /// What the thread that it starts begins with.
    pub passed: BTreeMap<Local, Word>,
    /// When another thread is joined, for a step that may join one.
    pub joined: Option<Term>,
}

/// The terms of a universe.
#[derive(Debug)]
pub struct View<'p> {
    pub universe: Universe<'p>,
    pub builder: Builder,
    locals: Locals,
    shared: Cells,
    /// What the symbols of names stand for, of as many locals and cells as have been looked at.
    symbols: FxHashMap<Term, Named>,
    looked_at: (usize, usize),
    moved: FxHashMap<(Who, FunctionId, EdgeId, ArcKind), Rc<Moved>>,
    /// Of which counters terms say what threads have added or taken.
    tallied: FxHashMap<Term, Rc<BTreeSet<CellKey>>>,
}

impl<'p> View<'p> {
    /// The terms of a universe.
    pub fn new(universe: Universe<'p>) -> Self {
        let mut view = View {
            universe,
            builder: Builder::new(),
            locals: Locals::default(),
            shared: Cells::default(),
            symbols: FxHashMap::default(),
            looked_at: (0, 0),
            moved: FxHashMap::default(),
            tallied: FxHashMap::default(),
        };
        for who in [Who::Own, Who::Other, Who::Started] {
            view.introduce(who);
        }
        view
    }

    /// Before anything is said of a thread. (Whether an object is alive is asked where nothing new can be named.)
    pub fn introduce(&mut self, who: Who) {
        for tag in self.universe.tags().collect::<Vec<_>>() {
            let alive = CellKey::Alive(tag);
            match self.universe.kept(tag) {
                Kept::Own => {
                    self.local(who, Local::Cell(alive));
                }
                Kept::Shared => {
                    self.cell(alive);
                }
                Kept::Nowhere => {}
            }
        }
    }

    /// That these are two threads.
    pub fn two_threads(&mut self, one: Who, other: Who) -> Term {
        let counters = self.universe.counters().collect::<Vec<_>>();
        self.apart(one, other, &counters)
    }

    /// That these are two threads, as far as it can matter where some conditions hold: what they have added to counters of
    /// which these say nothing could always be such that it is so.
    pub fn two_threads_where(&mut self, one: Who, other: Who, conditions: &[Term]) -> Term {
        let mut tallied = BTreeSet::new();
        for condition in conditions {
            tallied.extend(self.tallied(*condition).iter().copied());
        }
        let is_tallied = |counter: &CellKey| {
            Tally::ALL.into_iter().filter_map(|tally| counter.tally(tally)).any(|key| tallied.contains(&key))
        };
        let counters = self.universe.counters().filter(is_tallied).collect::<Vec<_>>();
        self.apart(one, other, &counters)
    }

    /// The tallies that a term speaks of, whoever's.
    fn tallied(&mut self, root: Term) -> Rc<BTreeSet<CellKey>> {
        if let Some(known) = self.tallied.get(&root) {
            return Rc::clone(known);
        }
        let (mut pending, mut seen) = (vec![root], FxHashSet::default());
        let mut tallied = BTreeSet::new();
        while let Some(term) = pending.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Op::Symbol(_) = self.builder.terms.op(term)
                && let Some(Named::Cell(key) | Named::Local(_, Local::Cell(key))) = self.named(term)
                && let CellKey::Tally { .. } = key
            {
                tallied.insert(key);
            }
            pending.extend(self.builder.terms.operands(term));
        }
        let tallied = Rc::new(tallied);
        self.tallied.insert(root, Rc::clone(&tallied));
        tallied
    }

    fn apart(&mut self, one: Who, other: Who, counters: &[CellKey]) -> Term {
        let (id, other_id) = (self.identity(one), self.identity(other));
        let distinct = self.builder.terms.distinct(id, other_id);
        if other == Who::Started {
            return distinct;
        }
        let apart = self.sums(one, other, counters, distinct);
        match self.cell(CellKey::Unjoined) {
            Some(unjoined) => {
                // A thread that runs has not been joined.
                let width = self.builder.width(unjoined.bits);
                let two = self.builder.terms.bits(width, 2);
                let enough = self.builder.terms.ule(two, unjoined.bits);
                self.builder.and(apart, enough)
            }
            None => apart,
        }
    }

    /// And that of counters, what two threads have added or taken is a part of what all have.
    fn sums(&mut self, one: Who, other: Who, counters: &[CellKey], mut all: Term) -> Term {
        let program = self.universe.program;
        for &counter in counters {
            for (own, sum) in [(Tally::Added, Tally::AllAdded), (Tally::Taken, Tally::AllTaken)] {
                let (Some(own), Some(sum)) = (counter.tally(own), counter.tally(sum)) else { continue };
                let (mine, theirs) = (self.local(one, Local::Cell(own)), self.local(other, Local::Cell(own)));
                if let (Some(mine), Some(theirs), Some(sum)) = (mine, theirs, self.cell(sum)) {
                    let holds = is_part(&mut self.builder, program, counter, &[mine, theirs], sum);
                    all = self.builder.and(all, holds);
                }
            }
        }
        all
    }

    /// What a symbol is a part of.
    pub fn named(&mut self, symbol: Term) -> Option<Named> {
        let locals = self.locals.iter().skip(self.looked_at.0);
        let locals = locals.map(|((who, local), word)| (Named::Local(*who, *local), *word));
        let cells = self.shared.iter().skip(self.looked_at.1).map(|(key, word)| (Named::Cell(*key), *word));
        for (named, word) in locals.chain(cells) {
            let parts = Parts::of(&self.builder, word);
            self.symbols.extend(parts.symbols().map(|symbol| (symbol, named)));
        }
        self.looked_at = (self.locals.len(), self.shared.len());
        self.symbols.get(&symbol).copied()
    }

    /// The shared cells on which terms depend; for those of a predicate, more than it speaks of: whether an object that
    /// it points to is alive is one of them.
    pub fn cells_in(&mut self, terms: &[Term]) -> BTreeSet<CellKey> {
        let cells = self.names_in(terms).into_iter().filter_map(|named| match named {
            Named::Cell(key) => Some(key),
            Named::Local(..) => None,
        });
        cells.collect()
    }

    /// Everything on which terms depend; for those of a predicate, more than it speaks of.
    pub fn names_in(&mut self, terms: &[Term]) -> BTreeSet<Named> {
        let mut pending = terms.to_vec();
        let mut seen: FxHashSet<Term> = pending.iter().copied().collect();
        let mut names = BTreeSet::new();
        while let Some(term) = pending.pop() {
            if let Op::Symbol(_) = self.builder.terms.op(term) {
                names.extend(self.named(term));
            }
            pending.extend(self.builder.terms.operands(term).iter().filter(|operand| seen.insert(**operand)));
        }
        names
    }

    /// The word that goes by a name.
    pub fn called(&self, named: Named) -> Option<Word> {
        match named {
            Named::Local(who, local) => self.locals.get(&(who, local)).copied(),
            Named::Cell(key) => self.shared.get(&key).copied(),
        }
    }

    /// The identity of a thread, as the bits of a pointer to it.
    pub fn identity(&mut self, who: Who) -> Term {
        let width = self.universe.program.pointer_width();
        identity(&mut self.builder, who, width)
    }

    /// What a tracked cell is called in predicates.
    pub fn variable(&self, key: CellKey) -> Option<Variable> {
        if key == CellKey::Unjoined {
            return self.universe.has_joins.then_some(Variable::Unjoined);
        }
        let object = self.universe.root(key.object())?;
        match key {
            CellKey::Bytes { start, size, .. } => Some(Variable::Cell { object, offset: start, size }),
            CellKey::Ghost { offset, field, .. } => Some(Variable::Ghost { object, offset, field }),
            CellKey::Changer { start, .. } => Some(Variable::Changer { object, offset: start }),
            CellKey::Tally { start, field, tally, .. } => Some(Variable::Tally { object, offset: start, field, tally }),
            CellKey::Alive(_) => Some(Variable::Alive(object)),
            CellKey::Note(note, _) => Some(Variable::Note(note, object)),
            CellKey::Size(_) | CellKey::Array(_) | CellKey::Unjoined => None,
        }
    }

    /// What something of a thread's own is called; `None` if nothing can be known of it.
    pub fn local(&mut self, who: Who, register: Local) -> Option<Word> {
        local(&mut self.builder, &mut self.universe, &mut self.locals, who, register)
    }

    /// What a cell is called; `None` if it is not tracked.
    pub fn cell(&mut self, key: CellKey) -> Option<Word> {
        shared(&mut self.builder, &mut self.universe, &mut self.shared, key)
    }

    /// What a tracked cell holds initially.
    pub fn initial(&mut self, key: CellKey) -> Option<Word> {
        let is_tracked = self.universe.kept_cell(key) != Kept::Nowhere;
        is_tracked.then(|| initially(&mut self.builder, &mut self.universe, key))
    }

    /// What a variable of predicates is, if it is something that is tracked.
    pub fn slot(&mut self, variable: Variable) -> Option<Slot> {
        let key = match variable {
            Variable::Register(function, register) => return Some(Slot::Own(Local::Register(function, register))),
            Variable::Cell { object, offset, size } | Variable::Determinate { object, offset, size } => {
                let object = self.universe.rooted(object)?;
                let key = CellKey::Bytes { object, start: offset, size };
                self.universe.is_cell(key).then_some(key)?
            }
            Variable::Alive(object) => CellKey::Alive(self.universe.rooted(object)?),
            Variable::Note(note, object) => CellKey::Note(note, self.universe.rooted(object)?),
            Variable::Address(_) => return None,
            Variable::Ghost { object, offset, field } => {
                let object = self.universe.rooted(object)?;
                CellKey::Ghost { object, offset, field }
            }
            Variable::Changer { object, offset } => {
                let object = self.universe.rooted(object)?;
                let is_noted = self.universe.updated().any(|key| key == (object, offset));
                is_noted.then_some(CellKey::Changer { object, start: offset })?
            }
            Variable::Tally { object, offset, field, tally } => {
                let object = self.universe.rooted(object)?;
                let key = CellKey::Tally { object, start: offset, field, tally };
                self.universe.counters().any(|counter| counter.tally(tally) == Some(key)).then_some(key)?
            }
            Variable::Unjoined => CellKey::Unjoined,
            Variable::OwnGhost(_) => return None,
        };
        match self.universe.kept_cell(key) {
            Kept::Shared => Some(Slot::Shared(key)),
            Kept::Own => Some(Slot::Own(Local::Cell(key))),
            Kept::Nowhere => None,
        }
    }

    /// What something is that all threads share, if a variable is that.
    pub fn key(&mut self, variable: Variable) -> Option<CellKey> {
        match self.slot(variable)? {
            Slot::Shared(key) => Some(key),
            Slot::Own(_) => None,
        }
    }

    /// That everything that some predicates speak of is as it is when the program begins.
    pub fn begins<'a>(&mut self, predicates: impl Iterator<Item = &'a Predicate>) -> Vec<Term> {
        let variables: BTreeSet<Variable> = predicates.flat_map(|predicate| predicate.variables()).copied().collect();
        let slots: BTreeSet<Slot> = variables.into_iter().filter_map(|variable| self.slot(variable)).collect();
        let mut conditions = Vec::new();
        for slot in slots {
            let (word, key) = match slot {
                Slot::Shared(key) => (self.cell(key), key),
                Slot::Own(Local::Cell(key)) => (self.local(Who::Own, Local::Cell(key)), key),
                Slot::Own(Local::Register(..)) => continue,
            };
            if let (Some(word), Some(initial)) = (word, self.initial(key)) {
                conditions.push(self.builder.same(word, initial));
            }
        }
        conditions
    }

    /// That a register of the thread points to no allocation for which another one stands.
    pub fn points_to_one(&mut self, (function, register): (FunctionId, RegisterId)) -> Option<Term> {
        let word = self.local(Who::Own, Local::Register(function, register))?;
        let mut all = None;
        for tag in self.builder.tags(word).into_iter().filter(|tag| self.universe.is_represented(*tag)) {
            let meant = self.builder.has_tag(word, tag);
            let other = self.builder.not(meant);
            all = Some(match all {
                Some(all) => self.builder.and(all, other),
                None => other,
            });
        }
        all
    }

    /// Whether a register says of what may be wrong with an allocation at a step which allocation that is: no other
    /// register that the step looks at may point to one of the same site. (Of an allocation for which another one
    /// stands it is not noticed what is wrong with it.)
    pub fn says_which(&self, (function, edge): (FunctionId, EdgeId), register: RegisterId) -> bool {
        let represented = |register: RegisterId| -> BTreeSet<Tag> {
            let held = self.universe.register((function, register));
            held.tags().filter(|tag| self.universe.is_represented(*tag)).collect()
        };
        let own = represented(register);
        let mut is_only = true;
        self.universe.program.function(function).edge(edge).action.for_each_register(&mut |used| {
            if let RegisterUse::Used(used) = used {
                is_only &= used == register || own.is_disjoint(&represented(used));
            }
        });
        is_only
    }

    /// A predicate before a step of anyone.
    pub fn holds(&mut self, predicate: &Predicate, who: Who) -> Term {
        let width = self.universe.program.pointer_width();
        let (mut builder, mut valuation) = self.valuation(who, None);
        let holds = predicate.term(&mut builder, &mut valuation, width);
        self.builder = builder;
        holds
    }

    /// A predicate of a thread after a step of its own or of the other one, or of the thread that the step starts.
    pub fn holds_after(&mut self, predicate: &Predicate, who: Who, moved: &Moved, by: Who) -> Term {
        let width = self.universe.program.pointer_width();
        let (mut builder, mut valuation) = self.valuation(who, Some((moved, by)));
        let holds = predicate.term(&mut builder, &mut valuation, width);
        self.builder = builder;
        holds
    }

    fn valuation<'a>(&'a mut self, who: Who, moved: Option<(&'a Moved, Who)>) -> (Builder, After<'a, 'p>) {
        let builder = std::mem::take(&mut self.builder);
        (builder, After { view: self, who, moved })
    }

    /// Where other threads may move before the thread goes on: where its next step can touch what is not its own. Not
    /// in an atomic section.
    pub fn is_visible(&mut self, template: usize, node: NodeId) -> bool {
        let unfolded = self.universe.unfolded(template);
        let at = unfolded.get(node);
        if at.sections > 0 {
            return false;
        }
        let program = self.universe.program;
        let arcs: Vec<_> = unfolded.outgoing(node).iter().map(|arc| unfolded.arc(*arc)).collect();
        arcs.into_iter().any(|arc| match &program.function(at.function).edge(arc.edge).action {
            Action::Assume(_)
            | Action::Assign { .. }
            | Action::Havoc { .. }
            | Action::Assert { .. }
            | Action::Require { .. }
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::Fence(_)
            | Action::Output(_)
            | Action::Inexact(_) => false,
            Action::Load { .. } | Action::Store { .. } | Action::Forget { .. } | Action::EndLife { .. } => {
                let moved = self.moved(Who::Own, at.function, arc.edge, arc.kind);
                let is_private = |touched: &Touched| self.universe.is_private(touched.cell.object());
                !moved.cells.is_empty() || !moved.touched.iter().all(is_private)
            }
            Action::Atomic(_)
            | Action::Spawn { .. }
            | Action::ThreadExit { .. }
            | Action::Exit { .. }
            | Action::Allocate { .. }
            | Action::Free { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Unsupported(_) => true,
        })
    }

    /// The accesses that a thread at a place may be about to make, by step.
    pub fn touches(
        &mut self,
        template: usize,
        node: NodeId,
        who: Who,
    ) -> Vec<((FunctionId, EdgeId, ArcKind), Touched)> {
        let unfolded = self.universe.unfolded(template);
        let at = unfolded.get(node);
        let steps: Vec<_> = unfolded.outgoing(node).iter().map(|arc| unfolded.arc(*arc)).collect();
        let mut touches = Vec::new();
        for arc in steps {
            let step = (at.function, arc.edge, arc.kind);
            for &touched in &self.moved(who, step.0, step.1, step.2).touched {
                // In an atomic section every access is one.
                let atomicity = if at.sections > 0 { Atomicity::SEQUENTIAL } else { touched.mode.atomicity };
                let mode = AccessMode { atomicity, ..touched.mode };
                touches.push((step, Touched { mode, ..touched }));
            }
        }
        touches
    }
}
