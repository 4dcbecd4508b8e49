//! The tree as text, for tests and for users who want to see what was parsed: nested lists, `(operator operands…)`.
//!
//! Declarations read from the inside out, as the tree holds them: `int *a[3];` is `(declare int (a (array 3)
//! pointer))`. Attributes stand in brackets. Every list is a level of the tree, so the text is never nested more deeply
//! than the tree may be.

mod declaration;
mod expression;
mod statement;

use super::ast::{Attribute, External, TranslationUnit};
use super::symbol::{Interner, Symbol};

/// How far lines are indented at most: deep trees would otherwise be mostly blanks.
const MAX_INDENT: usize = 40;

/// The tree of a translation unit as text, one item or statement to a line.
pub fn print(unit: &TranslationUnit, interner: &Interner) -> String {
    let mut printer = Printer { out: String::new(), interner, indent: 0 };
    for item in &unit.items {
        match item {
            External::Function(function) => printer.function(function),
            External::Declaration(declaration) => printer.declaration(declaration),
            External::Asm(asm) => printer.asm(asm),
        }
        printer.out.push('\n');
    }
    printer.out
}

struct Printer<'a> {
    out: String,
    interner: &'a Interner,
    indent: usize,
}

impl Printer<'_> {
    fn word(&mut self, word: &str) {
        if !self.out.is_empty() && !self.out.ends_with(['(', '[', ' ', '\n']) {
            self.out.push(' ');
        }
        self.out.push_str(word);
    }

    fn name(&mut self, name: Symbol) {
        let interner = self.interner;
        self.word(interner.name(name));
    }

    /// A list in parentheses.
    fn list(&mut self, head: &str, contents: impl FnOnce(&mut Self)) {
        self.word("(");
        self.out.push_str(head);
        contents(self);
        self.out.push(')');
    }

    /// A line of its own, one step to the right.
    fn line(&mut self, contents: impl FnOnce(&mut Self)) {
        self.indent += 1;
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", self.indent.min(MAX_INDENT)));
        contents(self);
        self.indent -= 1;
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.word("[");
            self.name(attribute.name);
            for argument in &attribute.arguments {
                self.expr(argument);
            }
            self.out.push(']');
        }
    }

    /// A text in quotes.
    fn quoted(&mut self, prefix: &str, characters: impl Iterator<Item = char>) {
        self.word(prefix);
        self.out.push('"');
        for character in characters {
            self.out.extend(character.escape_default());
        }
        self.out.push('"');
    }
}
