//! Livelocks in random programs of threads that poll: what the semantics says of a state, against all that can be reached
//! from it; what the exploration finds under every combination of reductions, and what the one that confirms proofs
//! finds, against a look at every state. `SELVEDGE_SEEDS=FIRST..LAST` asks for other seeds than those that run by default.

use std::collections::{BTreeMap, HashMap, HashSet};

use selvedge_evidence::exploration::{self, LISTED, explore_to};
use selvedge_evidence::{Livelocks, Subject, Task};
use selvedge_explicit::{Options, Reductions, explore};
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge_generate::{seeds, spinning};
use selvedge_program::semantics::{Answers, Effects, Livelock, Outcome, Semantics, Standing, State, Value};
use selvedge_program::trace::replay;
use selvedge_program::{Budget, EdgeId, Program, Property, Quiet, ThreadIndex};

/// How many states are gone through at most.
const STATES: usize = 20_000;

fn compile(text: &str) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("spinning.c");
    std::fs::write(&path, text).expect("is written");
    let sources = [Source { path, preprocess: Default::default() }];
    compile_sources(&sources, &CompileOptions::default()).unwrap_or_else(|error| panic!("{error}\n{text}")).program
}

/// All states of a program, where the steps lead that are no spurious wake-ups, and which states do something that does
/// not show in the next one: print, fail, or are given up.
#[derive(Default)]
struct Graph {
    states: Vec<State>,
    next: Vec<Vec<usize>>,
    is_loud: Vec<bool>,
}

impl Graph {
    fn of(semantics: &Semantics<'_>) -> Option<Graph> {
        let mut graph = Graph::default();
        let mut known = HashMap::new();
        let first = semantics.initial().expect("the program starts");
        known.insert(first.clone(), 0);
        graph.states.push(first);
        while graph.next.len() < graph.states.len() {
            if graph.states.len() > STATES {
                return None;
            }
            let state = graph.states[graph.next.len()].clone();
            let (mut ends, mut is_loud) = (Vec::new(), false);
            for thread in state.thread_indices() {
                is_loud |= semantics.standing(&state, thread) == Standing::Abandoned;
                for enabled in semantics.enabled(&state, thread).into_iter().filter(|enabled| !enabled.spurious) {
                    is_loud |= !take(semantics, (&state, thread, enabled.edge), &mut Vec::new(), &mut ends);
                }
            }
            let number = |end: State| {
                let fresh = graph.states.len();
                *known.entry(end).or_insert_with_key(|end| {
                    graph.states.push(end.clone());
                    fresh
                })
            };
            let ends = ends.into_iter().map(number).collect();
            graph.next.push(ends);
            graph.is_loud.push(is_loud);
        }
        Some(graph)
    }

    /// Whether a state is livelocked, by the definition: nothing ever changes in all that can be reached from it, and there
    /// is a thread that can move in all of it.
    fn is_livelocked(&self, semantics: &Semantics<'_>, at: usize) -> bool {
        let (mut reached, mut pending) = (HashSet::from([at]), vec![at]);
        while let Some(state) = pending.pop() {
            pending.extend(self.next[state].iter().copied().filter(|next| reached.insert(*next)));
        }
        let first = &self.states[at];
        let live = |state: &State| -> Vec<ThreadIndex> {
            state.thread_indices().filter(|thread| state.is_live(*thread)).collect()
        };
        let ghosts =
            |state: &State| -> BTreeMap<_, Value> { state.ghosts().map(|(key, value)| (key, value.clone())).collect() };
        let is_same = |state: &State| {
            state.memory() == first.memory() && ghosts(state) == ghosts(first) && live(state) == live(first)
        };
        let is_closed = reached.iter().all(|state| !self.is_loud[*state] && is_same(&self.states[*state]));
        let moves = |thread: &ThreadIndex| {
            reached.iter().all(|state| semantics.standing(&self.states[*state], *thread) == Standing::Able)
        };
        is_closed && live(first).iter().any(moves)
    }
}

/// Takes an edge with every answer; whether it always leads on, and prints nothing.
fn take(
    semantics: &Semantics<'_>,
    (state, thread, edge): (&State, ThreadIndex, EdgeId),
    answers: &mut Vec<Value>,
    ends: &mut Vec<State>,
) -> bool {
    match semantics.step(state, thread, edge, &mut Answers::new(answers)) {
        Ok((next, Effects { output, .. })) => {
            ends.push(next);
            output.is_empty()
        }
        Err(Outcome::Disabled) => true,
        Err(Outcome::NeedsChoice(question)) => question.answers(4).expect("few answers").into_iter().all(|answer| {
            answers.push(answer);
            let is_quiet = take(semantics, (state, thread, edge), answers, ends);
            answers.pop();
            is_quiet
        }),
        Err(_) => false,
    }
}

#[test]
fn livelocks_are_what_nothing_leads_out_of() {
    let (mut programs, mut livelocked, mut states) = (0, 0, 0);
    for seed in seeds(0..150) {
        let text = spinning::program(seed);
        let program = compile(&text);
        let semantics = Semantics::new(&program);
        let Some(graph) = Graph::of(&semantics) else { continue };
        let mut is_livelocked = false;
        for (at, state) in graph.states.iter().enumerate() {
            let expected = graph.is_livelocked(&semantics, at);
            is_livelocked |= expected;
            let said = semantics.livelock(state);
            assert_eq!(said, if expected { Livelock::Yes } else { Livelock::No }, "seed {seed}, state {at}\n{text}");
        }
        for reductions in Reductions::combinations() {
            let options = Options { task: Task::about(&[Property::Livelock]), reductions, ..Options::default() };
            let found = explore(&program, &options, &Budget::unlimited(), &mut Quiet).expect("no mistake");
            assert!(found.is_complete(), "seed {seed} {reductions:?}: {:?}\n{text}", found.gaps);
            assert_eq!(!found.violations.is_empty(), is_livelocked, "seed {seed} {reductions:?}\n{text}");
            for violation in &found.violations {
                assert_eq!(violation.subject, Subject::Livelock);
                assert!(replay(&program, &violation.trace).is_ok(), "seed {seed} {reductions:?}\n{text}");
            }
        }
        let extent =
            exploration::Extent { states: STATES, listed: LISTED, lines: &[], livelocks: Livelocks::LookedFor };
        let again = explore_to(&program, extent, &Budget::unlimited());
        assert_eq!(again.stopped, None, "seed {seed}\n{text}");
        assert_eq!(again.subjects.contains(&Subject::Livelock), is_livelocked, "seed {seed}\n{text}");
        programs += 1;
        livelocked += usize::from(is_livelocked);
        states += graph.states.len();
    }
    println!("{programs} programs with {states} states, {livelocked} can livelock");
    assert!(livelocked * 5 > programs && livelocked * 5 < programs * 4, "{livelocked} of {programs}");
}
