//! An engine that lies: it claims proofs and violations at random, and no wrong verdict comes of it. What holds is known
//! from the plainest search.
//!
//! `SELVEDGE_SEEDS=0..1000` asks for other seeds than the few that run by default.

mod common;

use common::compile;
use selvedge::evidence::engine::from_fn;
use selvedge::evidence::modular::Possible;
use selvedge::evidence::{
    Again, Answer, CartesianProof, Certificate, Engine, Findings, ModularProof, ProductGroup, Recheck, Scope, Subject,
    Task, Verdict, Violation, recheck,
};
use selvedge::program::semantics::{Plainest, Semantics};
use selvedge::program::trace::{Trace, TraceEnd, TraceStep};
use selvedge::program::{Budget, CheckId, Program, Property, Quiet, ThreadIndex};
use selvedge::{CheckOptions, Checked, check_with, explicit};
use selvedge_generate::random::Random;
use selvedge_generate::{GENERATORS, seeds};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

const PROPERTIES: [Property; 4] = [Property::Assertion, Property::Race, Property::Deadlock, Property::Memory];

/// Small programs, most of which the plainest search explores to the end.
const KINDS: [&str; 3] = ["concurrent", "sections", "undefined"];

/// How far the plainest search goes: states, and answers to one question.
const STATES: usize = 20_000;
const CHOICES: u128 = 256;

fn engine(program: &Program, seed: u64) -> Box<dyn Engine> {
    let program = program.clone();
    from_fn("liar", PROPERTIES.to_vec(), move |_, _, _, findings| {
        let mut random = Random::new(seed);
        for _ in 0..random.between(1, 6) {
            lie(&program, &mut random, findings);
        }
        Ok(Answer::default())
    })
}

fn lie(program: &Program, random: &mut Random, findings: &dyn Findings) {
    match random.below(5) {
        0 => findings.violation(violation(program, random)),
        1 => findings.covered(&scope(program, random), "everything, I promise"),
        _ => findings.proved(&scope(program, random), certificate(program, random)),
    }
}

fn subject(program: &Program, random: &mut Random) -> Subject {
    let check = random.index(program.checks.len().max(1));
    match random.below(3) {
        0 if !program.checks.is_empty() => Subject::Assertion(CheckId::new(check)),
        1 if !program.objects.is_empty() => {
            let object = selvedge::program::ObjectId::new(random.index(program.objects.len()));
            Subject::Race(selvedge::analysis::AbstractObject::Static(object))
        }
        _ => Subject::Deadlock,
    }
}

fn scope(program: &Program, random: &mut Random) -> Scope {
    match random.below(4) {
        0 => Scope::Rest,
        1 => Scope::Property(*random.pick(&PROPERTIES)),
        2 => Scope::Subjects((0..random.between(1, 3)).map(|_| subject(program, random)).collect()),
        _ => Scope::Each(PROPERTIES.iter().map(|property| Scope::Property(*property)).collect()),
    }
}

fn certificate(program: &Program, random: &mut Random) -> Certificate {
    let main = program.main().expect("there is a main function");
    match random.below(5) {
        0 => Certificate::Exhaustive { states: random.below(100_000), again: Again::Confirmed },
        1 => {
            let proof = random.pick(&["", "l 1 0 0\n", "nonsense\n"]);
            let (bounds, instances) = ("all".to_owned(), "none".to_owned());
            Certificate::Refutation { bounds, instances, proof: (*proof).into(), again: Again::Confirmed }
        }
        2 => {
            let all: BTreeSet<u32> = (0..random.below(4) as u32).collect();
            let group = ProductGroup { slots: vec![all.clone()], rest: all };
            let shared = (0..random.below(5)).map(|_| vec![vec![group.clone(); random.index(4)]]).collect();
            let crowds = if random.chance(30) { vec![main] } else { Vec::new() };
            Certificate::Cartesian(Arc::new(CartesianProof { crowds, bound: None, shared }))
        }
        3 => {
            let functions = (0..program.functions.len()).map(selvedge::program::FunctionId::new);
            let anything = Possible { unstarted: BTreeSet::new(), literals: Vec::new() };
            let mut places: BTreeMap<_, _> = functions
                .flat_map(|function| (0..40).map(move |node| (function, node)))
                .map(|at| (at, vec![anything.clone()]))
                .collect();
            places.retain(|_, _| !random.chance(20));
            Certificate::Modular(Arc::new(ModularProof { places, witnesses: BTreeMap::new() }))
        }
        _ => Certificate::NothingToCheck,
    }
}

