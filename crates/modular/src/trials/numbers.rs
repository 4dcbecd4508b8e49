//! Which numbers to try where a step asks for one: those that the program has beside what the answer may flow into.
//! A guess: nothing depends on its being complete.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_analysis::{PointsTo, Target};
use selvedge_program::{
    Access, AtomicStep, EdgeId, Expr, Function, FunctionId, Program, RegisterId, RegisterUse, ValueFlow,
};

use super::random::Random;

/// What holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Register(FunctionId, RegisterId),
    Memory(Target),
}

/// The flow of values, and the numbers that are beside them.
#[derive(Debug)]
pub struct Numbers<'p> {
    program: &'p Program,
    flows: FxHashMap<Holder, Vec<Holder>>,
    beside: FxHashMap<Holder, BTreeSet<i128>>,
    known: FxHashMap<(FunctionId, EdgeId), Rc<Vec<i128>>>,
}

impl<'p> Numbers<'p> {
    pub fn of(program: &'p Program, points_to: &PointsTo) -> Self {
        let mut numbers =
            Numbers { program, flows: FxHashMap::default(), beside: FxHashMap::default(), known: FxHashMap::default() };
        let results: Vec<Vec<&Expr>> = program.functions.iter().map(results).collect();
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId::new(index);
            for (edge, definition) in function.edges.iter().enumerate() {
                let action = &definition.action;
                action.for_each_expression(&mut |expr| numbers.meet(id, expr));
                let memory = |access: &Access| points_to.targets(id, &access.place).into_iter().map(Holder::Memory);
                let register = |register: RegisterId| Holder::Register(id, register);
                match action.value_flow() {
                    ValueFlow::None | ValueFlow::Choose { .. } | ValueFlow::Allocate { .. } => {}
                    ValueFlow::Return { .. } => {}
                    ValueFlow::Assign { target, value } => numbers.flow(id, value, register(target)),
                    ValueFlow::Load { target, access } => {
                        memory(access).for_each(|from| numbers.add(from, register(target)));
                    }
                    ValueFlow::Store { access, value } => memory(access).for_each(|to| numbers.flow(id, value, to)),
                    ValueFlow::Update(steps) => {
                        for step in steps {
                            match step {
                                AtomicStep::Read { target, access } => {
                                    memory(access).for_each(|from| numbers.add(from, register(*target)));
                                }
                                AtomicStep::Let { target, value } => numbers.flow(id, value, register(*target)),
                                AtomicStep::Write { access, value, .. } => {
                                    memory(access).for_each(|to| numbers.flow(id, value, to));
                                }
                                AtomicStep::Guard(_)
                                | AtomicStep::Spurious
                                | AtomicStep::Require(..)
                                | AtomicStep::PickThread { .. }
                                | AtomicStep::WriteThreads { .. }
                                | AtomicStep::Mark { .. } => {}
                            }
                        }
                    }
                    ValueFlow::Call { arguments, .. } | ValueFlow::Spawn { arguments, .. } => {
                        for &callee in points_to.callees(id, EdgeId::new(edge)) {
                            for (parameter, argument) in program.function(callee).parameters.iter().zip(arguments) {
                                numbers.flow(id, argument, Holder::Register(callee, *parameter));
                            }
                            if let ValueFlow::Call { target: Some(target), .. } = action.value_flow() {
                                for result in &results[callee.index()] {
                                    numbers.flow(callee, result, register(target));
                                }
                            }
                        }
                    }
                }
            }
        }
        numbers
    }

    fn add(&mut self, from: Holder, to: Holder) {
        self.flows.entry(from).or_default().push(to);
    }

    fn flow(&mut self, function: FunctionId, value: &Expr, to: Holder) {
        value.for_each_register(&mut |register| self.add(Holder::Register(function, register), to));
    }

    /// Notes the numbers that are in one expression with registers.
    fn meet(&mut self, function: FunctionId, expr: &Expr) {
        let mut numbers = BTreeSet::new();
        constants(expr, &mut numbers);
        expr.for_each_register(&mut |register| {
            self.beside.entry(Holder::Register(function, register)).or_default().extend(&numbers);
        });
    }

    /// The numbers beside all that an answer to a step may flow into.
    fn beside(&mut self, function: FunctionId, edge: EdgeId) -> Rc<Vec<i128>> {
        if let Some(known) = self.known.get(&(function, edge)) {
            return Rc::clone(known);
        }
        let mut targets = Vec::new();
        self.program.function(function).edge(edge).action.for_each_register(&mut |used| {
            if let RegisterUse::Assigned(register) = used {
                targets.push(Holder::Register(function, register));
            }
        });
        let mut seen: FxHashSet<Holder> = targets.iter().copied().collect();
        let mut numbers = BTreeSet::from([0, 1]);
        while let Some(holder) = targets.pop() {
            numbers.extend(self.beside.get(&holder).into_iter().flatten());
            let next = self.flows.get(&holder).into_iter().flatten().filter(|next| seen.insert(**next));
            targets.extend(next);
        }
        let numbers = Rc::new(numbers.into_iter().collect::<Vec<_>>());
        self.known.insert((function, edge), Rc::clone(&numbers));
        numbers
    }

    /// A number to try as the answer to a step; one that is in memory may be given.
    pub fn try_one(
        &mut self,
        (function, edge): (FunctionId, EdgeId),
        there: Option<u128>,
        random: &mut Random,
    ) -> u128 {
        let numbers = self.beside(function, edge);
        let number = there.map_or_else(|| random.pick(&numbers).copied().unwrap_or(0), |there| there as i128);
        let near = match random.below(16) {
            0..8 => number,
            8..11 => number.wrapping_add(1),
            11..14 => number.wrapping_sub(1),
            14 => random.below(256) as i128,
            _ => *random.pick(&[-1, i128::from(i32::MAX), i128::from(i32::MIN)]).unwrap_or(&0),
        };
        near as u128
    }
}

/// What a function may return.
fn results(function: &Function) -> Vec<&Expr> {
    let results = function.edges.iter().filter_map(|edge| match edge.action.value_flow() {
        ValueFlow::Return { value } => Some(value),
        _ => None,
    });
    results.collect()
}

/// Adds the numbers of an expression.
fn constants(expr: &Expr, found: &mut BTreeSet<i128>) {
    match expr {
        Expr::Constant(bits) => {
            found.insert(bits.as_signed());
        }
        Expr::Register(..) | Expr::Address(..) => {}
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => constants(operand, found),
        Expr::Binary(_, left, right) => {
            constants(left, found);
            constants(right, found);
        }
        Expr::IfThenElse(condition, then, otherwise) => {
            constants(condition, found);
            constants(then, found);
            constants(otherwise, found);
        }
    }
}
