//! Turns terms into words of wires. Every term is translated once, operands first, in a loop.

use rustc_hash::FxHashMap;

use super::graph::{Graph, Wire};
use super::words::Direction;
use crate::terms::{Op, SymbolId, Term, Terms};

/// The words of the terms translated so far.
#[derive(Debug, Default)]
pub struct Blaster {
    /// Where a term's word starts in `wires`, plus one; 0 when it has none yet.
    starts: Vec<u32>,
    wires: Vec<Wire>,
    symbols: FxHashMap<SymbolId, Vec<Wire>>,
}

impl Blaster {
    pub fn new() -> Self {
        Self::default()
    }

    /// The wires of a term, least significant bit first. The term must be one of `terms`.
    pub fn word(&mut self, terms: &Terms, graph: &mut Graph, root: Term) -> &[Wire] {
        if self.starts.len() < terms.len() {
            self.starts.resize(terms.len(), 0);
        }
        let mut pending = vec![root];
        while let Some(&term) = pending.last() {
            if self.starts[term.index()] != 0 {
                pending.pop();
                continue;
            }
            let before = pending.len();
            pending.extend(terms.operands(term).iter().filter(|operand| self.starts[operand.index()] == 0));
            if pending.len() == before {
                let word = self.translated(terms, graph, term);
                self.starts[term.index()] = self.wires.len() as u32 + 1;
                self.wires.extend(word);
                pending.pop();
            }
        }
        self.known(terms, root)
    }

    /// The inputs that stand for a symbol, if it has been translated.
    pub fn symbol(&self, symbol: SymbolId) -> Option<&[Wire]> {
        self.symbols.get(&symbol).map(Vec::as_slice)
    }

    fn known(&self, terms: &Terms, term: Term) -> &[Wire] {
        let start = self.starts[term.index()] as usize - 1;
        &self.wires[start..start + terms.sort(term).width() as usize]
    }

    fn translated(&mut self, terms: &Terms, graph: &mut Graph, term: Term) -> Vec<Wire> {
        let width = terms.sort(term).width() as usize;
        if let Op::Symbol(symbol) = terms.op(term) {
            let word = self.symbols.entry(symbol).or_insert_with(|| (0..width).map(|_| graph.input()).collect());
            return word.clone();
        }
        let word =
            |place: usize| terms.operands(term).get(place).map_or(&[][..], |&operand| self.known(terms, operand));
        let bit = |place: usize| word(place).first().copied().unwrap_or(Wire::FALSE);
        let (a, b) = (word(0), word(1));
        let sign = a.last().copied().unwrap_or(Wire::FALSE);
        match terms.op(term) {
            Op::Constant(bits) => graph.word_constant(bits, width),
            Op::Symbol(_) => Vec::new(),
            Op::Not | Op::BitNot => graph.word_not(a),
            Op::And | Op::BitAnd => graph.word_zip(a, b, Graph::and),
            Op::Or | Op::BitOr => graph.word_zip(a, b, Graph::or),
            Op::BitXor => graph.word_zip(a, b, Graph::xor),
            Op::Equal => vec![graph.word_equal(a, b)],
            Op::Ite => graph.word_choice(bit(0), b, word(2)),
            Op::Neg => graph.word_neg(a),
            Op::Add => self.sum(terms, graph, term),
            Op::Mul => graph.word_mul(a, b),
            Op::UDiv => graph.word_divide(a, b).0,
            Op::URem => graph.word_divide(a, b).1,
            Op::SDiv => graph.word_signed_quotient(a, b),
            Op::SRem => graph.word_signed_remainder(a, b),
            Op::SMod => graph.word_signed_modulo(a, b),
            Op::Shl => graph.word_shift(a, b, Direction::Left, Wire::FALSE),
            Op::LShr => graph.word_shift(a, b, Direction::Right, Wire::FALSE),
            Op::AShr => graph.word_shift(a, b, Direction::Right, sign),
            Op::Concat => [b, a].concat(),
            Op::Extract { high, low } => a[low as usize..=high as usize].to_vec(),
            Op::ZeroExtend(_) => extended(a, width, Wire::FALSE),
            Op::SignExtend(_) => extended(a, width, sign),
            Op::ULt => vec![graph.word_less(a, b, Wire::FALSE)],
            Op::ULe => vec![graph.word_less(a, b, Wire::TRUE)],
            Op::SLt => vec![graph.word_signed_less(a, b, Wire::FALSE)],
            Op::SLe => vec![graph.word_signed_less(a, b, Wire::TRUE)],
        }
    }

    /// A sum with a negated term is a subtraction: one row of adders, not two.
    fn sum(&self, terms: &Terms, graph: &mut Graph, term: Term) -> Vec<Wire> {
        let &[a, b] = terms.operands(term) else { return Vec::new() };
        for (one, other) in [(a, b), (b, a)] {
            if let (Op::Neg, &[negated]) = (terms.op(other), terms.operands(other)) {
                return graph.word_sub(self.known(terms, one), self.known(terms, negated));
            }
        }
        graph.word_add(self.known(terms, a), self.known(terms, b))
    }
}

fn extended(a: &[Wire], width: usize, with: Wire) -> Vec<Wire> {
    let mut word = a.to_vec();
    word.resize(width, with);
    word
}