/// A schedule that may be one, and a claim about it that may be right.
fn violation(program: &Program, random: &mut Random) -> Violation {
    let semantics = Semantics::new(program);
    let mut steps = Vec::new();
    if let Ok(mut state) = semantics.initial() {
        for _ in 0..random.below(60) {
            let thread = ThreadIndex::new(random.index(state.thread_count()));
            let enabled = semantics.enabled(&state, thread);
            let (Some(frame), false) = (state.frame(thread), enabled.is_empty()) else { continue };
            let (function, edge) = (frame.function, random.pick(&enabled).edge);
            let Ok((next, effects)) = semantics.step(&state, thread, edge, &mut Plainest) else { break };
            steps.push(TraceStep { thread, function, edge, choices: effects.choices });
            state = next;
        }
    }
    let subject = subject(program, random);
    let end = match subject {
        Subject::Assertion(check) => TraceEnd::AssertionFailed(check),
        Subject::Race(_) | Subject::FieldRace(..) => TraceEnd::Race(ThreadIndex(0), ThreadIndex(1)),
        Subject::Livelock => TraceEnd::Livelock,
        Subject::Deadlock | Subject::Memory(..) | Subject::Atomicity(_) => TraceEnd::Deadlock,
    };
    Violation { subject, trace: Trace { steps, end } }
}

/// Verdicts that the plainest search knows to be wrong.
fn wrong(checked: &Checked, plain: &Recheck) -> Vec<String> {
    let is_wrong = |check: &selvedge::evidence::CheckResult| match (&check.verdict, check.subject) {
        (Verdict::Safe(_), Some(subject)) => plain.subjects.contains(&subject),
        (Verdict::Safe(_), None) => plain.violated.contains(&check.property),
        (Verdict::Unsafe(_), Some(subject)) => plain.is_complete && !plain.subjects.contains(&subject),
        _ => false,
    };
    let wrong = checked.judgement.checks.iter().filter(|check| is_wrong(check));
    wrong.map(|check| format!("{} is {} by {}", check.description, check.verdict.word(), check.engine)).collect()
}

#[test]
fn a_liar_gets_no_wrong_verdict() {
    let options = CheckOptions { task: Task::about(&PROPERTIES), ..CheckOptions::default() };
    let (mut programs, mut caught, mut safe) = (0, 0, 0);
    for seed in seeds(0..40) {
        for (kind, generator) in GENERATORS.into_iter().filter(|(kind, _)| KINDS.contains(kind)) {
            let text = generator(seed);
            let compiled = compile(&format!("{kind}{seed}.c"), &text);
            let program = compiled.unwrap_or_else(|error| panic!("{kind}{seed}: {error}"));
            let plain = recheck(&program, STATES, CHOICES);
            let mut engines = vec![engine(&program, seed)];
            if seed % 2 == 1 {
                engines.push(explicit::engine(&options.task));
            }
            let budget = Budget::unlimited().with_time(Duration::from_secs(20)).with_memory(1 << 30);
            let checked = check_with(&program, engines, &options, &budget, &mut Quiet);
            let wrong = wrong(&checked, &plain);
            assert!(wrong.is_empty(), "{kind}{seed}: {wrong:?}\n{text}");
            programs += 1;
            caught += usize::from(!checked.mistakes.is_empty());
            safe += checked.judgement.checks.iter().filter(|check| check.engine == "liar").count();
        }
    }
    println!("{programs} programs, the liar was caught on {caught}, {safe} of its claims happened to be right");
    assert!(caught * 2 > programs, "the liar was caught on {caught} of {programs} programs");
}
