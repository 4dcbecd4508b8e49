//! Lowering the typed tree to the program model: evaluation order made explicit, one memory access per edge, library calls replaced
//! by their models.

pub mod builder;
pub mod models;
mod tidy;
