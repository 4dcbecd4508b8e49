//! The table of effects beside the machine's C library: every function is declared there, with as many parameters, and
//! pointers where the table has some; and those that can be called without a network, a terminal or rights write only
//! bytes that the table says they write.

use selvedge_frontend::lower::models::externals::{Answer, Effect, Extent, Factor, RoleKind, Size, declared};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

fn is_pointer(role: &RoleKind) -> bool {
    !matches!(role, RoleKind::Number | RoleKind::Constant(_))
}

/// A call that is never made, which the compiler accepts only if the table fits the declaration.
fn fitting(name: &str, effect: &Effect) -> String {
    let argument = |role: &RoleKind| match role {
        _ if is_pointer(role) => "p",
        _ if name == "inet_ntoa" => "(struct in_addr){n}",
        _ => "n",
    };
    let arguments: Vec<&str> = effect.roles.iter().map(|role| argument(&role.role)).collect();
    // In parentheses, so that no macro of this name is meant.
    let call = format!("({name})({})", arguments.join(", "));
    match effect.result {
        Answer::Void | Answer::NoReturn => format!("if (0) {{ {call}; }}"),
        Answer::Argument(_)
        | Answer::ArgumentOrNull(_)
        | Answer::Handle
        | Answer::New
        | Answer::NewText
        | Answer::Static(_) => format!("if (0) {{ const void *r = {call}; (void)r; }}"),
        Answer::Any
        | Answer::Computed
        | Answer::Status
        | Answer::Error
        | Answer::Natural
        | Answer::Count(_)
        | Answer::Range(..) => format!("if (0) {{ (void)({call} * 1); }}"),
    }
}

#[test]
fn the_table_fits_the_headers_of_the_machine() {
    let mut headers: BTreeMap<&str, String> = BTreeMap::new();
    for (name, header, effect) in declared() {
        let text = headers.entry(header).or_default();
        writeln!(text, "    {}", fitting(name, effect)).expect("a string takes everything");
    }
    assert!(headers.len() >= 60, "{}", headers.len());
    let folder = tempfile::tempdir().expect("there is room for files");
    let mut misfits = String::new();
    for (header, checks) in headers {
        let file = folder.path().join("fits.c");
        let text = format!("#define _GNU_SOURCE\n#include <{header}>\nvoid check(int n, void *p)\n{{\n{checks}}}\n");
        std::fs::write(&file, text).expect("the file can be written");
        let strict = ["-Werror=implicit-function-declaration", "-Werror=int-conversion"];
        let output = Command::new("cc").arg("-fsyntax-only").args(strict).arg(&file).output().expect("cc runs");
        if !output.status.success() {
            writeln!(misfits, "<{header}>:\n{}", String::from_utf8_lossy(&output.stderr)).expect("room");
        }
    }
    assert!(misfits.is_empty(), "{misfits}");
}

/// Calls with the type that each written buffer has for the function, after `:`; `@` is a buffer without one, and
/// `@text@` one with a string in it. What the table says of the argument decides which bytes may be written.
const CALLS: &str = include_str!("externals/calls.txt");

struct Call<'a> {
    name: &'a str,
    arguments: Vec<&'a str>,
}

fn calls() -> Vec<Call<'static>> {
    let read = |line: &'static str| {
        let mut parts = line.split('|').map(str::trim);
        Some(Call { name: parts.next().filter(|name| !name.is_empty())?, arguments: parts.collect() })
    };
    CALLS.lines().filter(|line| !line.starts_with('#')).filter_map(read).collect()
}

/// A number of bytes as C.
fn bytes(size: &Size, arguments: &[&str]) -> String {
    let factor = |factor: &Factor| match factor {
        Factor::Number(number) => number.to_string(),
        Factor::Argument(index) => format!("(size_t)({})", arguments[*index]),
        Factor::Pointed(index) => format!("(size_t)given[{index}]"),
    };
    size.0.iter().map(factor).collect::<Vec<_>>().join(" * ")
}

