//! Making the compiler speak the asked-for data model.
//!
//! Its predefined macros tell what it does by itself. For another model,
//! `-m32`/`-m64` is tried; a gcc without 32-bit files accepts `-m32` but no
//! longer searches its own architecture's headers, so the folders it searches
//! by default are added behind. A compiler without `-m32` gets the predefined
//! macros of 32-bit x86 one by one.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::command::{self, Compiler, argument_path};
use super::error::PreprocessError;
use super::headers::Headers;
use super::{DataModel, Options, messages};

/// What decides a probe's outcome.
pub(super) type ProbeKey = (Compiler, DataModel, Vec<String>);

/// The arguments that select a data model.
#[derive(Debug, Clone)]
pub(super) struct Probe {
    pub(super) arguments: Vec<OsString>,
}

/// What a compiler says of itself.
struct Answer {
    macros: BTreeMap<String, String>,
    /// The folders of `#include <…>`.
    folders: Vec<PathBuf>,
}

impl Answer {
    fn speaks(&self, model: DataModel) -> bool {
        let size = match model {
            DataModel::Lp64 => "8",
            DataModel::Ilp32 => "4",
        };
        ["__SIZEOF_POINTER__", "__SIZEOF_LONG__"]
            .iter()
            .all(|name| self.macros.get(*name).is_some_and(|value| value == size))
    }
}

/// Finds the arguments for `options.data_model`; asks each compiler once.
pub(super) fn probe(
    compiler: &Compiler,
    path: &Path,
    options: &Options,
    headers: &Headers,
) -> Result<Probe, PreprocessError> {
    let key = (compiler.clone(), options.data_model, options.extra.clone());
    let known = headers.probes.lock().ok();
    if let Some(known) = known.and_then(|probes| probes.get(&key).cloned()) {
        return Ok(known);
    }
    let probe = Probe {
        arguments: model_arguments(compiler, path, options, headers)?,
    };
    if let Ok(mut probes) = headers.probes.lock() {
        probes.insert(key, probe.clone());
    }
    Ok(probe)
}

fn model_arguments(
    compiler: &Compiler,
    path: &Path,
    options: &Options,
    headers: &Headers,
) -> Result<Vec<OsString>, PreprocessError> {
    let model = options.data_model;
    let native = ask(compiler, path, options, None)?;
    if native.speaks(model) {
        return Ok(Vec::new());
    }
    let switch = match model {
        DataModel::Lp64 => "-m64",
        DataModel::Ilp32 => "-m32",
    };
    let mut arguments: Vec<OsString> = match ask(compiler, path, options, Some(switch)) {
        Ok(switched) if switched.speaks(model) => vec![switch.into()],
        Ok(_) | Err(PreprocessError::Rejected { .. }) if model == DataModel::Ilp32 => {
            ilp32_macros(&native)
        }
        Ok(_) | Err(PreprocessError::Rejected { .. }) => {
            return Err(PreprocessError::NoDataModel {
                compiler: compiler.name(),
                model,
            });
        }
        Err(error) => return Err(error),
    };
    for folder in native.folders.iter().chain([&headers.fallback_dir()]) {
        arguments.push("-idirafter".into());
        arguments.push(argument_path(folder));
    }
    Ok(arguments)
}

/// Asks for predefined macros and search folders, on empty input.
fn ask(
    compiler: &Compiler,
    path: &Path,
    options: &Options,
    switch: Option<&str>,
) -> Result<Answer, PreprocessError> {
    let mut asking = compiler.command();
    asking.args(&options.extra);
    asking.args(switch);
    asking.args(["-E", "-dM", "-v", "-x", "c", "-"]);
    let output = command::run(asking, options.limits.time, 4 << 20)
        .map_err(|failure| compiler.error(failure, path, options))?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let said = messages::parse(&stderr);
        return Err(compiler.rejection(path, said, &stderr, output.status));
    }
    let macros = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| line.strip_prefix("#define ")?.split_once(' '))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let folders = stderr
        .lines()
        .skip_while(|line| !line.starts_with("#include <...>"))
        .skip(1)
        .take_while(|line| line.starts_with(' '))
        .map(|line| PathBuf::from(line.trim()))
        .collect();
    Ok(Answer { macros, folders })
}

