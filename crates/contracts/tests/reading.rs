//! Specifications that are right: what is read of them.

use selvedge_contracts::text::read_alone;
use selvedge_contracts::{Instances, Specification};
use selvedge_program::Program;

fn read(text: &str) -> (Specification, Program) {
    match read_alone("t.threads", text) {
        Ok((read, program)) => (read.spec, program),
        Err(refused) => panic!("{:#?}", refused.diagnostics),
    }
}

/// The relation of the first edge of the first thread, frame included.
fn edge(declarations: &str, label: &str) -> String {
    let text = format!("{declarations} thread t {{ initial state a {{ to b: {label}; }} state b {{}} }}");
    let (spec, program) = read(&text);
    spec.relation(&spec.threads[0].edges[0]).text(&program)
}

#[test]
fn the_example_is_read() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/contracts/bluetooth.threads");
    let (spec, program) = read(&std::fs::read_to_string(path).expect("is there"));
    let names: Vec<&str> = spec.shared.iter().map(|shared| shared.name.as_str()).collect();
    assert_eq!(names, ["pending_io", "stopping_flag", "stopping_event", "stopped"]);
    let add = spec.thread("pnp_add").expect("is there");
    assert_eq!((add.instances, add.states.len(), add.edges.len()), (Instances::Any, 6, 7));
    let working = add.states.iter().find(|state| state.name == "working").expect("is there");
    assert_eq!(working.assertion.text(&program), "stopped == 0");
    assert_eq!(
        spec.initial_condition().text(&program),
        "pending_io == 1 && stopping_flag == 0 && stopping_event == 0 && stopped == 0"
    );
}

#[test]
fn what_is_not_primed_is_unchanged() {
    let two = "shared int x, y;";
    assert_eq!(edge(two, "x' == x + 1"), "x' == x + 1 && y' == y");
    assert_eq!(edge(two, "x' > 0, unchanged except x, y"), "x' > 0");
    assert_eq!(edge(two, "unchanged"), "x' == x && y' == y");
    assert_eq!(edge(two, "x > 0, unchanged except y"), "x > 0 && x' == x");
}

#[test]
fn shorthands_stand_for_relations() {
    assert_eq!(edge("shared mutex m;", "acquire(m)"), "owner(m) == 0 && owner(m)' == self");
    assert_eq!(edge("shared mutex m;", "release(m)"), "owner(m) == self && owner(m)' == 0");
    assert_eq!(edge("shared int word;", "acquire(word)"), "word == 0 && word' == 1");
    assert_eq!(edge("shared semaphore s = 2;", "acquire(s)"), "value(s) != 0 && value(s)' == value(s) - 1");
    assert_eq!(edge("shared semaphore s = 2;", "release(s)"), "value(s)' == value(s) + 1");
    assert_eq!(edge("shared int turn, y;", "hand_over(turn, 0, 1)"), "turn == 0 && turn' == 1 && y' == y");
    let rwlock = edge("shared rwlock l;", "acquire(l)");
    assert_eq!(rwlock, "writer(l) == 0 && writer(l)' == self && readers(l) == 0 && readers(l)' == readers(l)");
}

#[test]
fn members_and_elements_are_declared_by_their_names() {
    let (spec, program) = read(
        "shared uint8_t device.refs = 3, device.queue[2].length; shared long device.queue[1].head; shared mutex a[3];
         initially device.queue[2].length < device.refs;
         threads t { initial state a { assert owner(a[3]) != self; to a: acquire(a[3]); } }",
    );
    let names: Vec<&str> = spec.shared.iter().map(|shared| shared.name.as_str()).collect();
    assert_eq!(names, ["device.refs", "device.queue[2].length", "device.queue[1].head", "owner(a[3])"]);
    assert_eq!(spec.initially[0].text(&program), "device.queue[2].length < device.refs");
}

#[test]
fn thread_modular_specifications_are_states_in_a_row() {
    let (spec, program) = read(
        "shared int x = 0; shared int y = 0;
         modular thread t {
             requires y == 0; invariant x >= 0; environment y' == y && x' >= x;
             step x' == x + 1, unchanged except x; step y' == 1; ensures y == 1;
         }",
    );
    let thread = &spec.threads[0];
    let names: Vec<&str> = thread.states.iter().map(|state| state.name.as_str()).collect();
    assert_eq!(names, ["begin", "after1", "after2", "end"]);
    let assertions: Vec<String> = thread.states.iter().map(|state| state.assertion.text(&program)).collect();
    assert_eq!(assertions, ["y == 0 && x >= 0", "x >= 0", "x >= 0", "x >= 0"]);
    assert_eq!(thread.edges[2].relation.text(&program), "y == 1");
    assert_eq!(thread.environment.as_ref().expect("is there").text(&program), "y' == y && x' >= x");
}
