//! The syntax tree of a preprocessed translation unit, as the parser builds it: names are not resolved beyond what
//! parsing C needs (typedef names), types are not computed, constants not evaluated.
//!
//! Invariant: the depth of a tree is bounded by the parser ([`MAX_DEPTH`]), so that walking and dropping it by
//! recursion is safe on the front end's stack.

use super::symbol::Symbol;

/// No tree is deeper than this; the parser reports an error instead. Chains (`a + b + c + …`, `else if`) count as
/// depth.
pub const MAX_DEPTH: usize = 4000;

/// A stretch of the preprocessed text, as byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// From the start of one to the end of the other.
    pub fn to(self, end: Span) -> Span {
        Span { start: self.start, end: end.end.max(self.start) }
    }
}

/// An identifier in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identifier {
    /// The name.
    pub name: Symbol,
    /// Where.
    pub span: Span,
}

/// A whole preprocessed file.
#[derive(Clone, Debug, Default)]
pub struct TranslationUnit {
    /// What stands at file scope, in order.
    pub items: Vec<External>,
}

/// What can stand at file scope.
#[derive(Clone, Debug)]
pub enum External {
    /// A function with its body.
    Function(FunctionDefinition),
    /// Anything else that is declared.
    Declaration(Declaration),
    /// `asm("…");` at file scope.
    Asm(Asm),
}

/// A function definition.
#[derive(Clone, Debug)]
pub struct FunctionDefinition {
    /// What stands before the declarator.
    pub specifiers: Specifiers,
    /// The name and parameters.
    pub declarator: Declarator,
    /// K&R: the declarations between the declarator and the body.
    pub old_style: Vec<Declaration>,
    /// The body.
    pub body: Block,
    /// From the first specifier to the closing parenthesis of the declarator.
    pub span: Span,
}

/// A declaration, or a `_Static_assert`.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// `specifiers declarators;`, possibly without declarators (`struct s;`).
    Variables {
        /// What stands before the declarators.
        specifiers: Specifiers,
        /// What is declared.
        declarators: Vec<InitDeclarator>,
        /// The whole.
        span: Span,
    },
    /// `_Static_assert(condition, "message");`
    StaticAssert {
        /// The condition.
        condition: Expr,
        /// The message, decoded.
        message: Option<String>,
        /// The whole.
        span: Span,
    },
}

/// A declarator with its initialiser.
#[derive(Clone, Debug)]
pub struct InitDeclarator {
    /// The name and its type.
    pub declarator: Declarator,
    /// The initial value.
    pub initializer: Option<Initializer>,
}

/// The storage class of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageClass {
    /// `typedef`
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
    /// `auto`
    Auto,
    /// `register`
    Register,
}

/// `const`, `volatile`, `restrict`, `_Atomic`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub struct Qualifiers {
    /// `const`
    pub is_const: bool,
    /// `volatile`
    pub is_volatile: bool,
    /// `restrict`
    pub is_restrict: bool,
    /// `_Atomic`
    pub is_atomic: bool,
    /// A typedef whose `aligned` attribute asks for less than the type's own alignment; never written as a qualifier.
    pub is_unaligned: bool,
}

impl Qualifiers {
    /// Only those that C calls qualifiers, which decide about compatibility.
    pub fn standard(self) -> Qualifiers {
        Qualifiers { is_unaligned: false, ..self }
    }

    /// The union of both.
    pub fn with(self, other: Qualifiers) -> Qualifiers {
        Qualifiers {
            is_const: self.is_const || other.is_const,
            is_volatile: self.is_volatile || other.is_volatile,
            is_restrict: self.is_restrict || other.is_restrict,
            is_atomic: self.is_atomic || other.is_atomic,
            is_unaligned: self.is_unaligned || other.is_unaligned,
        }
    }
}

/// Everything before the declarators of a declaration.
#[derive(Clone, Debug)]
pub struct Specifiers {
    /// `typedef`, `static`, ….
    pub storage: Option<StorageClass>,
    /// `_Thread_local` or `__thread`.
    pub is_thread_local: bool,
    /// `inline`.
    pub is_inline: bool,
    /// `_Noreturn` (the attribute is among the attributes).
    pub is_noreturn: bool,
    /// C23 `constexpr`.
    pub is_constexpr: bool,
    /// The type.
    pub type_specifier: TypeSpecifier,
    /// Its qualifiers.
    pub qualifiers: Qualifiers,
    /// `_Alignas`.
    pub alignments: Vec<Alignment>,
    /// `__attribute__`.
    pub attributes: Vec<Attribute>,
    /// The whole.
    pub span: Span,
}

/// The operand of `_Alignas`.
#[derive(Clone, Debug)]
pub enum Alignment {
    /// `_Alignas(type)`
    Type(TypeName),
    /// `_Alignas(8)`
    Expr(Expr),
}

