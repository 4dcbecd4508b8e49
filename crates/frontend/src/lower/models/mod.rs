//! Models of library functions, by name.
//!
//! A model is either a Rust function in the [`table`] that emits edges into the caller (a lock is one edge), or a C function in
//! `models/*.c`, compiled with the program and called like any other (`strlen` is a loop). A function that the program defines
//! itself under a library's name is the program's own: models are asked only for what is not defined.

pub mod table;

use super::builder::FunctionBuilder;
use crate::types::{TypeId, Types};
use selvedge_program::{Display, Expr};

/// An argument of a library call, after the default promotions (a model converts it as it needs).
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its value: of the type's width; for a struct or union, its address.
    pub value: Expr,
    /// Its C type as declared by the program.
    pub ty: TypeId,
}

/// What is known of the whole program before lowering, so that models can stay simple where they may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Whether any mutex can be of another kind than the default one.
    pub has_mutex_kinds: bool,
}

/// One call of a library function being lowered.
#[derive(Debug)]
pub struct ModelCall<'b, 'a> {
    /// The function name.
    pub name: &'b str,
    /// The arguments.
    pub arguments: &'b [Argument],
    /// The type of the result as the program declares it.
    pub result: TypeId,
    /// The types.
    pub types: &'b Types,
    /// What is known of the program.
    pub facts: Facts,
    /// Where edges go.
    pub function: &'b mut FunctionBuilder<'a>,
}

/// What a model leaves behind.
#[derive(Clone, Debug)]
pub enum Modelled {
    /// A result of any integer, pointer or float width; the lowering converts it to the declared type.
    Value(Expr, Display),
    /// Nothing to use.
    Void,
    /// Control does not come back.
    NoReturn,
    /// The model stands in C under this name: call it with these arguments (converted to its parameters' widths by the
    /// arguments' signedness).
    CallC(&'static str, Vec<Expr>),
    /// This call is not modelled, for this reason; reaching it is `unknown`.
    Unsupported(String),
}

/// A model.
pub type Model = fn(&mut ModelCall<'_, '_>) -> Modelled;

/// The C sources of models, by file name.
pub const C_SOURCES: &[(&str, &str)] = &[];
