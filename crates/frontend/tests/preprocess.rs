//! Preprocessing: what reaches the compiler and what comes back.

mod common;

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use common::{Folder, body, compiles, done, headers, with_compiler};
use selvedge_frontend::preprocess::{DataModel, Headers, Macro, Options, Severity, preprocess};

// What comes through.

#[test]
fn preprocessed_files_are_taken_as_they_are() {
    let folder = Folder::new();
    let text = b"# 1 \"x.c\"\nchar *s = \"\xff\xfe\";\n#define A B\nA\n";
    let path = folder.write("x.i", text);
    assert_eq!(done(&path, &Options::default()).text, text);
}

#[test]
fn bytes_in_literals_survive() {
    let folder = Folder::new();
    let path = folder.write("x.c", b"char *s = \"\xff\xc3\xa4\x80\";\n");
    let text = done(&path, &Options::default()).text;
    assert!(text.windows(6).any(|w| w == b"\"\xff\xc3\xa4\x80\""));
}

#[test]
fn our_macro_is_defined_and_options_arrive_in_order() {
    let folder = Folder::new();
    folder.write("pre.h", "int from_pre;\n");
    folder.write("quote/q.h", "int from_quote;\n");
    let path = folder.write(
        "x.c",
        "#include \"q.h\"\nint selvedge = __SELVEDGE__, a = A, b = B(1);\nlong v = __STDC_VERSION__;\n",
    );
    let options = Options {
        macros: vec![
            Macro::Define("A=1".into()),
            Macro::Undefine("A".into()),
            Macro::Define("A=2 + 2".into()),
            Macro::Define("B(x)=x x".into()),
            Macro::Define("C".into()),
            Macro::Undefine("B".into()),
        ],
        std: Some("c99".into()),
        includes: vec![folder.path().join("pre.h")],
        quote_dirs: vec![folder.path().join("quote")],
        ..Options::default()
    };
    assert_eq!(
        body(&done(&path, &options)),
        "int from_pre; int from_quote; int selvedge = 1, a = 2 + 2, b = B(1); long v = 199901L;"
    );
}

#[test]
fn the_program_s_headers_come_before_ours_and_ours_before_the_system_s() {
    let folder = Folder::new();
    folder.write("own/pthread.h", "int own;\n");
    folder.write("system/pthread.h", "int system;\n");
    let path = folder.write("x.c", "#include <pthread.h>\n");
    let mut options = Options {
        system_dirs: vec![folder.path().join("system")],
        ..Options::default()
    };
    assert!(body(&done(&path, &options)).contains("__selvedge_cleanup_push"));
    options.include_dirs = vec![folder.path().join("own")];
    assert_eq!(body(&done(&path, &options)), "int own;");
    // Naming the system's folder does not bring its headers forward.
    options.include_dirs = vec!["/usr/include".into()];
    assert!(body(&done(&path, &options)).contains("__selvedge_cleanup_push"));
}

#[test]
fn checked_library_variants_are_off() {
    let folder = Folder::new();
    let path = folder.write("x.c", "#include <string.h>\nint f = _FORTIFY_SOURCE;\n");
    let options = Options {
        macros: vec![Macro::Define("_FORTIFY_SOURCE=2".into())],
        extra: vec!["-O2".into()],
        ..Options::default()
    };
    assert!(body(&done(&path, &options)).ends_with("int f = _FORTIFY_SOURCE;"));
}

#[test]
fn output_does_not_depend_on_where_our_headers_lie() {
    let folder = Folder::new();
    let path = folder.write("x.c", "#include <pthread.h>\n#include <assert.h>\n");
    let other = Headers::install().expect("headers");
    let first = done(&path, &Options::default()).text;
    let second = preprocess(&path, &Options::default(), &other).expect("text");
    assert_eq!(first, second.text);
    let text = String::from_utf8(first).expect("plain text");
    assert!(text.contains("\n# 1 \"<selvedge>/pthread.h\" 1 3"));
    let place = headers().dir().to_str().expect("a plain path");
    assert!(!text.contains(place));
}

#[test]
fn headers_vanish_when_dropped_and_know_their_text() {
    let installed = Headers::install().expect("headers");
    let dir = installed.dir().to_owned();
    let on_disk = fs::read_to_string(dir.join("threads.h")).expect("a header");
    assert_eq!(Headers::source("<selvedge>/threads.h"), Some(&*on_disk));
    assert_eq!(Headers::source("threads.h"), None);
    assert_eq!(Headers::source("<selvedge>/none.h"), None);
    drop(installed);
    assert!(!dir.exists());
}

