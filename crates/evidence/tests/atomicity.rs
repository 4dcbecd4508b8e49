//! Atomicity violations are judged by replay: three accesses to one place that cannot be put in a serial order, on the
//! lines asked.

use selvedge_evidence::{AtomicLines, Counterexample, CounterexampleError, Subject, Violation};
use selvedge_program::assemble::{Assembly, Code, address, plain};
use selvedge_program::trace::{Trace, TraceEnd, TraceStep};
use selvedge_program::{EdgeId, Expr, FileId, FunctionId, Interference, ObjectId, Program, Span, ThreadIndex};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Do {
    Read,
    Write,
}

fn access(code: &mut Code, variable: ObjectId, what: Do) {
    match what {
        Do::Read => {
            let seen = code.register("seen", 32);
            code.load(seen, plain(address(variable), 4));
        }
        Do::Write => {
            code.store(plain(address(variable), 4), Expr::constant(32, 7));
        }
    }
}

/// `main` starts a worker and makes accesses on lines 1, 2, …; the worker makes one, on line 9.
fn program(mine: &[Do], theirs: Do) -> Program {
    let mut assembly = Assembly::new();
    let variable = assembly.global("variable", 4);
    assembly.function("main", Some(32), |main| {
        let thread = main.register("thread", 64);
        main.spawn(thread, FunctionId(1), Expr::constant(64, 0));
        for what in mine {
            access(main, variable, *what);
        }
        main.ret(Expr::constant(32, 0));
    });
    assembly.function("worker", Some(64), |worker| {
        worker.parameter("arg", 64);
        access(worker, variable, theirs);
        worker.ret(Expr::constant(64, 0));
    });
    let mut program = assembly.program;
    let at = |line| Span::on_line(FileId(0), line, 1, 1);
    for (line, edge) in (1..).zip(program.functions[0].edges.iter_mut().skip(1)) {
        edge.span = at(line);
    }
    program.functions[1].edges[0].span = at(9);
    program
}

/// Main's first access, the worker's, then main's others; the claim is about main's first and last.
fn judged(mine: &[Do], theirs: Do, lines: (u32, u32)) -> Result<Counterexample, CounterexampleError> {
    let program = program(mine, theirs);
    let step = |thread: u32, edge| {
        let function = FunctionId(thread.min(1));
        TraceStep { thread: ThreadIndex(thread), function, edge: EdgeId(edge), choices: Vec::new() }
    };
    let mut steps = vec![step(0, 0), step(0, 1), step(1, 0)];
    steps.extend((1..mine.len()).map(|position| step(0, position as u32 + 1)));
    let interference = Interference { first: 1, between: 2, second: mine.len() + 1 };
    let subject = Subject::Atomicity(AtomicLines { file: FileId(0), first: lines.0, second: lines.1 });
    let trace = Trace { steps, end: TraceEnd::Interfered(interference) };
    Counterexample::new(&program, Violation { subject, trace })
}

#[test]
fn exactly_four_interleavings_cannot_be_serial() {
    let kinds = [Do::Read, Do::Write];
    let mut found = 0;
    for first in kinds {
        for between in kinds {
            for second in kinds {
                let unserial = match between {
                    Do::Write => first == Do::Read || second == Do::Read,
                    Do::Read => first == Do::Write && second == Do::Write,
                };
                let judged = judged(&[first, second], between, (1, 2));
                assert_eq!(judged.is_ok(), unserial, "{judged:?}");
                found += usize::from(unserial);
            }
        }
    }
    assert_eq!(found, 4);
}

#[test]
fn the_lines_and_the_next_access_count() {
    assert!(judged(&[Do::Read, Do::Read], Do::Write, (1, 2)).is_ok());
    let elsewhere = judged(&[Do::Read, Do::Read], Do::Write, (1, 3));
    assert!(matches!(elsewhere, Err(CounterexampleError::Beside(_))), "{elsewhere:?}");
    // Main accesses the variable once more between its first and its last access: they are not neighbours.
    let farther = judged(&[Do::Read, Do::Read, Do::Read], Do::Write, (1, 3));
    assert!(matches!(farther, Err(CounterexampleError::Replay(_))), "{farther:?}");
}
