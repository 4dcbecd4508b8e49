//! A program with small functions made one for each place that calls them, so that what is said of a function is said of
//! one caller alone: which memory `memcpy` is given, which thread runs it, whose memory a function allocates.
//!
//! A call, or a start of a thread, that names its function enters a copy of it. All else stays as it is, so the program
//! has the same executions, step by step: only the names differ by which functions, their locals and their allocation
//! sites go. What is called through a pointer is the function itself, unless the pointer is a parameter of a copy that was
//! given a function by name. Functions that call themselves are left alone, and so are those that are large with all that
//! they call.

use std::collections::BTreeMap;

use selvedge_analysis::AbstractObject;
use selvedge_program::{Action, Base, Callee, Expr, FrameObjectId, Function, FunctionId, Program, RegisterId, SiteId};

use super::accesses::{Asked, Guard, Protection, Protections};
use super::names::Lock;
use super::pruned::prune;

/// How many edges a function may have with all that it calls, from the most on: the first with which the program does
/// not become too large.
const SIZES: [usize; 6] = [4_096, 1_024, 256, 64, 16, 0];

/// A program may become so many times as large, if it is small, ...
const TIMES: usize = 24;
const SMALL: usize = 2_000;

/// ... and have so many edges more.
const MOST_MORE: usize = 50_000;

/// A program with its copies.
#[derive(Debug)]
pub struct Cloned {
    pub program: Program,
    /// By function and by site: what it is a copy of; itself, if it is none.
    functions: Vec<FunctionId>,
    sites: Vec<SiteId>,
}

impl Cloned {
    /// Makes the copies.
    pub fn of(program: &Program) -> Cloned {
        let mut cloned = Cloned {
            program: program.clone(),
            functions: (0..program.functions.len()).map(FunctionId::new).collect(),
            sites: (0..program.sites.len()).map(SiteId::new).collect(),
        };
        let (is_copied, most) = chosen(program);
        let is_entered = |function: &FunctionId| {
            let is_main = program.main() == Some(*function);
            is_main || !is_copied[function.index()] || program.address_taken.contains(function)
        };
        let all = (0..program.functions.len()).map(FunctionId::new).filter(is_entered);
        let mut pending: Vec<(FunctionId, Given)> = all.map(|function| (function, Given::new())).collect();
        let mut copied = 0;
        while let Some((id, given)) = pending.pop() {
            for position in 0..cloned.program.functions[id.index()].edges.len() {
                let action = &cloned.program.functions[id.index()].edges[position].action;
                let Some(callee) = named(action, &given) else { continue };
                let size = program.function(callee).edges.len();
                if !is_copied[callee.index()] || copied + size > most {
                    continue;
                }
                copied += size;
                let passed = passed(program.function(callee), action, &given);
                let copy = cloned.copy(program, callee);
                rename(&mut cloned.program.functions[id.index()].edges[position].action, copy);
                pending.push((copy, passed));
            }
        }
        prune(&mut cloned.program);
        cloned.leave_out_unentered();
        cloned
    }

    /// Empties the functions that nobody enters any more: what they would do says nothing.
    fn leave_out_unentered(&mut self) {
        let mut is_entered = vec![false; self.program.functions.len()];
        let mut pending: Vec<FunctionId> = self.program.address_taken.clone();
        pending.extend(self.program.main());
        let initial = self.program.objects.iter().flat_map(|object| &object.initial);
        initial.for_each(|initial| addresses(&initial.value, &mut pending));
        while let Some(id) = pending.pop() {
            if std::mem::replace(&mut is_entered[id.index()], true) {
                continue;
            }
            for edge in &self.program.functions[id.index()].edges {
                pending.extend(named(&edge.action, &Given::new()));
                edge.action.for_each_expression(&mut |value| addresses(value, &mut pending));
            }
        }
        for (function, _) in self.program.functions.iter_mut().zip(is_entered).filter(|(_, is_entered)| !is_entered) {
            function.edges.clear();
            function.locations.iter_mut().for_each(|location| location.outgoing.clear());
        }
    }

    /// One more of a function, with sites of its own.
    fn copy(&mut self, program: &Program, function: FunctionId) -> FunctionId {
        let id = FunctionId::new(self.program.functions.len());
        let mut copy = program.function(function).clone();
        for edge in &mut copy.edges {
            if let Action::Allocate { site, .. } = &mut edge.action {
                let span = program.sites[site.index()];
                self.sites.push(*site);
                *site = SiteId::new(self.program.sites.len());
                self.program.sites.push(span);
            }
        }
        self.program.functions.push(copy);
        self.functions.push(function);
        id
    }

