//! The abstraction of one step: its guard, what becomes of the predicates of what all share, of the active thread and of
//! every passive one, and what it may fail at (paper 004, Sections 2 and 4.1).

use std::rc::Rc;

use selvedge_abstraction::{Prover, Stop};
use selvedge_broadcast::{
    Assignment, Constraint, Expr, Index, LocalVar, Notification, SharedVar, Start, Statement, TemplateId, When,
};
use selvedge_logic::Term;
use selvedge_program::{Budget, CheckId};
use selvedge_symbolic::Trouble;
use selvedge_symbolic::threads::{Arc, ArcId, Moved, Slot, View, Who};

use crate::cubes::{Asking, Cube, Literal, Value, not};
use crate::vocabulary::{Atom, PredicateId, Vocabulary, who};
use crate::{Errors, Form, Options, Witness};

/// `main`'s template in the universe, of which there is one thread.
pub const MAIN: usize = 0;

/// What may go wrong at a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    Assertion(CheckId),
    /// Something undefined or not modelled: what.
    Trouble(String),
}

/// What abstracts steps.
#[derive(Debug)]
pub struct Abstractor<'p, 'b> {
    pub view: View<'p>,
    pub asking: Asking<'b>,
    pub vocabulary: Vocabulary,
    pub options: Options,
}

/// New values of variables.
type Values<V> = Vec<(V, Value)>;

/// What is known of a step by looking at one passive thread as well.
struct Witnessed {
    of: TemplateId,
    excluded: Vec<Cube>,
    updates: Values<Atom>,
}

/// What a step does.
#[derive(Default)]
struct Updates {
    /// Where one of these holds, the step is not taken.
    excluded: Vec<Cube>,
    shared: Values<SharedVar>,
    active: Values<LocalVar>,
    passive: Vec<(TemplateId, Values<LocalVar>)>,
    witnessed: Vec<Witnessed>,
}

impl<'p, 'b> Abstractor<'p, 'b> {
    pub fn new(view: View<'p>, vocabulary: Vocabulary, options: Options, budget: &'b Budget) -> Self {
        Abstractor { view, asking: Asking::new(Prover::new(budget)), vocabulary, options }
    }

    /// What a step of the active thread does.
    pub fn moved(&mut self, template: usize, arc: Arc) -> Rc<Moved> {
        let function = self.view.universe.unfolded(template).get(arc.source).function;
        self.view.moved(Who::Own, function, arc.edge, arc.kind)
    }

    /// An arc of a template of the universe.
    pub fn arc(&self, template: usize, arc: ArcId) -> Arc {
        self.view.universe.unfolded(template).arc(arc)
    }

    /// Variables with the terms of their predicates before a step.
    pub fn literals(&mut self, atoms: &[(Atom, PredicateId)]) -> Vec<Literal> {
        let mut found = Vec::new();
        for (atom, predicate) in atoms {
            let term = self.before(*atom, *predicate);
            found.push(Literal { atom: *atom, term });
        }
        found
    }

    /// A predicate before a step.
    pub fn before(&mut self, atom: Atom, predicate: PredicateId) -> Term {
        let of = match atom {
            Atom::Shared(_) => Who::Own,
            Atom::Local(index, _) => who(index),
        };
        self.view.holds(&self.vocabulary.predicates[predicate].predicate, of)
    }

    /// A predicate after a step of the active thread.
    pub fn after(&mut self, atom: Atom, predicate: PredicateId, moved: &Moved) -> Term {
        let of = match atom {
            Atom::Shared(_) => Who::Own,
            Atom::Local(index, _) => who(index),
        };
        self.view.holds_after(&self.vocabulary.predicates[predicate].predicate, of, moved, Who::Own)
    }

    /// That these are two threads. One of them may have ended, and been joined: its locals stay what they were.
    pub fn distinct(&mut self, one: Who, other: Who) -> Term {
        let (one, other) = (self.view.identity(one), self.view.identity(other));
        self.view.builder.terms.distinct(one, other)
    }

