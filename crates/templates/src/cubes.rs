//! What predicates imply of a condition: the conjunctions of few of them that imply it, and those that imply its negation
//! (Cartesian abstraction with cubes of limited length; paper 004, Section 4.1).

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_abstraction::{Prover, Stop};
use selvedge_broadcast::{Expr, Operator, When};
use selvedge_logic::{SymbolId, Term};
use selvedge_symbolic::Builder;

use crate::vocabulary::Atom;

/// A Boolean variable with the term of its predicate.
#[derive(Clone, Copy, Debug)]
pub struct Literal {
    pub atom: Atom,
    pub term: Term,
}

/// A conjunction of variables and negated variables.
pub type Cube = Vec<(Atom, bool)>;

/// What is known of a condition: it holds where one of these cubes does, and does not where one of those does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value {
    pub holds: Vec<Cube>,
    pub fails: Vec<Cube>,
}

impl Value {
    fn constant(value: bool) -> Value {
        let always = vec![Vec::new()];
        if value { Value { holds: always, fails: Vec::new() } } else { Value { holds: Vec::new(), fails: always } }
    }

    fn literal(atom: Atom, truth: bool) -> Value {
        Value { holds: vec![vec![(atom, truth)]], fails: vec![vec![(atom, !truth)]] }
    }

    /// Whether it is what a variable is.
    pub fn is_atom(&self, atom: Atom) -> bool {
        *self == Value::literal(atom, true)
    }

    /// The variable that it is, or is the negation of.
    fn equals(&self) -> Option<(Atom, bool)> {
        match (&self.holds[..], &self.fails[..]) {
            ([holds], [fails]) => match (&holds[..], &fails[..]) {
                ([one], [other]) if one.0 == other.0 && one.1 != other.1 => Some(*one),
                _ => None,
            },
            _ => None,
        }
    }

    /// As the value of an assignment.
    pub fn value(&self) -> Expr {
        if self.holds.is_empty() && self.fails.is_empty() {
            return Expr::Choice;
        }
        if let Some((atom, truth)) = self.equals() {
            return literal((atom, truth));
        }
        match (any(&self.holds), any(&self.fails)) {
            (Expr::Constant(true), _) => Expr::Constant(true),
            (_, Expr::Constant(true)) => Expr::Constant(false),
            (holds, fails) => Expr::Schoose(Box::new(holds), Box::new(fails)),
        }
    }

    /// As constraints on what a variable holds after a step.
    pub fn constraints(&self, after: &Expr) -> Vec<Expr> {
        if let Some((atom, truth)) = self.equals() {
            let operator = if truth { Operator::Equal } else { Operator::Differ };
            return vec![after.clone().with(operator, atom.expr(When::Now))];
        }
        let implied = |cubes: &[Cube], conclusion: Expr| match any(cubes) {
            Expr::Constant(true) => Some(conclusion),
            Expr::Constant(false) => None,
            condition => Some(condition.implies(conclusion)),
        };
        let one = implied(&self.holds, after.clone());
        let zero = implied(&self.fails, after.clone().negated());
        one.into_iter().chain(zero).collect()
    }
}

fn literal((atom, truth): (Atom, bool)) -> Expr {
    let expr = atom.expr(When::Now);
    if truth { expr } else { expr.negated() }
}

/// That all of a cube holds.
pub fn all(cube: &[(Atom, bool)]) -> Expr {
    Expr::all(cube.iter().map(|one| literal(*one)))
}

/// That a cube does not hold.
pub fn not(cube: &[(Atom, bool)]) -> Expr {
    match cube {
        [] => Expr::Constant(false),
        [(atom, truth)] => literal((*atom, !truth)),
        _ => all(cube).negated(),
    }
}

