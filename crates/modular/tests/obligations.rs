//! What is to be shown of a proof is shown by another solver.

mod common;

use common::{compile, proved, proved_programs, z3};
use selvedge_evidence::modular::obligations::{Obligations, obligations};
use selvedge_program::Budget;

/// All that the engine proves with `SELVEDGE_OBLIGATIONS=all`, else what takes little time.
#[test]
fn obligations_are_discharged_by_another_solver() {
    let mut names = proved_programs();
    if std::env::var("SELVEDGE_OBLIGATIONS").as_deref() != Ok("all") {
        names.retain(|name| ["bank", "handed_over", "state_variable", "thread_local"].contains(name));
    }
    let kinds = ["; initiation", "; step of ", "; assertion ", "; interference of ", "; what two threads say "];
    let mut kinds = kinds.map(|kind| (kind, 0));
    for name in names {
        let program = compile(name);
        let (claims, proof) = proved(&program);
        let written = claims.with(|shown| obligations(&program, &proof, shown, &Budget::unlimited()));
        let Obligations { script, count } = written.expect("the proof fits");
        for (kind, found) in &mut kinds {
            *found += script.lines().filter(|line| line.starts_with(*kind)).count();
        }
        match z3(&script) {
            Some(answers) => {
                println!("{name}: {count} obligations, {} bytes", script.len());
                assert_eq!(answers.len(), count, "{name}: {answers:?}");
                let open = answers.iter().filter(|answer| *answer != "unsat").count();
                assert_eq!(open, 0, "{name}: {open} of {count} obligations are open");
            }
            None => println!("no z3 on this machine: the {count} obligations of {name} are only counted"),
        }
    }
    assert!(kinds.iter().all(|(_, found)| *found > 0), "{kinds:?}");
}
