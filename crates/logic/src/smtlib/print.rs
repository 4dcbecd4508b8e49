//! Prints terms as SMT-LIB 2. Subterms that occur more than once are named with `let`, so the text is as small as the
//! term.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::terms::{Op, Sort, SymbolId, Term, Terms};

/// The text of one term.
pub fn term_text(terms: &Terms, root: Term) -> String {
    let mut text = String::new();
    Printer::new(terms, root).print(root, &mut text);
    text
}

/// A script that declares the symbols of the formulas, asserts them and asks whether they can hold together.
pub fn script_text(terms: &Terms, formulas: &[Term]) -> String {
    let mut text = String::from("(set-logic QF_BV)\n");
    for symbol in terms.symbols_of(formulas) {
        text.push_str(&declaration(terms, symbol));
    }
    for &formula in formulas {
        let _ = writeln!(text, "(assert {})", term_text(terms, formula));
    }
    text.push_str("(check-sat)\n");
    text
}

/// The line that declares a symbol.
pub(super) fn declaration(terms: &Terms, symbol: SymbolId) -> String {
    format!("(declare-const {} {})\n", quoted(terms.symbol_name(symbol)), terms.symbol_sort(symbol))
}

/// A symbol as it must be written.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let reserved = ["let", "as", "_", "!", "forall", "exists", "match", "par", "true", "false", "assert"];
    let simple = !name.is_empty()
        && name.chars().all(plain)
        && !name.starts_with(|c: char| c.is_ascii_digit() || c == '@' || c == '.')
        && !reserved.contains(&name);
    if simple { name.to_string() } else { format!("|{name}|") }
}

struct Printer<'a> {
    terms: &'a Terms,
    /// The named subterms, in an order in which each only uses earlier ones.
    named: Vec<Term>,
    names: FxHashMap<Term, usize>,
    prefix: String,
}

enum Piece {
    Text(&'static str),
    Term(Term),
}

impl<'a> Printer<'a> {
    fn new(terms: &'a Terms, root: Term) -> Self {
        let order = terms.post_order(&[root]);
        let mut used = FxHashSet::default();
        let mut shared = FxHashSet::default();
        for &term in &order {
            for &operand in terms.operands(term) {
                if !used.insert(operand) && !terms.operands(operand).is_empty() {
                    shared.insert(operand);
                }
            }
        }
        let named: Vec<Term> = order.into_iter().filter(|term| shared.contains(term)).collect();
        let names = named.iter().enumerate().map(|(number, &term)| (term, number)).collect();
        let mut prefix = "?t".to_string();
        while terms.symbols().any(|symbol| terms.symbol_name(symbol).starts_with(&prefix)) {
            prefix.insert(0, '?');
        }
        Printer { terms, named, names, prefix }
    }

    fn print(&self, root: Term, text: &mut String) {
        for (number, &term) in self.named.iter().enumerate() {
            let _ = write!(text, "(let (({}{number} ", self.prefix);
            self.body(term, text);
            text.push_str(")) ");
        }
        self.body(root, text);
        text.extend(std::iter::repeat_n(')', self.named.len()));
    }

    /// The term, with its named subterms by name (but not the term itself).
    fn body(&self, root: Term, text: &mut String) {
        let mut pieces = vec![Piece::Term(root)];
        while let Some(piece) = pieces.pop() {
            let term = match piece {
                Piece::Text(piece) => {
                    text.push_str(piece);
                    continue;
                }
                Piece::Term(term) => term,
            };
            if let Some(number) = self.names.get(&term).filter(|_| term != root) {
                let _ = write!(text, "{}{number}", self.prefix);
                continue;
            }
            self.head(term, text);
            let operands = self.terms.operands(term);
            if !operands.is_empty() {
                pieces.push(Piece::Text(")"));
                for &operand in operands.iter().rev() {
                    pieces.push(Piece::Term(operand));
                    pieces.push(Piece::Text(" "));
                }
            }
        }
    }

    /// An atom, or an opening parenthesis and the function.
    fn head(&self, term: Term, text: &mut String) {
        let terms = self.terms;
        let op = terms.op(term);
        let by = |to: u32| to - terms.operands(term).first().map_or(to, |&inner| terms.sort(inner).width());
        let _ = match op {
            Op::Constant(bits) => match terms.sort(term) {
                Sort::Bool => write!(text, "{}", bits == 1),
                Sort::Bits(width) => write!(text, "(_ bv{bits} {width})"),
            },
            Op::Symbol(symbol) => write!(text, "{}", quoted(terms.symbol_name(symbol))),
            Op::Extract { high, low } => write!(text, "((_ extract {high} {low})"),
            Op::ZeroExtend(to) => write!(text, "((_ zero_extend {})", by(to)),
            Op::SignExtend(to) => write!(text, "((_ sign_extend {})", by(to)),
            _ => write!(text, "({}", op.name()),
        };
    }
}