/// `-U` and `-D` options that turn a 64-bit compiler's predefined macros into
/// those of 32-bit x86.
fn ilp32_macros(native: &Answer) -> Vec<OsString> {
    let undefined = WIDE_ONLY
        .iter()
        .chain(ILP32.iter().map(|(name, _)| name))
        .map(|name| name.split_once('(').map_or(*name, |(name, _)| name))
        .filter(|name| is_predefined(native, name))
        .map(|name| format!("-U{name}"));
    let defined = ILP32
        .iter()
        .map(|(name, value)| format!("-D{name}={value}"));
    undefined.chain(defined).map(OsString::from).collect()
}

fn is_predefined(native: &Answer, name: &str) -> bool {
    let function_like = format!("{name}(");
    native.macros.contains_key(name)
        || native
            .macros
            .keys()
            .any(|key| key.starts_with(&function_like))
}

/// Macros that no 32-bit target defines.
const WIDE_ONLY: &[&str] = &[
    "__x86_64__",
    "__x86_64",
    "__amd64__",
    "__amd64",
    "__aarch64__",
    "__LP64__",
    "_LP64",
    "__SIZEOF_INT128__",
    "__code_model_small__",
    "__k8__",
    "__k8",
];

/// The macros in which 32-bit x86 differs from its 64-bit sister.
const ILP32: &[(&str, &str)] = &[
    ("__i386__", "1"),
    ("__i386", "1"),
    ("__ILP32__", "1"),
    ("_ILP32", "1"),
    ("__SIZEOF_LONG__", "4"),
    ("__SIZEOF_POINTER__", "4"),
    ("__SIZEOF_SIZE_T__", "4"),
    ("__SIZEOF_PTRDIFF_T__", "4"),
    ("__SIZEOF_LONG_DOUBLE__", "12"),
    ("__SIZEOF_FLOAT80__", "12"),
    ("__LONG_MAX__", "0x7fffffffL"),
    ("__LONG_WIDTH__", "32"),
    ("__SIZE_TYPE__", "unsigned int"),
    ("__SIZE_MAX__", "0xffffffffU"),
    ("__SIZE_WIDTH__", "32"),
    ("__PTRDIFF_TYPE__", "int"),
    ("__PTRDIFF_MAX__", "0x7fffffff"),
    ("__PTRDIFF_WIDTH__", "32"),
    ("__INTPTR_TYPE__", "int"),
    ("__INTPTR_MAX__", "0x7fffffff"),
    ("__INTPTR_WIDTH__", "32"),
    ("__UINTPTR_TYPE__", "unsigned int"),
    ("__UINTPTR_MAX__", "0xffffffffU"),
    ("__WCHAR_TYPE__", "long int"),
    ("__WCHAR_MAX__", "0x7fffffffL"),
    ("__INTMAX_TYPE__", "long long int"),
    ("__INTMAX_MAX__", "0x7fffffffffffffffLL"),
    ("__INTMAX_C(c)", "c ## LL"),
    ("__UINTMAX_TYPE__", "long long unsigned int"),
    ("__UINTMAX_MAX__", "0xffffffffffffffffULL"),
    ("__UINTMAX_C(c)", "c ## ULL"),
    ("__INT64_TYPE__", "long long int"),
    ("__INT64_MAX__", "0x7fffffffffffffffLL"),
    ("__INT64_C(c)", "c ## LL"),
    ("__UINT64_TYPE__", "long long unsigned int"),
    ("__UINT64_MAX__", "0xffffffffffffffffULL"),
    ("__UINT64_C(c)", "c ## ULL"),
    ("__INT_LEAST64_TYPE__", "long long int"),
    ("__INT_LEAST64_MAX__", "0x7fffffffffffffffLL"),
    ("__UINT_LEAST64_TYPE__", "long long unsigned int"),
    ("__UINT_LEAST64_MAX__", "0xffffffffffffffffULL"),
    ("__INT_FAST16_TYPE__", "int"),
    ("__INT_FAST16_MAX__", "0x7fffffff"),
    ("__INT_FAST16_WIDTH__", "32"),
    ("__UINT_FAST16_TYPE__", "unsigned int"),
    ("__UINT_FAST16_MAX__", "0xffffffffU"),
    ("__INT_FAST32_TYPE__", "int"),
    ("__INT_FAST32_MAX__", "0x7fffffff"),
    ("__INT_FAST32_WIDTH__", "32"),
    ("__UINT_FAST32_TYPE__", "unsigned int"),
    ("__UINT_FAST32_MAX__", "0xffffffffU"),
    ("__INT_FAST64_TYPE__", "long long int"),
    ("__INT_FAST64_MAX__", "0x7fffffffffffffffLL"),
    ("__UINT_FAST64_TYPE__", "long long unsigned int"),
    ("__UINT_FAST64_MAX__", "0xffffffffffffffffULL"),
];
