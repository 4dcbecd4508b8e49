//! The same facts for programs to read, complete. `docs/json.md` describes the fields.

use super::parallel::{stretches, template_name};
use super::pointers::{indirect_calls, pointers};
use super::shared::{guard, pairs};
use super::{Summary, function_name, starts, unsupported};
use selvedge_analysis::{AccessSite, Replication, TemplateId};
use selvedge_program::semantics::AccessKind;
use selvedge_program::{Program, Span};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The facts as one JSON object.
pub fn json(facts: &Summary<'_>) -> Value {
    let program = facts.program;
    let checks = program.checks.iter();
    let pointers = pointers(facts).into_iter();
    json!({
        "threads": threads(facts),
        "parallel": parallel(facts),
        "shared": shared(facts),
        "locks": facts.sharing.synchronisation.iter().map(|object| object.name(program)).collect::<Vec<_>>(),
        "pointers": pointers.map(|pointer| json!({"name": pointer.name, "targets": pointer.targets})).collect::<Vec<_>>(),
        "calls": indirect_calls(facts)
            .into_iter()
            .map(|(span, verb, targets)| json!({"location": spot(program, span), "does": verb, "targets": targets}))
            .collect::<Vec<_>>(),
        "checks": checks
            .map(|check| json!({"description": check.description, "location": spot(program, check.span)}))
            .collect::<Vec<_>>(),
        "unmodelled": unsupported(facts)
            .into_iter()
            .map(|(span, what)| json!({"what": what, "location": spot(program, span)}))
            .collect::<Vec<_>>(),
        "assumed": program.caveats.iter().map(|caveat| caveat.message.clone()).collect::<Vec<_>>(),
        "version": env!("CARGO_PKG_VERSION"),
    })
}

fn spot(program: &Program, span: Span) -> Value {
    if !span.is_somewhere() {
        return Value::Null;
    }
    json!({"file": program.sources.name(span.file), "line": span.line, "column": span.column})
}

fn threads(facts: &Summary<'_>) -> Vec<Value> {
    let program = facts.program;
    let Some(parallel) = facts.parallel else { return Vec::new() };
    let name = |template| template_name(program, parallel, template);
    let templates = parallel.threads();
    templates
        .ids()
        .map(|template| {
            let definition = templates.get(template);
            let entries: Vec<String> = definition.entries.iter().map(|entry| function_name(program, *entry)).collect();
            json!({
                "name": name(template),
                "functions": entries,
                "started": spot(program, definition.span),
                "by": definition.parents.iter().map(|parent| name(*parent)).collect::<Vec<_>>(),
                "replicated": definition.replication == Replication::Many,
            })
        })
        .collect()
}

fn parallel(facts: &Summary<'_>) -> Vec<Value> {
    let Some(parallel) = facts.parallel else { return Vec::new() };
    let program = facts.program;
    let mut found = Vec::new();
    for template in parallel.threads().ids() {
        for stretch in stretches(program, parallel, template) {
            let beside: Vec<String> =
                stretch.beside.iter().map(|other| template_name(program, parallel, other)).collect();
            found.push(json!({
                "thread": template_name(program, parallel, template),
                "function": function_name(program, stretch.function),
                "file": program.sources.name(stretch.file),
                "first": stretch.first,
                "last": stretch.last,
                "beside": beside,
            }));
        }
    }
    found
}

fn shared(facts: &Summary<'_>) -> Vec<Value> {
    let program = facts.program;
    let names = |templates: &BTreeSet<TemplateId>| starts(facts, templates);
    let access = |site: AccessSite| {
        json!({
            "location": spot(program, program.function(site.function).edge(site.edge).span),
            "kind": match site.kind { AccessKind::Read => "read", AccessKind::Write => "write" },
            "atomic": site.atomicity.is_atomic(),
        })
    };
    let shared = facts.sharing.shared.iter();
    shared
        .map(|(object, used)| {
            let pairs = pairs(facts.conflicts, *object).into_iter();
            json!({
                "object": object.name(program),
                "writers": names(&used.writers),
                "readers": names(&used.readers),
                "atomic": !used.has_plain_access,
                "may_race": facts.conflicts.may_race(*object),
                "guarded": facts.guarded.get(object).and_then(|guarded| guard(program, guarded)),
                "conflicts": pairs.map(|(first, second)| json!([access(first), access(second)])).collect::<Vec<_>>(),
            })
        })
        .collect()
}
