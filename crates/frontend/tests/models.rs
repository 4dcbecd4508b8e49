//! The library models, by running small programs: `tests/programs/models/*.c`.
//!
//! A program has cases, compiled with `-DCASE=n`. `// EXPECT[n]: what` says on the line that matters what case n can
//! come to: `exit 0`, `undefined UnlockNotHeld`, `unsupported text`, `assertion`, `race`, `deadlock`. Every case is run
//! under many random schedules with random answers (from fixed seeds); what they come to must be exactly what the file
//! says, on the lines that it says it of (for `exit` and `deadlock` the line does not matter).
//! Each case is a test of its own in each data model.

use libtest_mimic::{Failed, Trial};
use selvedge_frontend::compile::{CompileOptions, compile};
use selvedge_frontend::preprocess::{DataModel, Macro};
use selvedge_generate::random::Random;
use selvedge_generate::stored;
use selvedge_program::semantics::{Chooser, Observer, Outcome, Question, Race, Semantics, State, Value};
use selvedge_program::{Action, Bits, EdgeId, Program, Span, ThreadIndex};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

const SCHEDULES: u64 = 120;
const MOST_STEPS: usize = 20_000;

/// What a case can come to: a description and the line, 0 if it does not matter.
type Ends = BTreeSet<(u32, String)>;

/// Answers questions by chance, often with small numbers.
struct Answering(Random);

impl Chooser for Answering {
    fn choose(&mut self, question: &Question) -> Option<Value> {
        match question {
            Question::Number { known, free } => {
                let any = match self.0.index(7) {
                    0..=2 => self.0.index(3) as u128,
                    3 => u128::MAX,
                    4 => (self.0.index(1 << 30) as u128) << 33 | self.0.index(1 << 30) as u128,
                    _ => 0,
                };
                Some(Value::Bits(Bits::new(known.width(), known.unsigned() | (any & free.unsigned()))))
            }
            Question::Address { width } => Some(Value::bits(*width, self.0.index(3) as u128)),
            Question::Thread(threads) => {
                let thread = threads.get(self.0.index(threads.len()))?;
                Some(Value::to_start_of(selvedge_program::semantics::Instance::Thread(*thread)))
            }
        }
    }
}

struct Deaf;

impl Observer for Deaf {}

/// The user's line that a thread is at, or that called what it is in.
fn line(program: &Program, state: &State, thread: ThreadIndex, edge: EdgeId) -> u32 {
    let is_users = |span: Span| span.is_somewhere() && !program.sources.name(span.file).starts_with("<models>");
    let Some(frames) = state.thread(thread).map(|thread| &thread.frames) else { return 0 };
    for (depth, frame) in frames.iter().rev().enumerate() {
        let function = program.function(frame.function);
        let span = if depth == 0 {
            Some(function.edge(edge).span)
        } else {
            let call = |edge: &&selvedge_program::Edge| {
                edge.target == frame.location && matches!(edge.action, Action::Call { .. })
            };
            function.edges.iter().find(call).map(|edge| edge.span)
        };
        if let Some(span) = span.filter(|span| is_users(*span)) {
            return span.line;
        }
    }
    0
}

fn describe(program: &Program, state: &State, thread: ThreadIndex, edge: EdgeId, outcome: &Outcome) -> (u32, String) {
    let at = line(program, state, thread, edge);
    match outcome {
        Outcome::AssertionFailed(_) => (at, "assertion".to_owned()),
        Outcome::Undefined(undefined, _) => (at, format!("undefined {undefined:?}")),
        Outcome::Unsupported(what) => (at, format!("unsupported {what}")),
        other => (at, format!("{other:?}")),
    }
}

/// One execution.
fn execute(program: &Program, seed: u64, ends: &mut Ends) {
    let semantics = Semantics::new(program);
    let mut random = Answering(Random::new(seed));
    let mut state = semantics.initial().expect("the program starts");
    for _ in 0..MOST_STEPS {
        if let Some(status) = state.exit_status() {
            ends.insert((0, format!("exit {}", status.unsigned() & 0xff)));
            return;
        }
        if let Some(Race { first, .. }) = semantics.races(&state).first() {
            ends.insert((line(program, &state, first.thread, first.edge), "race".to_owned()));
            return;
        }
        let moves: Vec<(ThreadIndex, EdgeId)> = state
            .thread_indices()
            .flat_map(|thread| semantics.enabled(&state, thread).into_iter().map(move |enabled| (thread, enabled.edge)))
            .collect();
        if semantics.deadlocked(&state) {
            ends.insert((0, "deadlock".to_owned()));
            return;
        }
        let Some((thread, edge)) = moves.get(random.0.index(moves.len())).copied() else {
            ends.insert((0, "abandoned".to_owned()));
            return;
        };
        let before = state.clone();
        if let Err(outcome) = semantics.apply(&mut state, thread, edge, &mut random, &mut Deaf) {
            ends.insert(describe(program, &before, thread, edge, &outcome));
            return;
        }
    }
    ends.insert((0, format!("more than {MOST_STEPS} steps")));
}

/// What the file says of its cases.
fn expectations(text: &str) -> BTreeMap<u32, Ends> {
    let mut cases: BTreeMap<u32, Ends> = BTreeMap::new();
    for (index, source) in text.lines().enumerate() {
        for annotation in source.split("// EXPECT[").skip(1) {
            let (case, what) = annotation.split_once("]: ").expect("EXPECT[n]: what");
            let case: u32 = case.parse().expect("a case has a number");
            for what in what.split(" | ").map(str::trim) {
                let matters = !(what.starts_with("exit") || what == "deadlock" || what == "abandoned");
                let line = if matters { index as u32 + 1 } else { 0 };
                cases.entry(case).or_default().insert((line, what.to_owned()));
            }
        }
    }
    cases
}

fn compiled(path: &Path, case: u32, data_model: DataModel) -> Program {
    let mut options = CompileOptions::default();
    options.preprocess.data_model = data_model;
    options.preprocess.macros.push(Macro::Define(format!("CASE={case}")));
    let compiled = compile(&[path.to_owned()], &options).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    compiled.program.validate().unwrap_or_else(|problems| panic!("{}: {}", path.display(), problems.join("\n")));
    compiled.program
}

/// A case must come to exactly what its file says.
fn check(path: &Path, case: u32, data_model: DataModel, expected: &Ends) -> Result<(), Failed> {
    let program = compiled(path, case, data_model);
    let mut found = Ends::new();
    for seed in 1..=SCHEDULES {
        execute(&program, seed, &mut found);
    }
    if found == *expected { Ok(()) } else { Err(format!("expected {expected:?}\nfound    {found:?}").into()) }
}

/// The tests of a file: each case in both data models.
fn tests(path: &Path) -> Vec<Trial> {
    let name = stored::name(path);
    let text = std::fs::read_to_string(path).expect("the program can be read");
    let expected = expectations(&text);
    assert!(!expected.is_empty(), "{name} says nothing of what it expects");
    let mut tests = Vec::new();
    for (case, expected) in expected {
        for data_model in [DataModel::Lp64, DataModel::Ilp32] {
            let (path, expected) = (path.to_owned(), expected.clone());
            let check = move || check(&path, case, data_model, &expected);
            tests.push(Trial::test(format!("{name} case {case} {data_model:?}"), check));
        }
    }
    tests
}

fn main() -> ExitCode {
    stored::run(stored::c_files("tests/programs/models").iter().flat_map(|path| tests(path)))
}
