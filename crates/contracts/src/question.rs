//! Questions about predicates and relations that depend on no program: can this hold at all, does that follow?

use selvedge_logic::{Answer, Solver, Sort, Term};
use selvedge_program::{Base, Program};
use selvedge_symbolic::predicate::of_variable;
use selvedge_symbolic::{Builder, Entity, Extent, Life, Lifetime, Predicate, Relation, Tag, Valuation, Variable, Word};

/// The tag of the executing thread.
const OWN: Tag = Tag::FIRST;

/// One moment at which variables have any values whatsoever.
#[derive(Debug, Default)]
pub struct Values {
    known: Vec<(Variable, Word)>,
}

/// A valuation of variables by symbols.
struct Symbols<'a> {
    program: &'a Program,
    values: &'a mut Values,
}

impl Valuation for Symbols<'_> {
    fn variable(&mut self, builder: &mut Builder, variable: Variable) -> Option<Word> {
        if let Some((_, word)) = self.values.known.iter().find(|(known, _)| *known == variable) {
            return Some(*word);
        }
        let width = of_variable(self.program, variable).width;
        let bits = builder.fresh("x", Sort::Bits(width));
        // What is as wide as a pointer may be one.
        let word = if width == self.program.pointer_width() {
            Word { tag: builder.fresh("t", Sort::Bits(Tag::WIDTH)), bits }
        } else {
            builder.plain(bits)
        };
        self.values.known.push((variable, word));
        Some(word)
    }

    fn base(&mut self, builder: &mut Builder, base: Base, width: u32) -> Option<Word> {
        match base {
            Base::SelfThread => Some(builder.pointer(OWN, width)),
            Base::Object(object) => Some(builder.pointer(Tag(OWN.0 + 1 + object.0), width)),
            Base::Frame(_) | Base::Function(_) => None,
        }
    }

    fn entity(&self, tag: Tag) -> Option<Entity> {
        if tag == OWN {
            return Some(Entity::Thread);
        }
        let object = self.program.objects.get(tag.0.checked_sub(OWN.0 + 1)? as usize)?;
        Some(Entity::Bytes { extent: Extent::exactly(object.size), align: object.align, lifetime: Lifetime::Static })
    }

    fn life(&self, _tag: Tag) -> Life {
        Life::Lasts
    }
}

/// Terms about some moments, and a solver for them.
#[derive(Debug)]
pub struct Questions<'a> {
    program: &'a Program,
    pub builder: Builder,
}

impl<'a> Questions<'a> {
    /// Over the variables of a program.
    pub fn new(program: &'a Program) -> Questions<'a> {
        Questions { program, builder: Builder::new() }
    }

    /// That a predicate holds at a moment.
    pub fn holds(&mut self, predicate: &Predicate, at: &mut Values) -> Term {
        let mut symbols = Symbols { program: self.program, values: at };
        predicate.term(&mut self.builder, &mut symbols, self.program.pointer_width())
    }

    /// That a relation holds from one moment to another.
    pub fn passes(&mut self, relation: &Relation, before: &mut Values, after: &mut Values) -> Term {
        let mut first = Symbols { program: self.program, values: before };
        let mut second = Symbols { program: self.program, values: after };
        relation.term(&mut self.builder, &mut first, &mut second, self.program.pointer_width())
    }

    /// Whether all of these can hold together; yes where that is too hard to say.
    pub fn can_hold(&mut self, all: &[Term]) -> bool {
        !matches!(Solver::new().check(&self.builder.terms, all), Ok(Answer::Unsatisfiable))
    }
}
