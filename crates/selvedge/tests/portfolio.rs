//! The portfolio with engines made for the purpose: quick and slow ones, some that prove, some that are wrong, some
//! that panic.

use selvedge::analysis::Facts;
use selvedge::evidence::engine::from_fn;
use selvedge::evidence::{
    Again, Answer, Certificate, Engine, Entry, Findings, Gap, InternalError, Replicas, Scope, Standing, Subject, Task,
    Verdict, Violation,
};
use selvedge::frontend::compile::{CompileOptions, compile, compile_text};
use selvedge::program::trace::{Trace, TraceEnd};
use selvedge::program::{Budget, CheckId, Exhausted, Program, Progress, Property, Quiet, Span};
use selvedge::{CheckError, CheckOptions, Checked, EngineName, PATIENCE, RunUntil, check, check_with, explicit};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const ALL: [Property; 4] = [Property::Assertion, Property::Race, Property::Deadlock, Property::Memory];
const FIRST: Subject = Subject::Assertion(CheckId(0));
const SECOND: Subject = Subject::Assertion(CheckId(1));

/// An engine that lets the others go first.
struct InReserve(Box<dyn Engine>);

impl Engine for InReserve {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn properties(&self) -> &[Property] {
        self.0.properties()
    }

    fn entry(&self) -> Entry {
        Entry::Reserve
    }

    fn is_made_for(&self, _facts: &Facts) -> bool {
        true
    }

    fn check(
        &self,
        facts: &Facts,
        budget: &Budget,
        progress: &mut dyn Progress,
        findings: &dyn Findings,
    ) -> Result<Answer, InternalError> {
        self.0.check(facts, budget, progress, findings)
    }
}

/// An engine that does what it is told.
fn fake_for(
    properties: &[Property],
    name: &'static str,
    plan: impl Fn(&Budget, &dyn Findings) -> Result<Answer, InternalError> + Send + Sync + 'static,
) -> Box<dyn Engine> {
    from_fn(name, properties.to_vec(), move |_, budget, progress, findings| {
        progress.say(name, "under way");
        plan(budget, findings)
    })
}

fn fake(
    name: &'static str,
    plan: impl Fn(&Budget, &dyn Findings) -> Result<Answer, InternalError> + Send + Sync + 'static,
) -> Box<dyn Engine> {
    fake_for(&ALL, name, plan)
}

/// Works until it is told to stop.
fn endless(name: &'static str) -> Box<dyn Engine> {
    fake(name, |budget, _| Ok(until_exhausted(budget)))
}

