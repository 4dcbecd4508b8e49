//! Paths of threads: recorded from runs of the concrete semantics, cut and mixed; and whether they can be interleaved,
//! by trying.

use std::collections::HashSet;

use selvedge_frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge_generate::random::Random;
use selvedge_interleaving::{End, Path, Question, Start, Step};
use selvedge_program::semantics::Question as Asked;
use selvedge_program::semantics::{Answers, Instance, Outcome, Plainest, Semantics, Silent, State, Value};
use selvedge_program::{Action, Edge, Program, ThreadIndex};

pub fn compile(folder: &std::path::Path, name: &str, text: &str) -> Program {
    let path = folder.join(format!("{name}.c"));
    std::fs::write(&path, text).expect("the temporary folder is writable");
    let source = Source { path, preprocess: Default::default() };
    compile_sources(&[source], &CompileOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}")).program
}

/// A run: the paths of its threads, and in which order they took their steps.
#[derive(Clone, Debug)]
pub struct Run {
    pub paths: Vec<Path>,
    pub order: Vec<usize>,
}

impl Run {
    /// The paths after so many steps of the whole run.
    pub fn after(&self, steps: usize) -> Vec<Path> {
        let mut lengths = vec![0; self.paths.len()];
        self.order[..steps].iter().for_each(|&thread| lengths[thread] += 1);
        cut_all(&self.paths, &lengths)
    }
}

/// Runs a program for at most so many steps; `pick` says who moves, among those that can.
pub fn record(program: &Program, most: usize, mut pick: impl FnMut(&[ThreadIndex]) -> ThreadIndex) -> Run {
    let semantics = Semantics::new(program);
    let mut state = semantics.initial().expect("there is an initial state");
    let function = program.entries[0];
    let mut run = Run { paths: vec![Path { start: Start::Main, function, steps: Vec::new() }], order: Vec::new() };
    for _ in 0..most {
        let able: Vec<(ThreadIndex, Vec<_>)> = state
            .thread_indices()
            .map(|thread| (thread, semantics.enabled(&state, thread)))
            .filter(|(_, enabled)| enabled.iter().any(|edge| !edge.spurious))
            .collect();
        if able.is_empty() {
            break;
        }
        let threads: Vec<ThreadIndex> = able.iter().map(|(thread, _)| *thread).collect();
        let thread = pick(&threads);
        let edges = &able.iter().find(|(other, _)| *other == thread).expect("it is one of them").1;
        let edge = edges.iter().find(|edge| !edge.spurious).expect("there is one").edge;
        let frame = state.frame(thread).expect("it is alive");
        let step = Step { function: frame.function, edge };
        let count = state.thread_count();
        if semantics.apply(&mut state, thread, edge, &mut Plainest, &mut Silent).is_err() {
            break;
        }
        let path = &mut run.paths[thread.index()];
        path.steps.push(step);
        let at = path.steps.len() - 1;
        run.order.push(thread.index());
        if state.thread_count() > count {
            let function = state.frame(ThreadIndex::new(count)).expect("it has just started").function;
            run.paths.push(Path { start: Start::Spawned { by: thread.index(), at }, function, steps: Vec::new() });
        }
    }
    run
}

/// Who comes first in a list moves.
pub fn first_of(priorities: &[usize]) -> impl FnMut(&[ThreadIndex]) -> ThreadIndex {
    move |able| {
        let rank = |thread: &&ThreadIndex| priorities.iter().position(|&wanted| wanted == thread.index());
        *able.iter().min_by_key(|thread| rank(thread).unwrap_or(usize::MAX)).expect("someone can move")
    }
}

pub fn edge(program: &Program, step: Step) -> &Edge {
    program.function(step.function).edge(step.edge)
}

/// A path up to the first step whose action is wanted.
pub fn before(program: &Program, path: &Path, wanted: impl Fn(&Action) -> bool) -> (Path, Step) {
    let place = path.steps.iter().position(|&step| wanted(&edge(program, step).action)).expect("there is such a step");
    (Path { steps: path.steps[..place].to_vec(), ..path.clone() }, path.steps[place])
}

/// Prefixes of paths, without those of threads that are never started.
pub fn cut_all(paths: &[Path], lengths: &[usize]) -> Vec<Path> {
    let mut kept: Vec<Option<usize>> = Vec::new();
    let mut cut: Vec<Path> = Vec::new();
    for (path, &length) in paths.iter().zip(lengths) {
        let start = match path.start {
            Start::Main => Some(Start::Main),
            Start::Spawned { by, at } => kept[by].filter(|_| at < lengths[by]).map(|by| Start::Spawned { by, at }),
        };
        kept.push(start.map(|_| cut.len()));
        if let Some(start) = start {
            let steps = path.steps[..length.min(path.steps.len())].to_vec();
            cut.push(Path { start, function: path.function, steps });
        }
    }
    cut
}

