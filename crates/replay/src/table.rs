//! Events as a table in C, which the runtime goes through; `runtime/schedule.h` declares it.

use crate::events::{Event, Events, Flags, Kind, Shows};
use selvedge_program::semantics::Instance;
use selvedge_program::{FileId, Program, Span};
use std::fmt::Write;

/// As many objects as the runtime knows for one event.
const OBJECTS: usize = 3;

/// The C text of a table. The stubs are functions that the program calls and nobody defines: they give values that the
/// schedule has chosen.
pub fn table(program: &Program, events: &Events, stubs: &[String]) -> String {
    let mut writer = Writer { files: events.files(), objects: Vec::new() };
    let mut text = String::from("/* A schedule, found by Selvedge. */\n#include \"schedule.h\"\n\n");
    text.push_str("const char *const sv_files[] = {\n");
    for file in &writer.files {
        let _ = writeln!(text, "    {},", c_string(program.sources.name(*file)));
    }
    text.push_str("    0,\n};\n\nconst struct sv_event sv_events[] = {\n");
    for event in &events.events {
        text.push_str(&writer.event(event));
    }
    let _ = writeln!(text, "    {{0}},\n}};\nconst int sv_event_count = {};\n", events.events.len());
    text.push_str("const struct sv_value sv_values[] = {\n");
    for chosen in &events.values {
        let place = writer.place(chosen.span);
        let _ = writeln!(text, "    {{{}, {place}, {:#x}ull}},", chosen.thread.0, chosen.value);
    }
    let _ = writeln!(text, "    {{0}},\n}};\nconst int sv_value_count = {};", events.values.len());
    let _ = writeln!(text, "unsigned char sv_taken[{}];\n", events.values.len() + 1);
    let storages: Vec<&str> = writer.objects.iter().map(|object| storage(*object)).chain(["SV_STATIC"]).collect();
    let _ = writeln!(text, "const enum sv_storage sv_storage_of[] = {{{}}};", storages.join(", "));
    let names = writer.objects.iter().map(|object| match object {
        Instance::Static(object) => c_string(&program.object(*object).name),
        _ => "0".to_owned(),
    });
    let names: Vec<String> = names.chain(["0".to_owned()]).collect();
    let _ = writeln!(text, "const char *const sv_name_of[] = {{{}}};", names.join(", "));
    let _ = writeln!(text, "const int sv_object_count = {};", writer.objects.len());
    let _ = writeln!(text, "uintptr_t sv_object_at[{}];\n", writer.objects.len() + 1);
    let (shows, thread) = match events.shows {
        Shows::Assertion(thread) => ("SV_ASSERTION", thread.0),
        Shows::Race => ("SV_RACE", 0),
        Shows::Deadlock => ("SV_DEADLOCK", 0),
        Shows::Interference => ("SV_INTERFERENCE", 0),
        Shows::Undefined(thread) => ("SV_UNDEFINED", thread.0),
    };
    let file = writer.file(events.span);
    let _ = writeln!(text, "const struct sv_end sv_end = {{{shows}, {thread}, {file}, {}}};", events.span.line);
    for stub in stubs {
        text.push_str(&stub_text(stub));
    }
    text
}

/// A function that gives a chosen value. Of integers and pointers, callers take as many bits as they need.
fn stub_text(name: &str) -> String {
    let value = "unsigned long long value = sv_next_value(SV_PC)";
    let float = |ty: &str| {
        format!(
            "\n{ty} {name}(void)\n{{\n    {value};\n    {ty} result;\n    __builtin_memcpy(&result, &value, sizeof result);\n    return result;\n}}\n"
        )
    };
    match name.rsplit('_').next() {
        Some("float") => float("float"),
        Some("double") => float("double"),
        _ => format!("\nunsigned long long {name}(void)\n{{\n    {value};\n    return value;\n}}\n"),
    }
}

/// A name as a string literal.
fn c_string(name: &str) -> String {
    let mut text = String::from("\"");
    for byte in name.bytes() {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    text.push('"');
    text
}

struct Writer {
    files: Vec<FileId>,
    /// By their numbers.
    objects: Vec<Instance>,
}

impl Writer {
    fn file(&self, span: Span) -> i64 {
        let known = self.files.iter().position(|file| span.is_somewhere() && *file == span.file);
        known.and_then(|position| i64::try_from(position).ok()).unwrap_or(-1)
    }

    /// File, first and last line.
    fn place(&self, span: Span) -> String {
        format!("{}, {}, {}", self.file(span), span.line, span.end.line.max(span.line))
    }

    fn event(&mut self, event: &Event) -> String {
        let pieces: Vec<String> = event
            .pieces
            .iter()
            .take(OBJECTS)
            .map(|piece| format!("{{{}, {}, {}}}", self.object(piece.object), piece.offset, piece.size))
            .collect();
        let place = self.place(event.span);
        format!(
            "    {{{}, {}, {}, {place}, {}, {{{}}}, {:#x}ull}},\n",
            event.thread.0,
            kind(event.kind),
            flags(event.flags),
            pieces.len(),
            if pieces.is_empty() { "{0}".to_owned() } else { pieces.join(", ") },
            event.value
        )
    }

    fn object(&mut self, object: Instance) -> i64 {
        if let Instance::Thread(thread) = object {
            return -1 - i64::from(thread.0);
        }
        let known = self.objects.iter().position(|known| *known == object);
        let number = known.unwrap_or_else(|| {
            self.objects.push(object);
            self.objects.len() - 1
        });
        i64::try_from(number).unwrap_or(0)
    }
}

/// Where an object can be.
fn storage(object: Instance) -> &'static str {
    match object {
        Instance::Static(_) | Instance::Function(_) => "SV_STATIC",
        Instance::Heap { .. } => "SV_HEAP",
        Instance::Frame { .. } | Instance::ThreadLocal(..) | Instance::Thread(_) => "SV_LOCAL",
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Read => "SV_READ",
        Kind::Write => "SV_WRITE",
        Kind::Atomic => "SV_ATOMIC",
        Kind::Library => "SV_LIBRARY",
        Kind::Free => "SV_FREE",
        Kind::Lock => "SV_LOCK",
        Kind::Create => "SV_CREATE",
        Kind::Exit => "SV_EXIT",
        Kind::Section => "SV_SECTION",
    }
}

fn flags(flags: Flags) -> String {
    let named = [(flags.park, "SV_PARK"), (flags.mark, "SV_MARK"), (flags.fill, "SV_FILL"), (flags.keep, "SV_KEEP")];
    let set: Vec<&str> = named.into_iter().filter(|(is_set, _)| *is_set).map(|(_, name)| name).collect();
    if set.is_empty() { "0".to_owned() } else { set.join(" | ") }
}
