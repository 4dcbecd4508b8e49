//! From a C compiler's command line to [`Options`].
//!
//! What steers preprocessing or the data model is taken over, joined
//! (`-Idir`) or separate (`-I dir`), with paths made relative to the folder
//! the compiler ran in. What would change the meaning of the program in a way
//! we do not model is kept apart, by name. The rest (optimisation, warnings,
//! outputs) is dropped.

use std::path::{Path, PathBuf};

use super::{DataModel, Macro, Options};

/// What a command line says of its input.
#[derive(Debug, Default)]
pub(super) struct Flags {
    pub(super) options: Options,
    /// Options that change what the program means and that we do not model.
    pub(super) unsupported: Vec<String>,
    /// `-x`, the input's language.
    pub(super) language: Option<String>,
}

/// A flag at the end of the line lacks its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MissingValue {
    pub(super) flag: String,
}

/// What a flag that takes a value means.
#[derive(Clone, Copy)]
enum Takes {
    IncludeDir,
    QuoteDir,
    SystemDir,
    Define,
    Undefine,
    Include,
    /// Passed on with its value, a path.
    ExtraPath,
    /// Passed on with its value.
    Extra,
    Language,
    /// The value is a flag for the preprocessor.
    Nested,
    Ignored,
}

/// Flags that take a value, joined or as the next word; a flag precedes its
/// prefixes.
const VALUED: &[(&str, Takes)] = &[
    ("--include-directory=", Takes::IncludeDir),
    ("--define-macro=", Takes::Define),
    ("--undefine-macro=", Takes::Undefine),
    ("--include=", Takes::Include),
    ("--sysroot", Takes::ExtraPath),
    ("-isystem", Takes::SystemDir),
    ("-isysroot", Takes::ExtraPath),
    ("-iquote", Takes::QuoteDir),
    ("-idirafter", Takes::ExtraPath),
    ("-include", Takes::Include),
    ("-imacros", Takes::ExtraPath),
    ("-Xpreprocessor", Takes::Nested),
    ("-I", Takes::IncludeDir),
    ("-D", Takes::Define),
    ("-U", Takes::Undefine),
    ("-x", Takes::Language),
];

/// Flags whose value is always the next word.
const SEPARATE: &[(&str, Takes)] = &[
    ("-target", Takes::Extra),
    ("-Xlinker", Takes::Ignored),
    ("-Xassembler", Takes::Ignored),
    ("-Xclang", Takes::Ignored),
    ("-o", Takes::Ignored),
    ("-MF", Takes::Ignored),
    ("-MT", Takes::Ignored),
    ("-MQ", Takes::Ignored),
    ("-MJ", Takes::Ignored),
    ("-L", Takes::Ignored),
    ("-l", Takes::Ignored),
    ("-T", Takes::Ignored),
    ("-u", Takes::Ignored),
    ("-z", Takes::Ignored),
    ("-arch", Takes::Ignored),
    ("--param", Takes::Ignored),
];

/// Flags without a value that are passed on.
const PASSED_ON: &[&str] =
    &["-nostdinc", "-undef", "-trigraphs", "-pthread", "-fms-extensions", "-fgnu89-inline", "-fdollars-in-identifiers"];

/// Prefixes of flags that change types, layout or execution.
const UNSUPPORTED: &[&str] = &[
    "-funsigned-char",
    "-fno-signed-char",
    "-funsigned-bitfields",
    "-fno-signed-bitfields",
    "-fshort-enums",
    "-fshort-wchar",
    "-fpack-struct",
    "-fopenmp",
    "-fopenacc",
    "-fnon-call-exceptions",
    "-mx32",
    "-m16",
    "-malign-double",
    "-mms-bitfields",
    "-mlong-double-64",
    "-mlong-double-128",
    "@",
];

/// Flags that change nothing about what a program means, by their beginnings.
const HARMLESS: &[&str] = &["-O", "-g", "-W", "-f", "-m", "-M", "-l", "-L", "-o"];

/// The same, as they are.
const HARMLESS_WORDS: &[&str] = &[
    "-c",
    "-s",
    "-v",
    "-w",
    "-pg",
    "-pipe",
    "-pedantic",
    "-pedantic-errors",
    "-pthread",
    "-shared",
    "-static",
    "-rdynamic",
    "-save-temps",
];

