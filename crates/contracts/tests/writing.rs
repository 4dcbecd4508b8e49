//! Specifications in one form, as pictures and as models for SPIN.

use expect_test::{Expect, expect};
use selvedge_contracts::text::{format, read_alone};
use selvedge_contracts::{Instances, draw, promela};

fn check(text: &str, expected: Expect) {
    let formatted = format("t.threads", text).expect("is a specification");
    expected.assert_eq(&formatted);
    assert_eq!(format("t.threads", &formatted).expect("is one still"), formatted, "formatting again changes nothing");
}

fn examples() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/contracts");
    let mut found: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("is there")
        .map(|entry| entry.expect("is readable").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "threads"))
        .map(|path| (path.display().to_string(), std::fs::read_to_string(&path).expect("is readable")))
        .collect();
    found.sort();
    assert!(!found.is_empty());
    found
}

#[test]
fn blanks_and_lines_are_put_in_order() {
    check(
        "shared int x=0,y = -1; // counts\nshared bool  device . ready;\n\n\n\ninitially (x<1)&&! device.ready;\n/* two */ thread t{initial state a{\n\n assert (x==0||y>-x);to b:x'==x+1,unchanged except x , y;}\n state b { }\n}",
        expect![[r#"
            shared int x = 0, y = -1; // counts
            shared bool device.ready;

            initially (x < 1) && !device.ready;
            /* two */
            thread t {
                initial state a {
                    assert (x == 0 || y > -x);
                    to b: x' == x + 1, unchanged except x, y;
                }
                state b {}
            }
        "#]],
    );
}

#[test]
fn long_statements_are_broken() {
    check(
        "shared int in_use_count, worker_active, queued; thread t { initial state a { to a: in_use_count' == in_use_count + 1 && worker_active > 0 && queued' == queued - 1 && queued > 0 ? true : x::y == 2, unchanged except in_use_count, queued; } }",
        expect![[r#"
            shared int in_use_count, worker_active, queued;
            thread t {
                initial state a {
                    to a: in_use_count' == in_use_count + 1 && worker_active > 0 && queued' == queued - 1
                        && queued > 0 ? true : x::y == 2, unchanged except in_use_count, queued;
                }
            }
        "#]],
    );
}

#[test]
fn the_examples_are_in_that_form() {
    for (path, text) in examples() {
        assert_eq!(format(&path, &text).expect("is a specification"), text, "{path}");
    }
}

/// A formatted specification means what it meant: states, edges and what they say.
#[test]
fn formatting_changes_no_meaning() {
    for (path, text) in examples() {
        let squeezed =
            text.lines().map(|line| line.split("//").next().unwrap_or_default().trim()).collect::<Vec<_>>().join(" ");
        let formatted = format(&path, &squeezed).expect("is a specification");
        let meaning = |text: &str| {
            let (read, program) = read_alone(&path, text).expect("is a specification");
            let spec = read.spec;
            let edges = spec.threads.iter().flat_map(|thread| {
                let relation = |edge| spec.relation(edge).text(&program);
                thread.edges.iter().map(move |edge| (edge.source, edge.target, relation(edge))).collect::<Vec<_>>()
            });
            let edges: Vec<_> = edges.collect();
            let states: Vec<_> = spec.threads.iter().flat_map(|thread| &thread.states).collect();
            let states: Vec<_> = states
                .iter()
                .map(|state| (&state.name, state.assertion.text(&program)))
                .map(|(name, text)| format!("{name}: {text}"))
                .collect();
            (edges, states)
        };
        assert_eq!(meaning(&text), meaning(&formatted), "{path}");
    }
}

#[test]
fn pictures_have_all_states_and_are_well_formed() {
    for (path, text) in examples() {
        let (read, program) = read_alone(&path, &text).expect("is a specification");
        let picture = draw::svg(&program, &read.spec);
        for state in read.spec.threads.iter().flat_map(|thread| &thread.states) {
            assert!(picture.contains(&format!(">{}</text>", state.name)), "{path}: {}", state.name);
        }
        let states: usize = read.spec.threads.iter().map(|thread| thread.states.len()).sum();
        assert_eq!(picture.matches("<rect").count(), states, "{path}");
        assert_eq!(picture.matches("<text").count(), picture.matches("</text>").count(), "{path}");
        // What stands between tags has no sign that would begin one, and every `&` is an entity.
        assert!(!picture.replace("&amp;", "").replace("&lt;", "").replace("&gt;", "").contains('&'), "{path}");
        assert!(!picture.contains("http://") || picture.matches("http://").count() == 1, "nothing is fetched");
    }
}

#[test]
fn what_spin_has_no_means_for_is_told() {
    let wrong = |text: &str, count: Instances| {
        let (read, _) = read_alone("t.threads", text).expect("is a specification");
        let told = promela::model(&read.spec, &|_| count).expect_err("cannot be written");
        told.into_iter().map(|one| one.message).collect::<Vec<_>>()
    };
    let one = Instances::Exactly(1);
    let thread = |label: &str| format!("threads t {{ initial state a {{ to a: {label}; }} }}");
    let said = wrong(&format!("shared long x = 0; {}", thread("x' == 1")), one);
    assert_eq!(said[0], "SPIN has no type for `x`, which has 64 bits");
    let said = wrong(&format!("shared int x; {}", thread("x' == 1")), one);
    assert_eq!(said, ["SPIN needs an initial value of `x`"]);
    let said = wrong(&format!("shared int x = 0; {}", thread("x' > x")), one);
    assert_eq!(said, ["SPIN would have to choose `x` among too many values"]);
    let said = wrong(&format!("shared int x = 0; {}", thread("x' == 1")), Instances::Any);
    assert_eq!(said, ["SPIN needs a number of threads: give one with --threads t=N"]);
}
