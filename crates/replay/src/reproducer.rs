//! A folder in which `make` reproduces a violation without Selvedge: the sources as the preprocessor leaves them, the
//! runtime, the schedule as a table, a Makefile and a README.

use crate::events::{Events, Shows};
use crate::native::{Build, Subject};
use crate::table::table;
use crate::toolchain::{
    Behind, CLANG_FLAGS, Hindrance, LINK_FLAGS, PROGRAM_FLAGS, RUNTIME, RUNTIME_FLAGS, Toolchain, runtime_sources,
    wrapped, write as write_file,
};
use selvedge_frontend::preprocess::Options;
use selvedge_program::{DataModel, Program};
use std::path::Path;

/// Writes the folder. It may exist, but must be empty.
///
/// # Errors
/// When the program does not compile, or the folder cannot be written.
pub fn write(
    folder: &Path,
    subject: &Subject<'_>,
    program: &Program,
    events: &Events,
    headline: &str,
) -> Result<(), Hindrance> {
    let files = |error| Hindrance::Files { what: folder.display().to_string(), error };
    std::fs::create_dir_all(folder).map_err(files)?;
    if std::fs::read_dir(folder).map_err(files)?.next().is_some() {
        return Err(files(std::io::Error::other("the folder is not empty")));
    }
    let options = subject.sources.first().map(|source| source.preprocess.clone()).unwrap_or_default();
    let toolchain = Toolchain::new(&options, Behind::Nothing)?;
    let build = Build::new(&toolchain, subject.clone())?;
    let runtime = folder.join("runtime");
    std::fs::create_dir_all(&runtime).map_err(files)?;
    for (name, text) in RUNTIME {
        write_file(&runtime.join(name), text)?;
    }
    write_file(&folder.join("wrapped.txt"), wrapped(Behind::Nothing))?;
    write_file(&folder.join("table.c"), table(program, events, build.stubs()))?;
    let mut names = Vec::new();
    for (position, source) in subject.sources.iter().enumerate() {
        let stem = source.path.file_stem().map_or("source".into(), |stem| stem.to_string_lossy());
        let name = format!("{position}_{}.i", plain(&stem));
        write_file(&folder.join(&name), toolchain.preprocess_source(source)?)?;
        names.push(name);
    }
    write_file(&folder.join("Makefile"), makefile(&names, subject, &options, events.shows))?;
    write_file(&folder.join("README.md"), readme(headline, events.shows))
}

/// A name that `make` and the shell take as it is.
fn plain(name: &str) -> String {
    name.chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || "-_.".contains(letter) { letter } else { '_' })
        .collect()
}

/// A word in a recipe of a Makefile.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''").replace('$', "$$"))
}

fn makefile(sources: &[String], subject: &Subject<'_>, options: &Options, shows: Shows) -> String {
    let machine = if options.data_model == DataModel::Ilp32 { " -m32" } else { "" };
    let standard = options.std.as_ref().map_or(String::new(), |std| format!(" -std={std}"));
    let objects: Vec<String> = sources.iter().map(|source| source.replace(".i", ".o")).collect();
    let runtime: Vec<String> =
        runtime_sources().map(|source| format!("runtime/{}", source.replace(".c", ".o"))).collect();
    let arguments: Vec<String> = subject.arguments.iter().map(|word| quoted(word)).collect();
    let expected = match shows {
        Shows::Assertion(_) | Shows::Undefined(_) => "test $$status -gt 128",
        Shows::Race | Shows::Deadlock | Shows::Interference => "test $$status -eq 90",
    };
    format!(
        "# Builds the program with a scheduler of its own and runs it once: `make` succeeds if the violation is seen.\n\
         CC ?= cc\n\
         CLANG := $(if $(findstring clang,$(shell $(CC) --version)),{clang})\n\
         PROGRAM_FLAGS := {program}{machine}{standard} $(CLANG)\n\
         RUNTIME_FLAGS := {runtime_flags}{machine} -Iruntime\n\
         OBJECTS := {objects} table.o {runtime}\n\n\
         .PHONY: reproduce clean\n\
         reproduce: program\n\
         \t@./program {arguments}; status=$$?; {expected} && echo \"The violation has been reproduced.\"\n\n\
         program: $(OBJECTS) wrapped.txt\n\
         \t$(CC){machine} $(OBJECTS) -Wl,@wrapped.txt {link} -o $@\n\n\
         %.o: %.i\n\
         \t$(CC) $(PROGRAM_FLAGS) -x cpp-output -c $< -o $@\n\n\
         %.o: %.c\n\
         \t$(CC) $(RUNTIME_FLAGS) -c $< -o $@\n\n\
         clean:\n\
         \trm -f program $(OBJECTS)\n",
        clang = CLANG_FLAGS.join(" "),
        program = PROGRAM_FLAGS.join(" "),
        runtime_flags = RUNTIME_FLAGS.join(" "),
        objects = objects.join(" "),
        runtime = runtime.join(" "),
        arguments = arguments.join(" "),
        link = LINK_FLAGS.join(" "),
    )
}

fn readme(headline: &str, shows: Shows) -> String {
    let seen = match shows {
        Shows::Assertion(_) => "The program aborts with the failed assertion.",
        Shows::Race => "Both threads are stopped in front of their accesses to one address, and the run ends there.",
        Shows::Deadlock => "All threads wait, and the run says where.",
        Shows::Interference => "A thread comes between two accesses of another, and the run ends there.",
        Shows::Undefined(_) => "The program ends by a signal.",
    };
    format!(
        "# {headline}\n\nSelvedge found this violation. `make` compiles the program and runs it under the schedule that shows it:\n\n\
         ```\nmake\n```\n\n{seen} `make` succeeds if that happens, and fails otherwise.\n\n\
         You need a C compiler (gcc or clang, on Linux), `make` and `addr2line`.\n\n\
         - `*.i`: the program, as the preprocessor leaves it.\n\
         - `table.c`: the schedule: whose turn it is, event by event, and the values that were chosen.\n\
         - `runtime/`: the scheduler. The compiler's instrumentation for ThreadSanitizer (`-fsanitize=thread`) calls it before every\n  \
         access to memory, the linker leads calls of the thread library to it (`wrapped.txt`), and it lets one thread move at a time.\n\n\
         Set a breakpoint in `sv_turn` to follow the threads in a debugger.\n"
    )
}