    /// What an object is a copy of.
    fn original(&self, object: AbstractObject) -> AbstractObject {
        match object {
            AbstractObject::Frame(function, local) => AbstractObject::Frame(self.functions[function.index()], local),
            AbstractObject::Site(site) => AbstractObject::Site(self.sites[site.index()]),
            AbstractObject::Function(function) => AbstractObject::Function(self.functions[function.index()]),
            AbstractObject::Static(_) | AbstractObject::Thread | AbstractObject::Started(_) => object,
        }
    }

    /// The copies of an object: each instance of it is one of exactly one of these.
    fn copies(&self, object: AbstractObject) -> Vec<AbstractObject> {
        let frame = |local: FrameObjectId| move |function| AbstractObject::Frame(function, local);
        match object {
            AbstractObject::Frame(of, local) => {
                of_same(&self.functions, of).map(FunctionId::new).map(frame(local)).collect()
            }
            AbstractObject::Site(of) => of_same(&self.sites, of).map(SiteId::new).map(AbstractObject::Site).collect(),
            AbstractObject::Static(_)
            | AbstractObject::Function(_)
            | AbstractObject::Thread
            | AbstractObject::Started(_) => vec![object],
        }
    }

    /// What is to be asked of the copies.
    pub fn asked(&self, asked: &Asked) -> Asked {
        let fields = asked.fields.iter();
        Asked {
            objects: asked.objects.iter().flat_map(|object| self.copies(*object)).collect(),
            fields: fields
                .flat_map(|(object, field)| self.copies(*object).into_iter().map(|copy| (copy, *field)))
                .collect(),
        }
    }

    /// What follows for the objects and fields from what protects their copies: all must be protected.
    pub fn protections(&self, asked: &Asked, found: &Protections) -> Protections {
        let of = |object: AbstractObject, found: &dyn Fn(AbstractObject) -> Option<Protection>| {
            let copies = self.copies(object);
            let each: Option<Vec<Protection>> =
                copies.iter().map(|copy| found(*copy).map(|said| self.said(said, *copy, copies.len()))).collect();
            each?.into_iter().reduce(both)
        };
        let mut all = Protections::default();
        for object in &asked.objects {
            let found = |copy: AbstractObject| found.objects.get(&copy).copied();
            all.objects.extend(of(*object, &found).map(|protection| (*object, protection)));
        }
        for (object, field) in &asked.fields {
            let found = |copy: AbstractObject| found.fields.get(&(copy, *field)).copied();
            all.fields.extend(of(*object, &found).map(|protection| ((*object, *field), protection)));
        }
        all
    }

    /// What protects a copy, in the words of the program: a lock of one of several copies is the object's own, or has no
    /// name.
    fn said(&self, protection: Protection, copy: AbstractObject, copies: usize) -> Protection {
        match protection {
            Protection::Guarded(Guard::Lock(lock)) if lock.object == copy && copies > 1 => {
                Protection::Guarded(Guard::Within(lock.offset, lock.kind))
            }
            Protection::Guarded(Guard::Lock(lock)) => {
                let object = self.original(lock.object);
                match self.copies(object).len() {
                    1 => Protection::Guarded(Guard::Lock(Lock { object, ..lock })),
                    _ => Protection::Excluded,
                }
            }
            Protection::Apart
            | Protection::ReadOnly
            | Protection::Excluded
            | Protection::Guarded(Guard::Within(..) | Guard::InElement(_) | Guard::AtIndex(..)) => protection,
        }
    }
}

/// What protects two that go by one name.
fn both(one: Protection, other: Protection) -> Protection {
    match (one, other) {
        _ if one == other => one,
        (Protection::Apart, other) => other,
        (one, Protection::Apart) => one,
        _ => Protection::Excluded,
    }
}

/// The positions of what is a copy of the same.
fn of_same<T: Copy + PartialEq>(all: &[T], of: T) -> impl Iterator<Item = usize> {
    all.iter().enumerate().filter(move |(_, other)| **other == of).map(|(position, _)| position)
}

/// The parameters of a copy that are the address of a function whenever they are looked at.
type Given = BTreeMap<RegisterId, FunctionId>;

