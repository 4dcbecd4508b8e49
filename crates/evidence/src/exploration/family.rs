//! Families of states: all states that differ from one of them, the *sample*, in numbers alone. The numbers that differ
//! are terms over symbols, and what the symbols may be is a *path condition*. A step is taken by the sample, through the
//! concrete semantics; the symbolic semantics says for which others it is the same step.
//!
//! Symbols are named by where they occur, and what nobody will look at is left out, with what the path condition says of
//! it: families that are the same have the same terms.

use super::between::Begun;
use super::numbers::{Held, Numbers, Owned, Slot};
use super::solving::Solving;
use rustc_hash::FxHashSet;
use selvedge_logic::{Assignment, Op, Substitution, SymbolId, Term, Terms};
use selvedge_program::semantics::State;
use selvedge_program::{Program, RegisterId, ThreadIndex};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A family of states.
#[derive(Clone, Debug)]
pub struct Family {
    /// The sample.
    pub state: State,
    pub numbers: Rc<Numbers>,
    /// The path condition, as what must hold together; in order.
    pub path: Rc<[Term]>,
    /// The values of the symbols in the sample, which satisfy the path condition.
    pub sample: Rc<Assignment>,
    /// What has begun and may be interfered with; in order.
    pub begun: Rc<[Begun]>,
}

impl Family {
    /// One state alone.
    pub fn of(state: State) -> Self {
        Family { state, numbers: Rc::default(), path: Rc::from([]), sample: Rc::default(), begun: Rc::from([]) }
    }

    /// Whether there is one state in it: no number of it is a term.
    pub fn is_one_state(&self) -> bool {
        self.path.is_empty() && self.numbers.is_empty()
    }

    /// The registers among these of the running activation that are terms.
    pub fn used_slots(&self, thread: ThreadIndex, used: &BTreeSet<RegisterId>) -> Vec<Slot> {
        if self.numbers.registers.is_empty() {
            return Vec::new();
        }
        let activation = self.state.thread(thread).map_or(0, |thread| thread.frames.len()).wrapping_sub(1);
        let owned = used.iter().map(|register| (thread, activation, *register));
        owned.filter(|owned| self.numbers.registers.contains_key(owned)).map(Slot::Register).collect()
    }

    /// Those of the family for which more holds, with another sample. `None` if that is no state.
    pub fn narrowed(&self, program: &Program, terms: &Terms, more: &[Term], sample: Assignment) -> Option<Family> {
        let mut state = self.state.clone();
        self.numbers.instantiate(program, &mut state, terms, &sample)?;
        let mut path = self.path.to_vec();
        let mut more = more.to_vec();
        while let Some(term) = more.pop() {
            match terms.op(term) {
                Op::And => more.extend(terms.operands(term)),
                Op::Constant(_) => {}
                _ => path.push(term),
            }
        }
        path.sort_unstable();
        path.dedup();
        let holds = |condition: &Term| terms.evaluate(*condition, &sample).is_ok_and(|value| value.is_true());
        let is_one = path.iter().all(holds);
        is_one.then(|| Family { state, path: path.into(), sample: Rc::new(sample), ..self.clone() })
    }

    /// The same family with these taken as they are in the sample; the path condition says so already.
    pub fn without(&self, slots: &[Slot]) -> Family {
        let mut family = self.clone();
        let numbers = Rc::make_mut(&mut family.numbers);
        slots.iter().for_each(|slot| numbers.remove(*slot));
        family
    }

    /// Leaves out what nobody will look at, and names symbols by where they occur. `is_new` if terms or the path
    /// condition have changed.
    pub fn tidy(
        &mut self,
        terms: &mut Terms,
        solving: &mut Solving,
        is_live: &dyn Fn(&State, Owned) -> bool,
        is_new: bool,
    ) {
        if self.numbers.is_empty() && self.path.is_empty() {
            return;
        }
        let is_changed = Rc::make_mut(&mut self.numbers).forget_dead(&self.state, is_live);
        if !(is_changed || is_new) {
            return;
        }
        self.settle(terms);
        let roots = self.numbers.terms();
        let mut live: FxHashSet<SymbolId> =
            roots.iter().flat_map(|term| solving.symbols(terms, *term).to_vec()).collect();
        let path = solving.about(terms, &self.path, &mut live);
        let mut names = Substitution::new();
        let mut sample = Assignment::new();
        let mut named = FxHashSet::default();
        for root in roots.iter().chain(&path) {
            for term in terms.post_order(&[*root]) {
                let Op::Symbol(symbol) = terms.op(term) else { continue };
                if !named.insert(symbol) {
                    continue;
                }
                let sort = terms.sort(term);
                let name = terms.symbol(&format!("x{}.{sort}", named.len()), sort);
                if let Op::Symbol(new) = terms.op(name) {
                    sample.set(new, self.sample.get(symbol).unwrap_or(0));
                }
                // Both are of one sort.
                let _ = names.put(terms, term, name);
            }
        }
        let mut renamed = |terms: &mut Terms, term: Term| terms.substitute(term, &mut names).unwrap_or(term);
        Rc::make_mut(&mut self.numbers).map(terms, &mut renamed);
        let mut path: Vec<Term> = path.into_iter().map(|term| renamed(terms, term)).collect();
        path.sort_unstable();
        path.dedup();
        self.path = path.into();
        self.sample = Rc::new(sample);
    }

    /// Where the path condition says that a symbol is a number, it is that.
    fn settle(&mut self, terms: &mut Terms) {
        loop {
            let mut values = Substitution::new();
            let mut is_any = false;
            for condition in self.path.iter() {
                if let (Op::Equal, &[left, right]) = (terms.op(*condition), terms.operands(*condition)) {
                    let (symbol, number) =
                        if terms.constant_value(left).is_some() { (right, left) } else { (left, right) };
                    if matches!(terms.op(symbol), Op::Symbol(_)) && terms.constant_value(number).is_some() {
                        is_any |= values.put(terms, symbol, number).is_ok();
                    }
                }
            }
            if !is_any {
                return;
            }
            let mut settled = |terms: &mut Terms, term: Term| terms.substitute(term, &mut values).unwrap_or(term);
            Rc::make_mut(&mut self.numbers).map(terms, &mut settled);
            let path: BTreeSet<Term> = self.path.iter().map(|term| settled(terms, *term)).collect();
            self.path = path.into_iter().filter(|term| terms.constant_value(*term).is_none()).collect();
        }
    }
}

/// Sets a register to a value of the symbolic semantics; `number` gives the numbers among words that are not constants.
pub fn hold(
    numbers: &mut Numbers,
    register: Owned,
    value: &selvedge_symbolic::Value,
    number: &dyn Fn(selvedge_symbolic::Word) -> Option<Term>,
) {
    let held = match value {
        selvedge_symbolic::Value::Word(word) => number(*word).map(Held::Whole),
        selvedge_symbolic::Value::Pieces(pieces) => {
            let mut at = 0;
            let mut parts = Vec::new();
            for (size, word) in pieces.iter() {
                parts.extend(number(*word).map(|term| (at, *size, term)));
                at += size;
            }
            (!parts.is_empty()).then(|| Held::Parts(parts.into()))
        }
    };
    match held {
        Some(held) => drop(numbers.registers.insert(register, held)),
        None => drop(numbers.registers.remove(&register)),
    }
}
