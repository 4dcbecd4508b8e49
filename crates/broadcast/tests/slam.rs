//! The dialect of SLAM and Boppo, read to the same programs.

use expect_test::{Expect, expect};
use selvedge_broadcast::coverability::{self, Answer};
use selvedge_broadcast::{System, text};

fn check(source: &str, expected: Expect) {
    let program = text::parse_slam(source).unwrap_or_else(|error| panic!("{}", error.show("test.bp", source)));
    expected.assert_eq(&text::print(&program));
}

fn check_error(source: &str, expected: Expect) {
    expected.assert_eq(&text::parse_slam(source).unwrap_err().show("test.bp", source));
}

#[test]
fn every_construct() {
    check(
        "decl g, h;
         void main() begin
           decl x, y;
           1: skip;
           if !(*) then goto L; fi;
           start_thread goto L;
           while (g) do x := !x; od;
           L: atomic_begin;
           assume(!g | x);
           x, x$, g := schoose[g, y], x$ & x, * constrain ('x != g) & (x$ => 'x$);
           atomic_end;
           dead x, y;
           assert(g);
           goto 1, L;
           end_thread;
         end",
        expect![[r#"
            shared g;
            shared h;
            thread main[1] {
              local x;
              local y;
              1: skip;
              2: goto 3, 6;
              3: assume !*;
              4: goto 13;
              5: goto 7;
              6: assume !!*;
              7: start main at 13 {new.x := a.x, new.y := a.y};
              8: goto 9, 12;
              9: assume g;
              10: a.x := !a.x;
              11: goto 8;
              12: assume !g;
              13: atomic_begin;
              14: assume !g | a.x;
              15: g, a.x := *, schoose[g, a.y] notify p: main {p.x := p.x & a.x} constrain forall {a, p}. (a.x' != g) & (p.x => p.x');
              16: atomic_end;
              17: havoc {a.x, a.y};
              18: assert g;
              19: goto 1, 13;
              20: goto end;
            }
        "#]],
    );
}

#[test]
fn procedures_are_put_in_the_place_of_calls() {
    check(
        "decl g;
         bool both(p, q) begin
           decl r;
           if (p) then return q; fi;
           L: r := 0; goto M; M: return r;
         end
         void set() begin g := both(g, 1); end
         void main() begin
           decl x;
           set();
           x := both(x, g);
           return;
         end",
        expect![[r#"
            shared g;
            thread main[1] {
              local x;
              local both_p_2;
              local both_q_2;
              local both_r_2;
              local both_p_3;
              local both_q_3;
              local both_r_3;
              1: skip;
              2: skip;
              3: skip;
              4: a.both_p_2, a.both_q_2, a.both_r_2 := g, 1, *;
              5: goto 6, 10;
              6: assume a.both_p_2;
              7: g := a.both_q_2;
              8: goto 16;
              9: goto 11;
              10: assume !a.both_p_2;
              11: a.both_r_2 := 0;
              12: goto 13;
              13: g := a.both_r_2;
              14: goto 16;
              15: havoc {g};
              16: skip;
              17: skip;
              18: skip;
              19: skip;
              20: a.both_p_3, a.both_q_3, a.both_r_3 := a.x, g, *;
              21: goto 22, 26;
              22: assume a.both_p_3;
              23: a.x := a.both_q_3;
              24: goto 32;
              25: goto 27;
              26: assume !a.both_p_3;
              27: a.both_r_3 := 0;
              28: goto 29;
              29: a.x := a.both_r_3;
              30: goto 32;
              31: havoc {a.x};
              32: skip;
              33: goto end;
            }
        "#]],
    );
}

#[test]
fn errors_have_a_place() {
    check_error(
        "decl g;\nvoid f() begin end",
        expect![[r#"
        test.bp:2:19: error: there is no procedure `main`
          void f() begin end
                            ^"#]],
    );
    check_error(
        "void main() begin f(); end",
        expect![[r#"
        test.bp:1:19: error: there is no procedure `f`
          void main() begin f(); end
                            ^"#]],
    );
    check_error(
        "void f() begin f(); end void main() begin f(); end",
        expect![[r#"
        test.bp:1:16: error: `f` calls itself, which is not supported
          void f() begin f(); end void main() begin f(); end
                         ^"#]],
    );
    check_error(
        "void f(x) begin skip; end void main() begin f(); end",
        expect![[r#"
        test.bp:1:45: error: `f` has 1 parameters, not 0
          void f(x) begin skip; end void main() begin f(); end
                                                      ^"#]],
    );
    check_error(
        "void f() begin skip; end void main() begin decl x; x := f(); end",
        expect![[r#"
        test.bp:1:57: error: `f` returns fewer values
          void f() begin skip; end void main() begin decl x; x := f(); end
                                                                  ^"#]],
    );
    check_error(
        "void main() begin enforce 1; end",
        expect![[r#"
        test.bp:1:19: error: this statement is not supported
          void main() begin enforce 1; end
                            ^"#]],
    );
    check_error(
        "void main() begin start_thread f(); end",
        expect![[r#"
        test.bp:1:32: error: expected `goto`: a thread is started at a label, found `f`
          void main() begin start_thread f(); end
                                         ^"#]],
    );
    check_error(
        "void main() begin x := 1; end",
        expect![[r#"
        test.bp:1:19: error: there is no local variable `x`
          void main() begin x := 1; end
                            ^"#]],
    );
}

/// Whether no assertion fails, however many threads are started.
fn is_safe(source: &str) -> bool {
    let system = System::new(text::parse_slam(source).unwrap()).unwrap();
    matches!(coverability::search(&system, &mut || true).unwrap().answer, Answer::Safe(_))
}

#[test]
fn a_lock_protects_any_number_of_started_threads() {
    let program = |lock: &str| {
        format!(
            "decl lock, busy;
             void main() begin
               lock, busy := 0, 0;
               spawn: start_thread goto worker;
               goto spawn;
               worker: {lock}
               assert(!busy);
               busy := 1;
               busy := 0;
               lock := 0;
               goto worker;
             end"
        )
    };
    assert!(is_safe(&program("atomic_begin; assume(!lock); lock := 1; atomic_end;")));
    assert!(!is_safe(&program("assume(!lock); lock := 1;")));
}
