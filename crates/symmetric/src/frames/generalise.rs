//! From a configuration that can be blocked to one that says as little as possible, and so excludes many.
//!
//! Where something leads into the configuration when a literal is left out, and that something can be blocked itself, it
//! is, and the literal goes (Hassan, Bradley, Somenzi: *Better generalization in IC3*, FMCAD 2013).

use selvedge_abstraction::Stop;
use selvedge_evidence::symmetric::configuration::{Configuration, Literal};
use selvedge_evidence::symmetric::moves::Move;
use selvedge_logic::Term;
use selvedge_symbolic::threads::Who;

use super::{Before, Frames, Why, begins};
use crate::search::MOST_THREADS;
use crate::tracked::{Reason, Tracked};

/// So many configurations may be blocked for a literal to be left out.
pub(super) const MOST_OTHERS: usize = 1;

impl Frames {
    /// Why nothing that is not blocked leads into a configuration, by each move; `None` if something does, or the program
    /// begins with it.
    fn why_blocked(&mut self, on: &mut Tracked<'_, '_>, to: &Configuration, level: usize) -> Result<Option<Why>, Stop> {
        if begins(on, to)? {
            return Ok(None);
        }
        let mut why = Vec::new();
        for by in on.stage.map.moves(&to.places()) {
            if self.before(on, to, &by, level)?.is_some() {
                return Ok(None);
            }
            why.extend(self.core.take().map(|core| (by, core)));
        }
        Ok(Some(why))
    }

    /// A configuration that can be blocked, as is known why, with threads and literals left out as long as it can; for
    /// each literal so many others may be blocked first.
    pub(super) fn generalised(
        &mut self,
        on: &mut Tracked<'_, '_>,
        mut configuration: Configuration,
        mut why: Why,
        level: usize,
        others: usize,
    ) -> Result<Configuration, Stop> {
        configuration = needed(on, configuration, &why)?;
        for thread in (0..configuration.threads.len()).rev() {
            let mut fewer = configuration.clone();
            fewer.threads.remove(thread);
            if let Some(other) = self.why_blocked(on, &fewer, level)? {
                why = other;
                configuration = needed(on, fewer, &why)?;
            }
        }
        for (thread, literal) in said(&configuration).into_iter().rev() {
            let mut less = configuration.clone();
            let literals = thread.map_or(&mut less.shared, |thread| &mut less.threads[thread].literals);
            let Some(place) = literals.iter().position(|known| *known == literal) else { continue };
            literals.remove(place);
            if self.is_enough(on, &less, (thread, literal), &mut why, (level, others))? {
                configuration = needed(on, less, &why)?;
            }
        }
        configuration.threads.sort();
        Ok(configuration)
    }

    /// Whether a configuration can be blocked that says all but a literal of one of which it is known why it can. Only
    /// moves that this literal has to do with are asked about once more.
    fn is_enough(
        &mut self,
        on: &mut Tracked<'_, '_>,
        less: &Configuration,
        (thread, literal): (Option<usize>, Literal),
        why: &mut Why,
        (level, mut others): (usize, usize),
    ) -> Result<bool, Stop> {
        if begins(on, less)? {
            return Ok(false);
        }
        let mut changed = Vec::new();
        for (at, (by, core)) in why.iter().enumerate() {
            if !core.contains(&after(on, thread, literal, by)) {
                continue;
            }
            while let Some(before) = self.before(on, less, by, level)? {
                if others == 0 || !self.is_blocked_too(on, less, by, &before, level)? {
                    return Ok(false);
                }
                others -= 1;
            }
            changed.push((at, self.core.take().unwrap_or_default()));
        }
        for (at, core) in changed {
            why[at].1 = core;
        }
        Ok(true)
    }

    /// Blocks what leads into a configuration, if nothing leads there in turn.
    fn is_blocked_too(
        &mut self,
        on: &mut Tracked<'_, '_>,
        to: &Configuration,
        by: &Move,
        before: &Before,
        level: usize,
    ) -> Result<bool, Stop> {
        if before.there.len() > MOST_THREADS {
            return Ok(false);
        }
        let level = level - self.turns(&to.places(), by);
        let asked = (&before.needed[..], &before.different[..]);
        let found = on.found(asked, &before.there, &before.model, &Reason::Leads(to, by))?;
        let Some(why) = self.why_blocked(on, &found.configuration, level)? else { return Ok(false) };
        let general = self.generalised(on, found.configuration, why, level, 0)?;
        self.add(general, level);
        Ok(true)
    }
}

/// All that a configuration says, of all threads or of one of its threads.
fn said(configuration: &Configuration) -> Vec<(Option<usize>, Literal)> {
    let shared = configuration.shared.iter().map(|literal| (None, *literal));
    let own = configuration.threads.iter().enumerate();
    let own = own.flat_map(|(thread, member)| member.literals.iter().map(move |literal| (Some(thread), *literal)));
    own.chain(shared).collect()
}

/// That a literal holds after a move.
fn after(on: &mut Tracked<'_, '_>, thread: Option<usize>, literal: Literal, by: &Move) -> Term {
    let who = thread.map_or(Who::Own, |thread| by.who(thread));
    let moved = on.stage.moved(by.step);
    on.stage.holds_after(literal, who, by, &moved)
}

/// What of a configuration is needed for blocking it.
fn needed(on: &mut Tracked<'_, '_>, configuration: Configuration, why: &Why) -> Result<Configuration, Stop> {
    let mut less = configuration.clone();
    for (thread, literal) in said(&configuration) {
        if why.iter().any(|(by, core)| core.contains(&after(on, thread, literal, by))) {
            continue;
        }
        let literals = thread.map_or(&mut less.shared, |thread| &mut less.threads[thread].literals);
        literals.retain(|known| *known != literal);
    }
    Ok(if begins(on, &less)? { configuration } else { less })
}
