// __atomic_* builtins in one thread: _n and generic forms, every read-modify-write.
// The weak flag and the memory orders do not change results here.
#include <stdbool.h>
#include <stdio.h>
struct pair { int a, b; };
int main(void) {
    int x = 5;
    __atomic_store_n(&x, 6, __ATOMIC_SEQ_CST);
    printf("%d ", __atomic_load_n(&x, __ATOMIC_ACQUIRE));
    printf("%d ", __atomic_exchange_n(&x, 7, __ATOMIC_ACQ_REL));
    printf("%d ", __atomic_fetch_add(&x, 3, __ATOMIC_RELAXED));
    printf("%d ", __atomic_add_fetch(&x, 3, __ATOMIC_RELAXED));
    printf("%d ", __atomic_sub_fetch(&x, 1, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_fetch_or(&x, 32, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_and_fetch(&x, 0x2c, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_xor_fetch(&x, 1, __ATOMIC_SEQ_CST));
    printf("%d\n", __atomic_fetch_nand(&x, 5, __ATOMIC_SEQ_CST));
    printf("%d\n", x);
    int want = 0, out, in = 11;
    bool ok = __atomic_compare_exchange_n(&x, &want, 9, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    printf("%d %d\n", ok, want);
    ok = __atomic_compare_exchange_n(&x, &want, 9, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    printf("%d %d\n", ok, x);
    __atomic_load(&x, &out, __ATOMIC_SEQ_CST);
    __atomic_store(&x, &in, __ATOMIC_SEQ_CST);
    printf("%d %d\n", out, x);
    in = 12;
    __atomic_exchange(&x, &in, &out, __ATOMIC_SEQ_CST);
    printf("%d %d\n", out, x);
    struct pair p = {1, 2}, q;
    __atomic_load(&p, &q, __ATOMIC_SEQ_CST);
    printf("%d %d\n", q.a, q.b);
    char flag = 0;
    printf("%d ", __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
    __atomic_clear(&flag, __ATOMIC_SEQ_CST);
    printf("%d\n", flag);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    unsigned short s = 65535;
    printf("%d\n", __atomic_add_fetch(&s, 1, __ATOMIC_SEQ_CST));
    return 0;
}
