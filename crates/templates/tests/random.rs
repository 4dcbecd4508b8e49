//! Random programs in SCPL with random predicates: where the Boolean program is safe for so many threads, no execution
//! of the program fails an assertion.

use std::fmt::Write;

use selvedge_broadcast::counter::{self, Counted};
use selvedge_broadcast::coverability::{self, Answer};
use selvedge_broadcast::{Instance, System, text};
use selvedge_evidence::recheck::recheck;
use selvedge_frontend::scpl::{Threads, compile};
use selvedge_generate::random::Random;
use selvedge_program::{Budget, Property};
use selvedge_symbolic::Predicate;
use selvedge_templates::cegar::{self, Answer as Decided, Settings};
use selvedge_templates::{Cubes, Errors, Form, Main, Named, Options, Refused, Witness, boolean_program};

/// As many programs; `SELVEDGE_PROGRAMS` makes it more.
fn programs() -> u64 {
    std::env::var("SELVEDGE_PROGRAMS").ok().and_then(|number| number.parse().ok()).unwrap_or(60)
}

fn expr(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.chance(40) {
        return (*random.pick(&["s", "t", "l", "m", "0", "1", "2"])).to_owned();
    }
    let operator = *random.pick(&["+", "-", "==", "!=", "<", "&&", "||"]);
    format!("({} {operator} {})", expr(random, depth - 1), expr(random, depth - 1))
}

fn condition(random: &mut Random) -> String {
    let operator = *random.pick(&["==", "!=", "<", "<="]);
    format!("{} {operator} {}", expr(random, 1), expr(random, 1))
}

fn statement(random: &mut Random, labels: u64) -> String {
    let variable = *random.pick(&["s", "t", "l", "m"]);
    match random.below(10) {
        0 => format!("assume {};", condition(random)),
        1 | 2 => format!("assert {};", condition(random)),
        3 => format!("goto {}, {};", random.between(1, labels), random.between(1, labels)),
        4 => format!("if ({}) {{ {variable} = {}; }}", condition(random), expr(random, 1)),
        5 => {
            let value = expr(random, 1);
            format!("atomic {{ assume {}; {variable} = {value}; }}", condition(random))
        }
        // Few values, so that the plain search comes to an end.
        _ => format!("{variable} = {};", *random.pick(&["0", "1", "s", "t", "l", "m", "l + 1 - m", "s == l", "!t"])),
    }
}

fn source(random: &mut Random) -> String {
    let mut text = "shared int s = 0, t = 1; local int l = 0, m = 1;\n".to_owned();
    let labels = random.between(2, 6);
    for label in 1..=labels {
        let _ = writeln!(text, "{label}: {}", statement(random, labels));
    }
    text
}

const PREDICATES: [&str; 14] = [
    "s == 0",
    "t == 1",
    "s == t",
    "l == 0",
    "l == m",
    "m < 2",
    "s == l",
    "t != m",
    "s < l",
    "s == l + 1",
    "s + t == m",
    "l == s && m == t",
    "t == 0",
    "m == 0",
];

#[test]
fn what_is_safe_in_the_abstract_is_safe() {
    let (mut safe, mut any, mut failing) = (0, 0, 0);
    for seed in 0..programs() {
        let mut random = Random::new(seed);
        let source = source(&mut random);
        let program =
            compile("t.scpl", &source, Threads::Any).unwrap_or_else(|error| panic!("{error}\n{source}")).program;
        let mut predicates: Vec<Named> = Vec::new();
        for number in 0..random.between(1, 4) {
            let condition: &&str = random.pick(&PREDICATES);
            let predicate = Predicate::parse(&program, condition).expect("is well-formed");
            if predicates.iter().all(|known| known.predicate != predicate) {
                predicates.push(Named { name: format!("b{number}"), predicate });
            }
        }
        let options = Options {
            cubes: *random.pick(&[Cubes::None, Cubes::One, Cubes::Two]),
            witness: *random.pick(&[Witness::Active, Witness::OnePassive]),
            form: *random.pick(&[Form::Values, Form::Constraints]),
            main: *random.pick(&[Main::LeftOut, Main::Kept]),
            errors: Errors::All,
        };
        let boolean = match boolean_program(&program, &predicates, options, &Budget::unlimited()) {
            Ok(boolean) => boolean,
            Err(Refused::Predicate(..)) => continue,
            Err(refused) => panic!("{refused}\n{source}"),
        };
        let system = System::new(boolean).unwrap();
        let shown = || format!("seed {seed}, {options:?}\n{source}{}", text::print(system.program()));
        let for_any = match coverability::search(&system, &mut patience(2000)) {
            Ok(covered) => matches!(covered.answer, Answer::Safe(_)),
            Err(_) => false,
        };
        any += u32::from(for_any);
        for threads in 1..=2 {
            let program = compile("t.scpl", &source, Threads::Exactly(threads)).unwrap().program;
            let plain = recheck(&program, 20_000, 4);
            let fails = plain.violated.contains(&Property::Assertion);
            failing += u32::from(fails);
            let instance = match options.main {
                Main::LeftOut => Instance::of(threads),
                Main::Kept => Instance { many: 0, most: threads + 1 },
            };
            let counted = counter::search(&system, &instance, &mut patience(3000));
            let is_safe = matches!(counted, Ok(Counted::Safe(_)));
            safe += u32::from(is_safe && plain.is_complete);
            assert!(!fails || !is_safe && !for_any, "{threads} threads, {}", shown());
        }
    }
    eprintln!("{safe} instances are safe in the abstract, {any} programs for any number; {failing} instances fail");
    assert!(u64::from(safe) > programs() / 10 && u64::from(failing) > programs() / 3, "{safe} safe, {failing} failing");
}

/// The whole loop, for one and two threads, against the plain search.
#[test]
fn the_loop_agrees_with_all_executions() {
    let (mut safe, mut failing, mut open) = (0, 0, 0);
    for seed in 0..programs() / 2 {
        let mut random = Random::new(seed + 1_000_000);
        let source = source(&mut random);
        for threads in 1..=2 {
            let program = compile("t.scpl", &source, Threads::Exactly(threads)).unwrap().program;
            let plain = recheck(&program, 20_000, 4);
            let fails = plain.violated.contains(&Property::Assertion);
            let options = Options { cubes: *random.pick(&[Cubes::None, Cubes::One]), ..Options::default() };
            let settings = Settings { options, threads: Some(threads), iterations: 8 };
            let budget = Budget::unlimited();
            let shown = || format!("seed {seed}, {threads} threads\n{source}");
            match cegar::run(&program, &[], settings, &budget).map(|outcome| outcome.answer) {
                Ok(Decided::Safe) => {
                    assert!(!fails, "{}", shown());
                    safe += 1;
                }
                Ok(Decided::Unsafe(_)) => {
                    assert!(fails || !plain.is_complete, "{}", shown());
                    failing += 1;
                }
                Ok(Decided::SafeUpTo(_)) => panic!("{}", shown()),
                Ok(Decided::Unknown(_)) | Err(Refused::Stopped(_)) => open += 1,
                Err(refused) => panic!("{refused}\n{}", shown()),
            }
        }
    }
    eprintln!("{safe} instances are safe, {failing} are not, {open} are open");
    assert!(safe > programs() / 5 && failing > programs() / 10, "{safe} safe, {failing} failing, {open} open");
}

fn patience(mut left: u32) -> impl FnMut() -> bool {
    move || {
        left = left.saturating_sub(1);
        left > 0
    }
}
