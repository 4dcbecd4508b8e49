//! Predicates as terms.

use selvedge_logic::Term;
use selvedge_program::{Base, Expr, RegisterId};

use super::{Predicate, Variable};
use crate::access::ghost_word;
use crate::builder::Builder;
use crate::entity::{Entity, Life};
use crate::eval::{Eval, Names};
use crate::word::{Tag, Word};

/// What the variables of predicates are in some state, as some thread sees it.
pub trait Valuation {
    /// The value of a variable; `None` if it is not known.
    fn variable(&mut self, builder: &mut Builder, variable: Variable) -> Option<Word>;
    /// An address constant; `self` is one too.
    fn base(&mut self, builder: &mut Builder, base: Base, width: u32) -> Option<Word>;
    /// What an object is.
    fn entity(&self, tag: Tag) -> Option<Entity>;
    /// What is known of an object's life.
    fn life(&self, tag: Tag) -> Life;
    /// Whether the tag stands for several objects.
    fn is_several(&self, _tag: Tag) -> bool {
        false
    }
}

struct Table<'a> {
    words: Vec<Option<Word>>,
    valuation: &'a mut dyn Valuation,
}

impl Names for Table<'_> {
    fn register(&self, register: RegisterId) -> Option<Word> {
        self.words.get(register.index()).copied().flatten()
    }

    fn base(&mut self, builder: &mut Builder, base: Base, width: u32) -> Option<Word> {
        self.valuation.base(builder, base, width)
    }

    fn entity(&self, tag: Tag) -> Option<Entity> {
        self.valuation.entity(tag)
    }

    fn life(&self, tag: Tag) -> Life {
        self.valuation.life(tag)
    }

    fn is_several(&self, tag: Tag) -> bool {
        self.valuation.is_several(tag)
    }
}

impl Predicate {
    /// That it holds. Where its value is not defined, or depends on something that is not known or not modelled, it
    /// does not hold; so [`Predicate::not`] holds wherever the predicate does not only if it is defined everywhere.
    pub fn term(&self, builder: &mut Builder, valuation: &mut dyn Valuation, pointer_width: u32) -> Term {
        let words = self.variables.iter().map(|variable| valuation.variable(builder, *variable)).collect();
        holds(&self.condition, words, builder, valuation, pointer_width)
    }
}

/// That a condition holds whose registers are positions in a list of values; `None` is not known.
pub fn holds(
    condition: &Expr,
    words: Vec<Option<Word>>,
    builder: &mut Builder,
    valuation: &mut dyn Valuation,
    pointer_width: u32,
) -> Term {
    let mut widths = vec![0; words.len()];
    let _ = condition.substitute(&mut |register, width| {
        widths[register.index()] = width;
        Expr::Register(register, width)
    });
    // Ghost fields are kept wider than they are spoken of.
    let narrowed = words.into_iter().zip(widths).map(|(word, width)| {
        let word = word?;
        Some(if width == 0 { word } else { ghost_word(builder, word, width) })
    });
    let words = narrowed.collect();
    let yes = builder.yes;
    let mut troubles = Vec::new();
    let mut names = Table { words, valuation };
    let mut eval = Eval { builder, names: &mut names, pointer_width, troubles: &mut troubles };
    let mut holds = eval.truth(condition, yes);
    for (when, _) in troubles {
        holds = builder.and_not(holds, when);
    }
    holds
}
