//! What is tracked from the start, before any alarm: who owns which lock, what is alive, what has been written.

use std::collections::BTreeSet;

use selvedge_abstraction::atoms::{Table, cells, comparisons, with_cell};
use selvedge_program::{
    Access, AccessKind, Action, AtomicStep, Base, BinaryOp, Callee, Edge, Expr, FunctionId, Place, Program, RegisterId,
};
use selvedge_symbolic::threads::{Kept, Local, Thing, View, Who};
use selvedge_symbolic::{CellKey, Note, Predicate, Tag, Variable};

/// What is tracked from the start: whether the thread owns each lock and each word that may serve as one, whether
/// locals are alive, and whether what it looks at in memory has been written.
pub fn first_predicates(view: &mut View<'_>) -> Vec<Predicate> {
    let program = view.universe.program;
    let (mut owners, mut bits) = (BTreeSet::new(), BTreeSet::new());
    let updated: Vec<_> = view.universe.updated().collect();
    owners.extend(updated.into_iter().filter_map(|(object, start)| view.variable(CellKey::Changer { object, start })));
    for tag in view.universe.tags().collect::<Vec<_>>() {
        if let Some(Thing::One(_)) = view.universe.thing(tag) {
            bits.extend(view.variable(CellKey::Note(Note::Born, tag)));
            if view.universe.kept(tag) == Kept::Shared {
                bits.extend(view.variable(CellKey::Note(Note::Escaped, tag)));
                owners.extend(view.variable(CellKey::Note(Note::Maker, tag)));
            }
        }
    }
    for (function, edge, kind) in view.steps() {
        let moved = view.moved(Who::Own, function, edge, kind);
        let own = moved.locals.iter().filter_map(|(local, word)| match local {
            Local::Cell(key) => Some((key, word)),
            Local::Register(..) => None,
        });
        for (key, word) in own.chain(&moved.cells) {
            if let (CellKey::Alive(_), None | Some(0)) = (key, view.builder.constant(word.bits)) {
                bits.extend(view.variable(*key));
            }
        }
        for (key, word) in &moved.cells {
            let is_thread = |tag: &Tag| view.universe.thing(*tag) == Some(Thing::Thread);
            if let CellKey::Ghost { .. } = key
                && view.builder.tags(*word).iter().any(is_thread)
            {
                owners.extend(view.variable(*key));
            }
        }
        for touched in moved.touched.iter().filter(|touched| touched.mode.kind == AccessKind::Read) {
            let word = match view.universe.kept(touched.cell.object()) {
                Kept::Own => view.local(Who::Own, Local::Cell(touched.cell)),
                Kept::Shared => view.cell(touched.cell),
                Kept::Nowhere => None,
            };
            if let (Some(Variable::Cell { object, offset, size }), Some(word)) = (view.variable(touched.cell), word)
                && view.builder.tags(word).contains(&Tag::INDETERMINATE)
            {
                bits.insert(Variable::Determinate { object, offset, size });
            }
        }
    }
    let width = program.pointer_width();
    let is_own = |owner: Variable| {
        let (owned_by, own) = (Expr::Register(RegisterId(0), width), Expr::Address(Base::SelfThread, width));
        Predicate::new(&Expr::Binary(BinaryOp::Equal, Box::new(owned_by), Box::new(own)), &[owner])
    };
    let owned = owners.into_iter().map(is_own).chain(taken(view));
    owned.chain(bits.into_iter().map(|bit| Predicate::new(&Expr::Register(RegisterId(0), 1), &[bit]))).collect()
}

