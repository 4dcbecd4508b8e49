//! Predicates: conditions over what a thread can see, as values and as text.
//!
//! A predicate speaks of *variables*: registers of a function, cells of static objects, ghost fields of these and of
//! the executing thread, which is `self`. Its text looks like C and is typed like C: `balance >= 0`, `owner(m) ==
//! self`, `worker::i < n`, `queue.head == &queue.items[0]`.
//!
//! Inside, a predicate is a program expression whose registers are positions in its own table of variables. So whatever
//! can be done with expressions (simplify, evaluate, make a term of) can be done with predicates, and two predicates
//! are equal when they look the same.
//!
//! ```
//! use selvedge_program::assemble::Assembly;
//! use selvedge_symbolic::Predicate;
//!
//! let mut assembly = Assembly::new();
//! assembly.global("balance", 4);
//! assembly.function("main", None, |main| main.register("i", 32));
//! let program = assembly.program;
//!
//! let predicate = Predicate::parse(&program, "!(balance < 0) && main::i * 2 != balance").expect("is well-formed");
//! assert_eq!(predicate.text(&program), "balance >= 0 && main::i * 2 != balance");
//! ```

mod exact;
mod fits;
mod infix;
mod names;
mod parse;
mod print;
mod relation;
mod term;
mod tokens;
mod types;

use selvedge_program::{
    Expr, FrameObjectId, FunctionId, GhostField, ObjectId, ObjectKind, Program, RegisterId, Shape, SiteId,
};

use crate::cell::{Note, Tally};

pub use names::{find_function, function_name, register_name, root_name, variable as variable_name};
pub use parse::{read_function, read_part, read_register, read_root, read_variable};
pub use relation::{Moment, Relation, Timed};
pub use term::Valuation;
pub use tokens::{SyntaxError, literal};
pub use types::{Type, of_variable};

/// The object that a variable is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Root {
    /// A static object; of a thread-local one, the executing thread's.
    Static(ObjectId),
    /// A local of a function whose address is taken, in the thread's innermost activation of it; of `main`, everyone's.
    Local(FunctionId, FrameObjectId),
    /// The one allocation of a site that stands for all.
    One(SiteId),
}

impl Root {
    /// Its size in bytes; `None` if the program does not have it.
    fn size(self, program: &Program) -> Option<u64> {
        Some(match self {
            Root::Static(object) => program.objects.get(object.index())?.size,
            Root::Local(function, slot) => program.functions.get(function.index())?.frame.get(slot.index())?.size,
            Root::One(site) => program.sites.get(site.index()).map(|_| u64::MAX)?,
        })
    }

    /// The names of its parts.
    fn shape(self, program: &Program) -> &Shape {
        match self {
            Root::Static(object) => &program.object(object).shape,
            Root::Local(function, slot) => &program.function(function).frame_object(slot).shape,
            Root::One(_) => &Shape::Opaque,
        }
    }

    /// Whether every thread has one of its own.
    fn is_own(self, program: &Program) -> bool {
        match self {
            Root::Static(object) => program.object(object).kind == ObjectKind::ThreadLocal,
            Root::Local(function, _) => program.main().is_none_or(|main| main != function),
            Root::One(_) => false,
        }
    }
}

/// What a predicate can speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variable {
    /// A register of a function, in the thread's innermost activation of it.
    Register(FunctionId, RegisterId),
    /// Bytes of an object.
    Cell {
        /// The object.
        object: Root,
        /// The first byte.
        offset: u64,
        /// How many bytes.
        size: u32,
    },
    /// A ghost field kept with an object.
    Ghost {
        /// The object.
        object: Root,
        /// Where in it.
        offset: u64,
        /// Which field.
        field: GhostField,
    },
    /// A ghost field of the executing thread.
    OwnGhost(GhostField),
    /// The thread that last changed the cell that begins here, or null: a word that is taken by an atomic update is a
    /// lock, and this is its owner.
    Changer {
        /// The object.
        object: Root,
        /// Where in it.
        offset: u64,
    },
    /// What proofs keep of the counter that begins here: bytes, or a ghost field.
    Tally {
        /// The object.
        object: Root,
        /// Where in it.
        offset: u64,
        /// Which field, if it is not bytes.
        field: Option<GhostField>,
        /// What is kept.
        tally: Tally,
    },
    /// How many threads have been started, the first one included, and not been joined.
    Unjoined,
    /// Whether an object is alive: a bit.
    Alive(Root),
    /// What proofs keep of an object.
    Note(Note, Root),
    /// The address of an object: a constant.
    Address(Root),
    /// Whether none of these bytes is indeterminate: a bit.
    Determinate {
        /// The object.
        object: Root,
        /// The first byte.
        offset: u64,
        /// How many bytes.
        size: u32,
    },
}

