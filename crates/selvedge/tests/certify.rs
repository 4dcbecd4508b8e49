//! Certificates travel: what `check --certificate` writes, `certify` accepts, in a process that runs no engine; what was
//! changed, cut off, or is about another program, it refuses with a reason.
//!
//! By default every twelfth program of `examples/` and `tests/programs/` is written and read; `SELVEDGE_CERTIFY=1` asks
//! for all of them, `SELVEDGE_CERTIFY=2/8` for every eighth from the second on.

use selvedge_generate::stored;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn selvedge(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selvedge")).args(arguments).output().expect("selvedge runs")
}

/// The flags that stand in a program: those of the compiler, which `certify` takes as well, and the others.
fn flags(file: &Path) -> (Vec<String>, Vec<String>) {
    let text = fs::read_to_string(file).expect("the program is readable");
    let line = text.lines().find_map(|line| line.strip_prefix("// flags:")).unwrap_or_default();
    let mut words = line.split_whitespace().map(str::to_owned);
    let (mut compiler, mut others) = (vec!["--std=gnu11".to_owned()], Vec::new());
    while let Some(word) = words.next() {
        let of_check = ["--property", "--engine", "--timeout", "--threads", "--atomic", "--race-on", "--mode"];
        if of_check.contains(&word.as_str()) {
            others.push(word);
            others.extend(words.next());
        } else if word == "--stop-on-fail" {
            others.push(word);
        } else if word == "--assume-pure" {
            compiler.push(word);
            compiler.extend(words.next());
        } else {
            compiler.push(word);
        }
    }
    (compiler, others)
}

fn words(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// How many claims there were, and what became of them.
#[derive(Debug, Default)]
struct Tally {
    programs: usize,
    claims: usize,
    accepted: usize,
    on_trust: usize,
}

/// Writes the certificates of a program and has them checked.
fn travel(file: &Path, folder: &Path, tally: &Mutex<Tally>) -> Result<(), String> {
    let (compiler, others) = flags(file);
    let name = stored::name(file).replace(['/', ':', ' '], "_");
    let certificate = folder.join(format!("{name}.cert")).to_string_lossy().into_owned();
    let program = file.to_string_lossy().into_owned();
    let mut arguments = vec!["check", "--json", "--certificate", &certificate];
    arguments.extend(words(&compiler));
    arguments.extend(words(&others));
    arguments.push(&program);
    let output = selvedge(&arguments);
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("no report: {error}"))?;
    let checks = report["checks"].as_array().cloned().unwrap_or_default();
    let safe: Vec<&Value> = checks.iter().filter(|check| check["verdict"] == "safe").collect();
    if safe.is_empty() {
        return Ok(());
    }
    let mut arguments = vec!["certify", "--json", "--timeout", "120"];
    arguments.extend(words(&compiler));
    arguments.extend([program.as_str(), certificate.as_str()]);
    let output = selvedge(&arguments);
    let answer: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("no answer: {}", String::from_utf8_lossy(&output.stderr)))?;
    let claims = answer["claims"].as_array().cloned().unwrap_or_default();
    let refused: Vec<&Value> = claims.iter().filter(|claim| claim["verdict"] == "refused").collect();
    let on_trust = safe.iter().filter(|check| check["standing"] != "confirmed").count();
    let mut tally = tally.lock().expect("no thread panics");
    tally.programs += 1;
    tally.claims += claims.len();
    tally.accepted += claims.len() - refused.len();
    tally.on_trust += on_trust;
    drop(tally);
    for check in safe.iter().filter(|check| check["standing"] != "confirmed") {
        println!("{}: {} by {}: {}", stored::name(file), check["description"], check["engine"], check["standing"]);
    }
    if claims.len() != safe.len() {
        return Err(format!("{} claims of {} safe checks", claims.len(), safe.len()));
    }
    // What `check` did not confirm, `certify` may not get to the end of either.
    let is_open = |why: &str| why.contains("on trust") || why.contains("not checked to the end");
    let is_expected =
        refused.len() <= on_trust && refused.iter().all(|claim| claim["reason"].as_str().is_some_and(is_open));
    let status = if refused.is_empty() { Some(0) } else { Some(1) };
    if is_expected && output.status.code() == status { Ok(()) } else { Err(format!("{answer:#}")) }
}

