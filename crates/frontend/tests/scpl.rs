//! SCPL: what is wrong with a text is told like a compiler does, all of it at once, and what is right is well-formed.

use expect_test::{Expect, expect};
use selvedge_frontend::scpl::{Threads, compile};

fn check_errors(text: &str, expected: Expect) {
    let error = compile("t.scpl", text, Threads::Any).expect_err(text);
    expected.assert_eq(&error.to_string());
}

#[test]
fn mistakes_are_shown_where_they_are() {
    check_errors("shared s;", expect!["t.scpl:1:9: error: `s` needs an initial value"]);
    check_errors("shared s = 4294967296;", expect!["t.scpl:1:12: error: this is no number that has room in 32 bits"]);
    check_errors("shared bool s = 2;", expect!["t.scpl:1:17: error: a `bool` is 0 or 1"]);
    check_errors("local l = 0; l = 1", expect!["t.scpl:1:19: error: expected `;`, found the end of the file"]);
    check_errors("local l = 0; l == 1;", expect!["t.scpl:1:16: error: expected `=`, found `==`"]);
    check_errors("local l = 0; l = (l + ;", expect!["t.scpl:1:23: error: expected an expression, found `;`"]);
    check_errors(
        "local l = 0; l = l $ 1;",
        expect![[r#"
        t.scpl:1:20: error: `$` has no meaning here
        t.scpl:1:22: error: expected `;`, found `1`"#]],
    );
    check_errors("goto 1;", expect!["t.scpl:1:6: error: there is no label `1`"]);
    check_errors("1: skip; 1: skip;", expect!["t.scpl:1:10: error: there are two labels `1`"]);
    check_errors("x = 1;", expect!["t.scpl:1:1: error: there is no variable `x`"]);
    check_errors("shared x = 0; local x = 0;", expect!["t.scpl:1:21: error: there are two variables `x`"]);
    check_errors("if (x { skip; }", expect!["t.scpl:1:7: error: expected `)`, found `{`"]);
    check_errors("while (*) { skip;", expect!["t.scpl:1:18: error: expected `}`, found the end of the file"]);
    check_errors("skip; }", expect!["t.scpl:1:7: error: there is no block to end here"]);
    check_errors("/* skip;", expect!["t.scpl:1:1: error: this comment has no end"]);
    check_errors(
        "1: skip; atomic { goto 1; }",
        expect!["t.scpl:1:24: error: a `goto` can neither enter nor leave an `atomic` block"],
    );
    check_errors(
        "goto 2; atomic { 2: skip; }",
        expect!["t.scpl:1:6: error: a `goto` can neither enter nor leave an `atomic` block"],
    );
}

#[test]
fn all_mistakes_are_told_at_once() {
    check_errors(
        "shared s = 0;\nlocal l = 0;\n1: s = m;\n2: if (l) { l = ; s = k; }\n3: assert t != s;\n",
        expect![[r#"
            t.scpl:3:8: error: there is no variable `m`
            t.scpl:4:17: error: expected an expression, found `;`
            t.scpl:4:23: error: there is no variable `k`
            t.scpl:5:11: error: there is no variable `t`"#]],
    );
}

#[test]
fn hostile_texts_are_refused() {
    let deep = [
        format!("local l = 0; l = {}l{};", "(".repeat(5000), ")".repeat(5000)),
        format!("local l = 0; l = {}l;", "!".repeat(5000)),
        format!("local l = 0; l = {}l;", "-".repeat(5000)),
        format!("local l = 0; l = l{};", " + l".repeat(5000)),
        "if (*) {".repeat(5000),
        format!("if (*) {{ }}{}", " else if (*) { }".repeat(5000)),
        "atomic { ".repeat(5000),
        "{".repeat(5000),
        "\u{0}\u{7f}é∀".to_owned(),
    ];
    for text in deep {
        assert!(compile("t.scpl", &text, Threads::Any).is_err());
    }
    assert!(compile("t.scpl", "skip;", Threads::Exactly(1001)).is_err());
}

#[test]
fn every_program_is_well_formed() {
    let texts = [
        "",
        "0: shared int s = -1, t = 2147483647; local bool b = 1; 1: s = s + t; 2: goto 1, end;",
        "shared s = 0; local l = 0; while (s != l && !(l > 3)) { l = s * 2 - l / 3 % 4; if (l <= s || l >= 1) { s = *; } else if (l < -1) { skip; } else { goto out; } } out: assert s == l;",
        "shared s = 0; local l = 1; atomic { if (s == l) { s = l + 1; } assume l; atomic { l = s; } } assert l;",
        "goto end;",
    ];
    for text in texts {
        for threads in [Threads::Any, Threads::Exactly(0), Threads::Exactly(3)] {
            let program = compile("t.scpl", text, threads).unwrap_or_else(|error| panic!("{error}\n{text}")).program;
            assert_eq!(program.validate(), Ok(()), "{text}");
            assert_eq!(program.caveats.len(), usize::from(threads != Threads::Any));
        }
    }
}
