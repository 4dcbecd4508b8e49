//! Texts of programs: what is printed is read as the same program, and what is wrong is named with its place.

use expect_test::{Expect, expect};
use selvedge_broadcast::text;

/// That a text is read, and what it is printed as; that is read as the same program.
fn check(source: &str, expected: Expect) {
    let program = text::parse(source).unwrap_or_else(|error| panic!("{}", error.show("test", source)));
    let printed = text::print(&program);
    expected.assert_eq(&printed);
    assert_eq!(text::parse(&printed).unwrap(), program);
}

/// That a text is refused, and how.
fn check_error(source: &str, expected: Expect) {
    expected.assert_eq(&text::parse(source).unwrap_err().show("test.bbp", source));
}

#[test]
fn statements_of_section_2() {
    check(
        "local b, c;
         1: havoc {all(b)} constrain a.b';
         2: havoc {all(b)} constrain ∀p ≠ a. a.b' ∧ (a.b ∧ p.b ⇒ p.b') ∧ (a.b ⊕ p.b ⇒ ¬p.b');
         3: havoc {a.b, a.c} constrain a.b' ∧ (a.b ∧ a.c ⇒ a.c') ∧ (a.b ⊕ a.c ⇒ ¬a.c');
         4: havoc {a.b, a.c} constrain ∀≠ {a, p}. a.b' ∧ (((a.b ∧ a.c) ∨ (p.b ∧ p.c)) ⇒ a.c')
              ∧ (((a.b ⊕ a.c) ∨ (p.b ⊕ p.c)) ⇒ ¬a.c');",
        expect![[r#"
            thread thread[n] {
              local b;
              local c;
              1: havoc {all(b)} constrain a.b';
              2: havoc {all(b)} constrain forall {a, p}. a.b' & ((a.b & p.b) => p.b') & ((a.b != p.b) => !p.b');
              3: havoc {a.b, a.c} constrain a.b' & ((a.b & a.c) => a.c') & ((a.b != a.c) => !a.c');
              4: havoc {a.b, a.c} constrain forall {a, p}. a.b' & (((a.b & a.c) | (p.b & p.c)) => a.c') & (((a.b != a.c) | (p.b != p.c)) => !a.c');
            }
        "#]],
    );
}

#[test]
fn every_construct() {
    check(
        "shared s = 0, t;
         shared bool u = 1;
         thread main[1] { start worker; start worker at L {new.b := s} constrain new.b' | new.c' & s; }
         thread worker[n] {
           local b = 1, c;
           1: havoc {s, a.c, all(b), all(helper.x)} constrain forall {a, p: worker, q: helper}. a.b' & (p.b => q.x');
           s, c := schoose[a.b, !s], * notify p: worker {p.b := p.b & a.c, p.c := *} constrain a.c' | s' constrain b';
           L: if (s) { assert a.b; } else { atomic_begin; assume !s; s = 1; atomic_end; }
           while (*) { skip; }
           assert forall {a, p: worker}. !(a.b & p.b & p@L);
           u := b ? t : s == t != u;
           notify q: helper {q.x := q.x};
           goto 1, L, end;
           end;
         }
         thread helper[0] { local x; }",
        expect![[r#"
            shared s = 0;
            shared t;
            shared u = 1;
            thread main[1] {
              1: start worker;
              2: start worker at 3 {new.b := s} constrain new.b' | (new.c' & s);
            }
            thread worker[n] {
              local b = 1;
              local c;
              1: havoc {s, a.c, all(b), all(helper.x)} constrain forall {a, p, q: helper}. a.b' & (p.b => q.x');
              2: s, a.c := schoose[a.b, !s], * notify p: worker {p.b := p.b & a.c, p.c := *} constrain a.c' | s' constrain a.b';
              3: goto 4, 7;
              4: assume s;
              5: assert a.b;
              6: goto 12;
              7: assume !s;
              8: atomic_begin;
              9: assume !s;
              10: s := 1;
              11: atomic_end;
              12: goto 13, 16;
              13: assume *;
              14: skip;
              15: goto 12;
              16: assume !*;
              17: assert forall {a, p}. !(a.b & p.b & p@3);
              18: u := a.b ? t : ((s == t) != u);
              19: notify p: helper {p.x := p.x};
              20: goto 1, 3, end;
              21: goto end;
            }
            thread helper[0] {
              local x;
            }
        "#]],
    );
}

#[test]
fn errors_have_a_place() {
    check_error(
        "shared s;\n1: s := x;",
        expect![[r#"
        test.bbp:2:9: error: there is no variable `x`
          1: s := x;
                  ^"#]],
    );
    check_error(
        "shared s;\n1: goto 7;",
        expect![[r#"
        test.bbp:2:9: error: there is no label `7`
          1: goto 7;
                  ^"#]],
    );
    check_error(
        "shared s;\n1: s := 0, 1;",
        expect![[r#"
        test.bbp:2:9: error: 1 variables are assigned 2 values
          1: s := 0, 1;
                  ^"#]],
    );
    check_error(
        "shared s;\n1: s ! 1;",
        expect![[r#"
        test.bbp:2:6: error: expected `:=`, found `!`
          1: s ! 1;
               ^"#]],
    );
    check_error(
        "shared s, s;",
        expect![[r#"
        test.bbp:1:11: error: there are two variables `s`
          shared s, s;
                    ^"#]],
    );
    check_error(
        "shared s; local s;",
        expect![[r#"
        test.bbp:1:17: error: `s` is a shared variable already
          shared s; local s;
                          ^"#]],
    );
    check_error(
        "shared s; 1: s := s';",
        expect![[r#"
        test.bbp:1:14: error: a primed variable can only be in a constraint
          shared s; 1: s := s';
                       ^"#]],
    );
    check_error(
        "local l; 1: havoc {l} constrain p.l;",
        expect![[r#"
        test.bbp:1:33: error: there is no thread of index `p`
          local l; 1: havoc {l} constrain p.l;
                                          ^"#]],
    );
    check_error(
        "local l; 1: havoc {l} constrain forall {p}. p.l;",
        expect![[r#"
        test.bbp:1:41: error: the indices of a constraint must contain `a`
          local l; 1: havoc {l} constrain forall {p}. p.l;
                                                  ^"#]],
    );
    check_error(
        "local l; 1: l, a.l := 0, 1;",
        expect![[r#"
        test.bbp:1:13: error: `l` is assigned twice
          local l; 1: l, a.l := 0, 1;
                      ^"#]],
    );
    check_error(
        "1: atomic_begin; 2: goto 1;",
        expect![[r#"
        test.bbp:1:4: error: this is reached both inside and outside an atomic section
          1: atomic_begin; 2: goto 1;
             ^"#]],
    );
    check_error(
        "1: atomic_begin; 2: skip;",
        expect![[r#"
        test.bbp:1:21: error: a thread can end inside an atomic section
          1: atomic_begin; 2: skip;
                              ^"#]],
    );
    check_error(
        "1: atomic_end;",
        expect![[r#"
        test.bbp:1:4: error: no atomic section has begun here
          1: atomic_end;
             ^"#]],
    );
    check_error(
        "thread t[x] { }",
        expect![[r#"
        test.bbp:1:10: error: expected a number of threads or `n`
          thread t[x] { }
                   ^"#]],
    );
    check_error(
        "thread t[1] { start u; }",
        expect![[r#"
        test.bbp:1:21: error: there is no template `u`
          thread t[1] { start u; }
                              ^"#]],
    );
    check_error(
        "thread t[1] { local b; start t constrain new.b; }",
        expect![[r#"
        test.bbp:1:24: error: a started thread has no values before it starts
          thread t[1] { local b; start t constrain new.b; }
                                 ^"#]],
    );
    check_error(
        "shared s; 1: /* s",
        expect![[r#"
        test.bbp:1:14: error: this comment has no end
          shared s; 1: /* s
                       ^"#]],
    );
    check_error(
        "shared s; 1: s := #;",
        expect![[r#"
        test.bbp:1:19: error: `#` has no meaning here
          shared s; 1: s := #;
                            ^"#]],
    );
}
