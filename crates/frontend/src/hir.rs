//! The typed tree between the type checker and the lowering: names resolved, every conversion explicit, constants
//! evaluated, initialisers flattened to offsets, places (lvalues) and values (rvalues) apart.
//!
//! What the checker guarantees, and the lowering relies on:
//! - every [`Expr`] has a type without top-level qualifiers; arrays and functions occur only as places and function
//!   addresses;
//! - operands of arithmetic have the operator's common type already; shifts promote each side on its own;
//! - the value of an assignment, argument or return is converted to the type it is needed in;
//! - expressions of struct or union type occur only as `Load`, `Call`, `Conditional`, `Comma`, `Assign`,
//!   `StatementExpr`, `VaArg`;
//! - a construct that we parse but do not model is `ExprKind::Unsupported`/`StatementKind::Unsupported` with its name.

use crate::syntax::ast::{BinaryOperator, IncrementOperator, LogicalOperator, Span};
use crate::syntax::symbol::Symbol;
use crate::types::{BitField, Qualified, TypeId, VlaId};

selvedge_program::index! {
    /// A variable with static storage: global, static, static local, string literal, compound literal at file scope.
    GlobalId, "global";
    /// A function, declared or defined.
    FunctionId, "function";
    /// A parameter, a local, or a compound literal of one function.
    LocalId, "local";
    /// A label of one function.
    LabelId, "label";
}

impl LabelId {
    /// The value of `&&label`: a number of its own in its function, never null.
    pub fn address(self) -> i128 {
        i128::from(self.0) + 1
    }
}

/// Whether other translation units see a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// They do.
    External,
    /// They do not.
    Internal,
}

/// One translation unit, checked.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Variables with static storage.
    pub globals: Vec<Global>,
    /// Functions, in order of first declaration.
    pub functions: Vec<Function>,
    /// `asm` at file scope: its places.
    pub file_asm: Vec<Span>,
    /// What matters to the whole program and is not modelled, with its place: aliases of variables, static initialisers of types we do not compute with.
    pub unsupported: Vec<(Span, String)>,
}

/// A variable with static storage.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name; `None` for string and compound literals.
    pub name: Option<Symbol>,
    /// The function whose static local it is.
    pub owner: Option<FunctionId>,
    /// Its type, complete unless it is only declared.
    pub ty: Qualified,
    /// Who sees it.
    pub linkage: Linkage,
    /// Whether this unit defines it (also tentatively), or only declares it.
    pub is_defined: bool,
    /// Whether it has an initialiser, so that a second one is an error across units.
    pub is_initialized: bool,
    /// Whether another unit's definition takes precedence.
    pub is_weak: bool,
    /// Whether every thread has its own.
    pub is_thread_local: bool,
    /// Whether it is a string literal: writing to it is undefined.
    pub is_string_literal: bool,
    /// The alignment asked for by `_Alignas` or an attribute, if more than the type's.
    pub align: Option<u32>,
    /// Initial values by offset, in that order and without overlap; the rest is zero. Those of a flexible array member
    /// reach beyond the type's size, and the object with them.
    pub initial: Vec<StaticItem>,
    /// Where it is declared.
    pub span: Span,
}

/// A constant initial value.
#[derive(Clone, Debug, PartialEq)]
pub struct StaticItem {
    /// At which byte.
    pub offset: u64,
    /// Its type.
    pub ty: TypeId,
    /// Its bits, counted from the start of the *object*, if it is a bit-field.
    pub bits: Option<BitField>,
    /// The value.
    pub value: Constant,
}

/// What a constant expression evaluates to.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// A number, reduced to its type's range.
    Integer(i128),
    /// A floating-point number (rounded to `float` where that is its type).
    Float(f64),
    /// The address of something static, plus a number of bytes.
    Address(StaticBase, i64),
    /// The characters of a string literal filling a char array from here on (with the final zero where it fits).
    Bytes(Vec<u8>),
}

/// What an address constant is the address of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StaticBase {
    /// A variable.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name (the `asm` label's, if it has one).
    pub name: Symbol,
    /// Its type.
    pub ty: TypeId,
    /// Who sees it.
    pub linkage: Linkage,
    /// Whether control comes back: `_Noreturn`, or the attribute.
    pub is_noreturn: bool,
    /// Whether another unit's definition takes precedence.
    pub is_weak: bool,
    /// Whether it runs before `main`, and with what priority: the lowest first.
    pub constructor: Option<u32>,
    /// Whether it runs at the end of the process, and with what priority: the highest first.
    pub destructor: Option<u32>,
    /// Its body, if this unit defines it.
    pub body: Option<Body>,
    /// Where it is declared, or better defined.
    pub span: Span,
}

/// A function's body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its parameters, which are locals.
    pub parameters: Vec<LocalId>,
    /// All locals.
    pub locals: Vec<Local>,
    /// All labels, `case`s and `default`s included.
    pub labels: Vec<Label>,
    /// What it does.
    pub statement: Statement,
    /// The closing brace, for the return that nobody wrote.
    pub end: Span,
}