    /// The variables of what all share and of the active thread.
    fn own(&self, template: usize) -> Vec<(Atom, PredicateId)> {
        let mut atoms = self.vocabulary.shared_atoms();
        if let Some(place) = self.vocabulary.place_of(template) {
            atoms.extend(self.vocabulary.local_atoms(place, Index::ACTIVE));
        }
        atoms
    }

    /// The templates of passive threads that there may be.
    fn passive_templates(&self, active: usize) -> Vec<usize> {
        let templates = self.vocabulary.templates.iter().enumerate();
        templates.filter(|(_, template)| **template != MAIN || active != MAIN).map(|(place, _)| place).collect()
    }

    /// What a step may fail at, each under a condition.
    pub fn errors(&mut self, template: usize, arc: Arc) -> Vec<(Term, Cause)> {
        let moved = self.moved(template, arc);
        let violations = moved.violations.iter().map(|(when, check)| (*when, Cause::Assertion(*check)));
        let troubles = moved.troubles.iter().filter_map(|(when, trouble)| match trouble {
            Trouble::Undefined(_) if self.options.errors == Errors::Assertions => None,
            Trouble::Undefined(undefined) => Some((*when, Cause::Trouble(undefined.to_string()))),
            Trouble::Unsupported(what) => Some((*when, Cause::Trouble(what.clone()))),
        });
        violations.chain(troubles).collect()
    }

    /// The assertions of a step, each with what it is about; before the step.
    pub fn checks(&mut self, template: usize, arc: Arc) -> Result<Vec<(Statement, Cause)>, Stop> {
        let errors = self.errors(template, arc);
        let own = self.own(template);
        let literals = self.literals(&own);
        let mut found = Vec::new();
        for (when, cause) in errors {
            let holds = self.view.builder.not(when);
            let longest = self.options.cubes.longest();
            let value = self.asking.value(&mut self.view.builder, holds, &[], &literals, longest)?;
            let condition = value.value();
            if condition != Expr::Constant(true) {
                found.push((Statement::Assert(Constraint::active(condition)), cause));
            }
        }
        Ok(found)
    }

    fn updates(&mut self, template: usize, moved: &Moved) -> Result<Updates, Stop> {
        let longest = self.options.cubes.longest();
        let own = self.own(template);
        let literals = self.literals(&own);
        let builder = &mut self.view.builder;
        let mut found = Updates {
            excluded: self.asking.excluded(builder, moved.enabled, &[], &literals, longest)?,
            ..Updates::default()
        };
        let mut changed = Vec::new();
        for (atom, predicate) in &own {
            let Some(value) = self.update((*atom, *predicate), moved, &[moved.enabled], &literals)? else { continue };
            changed.push((*atom, *predicate));
            match atom {
                Atom::Shared(variable) => found.shared.push((*variable, value)),
                Atom::Local(_, variable) => found.active.push((*variable, value)),
            }
        }
        for place in self.passive_templates(template) {
            let theirs = self.vocabulary.local_atoms(place, Index::OTHER);
            let both: Vec<_> = own.iter().chain(&theirs).copied().collect();
            let literals = self.literals(&both);
            let base = [moved.enabled, self.distinct(Who::Own, Who::Passive(0))];
            let mut values = Vec::new();
            for (atom, predicate) in theirs {
                if let (Some(value), Atom::Local(_, variable)) =
                    (self.update((atom, predicate), moved, &base, &literals)?, atom)
                {
                    values.push((variable, value));
                }
            }
            let of = TemplateId(place as u16);
            if !values.is_empty() {
                found.passive.push((of, values));
            }
            if self.options.witness == Witness::OnePassive && longest > 0 {
                found.witnessed.push(self.witnessed(of, moved, &changed, &literals)?);
            }
        }
        Ok(found)
    }