/// That one of some cubes holds. Two that differ in both of their variables are an exclusive or, or its negation.
pub fn any(cubes: &[Cube]) -> Expr {
    let mut parts = Vec::new();
    let mut done = FxHashSet::default();
    for (place, cube) in cubes.iter().enumerate() {
        if done.contains(&place) {
            continue;
        }
        let opposite: Cube = cube.iter().map(|(atom, truth)| (*atom, !truth)).collect();
        let other = cubes.iter().position(|other| *other == opposite).filter(|_| cube.len() == 2);
        parts.push(match other {
            Some(other) => {
                done.insert(other);
                let operator = if cube[0].1 == cube[1].1 { Operator::Equal } else { Operator::Differ };
                cube[0].0.expr(When::Now).with(operator, cube[1].0.expr(When::Now))
            }
            None => all(cube),
        });
    }
    parts.into_iter().reduce(Expr::or).unwrap_or(Expr::Constant(false))
}

/// The solver, and what was asked of terms before.
#[derive(Debug)]
pub struct Asking<'b> {
    pub prover: Prover<'b>,
    symbols: FxHashMap<Term, Rc<FxHashSet<SymbolId>>>,
}

impl<'b> Asking<'b> {
    pub fn new(prover: Prover<'b>) -> Self {
        Asking { prover, symbols: FxHashMap::default() }
    }

    fn symbols(&mut self, builder: &Builder, term: Term) -> Rc<FxHashSet<SymbolId>> {
        let symbols = self.symbols.entry(term);
        Rc::clone(symbols.or_insert_with(|| Rc::new(builder.terms.symbols_of(&[term]).into_iter().collect())))
    }

    fn can_hold(&mut self, builder: &Builder, base: &[Term], more: &[Term]) -> Result<bool, Stop> {
        let conditions: Vec<Term> = base.iter().chain(more).copied().collect();
        self.prover.can_hold(&builder.terms, &conditions)
    }

    /// What literals imply of a condition, where the base holds. Cubes that contradict the base say nothing.
    ///
    /// # Errors
    /// If there is no time.
    pub fn value(
        &mut self,
        builder: &mut Builder,
        condition: Term,
        base: &[Term],
        literals: &[Literal],
        longest: usize,
    ) -> Result<Value, Stop> {
        let negation = builder.not(condition);
        if !self.can_hold(builder, base, &[negation])? {
            return Ok(Value::constant(true));
        }
        if !self.can_hold(builder, base, &[condition])? {
            return Ok(Value::constant(false));
        }
        let about = [&[condition], base].concat();
        let near = self.near(builder, &about, literals);
        let mut value = Value::default();
        // Literals that cannot hold here.
        let mut never = Vec::new();
        for at in &near {
            let Literal { atom, term } = literals[*at];
            let mut sides = [None, None];
            for (truth, side) in [true, false].into_iter().zip(&mut sides) {
                let said = if truth { term } else { builder.not(term) };
                let (one, zero) = (
                    !self.can_hold(builder, base, &[said, negation])?,
                    !self.can_hold(builder, base, &[said, condition])?,
                );
                match (one, zero) {
                    (true, true) => never.push((atom, truth)),
                    (true, false) => *side = Some(true),
                    (false, true) => *side = Some(false),
                    (false, false) => {}
                }
            }
            match sides {
                [Some(true), Some(false)] => return Ok(Value::literal(atom, true)),
                [Some(false), Some(true)] => return Ok(Value::literal(atom, false)),
                _ => {}
            }
            if longest == 0 {
                continue;
            }
            for (truth, side) in [true, false].into_iter().zip(sides) {
                match side {
                    Some(true) => value.holds.push(vec![(atom, truth)]),
                    Some(false) => value.fails.push(vec![(atom, truth)]),
                    None => {}
                }
            }
        }
        if longest >= 2 {
            for (cube, terms) in self.pairs(builder, &about, literals) {
                if cube.iter().any(|one| never.contains(one)) {
                    continue;
                }
                let is_covered = |cubes: &[Cube]| cubes.iter().any(|known| known.iter().all(|one| cube.contains(one)));
                let (by_holds, by_fails) = (is_covered(&value.holds), is_covered(&value.fails));
                if by_holds && by_fails {
                    continue;
                }
                let [one, two] = terms;
                let holds = !by_holds && !self.can_hold(builder, base, &[one, two, negation])?;
                let fails = !by_fails && !self.can_hold(builder, base, &[one, two, condition])?;
                match (holds, fails) {
                    (true, false) if !by_fails => value.holds.push(cube),
                    (false, true) if !by_holds => value.fails.push(cube),
                    // It contradicts the base.
                    _ => {}
                }
            }
        }
        Ok(value)
    }

