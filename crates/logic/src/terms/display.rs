//! Prints terms in a notation close to C, for people.
//!
//! Plain operators are those on signed numbers; their unsigned versions end in `u` (`<u`, `/u`, `%u`, `>>u`), as do
//! unsigned comparisons. `x[7:0]` are bits 7 to 0, `{a, b}` is concatenation, `zext32(x)` and `sext32(x)` extend. A
//! subterm that occurs often is named once the whole becomes long: `… where $1 = …`.

use std::fmt::{self, Write};

use rustc_hash::{FxHashMap, FxHashSet};

use super::op::{Op, Sort};
use super::{Term, Terms};

/// A term with its store, to be printed.
#[derive(Debug, Clone, Copy)]
pub struct Displayed<'a> {
    terms: &'a Terms,
    term: Term,
}

impl Terms {
    /// The term as readable text.
    pub fn display(&self, term: Term) -> Displayed<'_> {
        Displayed { terms: self, term }
    }
}

/// Terms with more nodes than this get names for what is shared.
const LONG: usize = 24;

/// Numbers below this are written in decimal.
const SMALL: i128 = 1 << 20;

enum Piece {
    Text(&'static str),
    Made(String),
    /// In parentheses if it is a compound.
    Operand(Term),
}

impl fmt::Display for Displayed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.terms.contains(self.term) {
            return f.write_str("<a term of another store>");
        }
        let named = self.shared();
        let names: FxHashMap<Term, usize> =
            named.iter().enumerate().map(|(number, &term)| (term, number + 1)).collect();
        self.write(f, self.term, &names)?;
        for (number, &term) in named.iter().enumerate() {
            write!(f, "{} ${} = ", if number == 0 { " where" } else { "," }, number + 1)?;
            self.write(f, term, &names)?;
        }
        Ok(())
    }
}

