//! What evaluations read and write, functions that they call included: a cheap over-approximation, to tell whether the
//! order of two can matter. Variables count one by one; all that pointers lead to is one, and so is what the library
//! keeps.

use super::effects::{self, Child};
use super::link::{FunctionEntity, GlobalEntity};
use super::sequence::{self, Deeds};
use super::whole::{Target, Whole};
use crate::hir::{Body, Callee, Constant, Expr as Typed, ExprKind, Place, PlaceKind, Statement, StaticBase};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Something that can be read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Variable(GlobalEntity),
    /// Whatever has an address that is passed around.
    Pointed,
    /// What the library keeps: locks, threads, files.
    Library,
}

/// What an evaluation reads and writes.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    reads: BTreeSet<Thing>,
    writes: BTreeSet<Thing>,
    /// Whether it may read and write anything.
    is_unknown: bool,
}

impl Reached {
    fn is_nothing(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty() && !self.is_unknown
    }

    fn touch(&mut self, thing: Thing, writes: bool) {
        if writes {
            self.writes.insert(thing)
        } else {
            self.reads.insert(thing)
        };
    }

    fn add_library(&mut self, name: &str) {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        if READERS.contains(&name) {
            self.touch(Thing::Pointed, false);
        } else if !HARMLESS.contains(&name) && !name.contains("nondet_") {
            self.touch(Thing::Pointed, true);
            self.touch(Thing::Library, true);
        }
    }
}

/// Library functions whose calls can change places: they keep nothing, or nothing that the program could notice.
const HARMLESS: &[&str] = &[
    "malloc",
    "calloc",
    "rand",
    "random",
    "drand48",
    "time",
    "getpid",
    "gettid",
    "pthread_self",
    "thrd_current",
    "abs",
    "labs",
    "sqrt",
    "floor",
    "ceil",
    "fabs",
    "pow",
    "sin",
    "cos",
    "exp",
    "log",
    "htons",
    "htonl",
    "ntohs",
    "ntohl",
    "isalpha",
    "isdigit",
    "isalnum",
    "isspace",
    "isupper",
    "islower",
    "toupper",
    "tolower",
    "expect",
];

/// Library functions that read what they are given and change nothing that the program could notice.
const READERS: &[&str] = &[
    "strlen",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strchr",
    "strrchr",
    "strstr",
    "memcmp",
    "memchr",
    "atoi",
    "atol",
    "atof",
    "printf",
    "puts",
    "putchar",
    "fprintf",
    "fputs",
    "perror",
];

/// What has been found out about functions and variables so far.
#[derive(Debug, Default)]
pub struct Found {
    functions: RefCell<BTreeMap<FunctionEntity, Rc<Own>>>,
    passed_around: OnceCell<BTreeSet<GlobalEntity>>,
}

/// What a function does itself, and whom it calls.
#[derive(Clone, Debug, Default)]
struct Own {
    reached: Reached,
    callees: Vec<FunctionEntity>,
}

/// What some deeds come to.
pub fn of_deeds(whole: &Whole<'_>, unit: usize, body: &Body, deeds: &Deeds<'_>) -> Reached {
    let mut own = Own::default();
    own.add_deeds(whole, unit, body, deeds);
    let Own { reached: mut found, callees: mut pending } = own;
    let mut seen = BTreeSet::new();
    while let Some(function) = pending.pop() {
        if seen.insert(function) {
            let own = own_of(whole, function);
            found.reads.extend(&own.reached.reads);
            found.writes.extend(&own.reached.writes);
            found.is_unknown |= own.reached.is_unknown;
            pending.extend(&own.callees);
        }
    }
    found
}

fn own_of(whole: &Whole<'_>, function: FunctionEntity) -> Rc<Own> {
    if let Some(own) = whole.reach.functions.borrow().get(&function) {
        return Rc::clone(own);
    }
    let mut own = Own::default();
    match whole.links.function_link(function).definition {
        None => own.reached.is_unknown = true,
        Some(definition) => {
            if let Some(body) = &whole.hir_function(definition).body {
                own.add_statement(whole, definition.0, body, &body.statement);
            }
        }
    }
    let own = Rc::new(own);
    whole.reach.functions.borrow_mut().insert(function, Rc::clone(&own));
    own
}

/// Whether the order of two evaluations can matter.
pub fn conflict(whole: &Whole<'_>, left: &Reached, right: &Reached) -> bool {
    if left.is_unknown || right.is_unknown {
        return !left.is_nothing() && !right.is_nothing();
    }
    let may_be_same = |a: &Thing, b: &Thing| match (a, b) {
        (Thing::Variable(variable), Thing::Pointed) | (Thing::Pointed, Thing::Variable(variable)) => {
            is_passed_around(whole, *variable)
        }
        (a, b) => a == b,
    };
    let meet = |writes: &BTreeSet<Thing>, others: &BTreeSet<Thing>| {
        writes.iter().any(|write| others.iter().any(|other| may_be_same(write, other)))
    };
    meet(&left.writes, &right.writes) || meet(&left.writes, &right.reads) || meet(&right.writes, &left.reads)
}