#[test]
fn every_safe_verdict_is_accepted_elsewhere() {
    let mut files: Vec<PathBuf> =
        stored::c_files("examples").into_iter().chain(stored::c_files("tests/programs")).collect();
    files.retain(|file| !file.components().any(|part| part.as_os_str() == "lowering" || part.as_os_str() == "models"));
    let asked = std::env::var("SELVEDGE_CERTIFY").unwrap_or("1/12".to_owned());
    if let Some((first, every)) = asked.split_once('/') {
        let number = |text: &str| text.parse::<usize>().expect("a number").max(1);
        files = files.into_iter().skip(number(first) - 1).step_by(number(every)).collect();
    }
    let tally = travel_all(&files);
    assert!(tally.claims > 0 && tally.accepted * 10 >= tally.claims * 8, "{tally:?}");
}

/// What depends on indices in large arrays is shown by following paths, before exploring takes all of the time.
#[test]
fn proofs_about_arrays_are_accepted_elsewhere() {
    let tally = travel_all(&stored::c_files("tests/programs/arrays"));
    assert!(tally.claims > 0 && tally.accepted == tally.claims && tally.on_trust == 0, "{tally:?}");
}

/// Writes the certificates of programs and has them checked.
fn travel_all(files: &[PathBuf]) -> Tally {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let (next, tally, wrong) = (AtomicUsize::new(0), Mutex::new(Tally::default()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(error) = travel(file, folder.path(), &tally) {
                        wrong.lock().expect("no thread panics").push(format!("{}: {error}", stored::name(file)));
                    }
                }
            });
        }
    });
    let (tally, wrong) = (tally.into_inner().expect("no panic"), wrong.into_inner().expect("no panic"));
    println!("{} files: {tally:?}", files.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    tally
}

/// A folder with a program, its certificates, and what `certify` says of a text in their place.
struct Case {
    folder: tempfile::TempDir,
    program: String,
    text: String,
}