/// One attribute: `__attribute__((name(arguments)))` or `[[name]]`. Names are without surrounding underscores.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The name, e.g. `packed`.
    pub name: Symbol,
    /// The arguments that parse as expressions (types and others are left out).
    pub arguments: Vec<Expr>,
    /// Where.
    pub span: Span,
}

/// The standard integer types, by rank within a signedness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Integer {
    /// `char`, signed on the machines we model
    Char,
    /// `signed char`
    SignedChar,
    /// `unsigned char`
    UnsignedChar,
    /// `short`
    Short,
    /// `unsigned short`
    UnsignedShort,
    /// `int`
    Int,
    /// `unsigned int`
    UnsignedInt,
    /// `long`
    Long,
    /// `unsigned long`
    UnsignedLong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    UnsignedLongLong,
    /// `__int128`
    Int128,
    /// `unsigned __int128`
    UnsignedInt128,
}

/// What words name an arithmetic type, or `void`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BuiltinType {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// An integer type
    Integer(Integer),
    /// `float`, also `_Float32`
    Float,
    /// `double`, also `_Float64` and `_Float32x`
    Double,
    /// `long double`, also `_Float64x`
    LongDouble,
    /// `_Float128`, `__float128`
    Float128,
    /// `_Float16`, `__bf16`, `_Decimal32`, `_BitInt`, `_Complex int` … and other arithmetic types that we only parse
    OtherFloat,
    /// `_Complex float`
    ComplexFloat,
    /// `_Complex double`
    ComplexDouble,
    /// `_Complex long double`
    ComplexLongDouble,
    /// `__builtin_va_list`
    VaList,
}

/// A type specifier, the sequence of words (`unsigned long int`) already sorted out.
#[derive(Clone, Debug)]
pub enum TypeSpecifier {
    /// An arithmetic type or `void`.
    Builtin(BuiltinType),
    /// A typedef name.
    Typedef(Identifier),
    /// `struct` or `union`.
    Record(Box<RecordSpecifier>),
    /// `enum`.
    Enum(Box<EnumSpecifier>),
    /// `typeof(expression)`
    TypeofExpr(Box<Expr>),
    /// `typeof(type)`; for `typeof_unqual` the specifiers have an attribute `typeof_unqual` (our own).
    TypeofType(Box<TypeName>),
    /// `_Atomic(type)`
    Atomic(Box<TypeName>),
    /// `__auto_type`, and `auto` without a type: in C23 the type of the initialiser, before that implicit `int`.
    Auto,
    /// No type at all: implicit `int`.
    ImplicitInt,
}

/// `struct` or `union`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordKind {
    /// `struct`
    Struct,
    /// `union`
    Union,
}

/// A struct or union specifier.
#[derive(Clone, Debug)]
pub struct RecordSpecifier {
    /// Which.
    pub kind: RecordKind,
    /// The tag.
    pub tag: Option<Identifier>,
    /// The members; `None` for a mere mention.
    pub members: Option<Vec<MemberDeclaration>>,
    /// Attributes before the tag or after the closing brace; under `#pragma pack` also our own `pragma_pack(n)`.
    pub attributes: Vec<Attribute>,
    /// The whole.
    pub span: Span,
}

/// A member declaration of a struct or union.
#[derive(Clone, Debug)]
pub enum MemberDeclaration {
    /// Members, possibly without a declarator (anonymous struct or union).
    Members {
        /// The type and qualifiers.
        specifiers: Specifiers,
        /// The members; empty for an anonymous struct or union.
        declarators: Vec<MemberDeclarator>,
        /// The whole.
        span: Span,
    },
    /// A `_Static_assert` among the members.
    StaticAssert(Declaration),
}

/// One member.
#[derive(Clone, Debug)]
pub struct MemberDeclarator {
    /// Its name and type; without a name for an unnamed bit-field.
    pub declarator: Declarator,
    /// The width of a bit-field.
    pub bits: Option<Expr>,
}

/// An enum specifier.
#[derive(Clone, Debug)]
pub struct EnumSpecifier {
    /// The tag.
    pub tag: Option<Identifier>,
    /// C23: the underlying type.
    pub underlying: Option<TypeName>,
    /// The enumerators; `None` for a mere mention.
    pub enumerators: Option<Vec<Enumerator>>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The whole.
    pub span: Span,
}

/// One enumerator.
#[derive(Clone, Debug)]
pub struct Enumerator {
    /// Its name.
    pub name: Identifier,
    /// Its value, if given.
    pub value: Option<Expr>,
}