/// Whose state a predicate is about (paper 004, Section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// What all threads share.
    Shared,
    /// What the executing thread has for itself.
    Local,
    /// Both.
    Mixed,
}

/// A condition over variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Predicate {
    /// By position: the register that stands for it in the condition. Each occurs, in the order of first occurrence.
    variables: Vec<Variable>,
    condition: Expr,
}

impl Predicate {
    /// A condition of width 1 whose registers are positions in a table of variables.
    pub fn new(condition: &Expr, table: &[Variable]) -> Predicate {
        let (variables, condition) = compact(condition, table);
        Predicate { variables, condition }
    }

    /// Reads a predicate over a program.
    ///
    /// # Errors
    /// For what is no condition, and for names that the program does not have.
    pub fn parse(program: &Program, text: &str) -> Result<Predicate, SyntaxError> {
        parse::parse(program, text)
    }

    /// The text that [`Predicate::parse`] reads as this predicate.
    pub fn text(&self, program: &Program) -> String {
        let table: Vec<Timed> = self.variables.iter().map(|variable| (*variable, Moment::Before)).collect();
        print::print(program, &table, &self.condition)
    }

    /// What it speaks of, in the order of first occurrence.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The condition, with positions in [`Predicate::variables`] for registers.
    pub fn condition(&self) -> &Expr {
        &self.condition
    }

    /// Whose state it is about.
    pub fn reach(&self, program: &Program) -> Reach {
        let own = |variable: &Variable| match variable {
            Variable::Register(..) | Variable::OwnGhost(_) => true,
            Variable::Unjoined => false,
            Variable::Tally { tally, .. } => tally.is_own(),
            Variable::Cell { object, .. }
            | Variable::Ghost { object, .. }
            | Variable::Changer { object, .. }
            | Variable::Determinate { object, .. }
            | Variable::Alive(object)
            | Variable::Note(_, object) => object.is_own(program),
            Variable::Address(_) => false,
        };
        let is_local = self.variables.iter().any(own) || self.condition.mentions_self();
        let is_shared = !self.variables.iter().all(own);
        match (is_shared, is_local) {
            (true, true) => Reach::Mixed,
            (false, true) => Reach::Local,
            (_, false) => Reach::Shared,
        }
    }

    /// The negation.
    #[must_use]
    pub fn not(&self) -> Predicate {
        Predicate::new(&self.condition.clone().not(), &self.variables)
    }

    /// Both.
    #[must_use]
    pub fn and(&self, other: &Predicate) -> Predicate {
        self.with(other, Expr::and)
    }

    /// Either.
    #[must_use]
    pub fn or(&self, other: &Predicate) -> Predicate {
        self.with(other, Expr::or)
    }

    fn with(&self, other: &Predicate, join: fn(Expr, Expr) -> Expr) -> Predicate {
        let mut table = self.variables.clone();
        table.extend(&other.variables);
        let first = self.variables.len();
        let moved = other.condition.rename(&mut |register| RegisterId::new(first + register.index()));
        Predicate::new(&join(self.condition.clone(), moved), &table)
    }
}

/// A condition in its simplest form, and what its registers stand for: each occurs, in the order of first occurrence.
fn compact<T: Copy + PartialEq>(condition: &Expr, table: &[T]) -> (Vec<T>, Expr) {
    let condition = condition.simplified();
    debug_assert_eq!(condition.width(), 1, "a predicate is a condition");
    let mut variables = Vec::new();
    condition.for_each_register(&mut |register| {
        let variable = table[register.index()];
        if !variables.contains(&variable) {
            variables.push(variable);
        }
    });
    let position = |variable: T| variables.iter().position(|known| *known == variable).unwrap_or_default();
    let condition = condition.rename(&mut |register| RegisterId::new(position(table[register.index()])));
    (variables, condition)
}