#[test]
fn warnings_are_kept() {
    let folder = Folder::new();
    let path = folder.write("x.c", "#warning careful\nint x;\n");
    let preprocessed = done(&path, &Options::default());
    assert_eq!(body(&preprocessed), "int x;");
    let [warning] = &preprocessed.warnings[..] else {
        panic!("{:?}", preprocessed.warnings);
    };
    assert_eq!(warning.severity, Severity::Warning);
    assert!(warning.text.contains("careful"));
    assert_eq!(warning.place.as_ref().map(|place| place.line), Some(1));
}

#[test]
fn odd_names_and_extensions() {
    let folder = Folder::new();
    for name in ["a b.c", "none", "x.C", "x.h", "ü'\".c"] {
        let path = folder.write(name, "int x = __LINE__;\n");
        assert_eq!(
            body(&done(&path, &Options::default())),
            "int x = 1;",
            "{name}"
        );
    }
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"\xff.c"));
    if fs::write(&path, "int y;\n").is_ok() {
        assert_eq!(body(&done(&path, &Options::default())), "int y;");
    }
}

// Data models.

const WIDTHS: &str = "#include <stdlib.h>\n#include <stdint.h>\n#include <stdio.h>\n\
    #include <limits.h>\n#include <pthread.h>\n\
    int long_size = __SIZEOF_LONG__;\n__SIZE_TYPE__ size;\nint64_t wide = INT64_C(1);\n\
    #if __WORDSIZE == 32 && LONG_MAX == 0x7fffffff && SIZE_MAX == 0xffffffff\nint narrow;\n#endif\n";

fn assert_ilp32(text: &str) {
    assert!(
        text.contains("int long_size = 4; unsigned int size; int64_t wide = 1LL;"),
        "{text}"
    );
    assert!(text.ends_with("int narrow;"), "{text}");
}

#[test]
fn ilp32_by_switch() {
    let folder = Folder::new();
    let path = folder.write("x.c", WIDTHS);
    let mut options = Options::default();
    let wide = body(&done(&path, &options));
    assert!(wide.contains("int long_size = 8; long unsigned int size;"));
    assert!(!wide.contains("narrow"));
    options.data_model = DataModel::Ilp32;
    assert_ilp32(&body(&done(&path, &options)));
    compiles(&path, &options);
}

/// A compiler that knows no `-m32`.
fn without_switch(folder: &Folder) -> PathBuf {
    folder.script(
        "nom32",
        "for a; do [ \"$a\" = -m32 ] && { echo \"cc: error: unrecognized option '-m32'\" >&2; exit 1; }; done\n\
         exec cc \"$@\"",
    )
}

#[test]
fn ilp32_by_macros() {
    let folder = Folder::new();
    let path = folder.write("x.c", WIDTHS);
    let options = Options {
        data_model: DataModel::Ilp32,
        ..with_compiler(without_switch(&folder))
    };
    let preprocessed = done(&path, &options);
    assert!(
        preprocessed.warnings.is_empty(),
        "{:?}",
        preprocessed.warnings
    );
    assert_ilp32(&body(&preprocessed));
    compiles(&path, &options);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn macros_and_switch_predefine_the_same_types() {
    let folder = Folder::new();
    let path = folder.write("x.c", "");
    let macros = |compiler: Option<PathBuf>| {
        let options = Options {
            compiler,
            data_model: DataModel::Ilp32,
            extra: vec!["-dM".into()],
            ..Options::default()
        };
        let text = String::from_utf8(done(&path, &options).text).expect("plain text");
        let about_types = |name: &str| {
            let name = name.split('(').next().unwrap_or(name);
            ["_TYPE__", "_MAX__", "_WIDTH__", "_C"]
                .iter()
                .any(|end| name.ends_with(end))
                || name.starts_with("__SIZEOF_")
                || name.contains("LP")
                || name.contains("x86")
                || name.contains("i386")
        };
        let mut lines: Vec<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix("#define "))
            .filter(|line| about_types(line.split(' ').next().unwrap_or("")))
            .filter(|line| {
                !line.contains("FLT16") && !line.contains("686") && !line.starts_with("i386")
            })
            .map(str::to_owned)
            .collect();
        lines.sort();
        lines
    };
    assert_eq!(macros(None), macros(Some(without_switch(&folder))));
}
