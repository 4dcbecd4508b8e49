//! Whole sequential programs: globals, structs, functions, procedures, loops, arrays, pointers.
//!
//! Procedures write only globals and what their pointer parameter points to, which is always a
//! local of `main`; so no two names in one scope reach the same object unless they are in one
//! group of the scope.

use std::fmt::Write;

use crate::PRELUDE;
use crate::aggregate::{Aggregate, Kind, aggregate};
use crate::expression::{Generator, declare_globals};
use crate::integer::Integer;
use crate::layout::initializer;
use crate::random::Random;
use crate::scope::{Form, Variable};
use crate::statement::{Body, declare_function};

/// A function with side effects, called by statements of `main` only.
#[derive(Debug)]
struct Procedure {
    name: String,
    parameters: Vec<Integer>,
    /// What the last parameter points to.
    cell: Integer,
}

/// A program of every sequential feature that the generators know.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x5000_0000_0000_0000);
    let mut generator = Generator::new(&mut random);
    let mut text = String::from(PRELUDE);
    declare_globals(&mut generator, &mut text);
    declare_objects(&mut generator, &mut text);
    for _ in 0..generator.random.between(1, 3) {
        declare_function(&mut generator, &mut text);
    }
    let procedures: Vec<Procedure> =
        (0..generator.random.between(1, 2)).map(|_| declare_procedure(&mut generator, &mut text)).collect();
    text.push_str("int main(void) {\n");
    let mut body = Body::new(&mut generator);
    body.declare_locals(5);
    declare_pointers(&mut body);
    for procedure in &procedures {
        declare_cell(&mut body, procedure);
    }
    for _ in 0..body.generator.random.between(6, 12) {
        body.statement(3);
        if body.generator.random.chance(40) {
            let procedure = body.generator.random.pick(&procedures);
            call_procedure(&mut body, procedure);
        }
    }
    let access = body.generator.scope.access();
    let status = body.generator.expression(2, access).text;
    body.line(&format!("int status = {status} & 63;"));
    text.push_str(&body.finish());
    text.push_str("    return status;\n}\n");
    text
}

/// Global struct objects whose members are variables, also through a pointer.
fn declare_objects(generator: &mut Generator<'_>, text: &mut String) {
    let mut types: Vec<Aggregate> = Vec::new();
    for number in 1..=generator.random.between(1, 2) as u32 {
        let ty = aggregate(generator.random, number, &types);
        text.push_str(&ty.definition);
        let value = initializer(&ty, generator.random).text;
        let _ = writeln!(text, "static {0} o{number} = {value};\nstatic {0} *q{number} = &o{number};", ty.name);
        add_members(generator, &ty, number);
        types.push(ty);
    }
}

fn add_members(generator: &mut Generator<'_>, ty: &Aggregate, number: u32) {
    let mut groups: Vec<(u32, u32)> = Vec::new();
    for leaf in ty.leaves.iter().take(6) {
        let (ty, form) = match leaf.kind {
            Kind::Integer(ty) => (ty, Form::Scalar),
            Kind::BitField(ty, bits) if bits <= 32 && ty.bits() <= 32 => (ty, Form::BitField(bits)),
            _ => continue,
        };
        let group = match leaf.union {
            None => generator.scope.group(),
            Some(union) => match groups.iter().find(|(known, _)| *known == union) {
                Some((_, group)) => *group,
                None => {
                    let group = generator.scope.group();
                    groups.push((union, group));
                    group
                }
            },
        };
        for text in [format!("o{number}.{}", leaf.path), format!("q{number}->{}", leaf.path)] {
            generator.scope.variables.push(Variable { text, ty, form: form.clone(), group, writable: true });
        }
    }
}

fn declare_procedure(generator: &mut Generator<'_>, text: &mut String) -> Procedure {
    let name = format!("work{}", generator.fresh());
    let parameters: Vec<Integer> =
        (0..generator.random.between(0, 3)).map(|_| Integer::any(generator.random)).collect();
    let cell = Integer::any(generator.random);
    let result = Integer::any(generator.random);
    let visible = generator.scope.variables.len();
    let mut list = Vec::new();
    for (position, ty) in parameters.iter().enumerate() {
        list.push(format!("{} p{position}", ty.name()));
        generator.scope.add(&format!("p{position}"), *ty, Form::Scalar);
    }
    list.push(format!("{} *cell", cell.name()));
    generator.scope.add("(*cell)", cell, Form::Scalar);
    let _ = writeln!(text, "static {} {name}({}) {{", result.name(), list.join(", "));
    let mut body = Body::new(generator);
    for _ in 0..body.generator.random.between(1, 3) {
        body.statement(2);
    }
    text.push_str(&body.into_text());
    let access = generator.scope.access();
    let _ = writeln!(text, "    return {};\n}}", generator.expression(2, access).text);
    generator.scope.variables.truncate(visible);
    Procedure { name, parameters, cell }
}

/// A pointer into each array in scope, with a window that stays inside wherever it points.
fn declare_pointers(body: &mut Body<'_, '_>) {
    let arrays: Vec<Variable> = body.generator.scope.variables.clone();
    for array in arrays {
        let Form::Array(log) = array.form else {
            continue;
        };
        let name = format!("w{}", body.generator.fresh());
        let half = 1u32 << (log - 1);
        let start = body.generator.random.below(u64::from(half) + 1);
        body.line(&format!("{} *{name} = {} + {start};", array.ty.name(), array.text));
        let form = Form::Array(log - 1);
        body.generator.scope.variables.push(Variable { text: name.clone(), form, ..array.clone() });
        let access = body.generator.scope.access();
        let index = body.generator.expression(2, access).text;
        body.line(&format!("{name} = &{}[{index} & {half}];", array.text));
        body.line(&format!("printf(\"{name} %td\\n\", {name} - {});", array.text));
    }
}

fn cell_name(procedure: &Procedure) -> String {
    format!("cell_{}", procedure.name)
}

fn declare_cell(body: &mut Body<'_, '_>, procedure: &Procedure) {
    let name = cell_name(procedure);
    let value = body.generator.constant(1).text;
    body.line(&format!("{} {name} = {value};", procedure.cell.name()));
    body.generator.scope.add(&name, procedure.cell, Form::Scalar);
    if let Some(variable) = body.generator.scope.variables.last().cloned() {
        body.watch(variable);
    }
}

fn call_procedure(body: &mut Body<'_, '_>, procedure: &Procedure) {
    let access = body.generator.scope.access();
    let mut arguments: Vec<String> =
        procedure.parameters.iter().map(|_| body.generator.expression(2, access.pure()).text).collect();
    arguments.push(format!("&{}", cell_name(procedure)));
    let call = format!("{}({})", procedure.name, arguments.join(", "));
    match body.generator.scope.writable(access, body.generator.random) {
        Some(target) if !matches!(target.form, Form::Array(_)) => body.line(&format!("{} = {call};", target.text)),
        _ => body.line(&format!("{call};")),
    }
}