/// A parameter or local.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name; `None` for a compound literal or an unnamed parameter.
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: Qualified,
    /// Whether its address is taken (or it is an aggregate), so that it must live in memory.
    pub needs_memory: bool,
    /// The alignment asked for, if more than the type's.
    pub align: Option<u32>,
    /// Where it is declared.
    pub span: Span,
}

/// A label.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name; `None` for `case` and `default`.
    pub name: Option<Symbol>,
    /// Whether its address is taken (`&&label`).
    pub is_address_taken: bool,
    /// Where it stands.
    pub span: Span,
}

/// A place: what C calls an lvalue.
#[derive(Clone, Debug)]
pub struct Place {
    /// Which.
    pub kind: PlaceKind,
    /// The type of what is there, with qualifiers.
    pub ty: Qualified,
    /// Its bits, relative to the start of the innermost enclosing record's place (see `PlaceKind::Member`), if it is a
    /// bit-field.
    pub bits: Option<BitField>,
    /// Where.
    pub span: Span,
}

/// The kinds of places.
#[derive(Clone, Debug)]
pub enum PlaceKind {
    /// A parameter or local.
    Local(LocalId),
    /// A variable with static storage.
    Global(GlobalId),
    /// What a pointer points to.
    Deref(Box<Expr>),
    /// A member of the record at a place. For a bit-field `offset` is 0 and the place's `bits` count from the record's
    /// start.
    Member {
        /// The record.
        base: Box<Place>,
        /// The member's first byte within it.
        offset: u64,
    },
    /// A struct or union value that is no lvalue, put into a temporary: `f().x`.
    Temporary(Box<Expr>),
    /// A compound literal at block scope: a local, initialised anew whenever this is evaluated.
    CompoundLiteral(LocalId, Box<Initializer>),
    /// `e, place` and other places reached through an effect: the expression is evaluated first.
    After(Box<Expr>, Box<Place>),
}

/// A value: what C calls an rvalue.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Its type, without qualifiers.
    pub ty: TypeId,
    /// Where.
    pub span: Span,
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnaryOperator {
    /// `-`, on the promoted type
    Minus,
    /// `~`, on the promoted type
    BitNot,
    /// `!`, on any scalar; the result is an `int`
    Not,
}

/// Whom a call calls.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function by name: defined in some unit, or known to the library models, or unknown.
    Function(FunctionId),
    /// A value of type pointer to function.
    Pointer(Box<Expr>),
}

/// Which way pointer arithmetic goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `p + i`
    Forward,
    /// `p - i`
    Backward,
}

/// The kinds of values.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant of integer, enum, `_Bool` or pointer type, reduced to the type's range.
    Integer(i128),
    /// A floating constant.
    Float(f64),
    /// What is at a place, of scalar or record type.
    Load(Box<Place>),
    /// The address of a place: `&x`, and what an array decays to (then of type pointer to element).
    AddressOf(Box<Place>),
    /// The address of a function.
    FunctionAddress(FunctionId),
    /// `&&label`
    LabelAddress(LabelId),
    /// The operand converted to this expression's type: between scalars, or to `void`. To `_Bool` it is `!= 0`.
    Convert(Box<Expr>),
    /// One operand.
    Unary(UnaryOperator, Box<Expr>),
    /// Two operands of one arithmetic type (shifts: each its own), or a comparison of two pointers (both of one type).
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// A pointer moved by `index` elements; `index` is of `ptrdiff_t`'s width, any signedness.
    PointerOffset {
        /// The pointer.
        pointer: Box<Expr>,
        /// How many elements.
        index: Box<Expr>,
        /// The size of an element.
        element: Size,
        /// Which way.
        direction: Direction,
    },
    /// The difference of two pointers, in elements.
    PointerDifference {
        /// The minuend.
        left: Box<Expr>,
        /// The subtrahend.
        right: Box<Expr>,
        /// The size of an element.
        element: Size,
    },
    /// `&&`, `||`; operands are scalars; the result is an `int`
    Logical(LogicalOperator, Box<Expr>, Box<Expr>),
    /// `c ? a : b`; c is any scalar
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `c ?: b`: the value of c (converted to this type) if it is true, evaluated once
    ConditionalOmitted(Box<Expr>, Box<Expr>),
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// `place = value`; the result is what was stored
    Assign(Box<Place>, Box<Expr>),
    /// `place op= operand`: the place's value converted to `compute`, combined with the operand (already of that type;
    /// for shifts promoted on its own), converted back, stored. For a pointer place the operand is an index as in
    /// `PointerOffset`.
    CompoundAssign {
        /// The place.
        place: Box<Place>,
        /// The operator.
        op: BinaryOperator,
        /// The right side.
        operand: Box<Expr>,
        /// The type to compute in (the pointer's own for a pointer).
        compute: TypeId,
        /// For a pointer, the size of an element.
        element: Option<Size>,
    },
    /// `++`, `--`
    Increment {
        /// Which.
        op: IncrementOperator,
        /// The place.
        place: Box<Place>,
        /// For a pointer, the size of an element.
        element: Option<Size>,
    },
    /// A call. Arguments are converted to the parameters' types, or promoted where there is no prototype.
    Call {
        /// Whom.
        callee: Callee,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// A call of a compiler builtin or a generic library operation by name (`__builtin_add_overflow`, `__sync_…`,
    /// `__atomic_…`, `atomic_…`): arguments after promotion (not converted to each other); the result type is this
    /// expression's.
    Builtin(Symbol, Vec<Expr>),
    /// `({ … })`; the value of the last expression, if the type is not `void`
    StatementExpr(Box<Statement>, Option<Box<Expr>>),
    /// `va_arg(list, type)`: the list as an address of its first (only) element
    VaArg(Box<Expr>),
    /// The run-time size in bytes of a type with variable lengths.
    SizeOf(Size),
    /// Something we parse but do not model.
    Unsupported(String),
}