    /// What a step makes of a variable; `None` if it leaves it as it is.
    fn update(
        &mut self,
        (atom, predicate): (Atom, PredicateId),
        moved: &Moved,
        base: &[Term],
        literals: &[Literal],
    ) -> Result<Option<Value>, Stop> {
        let (before, after) = (self.before(atom, predicate), self.after(atom, predicate, moved));
        if before == after {
            return Ok(None);
        }
        let longest = self.options.cubes.longest();
        let value = self.asking.value(&mut self.view.builder, after, base, literals, longest)?;
        Ok(Some(value).filter(|value| !value.is_atom(atom)))
    }

    /// What one passive thread lets be known of what changes, beyond what the active one does.
    fn witnessed(
        &mut self,
        of: TemplateId,
        moved: &Moved,
        changed: &[(Atom, PredicateId)],
        literals: &[Literal],
    ) -> Result<Witnessed, Stop> {
        let longest = self.options.cubes.longest();
        let different = self.distinct(Who::Own, Who::Passive(0));
        let names_other = |cube: &Cube| cube.iter().any(|(atom, _)| matches!(atom, Atom::Local(Index::OTHER, _)));
        let builder = &mut self.view.builder;
        let mut excluded = self.asking.excluded(builder, moved.enabled, &[different], literals, longest)?;
        excluded.retain(names_other);
        let mut updates = Vec::new();
        for (atom, predicate) in changed {
            let after = self.after(*atom, *predicate, moved);
            let base = [moved.enabled, different];
            let mut value = self.asking.value(&mut self.view.builder, after, &base, literals, longest)?;
            value.holds.retain(names_other);
            value.fails.retain(names_other);
            if value != Value::default() {
                updates.push((*atom, value));
            }
        }
        Ok(Witnessed { of, excluded, updates })
    }

    /// The assignment that abstracts a step.
    pub fn assignment(&mut self, template: usize, arc: Arc) -> Result<Assignment, Stop> {
        let moved = self.moved(template, arc);
        let updates = self.updates(template, &moved)?;
        let own = TemplateId(self.vocabulary.place_of(template).unwrap_or_default() as u16);
        Ok(match self.options.form {
            Form::Values => as_values(updates),
            Form::Constraints => as_constraints(own, updates),
        })
    }

    /// What a step that starts a thread does beside that; when it can be taken is said where the thread is started.
    pub fn beside_start(&mut self, template: usize, arc: Arc) -> Result<Assignment, Stop> {
        let moved = self.moved(template, arc);
        let updates = self.updates(template, &moved)?;
        Ok(Assignment { constraints: Vec::new(), ..as_values(updates) })
    }

    /// The start of a thread by a step, with what it begins with. What must hold for the step is a condition of it.
    pub fn start(&mut self, template: usize, arc: Arc, started: usize) -> Result<Start, Stop> {
        let moved = self.moved(template, arc);
        let own = self.own(template);
        let literals = self.literals(&own);
        let longest = self.options.cubes.longest();
        let excluded = self.asking.excluded(&mut self.view.builder, moved.enabled, &[], &literals, longest)?;
        let values = self.begins_with(&moved, started, &[], &literals)?;
        let values = values.into_iter().map(|(variable, value)| (variable, value.value()));
        let values = values.filter(|(_, value)| *value != Expr::Choice).collect();
        let condition = Expr::all(excluded.iter().map(|cube| not(cube)));
        Ok(Start { template: TemplateId(started as u16), at: selvedge_broadcast::Pc(0), values, condition })
    }

