//! What earlier answers say about a new question: a remembered assignment that satisfies all its assumptions, or a
//! remembered core that it contains.
//!
//! An assignment is kept only for the literals that have been assumed so far, which are few. Later definitions of gates
//! cannot invalidate it (they extend any assignment); added clauses can, and then it is dropped. Cores stay right for
//! ever.

use crate::sat::{Lit, Sat};

/// Assignments kept.
const MODELS: usize = 64;
/// Cores kept.
const CORES: usize = 1 << 14;

/// An answer found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Recalled {
    /// By the assignment with this number.
    Satisfiable(usize),
    Core(Vec<Lit>),
}

#[derive(Debug, Default)]
pub(super) struct Memo {
    /// The variables assumed so far.
    roots: Vec<Lit>,
    /// A root's place in `roots` plus one, by the literal's index.
    numbers: Vec<u32>,
    models: Vec<Model>,
    next_model: usize,
    /// The kept cores, each with the root of its literal that came last.
    cores: Vec<Vec<Box<[Lit]>>>,
    core_count: usize,
    /// Everything is contradictory, whatever is assumed.
    refuted: bool,
    /// The literals of the current question carry its number.
    marks: Vec<u32>,
    question: u32,
}

/// The roots that are true in an assignment, for as many roots as there were then.
#[derive(Debug, Default)]
struct Model {
    roots: usize,
    truths: Vec<u64>,
    /// What it gives to symbols, if somebody wanted to know.
    symbols: Option<super::Model>,
}

impl Memo {
    pub fn recall(&mut self, assumptions: &[Lit]) -> Option<Recalled> {
        if self.refuted {
            return Some(Recalled::Core(Vec::new()));
        }
        let known = self.roots.len();
        assumptions.iter().for_each(|&literal| self.register(literal));
        self.mark(assumptions);
        for &literal in assumptions {
            let root = self.number(literal)?;
            let found = self.cores.get(root)?.iter().find(|core| core.iter().all(|&lit| self.is_marked(lit)));
            if let Some(core) = found {
                return Some(Recalled::Core(core.to_vec()));
            }
        }
        if self.roots.len() > known {
            return None;
        }
        self.models.iter().position(|model| self.holds(model, assumptions)).map(Recalled::Satisfiable)
    }

    /// What the assignment with a number gives to symbols.
    pub fn symbols(&self, number: usize) -> Option<&super::Model> {
        self.models.get(number)?.symbols.as_ref()
    }

    /// Keeps what the last assignment gives to symbols.
    pub fn remember_symbols(&mut self, symbols: &super::Model) {
        let last = (self.next_model + MODELS - 1) % MODELS;
        if let Some(model) = self.models.get_mut(last) {
            model.symbols = Some(symbols.clone());
        }
    }

    /// Keeps the assignment that the backend holds.
    pub fn remember_model(&mut self, sat: &mut dyn Sat) {
        let place = self.next_model;
        self.next_model = (place + 1) % MODELS;
        if self.models.len() <= place {
            self.models.push(Model::default());
        }
        let model = &mut self.models[place];
        model.roots = self.roots.len();
        model.symbols = None;
        model.truths.clear();
        model.truths.resize(self.roots.len().div_ceil(64), 0);
        for (number, &root) in self.roots.iter().enumerate() {
            if sat.value(root) {
                model.truths[number / 64] |= 1 << (number % 64);
            }
        }
    }

    pub fn remember_core(&mut self, core: &[Lit]) {
        self.refuted |= core.is_empty();
        if self.core_count >= CORES {
            self.cores.iter_mut().for_each(Vec::clear);
            self.core_count = 0;
        }
        let last = core.iter().filter_map(|&literal| self.number(literal)).max();
        if let Some(cores) = last.and_then(|root| self.cores.get_mut(root)) {
            cores.push(core.into());
            self.core_count += 1;
        }
    }

    pub fn forget_models(&mut self) {
        self.models.clear();
        self.next_model = 0;
    }

    fn number(&self, literal: Lit) -> Option<usize> {
        let number = *self.numbers.get(literal.index() & !1)?;
        (number as usize).checked_sub(1)
    }

    fn register(&mut self, literal: Lit) {
        let index = literal.index() & !1;
        if self.numbers.len() <= index + 1 {
            self.numbers.resize(index + 2, 0);
            self.marks.resize(index + 2, 0);
        }
        if self.numbers[index] == 0 {
            self.roots.push(if literal.dimacs() < 0 { !literal } else { literal });
            self.cores.push(Vec::new());
            self.numbers[index] = self.roots.len() as u32;
        }
    }

    fn mark(&mut self, assumptions: &[Lit]) {
        self.question = self.question.wrapping_add(1);
        if self.question == 0 {
            self.marks.fill(0);
            self.question = 1;
        }
        for literal in assumptions {
            if let Some(mark) = self.marks.get_mut(literal.index()) {
                *mark = self.question;
            }
        }
    }

    fn is_marked(&self, literal: Lit) -> bool {
        self.marks.get(literal.index()) == Some(&self.question)
    }

    fn holds(&self, model: &Model, assumptions: &[Lit]) -> bool {
        assumptions.iter().all(|&literal| {
            self.number(literal).is_some_and(|number| {
                let truth = model.truths.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1);
                number < model.roots && truth == (literal.dimacs() > 0)
            })
        })
    }
}