/// C that makes one call and fails if more was written than the table says.
fn checked(call: &Call<'_>, effect: &Effect) -> String {
    let mut text = format!("    /* {} */\n    fill();\n", call.name);
    let (mut passed, mut allowed) = (Vec::new(), Vec::new());
    for (index, (argument, role)) in call.arguments.iter().zip(&effect.roles).enumerate() {
        let Some(buffer) = argument.strip_prefix('@') else {
            passed.push((*argument).to_owned());
            continue;
        };
        passed.push(format!("(void *)buffer[{index}]"));
        let (ty, given) = match buffer.split_once('=') {
            Some((ty, value)) => (ty, Some(value)),
            None => (buffer.trim_end_matches('@'), None),
        };
        if let Some(value) = given {
            writeln!(text, "    given[{index}] = {value}; memcpy(buffer[{index}], &given[{index}], 4);").expect("room");
        } else if buffer.ends_with('@') {
            writeln!(text, "    strcpy(buffer[{index}], \"{ty}\");").expect("room");
        }
        let size = match &role.role {
            RoleKind::Write(Extent::Pointee) | RoleKind::Update(Extent::Pointee) => format!("sizeof({ty})"),
            RoleKind::Write(Extent::Bytes(size))
            | RoleKind::Update(Extent::Bytes(size))
            | RoleKind::WriteText(size) => bytes(size, &call.arguments),
            RoleKind::Length => "4".to_owned(),
            RoleKind::End(_) => "sizeof(void *)".to_owned(),
            RoleKind::UpdateText => format!("strlen(buffer[{index}])"),
            _ => "0".to_owned(),
        };
        allowed.push((index, size));
    }
    for (index, size) in allowed {
        writeln!(text, "    size[{index}] = {size};").expect("room");
    }
    writeln!(text, "    keep(); (void){}({}); look(\"{}\");", call.name, passed.join(", "), call.name).expect("room");
    text
}

const HARNESS: &str = r#"
static char buffer[8][8192] __attribute__((aligned(16))), before[8][8192];
static size_t size[8]; static unsigned given[8]; static int failed;
static void fill(void) { memset(buffer, 0x5a, sizeof buffer); memset(size, 0, sizeof size); }
static void keep(void) { memcpy(before, buffer, sizeof buffer); }
static void look(const char *name)
{
    for (int i = 0; i < 8; i++)
        for (size_t at = size[i]; at < sizeof buffer[i]; at++)
            if (buffer[i][at] != before[i][at]) {
                printf("%s: byte %zu of argument %d is written\n", name, at, i + 1);
                failed = 1;
                break;
            }
}
"#;

#[test]
fn functions_write_only_what_the_table_says() {
    let calls = calls();
    let names: BTreeSet<&str> = calls.iter().map(|call| call.name).collect();
    assert!(names.len() >= 100, "only {} functions are called", names.len());
    let (mut headers, mut body, mut missing) = (BTreeSet::new(), String::new(), Vec::new());
    for call in &calls {
        let fits = |effect: &Effect| {
            effect.roles.len() <= call.arguments.len()
                && effect.roles.iter().zip(&call.arguments).all(|(role, argument)| match &role.role {
                    RoleKind::Constant(number) => *argument == number.to_string(),
                    RoleKind::Null => *argument == "0",
                    _ => true,
                })
        };
        let line = declared().find(|(name, _, effect)| *name == call.name && fits(effect));
        let Some((_, header, effect)) = line else {
            missing.push(call.name);
            continue;
        };
        headers.insert(header);
        body.push_str(&checked(call, effect));
    }
    assert!(missing.is_empty(), "these do not stand in the table so: {missing:?}");
    let mut text = "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n".to_owned();
    headers.iter().for_each(|header| writeln!(text, "#include <{header}>").expect("room"));
    text.push_str(HARNESS);
    write!(text, "int main(void)\n{{\n{body}    return failed;\n}}\n").expect("room");
    let folder = tempfile::tempdir().expect("there is room for files");
    let (file, program) = (folder.path().join("calls.c"), folder.path().join("calls"));
    std::fs::write(&file, text).expect("the file can be written");
    run(Command::new("cc").args(["-w", "-o"]).arg(&program).arg(&file).args(["-lm", "-lcrypt"]), folder.path());
    run(&mut Command::new(&program), folder.path());
}

/// Runs a command in a folder without anything on its standard input.
fn run(command: &mut Command, folder: &Path) {
    let output = command.current_dir(folder).stdin(std::process::Stdio::null()).output().expect("the command runs");
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&said));
}