/// How many words a flag takes up that changes nothing about what a program means; 0 for anything else.
pub fn harmless_words(word: &str) -> usize {
    let steers =
        |word: &str| matches!(word, "-m32" | "-m64") || word.starts_with("-Wp,") || starts_with_one(word, UNSUPPORTED);
    match valued(word) {
        Some((Takes::Ignored, _)) => 2,
        None if PASSED_ON.contains(&word) && word != "-pthread" => 0,
        None if (starts_with_one(word, HARMLESS) && !steers(word)) || HARMLESS_WORDS.contains(&word) => 1,
        _ => 0,
    }
}

fn starts_with_one(word: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| word.starts_with(prefix))
}

impl Flags {
    /// Reads the words after the compiler's name; paths are relative to
    /// `directory`.
    pub(super) fn read(words: &[String], directory: &Path) -> Result<Flags, MissingValue> {
        let mut flags = Flags::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let Some((takes, joined)) = valued(word) else {
                flags.single(word, directory)?;
                continue;
            };
            let value = match joined {
                Some(value) => value.to_owned(),
                None => words.next().cloned().ok_or_else(|| MissingValue { flag: word.clone() })?,
            };
            flags.valued(takes, word, value, directory)?;
        }
        Ok(flags)
    }

    fn valued(&mut self, takes: Takes, word: &str, value: String, directory: &Path) -> Result<(), MissingValue> {
        let options = &mut self.options;
        match takes {
            Takes::IncludeDir => options.include_dirs.push(directory.join(value)),
            Takes::QuoteDir => options.quote_dirs.push(directory.join(value)),
            Takes::SystemDir => options.system_dirs.push(directory.join(value)),
            Takes::Define => options.macros.push(Macro::Define(value)),
            Takes::Undefine => options.macros.push(Macro::Undefine(value)),
            Takes::Include => options.includes.push(included(directory, value)),
            Takes::ExtraPath => {
                let path = directory.join(value.trim_start_matches('='));
                let flag = word.strip_suffix(value.as_str()).unwrap_or(word);
                options.extra.push(flag.trim_end_matches('=').to_owned());
                options.extra.push(path.to_string_lossy().into_owned());
            }
            Takes::Extra => options.extra.extend([word.to_owned(), value]),
            Takes::Language => self.language = Some(value),
            Takes::Nested => match valued(&value) {
                Some((Takes::Nested, _)) | None => self.single(&value, directory)?,
                Some((takes, Some(joined))) => {
                    self.valued(takes, &value, joined.to_owned(), directory)?;
                }
                Some((_, None)) => return Err(MissingValue { flag: value }),
            },
            Takes::Ignored => {}
        }
        Ok(())
    }

    /// A flag without a separate value.
    fn single(&mut self, word: &str, directory: &Path) -> Result<(), MissingValue> {
        let options = &mut self.options;
        if let Some(std) = word.strip_prefix("-std=").or(word.strip_prefix("--std=")) {
            options.std = Some(std.to_owned());
        } else if word == "-ansi" {
            options.std = Some("c90".to_owned());
        } else if word == "-m32" {
            options.data_model = DataModel::Ilp32;
        } else if word == "-m64" {
            options.data_model = DataModel::Lp64;
        } else if let Some(list) = word.strip_prefix("-Wp,") {
            let nested: Vec<String> = list.split(',').map(str::to_owned).collect();
            self.merge(Flags::read(&without_wp(&nested), directory)?);
        } else if PASSED_ON.contains(&word) {
            options.extra.push(word.to_owned());
        } else if starts_with_one(word, UNSUPPORTED) {
            self.unsupported.push(word.to_owned());
        }
        Ok(())
    }

    fn merge(&mut self, later: Flags) {
        self.options.append(&later.options);
        self.unsupported.extend(later.unsupported);
        if later.language.is_some() {
            self.language = later.language;
        }
    }
}

/// The words of a `-Wp,` list. `-MD` and `-MMD` take the next word there.
fn without_wp(words: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if matches!(word.as_str(), "-MD" | "-MMD") {
            words.next();
        } else if !word.starts_with("-Wp,") {
            kept.push(word.clone());
        }
    }
    kept
}

/// What `word` means if it is a flag that takes a value, and its joined value.
fn valued(word: &str) -> Option<(Takes, Option<&str>)> {
    if let Some((_, takes)) = SEPARATE.iter().find(|(flag, _)| *flag == word) {
        return Some((*takes, None));
    }
    VALUED.iter().find_map(|(flag, takes)| {
        let value = word.strip_prefix(flag)?;
        let separate = value.is_empty() && !flag.ends_with('=');
        Some((*takes, (!separate).then_some(value)))
    })
}