impl Case {
    fn new(example: &str, arguments: &[&str]) -> Case {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let program = format!("{}/../../{example}", env!("CARGO_MANIFEST_DIR"));
        let certificate = folder.path().join("x.cert").to_string_lossy().into_owned();
        let output =
            selvedge(&[&["check", "--std=gnu11", "--certificate", &certificate], arguments, &[&program]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
        let text = fs::read_to_string(&certificate).expect("it was written");
        Case { folder, program, text }
    }

    /// The exit status, and what it says.
    fn certify(&self, text: &[u8], arguments: &[&str]) -> (Option<i32>, String) {
        let path = self.folder.path().join("changed.cert");
        fs::write(&path, text).expect("the temporary folder is writable");
        let path = path.to_string_lossy().into_owned();
        let output = selvedge(&[&["certify", "--std=gnu11"], arguments, &[&self.program, &path]].concat());
        let said = [&output.stdout[..], &output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    }
}

/// One program for each kind of certificate.
const KINDS: [(&str, &str, &[&str]); 5] = [
    ("exploration", "examples/counter.c", &["--engine", "explicit"]),
    ("refutation", "examples/counter.c", &["--engine", "interference"]),
    ("cartesian", "examples/peterson.c", &["--engine", "cartesian", "--property", "assertion", "--property", "race"]),
    ("modular", "tests/programs/modular/state_variable.c", &["--engine", "modular", "--property", "race"]),
    ("symmetric", "tests/programs/symmetric/inc_cas.c", &["--engine", "symmetric", "--property", "assertion"]),
];

#[test]
fn every_kind_has_its_checker() {
    for (kind, example, arguments) in KINDS {
        let case = Case::new(example, arguments);
        assert!(case.text.contains(&format!("\ncertificate {kind}")), "{}", case.text);
        let (status, said) = case.certify(case.text.as_bytes(), &[]);
        assert_eq!(status, Some(0), "{kind}: {said}");
        assert!(said.lines().all(|line| line.starts_with("accepted: ")), "{said}");
    }
}

/// None of these makes it panic, hang, or accept.
#[test]
fn strange_files_are_refused_with_a_message() {
    for (kind, example, arguments) in KINDS {
        let case = Case::new(example, arguments);
        let text = &case.text;
        let deep = format!("shows no data race\nthread main\nplace 0\npossible\n  holds {}1\nend", "(".repeat(200_000));
        let body = text.find("\nshows").expect("something is shown") + 1;
        let texts: Vec<(&str, Vec<u8>)> = vec![
            ("empty", Vec::new()),
            ("no text", vec![0xff, 0xfe, 0, 1]),
            ("another version", text.replacen("certificates 1", "certificates 7", 1).into_bytes()),
            ("another program", text.replacen("program ", "program 0", 1).into_bytes()),
            ("cut off", text.as_bytes()[..text.len() * 2 / 3].to_vec()),
            ("without an end", text.trim_end().trim_end_matches("end").as_bytes().to_vec()),
            (
                "without a claim",
                text.lines().filter(|line| !line.starts_with("shows")).collect::<Vec<_>>().join("\n").into(),
            ),
            ("another kind", text.replacen(&format!("certificate {kind}"), "certificate oracle", 1).into_bytes()),
            ("deep", format!("{}{deep}", &text[..body]).into_bytes()),
            ("long", [&text.as_bytes()[..body], &b"shows ".repeat(300_000)].concat()),
        ];
        for (what, text) in texts {
            let (status, said) = case.certify(&text, &["--timeout", "30"]);
            assert_eq!(status, Some(2), "{kind}, {what}: {said}");
            assert!(said.starts_with("selvedge: ") && !said.contains("panicked"), "{kind}, {what}: {said}");
        }
        let (status, said) = case.certify(case.text.as_bytes(), &["--timeout", "0.000001"]);
        assert!(matches!(status, Some(1 | 2)), "{kind}: {said}");
    }
}

#[test]
fn a_certificate_of_another_program_is_refused() {
    let case = Case::new("examples/counter.c", &[]);
    let (status, said) = case.certify(case.text.as_bytes(), &["-m32"]);
    assert_eq!(status, Some(2));
    assert!(said.contains("it is about another program"), "{said}");
}

/// Whether a command can be run.
fn is_installed(command: &str, arguments: &[&str]) -> bool {
    Command::new(command).args(arguments).output().is_ok_and(|output| output.status.success())
}

/// A reader of SMT-LIB over cvc5's library.
const CVC5: &str = "import cvc5, sys
s = cvc5.Solver(cvc5.TermManager()); s.setOption('incremental', 'true'); p = cvc5.InputParser(s)
p.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.stdin.read(), 'stdin')
while True:
    c = p.nextCommand()
    if c.isNull(): break
    print(c.invoke(s, p.getSymbolManager()), end='')
";

#[test]
fn other_solvers_discharge_the_obligations() {
    let (_, example, arguments) = KINDS[3];
    let case = Case::new(example, arguments);
    let script = case.folder.path().join("reader.py");
    fs::write(&script, CVC5).expect("the temporary folder is writable");
    let cvc5 = format!("python3 {}", script.display());
    for (solver, is_there) in [
        ("z3 -in", is_installed("z3", &["--version"])),
        (cvc5.as_str(), is_installed("python3", &["-c", "import cvc5"])),
    ] {
        if !is_there {
            println!("{solver}: not on this machine");
            continue;
        }
        let (status, said) = case.certify(case.text.as_bytes(), &["--solver", solver]);
        assert_eq!(status, Some(0), "{solver}: {said}");
        // What is not said of a place is not kept.
        let fewer: Vec<&str> =
            case.text.lines().filter(|line| !line.trim_start().starts_with("holds changer")).collect();
        let (status, said) = case.certify(fewer.join("\n").as_bytes(), &["--solver", solver]);
        assert_eq!(status, Some(1), "{solver}: {said}");
        assert!(said.contains("where `unsat` is needed"), "{said}");
    }
    let (status, said) = case.certify(case.text.as_bytes(), &["--solver", "true"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("the solver answers 0 of"), "{said}");
    let (status, said) = case.certify(case.text.as_bytes(), &["--solver", "no-such-solver"]);
    assert_eq!(status, Some(1), "{said}");
}
