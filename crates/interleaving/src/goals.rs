//! Goals as selector literals: when a goal's literal is true, the goal holds in the final state. Built when first asked
//! for, so a goal that nobody asks about costs nothing.
//!
//! Races take one clause per thread and cell, not one per pair of accesses: one thread is chosen to write, another to
//! touch, and one of the two must not be atomic.

use std::collections::BTreeMap;

use selvedge_logic::Lit;
use selvedge_program::{AccessKind, AccessMode};

use crate::atomicity;
use crate::encode::Encoding;
use crate::error::Result;
use crate::skeleton::{
    CellId, Goal, Interference, Moment, MomentPlace, SectionPlace, Site, SiteId, Skeleton, StopId, ThreadId,
};
use crate::truth::Truth;

impl Encoding {
    /// A literal that makes the goal hold.
    pub fn goal(&mut self, skeleton: &Skeleton, goal: &Goal) -> Result<Lit> {
        let selector = self.solver.new_literal();
        match goal {
            Goal::Moments(moments) => {
                let mut clause = vec![!Truth::When(selector)];
                for moment in moments {
                    // What goes wrong is a step, which is not made while another thread is inside a section.
                    let (holds, can_move) = (self.moment(skeleton, moment)?, self.can_move(moment.thread));
                    self.implies(&[holds], can_move);
                    clause.push(holds);
                }
                self.clause(&clause);
            }
            Goal::Race(cells) => {
                let mut clause = vec![!Truth::When(selector)];
                for &cell in cells {
                    clause.push(self.race(skeleton, cell)?);
                }
                self.clause(&clause);
            }
            Goal::Deadlock => self.deadlock(skeleton, selector)?,
            Goal::Atomicity(interferences) => self.atomicity(skeleton, selector, interferences)?,
            Goal::Walked { passed, end } => {
                self.walked(skeleton, selector, passed)?;
                if let Some(end) = end {
                    let end = self.goal(skeleton, end)?;
                    self.implies(&[selector.into()], end.into());
                }
            }
        }
        Ok(selector)
    }

    /// A literal that makes all of them hold.
    fn choice(&mut self, conditions: &[Truth]) -> Truth {
        if conditions.contains(&Truth::Never) {
            return Truth::Never;
        }
        let choice = Truth::When(self.solver.new_literal());
        conditions.iter().for_each(|&condition| self.implies(&[choice], condition));
        choice
    }

    fn moment(&mut self, skeleton: &Skeleton, moment: &Moment) -> Result<Truth> {
        let condition = self.term(skeleton, moment.condition)?;
        if condition == Truth::Never {
            return Ok(Truth::Never);
        }
        Ok(match moment.place {
            MomentPlace::After(stop, _) => {
                let passed = stop.map_or(self.alive(moment.thread), |stop| self.passed(stop));
                let beyond = self.beyond(skeleton, moment.thread, stop)?;
                self.choice(&[condition, passed, !beyond])
            }
            MomentPlace::Before(stop) => {
                let pending = self.pending(skeleton, stop)?;
                self.choice(&[condition, pending])
            }
        })
    }

    fn race(&mut self, skeleton: &Skeleton, cell: CellId) -> Result<Truth> {
        let mut sites: BTreeMap<ThreadId, Vec<(AccessMode, Truth)>> = BTreeMap::new();
        for site in skeleton.sites.iter().filter(|site| site.cell == cell) {
            let stands = self.stands(skeleton, site)?;
            if stands != Truth::Never {
                sites.entry(skeleton.stop(site.stop).thread).or_default().push((site.mode, stands));
            }
        }
        if sites.len() < 2 {
            return Ok(Truth::Never);
        }
        let mut fresh = || Truth::When(self.solver.new_literal());
        let (race, writer_plain, other_plain) = (fresh(), fresh(), fresh());
        let (mut writers, mut others) = (vec![!race], vec![!race]);
        for sites in sites.values() {
            let mut fresh = || Truth::When(self.solver.new_literal());
            let (writer, other) = (fresh(), fresh());
            writers.push(writer);
            others.push(other);
            self.clause(&[!writer, !other]);
            let among = |premises: &[Truth], wanted: fn(AccessMode) -> bool| -> Vec<Truth> {
                let found = sites.iter().filter(|(mode, _)| wanted(*mode)).map(|&(_, stands)| stands);
                premises.iter().map(|&premise| !premise).chain(found).collect()
            };
            self.clause(&among(&[writer], |mode| mode.kind == AccessKind::Write));
            self.clause(&among(&[writer, writer_plain], |mode| {
                mode.kind == AccessKind::Write && !mode.atomicity.is_atomic()
            }));
            self.clause(&among(&[other], |_| true));
            self.clause(&among(&[other, other_plain], |mode| !mode.atomicity.is_atomic()));
        }
        self.clause(&writers);
        self.clause(&others);
        self.clause(&[!race, writer_plain, other_plain]);
        Ok(race)
    }

    /// A literal that makes a thread stand before a site.
    fn stands(&mut self, skeleton: &Skeleton, site: &Site) -> Result<Truth> {
        let condition = self.term(skeleton, site.condition)?;
        if condition == Truth::Never {
            return Ok(Truth::Never);
        }
        let at = match site.needs_pending {
            true => self.pending(skeleton, site.stop)?,
            false => self.at(skeleton, site.stop),
        };
        let stands = self.choice(&[condition, at]);
        let stop = skeleton.stop(site.stop);
        if stop.section == SectionPlace::Inside {
            // It is inside, even if nothing has happened there yet, and so nobody else is.
            self.hold_up(skeleton, &[stands], stop.thread, stop.event)?;
        }
        Ok(stands)
    }