/// An `-include` file: in `directory` if it is there, else left to the search
/// path.
fn included(directory: &Path, name: String) -> PathBuf {
    let here = directory.join(&name);
    match here.exists() {
        true => here,
        false => PathBuf::from(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Flags {
        let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
        Flags::read(&words, Path::new("/build")).unwrap()
    }

    fn paths(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn joined_and_separate_values() {
        let flags = read(&[
            "-Iinc",
            "-I",
            "/abs",
            "-isystem",
            "sys",
            "-isystem/two",
            "-iquote",
            "q",
            "-iquoter",
            "-DA",
            "-D",
            "B=1",
            "-UA",
            "-U",
            "C",
            "-DD=a b",
            "-std=gnu11",
            "-m32",
            "-include",
            "pre.h",
            "--include-directory=long",
            "--define-macro=E",
        ]);
        let options = flags.options;
        assert_eq!(options.include_dirs, paths(&["/build/inc", "/abs", "/build/long"]));
        assert_eq!(options.system_dirs, paths(&["/build/sys", "/two"]));
        assert_eq!(options.quote_dirs, paths(&["/build/q", "/build/r"]));
        assert_eq!(options.includes, paths(&["pre.h"]));
        assert_eq!(options.std.as_deref(), Some("gnu11"));
        assert_eq!(options.data_model, DataModel::Ilp32);
        let define = |text: &str| Macro::Define(text.into());
        let undefine = |text: &str| Macro::Undefine(text.into());
        assert_eq!(
            options.macros,
            [define("A"), define("B=1"), undefine("A"), undefine("C"), define("D=a b"), define("E")]
        );
        assert!(flags.unsupported.is_empty() && options.extra.is_empty());
    }

    #[test]
    fn outputs_and_warnings_are_dropped_with_their_values() {
        let flags = read(&["-c", "-O2", "-Wall", "-o", "-Dnot", "-MF", "-Inot", "-MD", "-g", "-fPIC", "x.c", "-lm"]);
        assert_eq!(flags.options, Options::default());
        assert!(flags.unsupported.is_empty());
    }

    #[test]
    fn harmless_flags_are_told_from_others() {
        for flag in
            ["-pthread", "-O2", "-Wall", "-Wl,-z,now", "-g", "-c", "-fPIC", "-march=native", "-lm", "-L/lib", "-ofile"]
        {
            assert_eq!(harmless_words(flag), 1, "{flag}");
        }
        for flag in ["-o", "-l", "-MF"] {
            assert_eq!(harmless_words(flag), 2, "{flag}");
        }
        for other in
            ["-p", "-pbuild", "-Iinc", "-DX", "-m32", "-std=c11", "-fopenmp", "-funsigned-char", "--json", "x.c", "-"]
        {
            assert_eq!(harmless_words(other), 0, "{other}");
        }
    }

    #[test]
    fn some_flags_are_passed_on() {
        let flags = read(&["-nostdinc", "-idirafter", "late", "-isysroot/root", "--sysroot=/s", "-target", "x86"]);
        let expected =
            ["-nostdinc", "-idirafter", "/build/late", "-isysroot", "/root", "--sysroot", "/s", "-target", "x86"];
        assert_eq!(flags.options.extra, expected);
    }

    #[test]
    fn flags_that_change_meaning_are_named() {
        let flags = read(&["-funsigned-char", "-fpack-struct=2", "-fopenmp", "@args.rsp"]);
        let expected = ["-funsigned-char", "-fpack-struct=2", "-fopenmp", "@args.rsp"];
        assert_eq!(flags.unsupported, expected);
    }

    #[test]
    fn flags_for_the_preprocessor_are_unwrapped() {
        let flags = read(&["-Wp,-DA=1,-MMD,dep.d,-UB", "-Xpreprocessor", "-DC", "-x", "c"]);
        let expected = [Macro::Define("A=1".into()), Macro::Undefine("B".into()), Macro::Define("C".into())];
        assert_eq!(flags.options.macros, expected);
        assert_eq!(flags.language.as_deref(), Some("c"));
    }

    #[test]
    fn a_flag_without_its_value_is_an_error() {
        for flag in ["-I", "-D", "-include", "-o"] {
            let missing = Flags::read(&[flag.to_owned()], Path::new("/")).unwrap_err();
            assert_eq!(missing.flag, flag);
        }
    }
}