    /// The shortest cubes that contradict a condition, though not by themselves.
    ///
    /// # Errors
    /// If there is no time.
    pub fn excluded(
        &mut self,
        builder: &mut Builder,
        condition: Term,
        base: &[Term],
        literals: &[Literal],
        longest: usize,
    ) -> Result<Vec<Cube>, Stop> {
        if builder.is(condition, true) {
            return Ok(Vec::new());
        }
        if builder.is(condition, false) {
            return Ok(vec![Vec::new()]);
        }
        if longest == 0 {
            return self.conjuncts(builder, condition, base, literals);
        }
        let mut found: Vec<Cube> = Vec::new();
        for at in self.near(builder, &[condition], literals) {
            let Literal { atom, term } = literals[at];
            for truth in [true, false] {
                let said = if truth { term } else { builder.not(term) };
                if !self.can_hold(builder, base, &[condition, said])? && self.can_hold(builder, base, &[said])? {
                    found.push(vec![(atom, truth)]);
                }
            }
        }
        if longest >= 2 {
            for (cube, [one, two]) in self.pairs(builder, &[condition], literals) {
                let is_covered = found.iter().any(|known| known.iter().all(|one| cube.contains(one)));
                if !is_covered
                    && !self.can_hold(builder, base, &[condition, one, two])?
                    && self.can_hold(builder, base, &[one, two])?
                {
                    found.push(cube);
                }
            }
        }
        Ok(found)
    }

    /// The negations of literals that are parts of a condition.
    fn conjuncts(
        &mut self,
        builder: &mut Builder,
        condition: Term,
        base: &[Term],
        literals: &[Literal],
    ) -> Result<Vec<Cube>, Stop> {
        let mut found = Vec::new();
        let mut parts: Vec<Term> = builder.conjuncts(condition).into_iter().collect();
        parts.sort_unstable();
        for part in parts {
            let value = self.value(builder, part, base, literals, 0)?;
            if let Some((atom, truth)) = value.equals() {
                found.push(vec![(atom, !truth)]);
            }
        }
        Ok(found)
    }

    /// The literals that speak of something that conditions speak of.
    fn near(&mut self, builder: &Builder, conditions: &[Term], literals: &[Literal]) -> Vec<usize> {
        let about: Vec<_> = conditions.iter().map(|condition| self.symbols(builder, *condition)).collect();
        let mut near = Vec::new();
        for (at, literal) in literals.iter().enumerate() {
            let symbols = self.symbols(builder, literal.term);
            if about.iter().any(|about| !about.is_disjoint(&symbols)) {
                near.push(at);
            }
        }
        near
    }

    /// Cubes of two literals, one of which has something to do with conditions, and the other with these or with it.
    fn pairs(&mut self, builder: &mut Builder, conditions: &[Term], literals: &[Literal]) -> Vec<(Cube, [Term; 2])> {
        let near: FxHashSet<usize> = self.near(builder, conditions, literals).into_iter().collect();
        let mut found = Vec::new();
        for (one, first) in literals.iter().enumerate() {
            for (two, second) in literals.iter().enumerate().skip(one + 1) {
                let is_connected = match (near.contains(&one), near.contains(&two)) {
                    (true, true) => true,
                    (false, false) => false,
                    _ => {
                        let (first, second) = (self.symbols(builder, first.term), self.symbols(builder, second.term));
                        !first.is_disjoint(&second)
                    }
                };
                if !is_connected {
                    continue;
                }
                for (a, b) in [(true, true), (true, false), (false, true), (false, false)] {
                    let terms = [(first, a), (second, b)]
                        .map(|(literal, truth)| if truth { literal.term } else { builder.not(literal.term) });
                    found.push((vec![(first.atom, a), (second.atom, b)], terms));
                }
            }
        }
        found
    }
}
