//! Declaration specifiers: storage class, qualifiers, and the words that name a type.

use super::declarator::DeclaratorKind;
use super::{Failed, Parsed, Parser};
use crate::syntax::ast::{
    Alignment, Attribute, BuiltinType, Derived, Integer, Qualifiers, Span, Specifiers, StorageClass, TypeName,
    TypeSpecifier,
};
use crate::syntax::token::TokenKind;

/// Whether a token can begin a type name.
pub(super) fn starts_type(kind: TokenKind) -> bool {
    use TokenKind::*;
    is_qualifier(kind)
        || is_type_word(kind)
        || matches!(
            kind,
            TypedefName
                | Struct
                | Union
                | Enum
                | HardTypeof
                | Typeof
                | HardTypeofUnqual
                | TypeofUnqual
                | AutoType
                | Attribute
        )
}

/// Whether a token can begin a declaration.
pub(super) fn starts_declaration(kind: TokenKind) -> bool {
    use TokenKind::*;
    starts_type(kind)
        || storage_class(kind).is_some()
        || matches!(
            kind,
            Inline
                | Noreturn
                | HardThreadLocal
                | ThreadLocal
                | Constexpr
                | HardAlignas
                | Alignas
                | HardStaticAssert
                | StaticAssert
        )
}

fn is_qualifier(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, Const | Volatile | Restrict | Atomic)
}

fn is_type_word(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(
        kind,
        Void | Char
            | Short
            | Int
            | Long
            | Float
            | Double
            | Signed
            | Unsigned
            | HardBool
            | Bool
            | Complex
            | Int128
            | SignedInt128
            | UnsignedInt128
            | Float32
            | Float64
            | Float64x
            | Float128
            | OtherFloat
            | BrainFloat
            | BitInt
            | Float80
            | SoftFloat128
            | VaList
    )
}

fn storage_class(kind: TokenKind) -> Option<StorageClass> {
    Some(match kind {
        TokenKind::Typedef => StorageClass::Typedef,
        TokenKind::Extern => StorageClass::Extern,
        TokenKind::Static => StorageClass::Static,
        TokenKind::Auto => StorageClass::Auto,
        TokenKind::Register => StorageClass::Register,
        _ => return None,
    })
}

/// The words of an arithmetic type, in any order, as they come.
#[derive(Default)]
struct TypeWords {
    base: Option<TokenKind>,
    sign: Option<TokenKind>,
    shorts: u8,
    longs: u8,
    complex: u8,
}

impl TypeWords {
    fn is_empty(&self) -> bool {
        self.base.is_none() && self.sign.is_none() && self.shorts + self.longs + self.complex == 0
    }

    /// Adds a word; gives `None` if there is one of its kind already.
    fn add(&mut self, kind: TokenKind) -> Option<()> {
        let (count, most) = match kind {
            TokenKind::Signed | TokenKind::Unsigned => return self.sign.replace(kind).is_none().then_some(()),
            TokenKind::Short => (&mut self.shorts, 1),
            TokenKind::Long => (&mut self.longs, 2),
            TokenKind::Complex => (&mut self.complex, 1),
            _ => return self.base.replace(kind).is_none().then_some(()),
        };
        *count += 1;
        (*count <= most).then_some(())
    }

    /// The type that the words name together.
    fn builtin(&self) -> Option<BuiltinType> {
        use TokenKind::{Char, Double, Int, Int128, Unsigned};
        let is_unsigned = self.sign == Some(Unsigned);
        let pick = |signed, unsigned| Some(BuiltinType::Integer(if is_unsigned { unsigned } else { signed }));
        let real = match (self.base, self.shorts, self.longs) {
            (Some(Char), 0, 0) if self.sign.is_none() => Some(BuiltinType::Integer(Integer::Char)),
            (Some(Char), 0, 0) => pick(Integer::SignedChar, Integer::UnsignedChar),
            (Some(Int128), 0, 0) => pick(Integer::Int128, Integer::UnsignedInt128),
            (None, 0, 0) if self.complex > 0 && self.sign.is_none() => Some(BuiltinType::Double),
            (None | Some(Int), 0, 0) => pick(Integer::Int, Integer::UnsignedInt),
            (None | Some(Int), 1, 0) => pick(Integer::Short, Integer::UnsignedShort),
            (None | Some(Int), 0, 1) => pick(Integer::Long, Integer::UnsignedLong),
            (None | Some(Int), 0, 2) => pick(Integer::LongLong, Integer::UnsignedLongLong),
            (Some(Double), 0, 1) if self.sign.is_none() => Some(BuiltinType::LongDouble),
            (Some(TokenKind::BitInt), 0, 0) => Some(BuiltinType::OtherFloat),
            (Some(base), 0, 0) if self.sign.is_none() => single_word(base),
            _ => None,
        }?;
        if self.complex == 0 {
            return Some(real);
        }
        Some(match real {
            BuiltinType::Float => BuiltinType::ComplexFloat,
            BuiltinType::Double => BuiltinType::ComplexDouble,
            BuiltinType::LongDouble => BuiltinType::ComplexLongDouble,
            BuiltinType::Void | BuiltinType::Bool | BuiltinType::VaList => return None,
            _ => BuiltinType::OtherFloat,
        })
    }
}

