//! Writing exception sets in the form in which they can be read.
//!
//! A local state is shown by its location and the local variables that have names; a shared state by its variables and
//! locks. That can be coarser than the states themselves, which does not matter for soundness: any exception set is as
//! good as any other.

use std::collections::BTreeSet;
use std::fmt::Write;

use selvedge_program::bitset::BitSet;
use selvedge_program::semantics::{GhostKey, Instance, Part, Value};
use selvedge_program::{Display, GhostField, ObjectId, ObjectKind, Program, Shape};

use super::spots::number;
use crate::domain::{Component, Count, Product, Shared};
use crate::program::ProgramSystem;

/// The inferred exception sets of a system as text.
pub fn print(system: &ProgramSystem<'_, '_>) -> String {
    let mut text = String::new();
    for (shared, products) in &system.exceptions {
        if products.is_empty() {
            continue;
        }
        let conditions = conditions(system, *shared);
        let when = if conditions.is_empty() { "always".to_owned() } else { conditions.join(" and ") };
        let _ = writeln!(text, "when {when}:");
        let lines: BTreeSet<String> = products.iter().map(|product| line(system, *shared, product)).collect();
        for line in lines {
            let _ = writeln!(text, "    {line}");
        }
    }
    text
}

fn conditions(system: &ProgramSystem<'_, '_>, shared: Shared) -> Vec<String> {
    let program = system.semantics().program;
    let state = &system.splitter.shared.value(shared.0).state;
    let mut found = Vec::new();
    for (index, object) in program.objects.iter().enumerate() {
        let instance = Instance::Static(ObjectId::new(index));
        // What is not C was added to the program by us.
        if object.kind != ObjectKind::Global || object.name.contains('(') {
            continue;
        }
        let Some(block) = state.memory().block(instance) else { continue };
        let owner = GhostKey { object: Some(instance), offset: 0, field: GhostField::MutexOwner };
        if is_lock(&object.shape) {
            found.push(format!("{} {}", object.name, if state.ghost(owner).is_some() { "held" } else { "free" }));
            continue;
        }
        let mut cells = Vec::new();
        scalars(&object.shape, object.name.clone(), 0, &mut cells);
        for (name, offset, size, display) in cells {
            if offset + u64::from(size) > block.contents.size() {
                continue;
            }
            let value = block.contents.load_raw(offset, size, program.data_model.pointer_size());
            if let Some(value) = number(&value, display) {
                found.push(format!("{name} == {value}"));
            }
        }
    }
    found
}

/// Whether an object is one that the library looks after.
fn is_lock(shape: &Shape) -> bool {
    matches!(shape, Shape::Record(members) if members.iter().any(|member| member.name.starts_with("__selvedge")))
}

/// The scalars of a shape, with names that can be read back.
fn scalars(shape: &Shape, name: String, offset: u64, found: &mut Vec<(String, u64, u32, Display)>) {
    match shape {
        Shape::Scalar { size, display } if *size <= 8 => found.push((name, offset, *size, *display)),
        Shape::Record(members) => {
            for member in members.iter().filter(|member| !member.name.is_empty()) {
                scalars(&member.shape, format!("{name}.{}", member.name), offset + member.offset, found);
            }
        }
        Shape::Array { element, stride, length } if *length <= 16 => {
            for index in 0..*length {
                scalars(element, format!("{name}[{index}]"), offset + stride * index, found);
            }
        }
        _ => {}
    }
}

fn line(system: &ProgramSystem<'_, '_>, shared: Shared, product: &Product) -> String {
    let program = system.semantics().program;
    let components = system.components_of(shared);
    let mut clauses = Vec::new();
    for (index, (group, component)) in product.iter().zip(&components).enumerate() {
        let crowd = system.splitter.crowd_of(*component).map(|entry| &program.function(entry).name);
        match crowd {
            None => clauses.push(format!("thread {index} {}", set(system, *component, &group.any()))),
            Some(name) => {
                for slot in &group.slots {
                    clauses.push(format!("one {name} {}", set(system, *component, slot)));
                }
                if component.count != Count::Exactly(1) && !group.rest.is_empty() {
                    clauses.push(format!("others {name} {}", set(system, *component, &group.rest)));
                }
            }
        }
    }
    clauses.join("; ")
}

fn set(system: &ProgramSystem<'_, '_>, component: Component, locals: &BitSet) -> String {
    let program = system.semantics().program;
    let spots: BTreeSet<String> =
        locals.iter().map(|local| spot(program, system.splitter.local(component, local))).collect();
    format!("in {{ {} }}", spots.into_iter().collect::<Vec<_>>().join(" | "))
}

fn spot(program: &Program, part: &Part) -> String {
    let Some(frame) = part.thread.frames.last() else { return "idle".to_owned() };
    let function = program.function(frame.function);
    let mut text = format!("location {} of {}", frame.location.0, function.name);
    let mut joint = " with";
    for (register, value) in function.registers.iter().zip(&frame.registers) {
        if let (Some(name), Some(value)) = (&register.name, value)
            && let Some(number) = shown(value, register.display)
        {
            let _ = write!(text, "{joint} {name} == {number}");
            joint = " and";
        }
    }
    text
}

fn shown(value: &Value, display: Display) -> Option<i128> {
    if display == Display::Pointer { None } else { number(value, display) }
}
