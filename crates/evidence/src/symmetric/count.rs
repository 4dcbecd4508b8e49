//! How many threads are at certain places, whichever they are: what a proof says that depends on how many threads the
//! program starts and joins.
//!
//! The number of threads of a *group* is a natural number of every state. A step changes it by what control does: the
//! active thread leaves the group or gets into it, a thread begins in it, a thread that has ended is joined and gone.
//! So "fewer than k after the step" is "fewer than k - d before it", for a d that the step alone decides, and of the
//! state before nothing is asked but comparisons with constants. That is why the number can be a symbol of a fixed
//! width: of all numbers beyond these constants one can stand for any.
//!
//! What is certain of these numbers: a group has at least as many threads as are known to be in it, a group within
//! another has no more than that, and of a template of one thread there is no second. A thread has *ended* from its last
//! step until it is joined; whoever joins a thread joins one that has ended, and no thread is joined twice (both is
//! what the semantics requires where the library's model marks a join; else the execution ends there).

use std::collections::BTreeSet;

use selvedge_logic::{Sort, Term};
use selvedge_program::FunctionId;
use selvedge_symbolic::threads::{ArcKind, NodeId, View};

use super::moves::{At, FIRST, MAIN, Map, Move};

/// Threads that begin with a function and are at one of some places.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group {
    pub entry: FunctionId,
    pub places: BTreeSet<u32>,
    /// Those that have ended and have not been joined belong to it, too.
    pub ended: bool,
}

/// That fewer threads than so many belong to a group.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fewer {
    pub than: u32,
    pub group: Group,
}

/// How wide the numbers of threads are.
const WIDTH: u32 = 16;

/// What they are compared with is at most this: a step changes a number by less than the width leaves.
pub const MOST: u32 = 1 << (WIDTH - 2);

/// A group with its number.
#[derive(Debug)]
pub(super) struct Counted {
    pub group: Group,
    template: usize,
    pub number: Term,
}

impl Counted {
    /// `None` if there is no such group in the program.
    pub fn new(view: &mut View<'_>, group: &Group) -> Option<Counted> {
        let template = view.universe.template_of(group.entry)?;
        let places = view.universe.unfolded(template).nodes.len();
        if group.places.iter().any(|place| *place as usize >= places) {
            return None;
        }
        let number = view.builder.fresh("threads", Sort::Bits(WIDTH));
        Some(Counted { group: group.clone(), template, number })
    }

    fn has(&self, template: usize, place: Option<NodeId>) -> bool {
        let is_there = place.map_or(self.group.ended, |node| self.group.places.contains(&node.0));
        self.template == template && is_there
    }

    /// By how much a step changes the number.
    fn change(&self, map: &Map, by: &Move) -> i64 {
        let (template, source) = by.source;
        let mut change = i64::from(self.has(template, by.target)) - i64::from(self.has(template, Some(source)));
        if let ArcKind::Spawn(entry) = by.step.2 {
            change += i64::from(map.entry(self.template) == entry && self.has(self.template, Some(FIRST)));
        }
        if let Some(joined) = by.joined {
            change -= i64::from(self.has(joined, None));
        }
        change
    }

    /// What fewer threads than so many after a step means before it.
    pub fn before(&self, map: &Map, by: &Move, than: u32) -> i64 {
        i64::from(than) - self.change(map, by)
    }

    /// That there are fewer threads than so many.
    pub fn fewer(&self, view: &mut View<'_>, than: i64) -> Term {
        if than <= 0 {
            return view.builder.no;
        }
        let than = view.builder.terms.bits(WIDTH, than as u128);
        view.builder.terms.ult(self.number, than)
    }

    /// What is certain of the number, with threads that are there, before a step if there is one.
    pub fn certain(&self, view: &mut View<'_>, map: &Map, there: &[At], by: Option<&Move>) -> Vec<Term> {
        let mut least = there.iter().filter(|(template, node)| self.has(*template, Some(*node))).count();
        if let Some(joined) = by.and_then(|by| by.joined) {
            least += usize::from(self.has(joined, None));
        }
        let mut certain = Vec::new();
        if least > 0 {
            let less = self.fewer(view, least as i64);
            certain.push(view.builder.not(less));
        }
        if map.is_single(self.template) {
            certain.push(self.fewer(view, 2));
        }
        certain
    }

    /// That this group has no more threads than another one, if it is within that.
    pub fn within(&self, other: &Counted, view: &mut View<'_>) -> Option<Term> {
        let (group, whole) = (&self.group, &other.group);
        let is_within = group.entry == whole.entry
            && group.places.is_subset(&whole.places)
            && (whole.ended || !group.ended)
            && group != whole;
        is_within.then(|| view.builder.terms.ule(self.number, other.number))
    }

    /// The number when the program begins, with `main`'s thread alone.
    pub fn begins(&self, view: &mut View<'_>) -> Term {
        let number = u128::from(self.has(MAIN, Some(FIRST)));
        let number = view.builder.terms.bits(WIDTH, number);
        view.builder.terms.equal(self.number, number)
    }
}