fn single_word(word: TokenKind) -> Option<BuiltinType> {
    Some(match word {
        TokenKind::Void => BuiltinType::Void,
        TokenKind::HardBool | TokenKind::Bool => BuiltinType::Bool,
        TokenKind::Float | TokenKind::Float32 => BuiltinType::Float,
        TokenKind::Double | TokenKind::Float64 => BuiltinType::Double,
        TokenKind::Float64x | TokenKind::Float80 => BuiltinType::LongDouble,
        TokenKind::Float128 | TokenKind::SoftFloat128 => BuiltinType::Float128,
        TokenKind::OtherFloat | TokenKind::BrainFloat => BuiltinType::OtherFloat,
        TokenKind::SignedInt128 => BuiltinType::Integer(Integer::Int128),
        TokenKind::UnsignedInt128 => BuiltinType::Integer(Integer::UnsignedInt128),
        TokenKind::VaList => BuiltinType::VaList,
        _ => return None,
    })
}

/// The specifiers read so far.
struct Reading {
    result: Specifiers,
    words: TypeWords,
    words_span: Span,
    has_type: bool,
}

impl Parser<'_> {
    /// Whether the current token begins a declaration.
    pub(super) fn at_declaration(&self) -> bool {
        starts_declaration(self.kind())
    }

    /// Whether the current token begins a type name.
    pub(super) fn at_type(&self) -> bool {
        starts_type(self.kind())
    }

    /// Reads declaration specifiers; there may be none at all (implicit `int`). `leading` are attributes already read.
    pub(super) fn specifiers(&mut self, leading: Vec<Attribute>) -> Parsed<Specifiers> {
        let start = leading.first().map_or(self.here(), |first| first.span);
        let result = Specifiers {
            storage: None,
            is_thread_local: false,
            is_inline: false,
            is_noreturn: false,
            is_constexpr: false,
            type_specifier: TypeSpecifier::ImplicitInt,
            qualifiers: Qualifiers::default(),
            alignments: Vec::new(),
            attributes: leading,
            span: start,
        };
        let mut reading = Reading { result, words: TypeWords::default(), words_span: start, has_type: false };
        let before = self.consumed;
        while self.specifier(&mut reading)? {}
        let Reading { mut result, words, words_span, .. } = reading;
        if !words.is_empty() {
            let builtin =
                words.builtin().ok_or_else(|| self.fail(words_span, "invalid combination of type specifiers"))?;
            result.type_specifier = TypeSpecifier::Builtin(builtin);
        } else if matches!(
            (&result.type_specifier, result.storage),
            (TypeSpecifier::ImplicitInt, Some(StorageClass::Auto))
        ) {
            result.type_specifier = TypeSpecifier::Auto;
        }
        if self.consumed > before || !result.attributes.is_empty() {
            result.span = self.since(start);
        }
        Ok(result)
    }

    /// Reads one specifier, if there is one.
    fn specifier(&mut self, reading: &mut Reading) -> Parsed<bool> {
        let kind = self.kind();
        if let Some(class) = storage_class(kind) {
            if reading.result.storage.replace(class).is_some_and(|before| before != class) {
                return Err(self.fail(self.here(), "multiple storage classes in declaration specifiers"));
            }
            self.bump();
            return Ok(true);
        }
        match kind {
            TokenKind::ThreadLocal | TokenKind::Constexpr if self.is_soft_name(reading) => return Ok(false),
            TokenKind::Inline => reading.result.is_inline = true,
            TokenKind::Noreturn => reading.result.is_noreturn = true,
            TokenKind::HardThreadLocal | TokenKind::ThreadLocal => reading.result.is_thread_local = true,
            TokenKind::Constexpr => reading.result.is_constexpr = true,
            TokenKind::Extension => {}
            TokenKind::HardAlignas | TokenKind::Alignas => {
                let alignment = self.alignas()?;
                reading.result.alignments.push(alignment);
                return Ok(true);
            }
            _ if self.at_attribute() => {
                let attributes = self.attributes()?;
                reading.result.attributes.extend(attributes);
                return Ok(true);
            }
            TokenKind::Atomic if self.peek(1).kind == TokenKind::LeftParen => return self.type_specifier(reading),
            _ if self.qualifier(&mut reading.result.qualifiers) => return Ok(true),
            _ => return self.type_specifier(reading),
        }
        self.bump();
        Ok(true)
    }

    /// Takes one qualifier, if there is one.
    pub(super) fn qualifier(&mut self, qualifiers: &mut Qualifiers) -> bool {
        match self.token().kind {
            TokenKind::Const => qualifiers.is_const = true,
            TokenKind::Volatile => qualifiers.is_volatile = true,
            TokenKind::Restrict => qualifiers.is_restrict = true,
            TokenKind::Atomic => qualifiers.is_atomic = true,
            _ => return false,
        }
        self.bump();
        true
    }

    fn type_specifier(&mut self, reading: &mut Reading) -> Parsed<bool> {
        let kind = self.kind();
        let start = self.here();
        if is_type_word(kind) && (!reading.has_type || !reading.words.is_empty()) && !self.is_declared_here(reading) {
            if reading.words.add(kind).is_none() {
                return Err(self.fail(start, "two or more data types in declaration specifiers"));
            }
            self.bump();
            if kind == TokenKind::BitInt {
                self.parenthesized(Self::constant_expression)?;
            }
            reading.words_span = if reading.has_type { reading.words_span.to(start) } else { start };
            reading.has_type = true;
            return Ok(true);
        }
        if reading.has_type {
            return Ok(false);
        }
        reading.result.type_specifier = match kind {
            TokenKind::TypedefName => TypeSpecifier::Typedef(self.identifier()?),
            TokenKind::Struct | TokenKind::Union => TypeSpecifier::Record(Box::new(self.record_specifier()?)),
            TokenKind::Enum => TypeSpecifier::Enum(Box::new(self.enum_specifier()?)),
            TokenKind::HardTypeof | TokenKind::Typeof => self.typeof_specifier()?,
            TokenKind::HardTypeofUnqual | TokenKind::TypeofUnqual => {
                let marker = self.marker_attribute("typeof_unqual", start);
                reading.result.attributes.push(marker);
                self.typeof_specifier()?
            }
            TokenKind::Atomic => {
                self.bump();
                TypeSpecifier::Atomic(Box::new(self.parenthesized(Self::type_name)?))
            }
            TokenKind::AutoType => {
                self.bump();
                TypeSpecifier::Auto
            }
            TokenKind::Identifier if self.is_unknown_type() => {
                let name = self.identifier()?;
                let message = format!("unknown type name '{}'", self.interner.name(name.name));
                self.errors.report(name.span, message);
                self.scopes.declare(name.name, TokenKind::TypedefName);
                TypeSpecifier::Typedef(name)
            }
            _ => return Ok(false),
        };
        reading.has_type = true;
        Ok(true)
    }

    /// A soft type keyword after a type is the name being declared: `typedef int bool;`.
    fn is_declared_here(&self, reading: &Reading) -> bool {
        reading.has_type && self.at(TokenKind::Identifier)
    }

    /// `int thread_local;` declares a variable of that name, `int thread_local x;` does not.
    fn is_soft_name(&mut self, reading: &Reading) -> bool {
        use TokenKind::{Assign, Colon, Comma, LeftBracket, LeftParen, RightParen, Semicolon};
        let ends = [Semicolon, Comma, Assign, LeftParen, RightParen, LeftBracket, Colon];
        self.is_declared_here(reading) && ends.contains(&self.peek(1).kind)
    }

    /// Whether the identifier here can only be meant as a type: another name or a pointer declarator follows.
    pub(super) fn is_unknown_type(&mut self) -> bool {
        use TokenKind::*;
        matches!(
            self.peek_kind(1),
            Identifier | TypedefName | Star | Const | Volatile | Restrict | Struct | Union | Enum
        ) || is_type_word(self.peek_kind(1)) && self.peek(1).kind != Identifier
    }

    fn typeof_specifier(&mut self) -> Parsed<TypeSpecifier> {
        self.bump();
        self.parenthesized(|parser| {
            if parser.at_type() {
                Ok(TypeSpecifier::TypeofType(Box::new(parser.type_name()?)))
            } else {
                Ok(TypeSpecifier::TypeofExpr(Box::new(parser.expression()?)))
            }
        })
    }

    fn alignas(&mut self) -> Parsed<Alignment> {
        self.bump();
        self.parenthesized(|parser| {
            if parser.at_type() {
                Ok(Alignment::Type(parser.type_name()?))
            } else {
                Ok(Alignment::Expr(parser.constant_expression()?))
            }
        })
    }

    /// A type name, as in a cast.
    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let start = self.here();
        if !self.at_type() && !self.at_declaration() {
            return Err(self.expected("type name"));
        }
        self.enter()?;
        let specifiers = self.specifiers(Vec::new())?;
        let declarator = self.declarator(DeclaratorKind::Abstract)?;
        self.leave();
        Ok(TypeName { specifiers, declarator, span: self.since(start) })
    }

    /// `( … )`
    pub(super) fn parenthesized<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let open = self.expect(TokenKind::LeftParen)?;
        let result = parse(self)?;
        self.close(TokenKind::RightParen, open)?;
        Ok(result)
    }

    /// Whether the derivation nearest to the name makes it a function.
    pub(super) fn is_function(derived: &[Derived]) -> bool {
        matches!(derived.first(), Some(Derived::Function(_)))
    }

    /// Reports that a declaration was expected here.
    pub(super) fn expected_declaration(&mut self) -> Failed {
        self.expected("declaration")
    }
}
