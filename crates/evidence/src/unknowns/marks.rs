//! Marks on values that follow from something that nobody defines: which step of a schedule they come from, kept for
//! registers, bytes and ghost fields along the schedule.
//!
//! Two kinds are told apart. Of a *number* that somebody unknown gives nothing is known. An *address* that it gives may
//! be null or lead elsewhere, but whoever uses the same one is led to the same place: two accesses through it race
//! whatever it is.

use selvedge_program::semantics::{GhostKey, Instance, Spot};
use selvedge_program::{BinaryOp, Expr, RegisterId};
use std::collections::{BTreeMap, BTreeSet};

/// Where a mark comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The step of the schedule.
    pub step: usize,
    /// Where it stood in memory, if the step may have changed more than one place.
    pub place: Option<(Instance, u64)>,
}

/// What a value follows from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// From numbers that came from there.
    pub numbers: BTreeSet<Origin>,
    /// From addresses, and nothing was done with them but to add to them.
    pub addresses: BTreeSet<Origin>,
}

/// What a value is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Used {
    AsNumber,
    AsAddress,
}

impl Marks {
    /// Those of something that comes from there.
    pub fn of(origin: Origin, used: Used) -> Marks {
        let one = BTreeSet::from([origin]);
        match used {
            Used::AsNumber => Marks { numbers: one, addresses: BTreeSet::new() },
            Used::AsAddress => Marks { numbers: BTreeSet::new(), addresses: one },
        }
    }

    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty() && self.addresses.is_empty()
    }

    /// These and those.
    #[must_use]
    pub fn and(mut self, other: &Marks) -> Marks {
        self.numbers.extend(&other.numbers);
        self.addresses.extend(&other.addresses);
        self
    }

    /// The same where what is made of it is used like this: a number that is computed of an address is a number.
    #[must_use]
    pub fn used(mut self, used: Used) -> Marks {
        if used == Used::AsNumber {
            self.numbers.append(&mut self.addresses);
        }
        self
    }

    /// What a value that is read at this address follows from because of the address: what an address that was given
    /// leads to is memory of its own, in which nobody else writes.
    #[must_use]
    pub fn of_what_is_there(&self) -> Marks {
        let is_perhaps_another = |origin: &&Origin| origin.place.is_some();
        let addresses = self.addresses.iter().filter(is_perhaps_another).copied().collect();
        Marks { numbers: self.numbers.clone(), addresses }
    }

    /// All steps that these come from.
    pub fn steps(&self) -> BTreeSet<usize> {
        self.numbers.iter().chain(&self.addresses).map(|origin| origin.step).collect()
    }
}

/// The marks of an activation's registers.
#[derive(Clone, Debug, Default)]
pub struct Registers(BTreeMap<RegisterId, Marks>);

impl Registers {
    pub fn set(&mut self, register: RegisterId, marks: Marks) {
        if marks.is_empty() {
            self.0.remove(&register);
        } else {
            self.0.insert(register, marks);
        }
    }

    /// What the value of an expression follows from.
    pub fn of(&self, expr: &Expr) -> Marks {
        match expr {
            _ if self.0.is_empty() => Marks::default(),
            Expr::Constant(_) | Expr::Address(..) => Marks::default(),
            Expr::Register(register, _) => self.0.get(register).cloned().unwrap_or_default(),
            Expr::Unary(_, operand) => self.of(operand).used(Used::AsNumber),
            Expr::Binary(BinaryOp::Add | BinaryOp::Subtract, a, b) => self.of(a).and(&self.of(b)),
            Expr::Binary(_, a, b) => self.of(a).and(&self.of(b)).used(Used::AsNumber),
            Expr::Convert(_, _, operand) => self.of(operand),
            Expr::IfThenElse(condition, then, otherwise) => {
                self.of(condition).used(Used::AsNumber).and(&self.of(then)).and(&self.of(otherwise))
            }
        }
    }
}

/// What stands in a stretch of bytes.
#[derive(Clone, Debug)]
enum Content {
    /// A value that follows from this.
    Marked(Marks),
    /// What somebody unknown has left there in this step.
    Left(usize),
}

/// A stretch of bytes up to an end.
#[derive(Clone, Debug)]
struct Stretch {
    end: u64,
    content: Content,
}

/// The marks of what is in memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    objects: BTreeMap<Instance, BTreeMap<u64, Stretch>>,
    ghosts: BTreeMap<GhostKey, Marks>,
}

impl Memory {
    /// What a value follows from that is read at a spot.
    pub fn at(&self, spot: Spot, used: Used) -> Marks {
        match spot {
            Spot::Ghost(key) => self.ghosts.get(&key).cloned().unwrap_or_default(),
            Spot::Whole(_) => Marks::default(),
            Spot::Bytes { object, offset, size } => {
                let Some(stretches) = self.objects.get(&object) else { return Marks::default() };
                let before = stretches.range(..offset + size).filter(|(_, stretch)| stretch.end > offset);
                before.fold(Marks::default(), |marks, (_, stretch)| match &stretch.content {
                    Content::Marked(found) => marks.and(&found.clone().used(used)),
                    Content::Left(step) => {
                        marks.and(&Marks::of(Origin { step: *step, place: Some((object, offset)) }, used))
                    }
                })
            }
        }
    }

    /// A value is written that follows from this.
    pub fn write(&mut self, spot: Spot, marks: Marks) {
        match spot {
            Spot::Ghost(key) if marks.is_empty() => drop(self.ghosts.remove(&key)),
            Spot::Ghost(key) => drop(self.ghosts.insert(key, marks)),
            Spot::Whole(_) => {}
            Spot::Bytes { object, offset, size } => {
                let content = (!marks.is_empty()).then_some(Content::Marked(marks));
                self.put(object, offset, offset.saturating_add(size), content);
            }
        }
    }

    /// Somebody unknown leaves anything in a stretch.
    pub fn leave(&mut self, object: Instance, offset: u64, size: u64, step: usize) {
        self.put(object, offset, offset.saturating_add(size), Some(Content::Left(step)));
    }

    /// An object is gone, or begins anew.
    pub fn forget(&mut self, object: Instance) {
        self.objects.remove(&object);
        self.ghosts.retain(|key, _| key.object != Some(object));
    }

    fn put(&mut self, object: Instance, start: u64, end: u64, content: Option<Content>) {
        if content.is_none() && !self.objects.contains_key(&object) {
            return;
        }
        let stretches = self.objects.entry(object).or_default();
        let overlapping = stretches.range(..end).filter(|(_, stretch)| stretch.end > start);
        let cut: Vec<(u64, Stretch)> = overlapping.map(|(from, stretch)| (*from, stretch.clone())).collect();
        for (from, stretch) in cut {
            stretches.remove(&from);
            if stretch.end > end {
                stretches.insert(end, stretch.clone());
            }
            if from < start {
                stretches.insert(from, Stretch { end: start, ..stretch });
            }
        }
        if let Some(content) = content {
            stretches.insert(start, Stretch { end, content });
        }
    }
}
