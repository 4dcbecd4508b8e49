//! `asm`, as statement and as declaration.

use super::{Parsed, Parser};
use crate::syntax::ast::{Asm, AsmOperand, Encoding, ExprKind};
use crate::syntax::token::TokenKind;

impl Parser<'_> {
    /// `asm qualifiers ("template" : outputs : inputs : clobbers : labels)`, without the semicolon. The labels of
    /// `asm goto` are read but not kept.
    pub(super) fn asm(&mut self) -> Parsed<Asm> {
        let start = self.here();
        self.bump();
        self.enter()?;
        let mut asm = Asm {
            template: String::new(),
            is_volatile: false,
            is_goto: false,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            span: start,
        };
        loop {
            match self.token().kind {
                TokenKind::Volatile => asm.is_volatile = true,
                TokenKind::Goto => asm.is_goto = true,
                TokenKind::Inline | TokenKind::Const => {}
                _ => break,
            }
            self.bump();
        }
        let open = self.expect(TokenKind::LeftParen)?;
        asm.template = self.string_text()?;
        if self.eat(TokenKind::Colon) {
            asm.outputs = self.asm_operands()?;
        }
        if self.eat(TokenKind::Colon) {
            asm.inputs = self.asm_operands()?;
        }
        if self.eat(TokenKind::Colon) {
            asm.clobbers = self.asm_clobbers()?;
        }
        if self.eat(TokenKind::Colon) {
            self.asm_labels()?;
        }
        self.close(TokenKind::RightParen, open)?;
        self.leave();
        asm.span = self.since(start);
        Ok(asm)
    }

    fn asm_operands(&mut self) -> Parsed<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        while matches!(self.token().kind, TokenKind::LeftBracket | TokenKind::String) {
            let mut name = None;
            if self.eat(TokenKind::LeftBracket) {
                name = self.token().name;
                if name.is_none() {
                    return Err(self.expected("operand name"));
                }
                self.bump();
                self.expect(TokenKind::RightBracket)?;
            }
            let constraint = self.string_text()?;
            let operand = self.parenthesized(Self::expression)?;
            operands.push(AsmOperand { name, constraint, operand });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        Ok(operands)
    }

    fn asm_clobbers(&mut self) -> Parsed<Vec<String>> {
        let mut clobbers = Vec::new();
        while self.at(TokenKind::String) {
            clobbers.push(self.string_text()?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        Ok(clobbers)
    }

    fn asm_labels(&mut self) -> Parsed<()> {
        while self.at(TokenKind::Identifier) {
            self.bump();
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        Ok(())
    }

    /// A string literal as text.
    pub(super) fn string_text(&mut self) -> Parsed<String> {
        if !self.at(TokenKind::String) {
            return Err(self.expected("string literal"));
        }
        let ExprKind::String(units, encoding) = self.string_literal().kind else {
            return Ok(String::new());
        };
        Ok(match encoding {
            Encoding::Plain | Encoding::Utf8 => {
                String::from_utf8_lossy(&units.iter().map(|&unit| unit as u8).collect::<Vec<u8>>()).into_owned()
            }
            _ => units.iter().map(|&unit| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)).collect(),
        })
    }
}
