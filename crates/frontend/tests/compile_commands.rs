//! Compilation databases: reading, finding, and every way to be malformed.

mod common;

use std::path::{Path, PathBuf};

use common::{Folder, body, done};
use selvedge_frontend::preprocess::{
    CompileCommands, CompileCommandsError, DataModel, Macro, SplitError,
};

fn load(folder: &Folder, json: &str) -> Result<CompileCommands, CompileCommandsError> {
    folder.write("compile_commands.json", json);
    CompileCommands::load(folder.path())
}

fn error(json: &str) -> CompileCommandsError {
    match load(&Folder::new(), json) {
        Ok(_) => panic!("it loads"),
        Err(error) => error,
    }
}

#[test]
fn both_forms_of_a_command() {
    let folder = Folder::new();
    folder.write("src/inc/a.h", "int from_a = A;\n");
    folder.write("src/sys/b.h", "const char *from_b = B;\n");
    folder.write("src/pre.h", "int from_pre;\n");
    let source = folder.write("src/x.c", "#include <a.h>\n#include <b.h>\n");
    let json = r#"[
        {"directory": "src", "file": "x.c",
         "command": "gcc -Iinc -isystem sys '-DA=1 + 1' -DB=\\\"two\\\" -include pre.h -std=c11 -O2 -c x.c -o x.o"},
        {"directory": "src", "file": "../src/y.c", "output": "y.o",
         "arguments": ["gcc", "-I", "inc", "-UA", "-m32", "-funsigned-char", "y.c"]}
    ]"#;
    let database = load(&folder, json).expect("a database");

    let x = database.entry_for(&source).expect("an entry");
    assert_eq!(x.options.std.as_deref(), Some("c11"));
    assert_eq!(x.options.include_dirs, [folder.path().join("src/inc")]);
    assert_eq!(
        body(&done(&x.file, &x.options)),
        "int from_pre; int from_a = 1 + 1; const char *from_b = \"two\" ;"
    );

    let y = database
        .entry_for(&folder.path().join("src/./y.c"))
        .expect("an entry");
    assert_eq!(y.options.data_model, DataModel::Ilp32);
    assert_eq!(y.options.macros, [Macro::Undefine("A".into())]);
    assert_eq!(y.unsupported, ["-funsigned-char"]);
}

#[test]
fn sources_are_the_c_files_once_each_in_order() {
    let folder = Folder::new();
    let entry = |file: &str, rest: &str| {
        format!(r#"{{"directory": "/p", "file": "{file}", "command": "cc {rest} {file}"}}"#)
    };
    let json = [
        entry("b.c", "-DFIRST"),
        entry("a.cpp", ""),
        entry("x/../b.c", "-DSECOND"),
        entry("a.c", ""),
        entry("c.c", "-x c++"),
        entry("d.inc", "-x c"),
        entry("e.S", ""),
    ];
    let database = load(&folder, &format!("[{}]", json.join(","))).expect("a database");
    let files: Vec<_> = database
        .sources()
        .iter()
        .map(|entry| entry.file.clone())
        .collect();
    let expected: Vec<_> = ["/p/b.c", "/p/a.c", "/p/d.inc"].map(PathBuf::from).to_vec();
    assert_eq!(files, expected);
    let first = database.entry_for(Path::new("/p/b.c")).expect("an entry");
    assert_eq!(first.options.macros, [Macro::Define("FIRST".into())]);
}

#[test]
fn links_are_seen_through() {
    let folder = Folder::new();
    let real = folder.write("real/x.c", "int x;\n");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(folder.path().join("real"), &link).expect("a link");
    let json = r#"[{"directory": "link", "file": "x.c", "arguments": ["cc", "x.c"]}]"#;
    let database = load(&folder, json).expect("a database");
    database.entry_for(&real).expect("an entry");
}

#[test]
fn the_file_itself_can_be_named() {
    let folder = Folder::new();
    let path = folder.write("db.json", "[]");
    let database = CompileCommands::load(&path).expect("a database");
    assert!(database.sources().is_empty());
    let error = database.entry_for(Path::new("x.c")).expect_err("no entry");
    assert!(
        error.to_string().ends_with("db.json: no entry for x.c"),
        "{error}"
    );
}

#[test]
fn a_missing_database() {
    let folder = Folder::new();
    for path in [folder.path().to_owned(), folder.path().join("none.json")] {
        let error = CompileCommands::load(&path).expect_err("nothing there");
        assert!(
            matches!(error, CompileCommandsError::NotFound { .. }),
            "{error}"
        );
    }
}

#[test]
fn malformed_json_names_line_and_column() {
    for (json, place) in [
        ("[\n  {]\n", "line 2 column 4"),
        ("{}", "line 1 column"),
        (
            "[\n{\"file\": \"x.c\", \"command\": \"cc\"}]",
            "missing field `directory` at line 2",
        ),
        ("", "line 1 column 0"),
        ("[{\"directory\": 3}]", "invalid type: integer"),
    ] {
        let error = error(json);
        assert!(
            matches!(error, CompileCommandsError::Malformed { .. }),
            "{error}"
        );
        assert!(error.to_string().contains(place), "{error}");
    }
}

#[test]
fn unusable_commands_name_their_entry() {
    let entry = |rest: &str| {
        let good = r#"{"directory": "/", "file": "a.c", "command": "cc a.c"}"#;
        error(&format!(
            r#"[{good}, {{"directory": "/", "file": "b.c"{rest}}}]"#
        ))
    };
    let none = entry("");
    assert!(matches!(
        none,
        CompileCommandsError::NoCommand { entry: 2, .. }
    ));
    assert!(
        none.to_string().contains("entry 2 (b.c) has neither"),
        "{none}"
    );
    let empty = entry(r#", "command": " ""#);
    assert!(matches!(
        empty,
        CompileCommandsError::NoCommand { entry: 2, .. }
    ));
    let quote = entry(r#", "command": "cc 'b.c""#);
    let CompileCommandsError::BadQuoting {
        entry: 2, source, ..
    } = quote
    else {
        panic!("{quote}");
    };
    assert_eq!(source, SplitError::Unclosed { quote: '\'' });
    let value = entry(r#", "arguments": ["cc", "b.c", "-I"]"#);
    assert!(
        value
            .to_string()
            .ends_with("ends in `-I`, which needs a value"),
        "{value}"
    );
}