/// The main thread of one run with threads of others; whole, or cut somewhere.
pub fn mixed(runs: &[Run], random: &mut Random) -> Vec<Path> {
    let base = random.pick(runs).clone();
    let mut paths = base.paths;
    for (number, path) in paths.iter_mut().enumerate().skip(1) {
        let other = random.pick(runs);
        // A thread that has itself started others keeps its path, so that they have their starts.
        if let Some(donor) = other.paths.get(number).filter(|donor| donor.function == path.function) {
            path.steps.clone_from(&donor.steps);
        }
    }
    let mut lengths = Vec::new();
    for path in &paths {
        let length = path.steps.len();
        lengths.push(if random.chance(50) { length } else { random.below(length as u64 + 1) as usize });
    }
    cut_all(&paths, &lengths)
}

/// What trying all interleavings says; `None` if there are too many, or too many answers to a question.
pub fn brute(program: &Program, question: &Question, most: usize) -> Option<bool> {
    let semantics = Semantics::new(program);
    let count = question.paths.len();
    let mut threads = vec![None; count];
    threads[0] = Some(ThreadIndex(0));
    let first = Node { state: semantics.initial().ok()?, threads, places: vec![0; count] };
    let mut seen = HashSet::from([first.clone()]);
    let mut waiting = vec![first];
    while let Some(node) = waiting.pop() {
        if node.is_end(&semantics, question)? {
            return Some(true);
        }
        for path in 0..count {
            for next in node.after(&semantics, question, path)? {
                if seen.len() > most {
                    return None;
                }
                if seen.insert(next.clone()) {
                    waiting.push(next);
                }
            }
        }
    }
    Some(false)
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Node {
    state: State,
    threads: Vec<Option<ThreadIndex>>,
    places: Vec<usize>,
}

impl Node {
    fn is_end(&self, semantics: &Semantics<'_>, question: &Question) -> Option<bool> {
        if question.paths.iter().zip(&self.places).any(|(path, &place)| place < path.steps.len()) {
            return Some(false);
        }
        Some(match question.end {
            End::Nothing => true,
            End::Race(a, b) => {
                let pair = (self.threads[a]?.min(self.threads[b]?), self.threads[a]?.max(self.threads[b]?));
                semantics.races(&self.state).iter().any(|race| (race.first.thread, race.second.thread) == pair)
            }
            End::Fails(path, step) => {
                let outcomes = all(semantics, &self.state, self.threads[path]?, step)?;
                outcomes
                    .iter()
                    .any(|outcome| matches!(outcome, Err(Outcome::AssertionFailed(_) | Outcome::Undefined(..))))
            }
            End::Holds(..) => return None,
        })
    }

    fn after(&self, semantics: &Semantics<'_>, question: &Question, path: usize) -> Option<Vec<Node>> {
        let place = self.places[path];
        let (Some(thread), Some(&step)) = (self.threads[path], question.paths[path].steps.get(place)) else {
            return Some(Vec::new());
        };
        let mut found = Vec::new();
        // A step may be there for another callee than the one that is called here.
        if self.state.frame(thread).is_none_or(|frame| frame.function != step.function) {
            return Some(found);
        }
        for state in all(semantics, &self.state, thread, step)?.into_iter().flatten() {
            let mut next = Node { state, ..self.clone() };
            next.places[path] += 1;
            if next.state.thread_count() > self.state.thread_count() {
                let start = Start::Spawned { by: path, at: place };
                if let Some(child) = question.paths.iter().position(|path| path.start == start) {
                    next.threads[child] = Some(ThreadIndex::new(self.state.thread_count()));
                }
            }
            found.push(next);
        }
        Some(found)
    }
}

/// What a step can lead to, with all answers to its questions.
fn all(
    semantics: &Semantics<'_>,
    state: &State,
    thread: ThreadIndex,
    step: Step,
) -> Option<Vec<Result<State, Outcome>>> {
    let mut found = Vec::new();
    let mut waiting: Vec<Vec<Value>> = vec![Vec::new()];
    while let Some(answers) = waiting.pop() {
        match semantics.step(state, thread, step.edge, &mut Answers::new(&answers)) {
            Ok((state, _)) => found.push(Ok(state)),
            Err(Outcome::NeedsChoice(Asked::Thread(threads))) => waiting.extend(threads.iter().map(|&thread| {
                let mut answers = answers.clone();
                answers.push(Value::to_start_of(Instance::Thread(thread)));
                answers
            })),
            Err(Outcome::NeedsChoice(Asked::Number { .. })) => return None,
            Err(outcome) => found.push(Err(outcome)),
        }
    }
    Some(found)
}
