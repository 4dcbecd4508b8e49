//! When threads run beside each other, by lines.

use super::{Summary, function_name, home, some, spot, unbroken};
use selvedge_analysis::parallel::TemplateSet;
use selvedge_analysis::{Parallel, TemplateId, ThreadPlace};
use selvedge_program::{FileId, FunctionId, LocationId, Program};
use std::collections::BTreeMap;

/// Some lines of a function, during which the same threads may be running beside the executing one.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// The function.
    pub function: FunctionId,
    /// The file.
    pub file: FileId,
    /// The first line.
    pub first: u32,
    /// The last line.
    pub last: u32,
    /// The templates of the others.
    pub beside: TemplateSet,
}

/// What people call a thread template: by its function, and by its spawn where that has several.
pub fn template_name(program: &Program, parallel: &Parallel, template: TemplateId) -> String {
    let definition = parallel.threads().get(template);
    let names: Vec<String> = definition.entries.iter().map(|entry| function_name(program, *entry)).collect();
    let name = some(&names, 3).replace(", ", "/");
    let is_alone = parallel.threads().templates.iter().filter(|other| other.entries == definition.entries).count() == 1;
    if is_alone { name } else { format!("{name} ({})", spot(program, definition.span)) }
}

/// The stretches of a template, by function and line.
pub fn stretches(program: &Program, parallel: &Parallel, template: TemplateId) -> Vec<Stretch> {
    let mut all = Vec::new();
    for function in &parallel.threads().get(template).functions {
        let definition = program.function(*function);
        let mut lines: BTreeMap<(FileId, u32), TemplateSet> = BTreeMap::new();
        for (index, location) in definition.locations.iter().enumerate() {
            let place = ThreadPlace { template, function: *function, location: LocationId::new(index) };
            let Some(beside) = parallel.beside(place) else { continue };
            for edge in &location.outgoing {
                let span = definition.edge(*edge).span;
                if span.is_somewhere() {
                    lines.entry((span.file, span.line)).or_default().add(beside);
                }
            }
        }
        let first = all.len();
        for ((file, line), beside) in lines {
            let known = all.len();
            match all.last_mut() {
                Some(Stretch { file: same, last, beside: known_beside, .. })
                    if known > first && *same == file && *known_beside == beside =>
                {
                    *last = line;
                }
                _ => all.push(Stretch { function: *function, file, first: line, last: line, beside }),
            }
        }
    }
    all
}

/// The rows of the table: thread, where, beside whom.
pub fn rows(facts: &Summary<'_>) -> Vec<Vec<String>> {
    let Some(parallel) = facts.parallel.filter(|parallel| parallel.threads().templates.len() > 1) else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    for template in parallel.threads().ids() {
        let mut name = template_name(facts.program, parallel, template);
        for (place, beside) in grouped(facts.program, &stretches(facts.program, parallel, template)) {
            let names: Vec<String> =
                beside.iter().map(|other| unbroken(&template_name(facts.program, parallel, other))).collect();
            let beside = if names.is_empty() { "alone".to_owned() } else { format!("beside {}", some(&names, 8)) };
            rows.push(vec![std::mem::take(&mut name), place, beside]);
        }
    }
    rows
}

/// The stretches of one template, those with the same company together.
fn grouped(program: &Program, stretches: &[Stretch]) -> Vec<(String, TemplateSet)> {
    let mut groups: Vec<(Vec<&Stretch>, &TemplateSet)> = Vec::new();
    for stretch in stretches {
        match groups.iter_mut().find(|(_, beside)| **beside == stretch.beside) {
            Some((members, _)) => members.push(stretch),
            None => groups.push((vec![stretch], &stretch.beside)),
        }
    }
    if let [(_, beside)] = groups.as_slice() {
        return vec![("throughout".to_owned(), (*beside).clone())];
    }
    let mut parts: BTreeMap<FunctionId, usize> = BTreeMap::new();
    stretches.iter().for_each(|stretch| *parts.entry(stretch.function).or_default() += 1);
    let is_whole = |stretch: &Stretch| parts.get(&stretch.function) == Some(&1);
    let describe = |stretch: &&Stretch| {
        if is_whole(stretch) {
            return function_name(program, stretch.function);
        }
        let lines = match stretch.last {
            last if last == stretch.first => last.to_string(),
            last => format!("{}-{last}", stretch.first),
        };
        if Some(stretch.file) == home(program) {
            lines
        } else {
            format!("{}:{lines}", program.sources.name(stretch.file))
        }
    };
    groups
        .into_iter()
        .map(|(members, beside)| {
            let mut members = members;
            members.sort_by_key(|stretch| (is_whole(stretch), stretch.file, stretch.first));
            let mut names: Vec<String> = members.iter().map(describe).collect();
            names.dedup();
            (some(&names, 6), beside.clone())
        })
        .collect()
}