    /// What the locals of a thread are that a step starts.
    pub fn begins_with(
        &mut self,
        moved: &Moved,
        started: usize,
        base: &[Term],
        literals: &[Literal],
    ) -> Result<Values<LocalVar>, Stop> {
        let longest = self.options.cubes.longest();
        let base = [base, &[moved.enabled]].concat();
        let mut moved = moved.clone();
        let mut found = Vec::new();
        for (number, predicate) in self.vocabulary.locals[started].clone().into_iter().enumerate() {
            let predicate = &self.vocabulary.predicates[predicate].predicate;
            // A register that is not assigned yet is taken to hold something that it can hold, as before any other step.
            for variable in predicate.variables() {
                let Some(Slot::Own(local)) = self.view.slot(*variable) else { continue };
                if let (false, Some(word)) = (moved.passed.contains_key(&local), self.view.local(Who::Started, local)) {
                    moved.passed.insert(local, word);
                }
            }
            let begins = self.view.holds_after(predicate, Who::Started, &moved, Who::Own);
            let value = self.asking.value(&mut self.view.builder, begins, &base, literals, longest)?;
            found.push((LocalVar(number as u8), value));
        }
        Ok(found)
    }
}

/// Constraints that hold for the active thread alone, and for it with every passive one.
fn guards(excluded: &[Cube]) -> Vec<Expr> {
    excluded.iter().map(|cube| not(cube)).collect()
}

fn constraint(passive: Vec<TemplateId>, conditions: Vec<Expr>) -> Option<Constraint> {
    (!conditions.is_empty()).then(|| Constraint { passive, condition: Expr::all(conditions) })
}

fn witnesses(witnessed: &[Witnessed]) -> impl Iterator<Item = Constraint> + '_ {
    witnessed.iter().filter_map(|Witnessed { of, excluded, updates }| {
        let known = updates.iter().flat_map(|(atom, value)| value.constraints(&atom.expr(When::Next)));
        constraint(vec![*of], guards(excluded).into_iter().chain(known).collect())
    })
}

fn as_values(updates: Updates) -> Assignment {
    let Updates { excluded, shared, active, passive, witnessed } = updates;
    let mut constraints: Vec<Constraint> = constraint(Vec::new(), guards(&excluded)).into_iter().collect();
    constraints.extend(witnesses(&witnessed));
    let passive = passive.into_iter().map(|(template, values)| Notification {
        template,
        values: values.into_iter().map(|(variable, value)| (variable, value.value())).collect(),
    });
    Assignment {
        shared: shared.into_iter().map(|(variable, value)| (variable, value.value())).collect(),
        active: active.into_iter().map(|(variable, value)| (variable, value.value())).collect(),
        passive: passive.collect(),
        constraints,
    }
}

/// `havoc {…} constrain …`. What threads of the own template choose, the active one chooses last, as `all(…)` has it.
fn as_constraints(own: TemplateId, updates: Updates) -> Assignment {
    let Updates { excluded, shared, mut active, passive, witnessed } = updates;
    let mut conditions = guards(&excluded);
    for (variable, value) in &shared {
        conditions.extend(value.constraints(&Atom::Shared(*variable).expr(When::Next)));
    }
    for (variable, value) in &active {
        conditions.extend(value.constraints(&Atom::Local(Index::ACTIVE, *variable).expr(When::Next)));
    }
    let mut constraints: Vec<Constraint> = constraint(Vec::new(), conditions).into_iter().collect();
    let mut told = Vec::new();
    for (template, values) in passive {
        let known = values
            .iter()
            .flat_map(|(variable, value)| value.constraints(&Atom::Local(Index::OTHER, *variable).expr(When::Next)));
        constraints.extend(constraint(vec![template], known.collect()));
        if template == own {
            let place = |variable: &LocalVar| values.iter().position(|(known, _)| known == variable);
            active.sort_by_key(|(variable, _)| (place(variable).is_some(), place(variable), *variable));
        }
        let values = values.into_iter().map(|(variable, _)| (variable, Expr::Choice)).collect();
        told.push(Notification { template, values });
    }
    constraints.extend(witnesses(&witnessed));
    Assignment {
        shared: shared.into_iter().map(|(variable, _)| (variable, Expr::Choice)).collect(),
        active: active.into_iter().map(|(variable, _)| (variable, Expr::Choice)).collect(),
        passive: told,
        constraints,
    }
}