/// The function whose address a value is.
fn function_at(value: &Expr, given: &Given) -> Option<FunctionId> {
    match value {
        Expr::Address(Base::Function(function), _) => Some(*function),
        Expr::Register(register, _) => given.get(register).copied(),
        Expr::Constant(_)
        | Expr::Address(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Convert(..)
        | Expr::IfThenElse(..) => None,
    }
}

/// The functions whose addresses are part of a value.
pub fn addresses(value: &Expr, found: &mut Vec<FunctionId>) {
    match value {
        Expr::Address(Base::Function(function), _) => found.push(*function),
        Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => {}
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => addresses(operand, found),
        Expr::Binary(_, left, right) => [left, right].into_iter().for_each(|part| addresses(part, found)),
        Expr::IfThenElse(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|part| addresses(part, found));
        }
    }
}

/// What a call gives the only copy that it enters, as far as it is functions: of parameters that are never assigned.
fn passed(callee: &Function, action: &Action, given: &Given) -> Given {
    let (Action::Call { arguments, .. } | Action::Spawn { arguments, .. }) = action else { return Given::new() };
    let is_kept = |parameter: RegisterId| callee.edges.iter().all(|edge| !edge.action.assigned().contains(&parameter));
    let parameters = callee.parameters.iter().zip(arguments);
    let functions = parameters.filter_map(|(parameter, value)| Some((*parameter, function_at(value, given)?)));
    functions.filter(|(parameter, _)| is_kept(*parameter)).collect()
}

/// The function that a call or a start enters, where that is one.
fn named(action: &Action, given: &Given) -> Option<FunctionId> {
    let (Action::Call { callee, .. } | Action::Spawn { entry: callee, .. }) = action else { return None };
    match callee {
        Callee::Direct(function) => Some(*function),
        Callee::Indirect(pointer) => function_at(pointer, given),
    }
}

fn rename(action: &mut Action, to: FunctionId) {
    if let Action::Call { callee, .. } | Action::Spawn { entry: callee, .. } = action {
        *callee = Callee::Direct(to);
    }
}

/// By function, whether it is copied; and how many edges all copies may have together.
fn chosen(program: &Program) -> (Vec<bool>, usize) {
    let sizes = sizes(program);
    let edges: usize = program.functions.iter().map(|function| function.edges.len()).sum();
    let most = (edges * TIMES).max(SMALL).min(edges + MOST_MORE);
    let is_copied = |most: usize| sizes.iter().map(move |size| size.is_some_and(|size| size <= most));
    let total = |is_copied: &[bool]| {
        let kept = program.functions.iter().zip(is_copied).filter(|(_, is_copied)| !**is_copied);
        let of = |function: &Function| {
            let called = function.edges.iter().filter_map(|edge| named(&edge.action, &Given::new()));
            let copied = called.filter(|callee| is_copied[callee.index()]);
            function.edges.len() + copied.filter_map(|callee| sizes[callee.index()]).sum::<usize>()
        };
        kept.map(|(function, _)| of(function)).fold(0, usize::saturating_add)
    };
    let choices = SIZES.iter().map(|size| is_copied(*size).collect::<Vec<bool>>());
    let fits = choices.into_iter().find(|is_copied| total(is_copied) <= most);
    (fits.unwrap_or_else(|| vec![false; program.functions.len()]), most)
}

/// By function, how many edges it has with all that it calls, each time that it does; `None` where it may call itself, or
/// that is not known.
fn sizes(program: &Program) -> Vec<Option<usize>> {
    let called: Vec<Vec<FunctionId>> = program
        .functions
        .iter()
        .map(|function| function.edges.iter().filter_map(|edge| named(&edge.action, &Given::new())).collect())
        .collect();
    let mut sizes: Vec<Option<usize>> = vec![None; called.len()];
    // Whoever calls only what has a size has one. What is left calls itself, or somebody who does.
    loop {
        let mut is_changed = false;
        for (index, callees) in called.iter().enumerate() {
            if sizes[index].is_none() {
                let mut of_callees = callees.iter().map(|callee| sizes[callee.index()]);
                let sum = of_callees.try_fold(program.functions[index].edges.len(), |sum, size| {
                    size.map(|size| sum.saturating_add(size))
                });
                is_changed |= sum.is_some();
                sizes[index] = sum;
            }
        }
        if !is_changed {
            return sizes;
        }
    }
}
