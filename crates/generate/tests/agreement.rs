//! Generated programs mean the same to gcc with and without optimisation and under its
//! sanitizers: this is what makes the compiled program an oracle.

use std::path::Path;
use std::process::{Command, Output};

use selvedge_generate::{GENERATORS, expression, layout, sequential};

const COMMON: [&str; 4] = ["-std=gnu11", "-w", "-fwrapv", "-fno-strict-aliasing"];
const BUILDS: [&[&str]; 3] = [
    &["-O0"],
    &["-O2"],
    &["-O0", "-fsanitize=undefined,address", "-fno-sanitize=signed-integer-overflow", "-fno-sanitize-recover"],
];

fn run(directory: &Path, name: &str, flags: &[&str]) -> Output {
    let binary = directory.join("program");
    let compiled = Command::new("cc")
        .args(COMMON)
        .args(flags)
        .arg(directory.join("program.c"))
        .arg("-o")
        .arg(&binary)
        .output()
        .expect("cc runs");
    assert!(compiled.status.success(), "{name} {flags:?}: {}", String::from_utf8_lossy(&compiled.stderr));
    Command::new(&binary).output().expect("the compiled program runs")
}

fn check(kind: &str, program: fn(u64) -> String, seeds: std::ops::Range<u64>) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for seed in seeds {
        let name = format!("{kind} {seed}");
        let text = program(seed);
        assert_eq!(text, program(seed), "{name} is not determined by its seed");
        std::fs::write(directory.path().join("program.c"), text).expect("the program is written");
        let plain = run(directory.path(), &name, BUILDS[0]);
        assert!(plain.status.code().is_some(), "{name} was killed: {:?}", plain.status);
        assert!(!plain.stdout.is_empty(), "{name} prints nothing");
        for flags in &BUILDS[1..] {
            let other = run(directory.path(), &name, flags);
            assert_eq!(String::from_utf8_lossy(&other.stderr), "", "{name} {flags:?}");
            assert_eq!(plain.status, other.status, "{name} {flags:?}");
            let (a, b) = (String::from_utf8_lossy(&plain.stdout), String::from_utf8_lossy(&other.stdout));
            assert_eq!(a, b, "{name} {flags:?}");
        }
    }
}

#[test]
fn expressions_agree() {
    check("expression", expression::program, 0..12);
}

#[test]
fn layouts_agree() {
    check("layout", layout::program, 0..12);
}

#[test]
fn sequential_programs_agree() {
    check("sequential", sequential::program, 0..16);
}

#[test]
fn programs_for_comparing_engines_compile() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("program.c");
    for kind in
        ["concurrent", "sections", "threads", "pointers", "uninitialised", "wide", "copies", "undefined", "large"]
    {
        let (_, program) = GENERATORS.iter().find(|(name, _)| *name == kind).expect("it exists");
        for seed in 0..20 {
            let text = program(seed);
            assert_eq!(text, program(seed), "{kind} {seed} is not determined by its seed");
            std::fs::write(&path, &text).expect("the program is written");
            let strict = ["-Wall", "-Werror", "-Wno-unused", "-Wno-type-limits"];
            let warnings = if kind == "concurrent" { &strict[..] } else { &["-w"] };
            let flags = ["-std=gnu11", "-fsyntax-only"];
            let compiled = Command::new("cc").args(flags).args(warnings).arg(&path).output().expect("cc runs");
            let errors = String::from_utf8_lossy(&compiled.stderr);
            assert!(compiled.status.success(), "{kind} {seed}: {errors}\n{text}");
        }
    }
}
