//! The accesses to objects while other threads may be there, and whether every two of them that would race exclude each
//! other: by a lock, or because one thread makes both. Of a field, the accesses that may touch a byte of it are looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use selvedge_analysis::{AbstractObject, Field, Offset, Target};
use selvedge_program::{
    AccessKind, AccessMode, Budget, EdgeId, Exhausted, Expr, FunctionId, GhostField, LocationId, LockKind, LockMode,
    Span, Touched,
};

use super::beside::{Beside, Threads};
use super::elements::{self, Elements, Where};
use super::flags::Past;
use super::fresh::Fresh;
use super::held::Locksets;
use super::names::{Lock, Name, Names, Origin, behind, is_constant, origin};
use super::portions::Portions;
use super::private::Public;

/// A lock as it lies to the object that it guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Guard {
    /// This very lock.
    Lock(Lock),
    /// The lock at an offset of the object itself.
    Within(i64, LockKind),
    /// The lock in the same element of the object.
    InElement(LockKind),
    /// The lock that the index of an element decides, in another object.
    AtIndex(AbstractObject, LockKind),
}

/// What of an object is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    /// So many bytes at an offset.
    Bytes(Offset, u64),
    /// What the library keeps at an offset.
    Ghost(GhostField, Offset),
    /// All of it: its life ends.
    Whole,
}

impl Extent {
    /// Whether something of it may be in a field.
    fn may_be_in(self, field: Field) -> bool {
        match self {
            Extent::Bytes(offset, size) => field.overlaps(offset, size),
            Extent::Ghost(_, offset) => field.overlaps(offset, 1),
            Extent::Whole => true,
        }
    }

    fn may_overlap(self, other: Extent) -> bool {
        match (self, other) {
            (Extent::Whole, _) | (_, Extent::Whole) => true,
            (Extent::Ghost(field, offset), Extent::Ghost(other, other_offset)) => {
                field == other && offset.may_overlap(1, other_offset, 1)
            }
            (Extent::Ghost(..), _) | (_, Extent::Ghost(..)) => false,
            (Extent::Bytes(offset, size), Extent::Bytes(other, other_size)) => {
                offset.may_overlap(size, other, other_size)
            }
        }
    }
}

/// Accesses that are alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Access {
    mode: AccessMode,
    extent: Extent,
    /// The threads that may make them, each with those that may be alive beside it then.
    makers: Vec<(u32, Rc<Threads>)>,
    /// Whether they are made to a local by its own function, in the thread whose local it is.
    is_own: bool,
    /// Whether they are made to what the thread was handed when it was started.
    is_handed: bool,
    /// The starts each of whose threads was given a portion of its own, which alone they are made to.
    within: Threads,
    /// The starts whose threads were all given other portions than the one that they are made to.
    ahead: Threads,
    guards: Vec<(Guard, LockMode)>,
    /// Locks of the element that is accessed.
    of_element: Vec<(elements::Beside, LockMode)>,
    /// Sets of events, one of each of which has happened before.
    before: BTreeSet<Rc<Threads>>,
    /// What may have happened before the initial thread makes them.
    past: Rc<Threads>,
}

impl Access {
    /// Whether two threads may be about to make these accesses, and race.
    fn may_race(&self, other: &Access) -> bool {
        // The initial thread is where nothing of what the other one has seen can have happened.
        let comes_before = |maker: u32, access: &Access, other: &Access| {
            maker == 0 && other.before.iter().any(|events| events.is_disjoint(&access.past))
        };
        let is_of_portions = |maker: u32, meets: u32| {
            let are_apart = |access: &Access, maker: u32, other: &Access, meets: u32| {
                let is_other = if maker == 0 { access.ahead.contains(&meets) } else { access.within.contains(&maker) };
                (maker == 0 || maker == meets) && is_other && other.within.contains(&meets)
            };
            are_apart(self, maker, other, meets) || are_apart(other, meets, self, maker)
        };
        let are_at_once = self.makers.iter().any(|(maker, beside)| {
            other.makers.iter().any(|(meets, others)| {
                beside.contains(meets)
                    && others.contains(maker)
                    && !is_of_portions(*maker, *meets)
                    && !comes_before(*maker, self, other)
                    && !comes_before(*meets, other, self)
            })
        });
        let excludes = |(guard, mode): &(Guard, LockMode)| {
            other.guards.iter().any(|(other, other_mode)| {
                guard == other && (*mode == LockMode::Exclusive || *other_mode == LockMode::Exclusive)
            })
        };
        let is_of_one = |(beside, mode): &(elements::Beside, LockMode)| {
            other.of_element.iter().any(|(other, other_mode)| {
                beside.is_one_lock(other) && (*mode == LockMode::Exclusive || *other_mode == LockMode::Exclusive)
            })
        };
        self.mode.races_with(other.mode)
            && self.extent.may_overlap(other.extent)
            && are_at_once
            && !(self.is_own && other.is_own)
            && !(self.is_handed && other.is_handed)
            && !self.guards.iter().any(excludes)
            && !self.of_element.iter().any(is_of_one)
    }
}

