//! What a step does to the shared variables, as a two-state predicate: as far as that follows from the shared variables alone.

use selvedge_logic::{Op, Term};
use selvedge_program::{BinaryOp, Conversion, Expr, GhostField, Program, RegisterId, UnaryOp};
use selvedge_symbolic::predicate::variable_name;
use selvedge_symbolic::threads::held::Parts;
use selvedge_symbolic::threads::{Arc, NodeId, View, Who};
use selvedge_symbolic::{CellKey, Moment, Predicate, Relation, Tag, Timed, Variable};
use std::fmt::Write;

/// What a step does.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// When it can be taken and what it makes of shared variables.
    parts: Vec<String>,
    /// The shared variables that it makes something of, by their names.
    changed: Vec<(Variable, String)>,
    /// Whether what it makes of one of them does not follow from the shared variables: it comes from the thread's own.
    is_free: bool,
}

impl Change {
    /// Whether it changes nothing and can always be taken.
    pub fn is_idle(&self) -> bool {
        self.parts.is_empty() && self.changed.is_empty()
    }

    /// The label of an edge, after which something holds: of the values after the step where it changes them.
    pub fn label(&self, program: &Program, after: Option<&Predicate>) -> String {
        let timed = |variable: &Variable| match self.changed.iter().any(|(changed, _)| changed == variable) {
            true => (*variable, Moment::After),
            false => (*variable, Moment::Before),
        };
        let after = after.map(|said| {
            let table: Vec<Timed> = said.variables().iter().map(timed).collect();
            Relation::new(said.condition(), &table).text(program)
        });
        let parts: Vec<String> = self.parts.iter().chain(&after).map(|part| format!("({part})")).collect();
        let mut label = parts.join(" && ");
        if self.is_free {
            let names: Vec<&str> = self.changed.iter().map(|(_, name)| name.as_str()).collect();
            let _ = write!(label, "{}unchanged except {}", if parts.is_empty() { "" } else { ", " }, names.join(", "));
        }
        label
    }
}

/// What a step does to the shared variables.
pub fn change(
    view: &mut View<'_>,
    template: usize,
    (node, arc): (NodeId, Arc),
    shared: &[(Variable, CellKey)],
) -> Change {
    let function = view.universe.unfolded(template).get(node).function;
    let moved = view.moved(Who::Own, function, arc.edge, arc.kind);
    let program = view.universe.program;
    let (mut parts, mut changed, mut is_free) = (Vec::new(), Vec::new(), false);
    for (variable, key) in shared {
        let Some(word) = moved.cells.get(key).copied() else { continue };
        let name = variable_name(program, *variable);
        changed.push((*variable, name.clone()));
        let own = view.identity(Who::Own);
        if let CellKey::Ghost { field: GhostField::MutexOwner, .. } = key {
            if word.bits == own {
                parts.push(format!("{name} == null && {name}' == self"));
            } else if view.builder.constant(word.tag) == Some(u128::from(Tag::NUMBER.0)) {
                parts.push(format!("{name} == self && {name}' == null"));
            } else {
                is_free = true;
            }
            continue;
        }
        let mut reader = Reader { view, shared, table: vec![(*variable, Moment::After)] };
        match reader.expr(word.bits) {
            Some(value) => {
                let after = Expr::register(RegisterId(0), value.width());
                let relation = Relation::new(&Expr::equal(after, value), &reader.table);
                parts.push(relation.text(program));
            }
            None => is_free = true,
        }
    }
    let mut reader = Reader { view, shared, table: Vec::new() };
    if let Some(enabled) = reader.expr(moved.enabled) {
        let relation = Relation::new(&enabled, &reader.table);
        if !relation.variables().is_empty() {
            parts.push(relation.text(program));
        }
    }
    Change { parts, changed, is_free }
}

/// Terms over shared variables as expressions.
struct Reader<'a, 'p> {
    view: &'a mut View<'p>,
    shared: &'a [(Variable, CellKey)],
    table: Vec<Timed>,
}

impl Reader<'_, '_> {
    fn variable(&mut self, symbol: Term) -> Option<Expr> {
        for (variable, key) in self.shared {
            let word = self.view.cell(*key)?;
            if Parts::of(&self.view.builder, word).bits == Some(symbol) && self.view.builder.is_number(word) {
                let timed = (*variable, Moment::Before);
                let place = self.table.iter().position(|known| *known == timed).unwrap_or_else(|| {
                    self.table.push(timed);
                    self.table.len() - 1
                });
                return Some(Expr::register(RegisterId::new(place), self.view.builder.width(symbol)));
            }
        }
        None
    }

    /// The expression of a term; truth values are one bit wide. `None` where it depends on something else.
    fn expr(&mut self, term: Term) -> Option<Expr> {
        let terms = &self.view.builder.terms;
        let (op, operands, sort) = (terms.op(term), terms.operands(term).to_vec(), terms.sort(term));
        let mut read = Vec::new();
        if !matches!(op, Op::Symbol(_)) {
            for operand in &operands {
                read.push(self.expr(*operand)?);
            }
        }
        let width = if sort == selvedge_logic::Sort::Bool { 1 } else { sort.width() };
        let mut read = read.into_iter();
        let mut next = || read.next();
        let binary = |op: BinaryOp, left: Option<Expr>, right: Option<Expr>| Some(Expr::binary(op, left?, right?));
        match op {
            Op::Constant(value) => Some(Expr::constant(width, value)),
            Op::Symbol(_) => self.variable(term),
            Op::Not => Some(next()?.not()),
            Op::BitNot => Some(Expr::Unary(UnaryOp::Not, Box::new(next()?))),
            Op::Neg => Some(Expr::Unary(UnaryOp::Negate, Box::new(next()?))),
            Op::And | Op::BitAnd => binary(BinaryOp::And, next(), next()),
            Op::Or | Op::BitOr => binary(BinaryOp::Or, next(), next()),
            Op::BitXor => binary(BinaryOp::Xor, next(), next()),
            Op::Equal => binary(BinaryOp::Equal, next(), next()),
            Op::Add => binary(BinaryOp::Add, next(), next()),
            Op::Mul => binary(BinaryOp::Multiply, next(), next()),
            Op::ULt => binary(BinaryOp::LessUnsigned, next(), next()),
            Op::SLt => binary(BinaryOp::LessSigned, next(), next()),
            Op::ULe => {
                let (left, right) = (next(), next());
                Some(binary(BinaryOp::LessUnsigned, right, left)?.not())
            }
            Op::SLe => {
                let (left, right) = (next(), next());
                Some(binary(BinaryOp::LessSigned, right, left)?.not())
            }
            Op::Ite => Some(Expr::if_then_else(next()?, next()?, next()?)),
            Op::ZeroExtend(to) => Some(Expr::Convert(Conversion::ZeroExtend, to, Box::new(next()?))),
            Op::SignExtend(to) => Some(Expr::Convert(Conversion::SignExtend, to, Box::new(next()?))),
            Op::Extract { high, low: 0 } => Some(Expr::Convert(Conversion::Truncate, high + 1, Box::new(next()?))),
            Op::Extract { .. }
            | Op::Concat
            | Op::UDiv
            | Op::URem
            | Op::SDiv
            | Op::SRem
            | Op::SMod
            | Op::Shl
            | Op::LShr
            | Op::AShr => None,
        }
    }
}