/// A declarator: a name and how its type derives from the specifiers' type.
#[derive(Clone, Debug, Default)]
pub struct Declarator {
    /// The name; `None` for an abstract declarator.
    pub name: Option<Identifier>,
    /// The derivations, innermost (nearest to the name) first: for `*a[3]` an array, then a pointer.
    pub derived: Vec<Derived>,
    /// Attributes after the declarator.
    pub attributes: Vec<Attribute>,
    /// `asm("name")`.
    pub asm_label: Option<String>,
    /// The whole, or where it would stand.
    pub span: Span,
}

/// One derivation of a declarator.
#[derive(Clone, Debug)]
pub enum Derived {
    /// `* qualifiers`
    Pointer(Qualifiers, Vec<Attribute>),
    /// `[size]`
    Array {
        /// The size.
        size: ArraySize,
        /// Qualifiers of a parameter declared as an array.
        qualifiers: Qualifiers,
    },
    /// `(parameters)`
    Function(Parameters),
}

/// The size of an array declarator.
#[derive(Clone, Debug)]
pub enum ArraySize {
    /// `[]`
    Unspecified,
    /// `[*]`
    Star,
    /// `[n]`, constant or not
    Expr(Box<Expr>),
}

/// The parameter list of a function declarator.
#[derive(Clone, Debug)]
pub enum Parameters {
    /// `()` (before C23) : nothing is said.
    Unspecified,
    /// `(a, b)` of an old-style definition.
    Identifiers(Vec<Identifier>),
    /// A prototype; `(void)` has no parameters.
    Prototype {
        /// The parameters.
        parameters: Vec<Parameter>,
        /// Whether it ends in `...`.
        is_variadic: bool,
    },
}

/// One parameter of a prototype.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its specifiers.
    pub specifiers: Specifiers,
    /// Its declarator, perhaps abstract.
    pub declarator: Declarator,
}

/// A type name, as in a cast.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// The specifiers.
    pub specifiers: Specifiers,
    /// The abstract declarator.
    pub declarator: Declarator,
    /// The whole.
    pub span: Span,
}

/// An initialiser.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// A single expression.
    Expr(Expr),
    /// `{ … }`
    List(Vec<InitializerItem>, Span),
}

/// One item of an initialiser list.
#[derive(Clone, Debug)]
pub struct InitializerItem {
    /// `.a[3] =`, from the outermost; empty if there is none.
    pub designators: Vec<Designator>,
    /// The value.
    pub value: Initializer,
}

/// One designator.
#[derive(Clone, Debug)]
pub enum Designator {
    /// `.name` (also the old `name:`)
    Member(Identifier),
    /// `[index]`
    Index(Expr),
    /// `[first ... last]`
    Range(Expr, Expr),
}

/// A compound statement.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// `__label__` declarations.
    pub local_labels: Vec<Identifier>,
    /// The statements and declarations.
    pub items: Vec<BlockItem>,
    /// From `{` to `}`.
    pub span: Span,
}