impl Displayed<'_> {
    /// Compound subterms used more than once, if the term is long.
    fn shared(&self) -> Vec<Term> {
        let order = self.terms.post_order(&[self.term]);
        if order.len() <= LONG {
            return Vec::new();
        }
        let (mut used, mut shared) = (FxHashSet::default(), FxHashSet::default());
        for &term in &order {
            for &operand in self.terms.operands(term) {
                if !used.insert(operand) && self.is_compound(operand) {
                    shared.insert(operand);
                }
            }
        }
        order.into_iter().rev().filter(|term| shared.contains(term)).collect()
    }

    /// Written with an operator between or before its operands.
    fn is_compound(&self, term: Term) -> bool {
        match self.terms.op(term) {
            Op::Constant(_)
            | Op::Symbol(_)
            | Op::Extract { .. }
            | Op::ZeroExtend(_)
            | Op::SignExtend(_)
            | Op::Concat => false,
            Op::Not => self.terms.operands(term).first().is_some_and(|&inner| self.terms.op(inner) == Op::Equal),
            op => op.arity() > 1,
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, root: Term, names: &FxHashMap<Term, usize>) -> fmt::Result {
        let mut pieces = Vec::new();
        self.push(root, &mut pieces, f)?;
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Text(text) => f.write_str(text)?,
                Piece::Made(text) => f.write_str(&text)?,
                Piece::Operand(term) => match names.get(&term) {
                    Some(number) => write!(f, "${number}")?,
                    None if self.is_compound(term) => {
                        f.write_char('(')?;
                        pieces.push(Piece::Text(")"));
                        self.push(term, &mut pieces, f)?;
                    }
                    None => self.push(term, &mut pieces, f)?,
                },
            }
        }
        Ok(())
    }

    /// Writes what comes first and leaves the rest on the stack, last piece first.
    fn push(&self, term: Term, pieces: &mut Vec<Piece>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = self.terms;
        let operands = terms.operands(term);
        match (terms.op(term), operands) {
            (Op::Constant(bits), _) => self.constant(f, terms.sort(term), bits),
            (Op::Symbol(symbol), _) => f.write_str(terms.symbol_name(symbol)),
            (Op::Not, &[inner]) => {
                match (terms.op(inner), terms.operands(inner)) {
                    (Op::Equal, &[a, b]) => pieces.extend([Piece::Operand(b), Piece::Text(" != "), Piece::Operand(a)]),
                    _ => pieces.extend([Piece::Operand(inner), Piece::Text("!")]),
                }
                Ok(())
            }
            (op @ (Op::BitNot | Op::Neg), &[inner]) => {
                pieces.extend([Piece::Operand(inner), Piece::Text(if op == Op::Neg { "-" } else { "~" })]);
                Ok(())
            }
            (Op::Extract { high, low }, &[inner]) => {
                pieces.extend([Piece::Made(format!("[{high}:{low}]")), Piece::Operand(inner)]);
                Ok(())
            }
            (op @ (Op::ZeroExtend(to) | Op::SignExtend(to)), &[inner]) => {
                write!(f, "{}{to}(", if matches!(op, Op::ZeroExtend(_)) { "zext" } else { "sext" })?;
                pieces.extend([Piece::Text(")"), Piece::Operand(inner)]);
                Ok(())
            }
            (Op::Concat, &[a, b]) => {
                pieces.extend([
                    Piece::Text("}"),
                    Piece::Operand(b),
                    Piece::Text(", "),
                    Piece::Operand(a),
                    Piece::Text("{"),
                ]);
                Ok(())
            }
            (Op::Ite, &[c, a, b]) => {
                pieces.extend([Piece::Operand(b), Piece::Text(" : "), Piece::Operand(a)]);
                pieces.extend([Piece::Text(" ? "), Piece::Operand(c)]);
                Ok(())
            }
            (Op::Add, &[a, b]) => {
                self.sum(a, b, pieces);
                Ok(())
            }
            (op, &[a, b]) => {
                pieces.extend([Piece::Operand(b), Piece::Text(operator(op)), Piece::Operand(a)]);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A sum with something negative is written as a difference.
    fn sum(&self, a: Term, b: Term, pieces: &mut Vec<Piece>) {
        let terms = self.terms;
        for (one, other) in [(a, b), (b, a)] {
            if let (Op::Neg, &[inner]) = (terms.op(other), terms.operands(other)) {
                pieces.extend([Piece::Operand(inner), Piece::Text(" - "), Piece::Operand(one)]);
                return;
            }
        }
        match terms.constant_value(b).map(|value| value.signed()) {
            Some(value) if (-SMALL..0).contains(&value) => {
                pieces.extend([Piece::Made((-value).to_string()), Piece::Text(" - "), Piece::Operand(a)]);
            }
            _ => pieces.extend([Piece::Operand(b), Piece::Text(" + "), Piece::Operand(a)]),
        }
    }

    /// Small numbers in decimal with their sign, others in hexadecimal.
    fn constant(&self, f: &mut fmt::Formatter<'_>, sort: Sort, bits: u128) -> fmt::Result {
        let value = super::eval::signed(bits, sort.width());
        match sort {
            Sort::Bool => write!(f, "{}", bits == 1),
            Sort::Bits(1) => write!(f, "{bits}"),
            Sort::Bits(_) if (-SMALL..SMALL).contains(&value) => write!(f, "{value}"),
            Sort::Bits(_) => write!(f, "{bits:#x}"),
        }
    }
}

fn operator(op: Op) -> &'static str {
    match op {
        Op::And => " && ",
        Op::Or => " || ",
        Op::Equal => " == ",
        Op::BitAnd => " & ",
        Op::BitOr => " | ",
        Op::BitXor => " ^ ",
        Op::Mul => " * ",
        Op::UDiv => " /u ",
        Op::URem => " %u ",
        Op::SDiv => " / ",
        Op::SRem => " % ",
        Op::SMod => " mod ",
        Op::Shl => " << ",
        Op::LShr => " >>u ",
        Op::AShr => " >> ",
        Op::ULt => " <u ",
        Op::ULe => " <=u ",
        Op::SLt => " < ",
        Op::SLe => " <= ",
        _ => " ? ",
    }
}
