//! What a proof says of places, with every predicate known by a number, so that what a step does not touch is kept
//! without asking, and what two places say of the same cell is compared once.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_logic::{Op, Term};
use selvedge_program::FunctionId;
use selvedge_symbolic::threads::view::Named;
use selvedge_symbolic::threads::{Local, Moved, NodeId, Slot, View, Who};
use selvedge_symbolic::{CellKey, Predicate, Variable};

use super::{ModularProof, Refusal};

/// The number of a predicate, and whether it holds.
pub type Literal = (u32, bool);

/// A predicate, its terms, and what it speaks of.
#[derive(Debug)]
pub struct Known {
    pub predicate: Predicate,
    own: Term,
    other: Term,
    locals: Vec<Local>,
    pub cells: Vec<CellKey>,
}

/// A conjunction at a place.
#[derive(Debug)]
pub struct Place {
    pub template: usize,
    pub node: NodeId,
    /// The same number, the same literals, and the same templates that have not been started.
    pub number: u32,
    /// No thread of these has been started.
    pub unstarted: BTreeSet<FunctionId>,
    /// In the order of their numbers.
    pub literals: Vec<Literal>,
    /// The literals, as conditions on the thread itself and on another one.
    pub own: Vec<Term>,
    pub other: Vec<Term>,
    /// What it says of each cell, by the numbers of cells and of what is said.
    pub said: Vec<(u32, u32)>,
}

/// A set of cells, by their numbers.
pub type Cells = Vec<u64>;

/// Whether two sets have something in common.
pub fn meet(a: &Cells, b: &Cells) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// All places of a proof.
#[derive(Debug, Default)]
pub struct Places {
    pub known: Vec<Known>,
    numbers: FxHashMap<Predicate, u32>,
    pub all: Vec<Place>,
    /// The conjunctions at a place, and a number: the same number, the same conjunctions.
    at: FxHashMap<(usize, NodeId), (usize, usize, u32)>,
    cells: FxHashMap<CellKey, u32>,
    /// What is said of a cell by its number.
    pub sayings: Vec<Vec<Literal>>,
}

impl Places {
    /// Reads a proof.
    ///
    /// # Errors
    /// If it speaks of something that the state does not decide.
    pub fn read(view: &mut View<'_>, proof: &ModularProof) -> Result<Places, Refusal> {
        let mut places = Places::default();
        let mut sayings: FxHashMap<(u32, Vec<Literal>), u32> = FxHashMap::default();
        let mut numbers: FxHashMap<(Vec<Literal>, BTreeSet<FunctionId>), u32> = FxHashMap::default();
        let mut lists: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        for template in 0..view.universe.templates.len() {
            let entry = view.universe.templates[template].0;
            for node in (0..view.universe.unfolded(template).nodes.len()).map(|node| NodeId(node as u32)) {
                let first = places.all.len();
                for possible in proof.places.get(&(entry, node.0)).into_iter().flatten() {
                    let mut literals = Vec::with_capacity(possible.literals.len());
                    for (predicate, truth) in &possible.literals {
                        literals.push((places.number(view, predicate)?, *truth));
                    }
                    literals.sort_unstable();
                    let own = places.terms(view, &literals, Who::Own);
                    let other = places.terms(view, &literals, Who::Other);
                    let said = places.said(&literals, &mut sayings);
                    let unstarted = possible.unstarted.clone();
                    let next = numbers.len() as u32;
                    let number = *numbers.entry((literals.clone(), unstarted.clone())).or_insert(next);
                    places.all.push(Place { template, node, number, unstarted, literals, own, other, said });
                }
                let next = lists.len() as u32;
                let list = places.all[first..].iter().map(|place| place.number).collect();
                let list = *lists.entry(list).or_insert(next);
                places.at.insert((template, node), (first, places.all.len(), list));
            }
        }
        Ok(places)
    }

    /// The number of a predicate.
    fn number(&mut self, view: &mut View<'_>, predicate: &Predicate) -> Result<u32, Refusal> {
        if let Some(number) = self.numbers.get(predicate) {
            return Ok(*number);
        }
        let (own, other) = (view.holds(predicate, Who::Own), view.holds(predicate, Who::Other));
        // What comes out differently when it is asked again is no matter of the state.
        if own != view.holds(predicate, Who::Own) {
            return Err(Refusal::Foreign);
        }
        let (mut locals, mut cells) = (Vec::new(), Vec::new());
        for &variable in predicate.variables() {
            match view.slot(variable) {
                Some(Slot::Own(local)) => locals.push(local),
                Some(Slot::Shared(key)) => cells.push(key),
                None if matches!(variable, Variable::Address(_)) => {}
                None => return Err(Refusal::Foreign),
            }
        }
        // What its term depends on besides, such as the lives of objects whose addresses are compared.
        for key in view.cells_in(&[own]) {
            if !cells.contains(&key) {
                cells.push(key);
            }
        }
        for &cell in &cells {
            let next = self.cells.len() as u32;
            self.cells.entry(cell).or_insert(next);
        }
        let number = self.known.len() as u32;
        self.known.push(Known { predicate: predicate.clone(), own, other, locals, cells });
        self.numbers.insert(predicate.clone(), number);
        Ok(number)
    }

    /// The literals of a conjunction, as conditions on a thread.
    pub fn terms(&self, view: &mut View<'_>, literals: &[Literal], who: Who) -> Vec<Term> {
        let term = |(number, truth): &Literal| {
            let known = &self.known[*number as usize];
            let holds = if who == Who::Other { known.other } else { known.own };
            if *truth { holds } else { view.builder.not(holds) }
        };
        literals.iter().map(term).collect()
    }