/// What stands in a block.
#[derive(Clone, Debug)]
pub enum BlockItem {
    /// A declaration.
    Declaration(Declaration),
    /// A statement.
    Statement(Statement),
    /// A nested function (GNU): parsed, not supported.
    NestedFunction(Box<FunctionDefinition>),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// The whole.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `;`
    Empty,
    /// `e;`
    Expr(Expr),
    /// `{ … }`
    Block(Block),
    /// `if (c) a else b`
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    /// `switch (e) s`
    Switch(Expr, Box<Statement>),
    /// `while (c) s`
    While(Expr, Box<Statement>),
    /// `do s while (c);`
    DoWhile(Box<Statement>, Expr),
    /// `for (init; c; step) s`
    For(Option<ForInit>, Option<Expr>, Option<Expr>, Box<Statement>),
    /// `goto label;`
    Goto(Identifier),
    /// `goto *e;`
    ComputedGoto(Expr),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`
    Return(Option<Expr>),
    /// `label: s`
    Label(Identifier, Vec<Attribute>, Box<Statement>),
    /// `case a: s` or `case a ... b: s`
    Case(Expr, Option<Expr>, Box<Statement>),
    /// `default: s`
    Default(Box<Statement>),
    /// A declaration where a statement is expected, after a label (C23).
    Declaration(Box<Declaration>),
    /// `asm`
    Asm(Asm),
}

/// The first part of a `for`.
#[derive(Clone, Debug)]
pub enum ForInit {
    /// An expression.
    Expr(Expr),
    /// A declaration.
    Declaration(Box<Declaration>),
}

/// An `asm` statement or declaration.
#[derive(Clone, Debug)]
pub struct Asm {
    /// The instructions, as written, decoded.
    pub template: String,
    /// `volatile`
    pub is_volatile: bool,
    /// `goto`
    pub is_goto: bool,
    /// Outputs: constraint and lvalue.
    pub outputs: Vec<AsmOperand>,
    /// Inputs: constraint and value.
    pub inputs: Vec<AsmOperand>,
    /// Clobbers.
    pub clobbers: Vec<String>,
    /// The whole.
    pub span: Span,
}

/// An operand of `asm`.
#[derive(Clone, Debug)]
pub struct AsmOperand {
    /// What the template calls it beside its number.
    pub name: Option<Symbol>,
    /// The constraint.
    pub constraint: String,
    /// The lvalue or value.
    pub operand: Expr,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// The encoding of a character constant or string literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Encoding {
    /// No prefix
    Plain,
    /// `u8`
    Utf8,
    /// `u`
    Utf16,
    /// `U`
    Utf32,
    /// `L`
    Wide,
}

/// The suffix of an integer constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct IntegerSuffix {
    /// `u`
    pub is_unsigned: bool,
    /// 0, 1 (`l`) or 2 (`ll`)
    pub longs: u8,
    /// `i` or `j`: imaginary (GNU)
    pub is_imaginary: bool,
}

/// The suffix of a floating constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatSuffix {
    /// none: `double`
    Double,
    /// `f`
    Float,
    /// `l`
    LongDouble,
    /// Anything else (`q`, `f128`, `i`, …)
    Other,
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnaryOperator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `~`
    BitNot,
    /// `!`
    Not,
    /// `*`
    Dereference,
    /// `&`
    AddressOf,
    /// `__real__`
    Real,
    /// `__imag__`
    Imaginary,
}

/// Increment and decrement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IncrementOperator {
    /// `++e`
    PreIncrement,
    /// `--e`
    PreDecrement,
    /// `e++`
    PostIncrement,
    /// `e--`
    PostDecrement,
}

/// Infix operators without assignment and without short-circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinaryOperator {
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
}

/// `&&` and `||`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogicalOperator {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// The operand of `sizeof` and `_Alignof`.
#[derive(Clone, Debug)]
pub enum TypeOrExpr {
    /// A type in parentheses.
    Type(Box<TypeName>),
    /// An expression.
    Expr(Box<Expr>),
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A name.
    Identifier(Symbol),
    /// An integer constant: its value, its suffix, and whether it was written in decimal (which matters for its type).
    Integer {
        /// The value.
        value: u128,
        /// The suffix.
        suffix: IntegerSuffix,
        /// Whether it was written in decimal.
        is_decimal: bool,
    },
    /// A floating constant.
    Float(f64, FloatSuffix),
    /// A character constant, already evaluated.
    Character(i64, Encoding),
    /// A string literal, adjacent ones joined; code units of the encoding's element type, without the final zero.
    String(Vec<u32>, Encoding),
    /// `(e)`; kept because `sizeof`, `&` and warnings may care, and `("abc")` is no initialiser brace.
    Parenthesized(Box<Expr>),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `f(arguments)`; where a builtin takes a type, the argument is `sizeof` of it.
    Call(Box<Expr>, Vec<Expr>),
    /// `e.name`
    Member(Box<Expr>, Identifier),
    /// `e->name`
    Arrow(Box<Expr>, Identifier),
    /// `++`, `--`
    Increment(IncrementOperator, Box<Expr>),
    /// A prefix operator.
    Unary(UnaryOperator, Box<Expr>),
    /// `&&label`
    LabelAddress(Identifier),
    /// An infix operator.
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// `&&`, `||`
    Logical(LogicalOperator, Box<Expr>, Box<Expr>),
    /// `c ? a : b`; without `a` for the GNU form.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    /// `a = b`, or `a op= b`.
    Assign(Option<BinaryOperator>, Box<Expr>, Box<Expr>),
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// `(type) e`
    Cast(Box<TypeName>, Box<Expr>),
    /// `(type){ … }`
    CompoundLiteral(Box<TypeName>, Vec<InitializerItem>),
    /// `sizeof`
    Sizeof(TypeOrExpr),
    /// `_Alignof`
    Alignof(TypeOrExpr),
    /// `__alignof__`, which on i386 can be more
    PreferredAlignof(TypeOrExpr),
    /// `({ … })`
    StatementExpr(Block),
    /// `_Generic(e, type: a, default: b)`
    Generic(Box<Expr>, Vec<(Option<TypeName>, Expr)>),
    /// `__builtin_va_arg(list, type)`
    VaArg(Box<Expr>, Box<TypeName>),
    /// `__builtin_offsetof(type, a.b[3])`
    Offsetof(Box<TypeName>, Vec<Designator>),
    /// `__builtin_types_compatible_p(a, b)`
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    /// `__builtin_choose_expr(c, a, b)`
    ChooseExpr(Box<Expr>, Box<Expr>, Box<Expr>),
}
