//! Tries the engine on C files: one line per file.

use std::time::{Duration, Instant};

use selvedge_evidence::Notebook;
use selvedge_interference::{Options, check};
use selvedge_program::{Budget, Quiet};

fn main() {
    for path in std::env::args().skip(1) {
        let compiled = selvedge_frontend::compile::compile(&[path.clone().into()], &Default::default());
        let Ok(compiled) = compiled else {
            println!("{path}: does not compile");
            continue;
        };
        let start = Instant::now();
        let notebook = Notebook::new();
        let budget = Budget::unlimited().with_time(Duration::from_secs(10));
        let program = compiled.program;
        if std::env::var_os("SKELETON").is_some() {
            use selvedge_interference::unroll::{Bounds, unroll};
            let begin = Instant::now();
            if let Ok(Ok(unrolled)) = unroll(&program, &Bounds::default(), &budget) {
                let skeleton = &unrolled.skeleton;
                println!(
                    "{path}: {} lines {} nodes {} stops {} cells {} reads {} writes {} sites {} goals {} terms in {:.2?}",
                    skeleton.lines.len(),
                    unrolled.paths.nodes.len(),
                    skeleton.stops.len(),
                    skeleton.cells.len(),
                    skeleton.reads.len(),
                    skeleton.writes.len(),
                    skeleton.sites.len(),
                    skeleton.goals.len(),
                    skeleton.terms.len(),
                    begin.elapsed()
                );
                for cell in &skeleton.cells {
                    println!("   cell {}", cell.name);
                }
                for line in &skeleton.lines {
                    println!("   line {} stops {}", line.name, line.stops.len());
                }
            } else {
                println!("no unrolling in {:?}", begin.elapsed());
            }
        }
        match check(&program, &Options::default(), &budget, &mut Quiet, &notebook) {
            Ok(answer) => {
                let noted = notebook.noted();
                let found: Vec<String> = noted.violations.iter().map(|v| format!("{:?}", v.subject)).collect();
                let gaps: Vec<String> = answer.gaps.iter().map(|gap| gap.message(&program)).collect();
                println!(
                    "{path}: {} {:?} proofs {} gaps {:?} {:.2?} {:?}",
                    if found.is_empty() { "-" } else { "unsafe" },
                    found,
                    noted.proofs.len(),
                    gaps,
                    start.elapsed(),
                    answer.statistics
                );
            }
            Err(error) => println!("{path}: ERROR {error}"),
        }
    }
}