/// A size in bytes, perhaps known only when the program runs: `bytes` times all the lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// The constant factor.
    pub bytes: u64,
    /// Variable lengths.
    pub lengths: Vec<VlaId>,
}

impl Size {
    /// A size known at compile time.
    pub fn constant(bytes: u64) -> Size {
        Size { bytes, lengths: Vec::new() }
    }
}

/// How a local object is initialised.
#[derive(Clone, Debug)]
pub struct Initializer {
    /// Whether all that the items do not cover becomes zero (a braced list or a string), or there is just one item for
    /// the whole.
    pub zero_rest: bool,
    /// The items, in order of evaluation; a later one wins where they overlap.
    pub items: Vec<InitializerItem>,
}

/// One item.
#[derive(Clone, Debug)]
pub struct InitializerItem {
    /// At which byte of the object.
    pub offset: u64,
    /// The type of the part.
    pub ty: Qualified,
    /// Its bits, counted from the start of the object, if it is a bit-field.
    pub bits: Option<BitField>,
    /// Its value.
    pub value: InitializerValue,
}

/// The value of an item.
#[derive(Clone, Debug)]
pub enum InitializerValue {
    /// A value of the part's type.
    Expr(Expr),
    /// The bytes of a string literal.
    Bytes(Vec<u8>),
}

/// An operand of `asm`: a place for an output, a value for an input.
#[derive(Clone, Debug)]
pub struct AsmOperand<T> {
    /// What the template calls it beside its number.
    pub name: Option<String>,
    /// Where it is to be.
    pub constraint: String,
    /// It.
    pub operand: T,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Which.
    pub kind: StatementKind,
    /// Where.
    pub span: Span,
}

/// The cases of a `switch`.
#[derive(Clone, Debug)]
pub struct Case {
    /// The first value.
    pub low: i128,
    /// The last value, inclusive; at least the first.
    pub high: i128,
    /// Where it goes.
    pub label: LabelId,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// An expression for its effect.
    Expr(Expr),
    /// Several.
    Block(Vec<Statement>),
    /// `if`; the condition is any scalar
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    /// `switch`: the value is promoted, the cases lie in its type and do not overlap
    Switch {
        /// The value.
        value: Expr,
        /// The cases.
        cases: Vec<Case>,
        /// `default`
        default: Option<LabelId>,
        /// The body, which contains the labels.
        body: Box<Statement>,
    },
    /// `while`
    While(Expr, Box<Statement>),
    /// `do while`
    DoWhile(Box<Statement>, Expr),
    /// `for`
    For {
        /// What comes first.
        init: Vec<Statement>,
        /// The condition.
        condition: Option<Expr>,
        /// What comes after each round.
        step: Option<Expr>,
        /// The body.
        body: Box<Statement>,
    },
    /// `goto label`
    Goto(LabelId),
    /// `goto *e`
    ComputedGoto(Expr),
    /// `break` out of the innermost loop or switch
    Break,
    /// `continue` with the innermost loop
    Continue,
    /// `return`
    Return(Option<Expr>),
    /// A label (also of a `case`), before the statement after it
    Label(LabelId),
    /// The declaration of a local is reached.
    Declare(LocalId, Option<Initializer>),
    /// From here on, the expression is evaluated whenever control leaves the block, the last of several first.
    Deferred(Expr),
    /// The variable lengths of a type are evaluated: `length := expression` (of `size_t`), in order.
    DeclareLength(VlaId, Expr),
    /// `asm`: with its instructions empty and no output it is a compiler barrier
    Asm {
        /// The instructions.
        template: String,
        /// Places written, and read where the constraint says so.
        outputs: Vec<AsmOperand<Place>>,
        /// Values read.
        inputs: Vec<AsmOperand<Expr>>,
    },
    /// Something we parse but do not model.
    Unsupported(String),
}
