//! Every way preprocessing can fail, with scripts in the compiler's place where
//! needed.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use common::{Folder, body, done, error, headers, with_compiler};
use selvedge_frontend::preprocess::{
    DataModel, Limits, Message, Options, PreprocessError, Severity, Stage, preprocess,
};

fn rejection(path: &Path, options: &Options) -> Vec<Message> {
    match error(path, options) {
        PreprocessError::Rejected { messages, .. } => messages,
        other => panic!("not a rejection: {other}"),
    }
}

fn with_limits(limits: Limits) -> Options {
    Options {
        limits,
        ..Options::default()
    }
}

// Files that are no C files.

#[test]
fn a_missing_file() {
    let folder = Folder::new();
    for name in ["none.c", "none.i", "none/x.c"] {
        let path = folder.path().join(name);
        let error = error(&path, &Options::default());
        assert!(
            matches!(error, PreprocessError::NoSuchFile { .. }),
            "{error}"
        );
        assert_eq!(
            error.to_string(),
            format!("{}: no such file", path.display())
        );
    }
}

#[test]
fn a_directory_and_a_device() {
    let folder = Folder::new();
    let options = Options::default();
    for name in ["d.c", "d.i"] {
        let path = folder.path().join(name);
        fs::create_dir(&path).expect("a folder");
        assert!(matches!(
            error(&path, &options),
            PreprocessError::IsDirectory { .. }
        ));
    }
    let zero = error(Path::new("/dev/zero"), &options);
    assert!(matches!(zero, PreprocessError::NotRegular { .. }));
    let pipe = folder.path().join("pipe.c");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    assert!(matches!(
        error(&pipe, &options),
        PreprocessError::NotRegular { .. }
    ));
}

#[test]
fn binary_files() {
    let folder = Folder::new();
    for name in ["x.c", "x.i"] {
        let path = folder.write(name, b"\x7fELF\x02\x01\x01\0\0\0");
        let error = error(&path, &Options::default());
        assert!(
            matches!(error, PreprocessError::Binary { offset: 7, .. }),
            "{error}"
        );
    }
}

#[test]
fn files_over_the_limit() {
    let folder = Folder::new();
    let limits = Limits {
        source: 100,
        preprocessed: 200,
        ..Limits::default()
    };
    let options = with_limits(limits);
    let stage = |name: &str, text: String| match error(&folder.write(name, text), &options) {
        PreprocessError::TooLarge { stage, .. } => stage,
        other => panic!("{other}"),
    };
    assert_eq!(stage("a.c", " ".repeat(101)), Stage::Source);
    assert_eq!(stage("a.i", " ".repeat(201)), Stage::Preprocessed);
    assert_eq!(
        stage("b.c", "#include <stdio.h>\n".into()),
        Stage::Preprocessed
    );
    folder.write("ok.i", " ".repeat(200));
    done(&folder.path().join("ok.i"), &options);
}

#[test]
fn endless_output_ends() {
    let folder = Folder::new();
    let path = folder.write("x.c", "int x;\n");
    let endless = folder.script(
        "endless",
        "case \"$*\" in *-dM*) exec cc \"$@\";; esac\nexec yes 'int x;'",
    );
    let options = Options {
        limits: Limits {
            preprocessed: 1 << 20,
            ..Limits::default()
        },
        ..with_compiler(endless)
    };
    let error = error(&path, &options);
    assert!(matches!(
        error,
        PreprocessError::TooLarge {
            stage: Stage::Preprocessed,
            ..
        }
    ));
    assert!(
        error
            .to_string()
            .ends_with("larger than 1 MiB after preprocessing")
    );
}

// Compilers that fail.

#[test]
fn no_compiler() {
    let folder = Folder::new();
    let path = folder.write("x.c", "int x;\n");
    let plain = folder.write("plain", "not a program");
    for compiler in [PathBuf::from("/nonexistent/cc"), plain] {
        let error = error(&path, &with_compiler(compiler.clone()));
        assert!(
            matches!(error, PreprocessError::NoCompiler { .. }),
            "{error}"
        );
        assert!(error.to_string().contains(&compiler.display().to_string()));
    }
}

