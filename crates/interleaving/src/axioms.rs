//! Instances of the axioms of sequential consistency (paper, section 4) as clauses:
//!
//! - Π1(r): a read that happens has a link to one of its sources, or lies outside its link set (the extension literal,
//!   assumed false until the link set is widened).
//! - Π2(r, w): link(r, w) ⇒ w has happened before r, and the values are the same. Order and values are instantiated
//!   apart.
//! - Π3(r, w, w'): link(r, w) and w' has happened ⇒ w' is before w or after r.
//!
//! Links are not made exclusive: a second link only adds constraints, so the solver never needs one. (Clauses that
//! exclude it were measured and made no difference.)

use selvedge_logic::{Lit, Op};

use crate::encode::Encoding;
use crate::error::Result;
use crate::links::{Manner, Source};
use crate::skeleton::{ReadId, Skeleton, WriteId};
use crate::truth::Truth;

impl Encoding {
    pub fn link(&mut self, read: ReadId, source: Source) -> Lit {
        if let Some(&known) = self.links.get(&(read, source)) {
            return known;
        }
        let link = self.solver.new_literal();
        self.links.insert((read, source), link);
        link
    }

    /// Π1: a read made in this manner links to one of the sources, unless the extension is true.
    pub fn must_link(
        &mut self,
        skeleton: &Skeleton,
        (read, manner): (ReadId, Manner),
        sources: &[Source],
        extension: Option<Lit>,
    ) -> Result<()> {
        let stop = skeleton.read(read).stop;
        let made = match manner {
            Manner::Passing => self.passed(stop),
            Manner::Pending => self.pending(skeleton, stop)?,
        };
        let enabled = self.term(skeleton, skeleton.read(read).enabled)?;
        let mut clause = vec![!made, !enabled];
        clause.extend(sources.iter().map(|&source| Truth::When(self.link(read, source))));
        clause.extend(extension.map(Truth::When));
        self.clause(&clause);
        Ok(())
    }

    /// The link set grows: the extension means one of these.
    pub fn extend_links(&mut self, read: ReadId, extension: Lit, sources: &[Source]) {
        let mut clause = vec![!Truth::When(extension)];
        clause.extend(sources.iter().map(|&source| Truth::When(self.link(read, source))));
        self.clause(&clause);
    }

    /// Π2, its order.
    pub fn link_orders(&mut self, skeleton: &Skeleton, read: ReadId, source: Source) -> Result<()> {
        let Source::Write(write) = source else { return Ok(()) };
        let link = Truth::When(self.link(read, source));
        let done = self.done(skeleton, write)?;
        self.implies(&[link], done);
        let (from, to) = (skeleton.write(write), skeleton.read(read));
        let (from, to) = (skeleton.stop(from.stop).event, skeleton.stop(to.stop).event);
        if from != to {
            let before = self.before(skeleton, from, to)?;
            self.implies(&[link], before);
        }
        Ok(())
    }

    /// Π2, its values.
    pub fn link_carries(&mut self, skeleton: &mut Skeleton, read: ReadId, source: Source) -> Result<()> {
        let link = Truth::When(self.link(read, source));
        let target = skeleton.read(read).value;
        let given = match source {
            Source::Initial => skeleton.cell(skeleton.read(read).cell).initial,
            Source::Write(write) => skeleton.write(write).value,
        };
        for (a, b) in [(target.tag, given.tag), (target.bits, given.bits)] {
            let equal = skeleton.terms.equal(a, b);
            // An equation with a constant, or between choices, is often a simple condition.
            match (skeleton.terms.op(equal), link) {
                (Op::Equal, Truth::When(link)) => self.equal_when(skeleton, link, a, b)?,
                _ => {
                    let equal = self.term(skeleton, equal)?;
                    self.implies(&[link], equal);
                }
            }
        }
        Ok(())
    }

    /// Π3.
    pub fn not_between(&mut self, skeleton: &Skeleton, read: ReadId, source: Source, other: WriteId) -> Result<()> {
        if source == Source::Write(other) {
            return Ok(());
        }
        let link = Truth::When(self.link(read, source));
        let event = skeleton.stop(skeleton.read(read).stop).event;
        let between = skeleton.stop(skeleton.write(other).stop).event;
        let after = match between == event {
            true => settled(skeleton.read(read).rank < skeleton.write(other).rank),
            false => self.before(skeleton, event, between)?,
        };
        let before = match source {
            Source::Initial => Truth::Never,
            Source::Write(write) => {
                let start = skeleton.stop(skeleton.write(write).stop).event;
                match start == between {
                    true => settled(skeleton.write(other).rank < skeleton.write(write).rank),
                    false => self.before(skeleton, between, start)?,
                }
            }
        };
        let done = self.done(skeleton, other)?;
        self.clause(&[!link, !done, before, after]);
        Ok(())
    }
}

fn settled(holds: bool) -> Truth {
    if holds { Truth::Always } else { Truth::Never }
}
