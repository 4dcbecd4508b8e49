//! Which objects other threads than their own can reach, and which locals may be pointed to when their activation has ended.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_program::{Action, AtomicStep, FunctionId, Operation, Storage};

use super::{Thing, Universe};
use crate::threads::held::Held;
use crate::threads::unfold::ArcKind;
use crate::word::Tag;

impl Universe<'_> {
    /// Whether an object belongs to a thread: each has its own.
    fn belongs_to_thread(&self, tag: Tag) -> bool {
        matches!(self.thing(tag), Some(Thing::Frame(..) | Thing::Site(_) | Thing::One(_) | Thing::ThreadLocal(_)))
    }

    /// Finds the objects that other threads than their own can reach: an address was given away.
    pub(super) fn find_given_away(&mut self) {
        let held = |object: Tag| {
            self.contents.get(&object).into_iter().flat_map(|ranges| ranges.values().flat_map(Held::tags))
        };
        let mut given: BTreeSet<Tag> = self.given.clone();
        for &object in self.contents.keys().filter(|object| !self.belongs_to_thread(**object)) {
            given.extend(held(object));
        }
        let mut pending: Vec<Tag> = given.iter().copied().collect();
        while let Some(object) = pending.pop() {
            for tag in held(object) {
                if given.insert(tag) {
                    pending.push(tag);
                }
            }
        }
        self.given_away = given;
        self.find_outlived();
    }

    /// Finds the locals that something may point to that outlives the activation: anything but what belongs to the function itself and
    /// to those that it calls. A function that is active several times at once has several of each, and they count as such: what points to
    /// one of them points past the end of an inner one.
    fn find_outlived(&mut self) {
        self.has_joins = self.joins();
        let mut calls: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
        self.is_main_once = true;
        let main = self.templates.first().map(|(main, _)| *main);
        for (_, unfolded) in &self.templates {
            for arc in &unfolded.arcs {
                if let ArcKind::Call(callee) = arc.kind {
                    calls.entry(unfolded.get(arc.source).function).or_default().insert(callee);
                    self.is_main_once &= Some(callee) != main;
                }
                self.is_main_once &= !matches!(arc.kind, ArcKind::Spawn(entry) if Some(entry) == main);
            }
        }
        // Who can point to what: functions by their registers and locals; anything else outlives every activation.
        let mut holders: BTreeMap<Tag, BTreeSet<Option<FunctionId>>> = BTreeMap::new();
        for ((function, _), tags) in &self.registers {
            for tag in tags.tags() {
                holders.entry(tag).or_default().insert(Some(*function));
            }
        }
        for (object, ranges) in &self.contents {
            let holder = match self.thing(*object) {
                Some(Thing::Frame(function, _)) => Some(function),
                _ => None,
            };
            for tag in ranges.values().flat_map(Held::tags) {
                holders.entry(tag).or_default().insert(holder);
            }
        }
        let mut below: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
        let is_confined = |tag: Tag, function: FunctionId, below: &mut BTreeMap<_, _>| {
            let inside = below.entry(function).or_insert_with(|| reachable(&calls, function));
            holders.get(&tag).into_iter().flatten().all(|holder| holder.is_some_and(|holder| inside.contains(&holder)))
        };
        let in_circles: BTreeSet<FunctionId> = self.circles.values().flatten().copied().collect();
        let mut outlived = BTreeSet::new();
        for tag in self.tags() {
            if let Some(Thing::Frame(function, _)) = self.thing(tag)
                && (in_circles.contains(&function) || !is_confined(tag, function, &mut below))
            {
                outlived.insert(tag);
            }
        }
        self.outlived = outlived;
    }

    /// Whether a thread is joined anywhere.
    fn joins(&self) -> bool {
        let is_join = |step: &AtomicStep| matches!(step, AtomicStep::Mark { operation: Operation::Join, .. });
        self.templates.iter().any(|(_, unfolded)| {
            unfolded.nodes.iter().any(|node| {
                let function = self.program.function(node.function);
                function.location(node.location).outgoing.iter().any(|edge| match &function.edge(*edge).action {
                    Action::Atomic(steps) => steps.iter().any(is_join),
                    _ => false,
                })
            })
        })
    }

    /// What no other thread can reach.
    pub fn is_private(&self, tag: Tag) -> bool {
        let is_given = |thing: Thing| self.tags.get(&thing).is_some_and(|tag| self.given_away.contains(tag));
        let is_given = match self.thing(tag) {
            Some(Thing::Site(site) | Thing::One(site)) => is_given(Thing::Site(site)) || is_given(Thing::One(site)),
            _ => self.given_away.contains(&tag),
        };
        self.belongs_to_thread(tag) && !self.is_open && !is_given
    }

    /// The one among the allocations of a site that stands for all.
    pub fn one_of(&mut self, tag: Tag) -> Option<Tag> {
        let Some(Thing::Site(site)) = self.thing(tag) else { return None };
        let is_heap = self.sites.get(&tag).is_some_and(|site| site.storage == Storage::Heap);
        if is_heap { self.tag(Thing::One(site)) } else { None }
    }

    /// Whether another object stands for this one.
    pub fn is_represented(&self, tag: Tag) -> bool {
        match self.thing(tag) {
            Some(Thing::Site(_)) => self.sites.get(&tag).is_some_and(|site| site.storage == Storage::Heap),
            _ => false,
        }
    }

    /// Whether an object is private, and a thread has one of it at a time.
    pub(super) fn is_own(&self, tag: Tag) -> bool {
        self.is_private(tag)
            && !self.outlived.contains(&tag)
            && !matches!(self.thing(tag), Some(Thing::Site(_) | Thing::One(_)))
    }
}

/// The function and all that it may call, directly or not.
fn reachable(calls: &BTreeMap<FunctionId, BTreeSet<FunctionId>>, function: FunctionId) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::from([function]);
    let mut pending = vec![function];
    while let Some(caller) = pending.pop() {
        for &callee in calls.get(&caller).into_iter().flatten() {
            if found.insert(callee) {
                pending.push(callee);
            }
        }
    }
    found
}
