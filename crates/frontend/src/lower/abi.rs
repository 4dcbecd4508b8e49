//! How arguments and results travel. Registers hold scalars only, so a struct or union goes by address:
//! - a function that returns one takes the address of the result as a hidden first parameter;
//! - one passed by value is copied by the caller, and its copy's address is passed; the callee uses the copy in place;
//! - the arguments of `...` are stored one after the other in an object of the caller's, whose address is a hidden last
//!   parameter.
//!
//! A direct call follows the function's definition, a call through a pointer the pointer's type; where both disagree
//! the concrete semantics finds that the call does not fit.

use super::values::width;
use crate::hir;
use crate::types::{FunctionType, TypeId, Types};
use selvedge_program::FunctionId;

/// How a result comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultPassing {
    /// There is none.
    Nothing,
    /// In a register.
    Value(TypeId),
    /// Through a hidden address.
    Memory(TypeId),
}

impl ResultPassing {
    /// How a result of a type comes back.
    pub fn of(types: &Types, ty: TypeId) -> ResultPassing {
        if ty == Types::VOID {
            ResultPassing::Nothing
        } else if types.is_aggregate(ty) {
            ResultPassing::Memory(ty)
        } else {
            ResultPassing::Value(ty)
        }
    }

    /// The width of the register with the result.
    pub fn width(self, types: &Types) -> Option<u32> {
        match self {
            ResultPassing::Value(ty) => Some(width(types, ty)),
            ResultPassing::Nothing | ResultPassing::Memory(_) => None,
        }
    }
}

/// What becomes of arguments beyond the named parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// They go through memory: `...`.
    Variadic,
    /// They are evaluated and dropped: the definition `f() { … }` says nothing about its arguments.
    Dropped,
    /// There must be none.
    Forbidden,
}

/// How a function is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abi {
    /// Its result.
    pub result: ResultPassing,
    /// The types in which its named parameters are passed.
    pub parameters: Vec<TypeId>,
    /// What becomes of further arguments.
    pub extra: Extra,
}

/// The type in which an argument is passed where no prototype says otherwise.
pub fn promoted(types: &Types, ty: TypeId) -> TypeId {
    if ty == Types::FLOAT { Types::DOUBLE } else { types.promote(ty) }
}

impl Abi {
    /// Of a defined function.
    pub fn of_definition(types: &Types, ty: TypeId, body: &hir::Body) -> Abi {
        let declared = types.function_type(ty);
        let has_prototype = declared.is_some_and(|ty| ty.has_prototype);
        let parameter = |local: &hir::LocalId| {
            let ty = body.locals[local.index()].ty.ty;
            if has_prototype { ty } else { promoted(types, ty) }
        };
        let extra = match declared {
            Some(FunctionType { is_variadic: true, .. }) => Extra::Variadic,
            Some(FunctionType { has_prototype: false, .. }) => Extra::Dropped,
            _ => Extra::Forbidden,
        };
        let result = declared.map_or(Types::VOID, |ty| ty.result.ty);
        let parameters = body.parameters.iter().map(parameter).collect();
        Abi { result: ResultPassing::of(types, result), parameters, extra }
    }

    /// Of what a function type says, for a call with arguments of these types.
    pub fn of_type(types: &Types, ty: &FunctionType, arguments: &[TypeId]) -> Abi {
        let parameters = if ty.has_prototype {
            ty.parameters.iter().map(|parameter| parameter.ty).collect()
        } else {
            arguments.to_vec()
        };
        let extra = if ty.is_variadic { Extra::Variadic } else { Extra::Forbidden };
        Abi { result: ResultPassing::of(types, ty.result.ty), parameters, extra }
    }
}

/// A function to be called: who, and how.
#[derive(Clone, Debug)]
pub struct Callable {
    /// Who.
    pub id: FunctionId,
    /// How.
    pub abi: Abi,
}
