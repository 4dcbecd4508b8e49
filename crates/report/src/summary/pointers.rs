//! What pointers point to, and which functions are called through them.

use super::{Summary, function_name, short_name, some, spot, spots};
use selvedge_analysis::{AbstractObject, SpawnSite, Target};
use selvedge_program::{
    Action, Callee, Display, Expr, FrameObjectId, FunctionId, ObjectId, ObjectKind, Program, RegisterId, Shape, SiteId,
};
use std::collections::{BTreeMap, BTreeSet};

/// A variable or memory that holds pointers, and what they point to.
#[derive(Clone, Debug)]
pub struct Pointer {
    /// Its name.
    pub name: String,
    /// The names of what it may point to, sorted.
    pub targets: Vec<String>,
}

/// All pointers that have something to point to: globals, then locals by function, then allocated memory.
pub fn pointers(facts: &Summary<'_>) -> Vec<Pointer> {
    let program = facts.program;
    let mut found = Vec::new();
    for (index, object) in program.objects.iter().enumerate() {
        if object.kind != ObjectKind::Constant {
            found.extend(memory(facts, AbstractObject::Static(ObjectId::new(index))));
        }
    }
    for function in facts.threads.functions() {
        found.extend(locals(facts, function));
    }
    for index in 0..program.sites.len() {
        found.extend(memory(facts, AbstractObject::Site(SiteId::new(index))));
    }
    found
}

/// What the pointers within an object point to.
fn memory(facts: &Summary<'_>, object: AbstractObject) -> Option<Pointer> {
    let targets = names(facts, &facts.points_to.contents(object), &facts.points_to.threads_in(object));
    (!targets.is_empty()).then(|| Pointer { name: short_name(facts.program, object), targets })
}

/// The named variables of a function, those in registers and those in memory.
fn locals(facts: &Summary<'_>, function: FunctionId) -> Vec<Pointer> {
    let definition = facts.program.function(function);
    let mut by_name: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (index, register) in definition.registers.iter().enumerate() {
        let Some(name) = register.name.as_ref().filter(|_| register.display != Display::Float) else { continue };
        let value = Expr::register(RegisterId::new(index), register.width);
        let threads = facts.points_to.threads(function, &value).unwrap_or_default();
        let targets = names(facts, &facts.points_to.targets_of(function, &value), &threads);
        if !targets.is_empty() {
            by_name.entry(format!("{name} in {}", definition.name)).or_default().extend(targets);
        }
    }
    for index in 0..definition.frame.len() {
        if let Some(Pointer { name, targets }) =
            memory(facts, AbstractObject::Frame(function, FrameObjectId::new(index)))
        {
            by_name.entry(name).or_default().extend(targets);
        }
    }
    by_name.into_iter().map(|(name, targets)| Pointer { name, targets: targets.into_iter().collect() }).collect()
}

fn names(facts: &Summary<'_>, targets: &[Target], threads: &[SpawnSite]) -> Vec<String> {
    let mut names: BTreeSet<String> = targets
        .iter()
        .filter(|target| threads.is_empty() || target.object != AbstractObject::Thread)
        .map(|target| target_name(facts.program, target))
        .collect();
    if !threads.is_empty() {
        let spans: Vec<_> =
            threads.iter().map(|site| facts.program.function(site.function).edge(site.edge).span).collect();
        names.insert(format!("threads started in {}", spots(facts.program, &spans)));
    }
    names.into_iter().collect()
}

/// What people call a place in an object: `queue.head`, `ring[…]`.
fn target_name(program: &Program, target: &Target) -> String {
    let name = short_name(program, target.object);
    let shape = match target.object {
        AbstractObject::Static(id) => Some(&program.object(id).shape),
        AbstractObject::Frame(function, frame) => Some(&program.function(function).frame_object(frame).shape),
        _ => None,
    };
    if matches!(target.object, AbstractObject::Static(id) if program.object(id).kind == ObjectKind::Constant) {
        return "a string literal".to_owned();
    }
    let part = match (target.offset.stride, u64::try_from(target.offset.start), shape) {
        (0, Ok(0), Some(Shape::Record(_))) | (0, Ok(0), None) => String::new(),
        (0, Ok(offset), Some(shape)) => shape.path(offset, 0).unwrap_or_else(|| format!("+{offset}")),
        (0, Ok(offset), None) => format!(" at offset {offset}"),
        (0, Err(_), _) => format!("{:+}", target.offset.start),
        (_, _, Some(Shape::Array { .. })) => "[\u{2026}]".to_owned(),
        _ => String::new(),
    };
    match target.object {
        AbstractObject::Frame(function, frame) => {
            let function = program.function(function);
            format!("{}{part} in {}", function.frame_object(frame).name, function.name)
        }
        _ => name + &part,
    }
}

/// The rows of the table: pointer and targets.
pub fn rows(facts: &Summary<'_>) -> Vec<Vec<String>> {
    let row = |pointer: Pointer| vec![pointer.name, format!("to {}", some(&pointer.targets, 6))];
    pointers(facts).into_iter().map(row).collect()
}

/// The calls and starts of threads through pointers, with what is called.
pub fn indirect_calls(facts: &Summary<'_>) -> Vec<(selvedge_program::Span, &'static str, Vec<String>)> {
    let mut found = BTreeMap::new();
    for function in facts.threads.functions() {
        for (index, edge) in facts.program.function(function).edges.iter().enumerate() {
            let Some(Callee::Indirect(_)) = edge.action.callee() else { continue };
            let verb = if matches!(edge.action, Action::Spawn { .. }) { "starts" } else { "calls" };
            let callees = facts.points_to.callees(function, selvedge_program::EdgeId::new(index));
            let names = found.entry((edge.span, verb)).or_insert_with(BTreeSet::new);
            names.extend(callees.iter().map(|callee| function_name(facts.program, *callee)));
        }
    }
    found.into_iter().map(|((span, verb), names)| (span, verb, names.into_iter().collect())).collect()
}

/// The rows of the table: place and what is called there.
pub fn calls(facts: &Summary<'_>) -> Vec<Vec<String>> {
    let row = |(span, verb, names): (selvedge_program::Span, &str, Vec<String>)| {
        let names = if names.is_empty() { "nothing known".to_owned() } else { some(&names, 8) };
        vec![spot(facts.program, span), format!("{verb} {names}")]
    };
    indirect_calls(facts).into_iter().map(row).collect()
}