/// Why nothing races on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Protection {
    /// Whoever accesses it is alone with it: no other thread is there, or knows of it.
    Apart,
    /// It is only read while other threads may be there.
    ReadOnly,
    /// This lock is held at every access while other threads may be there: alone, or for reading where it is read.
    Guarded(Guard),
    /// Every two accesses that would race exclude each other, for reasons that differ.
    Excluded,
}

/// What is asked about.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Asked {
    pub objects: BTreeSet<AbstractObject>,
    /// Fields by themselves: of objects that may not be protected as a whole.
    pub fields: BTreeSet<(AbstractObject, Field)>,
}

impl FromIterator<AbstractObject> for Asked {
    fn from_iter<I: IntoIterator<Item = AbstractObject>>(objects: I) -> Self {
        Asked { objects: objects.into_iter().collect(), fields: BTreeSet::new() }
    }
}

/// What protects objects, and fields of objects.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Protections {
    pub objects: BTreeMap<AbstractObject, Protection>,
    pub fields: BTreeMap<(AbstractObject, Field), Protection>,
}

/// What is known of a program.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a, 'p> {
    pub names: &'a Names<'p>,
    pub elements: &'a Elements,
    pub fresh: &'a Fresh,
    pub public: &'a Public,
    pub portions: &'a Portions,
    pub beside: &'a Beside<'a, 'p>,
    pub locksets: &'a Locksets,
    pub past: &'a Past,
}

/// An object with more kinds of accesses than this is not looked at pair by pair.
const MOST_KINDS: usize = 2_000;

