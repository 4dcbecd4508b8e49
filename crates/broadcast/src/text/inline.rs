//! Procedures put in the place of their calls. Each call has its own copies of the procedure's parameters, locals and
//! labels, under names of their own; recursion is refused.

use rustc_hash::FxHashMap;

use super::tree::*;
use super::{Position, SyntaxError};

/// So many statements in all, so that no small text becomes a huge program.
const MOST_STATEMENTS: usize = 100_000;

pub struct Procedure {
    pub name: Name,
    /// How many values it returns.
    pub returned: usize,
    pub parameters: Vec<Name>,
    pub locals: Vec<Name>,
    pub body: Vec<StatementTree>,
}

/// All locals and statements of a procedure that is a thread's first.
pub fn inline(main: &Procedure, procedures: &[Procedure]) -> Result<(Vec<Name>, Vec<StatementTree>), SyntaxError> {
    let mut inliner = Inliner { procedures, locals: Vec::new(), calls: 0, statements: 0, open: vec![&main.name.text] };
    inliner.locals.extend(main.parameters.iter().chain(&main.locals).cloned());
    let own = Call { names: FxHashMap::default(), labels: None, results: Vec::new() };
    let body = inliner.block(&main.body, &own)?;
    Ok((inliner.locals, body))
}

struct Inliner<'a> {
    procedures: &'a [Procedure],
    locals: Vec<Name>,
    calls: usize,
    statements: usize,
    /// The procedures whose calls are being replaced.
    open: Vec<&'a str>,
}

/// What a call makes of a procedure's names.
struct Call {
    names: FxHashMap<String, String>,
    /// What labels are made different by, and what its end is called; none for a thread's first procedure.
    labels: Option<usize>,
    /// Where what it returns goes.
    results: Vec<PlaceTree>,
}

impl Call {
    fn label(&self, label: &Name) -> Name {
        let text = self.labels.map_or_else(|| label.text.clone(), |call| format!("{}.{call}", label.text));
        Name { text, at: label.at }
    }

    fn end(&self, at: Position) -> Option<Name> {
        self.labels.map(|call| Name { text: format!("return.{call}"), at })
    }

    fn name(&self, name: &Name) -> Name {
        Name { text: self.names.get(&name.text).unwrap_or(&name.text).clone(), at: name.at }
    }

    fn place(&self, place: &PlaceTree) -> PlaceTree {
        PlaceTree { index: place.index.clone(), name: self.name(&place.name) }
    }

    fn expr(&self, tree: &ExprTree) -> ExprTree {
        let inner = |tree: &ExprTree| Box::new(self.expr(tree));
        let kind = match &tree.kind {
            ExprKind::Constant(_) | ExprKind::Choice => tree.kind.clone(),
            ExprKind::Schoose(one, zero) => ExprKind::Schoose(inner(one), inner(zero)),
            ExprKind::Variable { index, name, is_primed } => {
                ExprKind::Variable { index: index.clone(), name: self.name(name), is_primed: *is_primed }
            }
            ExprKind::At(index, label) => ExprKind::At(index.clone(), self.label(label)),
            ExprKind::Not(tree) => ExprKind::Not(inner(tree)),
            ExprKind::Binary(operator, left, right) => ExprKind::Binary(*operator, inner(left), inner(right)),
            ExprKind::Conditional(condition, then, otherwise) => {
                ExprKind::Conditional(inner(condition), inner(then), inner(otherwise))
            }
        };
        ExprTree { at: tree.at, kind }
    }

    fn values(&self, values: &[(PlaceTree, ExprTree)]) -> Vec<(PlaceTree, ExprTree)> {
        values.iter().map(|(place, value)| (self.place(place), self.expr(value))).collect()
    }

    fn constraint(&self, tree: &ConstraintTree) -> ConstraintTree {
        ConstraintTree { passive: tree.passive.clone(), condition: self.expr(&tree.condition) }
    }

    fn assignment(&self, tree: &AssignmentTree) -> AssignmentTree {
        let told =
            |told: &NotificationTree| NotificationTree { index: told.index.clone(), values: self.values(&told.values) };
        AssignmentTree {
            values: self.values(&tree.values),
            passive: tree.passive.iter().map(told).collect(),
            havoc_all: tree.havoc_all.clone(),
            constraints: tree.constraints.iter().map(|constraint| self.constraint(constraint)).collect(),
        }
    }
}