/// Whether atomic updates that may take a lock made of a word took it, as the registers tell, some of which were read
/// meanwhile, and whether such a word is as it is to be for that: who has taken the lock looks at these, and nobody else
/// takes it as long as it is not so.
fn taken(view: &mut View<'_>) -> Vec<Predicate> {
    let program = view.universe.program;
    let mut found = Vec::new();
    for (function, edge, kind) in view.steps() {
        let steps = program.function(function).edge(edge).action.steps();
        let reads = steps.iter().filter_map(|step| match step {
            AtomicStep::Read { target, access } => Some((*target, access)),
            _ => None,
        });
        let reads: Vec<(RegisterId, &Access)> = reads.collect();
        for step in steps {
            let AtomicStep::Write { when, access, value } = step else { continue };
            let mut table = Table(Vec::new());
            let mut compared = Vec::new();
            match (&access.place, value) {
                // Whatever it was, it is this afterwards: it is taken if it was not.
                (Place::Memory { .. }, Expr::Constant(_)) if *when == Expr::truth() => {
                    for (register, _) in reads.iter().filter(|(_, read)| read.place == access.place) {
                        let old = Expr::register(*register, value.width());
                        let same = Expr::binary(BinaryOp::Equal, old, value.clone());
                        compared.push(table.of(function, &same));
                    }
                }
                (Place::Memory { .. }, _) => comparisons(&table.of(function, when), &mut compared),
                (Place::Ghost { .. }, _) => {}
            }
            let is_read = |variable: &Variable| {
                reads.iter().any(|(register, _)| *variable == Variable::Register(function, *register))
            };
            let are_registers = table.0.iter().all(|variable| matches!(variable, Variable::Register(..)));
            if !are_registers || !table.0.iter().any(is_read) {
                continue;
            }
            for condition in compared {
                let of_registers = Predicate::new(&condition, &table.0);
                for (register, access) in &reads {
                    for cell in cells(view, (function, edge, kind), access) {
                        let of_cell = with_cell(&of_registers, Variable::Register(function, *register), cell);
                        found.extend(of_cell.filter(|of_cell| of_cell.variables() == [cell]));
                    }
                }
                found.push(of_registers);
            }
        }
    }
    found
}

/// Whether registers are zero that are made of those that tell whether an update was made: in the same function, and as
/// results of functions that return such. (In a small program that comes in by what paths suggest.)
pub fn passed_on(program: &Program, first: &[Predicate]) -> Vec<Predicate> {
    let told = first.iter().flat_map(|predicate| predicate.variables().iter()).filter_map(|variable| match variable {
        Variable::Register(function, register) => Some((*function, *register)),
        _ => None,
    });
    let told: BTreeSet<(FunctionId, RegisterId)> = told.collect();
    let mut telling = told.clone();
    let mut returning: BTreeSet<FunctionId> = BTreeSet::new();
    let functions: BTreeSet<FunctionId> = told.iter().map(|(function, _)| *function).collect();
    for &function in &functions {
        add_made(program, function, &mut telling);
        let of_function: Vec<RegisterId> =
            telling.iter().filter(|(of, _)| *of == function).map(|(_, register)| *register).collect();
        let returns = |edge: &Edge| match &edge.action {
            Action::Return { value: Some(value) } => value.mentions(&of_function),
            _ => false,
        };
        if program.function(function).edges.iter().any(returns) {
            returning.insert(function);
        }
    }
    for (caller, function) in program.functions.iter().enumerate() {
        let caller = FunctionId::new(caller);
        let results = function.edges.iter().filter_map(|edge| match &edge.action {
            Action::Call { callee: Callee::Direct(callee), target, .. } if returning.contains(callee) => *target,
            _ => None,
        });
        let results: Vec<RegisterId> = results.collect();
        if !results.is_empty() {
            telling.extend(results.into_iter().map(|register| (caller, register)));
            add_made(program, caller, &mut telling);
        }
    }
    let is_zero = |(function, register): &(FunctionId, RegisterId)| {
        let width = program.function(*function).register(*register).width;
        let zero = Expr::equal(Expr::register(RegisterId(0), width), Expr::constant(width, 0));
        (width <= WIDEST).then(|| Predicate::new(&zero, &[Variable::Register(*function, *register)]))
    };
    telling.difference(&told).filter_map(is_zero).collect()
}

/// Registers wider than this are not compared.
const WIDEST: u32 = 64;

/// Adds the registers of a function that are assigned what is made of others that are there.
fn add_made(program: &Program, function: FunctionId, telling: &mut BTreeSet<(FunctionId, RegisterId)>) {
    loop {
        let known: Vec<RegisterId> =
            telling.iter().filter(|(of, _)| *of == function).map(|(_, register)| *register).collect();
        let made = program.function(function).edges.iter().filter_map(|edge| match &edge.action {
            Action::Assign { target, value } if value.mentions(&known) => Some((function, *target)),
            _ => None,
        });
        let before = telling.len();
        telling.extend(made.collect::<Vec<_>>());
        if telling.len() == before {
            return;
        }
    }
}
