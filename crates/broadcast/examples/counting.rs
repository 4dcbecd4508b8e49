//! Prints how many configurations counter abstraction visits for n threads, and how long it and the proof for any
//! number of threads take: `cargo run --release -p selvedge-broadcast --example counting`.

use std::time::Instant;

use selvedge_broadcast::counter::{self, Counted};
use selvedge_broadcast::coverability::{self, Answer};
use selvedge_broadcast::{Instance, System, text};

const PROGRAMS: [(&str, &str); 3] = [
    (
        "lock",
        "shared lock = 0, busy = 0; 1: lock := 1 constrain !lock; 2: assert !busy; 3: busy := 1; 4: busy := 0; 5: lock := 0; 6: goto 1, end;",
    ),
    // b: this thread's copy of the shared variable is the shared variable; an update makes the copies of others stale.
    (
        "compare and swap",
        "shared busy = 0; local b = 0; 1: b := 1; 2: goto 3, 6; 3: busy := 1 notify p {p.b := 0} constrain a.b & !busy; 4: assert busy; 5: busy := 0; 6: goto 1, end;",
    ),
    (
        "statement (2)",
        "local b = 1; 1: havoc {all(b)} constrain a.b' constrain forall {a, p}. ((a.b & p.b) => p.b') & ((a.b != p.b) => !p.b'); 2: assert a.b; 3: goto 1, end;",
    ),
];

fn main() {
    for (name, source) in PROGRAMS {
        let system = text::parse(source).map(System::new).expect("the text is right").expect("the program is right");
        let start = Instant::now();
        let covered = coverability::search(&system, &mut || true).expect("nobody stops it");
        let answer = match covered.answer {
            Answer::Safe(proof) => format!("safe, {} minimal configurations", proof.basis.len()),
            Answer::Unsafe(_) => "unsafe".to_string(),
            Answer::Blocked(..) => "blocked".to_string(),
        };
        println!("{name}: any number of threads: {answer}, {:.2} ms", start.elapsed().as_secs_f64() * 1000.0);
        for many in [2, 4, 8, 16, 32, 64] {
            let start = Instant::now();
            let counted = counter::search(&system, &Instance::of(many), &mut || true).expect("nobody stops it");
            let answer = match counted {
                Counted::Safe(proof) => format!("safe, {} configurations", proof.configurations.len()),
                Counted::Unsafe(path) => format!("unsafe in {} steps", path.steps.len()),
            };
            println!("  {many:2} threads: {answer}, {:.2} ms", start.elapsed().as_secs_f64() * 1000.0);
        }
    }
}