    /// What a conjunction says of each cell.
    fn said(&mut self, literals: &[Literal], sayings: &mut FxHashMap<(u32, Vec<Literal>), u32>) -> Vec<(u32, u32)> {
        let mut of_cells: BTreeMap<u32, Vec<Literal>> = BTreeMap::new();
        for literal in literals {
            for cell in &self.known[literal.0 as usize].cells {
                of_cells.entry(self.cells[cell]).or_default().push(*literal);
            }
        }
        let mut said = Vec::with_capacity(of_cells.len());
        for (cell, literals) in of_cells {
            let next = self.sayings.len() as u32;
            let saying = *sayings.entry((cell, literals.clone())).or_insert(next);
            if saying == next {
                self.sayings.push(literals);
            }
            said.push((cell, saying));
        }
        said
    }

    /// The conjunctions at a place.
    pub fn at(&self, template: usize, node: NodeId) -> std::ops::Range<usize> {
        self.at.get(&(template, node)).map_or(0..0, |(first, end, _)| *first..*end)
    }

    /// A number for the conjunctions at a place: the same number, the same conjunctions.
    pub fn list(&self, template: usize, node: NodeId) -> Option<u32> {
        self.at.get(&(template, node)).map(|(_, _, list)| *list)
    }

    /// The number of a cell that is spoken of.
    pub fn cell(&self, key: CellKey) -> Option<u32> {
        self.cells.get(&key).copied()
    }

    /// Some cells as a set; what nobody speaks of is left out.
    pub fn set(&self, cells: impl Iterator<Item = u32>) -> Cells {
        let mut set = vec![0_u64; self.cells.len() / 64 + 1];
        for cell in cells {
            set[cell as usize / 64] |= 1 << (cell % 64);
        }
        set
    }

    /// Whether a predicate says the same of a thread after a step as before it, because the step touches nothing that
    /// it speaks of.
    pub fn is_kept(&self, number: u32, moved: &Moved, by: Who) -> bool {
        let known = &self.known[number as usize];
        let keeps =
            |local: &Local| by == Who::Other || (!moved.locals.contains_key(local) && !moved.forgotten.contains(local));
        known.cells.iter().all(|key| !moved.cells.contains_key(key)) && known.locals.iter().all(keeps)
    }

    /// Adds what some predicates speak of.
    pub fn add_names(&self, of: impl Iterator<Item = u32>, names: &mut Names) {
        for number in of {
            let known = &self.known[number as usize];
            names.cells.extend(&known.cells);
            names.locals.extend(&known.locals);
        }
    }

    /// Of what two threads know, what speaks of these names, directly or through other literals: of the thread that has
    /// the locals among them, and of another one, which shares the cells only.
    pub fn connected(&self, own: &[Literal], other: &[Literal], names: &mut Names) -> (Vec<Literal>, Vec<Literal>) {
        let (mut mine, mut theirs) = (vec![false; own.len()], vec![false; other.len()]);
        let mut their_locals: FxHashSet<Local> = FxHashSet::default();
        loop {
            let mut grown = false;
            let sides = [(own, &mut mine, &mut names.locals), (other, &mut theirs, &mut their_locals)];
            for (literals, taken, locals) in sides {
                for (place, (number, _)) in literals.iter().enumerate() {
                    let known = &self.known[*number as usize];
                    let speaks = known.cells.iter().any(|cell| names.cells.contains(cell))
                        || known.locals.iter().any(|local| locals.contains(local));
                    if !taken[place] && speaks {
                        (taken[place], grown) = (true, true);
                        names.cells.extend(&known.cells);
                        locals.extend(&known.locals);
                    }
                }
            }
            if !grown {
                break;
            }
        }
        let keep = |literals: &[Literal], taken: Vec<bool>| {
            literals.iter().zip(taken).filter(|(_, taken)| *taken).map(|(literal, _)| *literal).collect()
        };
        (keep(own, mine), keep(other, theirs))
    }
}

/// What some terms or predicates speak of.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub cells: FxHashSet<CellKey>,
    pub locals: FxHashSet<Local>,
}

/// What the effect of a step on shared cells and on the thread itself is made of.
pub fn names(view: &mut View<'_>, moved: &Moved) -> Names {
    let words = moved.cells.values().chain(moved.locals.values());
    let mut pending: Vec<Term> = words.flat_map(|word| [word.tag, word.bits]).collect();
    pending.push(moved.enabled);
    let (mut seen, mut names) = (FxHashSet::default(), Names::default());
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Op::Symbol(_) = view.builder.terms.op(term) {
            match view.named(term) {
                Some(Named::Cell(key)) => drop(names.cells.insert(key)),
                Some(Named::Local(_, local)) => drop(names.locals.insert(local)),
                None => {}
            }
        }
        pending.extend(view.builder.terms.operands(term));
    }
    names.cells.extend(moved.cells.keys());
    names
}

/// Whether a step ends or begins the life of something, so that comparisons of addresses may come out differently.
pub fn changes_life(moved: &Moved) -> bool {
    let is_life = |key: &CellKey| matches!(key, CellKey::Alive(_));
    moved.cells.keys().any(is_life)
        || moved.locals.keys().any(|local| matches!(local, Local::Cell(key) if is_life(key)))
}