impl Known<'_, '_> {
    /// Why nothing races on some of the objects and fields.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn protections(&self, asked: &Asked, budget: &Budget) -> Result<Protections, Exhausted> {
        let mut accesses: BTreeMap<AbstractObject, BTreeSet<Access>> = BTreeMap::new();
        self.accesses(asked, budget, &mut |object, access, _| {
            accesses.entry(object).or_default().insert(access);
        })?;
        let mut found = Protections::default();
        let nothing = BTreeSet::new();
        for object in &asked.objects {
            budget.check()?;
            let all: Vec<&Access> = accesses.get(object).unwrap_or(&nothing).iter().collect();
            found.objects.extend(protection(&all).map(|protection| (*object, protection)));
        }
        for key in &asked.fields {
            budget.check()?;
            let all = accesses.get(&key.0).unwrap_or(&nothing).iter();
            let within: Vec<&Access> = all.filter(|access| access.extent.may_be_in(key.1)).collect();
            found.fields.extend(protection(&within).map(|protection| (*key, protection)));
        }
        Ok(found)
    }

    /// The pairs of accesses to each of the objects that nothing keeps apart, for people.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn open_pairs(&self, asked: &Asked, budget: &Budget) -> Result<Vec<String>, Exhausted> {
        let program = self.names.program;
        let mut accesses: BTreeMap<AbstractObject, BTreeMap<Access, String>> = BTreeMap::new();
        self.accesses(asked, budget, &mut |object, access, span| {
            let text =
                format!("{} {:?} {:?} {:?}", program.place(span), access.mode.kind, access.extent, access.guards);
            accesses.entry(object).or_default().entry(access).or_insert(text);
        })?;
        let mut lines = Vec::new();
        for (object, accesses) in accesses {
            budget.check()?;
            let all: Vec<(&Access, &String)> = accesses.iter().collect();
            for (first, (a, said)) in all.iter().enumerate() {
                let beside = all[first..].iter().filter(|(b, _)| a.may_race(b));
                lines.extend(beside.map(|(_, other)| format!("{}: {said} beside {other}", object.name(program))));
            }
        }
        Ok(lines)
    }

    /// Visits the accesses to the objects that are asked about, made where other threads may be there.
    fn accesses(
        &self,
        asked: &Asked,
        budget: &Budget,
        visit: &mut dyn FnMut(AbstractObject, Access, Span),
    ) -> Result<(), Exhausted> {
        let objects = asked.objects.iter().chain(asked.fields.iter().map(|(object, _)| object));
        let objects = objects.copied().filter(|object| !self.public.is_private(*object));
        let objects: BTreeSet<AbstractObject> = objects.collect();
        for (index, function) in self.names.program.functions.iter().enumerate() {
            budget.check()?;
            let id = FunctionId::new(index);
            if !self.names.life().is_run[index] {
                continue;
            }
            for (position, edge) in function.edges.iter().enumerate() {
                for touch in edge.action.touches() {
                    let is_known = self.fresh.is_own(id, edge.source, touch.address);
                    if is_known || self.beside.is_alone(id, edge.source) {
                        continue;
                    }
                    if self.past.is_never(self.locksets, id, edge.source) {
                        break;
                    }
                    let targets = self.names.targets(id, touch.address);
                    let (within, ahead) = match touch.what {
                        Touched::Bytes(size) => (
                            self.portions.within(id, edge.source, touch.address, size),
                            self.portions.ahead(function, id, EdgeId::new(position), touch.address, size),
                        ),
                        Touched::CString | Touched::Ghost(_) | Touched::Whole => (Threads::new(), Threads::new()),
                    };
                    // Who would write to a constant is undefined instead.
                    let is_made = |object: AbstractObject| {
                        touch.mode.kind == AccessKind::Read || !is_constant(self.names.program, object)
                    };
                    let is_meant = |target: &&Target| objects.contains(&target.object) && is_made(target.object);
                    for target in targets.iter().filter(is_meant) {
                        let extent = match touch.what {
                            Touched::Bytes(size) => Extent::Bytes(target.offset, size),
                            Touched::CString => Extent::Bytes(Offset::ANY, 1),
                            Touched::Ghost(field) => Extent::Ghost(field, target.offset),
                            Touched::Whole => Extent::Whole,
                        };
                        let guards = self.guards(id, edge.source, touch.address, target.object);
                        let makers = self.beside.at(id, edge.source);
                        let is_own = matches!(origin(touch.address), Some((Origin::Local(_), _)));
                        let is_handed = self.fresh.is_handed(id, edge.source, touch.address);
                        let of_element = match touch.what {
                            Touched::Bytes(size) => self.of_element((id, edge.source), touch.address, target, size),
                            Touched::CString | Touched::Ghost(_) | Touched::Whole => Vec::new(),
                        };
                        let before = self.past.before(self.locksets, id, edge.source);
                        let past = self.past.of_initial(id, edge.source);
                        let mode = touch.mode;
                        let (within, ahead) = (within.clone(), ahead.clone());
                        let access = Access {
                            mode,
                            extent,
                            makers,
                            is_own,
                            is_handed,
                            within,
                            ahead,
                            guards,
                            of_element,
                            before,
                            past,
                        };
                        visit(target.object, access, edge.span);
                    }
                }
            }
        }
        Ok(())
    }

    /// The locks that are held at an access to an object, as they lie to it.
    fn guards(
        &self,
        function: FunctionId,
        location: LocationId,
        address: &Expr,
        object: AbstractObject,
    ) -> Vec<(Guard, LockMode)> {
        let base = behind(address).map(|(register, _)| register);
        let is_single = self.names.is_single(object);
        let guard = |name: Name| match name {
            Name::Fixed(lock) => Some(Guard::Lock(lock)),
            Name::Behind(register, _, kind) if Some(register) == base => {
                // Both are in the object that the register points into.
                let meant = self.names.meant(function, name);
                let mut there = meant.iter().filter(|target| target.object == object).map(|target| target.offset);
                match (there.next(), there.next()) {
                    (Some(Offset { start, stride: 0 }), None) if is_single => {
                        Some(Guard::Lock(Lock { object, offset: start, kind }))
                    }
                    (Some(Offset { start, stride: 0 }), None) => Some(Guard::Within(start, kind)),
                    _ => None,
                }
            }
            Name::Behind(..) | Name::At(..) | Name::Raised(_) => None,
        };
        let mut guards: BTreeMap<Guard, LockMode> = BTreeMap::new();
        for (name, mode) in self.locksets.held(function, location) {
            if let Some(guard) = guard(name) {
                let held = guards.entry(guard).or_insert(mode);
                *held = (*held).max(mode);
            }
        }
        guards.into_iter().collect()
    }

    /// The locks that are held at an access to an element of an array, as they lie to it.
    fn of_element(
        &self,
        (function, location): (FunctionId, LocationId),
        address: &Expr,
        target: &Target,
        size: u64,
    ) -> Vec<(elements::Beside, LockMode)> {
        let base = behind(address);
        let element = self.elements.at(self.names.program, function, location, address);
        let element = element.filter(|element| AbstractObject::Static(element.object) == target.object);
        let mut found = Vec::new();
        for (name, mode) in self.locksets.held(function, location) {
            match (name, base, &element) {
                (Name::Behind(register, before, kind), Some((of, distance)), _) if register == of => {
                    let meant = self.names.meant(function, name);
                    let mut there = meant.iter().filter(|meant| meant.object == target.object);
                    if let (Some(lock), None) = (there.next(), there.next())
                        && let Some(distance) = distance.checked_sub(before)
                    {
                        let Offset { start, stride } = lock.offset;
                        let beside = elements::Beside::within(kind, (start, stride), distance, size);
                        found.extend(beside.map(|beside| (beside, mode)));
                    }
                }
                (Name::At(number, kind), _, Some(element)) => {
                    let lock = self.names.element(number);
                    let all = elements::Beside::indexed(self.names, kind, &lock, element, size);
                    found.extend(all.into_iter().map(|beside| (beside, mode)));
                }
                (Name::Fixed(_) | Name::Behind(..) | Name::At(..) | Name::Raised(_), _, _) => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Why no two of the accesses race, if none do.
fn protection(all: &[&Access]) -> Option<Protection> {
    if all.len() > MOST_KINDS {
        return None;
    }
    let races = all.iter().enumerate().any(|(first, a)| all[first..].iter().any(|b| a.may_race(b)));
    if races {
        return None;
    }
    let bytes = || all.iter().filter(|access| !matches!(access.extent, Extent::Ghost(..)));
    if bytes().all(|access| access.mode.kind == AccessKind::Read) {
        let is_any = bytes().next().is_some();
        return Some(if is_any { Protection::ReadOnly } else { Protection::Apart });
    }
    let suffices = |access: &Access, guard: Guard| {
        let is_read = access.mode.kind == AccessKind::Read;
        access.guards.iter().any(|(other, mode)| *other == guard && (is_read || *mode == LockMode::Exclusive))
    };
    let first = bytes().next().map(|access| access.guards.as_slice()).unwrap_or_default();
    let common = first.iter().map(|(guard, _)| *guard).find(|guard| bytes().all(|access| suffices(access, *guard)));
    let common = common.or_else(|| {
        let first = bytes().next().map(|access| access.of_element.as_slice()).unwrap_or_default();
        let is_common = |(beside, _): &&(elements::Beside, LockMode)| {
            bytes().all(|access| {
                let is_read = access.mode.kind == AccessKind::Read;
                let suffices = |mode: LockMode| is_read || mode == LockMode::Exclusive;
                access.of_element.iter().any(|(other, mode)| other.lock == beside.lock && suffices(*mode))
            })
        };
        first.iter().find(is_common).map(|(beside, _)| match beside.lock {
            Where::Within(_) => Guard::InElement(beside.kind),
            Where::Indexed { object, .. } => Guard::AtIndex(AbstractObject::Static(object), beside.kind),
        })
    });
    Some(common.map_or(Protection::Excluded, Protection::Guarded))
}
