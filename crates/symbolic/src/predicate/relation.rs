//! Two-state predicates: conditions on a step, over the variables before it and, primed, after it (`count' == count + 1`).

use selvedge_logic::Term;
use selvedge_program::{Expr, Program, RegisterId};

use super::{Predicate, SyntaxError, Valuation, Variable, compact, parse, print, term};
use crate::builder::Builder;

/// On which side of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// Before it.
    Before,
    /// After it: primed.
    After,
}

/// A variable before or after a step.
pub type Timed = (Variable, Moment);

/// A condition over variables before and after a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Relation {
    /// By position: the register that stands for it in the condition. Each occurs, in the order of first occurrence.
    variables: Vec<Timed>,
    condition: Expr,
}

impl Relation {
    /// A condition of width 1 whose registers are positions in a table of variables.
    pub fn new(condition: &Expr, table: &[Timed]) -> Relation {
        let (variables, condition) = compact(condition, table);
        Relation { variables, condition }
    }

    /// Any step.
    pub fn any() -> Relation {
        Relation::new(&Expr::truth(), &[])
    }

    /// That a predicate holds before or after the step.
    pub fn of(predicate: &Predicate, moment: Moment) -> Relation {
        let table: Vec<Timed> = predicate.variables().iter().map(|variable| (*variable, moment)).collect();
        Relation::new(predicate.condition(), &table)
    }

    /// That a variable of so many bits is the same after the step.
    pub fn unchanged(variable: Variable, width: u32) -> Relation {
        let [before, after] = [0, 1].map(|at| Expr::register(RegisterId::new(at), width));
        Relation::new(&Expr::equal(after, before), &[(variable, Moment::Before), (variable, Moment::After)])
    }

    /// Reads a two-state predicate over a program.
    ///
    /// # Errors
    /// For what is no condition, and for names that the program does not have.
    pub fn parse(program: &Program, text: &str) -> Result<Relation, SyntaxError> {
        parse::parse_relation(program, text)
    }

    /// The text that [`Relation::parse`] reads as this relation.
    pub fn text(&self, program: &Program) -> String {
        print::print(program, &self.variables, &self.condition)
    }

    /// What it speaks of, in the order of first occurrence.
    pub fn variables(&self) -> &[Timed] {
        &self.variables
    }

    /// The condition, with positions in [`Relation::variables`] for registers.
    pub fn condition(&self) -> &Expr {
        &self.condition
    }

    /// Whether it speaks of this.
    pub fn mentions(&self, timed: Timed) -> bool {
        self.variables.contains(&timed)
    }

    /// The condition on one state that it is, unless it speaks of values after the step.
    pub fn predicate(&self) -> Option<Predicate> {
        let before = |(variable, moment): &Timed| (*moment == Moment::Before).then_some(*variable);
        let table: Vec<Variable> = self.variables.iter().map(before).collect::<Option<_>>()?;
        Some(Predicate::new(&self.condition, &table))
    }

    /// Both.
    #[must_use]
    pub fn and(&self, other: &Relation) -> Relation {
        let mut table = self.variables.clone();
        table.extend(&other.variables);
        let first = self.variables.len();
        let moved = other.condition.rename(&mut |register| RegisterId::new(first + register.index()));
        Relation::new(&Expr::and(self.condition.clone(), moved), &table)
    }

    /// That it holds between two states, as [`Predicate::term`] says it of one.
    pub fn term(
        &self,
        builder: &mut Builder,
        before: &mut dyn Valuation,
        after: &mut dyn Valuation,
        pointer_width: u32,
    ) -> Term {
        let words = self.variables.iter().map(|(variable, moment)| match moment {
            Moment::Before => before.variable(builder, *variable),
            Moment::After => after.variable(builder, *variable),
        });
        let words = words.collect();
        term::holds(&self.condition, words, builder, before, pointer_width)
    }
}
