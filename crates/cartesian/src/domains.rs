//! Which variable has too many values.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_program::semantics::{Instance, Value};
use selvedge_program::{ObjectId, Program, Span};

use crate::program::ProgramSystem;

/// How many states are looked at.
const SAMPLE: u32 = 20_000;

/// The variable with the most values among the states, and how to say so.
pub fn largest(program: &Program, system: &ProgramSystem<'_, '_>) -> (Span, String) {
    let mut found: BTreeMap<(Span, String), BTreeSet<Value>> = BTreeMap::new();
    for class in &system.splitter.locals {
        for number in 0..(class.len() as u32).min(SAMPLE) {
            let part = class.value(number);
            for frame in &part.thread.frames {
                let function = program.function(frame.function);
                for (register, value) in function.registers.iter().zip(&frame.registers) {
                    if let (Some(name), Some(value)) = (&register.name, value) {
                        let key = (function.span, format!("`{name}` in `{}`", function.name));
                        found.entry(key).or_default().insert(value.clone());
                    }
                }
            }
        }
    }
    let pointer_size = program.data_model.pointer_size();
    for number in 0..(system.splitter.shared.len() as u32).min(SAMPLE) {
        let state = &system.splitter.shared.value(number).state;
        for (index, object) in program.objects.iter().enumerate() {
            if let Some(block) = state.memory().block(Instance::Static(ObjectId::new(index)))
                && block.contents.size() <= 64
            {
                let size = block.contents.size().min(8) as u32;
                let value = block.contents.load_raw(0, size, pointer_size);
                found.entry((object.span, format!("`{}`", object.name))).or_default().insert(value);
            }
        }
    }
    let largest = found.into_iter().max_by_key(|(_, values)| values.len());
    match largest.filter(|(_, values)| values.len() > 8) {
        Some(((span, name), values)) => {
            (span, format!("too many states: {name} takes {} values or more", values.len()))
        }
        None => (Span::NOWHERE, "too many combinations of shared and local states".to_owned()),
    }
}