impl Own {
    fn add_deeds(&mut self, whole: &Whole<'_>, unit: usize, body: &Body, deeds: &Deeds<'_>) {
        for touch in &deeds.touches {
            if let Some(thing) = thing(whole, unit, body, touch.place) {
                self.reached.touch(thing, touch.writes);
            }
        }
        for call in &deeds.calls {
            match &call.kind {
                ExprKind::Call { callee: Callee::Function(function), .. } => {
                    let entity = whole.links.function(unit, *function);
                    match whole.target(entity) {
                        Target::Defined(entity) => self.callees.push(entity),
                        Target::Pure => {}
                        Target::Model(_) | Target::Unknown | Target::Rough(_) => {
                            self.reached.add_library(whole.function_name(entity))
                        }
                    }
                }
                ExprKind::Builtin(name, _) => self.reached.add_library(whole.names().name(*name)),
                _ => self.reached.is_unknown = true,
            }
        }
    }

    fn add_statement(&mut self, whole: &Whole<'_>, unit: usize, body: &Body, statement: &Statement) {
        for_each_deep(statement, &mut |part| self.add_deeds(whole, unit, body, &sequence::deeds(part)));
    }
}

/// The variables whose address is taken anywhere.
fn is_passed_around(whole: &Whole<'_>, variable: GlobalEntity) -> bool {
    whole.reach.passed_around.get_or_init(|| find_passed_around(whole)).contains(&variable)
}

fn find_passed_around(whole: &Whole<'_>) -> BTreeSet<GlobalEntity> {
    let mut found = BTreeSet::new();
    for (unit, linked) in whole.input.units.iter().enumerate() {
        for body in linked.unit.functions.iter().filter_map(|function| function.body.as_ref()) {
            for_each_deep(&body.statement, &mut |part| add_addresses(whole, unit, part, &mut found));
        }
        for item in linked.unit.globals.iter().flat_map(|global| &global.initial) {
            if let Constant::Address(StaticBase::Global(global), _) = item.value {
                found.insert(whole.links.global(unit, global));
            }
        }
    }
    found
}

fn add_addresses(whole: &Whole<'_>, unit: usize, part: Child<'_>, found: &mut BTreeSet<GlobalEntity>) {
    if let Child::Expr(Typed { kind: ExprKind::AddressOf(place), .. }) = part {
        let mut place = &**place;
        while let PlaceKind::Member { base, .. } = &place.kind {
            place = base;
        }
        if let PlaceKind::Global(global) = place.kind {
            found.insert(whole.links.global(unit, global));
        }
    }
    match part {
        Child::Expr(expr) => {
            effects::parts(expr).into_iter().for_each(|part| add_addresses(whole, unit, part, found));
        }
        Child::Place(place) => {
            effects::place_exprs(place, &mut |expr| add_addresses(whole, unit, Child::Expr(expr), found));
        }
    }
}

/// The expressions and places in a statement, and in those of statement expressions.
fn for_each_deep<'h>(statement: &'h Statement, visit: &mut dyn FnMut(Child<'h>)) {
    effects::for_each_part(statement, &mut |part| {
        visit(part);
        for_each_nested(part, visit);
    });
}

/// Visits what is in the statement expressions within an expression.
fn for_each_nested<'h>(part: Child<'h>, visit: &mut dyn FnMut(Child<'h>)) {
    match part {
        Child::Expr(expr) => {
            if let ExprKind::StatementExpr(statement, value) = &expr.kind {
                for_each_deep(statement, visit);
                if let Some(value) = value {
                    visit(Child::Expr(value));
                    for_each_nested(Child::Expr(value), visit);
                }
            }
            effects::parts(expr).into_iter().for_each(|part| for_each_nested(part, visit));
        }
        Child::Place(place) => effects::place_exprs(place, &mut |expr| for_each_nested(Child::Expr(expr), visit)),
    }
}

/// What a place is a part of; nothing where only this activation can know it.
fn thing(whole: &Whole<'_>, unit: usize, body: &Body, place: &Place) -> Option<Thing> {
    match &place.kind {
        PlaceKind::Local(local) => body.locals[local.index()].needs_memory.then_some(Thing::Pointed),
        PlaceKind::Global(global) => Some(Thing::Variable(whole.links.global(unit, *global))),
        PlaceKind::Deref(_) => Some(Thing::Pointed),
        PlaceKind::Member { base, .. } => thing(whole, unit, body, base),
        PlaceKind::After(_, place) => thing(whole, unit, body, place),
        PlaceKind::Temporary(_) | PlaceKind::CompoundLiteral(..) => None,
    }
}
