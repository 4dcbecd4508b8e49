//! Declarations and function definitions, at file scope and in blocks.

use super::declarator::DeclaratorKind;
use super::{Failed, Parsed, Parser};
use crate::syntax::ast::{
    Attribute, Declaration, Declarator, Derived, External, FunctionDefinition, InitDeclarator, Parameters, Span,
    Specifiers, StorageClass, TypeSpecifier,
};
use crate::syntax::token::TokenKind;

/// What a declaration turns out to be.
pub(super) enum Declared {
    Declaration(Declaration),
    Function(FunctionDefinition),
}

impl Parser<'_> {
    /// One item at file scope; nothing for a stray semicolon.
    pub(super) fn external(&mut self) -> Parsed<Option<External>> {
        while self.eat(TokenKind::Extension) {}
        match self.kind() {
            TokenKind::Semicolon => {
                self.bump();
                return Ok(None);
            }
            TokenKind::Asm | TokenKind::HardAsm => {
                let asm = self.asm()?;
                self.semicolon("asm")?;
                return Ok(Some(External::Asm(asm)));
            }
            _ => {}
        }
        let attributes = self.attributes()?;
        if !attributes.is_empty() && self.eat(TokenKind::Semicolon) {
            return Ok(None);
        }
        Ok(Some(match self.declaration(attributes)? {
            Declared::Declaration(declaration) => External::Declaration(declaration),
            Declared::Function(function) => External::Function(function),
        }))
    }

    /// A declaration or function definition. `leading` are attributes already read.
    pub(super) fn declaration(&mut self, leading: Vec<Attribute>) -> Parsed<Declared> {
        if matches!(self.kind(), TokenKind::HardStaticAssert | TokenKind::StaticAssert) {
            return self.static_assert().map(Declared::Declaration);
        }
        self.enter()?;
        let start = leading.first().map_or(self.here(), |first| first.span);
        let before = self.consumed;
        let specifiers = self.specifiers(leading)?;
        if self.consumed == before
            && !matches!(self.token().kind, TokenKind::Identifier | TokenKind::Star | TokenKind::LeftParen)
        {
            return Err(self.expected_declaration());
        }
        if self.eat(TokenKind::Semicolon) {
            self.leave();
            return Ok(Declared::Declaration(Declaration::Variables {
                specifiers,
                declarators: Vec::new(),
                span: self.since(start),
            }));
        }
        self.check_declarator_start(&specifiers)?;
        let mut declarator = self.declarator(DeclaratorKind::Named)?;
        self.declarator_tail(&mut declarator)?;
        if self.is_function_definition(&specifiers, &declarator) {
            return self.function(specifiers, declarator, start).map(Declared::Function);
        }
        let declarators = self.init_declarators(&specifiers, declarator)?;
        self.leave();
        self.semicolon("declaration")?;
        Ok(Declared::Declaration(Declaration::Variables { specifiers, declarators, span: self.since(start) }))
    }

    /// After the definition of a type, what cannot be a declarator means a forgotten semicolon.
    fn check_declarator_start(&mut self, specifiers: &Specifiers) -> Parsed<()> {
        let is_definition = match &specifiers.type_specifier {
            TypeSpecifier::Record(record) => record.members.is_some(),
            TypeSpecifier::Enum(specifier) => specifier.enumerators.is_some(),
            _ => false,
        };
        let is_start = matches!(self.token().kind, TokenKind::Identifier | TokenKind::Star | TokenKind::LeftParen);
        if is_definition && !is_start && !self.at_attribute() {
            self.semicolon("declaration")?;
        }
        Ok(())
    }

    /// The declarators of a declaration from the first, which has been read, to the last, with their initialisers.
    fn init_declarators(&mut self, specifiers: &Specifiers, first: Declarator) -> Parsed<Vec<InitDeclarator>> {
        let mut declarators = Vec::with_capacity(1);
        let mut declarator = first;
        loop {
            self.declare(specifiers, &declarator);
            let initializer = if self.eat(TokenKind::Assign) { Some(self.initializer()?) } else { None };
            declarators.push(InitDeclarator { declarator, initializer });
            if !self.eat(TokenKind::Comma) {
                return Ok(declarators);
            }
            declarator = self.declarator(DeclaratorKind::Named)?;
            self.declarator_tail(&mut declarator)?;
        }
    }

    /// From here on the declarator's name means what is declared.
    fn declare(&mut self, specifiers: &Specifiers, declarator: &Declarator) {
        if let Some(name) = declarator.name {
            let is_typedef = specifiers.storage == Some(StorageClass::Typedef);
            self.scopes.declare(name.name, if is_typedef { TokenKind::TypedefName } else { TokenKind::Identifier });
        }
    }

    /// `asm("name")` and attributes after a declarator.
    pub(super) fn declarator_tail(&mut self, declarator: &mut Declarator) -> Parsed<()> {
        loop {
            if self.at_attribute() {
                declarator.attributes.extend(self.attributes()?);
            } else if matches!(self.kind(), TokenKind::Asm | TokenKind::HardAsm) {
                self.bump();
                declarator.asm_label = Some(self.parenthesized(Self::string_text)?);
            } else {
                return Ok(());
            }
        }
    }

    fn is_function_definition(&self, specifiers: &Specifiers, declarator: &Declarator) -> bool {
        if !Self::is_function(&declarator.derived) || specifiers.storage == Some(StorageClass::Typedef) {
            return false;
        }
        let is_old_style = matches!(declarator.derived.first(), Some(Derived::Function(Parameters::Identifiers(_))));
        self.at(TokenKind::LeftBrace) || is_old_style && self.at_declaration()
    }

    /// The rest of a function definition, after its declarator.
    fn function(&mut self, specifiers: Specifiers, declarator: Declarator, start: Span) -> Parsed<FunctionDefinition> {
        let span = self.since(start);
        self.declare(&specifiers, &declarator);
        self.scopes.enter();
        self.declare_parameters(&declarator);
        let mut old_style = Vec::new();
        while !self.at(TokenKind::LeftBrace) {
            match self.declaration(Vec::new())? {
                Declared::Declaration(declaration) => old_style.push(declaration),
                Declared::Function(_) => return Err(self.fail(span, "expected '{' before a function definition")),
            }
            if !self.at(TokenKind::LeftBrace) && !self.at_declaration() {
                return Err(self.expected("'{'"));
            }
        }
        let body = self.block_in_scope()?;
        self.scopes.leave();
        self.leave();
        Ok(FunctionDefinition { specifiers, declarator, old_style, body, span })
    }

    fn declare_parameters(&mut self, declarator: &Declarator) {
        match declarator.derived.first() {
            Some(Derived::Function(Parameters::Prototype { parameters, .. })) => {
                for name in parameters.iter().filter_map(|parameter| parameter.declarator.name) {
                    self.scopes.declare(name.name, TokenKind::Identifier);
                }
            }
            Some(Derived::Function(Parameters::Identifiers(names))) => {
                for name in names {
                    self.scopes.declare(name.name, TokenKind::Identifier);
                }
            }
            _ => {}
        }
    }

    /// `_Static_assert(condition, "message");`
    pub(super) fn static_assert(&mut self) -> Parsed<Declaration> {
        let start = self.here();
        self.bump();
        self.enter()?;
        let (condition, message) = self.parenthesized(|parser| {
            let condition = parser.constant_expression()?;
            let message = if parser.eat(TokenKind::Comma) { Some(parser.string_text()?) } else { None };
            Ok((condition, message))
        })?;
        self.leave();
        self.semicolon("static assertion")?;
        Ok(Declaration::StaticAssert { condition, message, span: self.since(start) })
    }

    /// A declaration where no function can be defined.
    pub(super) fn plain_declaration(&mut self) -> Parsed<Declaration> {
        match self.declaration(Vec::new())? {
            Declared::Declaration(declaration) => Ok(declaration),
            Declared::Function(function) => Err(self.misplaced_function(&function)),
        }
    }

    pub(super) fn misplaced_function(&mut self, function: &FunctionDefinition) -> Failed {
        self.fail(function.span, "a function definition is not allowed here")
    }
}
