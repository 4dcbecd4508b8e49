//! Compiler builtins and atomic operations.

use super::check;
use expect_test::expect;

#[test]
fn settled_by_the_checker() {
    check(
        "int g(void);
        void f(int x, char *p) {
            __builtin_expect(x, 0); __builtin_expect(x, g()); __builtin_constant_p(3 + 4); __builtin_constant_p(x); __builtin_constant_p(\"a\");
            __builtin_object_size(p, 0); __builtin_object_size(p, 2); __builtin_prefetch(p); __builtin_assume_aligned(p, 16);
            __builtin_huge_val(); __builtin_inff(); __builtin_nan(\"\"); __builtin_classify_type(p); __builtin_ia32_pause();
        }
        double inf = __builtin_inf(); int swapped = __builtin_bswap32(0x01020304); int ones = __builtin_popcountll(0xffull);",
        expect![[r#"
            @inf: double = {0: double inf}
            @swapped: int = {0: int 67305985}
            @ones: int = {0: int 8}
            f(x: int, p: char *) -> void {
              (long)x;
              (g(), (long)x);
              1;
              0;
              1;
              18446744073709551615:unsigned long;
              0:unsigned long;
              (void)p;
              (void *)p;
              inf;
              inf:float;
              NaN;
              5;
              (void)0;
            }
        "#]],
    );
}

#[test]
fn library_functions_by_builtin_name() {
    check(
        "void *memcpy(void *, const void *, unsigned long);
        void f(char *p, void *q, __builtin_va_list l) {
            __builtin_memcpy(p, q, 3); __builtin___memcpy_chk(p, q, 3, 10); __builtin_strlen(p); __builtin_malloc(4); __builtin_alloca(8);
            __builtin___snprintf_chk(p, 10, 1, 10, \"%d\", 5); __builtin_printf(\"%d\", (char)1); __builtin_abort(); __builtin_fabs(1);
            __builtin___vsnprintf_chk(p, 1, 1, 1, \"\", l);
        }",
        expect![[r#"
            f(p: char *, q: void *, l: struct __va_list_tag *) -> void {
              memcpy((void *)p, (const void *)q, 3:unsigned long);
              memcpy((void *)p, (const void *)q, 3:unsigned long);
              strlen((const char *)p);
              malloc(4:unsigned long);
              alloca(8:unsigned long);
              snprintf(p, 10:unsigned long, (const char *)decay("%d"), 5);
              printf((const char *)decay("%d"), 1);
              abort();
              fabs(1.0);
              vsnprintf(p, 1:unsigned long, (const char *)decay(""), l);
            }
        "#]],
    );
}

#[test]
fn kept_under_their_names() {
    check(
        "void f(int a, long b, int *p, unsigned u, unsigned long *k, double d, float x) {
            __builtin_add_overflow(a, b, p); __builtin_mul_overflow_p(a, b, (char)0); __builtin_uaddl_overflow(a, b, k); __builtin_ssub_overflow(a, b, p);
            __builtin_clz(a); __builtin_ctzll(u); __builtin_bswap16(a); __builtin_isnan(x); __builtin_isless(x, d); __builtin_unreachable(); __builtin_trap();
            __builtin_return_address(0); __builtin_something_new(a);
        }",
        expect![[r#"
            f(a: int, b: long, p: int *, u: unsigned int, k: unsigned long *, d: double, x: float) -> void {
              __builtin_add_overflow(a, b, p):_Bool;
              __builtin_mul_overflow_p(a, b, 0:char):_Bool;
              __builtin_add_overflow((unsigned long)a, (unsigned long)b, k):_Bool;
              __builtin_sub_overflow(a, (int)b, p):_Bool;
              __builtin_clz((unsigned int)a):int;
              __builtin_ctzll((unsigned long long)u):int;
              __builtin_bswap16((unsigned short)a):unsigned short;
              __builtin_isnan(x):int;
              __builtin_isless((double)x, d):int;
              __builtin_unreachable():void;
              __builtin_trap():void;
              unsupported(`__builtin_return_address`):void *;
              unsupported(`__builtin_something_new`):int;
            }
        "#]],
    );
}

#[test]
fn atomic_operations_convert_to_the_object() {
    check(
        "typedef struct { _Bool v; } atomic_flag;
        void f(_Atomic long *a, volatile int *i, char **p, _Atomic(char *) *ap, atomic_flag *fl, long e, unsigned char *c) {
            __sync_fetch_and_add(i, 1L); __sync_add_and_fetch_4(i, 1); __sync_bool_compare_and_swap(i, 0, 1u, a); __sync_lock_test_and_set(c, 1);
            __sync_lock_release(c); __sync_synchronize(); __sync_fetch_and_sub(p, 2);
            __atomic_load_n(i, 5); __atomic_store_n(c, 300, 5); __atomic_exchange_n(p, 0, 5); __atomic_fetch_or(i, 1, 0);
            int t; __atomic_load(i, &t, 5); __atomic_compare_exchange_n(i, &t, 2, 0, 5, 5); __atomic_fetch_add_8(&e, 1, 0);
            __atomic_test_and_set(fl, 5); __atomic_thread_fence(5); __atomic_always_lock_free(8, 0); __atomic_always_lock_free(16, 0);
            atomic_init(a, 1); atomic_load(a); atomic_store(a, 2); atomic_fetch_add(a, 1); atomic_fetch_sub_explicit(ap, 1, 0);
            atomic_compare_exchange_strong(a, &e, 3); atomic_exchange_explicit(a, 4, 5); atomic_flag_test_and_set(fl); atomic_flag_clear(fl);
            atomic_thread_fence(5);
        }",
        expect![[r#"
            f(a: _Atomic long *, i: volatile int *, p: char **, ap: char *_Atomic *, fl: struct <anonymous> *, e: long in memory, c: unsigned char *) -> void {
              __sync_fetch_and_add(i, 1):int;
              __sync_add_and_fetch(i, 1):int;
              __sync_bool_compare_and_swap(i, 0, 1):_Bool;
              __sync_lock_test_and_set(c, 1:unsigned char):unsigned char;
              __sync_lock_release(c):void;
              __sync_synchronize():void;
              __sync_fetch_and_sub(p, 2:long):char *;
              __atomic_load_n(i, 5):int;
              __atomic_store_n(c, 44:unsigned char, 5):void;
              __atomic_exchange_n(p, 0:char *, 5):char *;
              __atomic_fetch_or(i, 1, 0):int;
              declare t: int in memory;
              __atomic_load(i, &t, 5):void;
              __atomic_compare_exchange_n(i, &t, 2, 0:_Bool, 5, 5):_Bool;
              __atomic_fetch_add(&e, 1:long, 0):long;
              __atomic_test_and_set(fl, 5):_Bool;
              __atomic_thread_fence(5):void;
              1:_Bool;
              0:_Bool;
              atomic_init(a, 1:long):void;
              atomic_load(a):long;
              atomic_store(a, 2:long):void;
              atomic_fetch_add(a, 1:long):long;
              atomic_fetch_sub_explicit(ap, 1:long, 0):char *;
              atomic_compare_exchange_strong(a, &e, 3:long):_Bool;
              atomic_exchange_explicit(a, 4:long, 5):long;
              atomic_flag_test_and_set(fl):_Bool;
              atomic_flag_clear(fl):void;
              atomic_thread_fence(5):void;
            }
        "#]],
    );
}

#[test]
fn a_function_of_the_program_comes_first() {
    check(
        "int atomic_load(int *p) { return *p; } int __sync_synchronize(void) { return 1; }
        int f(int *p) { return atomic_load(p) + __sync_synchronize(); }",
        expect![[r#"
            atomic_load(p: int *) -> int {
              return *p;
            }
            __sync_synchronize() -> int {
              return 1;
            }
            f(p: int *) -> int {
              return (atomic_load(p) + __sync_synchronize());
            }
        "#]],
    );
}
