//! Accesses that are to be atomic together: which three accesses of two threads show that they are not (paper, section
//! 3; which orders of three cannot be serial, and what counts as an access, says `serial` in `program`).
//!
//! Only cells that threads share matter: where all writes come before everything that other threads do, there is
//! nothing between.

use std::collections::BTreeMap;

use selvedge_evidence::{AtomicLines, Subject};
use selvedge_program::serial::makes_a_difference;

use crate::conditions::Conditions;
use crate::layout::Layout;
use crate::skeleton::{CellId, Goal, Interference, Site, SiteId, Skeleton, StopId, ThreadId};
use crate::unroll::Unrolled;
use crate::unroll::claims::{Asked, Claim};

/// Adds a goal for each pair of lines.
pub fn ask(unrolled: &mut Unrolled, pairs: &[AtomicLines]) {
    let mut conditions = Conditions::default();
    for &pair in pairs {
        let goal = Goal::Atomicity(interferences(unrolled, pair, &mut conditions));
        unrolled.skeleton.goals.push(goal.clone());
        unrolled.asked.push(Asked { claim: Claim::Violation(Subject::Atomicity(pair)), goal, failures: Vec::new() });
    }
}

fn interferences(unrolled: &Unrolled, asked: AtomicLines, conditions: &mut Conditions) -> Vec<Interference> {
    let skeleton = &unrolled.skeleton;
    let mut by_cell: BTreeMap<CellId, Vec<SiteId>> = BTreeMap::new();
    for (number, site) in
        skeleton.sites.iter().enumerate().filter(|(_, site)| !skeleton.cell(site.cell).synchronisation)
    {
        by_cell.entry(site.cell).or_default().push(SiteId::new(number));
    }
    let spans = &unrolled.paths.sites;
    let mut found = Vec::new();
    for sites in by_cell.values() {
        for &first in sites {
            for &second in sites {
                let pair = [first, second].map(|site| skeleton.site(site));
                let kinds = pair.map(|site| site.mode.kind);
                let follows = thread(skeleton, pair[0]) == thread(skeleton, pair[1])
                    && position(skeleton, pair[0]) < position(skeleton, pair[1]);
                if !follows
                    || !asked.are([first, second].map(|site| spans[site.index()]), kinds)
                    || sites.iter().any(|&other| is_always_between(skeleton, conditions, pair, skeleton.site(other)))
                {
                    continue;
                }
                let disturbing = sites.iter().copied().filter(|&between| {
                    let between = skeleton.site(between);
                    thread(skeleton, between) != thread(skeleton, pair[0])
                        && makes_a_difference(kinds[0], between.mode.kind, kinds[1])
                });
                found.extend(disturbing.map(|between| Interference { first, between, second }));
            }
        }
    }
    found
}

fn thread(skeleton: &Skeleton, site: &Site) -> ThreadId {
    skeleton.stop(site.stop).thread
}

fn position(skeleton: &Skeleton, site: &Site) -> u32 {
    skeleton.stop(site.stop).position
}

/// Whether the thread touches the cell again on every way from the first access to the second.
fn is_always_between(skeleton: &Skeleton, conditions: &mut Conditions, pair: [&Site; 2], other: &Site) -> bool {
    let inside = thread(skeleton, other) == thread(skeleton, pair[0])
        && position(skeleton, pair[0]) < position(skeleton, other)
        && position(skeleton, other) < position(skeleton, pair[1]);
    inside && {
        let given = conditions.given(&skeleton.terms, pair[1].made);
        conditions.follows(&skeleton.terms, other.made, &given, pair[0].made)
    }
}

/// Pairs of sites to one cell each, of which not both may have happened if the second access is to be the next one
/// after the first: one of the first access, which may be to several cells, and one of the same thread between the two,
/// be it at one of their stops.
pub(crate) fn touched_again(
    skeleton: &Skeleton,
    layout: &Layout,
    first: SiteId,
    second: SiteId,
) -> Vec<(SiteId, SiteId)> {
    let (first, second) = (skeleton.site(first), skeleton.site(second));
    let stops = &skeleton.thread(thread(skeleton, first)).stops;
    let from = position(skeleton, first) as usize;
    let to = position(skeleton, second) as usize;
    let between = stops.get(from + 1..to).unwrap_or_default();
    let sites = |stop: StopId| layout.sites_of_stop[stop.index()].iter().map(|&site| SiteId(site));
    let mut found = Vec::new();
    for touched in sites(first.stop).filter(|&site| skeleton.site(site).access == first.access) {
        let later = sites(first.stop).filter(|&site| skeleton.site(site).access > first.access);
        let earlier = sites(second.stop).filter(|&site| skeleton.site(site).access < second.access);
        let again = later.chain(between.iter().flat_map(|&stop| sites(stop))).chain(earlier);
        let again = again.filter(|&again| skeleton.site(again).cell == skeleton.site(touched).cell);
        found.extend(again.map(|again| (touched, again)));
    }
    found
}

/// Whether the three stops have happened one after the other.
pub(crate) fn is_in_order(
    skeleton: &Skeleton,
    interference: Interference,
    when: impl Fn(StopId) -> Option<usize>,
) -> bool {
    let Interference { first, between, second } = interference;
    match [first, between, second].map(|site| when(skeleton.site(site).stop)) {
        [Some(first), Some(between), Some(second)] => first < between && between < second,
        _ => false,
    }
}
