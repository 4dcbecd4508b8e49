//! The program model that every engine reads, and the concrete semantics that judges every counterexample.
//!
//! Contents: [`model`] and [`action`] define programs, [`expr`] and [`bits`] their expressions, [`source`] the places in the
//! user's files, [`undefined`] what can go wrong.

pub mod action;
pub mod bits;
mod build;
mod defined;
pub mod expr;
pub mod fold;
pub mod ids;
pub mod model;
pub mod run;
pub mod semantics;
mod shape;
mod simplify;
pub mod source;
pub mod trace;
pub mod undefined;

pub use action::{
    Access, Action, AtomicStep, Atomicity, Callee, GhostField, InitialContents, Interpretation, OutputPiece, Place,
    Storage,
};
pub use bits::Bits;
pub use expr::{Base, BinaryOp, Conversion, Expr, FloatFormat, UnaryOp};
pub use ids::{
    CheckId, EdgeId, FileId, FrameObjectId, FunctionId, LocationId, ObjectId, RegisterId, SiteId, TemplateId,
    ThreadIndex,
};
pub use model::{
    Caveat, Check, DataModel, Display, Edge, FrameObject, Function, InitialValue, Location, Member, Object, ObjectKind,
    Program, Property, Register, Shape, Template,
};
pub use source::{Diagnostic, Severity, SourceFile, Sources, Span};
pub use undefined::Undefined;