    fn deadlock(&mut self, skeleton: &Skeleton, selector: Lit) -> Result<()> {
        let selector = Truth::When(selector);
        let mut blocked_by_thread: Vec<Vec<Truth>> = vec![Vec::new(); skeleton.threads.len()];
        let mut blocked_inside = Vec::new();
        for (number, stop) in skeleton.stops.iter().enumerate() {
            let blocked = self.term(skeleton, stop.blocked)?;
            if blocked == Truth::Never {
                continue;
            }
            let pending = self.pending(skeleton, StopId::new(number))?;
            let stuck = self.choice(&[blocked, pending]);
            blocked_by_thread[stop.thread.index()].push(stuck);
            if stop.section == SectionPlace::Inside {
                blocked_inside.push(stuck);
            }
        }
        let mut someone = vec![!selector];
        someone.extend(blocked_by_thread.iter().flatten());
        self.clause(&someone);
        for (number, stuck) in blocked_by_thread.into_iter().enumerate() {
            let thread = ThreadId::new(number);
            let ended = self.term(skeleton, skeleton.thread(thread).ended)?;
            let finished = self.finished_chain(skeleton, thread);
            let ended = self.choice(&[ended, finished]);
            let mut clause = vec![!selector, !self.alive(thread), ended];
            clause.extend(stuck);
            if !blocked_inside.is_empty() {
                clause.push(self.held_up(skeleton, thread, &blocked_inside)?);
            }
            self.clause(&clause);
        }
        Ok(())
    }

    /// A literal that makes another thread block inside a section, and this one stand anywhere but where it is
    /// abandoned.
    fn held_up(&mut self, skeleton: &Skeleton, thread: ThreadId, blocked_inside: &[Truth]) -> Result<Truth> {
        let held = Truth::When(self.solver.new_literal());
        let mut clause = vec![!held];
        clause.extend(blocked_inside);
        self.clause(&clause);
        for moment in &skeleton.thread(thread).abandoned {
            let condition = self.term(skeleton, moment.condition)?;
            match moment.place {
                MomentPlace::After(stop, _) => {
                    let passed = stop.map_or(self.alive(thread), |stop| self.passed(stop));
                    self.clause(&[!held, !passed, !condition]);
                }
                MomentPlace::Before(stop) => {
                    let (at, pending) = (self.at(skeleton, stop), self.pending(skeleton, stop)?);
                    self.implies(&[held, at], pending);
                    self.clause(&[!held, !at, !condition]);
                }
            }
        }
        Ok(held)
    }

    fn walked(&mut self, skeleton: &Skeleton, selector: Lit, walked: &[(ThreadId, u32)]) -> Result<()> {
        let selector = Truth::When(selector);
        for &(thread, count) in walked {
            let stops = &skeleton.thread(thread).stops;
            let count = count as usize;
            self.implies(&[selector], self.alive(thread));
            if let Some(&next) = stops.get(count) {
                self.implies(&[selector], !self.passed(next));
            }
            if let Some(&last) = count.checked_sub(1).and_then(|last| stops.get(last)) {
                self.implies(&[selector], self.passed(last));
            }
            for &stop in &stops[..count.min(stops.len())] {
                let reach = self.term(skeleton, skeleton.stop(stop).reach)?;
                self.implies(&[selector], reach);
            }
        }
        Ok(())
    }

    /// A literal that makes the interference happen. `neighbours` is the same for all interferences with the same first
    /// and second.
    fn interference(&mut self, skeleton: &Skeleton, interference: Interference, neighbours: Truth) -> Result<Truth> {
        let Interference { first, between, second } = interference;
        let sites = [first, between, second].map(|site| skeleton.site(site));
        let mut conditions = vec![neighbours];
        for site in sites {
            conditions.push(self.term(skeleton, site.made)?);
            conditions.push(self.passed(site.stop));
        }
        if conditions.contains(&Truth::Never) {
            return Ok(Truth::Never);
        }
        let [first, between, second] = sites.map(|site| skeleton.stop(site.stop).event);
        conditions.push(self.before(skeleton, first, between)?);
        conditions.push(self.before(skeleton, between, second)?);
        Ok(self.choice(&conditions))
    }

    /// A literal that keeps a thread from touching, after the first access and before the second, anything that the
    /// first touched.
    fn neighbours(&mut self, skeleton: &Skeleton, first: SiteId, second: SiteId) -> Result<Truth> {
        let neighbours = Truth::When(self.solver.new_literal());
        let layout = self.layout.clone();
        for (touched, again) in atomicity::touched_again(skeleton, &layout, first, second) {
            let (touched, again) = (skeleton.site(touched).made, skeleton.site(again).made);
            let (touched, again) = (self.term(skeleton, touched)?, self.term(skeleton, again)?);
            self.clause(&[!neighbours, !touched, !again]);
        }
        Ok(neighbours)
    }

    fn atomicity(&mut self, skeleton: &Skeleton, selector: Lit, interferences: &[Interference]) -> Result<()> {
        let mut neighbours: BTreeMap<(SiteId, SiteId), Truth> = BTreeMap::new();
        let mut clause = vec![!Truth::When(selector)];
        for &interference in interferences {
            let pair = (interference.first, interference.second);
            let undisturbed = match neighbours.get(&pair) {
                Some(&known) => known,
                None => self.neighbours(skeleton, pair.0, pair.1)?,
            };
            neighbours.insert(pair, undisturbed);
            clause.push(self.interference(skeleton, interference, undisturbed)?);
        }
        self.clause(&clause);
        Ok(())
    }
}
