//! The words of C: what kinds of tokens there are, and which identifiers are keywords.
//!
//! Some keywords are *soft*: a program may declare the same name for itself (`typedef int bool;`, `enum { false, true
//! }`), and then it is an ordinary identifier. The lexer gives soft keywords as identifiers; the parser's scopes
//! decide.

use super::ast::Span;
use super::symbol::{Interner, Symbol};

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where.
    pub span: Span,
    /// The name, for identifiers and keywords; meaningless otherwise.
    pub name: Option<Symbol>,
}

macro_rules! token_kinds {
    (
        other { $($(#[$doc:meta])* $other:ident = $description:literal,)* }
        punctuators { $($punctuator:ident = $sign:literal,)* }
        keywords { $($keyword:ident = $($spelling:literal)|+,)* }
        soft { $($soft:ident = $($soft_spelling:literal)|+,)* }
    ) => {
        /// What a token is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum TokenKind { $($(#[$doc])* $other,)* $($punctuator,)* $($keyword,)* $($soft,)* }

        impl TokenKind {
            /// The kind in words, for messages: `';'`, `identifier`.
            pub fn describe(self) -> &'static str {
                match self {
                    $(TokenKind::$other => $description,)*
                    $(TokenKind::$punctuator => concat!("'", $sign, "'"),)*
                    $(TokenKind::$keyword => first!($($spelling)|+),)*
                    $(TokenKind::$soft => first!($($soft_spelling)|+),)*
                }
            }
        }

        /// The keywords that no program can declare, with all their spellings.
        const KEYWORDS: &[(&str, TokenKind)] = &[$($(($spelling, TokenKind::$keyword),)+)*];
        /// The keywords that a program can declare as names of its own.
        const SOFT_KEYWORDS: &[(&str, TokenKind)] = &[$($(($soft_spelling, TokenKind::$soft),)+)*];
    };
}

macro_rules! first {
    ($first:literal $(| $rest:literal)*) => {
        concat!("'", $first, "'")
    };
}

token_kinds! {
    other {
        /// The end of the text.
        End = "end of input",
        /// A name that is not a hard keyword.
        Identifier = "identifier",
        /// A name that the scopes know as a typedef name; the lexer never says so.
        TypedefName = "type name",
        /// A preprocessing number.
        Number = "number",
        /// A character constant.
        Character = "character constant",
        /// A string literal.
        String = "string literal",
        /// Bytes that belong to no token; the lexer has reported them.
        Stray = "stray character",
    }
    punctuators {
        LeftParen = "(", RightParen = ")", LeftBracket = "[", RightBracket = "]", LeftBrace = "{", RightBrace = "}",
        Semicolon = ";", Comma = ",", Colon = ":", Question = "?", Dot = ".", Ellipsis = "...", Arrow = "->",
        Plus = "+", Minus = "-", Star = "*", Slash = "/", Percent = "%", Tilde = "~", Exclamation = "!", Ampersand = "&",
        Bar = "|", Caret = "^", Less = "<", Greater = ">", LessEqual = "<=", GreaterEqual = ">=", EqualEqual = "==",
        NotEqual = "!=", ShiftLeft = "<<", ShiftRight = ">>", AndAnd = "&&", OrOr = "||", PlusPlus = "++", MinusMinus = "--",
        Assign = "=", PlusAssign = "+=", MinusAssign = "-=", StarAssign = "*=", SlashAssign = "/=", PercentAssign = "%=",
        AmpersandAssign = "&=", BarAssign = "|=", CaretAssign = "^=", ShiftLeftAssign = "<<=", ShiftRightAssign = ">>=",
        Hash = "#", HashHash = "##",
    }
    keywords {
        Auto = "auto", Break = "break", Case = "case", Char = "char", Const = "const" | "__const" | "__const__",
        Continue = "continue", Default = "default", Do = "do", Double = "double", Else = "else", Enum = "enum",
        Extern = "extern", Float = "float", For = "for", Goto = "goto", If = "if",
        Inline = "inline" | "__inline" | "__inline__", Int = "int", Long = "long", Register = "register",
        Restrict = "restrict" | "__restrict" | "__restrict__", Return = "return", Short = "short",
        Signed = "signed" | "__signed" | "__signed__", Sizeof = "sizeof", Static = "static", Struct = "struct",
        Switch = "switch", Typedef = "typedef", Union = "union", Unsigned = "unsigned", Void = "void",
        Volatile = "volatile" | "__volatile" | "__volatile__", While = "while",
        HardAlignas = "_Alignas", Alignof = "_Alignof", PreferredAlignof = "__alignof" | "__alignof__", Atomic = "_Atomic",
        HardBool = "_Bool" | "__CPROVER_bool", Complex = "_Complex" | "__complex" | "__complex__", Generic = "_Generic", Noreturn = "_Noreturn",
        HardStaticAssert = "_Static_assert", HardThreadLocal = "_Thread_local" | "__thread" | "__CPROVER_thread_local",
        Attribute = "__attribute__" | "__attribute", HardAsm = "__asm__" | "__asm", Extension = "__extension__",
        HardTypeof = "__typeof__" | "__typeof", HardTypeofUnqual = "__typeof_unqual__" | "__typeof_unqual",
        AutoType = "__auto_type", Label = "__label__",
        Real = "__real__" | "__real", Imaginary = "__imag__" | "__imag", Int128 = "__int128" | "__int128__",
        Float32 = "_Float32", Float64 = "_Float64" | "_Float32x", Float64x = "_Float64x",
        Float128 = "_Float128",
        OtherFloat = "_Float16" | "_Float128x" | "_Decimal32" | "_Decimal64" | "_Decimal128",
        BitInt = "_BitInt",
        VaArg = "__builtin_va_arg", Offsetof = "__builtin_offsetof", TypesCompatible = "__builtin_types_compatible_p",
        ChooseExpr = "__builtin_choose_expr", PragmaOperator = "_Pragma",
    }
    soft {
        Alignas = "alignas", SoftAlignof = "alignof", Bool = "bool", True = "true", False = "false", Nullptr = "nullptr",
        Constexpr = "constexpr", StaticAssert = "static_assert", ThreadLocal = "thread_local", Asm = "asm", Typeof = "typeof",
        TypeofUnqual = "typeof_unqual", VaList = "__builtin_va_list" | "__builtin_ms_va_list", SignedInt128 = "__int128_t",
        UnsignedInt128 = "__uint128_t", BrainFloat = "__bf16" | "__fp16", Float80 = "__float80", SoftFloat128 = "__float128",
    }
}

/// Which symbols are hard keywords, for the lexer.
#[derive(Clone, Debug, Default)]
pub struct Keywords {
    kinds: Vec<TokenKind>,
}

impl Keywords {
    /// The table for the symbols of an interner, which learns the keywords.
    pub fn new(interner: &mut Interner) -> Self {
        let mut kinds = Vec::new();
        for &(spelling, kind) in KEYWORDS {
            let position = interner.intern(spelling).index();
            if kinds.len() <= position {
                kinds.resize(position + 1, TokenKind::Identifier);
            }
            kinds[position] = kind;
        }
        Self { kinds }
    }

    /// The kind of the token that a name makes.
    pub fn kind(&self, name: Symbol) -> TokenKind {
        self.kinds.get(name.index()).copied().unwrap_or(TokenKind::Identifier)
    }
}

/// The soft keywords with their symbols.
pub fn soft_keywords(interner: &mut Interner) -> Vec<(Symbol, TokenKind)> {
    SOFT_KEYWORDS.iter().map(|&(spelling, kind)| (interner.intern(spelling), kind)).collect()
}
