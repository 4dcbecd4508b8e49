//! Statements: control flow, labels, asm.

use super::check;
use expect_test::expect;

#[test]
fn loops_and_jumps() {
    check(
        "int f(int n) {
            for (int i = 0, j = 1; i < n; i++, j--) { if (i) continue; else break; }
            for (;;) break;
            do n--; while (n);
            while (n) { goto out; }
        out:
            return n;
        }
        void g(void) { return; } void h(void) { return g(); }",
        expect![[r#"
            f(n: int) -> int {
              for {
                declare i: int = {0: 0};
                declare j: int = {0: 1};
              } (i < n); (i++, j--) {
                if i {
                  continue;
                } else {
                  break;
                }
              }
              for {
              } ;  {
                break;
              }
              do {
                n--;
              } while n;
              while n {
                goto out;
              }
              out:
              return n;
            }
            g() -> void {
              return;
            }
            h() -> void {
               {
                g();
                return;
              }
            }
        "#]],
    );
}

#[test]
fn switches() {
    check(
        "enum e { A, B };
        int f(unsigned char c, long l, enum e e) {
            switch (c) { case 'a': case 'b': return 1; case 200 ... 255: break; default: c = 0; }
            switch (l) { case 0x100000000: return 2; case -1: return 3; }
            switch (e) { case A: switch (c) { case A: ; } break; case B: ; }
            switch (c) { int x; case 1: x = 1; return x; }
            switch (c) case 5: return 6;
            return 0;
        }",
        expect![[r#"
            f(c: unsigned char, l: long, e: enum e) -> int {
              switch (int)c [97: L0, 98: L1, 200...255: L2, default: L3] {
                L0:
                L1:
                return 1;
                L2:
                break;
                L3:
                (c = 0:unsigned char);
              }
              switch l [4294967296: L4, -1: L5] {
                L4:
                return 2;
                L5:
                return 3;
              }
              switch (unsigned int)e [0: L6, 1: L8] {
                L6:
                switch (int)c [0: L7] {
                  L7:
                }
                break;
                L8:
              }
              switch (int)c [1: L9] {
                declare x: int;
                L9:
                (x = 1);
                return x;
              }
              switch (int)c [5: L10] {
                L10:
                return 6;
              }
              return 0;
            }
        "#]],
    );
}

#[test]
fn labels_as_values_and_local_labels() {
    check(
        "void f(int n) {
            void *p = &&a;
            { __label__ x; goto x; x: n++; { __label__ x; x: goto x; } }
            goto *p;
        a: ;
        }
        int g(int n) { return ({ __label__ again; again: if (n--) goto again; n; }); }",
        expect![[r#"
            f(n: int) -> void {
              declare p: void * = {0: &&a};
               {
                goto x;
                x:
                n++;
                 {
                  x:
                  goto x;
                }
              }
              goto *p;
              a:
            }
            g(n: int) -> int {
              return ({again: if n-- {   goto again; } => n});
            }
        "#]],
    );
}

#[test]
fn asm_statements() {
    check(
        "void f(int x, int *p) {
            __asm__ volatile(\"\" ::: \"memory\");
            __asm__(\"add %1, %0\" : \"+r\"(x) : \"r\"(*p));
            int y; asm(\"mov %1, %0\" : \"=r\"(y) : \"m\"(x));
        }
        asm(\".globl x\");",
        expect![[r#"
            f(x: int in memory, p: int *) -> void {
              asm "" [] [];
              asm "add %1, %0" ["+r" x] ["r" *p];
              declare y: int in memory;
              asm "mov %1, %0" ["=r" y] ["m" x];
            }
        "#]],
    );
}

#[test]
fn nested_functions_are_not_modelled() {
    check(
        "int f(int n) { int g(int k) { return k + n; } return g(1); }",
        expect![[r#"
        f(n: int) -> int {
          unsupported a nested function;
          return unsupported(a nested function):int;
        }
    "#]],
    );
}