fn until_exhausted(budget: &Budget) -> Answer {
    loop {
        if let Some(limit) = budget.exhausted() {
            return Answer { gaps: vec![Gap::Limit(limit)], ..Answer::default() };
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn certificate() -> Certificate {
    Certificate::Exhaustive { states: 1, again: Again::NotYet }
}

fn other(message: &str) -> Answer {
    Answer { gaps: vec![Gap::Other { span: Span::NOWHERE, message: message.to_owned() }], ..Answer::default() }
}

fn compiled(body: &str) -> Program {
    // Nobody ever waits, but that is not seen without looking.
    let text = format!(
        "_Bool __VERIFIER_nondet_bool(void); void reach_error(void); int pthread_join(unsigned long, void **);
        unsigned long other; int main(void) {{ if (other) pthread_join(other, 0); {body} return 0; }}"
    );
    let program = compile_text("x.c", &text, &CompileOptions::default()).expect("the program is right").program;
    assert_eq!(program.checks.len(), 2);
    program
}

/// Two assertions, both of which fail in some execution.
fn both_fail() -> Program {
    compiled("if (__VERIFIER_nondet_bool()) reach_error(); if (__VERIFIER_nondet_bool()) reach_error();")
}

/// Two assertions, of which the first fails in some execution.
fn first_fails() -> Program {
    compiled("_Bool b = __VERIFIER_nondet_bool(); if (b) reach_error(); if (b) reach_error();")
}

/// Two assertions that hold.
fn both_hold() -> Program {
    compiled("int n = 0; if (n) reach_error(); if (n) reach_error();")
}

/// Two assertions, of which the first fails in some execution, after more steps than are taken to repeat an exploration
/// of a few states.
fn first_fails_late() -> Program {
    compiled(
        "for (int i = 0; i < 50000; i++) ; _Bool b = __VERIFIER_nondet_bool(); if (b) reach_error(); if (b) reach_error();",
    )
}

/// A violation of a subject of a program, with its trace.
fn violation(program: &Program, subject: Subject) -> Violation {
    let options = explicit::Options::default();
    let exploration = explicit::explore(program, &options, &Budget::unlimited(), &mut Quiet);
    let violations = exploration.expect("no internal error").violations;
    violations.into_iter().find(|violation| violation.subject == subject).expect("it is violated")
}

fn about(properties: &[Property]) -> CheckOptions {
    CheckOptions { task: Task::about(properties), ..CheckOptions::default() }
}

fn run_within(engines: Vec<Box<dyn Engine>>, options: &CheckOptions, budget: &Budget) -> Checked {
    check_with(&both_hold(), engines, options, budget, &mut Quiet)
}

/// Runs the engines on a program in which everything holds.
fn run(engines: Vec<Box<dyn Engine>>, options: &CheckOptions) -> Checked {
    run_on(&both_hold(), engines, options)
}

fn run_on(program: &Program, engines: Vec<Box<dyn Engine>>, options: &CheckOptions) -> Checked {
    check_with(program, engines, options, &Budget::unlimited(), &mut Quiet)
}

/// Verdict and engine of every check.
fn verdicts(checked: &Checked) -> Vec<(&'static str, &'static str)> {
    checked.judgement.checks.iter().map(|check| (check.verdict.word(), check.engine)).collect()
}

fn reasons(checked: &Checked, check: usize) -> Vec<&str> {
    checked.judgement.checks[check].verdict.reasons().iter().map(|reason| reason.message.as_str()).collect()
}

/// This ends only if the slow engine is cancelled.
#[test]
fn the_first_evidence_wins_and_the_rest_is_cancelled() {
    let (first, second) = (violation(&both_fail(), FIRST), violation(&both_fail(), SECOND));
    let quick = fake("quick", move |_, findings| {
        findings.violation(first.clone());
        findings.violation(second.clone());
        Ok(other("gave up"))
    });
    let checked = run_on(&both_fail(), vec![endless("slow"), quick], &about(&[Property::Assertion]));
    assert_eq!(verdicts(&checked), [("unsafe", "quick"), ("unsafe", "quick")]);
    assert_eq!(checked.mistakes, []);
}

#[test]
fn one_proof_settles_everything() {
    let prover = fake("prover", |_, findings| {
        findings.proved(&Scope::Rest, certificate());
        Ok(Answer::default())
    });
    let checked = run(vec![endless("slow"), prover, endless("slower")], &about(&ALL));
    assert_eq!(checked.judgement.word(), "safe");
    assert!(checked.judgement.checks.iter().all(|check| check.engine == "prover"));
}

#[test]
fn an_engine_sees_what_another_has_settled() {
    let first = violation(&first_fails(), FIRST);
    let finder = fake("finder", move |budget, findings| {
        findings.violation(first.clone());
        Ok(until_exhausted(budget))
    });
    let prover = fake("prover", |_, findings| {
        while findings.is_open(FIRST) {
            std::thread::yield_now();
        }
        assert!(findings.is_open(SECOND) && findings.is_property_open(Property::Assertion));
        findings.proved(&Scope::Rest, certificate());
        assert!(!findings.is_open(SECOND) && !findings.is_property_open(Property::Assertion));
        Ok(Answer::default())
    });
    let checked = run_on(&first_fails(), vec![prover, finder], &about(&[Property::Assertion]));
    assert_eq!(verdicts(&checked), [("unsafe", "finder"), ("safe", "prover")]);
    assert_eq!(checked.mistakes, []);
}

/// Both have evidence before the end: the order of preference decides, not that of arrival.
#[test]
fn the_preferred_engine_is_shown() {
    let (theirs, mine) = (violation(&first_fails(), FIRST), violation(&first_fails(), FIRST));
    let other = fake("other", move |budget, findings| {
        findings.violation(theirs.clone());
        Ok(until_exhausted(budget))
    });
    let preferred = fake("preferred", move |_, findings| {
        while findings.is_open(FIRST) {
            std::thread::yield_now();
        }
        findings.violation(mine.clone());
        findings.proved(&Scope::Rest, certificate());
        Ok(Answer::default())
    });
    let checked = run_on(&first_fails(), vec![preferred, other], &about(&[Property::Assertion]));
    assert_eq!(verdicts(&checked), [("unsafe", "preferred"), ("safe", "preferred")]);
}

#[test]
fn the_rest_is_only_what_an_engine_answers_for() {
    let prover = fake_for(&[Property::Assertion], "prover", |_, findings| {
        findings.proved(&Scope::Rest, certificate());
        Ok(Answer::default())
    });
    let lazy = fake("lazy", |_, _| Ok(other("deadlock is hard")));
    let checked = run(vec![prover, lazy], &about(&[Property::Assertion, Property::Deadlock]));
    assert_eq!(verdicts(&checked), [("safe", "prover"), ("safe", "prover"), ("unknown", "lazy")]);
    assert_eq!(reasons(&checked, 2), ["deadlock is hard"]);
}

/// With an endless engine, this ends only if the reserve starts beside it.
#[test]
fn a_reserve_comes_in_beside_the_others_and_after_them() {
    let prover = || {
        let prover = fake("reserve", |_, findings| {
            findings.proved(&Scope::Rest, certificate());
            Ok(Answer::default())
        });
        Box::new(InReserve(prover))
    };
    let asked = about(&[Property::Assertion]);
    let lazy = fake("lazy", |_, _| Ok(other("too hard")));
    for others in [vec![], vec![lazy], vec![endless("slow")]] {
        let engines = others.into_iter().chain([prover() as Box<dyn Engine>]).collect();
        assert_eq!(verdicts(&run(engines, &asked)), [("safe", "reserve"), ("safe", "reserve")]);
    }
}

#[test]
fn a_reserve_gets_an_eighth_of_the_memory() {
    let shares = Arc::new(Mutex::new(Vec::<(&'static str, Option<u64>)>::new()));
    let counting = |name: &'static str| {
        let shares = shares.clone();
        fake(name, move |budget, _| {
            shares.lock().expect("nobody panics").push((name, budget.memory));
            Ok(other("counted"))
        })
    };
    let engines = vec![counting("a"), counting("b"), Box::new(InReserve(counting("c")))];
    let budget = Budget::unlimited().with_memory(1600 << 30);
    run_within(engines, &about(&[Property::Assertion]), &budget);
    let mut shares = shares.lock().expect("nobody panics").clone();
    shares.sort_unstable();
    assert_eq!(shares, [("a", Some(700 << 30)), ("b", Some(700 << 30)), ("c", Some(200 << 30))]);
}

#[test]
fn a_panic_is_the_mistake_of_one_engine() {
    let prover = || {
        fake("prover", |_, findings| {
            findings.proved(&Scope::Rest, certificate());
            Ok(Answer::default())
        })
    };
    let careless = || fake("careless", |_, _| panic!("off by one"));
    let error = CheckError { engine: "careless", error: InternalError::Panicked("off by one".to_owned()) };
    let checked = run(vec![careless(), prover()], &about(&ALL));
    assert_eq!(checked.judgement.word(), "safe");
    assert_eq!(checked.mistakes.first(), Some(&error));
    assert!(!checked.is_spoilt());
    let alone = run(vec![careless()], &about(&[Property::Deadlock]));
    assert_eq!(verdicts(&alone)[0].0, "unknown");
    assert_eq!(reasons(&alone, 0), ["internal error in the careless engine: panic: off by one"]);
    assert_eq!(alone.mistakes, [error]);
    assert!(alone.is_spoilt());
}

#[test]
fn what_a_failed_engine_proved_does_not_count() {
    let hasty = fake("hasty", |_, findings| {
        findings.proved(&Scope::Property(Property::Assertion), certificate());
        Err(InternalError::Failed("no model".to_owned()))
    });
    let lazy = fake("lazy", |_, _| Ok(other("too hard")));
    let checked = run(vec![hasty, lazy], &about(&[Property::Assertion, Property::Deadlock]));
    assert_eq!(checked.mistakes.len(), 1);
    assert_eq!(verdicts(&checked)[0], ("unknown", "lazy"));
    assert_eq!(reasons(&checked, 0), ["too hard", "internal error in the hasty engine: no model"]);
}

#[test]
fn a_trace_that_shows_nothing_is_no_violation() {
    let bogus = Trace { steps: Vec::new(), end: TraceEnd::AssertionFailed(CheckId(0)) };
    let beside = violation(&both_fail(), SECOND).trace;
    for trace in [bogus, beside] {
        let liar = fake("liar", move |_, findings| {
            findings.violation(Violation { subject: FIRST, trace: trace.clone() });
            Ok(Answer::default())
        });
        let checked = run_on(&both_fail(), vec![liar], &about(&[Property::Assertion]));
        assert_eq!(verdicts(&checked)[0].0, "unknown");
        assert!(matches!(checked.mistakes[..], [CheckError { engine: "liar", error: InternalError::Rejected(_) }]));
    }
}

#[test]
fn a_refutation_that_does_not_follow_is_no_proof() {
    let liar = fake("liar", |_, findings| {
        let (bounds, instances) = ("none".to_owned(), "nothing".to_owned());
        let (proof, again) = ("l 1 0 0\n".into(), Again::NotYet);
        findings.proved(&Scope::Rest, Certificate::Refutation { bounds, instances, proof, again });
        Ok(Answer::default())
    });
    let checked = run(vec![liar], &about(&[Property::Deadlock]));
    assert_eq!(verdicts(&checked)[0].0, "unknown");
    assert!(matches!(checked.mistakes[..], [CheckError { engine: "liar", error: InternalError::Uncertified(_) }]));
}

/// Both assertions fail, and the plainest search finds that at once.
#[test]
fn an_exploration_that_never_was_is_no_proof() {
    for scope in [Scope::Rest, Scope::Property(Property::Assertion), Scope::Subjects(vec![SECOND])] {
        let liar = fake("liar", move |_, findings| {
            findings.proved(&scope, certificate());
            Ok(Answer::default())
        });
        let checked = run_on(&both_fail(), vec![liar], &about(&[Property::Assertion]));
        assert!(verdicts(&checked).iter().all(|(word, _)| *word == "unknown"), "{:?}", verdicts(&checked));
        assert!(matches!(checked.mistakes[..], [CheckError { engine: "liar", error: InternalError::Uncertified(_) }]));
    }
}

/// What has been violated is not part of a proof of the rest, and what nobody claims is no lie.
#[test]
fn an_exploration_claims_no_more_than_its_scope() {
    let (program, first) = (both_fail(), violation(&both_fail(), FIRST));
    let honest = fake("honest", move |_, findings| {
        findings.violation(first.clone());
        findings.proved(&Scope::Property(Property::Deadlock), certificate());
        Ok(other("gave up"))
    });
    let checked = run_on(&program, vec![honest], &about(&[Property::Assertion, Property::Deadlock]));
    let words: Vec<&str> = verdicts(&checked).into_iter().map(|(word, _)| word).collect();
    assert_eq!((words, checked.mistakes), (vec!["unsafe", "unknown", "safe"], vec![]));
}

#[test]
fn a_certificate_says_whether_the_exploration_was_repeated() {
    for (program, is_confirmed) in [(both_hold(), true), (first_fails_late(), false)] {
        let prover = fake("prover", |_, findings| {
            findings.proved(&Scope::Rest, certificate());
            Ok(Answer::default())
        });
        let checked = run_on(&program, vec![prover], &about(&[Property::Deadlock]));
        let Verdict::Safe(certificate) = &checked.judgement.checks[0].verdict else {
            panic!("{:?}", verdicts(&checked))
        };
        assert_eq!(certificate.standing() == Standing::Confirmed, is_confirmed, "{}", certificate.standing());
    }
}

/// A proof and a violation of the same: neither is picked, whichever came first, and all proofs of the engine that was
/// wrong are withdrawn.
#[test]
fn a_contradiction_is_noticed_whichever_comes_first() {
    for proof_first in [true, false] {
        let prover = fake("prover", move |_, findings| {
            while !proof_first && findings.is_open(FIRST) {
                std::thread::yield_now();
            }
            findings.proved(&Scope::Subjects(vec![FIRST]), certificate());
            findings.proved(&Scope::Property(Property::Deadlock), certificate());
            Ok(Answer::default())
        });
        let first = violation(&first_fails_late(), FIRST);
        let finder = fake("finder", move |_, findings| {
            while proof_first && findings.is_open(FIRST) {
                std::thread::yield_now();
            }
            findings.violation(first.clone());
            Ok(other("gave up"))
        });
        let options = about(&[Property::Assertion, Property::Deadlock]);
        let checked = run_on(&first_fails_late(), vec![prover, finder], &options);
        let words: Vec<&str> = verdicts(&checked).into_iter().map(|(word, _)| word).collect();
        assert_eq!(words, ["unknown", "unknown", "unknown"]);
        assert!(reasons(&checked, 0)[0].starts_with("internal contradiction"), "{:?}", reasons(&checked, 0));
        assert!(checked.is_spoilt());
        let [found] = &checked.contradictions[..] else { panic!("{:?}", checked.contradictions) };
        assert_eq!((found.subject, found.prover, found.finder), (FIRST, "prover", "finder"));
        assert!(matches!(
            checked.mistakes[..],
            [CheckError { engine: "prover", error: InternalError::Contradicted(_) }]
        ));
    }
}

/// A proof of everything else does not contradict a violation that was known.
#[test]
fn a_proof_of_the_rest_contradicts_nothing_that_was_known() {
    let first = violation(&first_fails_late(), FIRST);
    let honest = fake("honest", move |_, findings| {
        findings.violation(first.clone());
        findings.proved(&Scope::Rest, certificate());
        findings.violation(first.clone());
        Ok(Answer::default())
    });
    let checked = run_on(&first_fails_late(), vec![honest], &about(&[Property::Assertion]));
    assert_eq!(verdicts(&checked), [("unsafe", "honest"), ("safe", "honest")]);
    assert!(checked.contradictions.is_empty() && checked.mistakes.is_empty());
}

#[test]
fn a_covered_bound_is_stated() {
    let unwinding = || Gap::Unwinding { span: Span::NOWHERE, bound: 8 };
    let bounded = fake("bounded", move |_, findings| {
        findings.covered(&Scope::Rest, "loops up to 4 iterations");
        findings.covered(&Scope::Rest, "loops up to 8 iterations");
        Ok(Answer { gaps: vec![unwinding(), unwinding(), Gap::Limit(Exhausted::Time)], ..Answer::default() })
    });
    let checked = run(vec![fake("lazy", |_, _| Ok(other("too hard"))), bounded], &about(&[Property::Assertion]));
    assert_eq!(verdicts(&checked), [("bounded", "bounded"), ("bounded", "bounded")]);
    let Verdict::Bounded { covered, .. } = &checked.judgement.checks[0].verdict else { panic!("it is bounded") };
    assert_eq!(covered, "loops up to 8 iterations");
    let expected = ["the time limit was reached", "more than 8 iterations of this loop were not explored"];
    let mut said = reasons(&checked, 0);
    said.sort_unstable_by_key(|message| message.len());
    assert_eq!(said, expected);
}

#[test]
fn the_reasons_are_those_of_the_engine_that_came_farthest() {
    let with = |name, gap: Gap| fake(name, move |_, _| Ok(Answer { gaps: vec![gap.clone()], ..Answer::default() }));
    let span = Span::NOWHERE;
    let inapplicable = || with("narrow", Gap::Inapplicable { span, message: "not finite".to_owned() });
    let limited = || with("limited", Gap::Limit(Exhausted::Memory));
    let precise = || with("precise", Gap::Choice { span, bits: 32, sampled: false });
    let options = about(&[Property::Deadlock]);
    let engine = |engines| verdicts(&run(engines, &options))[0];
    assert_eq!(engine(vec![inapplicable(), limited(), precise()]), ("unknown", "precise"));
    assert_eq!(engine(vec![inapplicable(), limited()]), ("unknown", "limited"));
    assert_eq!(engine(vec![inapplicable()]), ("unknown", "narrow"));
}

/// This ends only if the others are not waited for.
#[test]
fn what_nobody_can_answer_is_not_waited_for() {
    let honest = fake("honest", |_, findings| {
        findings.nothing_more(&Scope::Rest);
        let gap = Gap::Unsupported { span: Span::NOWHERE, what: "`fork` is not modelled".to_owned() };
        Ok(Answer { gaps: vec![gap], ..Answer::default() })
    });
    let checked = run(vec![endless("slow"), honest], &about(&ALL));
    assert!(verdicts(&checked).iter().all(|verdict| *verdict == ("unknown", "honest")));
    assert_eq!(reasons(&checked, 0), ["`fork` is not modelled"]);
}

#[test]
fn deadline_and_cancellation_reach_every_engine() {
    let options = about(&[Property::Deadlock]);
    let engines = || vec![endless("slow"), endless("slower")];
    let hurried = Budget::unlimited().with_time(Duration::from_millis(5));
    let checked = run_within(engines(), &options, &hurried);
    assert_eq!(reasons(&checked, 0), ["the time limit was reached"]);
    let cancelled = Budget::unlimited();
    cancelled.cancel.store(true, std::sync::atomic::Ordering::Relaxed);
    let checked = run_within(engines(), &options, &cancelled);
    assert_eq!(reasons(&checked, 0), ["the run was cancelled"]);
}

/// An engine that never looks at its budget.
fn deaf(name: &'static str, plan: impl Fn(&dyn Findings) + Send + Sync + 'static) -> Box<dyn Engine> {
    fake(name, move |_, findings| {
        plan(findings);
        loop {
            std::thread::park();
        }
    })
}

fn left_behind(engine: &'static str) -> CheckError {
    CheckError { engine, error: InternalError::Unstoppable }
}

/// These end only if the engine that does not answer is not waited for.
#[test]
fn an_engine_that_does_not_stop_is_left_behind() {
    let first = violation(&both_fail(), FIRST);
    let finder = fake("finder", move |budget, findings| {
        findings.violation(first.clone());
        Ok(until_exhausted(budget))
    });
    let hurried = Budget::unlimited().with_time(Duration::from_millis(5));
    // Busy, for as long as anybody looks.
    let deaf = deaf("deaf", |_| {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE * 2 {
            std::hint::spin_loop();
        }
    });
    let (engines, options) = (vec![finder, deaf], about(&[Property::Assertion]));
    let checked = check_with(&both_fail(), engines, &options, &hurried, &mut Quiet);
    assert_eq!(verdicts(&checked), [("unsafe", "finder"), ("unknown", "finder")]);
    assert_eq!(
        reasons(&checked, 1),
        ["the time limit was reached", "internal error in the deaf engine: the engine did not stop"]
    );
    assert_eq!(checked.mistakes, [left_behind("deaf")]);
}

#[test]
fn settled_questions_do_not_wait_for_an_engine_that_does_not_stop() {
    let prover = deaf("prover", |findings| findings.proved(&Scope::Rest, certificate()));
    let checked = run(vec![deaf("deaf", |_| {}), prover], &about(&ALL));
    assert_eq!(checked.judgement.word(), "safe");
    assert!(checked.judgement.checks.iter().all(|check| check.engine == "prover"));
    assert_eq!(checked.mistakes, [left_behind("deaf"), left_behind("prover")]);
    assert!(!checked.is_spoilt());
}

/// What stops an engine is not what another one has reached.
#[test]
fn a_limit_of_one_engine_stops_nobody_else() {
    let small = fake("small", |_, findings| {
        findings.covered(&Scope::Rest, "a little");
        Ok(other("recursion deeper than 4096"))
    });
    let slow = fake("slow", |budget, findings| {
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(budget.exhausted(), None);
        findings.proved(&Scope::Rest, certificate());
        Ok(Answer::default())
    });
    let checked = run(vec![small, slow], &about(&[Property::Deadlock]));
    assert_eq!(verdicts(&checked), [("safe", "slow")]);
}

/// That an engine was told to stop, because another knows that nothing more can be found out, is no reason to give.
#[test]
fn the_reason_is_not_that_an_engine_was_stopped() {
    let honest = fake("honest", |_, findings| {
        while findings.is_property_open(Property::Deadlock) {
            findings.nothing_more(&Scope::Rest);
        }
        let gap = Gap::Unsupported { span: Span::NOWHERE, what: "`fork` is not modelled".to_owned() };
        Ok(Answer { gaps: vec![gap], ..Answer::default() })
    });
    let bounded = fake("bounded", |budget, findings| {
        findings.covered(&Scope::Rest, "loops up to 4 iterations");
        Ok(until_exhausted(budget))
    });
    let checked = run(vec![bounded, honest], &about(&[Property::Deadlock]));
    assert!(!reasons(&checked, 0).iter().any(|reason| reason.contains("cancelled")), "{:?}", reasons(&checked, 0));
    assert_eq!(reasons(&checked, 0), ["`fork` is not modelled"]);
}

#[test]
fn memory_is_shared_out() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let looking = || {
        let seen = seen.clone();
        fake("looking", move |budget, _| {
            seen.lock().expect("nobody panics").push(budget.memory);
            Ok(Answer::default())
        })
    };
    let budget = Budget::unlimited().with_memory(1000 << 30);
    run_within(vec![looking(), looking()], &about(&ALL), &budget);
    assert_eq!(*seen.lock().expect("nobody panics"), [Some(500 << 30), Some(500 << 30)]);
}

#[test]
fn a_run_can_stop_at_the_first_violation() {
    let first = violation(&both_fail(), FIRST);
    let finder = fake("finder", move |budget, findings| {
        findings.violation(first.clone());
        Ok(until_exhausted(budget))
    });
    let options = CheckOptions { until: RunUntil::FirstViolation, ..about(&[Property::Assertion]) };
    let checked = run_on(&both_fail(), vec![finder], &options);
    assert_eq!(verdicts(&checked), [("unsafe", "finder"), ("unknown", "finder")]);
    assert_eq!(reasons(&checked, 1), ["the run was to stop at the first violation"]);
}

/// Without a limit on time: the real engines end by themselves on a small program, and explicit is preferred.
#[test]
fn the_real_engines_settle_a_small_program() {
    let program = both_fail();
    let checked = selvedge::check(&program, &CheckOptions::default(), &Budget::unlimited(), &mut Quiet);
    let shown: Vec<_> = verdicts(&checked);
    assert_eq!(shown[..2], [("unsafe", "explicit"), ("unsafe", "explicit")]);
    assert!(shown[2..].iter().all(|(word, _)| *word == "safe"), "{shown:?}");
    assert_eq!(checked.statistics.first().map(|statistics| statistics.engine), Some("explicit"));
}

/// What takes more threads than were asked about does not count, whoever finds it.
#[test]
fn a_bound_on_threads_is_one_for_violations_too() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let path = programs.join("bounded/threads_bug_beyond_bound.c");
    let program = compile(&[path], &CompileOptions::default()).unwrap_or_else(|error| panic!("{error}")).program;
    let word = |most: u64| {
        let task = Task { threads: Replicas::AtMost(most), ..Task::about(&[Property::Assertion]) };
        let engines = vec![EngineName::of("modular").expect("there is such an engine")];
        let options = CheckOptions { task, engines, ..CheckOptions::default() };
        let budget = Budget::unlimited().with_time(Duration::from_secs(30));
        check(&program, &options, &budget, &mut Quiet).judgement.word()
    };
    assert_eq!((word(3), word(2)), ("unsafe", "unknown"));
}
