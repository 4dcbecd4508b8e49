//! `selvedge compose` on the specifications of `examples/contracts/`, and its models beside SPIN.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn compose(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selvedge")).arg("compose").args(arguments).output().expect("selvedge runs")
}

/// The last line of the answer, and the exit status.
fn verdict(arguments: &[&str]) -> (String, Option<i32>) {
    let output = compose(arguments);
    let said = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
    let last = said.lines().last().unwrap_or_default().to_owned();
    (last, output.status.code())
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).expect("is readable")
}

#[test]
fn the_drivers_do_not_go_wrong() {
    let bluetooth = example("contracts/bluetooth.threads").display().to_string();
    let battery = example("contracts/battery.threads").display().to_string();
    let safe = "safe: the assertion holds, no deadlock, no undefined behaviour".to_owned();
    for workers in ["1", "2", "3"] {
        assert_eq!(verdict(&["--threads", workers, &bluetooth]), (safe.clone(), Some(0)), "{workers}");
    }
    assert_eq!(verdict(&["--threads", "pnp_add=2", &bluetooth]), (safe, Some(0)));
    let safe = "safe: all 11 assertions hold".to_owned();
    for workers in ["1", "3"] {
        assert_eq!(verdict(&["--property", "assertion", "--threads", workers, &battery]), (safe.clone(), Some(0)));
    }
}

#[test]
fn any_number_of_threads() {
    let account = example("contracts/account.threads").display().to_string();
    let said = verdict(&["--property", "assertion", &account]);
    assert_eq!(said, ("safe: all 2 assertions hold".to_owned(), Some(0)));
    let battery = example("contracts/battery.threads").display().to_string();
    let said = verdict(&["--property", "assertion", &battery]);
    assert_eq!(said, ("safe: all 11 assertions hold".to_owned(), Some(0)));
}

/// Threads that are created and joined: what holds after the last join.
#[test]
fn threads_are_created_and_joined() {
    let counter = example("contracts/counter.threads").display().to_string();
    let safe = "safe: all 3 assertions hold, no deadlock, no undefined behaviour".to_owned();
    assert_eq!(verdict(&[&counter]), (safe, Some(0)));
}

/// The contract over the C program that it is about says the same.
#[test]
fn a_specification_over_its_program() {
    let (spec, program) = (example("contracts/bluetooth.threads"), example("bluetooth.c"));
    let said = verdict(&["--threads", "2", &spec.display().to_string(), &program.display().to_string()]);
    assert_eq!(said.1, Some(0), "{}", said.0);
}

/// A worker that looks at the flag before it counts itself in.
#[test]
fn a_mistake_is_found_with_its_schedule() {
    let folder = folder();
    let path = folder.path().join("bug.threads");
    let right = text(&example("contracts/bluetooth.threads"));
    let wrong = right
        .replace("to counted: pending_io' == pending_io + 1;", "to counted: stopping_flag == 0;")
        .replace("to working: stopping_flag == 0;", "to working: pending_io' == pending_io + 1;")
        .replace("        to leaving: stopping_flag != 0;\n", "");
    assert_ne!(right, wrong);
    std::fs::write(&path, wrong).expect("is writable");
    let output = compose(&["--threads", "1", &path.display().to_string()]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("stopped == 0 in the state working of pnp_add"), "{said}");
    assert!(said.contains("to releasing: stopping_event != 0;"), "the schedule has the steps: {said}");
}

#[test]
fn a_lock_that_is_never_released_is_a_deadlock() {
    let folder = folder();
    let path = folder.path().join("deadlock.threads");
    let spec = "shared mutex m;\nthreads t {\n    initial state a { to b: acquire(m); }\n    state b {}\n}\n";
    std::fs::write(&path, spec).expect("is writable");
    let path = path.display().to_string();
    assert_eq!(verdict(&["--threads", "1", &path]).1, Some(0));
    let (said, status) = verdict(&["--threads", "2", &path]);
    assert_eq!((status, said.contains("it can deadlock")), (Some(1), true), "{said}");
}

#[test]
fn wrong_usage_is_refused() {
    let bluetooth = example("contracts/bluetooth.threads").display().to_string();
    let refused = |arguments: &[&str], message: &str| {
        let output = compose(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message), "{said}");
    };
    refused(&["--threads", "worker=2", &bluetooth], "the specification has no abstract thread `worker`");
    refused(&["--threads", "pnp_add=few", &bluetooth], "a count looks like");
    refused(&["there/is/none.threads"], "none.threads");
    let program = example("counter.c").display().to_string();
    refused(&[&bluetooth, &program], "there is no function `pnp_stop`");
    refused(&["--promela", "out.pml", &bluetooth], "SPIN needs a number of threads");
}

/// SPIN on the model that is written finds what our engines find. Where there is no SPIN, nothing is compared.
#[test]
fn spin_agrees() {
    if Command::new("spin").arg("-V").output().is_err() {
        println!("no SPIN here");
        return;
    }
    let folder = folder();
    let in_folder = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(folder.path()).output();
        output.unwrap_or_else(|error| panic!("{program}: {error}"))
    };
    let errors = |spec: &str, options: &[&str]| {
        let model = folder.path().join("model.pml");
        let output = compose(&["--threads", "2", "--promela", &model.display().to_string(), spec]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let made = in_folder("spin", &["-a", "model.pml"]);
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stdout));
        let built = in_folder("gcc", &["-O1", "-DSAFETY", "-o", "pan", "pan.c"]);
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let run = in_folder("./pan", &[&["-m100000"], options].concat());
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        assert!(!said.contains("max search depth too small"), "{said}");
        said.contains("errors: 0")
    };
    // A worker of the battery driver may wait for good, which SPIN is not to look for.
    for (name, options) in [("bluetooth", &[][..]), ("battery", &["-E"]), ("account", &[]), ("counter", &[])] {
        let path = example(&format!("contracts/{name}.threads")).display().to_string();
        assert!(errors(&path, options), "{name}");
    }
    let path = folder.path().join("wrong.threads");
    let right = text(&example("contracts/bluetooth.threads"));
    // The last worker does not wait for itself to be counted out.
    let wrong = right.replace("pending_io != 1 && pending_io' == pending_io - 1", "pending_io' == pending_io - 2");
    std::fs::write(&path, wrong).expect("is writable");
    let path = path.display().to_string();
    assert!(!errors(&path, &[]));
    assert_eq!(verdict(&["--threads", "2", &path]).1, Some(1));
    // `main` does not wait for the second worker.
    let right = text(&example("contracts/counter.threads"));
    std::fs::write(&path, right.replace("to none_left: join worker", "to none_left")).expect("is writable");
    assert!(!errors(&path, &[]));
    assert_eq!(verdict(&[&path]).1, Some(1));
}
