//! What the table holds, and what the most important models look like as edges.

use super::{Argument, Latitude, LibraryUse, ModelCall, Modelled, externals, is_known, table};
use crate::lower::builder::{FunctionBuilder, ProgramBuilder};
use crate::lower::{Failures, Uninitialised};
use crate::types::Types;
use expect_test::{Expect, expect};
use selvedge_program::{
    Base, DataModel, Expr, FunctionId, Object, ObjectId, ObjectKind, Program, Shape, Sources, Span, text,
};
use std::collections::BTreeSet;

/// The functions that a header declares: the name before the first parenthesis of every `extern` declaration.
fn declared(header: &str) -> Vec<String> {
    let code: String = header.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join("\n");
    code.split(';')
        .filter_map(|declaration| declaration.rsplit_once("extern ").map(|(_, rest)| rest))
        .filter_map(|declaration| declaration.split_once('(').map(|(before, _)| before))
        .filter_map(|before| before.split(|c: char| !c.is_alphanumeric() && c != '_').rfind(|word| !word.is_empty()))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_function_of_our_headers_is_known() {
    let headers = [
        (include_str!("../../../include/pthread.h"), 100),
        (include_str!("../../../include/threads.h"), 20),
        (include_str!("../../../include/semaphore.h"), 10),
        (include_str!("../../../include/stdatomic.h"), 6),
        (include_str!("../../../include/assert.h"), 3),
    ];
    for (header, at_least) in headers {
        let names = declared(header);
        assert!(names.len() >= at_least, "only {} declarations were found: {names:?}", names.len());
        let unknown: Vec<&String> = names.iter().filter(|name| !is_known(name)).collect();
        assert!(unknown.is_empty(), "neither modelled nor known not to be: {unknown:?}");
    }
}

#[test]
fn every_generic_atomic_operation_is_known() {
    for stem in ["load", "store", "exchange", "compare_exchange_strong", "compare_exchange_weak"].into_iter().chain([
        "fetch_add",
        "fetch_sub",
        "fetch_or",
        "fetch_xor",
        "fetch_and",
    ]) {
        assert!(is_known(&format!("atomic_{stem}")), "atomic_{stem}");
        assert!(is_known(&format!("atomic_{stem}_explicit")), "atomic_{stem}_explicit");
    }
    for change in ["add", "sub", "or", "and", "xor", "nand"] {
        for name in [
            format!("__sync_fetch_and_{change}"),
            format!("__sync_{change}_and_fetch_8"),
            format!("__atomic_fetch_{change}"),
            format!("__atomic_{change}_fetch"),
            format!("__atomic_fetch_{change}_4"),
        ] {
            assert!(is_known(&name), "{name}");
        }
    }
    assert!(!is_known("atomic_fetch_mul"));
    assert!(!is_known("__sync_fetch_and_median"));
}

#[test]
fn no_name_stands_in_the_table_twice() {
    let mut seen = BTreeSet::new();
    let twice: Vec<&str> = table::names().filter(|name| !seen.insert(*name)).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn the_manual_lists_the_table() {
    let manual = include_str!("../../../../../docs/models.md");
    let listed: BTreeSet<&str> = manual.split('`').skip(1).step_by(2).collect();
    let missing: Vec<&str> =
        table::names().filter(|name| !name.starts_with("__selvedge_") && !listed.contains(name)).collect();
    assert!(missing.is_empty(), "docs/models.md does not say what these do: {missing:?}");
}

/// Lowers one call with arguments of the given types: pointers are the addresses of objects 0, 1, …, numbers their
/// position.
fn modelled(name: &str, facts: LibraryUse, types: &[crate::types::TypeId]) -> String {
    let all = Types::new(DataModel::Lp64);
    let mut program = ProgramBuilder::default();
    let id = program.reserve_function();
    let mut function = FunctionBuilder::new(&mut program, id, "f", Span::NOWHERE);
    let arguments: Vec<Argument> = types
        .iter()
        .enumerate()
        .map(|(position, ty)| Argument {
            value: match all.is_pointer(*ty) {
                true => Expr::address(Base::Object(ObjectId::new(position)), 64),
                false => Expr::constant(32, position as u128),
            },
            ty: *ty,
        })
        .collect();
    let model = table::find(name).expect("the function is in the table");
    let result = model(&mut ModelCall {
        name,
        arguments: &arguments,
        result: Types::INT,
        types: &all,
        facts,
        latitude: Latitude::default(),
        uninitialised: Uninitialised::default(),
        failures: &Failures::default(),
        function: &mut function,
    });
    let result = match result {
        Modelled::Value(value, _) => Ok(value),
        other => Err(format!("{other:?}")),
    };
    function.finish();
    let program = finished(program);
    let id = FunctionId(0);
    let mut lines: Vec<String> = program
        .function(id)
        .edges
        .iter()
        .map(|edge| format!("{} -> {}: {}", edge.source, edge.target, text::action(&program, id, &edge.action)))
        .collect();
    lines.push(match result {
        Ok(value) => format!("=> {}", text::expr(&program, id, &value)),
        Err(other) => format!("=> {other}"),
    });
    lines.join("\n")
}

/// The program, with objects `a`, `b` and `c` for the arguments to point to.
fn finished(builder: ProgramBuilder) -> Program {
    let object = |name: &str| Object {
        name: name.to_owned(),
        kind: ObjectKind::Global,
        size: 64,
        align: 16,
        initial: Vec::new(),
        initial_ghosts: Vec::new(),
        shape: Shape::Opaque,
        type_name: "struct s".to_owned(),
        span: Span::NOWHERE,
    };
    Program {
        data_model: builder.data_model,
        sources: Sources::default(),
        objects: ["a", "b", "c"].map(object).into(),
        functions: builder.functions.into_iter().flatten().collect(),
        address_taken: Vec::new(),
        entries: Vec::new(),
        checks: builder.checks,
        sites: builder.sites,
        allocated: builder.allocated,
        caveats: builder.caveats,
        restrictions: builder.restrictions,
        provisos: Vec::new(),
        unknowns: builder.unknowns,
    }
}

fn check(name: &str, facts: LibraryUse, types: &[crate::types::TypeId], expect: Expect) {
    expect.assert_eq(&format!("{}\n", modelled(name, facts, types)));
}

const POINTER: crate::types::TypeId = Types::VOID_POINTER;

#[test]
fn a_lock_is_one_edge() {
    check(
        "pthread_mutex_lock",
        LibraryUse::default(),
        &[POINTER],
        expect![[r#"
            L0 -> L1: [ r0 := a.owner; guard r0 == null; mark lock &a; a.owner := self ]
            => 0
        "#]],
    );
}

#[test]
fn an_unlock_is_one_edge() {
    check(
        "pthread_mutex_unlock",
        LibraryUse::default(),
        &[POINTER],
        expect![[r#"
            L0 -> L1: [ r0 := a.owner; require r0 == self else UnlockNotHeld; mark unlock &a; a.owner := 0 ]
            => 0
        "#]],
    );
}

#[test]
fn a_lock_looks_at_the_kind_where_there_are_kinds() {
    check(
        "pthread_mutex_lock",
        LibraryUse { has_mutex_kinds: true, ..LibraryUse::default() },
        &[POINTER],
        expect![[r#"
            L0 -> L1: [ r0 := a.owner; r1 := a.kind; r2 := a.count; guard r0 == null || r0 == self && r1 == 1 || r0 == self && r1 == 2; mark lock &a; if (r0 == null) a.owner := self; if (r0 == null || r0 == self && r1 == 1) a.count := r0 == null ? 1 : r2 + 1 ]
            => r0 == self && r1 == 2 ? 35 : 0
        "#]],
    );
}

#[test]
fn a_lock_looks_for_destruction_where_locks_are_destroyed() {
    check(
        "pthread_mutex_trylock",
        LibraryUse { has_destroy: true, ..LibraryUse::default() },
        &[POINTER],
        expect![[r#"
            L0 -> L1: [ r0 := a.destroyed; require r0 == 0 else UseAfterDestroy; r1 := a.owner; mark lock &a if (r1 == null); if (r1 == null) a.owner := self ]
            => r1 == null ? 0 : 16
        "#]],
    );
}

#[test]
fn a_wait_sleeps_and_wakes_up() {
    check(
        "pthread_cond_wait",
        LibraryUse::default(),
        &[POINTER, POINTER],
        expect![[r#"
            L0 -> L1: [ r1 := b.owner; require r1 == self else UnlockNotHeld; mark unlock &b; b.owner := 0; mark sleep &a; self.waiting_on := &a ]
            L1 -> L2: [ r2 := self.waiting_on; guard r2 == null; r3 := b.owner; guard r3 == null; mark lock &b; b.owner := self; mark wake &a; r0 := 0 ]
            L1 -> L2: [ r4 := self.waiting_on; spurious; guard r4 == &a; r5 := b.owner; guard r5 == null; mark lock &b; b.owner := self; mark wake &a; self.waiting_on := 0; r0 := 0 ]
            => r0
        "#]],
    );
}

#[test]
fn a_signal_wakes_one() {
    check(
        "pthread_cond_signal",
        LibraryUse::default(),
        &[POINTER],
        expect![[r#"
            L0 -> L1: [ mark signal &a; r0 := any thread with waiting_on == &a; if (r0 != null) r0->waiting_on := 0 ]
            => 0
        "#]],
    );
}

#[test]
fn a_barrier_lets_the_last_wake_the_others() {
    check(
        "pthread_barrier_wait",
        LibraryUse::default(),
        &[POINTER],
        expect![[r#"
            L0 -> L1: [ r1 := a.arrived; r2 := a.threshold; require r2 != 0 else BadArgument; guard r1 + 1 == r2; mark arrive &a; mark pass &a; a.arrived := 0; all threads with waiting_on == &a: waiting_on := 0; r0 := -1 ]
            L0 -> L2: [ r3 := a.arrived; r4 := a.threshold; require r4 != 0 else BadArgument; guard r3 + 1 != r4; mark arrive &a; a.arrived := r3 + 1; self.waiting_on := &a; r0 := 0 ]
            L2 -> L1: [ r5 := self.waiting_on; guard r5 == null; mark pass &a ]
            => r0
        "#]],
    );
}

#[test]
fn a_join_waits_for_the_end() {
    check(
        "pthread_join",
        LibraryUse::default(),
        &[POINTER, POINTER],
        expect![[r#"
            L0 -> L1: [ r2 := a.status; r3 := a.detached; require !(r2 == 2 || r3 != 0) else BadThread; guard r2 == 1 || &a == self; r4 := a.result; mark join &a if (&a != self); if (r2 == 1) a.status := 2; r1 := r4; r0 := r2 == 1 ? 0 : 35 ]
            L1 -> L2: if r0 == 0
            L1 -> L3: if r0 != 0
            L2 -> L3: store b:8 := r1
            => r0
        "#]],
    );
}

#[test]
fn a_short_copy_is_straight() {
    check(
        "memcpy",
        LibraryUse::default(),
        &[POINTER, POINTER, Types::INT],
        expect![[r#"
        L0 -> L1: r0 := load raw b:2
        L1 -> L2: store a:2 := r0
        => &a
    "#]],
    );
}

#[test]
fn too_few_arguments_are_undefined() {
    let edges = modelled("pthread_mutex_lock", LibraryUse::default(), &[]);
    assert!(edges.contains("require false"), "{edges}");
}

#[test]
fn facts_come_from_calls() {
    let noted = |name: &str, constants: &[Option<i128>]| {
        let mut facts = LibraryUse::default();
        facts.note_call(name, constants, super::Context::Once);
        facts
    };
    assert!(noted("pthread_mutexattr_settype", &[None, Some(1)]).has_mutex_kinds);
    assert!(noted("pthread_mutexattr_settype", &[None, None]).has_mutex_kinds);
    assert!(!noted("pthread_mutexattr_settype", &[None, Some(0)]).has_mutex_kinds);
    assert!(!noted("pthread_mutexattr_settype", &[None, Some(3)]).has_mutex_kinds);
    assert!(noted("mtx_init", &[None, Some(3)]).has_mutex_kinds);
    assert!(!noted("mtx_init", &[None, Some(2)]).has_mutex_kinds);
    assert!(noted("sem_destroy", &[]).has_destroy);
    assert!(noted("__selvedge_cleanup_push", &[]).has_cleanup);
    assert_eq!(noted("pthread_mutex_lock", &[]), LibraryUse::default());
}

#[test]
fn the_table_of_effects_is_understood() {
    assert_eq!(externals::mistakes(), Vec::<String>::new());
    let own: BTreeSet<&str> = table::names().collect();
    let twice: Vec<&str> = externals::declared().map(|(name, ..)| name).filter(|name| own.contains(name)).collect();
    assert!(twice.is_empty(), "these have a model of their own: {twice:?}");
    assert!(externals::declared().count() >= 1000, "{}", externals::declared().count());
}