impl<'a> Inliner<'a> {
    fn block(&mut self, statements: &'a [StatementTree], call: &Call) -> Result<Vec<StatementTree>, SyntaxError> {
        let mut found = Vec::new();
        for StatementTree { labels, at, kind } in statements {
            self.statements += 1;
            if self.statements > MOST_STATEMENTS {
                return Err(SyntaxError::new(*at, "there are too many statements once calls have been replaced"));
            }
            let labels: Vec<Name> = labels.iter().map(|label| call.label(label)).collect();
            let plain = |kind: Kind| StatementTree { labels: Vec::new(), at: *at, kind };
            let kind = match kind {
                Kind::Call(results, procedure, arguments) => {
                    found.push(StatementTree { labels, at: *at, kind: Kind::Skip });
                    let results = results.iter().map(|place| call.place(place)).collect();
                    let arguments: Vec<ExprTree> = arguments.iter().map(|argument| call.expr(argument)).collect();
                    found.append(&mut self.call(results, procedure, arguments)?);
                    continue;
                }
                Kind::Return(values) => {
                    let Some(end) = call.end(*at) else {
                        found.push(StatementTree { labels, at: *at, kind: Kind::End });
                        continue;
                    };
                    if values.len() < call.results.len() {
                        return Err(SyntaxError::new(*at, "fewer values are returned than the call wants"));
                    }
                    let values = values.iter().map(|value| call.expr(value));
                    let values = call.results.iter().cloned().zip(values).collect();
                    let assignment = AssignmentTree { values, ..AssignmentTree::default() };
                    found.push(StatementTree { labels, at: *at, kind: Kind::Assign(assignment) });
                    found.push(plain(Kind::Goto(vec![end])));
                    continue;
                }
                Kind::If(condition, then, otherwise) => {
                    let then = self.block(then, call)?;
                    Kind::If(call.expr(condition), then, self.block(otherwise, call)?)
                }
                Kind::While(condition, body) => Kind::While(call.expr(condition), self.block(body, call)?),
                Kind::Goto(targets) => Kind::Goto(targets.iter().map(|target| call.label(target)).collect()),
                Kind::Assign(assignment) => Kind::Assign(call.assignment(assignment)),
                Kind::Assert(constraint) => Kind::Assert(call.constraint(constraint)),
                Kind::Start(start) => {
                    let label = start.label.as_ref().map(|label| call.label(label));
                    Kind::Start(StartTree { label, ..start.clone() })
                }
                Kind::Skip | Kind::AtomicBegin | Kind::AtomicEnd | Kind::End => kind.clone(),
            };
            found.push(StatementTree { labels, at: *at, kind });
        }
        Ok(found)
    }

    /// A procedure's statements in the place of a call.
    fn call(
        &mut self,
        results: Vec<PlaceTree>,
        name: &'a Name,
        arguments: Vec<ExprTree>,
    ) -> Result<Vec<StatementTree>, SyntaxError> {
        let wrong = |message: String| Err(SyntaxError::new(name.at, message));
        let Some(procedure) = self.procedures.iter().find(|procedure| procedure.name.text == name.text) else {
            return wrong(format!("there is no procedure `{}`", name.text));
        };
        if self.open.contains(&name.text.as_str()) {
            return wrong(format!("`{}` calls itself, which is not supported", name.text));
        }
        if arguments.len() != procedure.parameters.len() {
            let wanted = procedure.parameters.len();
            return wrong(format!("`{}` has {wanted} parameters, not {}", name.text, arguments.len()));
        }
        if results.len() > procedure.returned {
            return wrong(format!("`{}` returns fewer values", name.text));
        }
        self.calls += 1;
        let number = self.calls;
        let mut names = FxHashMap::default();
        let mut own = Vec::new();
        for local in procedure.parameters.iter().chain(&procedure.locals) {
            let fresh = Name { text: format!("{}_{}_{number}", name.text, local.text), at: local.at };
            names.insert(local.text.clone(), fresh.text.clone());
            own.push(fresh);
        }
        let call = Call { names, labels: Some(number), results };
        // Parameters have the arguments' values, other locals any, whatever an earlier round left there.
        let choices = std::iter::repeat_with(|| ExprTree { at: name.at, kind: ExprKind::Choice });
        let places = own.iter().map(|name| PlaceTree { index: None, name: name.clone() });
        let values = places.zip(arguments.into_iter().chain(choices)).collect();
        let enter = Kind::Assign(AssignmentTree { values, ..AssignmentTree::default() });
        let mut found = vec![StatementTree { labels: Vec::new(), at: name.at, kind: enter }];
        self.locals.append(&mut own);
        self.open.push(&procedure.name.text);
        found.append(&mut self.block(&procedure.body, &call)?);
        self.open.pop();
        // Who comes to the end without a `return` returns anything.
        let choice = ExprTree { at: name.at, kind: ExprKind::Choice };
        let values = call.results.iter().map(|place| (place.clone(), choice.clone())).collect();
        let fall = Kind::Assign(AssignmentTree { values, ..AssignmentTree::default() });
        found.push(StatementTree { labels: Vec::new(), at: name.at, kind: fall });
        let labels = call.end(name.at).into_iter().collect();
        found.push(StatementTree { labels, at: name.at, kind: Kind::Skip });
        Ok(found)
    }
}