#[test]
fn a_missing_header_is_reported_where_it_is_included() {
    let folder = Folder::new();
    let inner = folder.write("inner.h", "\n  #include \"none.h\"\n");
    let path = folder.write("x.c", "\n\n#include \"inner.h\"\n");
    let messages = rejection(&path, &Options::default());
    let [message] = &messages[..] else {
        panic!("{messages:?}");
    };
    assert_eq!(message.severity, Severity::Error);
    assert_eq!(message.text, "none.h: No such file or directory");
    let place = message.place.as_ref().expect("a place");
    assert_eq!(
        (&place.path, place.line, place.column),
        (&inner, 2, Some(12))
    );
    let from = &message.included_from[0];
    assert_eq!((&from.path, from.line), (&path, 3));
}

#[test]
fn several_errors_keep_their_order() {
    let folder = Folder::new();
    let path = folder.write("x.c", "#error one\n#warning two\n#if 1 +\n#endif\n");
    let messages = rejection(&path, &Options::default());
    let lines: Vec<_> = messages
        .iter()
        .map(|m| m.place.as_ref().map(|p| p.line))
        .collect();
    assert_eq!(lines, [Some(1), Some(2), Some(3)]);
    let shown = error(&path, &Options::default()).to_string();
    assert_eq!(shown, format!("{}:1:2: error: #error one", path.display()));
}

#[test]
fn wrong_options_are_the_compiler_s_error() {
    let folder = Folder::new();
    let path = folder.write("x.c", "int x;\n");
    let options = Options {
        extra: vec!["-fno-such-thing".into()],
        ..Options::default()
    };
    let messages = rejection(&path, &options);
    assert!(messages[0].text.contains("-fno-such-thing"), "{messages:?}");
    let options = Options {
        includes: vec!["none.h".into()],
        ..Options::default()
    };
    let messages = rejection(&path, &options);
    assert!(messages[0].text.contains("none.h"), "{messages:?}");
}

/// A compiler that answers the probe and then does `body`.
fn behaving(folder: &Folder, body: &str) -> Options {
    with_compiler(folder.script(
        "fake",
        &format!("case \"$*\" in *-dM*) exec cc \"$@\";; esac\n{body}"),
    ))
}

#[test]
fn a_compiler_that_dies() {
    let folder = Folder::new();
    let path = folder.write("x.c", "int x;\n");
    let messages = rejection(&path, &behaving(&folder, "kill -SEGV $$"));
    assert!(
        messages[0].text.ends_with("was killed by signal 11"),
        "{messages:?}"
    );
    let messages = rejection(&path, &behaving(&folder, "echo 'what now' >&2; exit 3"));
    assert!(
        messages[0].text.ends_with("exit status: 3: what now"),
        "{messages:?}"
    );
}

#[test]
fn a_compiler_that_talks_too_much() {
    let folder = Folder::new();
    let path = folder.write("x.c", "int x;\n");
    let talk = "yes 'x.c:1:1: warning: again' | head -c 3000000 >&2; echo 'int y;'";
    let preprocessed = done(&path, &behaving(&folder, talk));
    assert_eq!(body(&preprocessed), "int y;");
    assert!(preprocessed.warnings.len() > 1000);
}

#[test]
fn a_compiler_that_reads_its_input_or_hangs() {
    let folder = Folder::new();
    let path = folder.write("x.c", "int x;\n");
    let preprocessed = done(&path, &behaving(&folder, "cat; echo 'int y;'"));
    assert_eq!(body(&preprocessed), "int y;");

    let mut options = behaving(&folder, "sleep 1000 & sleep 1000");
    options.limits.time = Duration::from_secs(1);
    let error = error(&path, &options);
    assert!(matches!(error, PreprocessError::TimedOut { .. }), "{error}");
}

#[test]
fn an_included_pipe_does_not_hang() {
    let folder = Folder::new();
    let pipe = folder.path().join("pipe.h");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    let path = folder.write("x.c", "#include \"pipe.h\"\n");
    let mut options = Options::default();
    options.limits.time = Duration::from_secs(1);
    match preprocess(&path, &options, headers()) {
        Err(PreprocessError::TimedOut { .. } | PreprocessError::Rejected { .. }) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_compiler_of_another_width_is_an_error() {
    let folder = Folder::new();
    let path = folder.write("x.c", "int x;\n");
    let tiny = folder.script("tiny", "echo '#define __SIZEOF_POINTER__ 2'");
    let error = error(&path, &with_compiler(tiny));
    assert!(matches!(
        error,
        PreprocessError::NoDataModel {
            model: DataModel::Lp64,
            ..
        }
    ));
    assert!(error.to_string().contains("LP64"));
}
