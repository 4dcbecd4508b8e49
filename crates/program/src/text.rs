//! Programs as readable text: what `selvedge dump --program` shows and what snapshots compare.
//!
//! The text is a function of the program alone. Registers have their C names where they have one; an index is added
//! where a name would be ambiguous. Constant offsets into objects are shown as members and elements.

mod action;
mod expr;
pub mod names;

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use crate::text::names::{Names, ProgramNames};
use crate::{
    Action, AtomicStep, Bits, Expr, Function, FunctionId, GhostField, GhostType, InitialValue, Object, ObjectKind,
    Position, Program, RegisterId, Shape, Side, Span, Touched,
};

/// Lists of registers are broken before this column.
const WIDTH: usize = 110;
/// So many parts of an initial value, or characters of a string, are shown.
const SHOWN: usize = 80;
/// Source places stand from this column on.
const PLACES: usize = 64;

/// Shows a program.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a>(pub &'a Program);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&program(self.0))
    }
}

/// The text of a program.
pub fn program(program: &Program) -> String {
    let names = ProgramNames::new(program);
    let mut text = String::new();
    for (position, definition) in program.objects.iter().enumerate() {
        line(&mut text, &object(&names, position, definition), &file_line(program, definition.span));
    }
    for position in 0..program.functions.len() {
        if !text.is_empty() {
            text.push('\n');
        }
        write_function(&mut text, &names, FunctionId::new(position));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    for (position, entry) in program.entries.iter().enumerate() {
        line(&mut text, &format!("thread t{position} {}", names.function(*entry)), "");
    }
    let taken: Vec<String> = program.address_taken.iter().map(|id| names.function(*id)).collect();
    if !taken.is_empty() {
        line(&mut text, &format!("address taken: {}", taken.join(", ")), "");
    }
    for (position, check) in program.checks.iter().enumerate() {
        let function = names.function(check.function);
        let check_line = format!("check{position} {} in {function}", check.description);
        line(&mut text, &check_line, &file_line(program, check.span));
    }
    for (position, span) in program.sites.iter().enumerate() {
        line(&mut text, &format!("site{position}"), &file_line(program, *span));
    }
    for field in ghosts(program) {
        let width = field.width(program.data_model);
        let holds = match field.declared() {
            GhostType::Address => format!("an address, {width} bits"),
            GhostType::Size | GhostType::Number(_) => format!("{width} bits"),
        };
        line(&mut text, &format!("ghost {}: {holds}", field.name()), "");
    }
    let remarks =
        [("caveat", &program.caveats), ("restriction", &program.restrictions), ("proviso", &program.provisos)];
    for (word, remarks) in remarks {
        for remark in remarks {
            line(&mut text, &format!("{word}: {}", remark.message), &file_line(program, remark.span));
        }
    }
    text
}

/// The ghost fields that a program has to do with.
fn ghosts(program: &Program) -> Vec<GhostField> {
    let mut found = BTreeSet::new();
    for edge in program.functions.iter().flat_map(|function| &function.edges) {
        let touched = edge.action.touches().into_iter().filter_map(|touch| match touch.what {
            Touched::Ghost(field) => Some(field),
            Touched::Bytes(_) | Touched::CString | Touched::Whole => None,
        });
        found.extend(touched);
        found.extend(edge.action.steps().iter().filter_map(AtomicStep::threads_touch).map(|touch| touch.field));
    }
    found.into_iter().collect()
}

/// The text of a function.
pub fn function(program: &Program, id: FunctionId) -> String {
    let mut text = String::new();
    write_function(&mut text, &ProgramNames::new(program), id);
    text
}

/// The text of an action of a function.
pub fn action(program: &Program, function: FunctionId, action: &Action) -> String {
    Names::new(&ProgramNames::new(program), program.function(function)).action(action)
}

/// The text of an expression of a function.
pub fn expr(program: &Program, function: FunctionId, expr: &Expr) -> String {
    Names::new(&ProgramNames::new(program), program.function(function)).expr(expr)
}

/// One line, with a source place to the right.
fn line(text: &mut String, content: &str, place: &str) {
    if place.is_empty() {
        text.push_str(content);
    } else {
        let _ = write!(text, "{content:PLACES$}  // {place}");
    }
    text.push('\n');
}

fn file_line(program: &Program, span: Span) -> String {
    if span.is_somewhere() { format!("{}:{}", program.sources.name(span.file), span.line) } else { String::new() }
}

fn object(names: &ProgramNames<'_>, position: usize, object: &Object) -> String {
    let kind = match object.kind {
        ObjectKind::Global => "object",
        ObjectKind::ThreadLocal => "thread_local",
        ObjectKind::Constant => "constant",
    };
    let id = crate::ObjectId::new(position);
    let mut text = format!("{kind} {id} {}: {}, {} bytes", names.object(id), object.type_name, object.size);
    let _ = write!(text, " = {}", initial(names, object));
    for (offset, field, value) in &object.initial_ghosts {
        let path = object.shape.path(*offset, 0).unwrap_or_else(|| format!("+{offset}"));
        let _ = write!(text, ", {path}.{} = {}", field.name(), value.as_signed());
    }
    text
}

/// What an object starts with: a string, a single value, or values by the names of the parts; what is not named is
/// zero.
fn initial(names: &ProgramNames<'_>, object: &Object) -> String {
    if let Some(string) = as_string(object) {
        return string;
    }
    let nowhere = Function {
        name: String::new(),
        parameters: Vec::new(),
        result_width: None,
        registers: Vec::new(),
        frame: Vec::new(),
        locations: Vec::new(),
        edges: Vec::new(),
        entry: crate::LocationId(0),
        span: Span::NOWHERE,
    };
    let names = Names::new(names, &nowhere);
    let value = |initial: &InitialValue| names.expr(&initial.value);
    match object.initial.as_slice() {
        [] => "0".to_owned(),
        [only] if only.offset == 0 && u64::from(only.size) == object.size => value(only),
        several => {
            let rest = several.len().saturating_sub(SHOWN);
            let more = if rest > 0 { format!(", and {rest} more") } else { String::new() };
            let parts: Vec<String> = several
                .iter()
                .take(SHOWN)
                .map(|part| {
                    let path = object.shape.path(part.offset, part.size);
                    let path = path.unwrap_or_else(|| format!("+{}:{}", part.offset, part.size));
                    format!("{path} = {}", value(part))
                })
                .collect();
            format!("{{ {}{more} }}", parts.join(", "))
        }
    }
}

/// The contents of an array of characters as a C string, without the zeros at its end.
fn as_string(object: &Object) -> Option<String> {
    let Shape::Array { element, .. } = &object.shape else { return None };
    if !matches!(**element, Shape::Scalar { size: 1, .. }) || object.initial.is_empty() || object.size > 1 << 16 {
        return None;
    }
    let mut bytes = vec![0; object.size as usize];
    for part in &object.initial {
        let Expr::Constant(bits) = &part.value else { return None };
        let start = usize::try_from(part.offset).ok()?;
        for (index, byte) in Bits::to_bytes(*bits).enumerate() {
            *bytes.get_mut(start + index)? = byte;
        }
    }
    let length = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let more = if length > SHOWN { format!(" and {} more", length - SHOWN) } else { String::new() };
    Some(format!("\"{}\"{more}", bytes[..length.min(SHOWN)].escape_ascii()))
}

fn write_function(text: &mut String, of_program: &ProgramNames<'_>, id: FunctionId) {
    let program = of_program.program;
    let function = program.function(id);
    let names = Names::new(of_program, function);
    let register = |id: RegisterId| format!("{}:{}", names.register(id), function.register(id).width);
    let parameters: Vec<String> = function.parameters.iter().map(|parameter| register(*parameter)).collect();
    let result = function.result_width.map(|width| format!(" -> {width}")).unwrap_or_default();
    let header = format!("function {id} {}({}){result}", of_program.function(id), parameters.join(", "));
    line(text, &header, &file_line(program, function.span));
    write_registers(text, function, register);
    for (position, object) in function.frame.iter().enumerate() {
        let id = crate::FrameObjectId::new(position);
        let _ = writeln!(text, "  frame {id} {}: {}, {} bytes", names.frame(id), object.type_name, object.size);
    }
    if function.entry != crate::LocationId(0) {
        let _ = writeln!(text, "  entry {}", function.entry);
    }
    write_edges(text, program, &names);
}

/// The registers that are no parameters, in lines of moderate width.
fn write_registers(text: &mut String, function: &Function, register: impl Fn(RegisterId) -> String) {
    let mut row = String::new();
    for position in 0..function.registers.len() {
        let id = RegisterId::new(position);
        if function.parameters.contains(&id) {
            continue;
        }
        let entry = register(id);
        if !row.is_empty() && row.len() + entry.len() >= WIDTH {
            let _ = writeln!(text, "{row}");
            row.clear();
        }
        row.push_str(if row.is_empty() { "  registers " } else { " " });
        row.push_str(&entry);
    }
    if !row.is_empty() {
        let _ = writeln!(text, "{row}");
    }
}

fn write_edges(text: &mut String, program: &Program, names: &Names<'_>) {
    let function = names.function;
    let digits = function.locations.len().saturating_sub(1).to_string().len() + 1;
    let mut shown = Span::NOWHERE;
    for location in &function.locations {
        if let Some(label) = &location.label {
            let _ = writeln!(text, " {label}:");
        }
        for id in &location.outgoing {
            let Some(edge) = function.edges.get(id.index()) else { continue };
            let (from, to) = (edge.source.to_string(), edge.target.to_string());
            let side = match edge.side {
                None => "",
                Some(Side::Yes) => " (yes)",
                Some(Side::No) => " (no)",
            };
            let action = names.action(&edge.action) + side;
            let content = if edge.action.falls_through() {
                format!("  {from:digits$} -> {to:digits$}  {action}")
            } else {
                format!("  {from:digits$}    {:digits$}  {action}", "")
            };
            let place = if edge.span == shown { String::new() } else { place(program, function, edge.span) };
            shown = edge.span;
            line(text, &content, &place);
        }
    }
}

/// Where a piece of source begins and ends, and the file where it is not the function's.
fn place(program: &Program, function: &Function, span: Span) -> String {
    if !span.is_somewhere() {
        return String::new();
    }
    let file =
        if span.file == function.span.file { String::new() } else { format!("{}:", program.sources.name(span.file)) };
    let end = match span.end {
        Position { line, column } if line == span.line => column.to_string(),
        Position { line, column } => format!("{line}:{column}"),
    };
    format!("{file}{}:{}-{end}", span.line, span.column)
}
