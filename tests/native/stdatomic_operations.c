// stdatomic.h operations in one thread: load, store, exchange, fetch_*, compare_exchange.
// Old values, new values and the updated expectation are printed.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
static atomic_int x = ATOMIC_VAR_INIT(10);
static atomic_flag flag = ATOMIC_FLAG_INIT;
int main(void) {
    atomic_store(&x, 20);
    printf("%d\n", atomic_load(&x));
    printf("%d\n", atomic_exchange(&x, 30));
    printf("%d ", atomic_fetch_add(&x, 5));
    printf("%d ", atomic_fetch_sub(&x, 2));
    printf("%d ", atomic_fetch_or(&x, 64));
    printf("%d ", atomic_fetch_and(&x, 0x6f));
    printf("%d ", atomic_fetch_xor(&x, 3));
    printf("%d\n", atomic_load_explicit(&x, memory_order_acquire));
    int want = 1;
    bool ok = atomic_compare_exchange_strong(&x, &want, 7);
    printf("%d %d\n", ok, want);
    ok = atomic_compare_exchange_strong(&x, &want, 7);
    printf("%d %d %d\n", ok, want, atomic_load(&x));
    while (!atomic_compare_exchange_weak(&x, &want, want * 2)) printf("retry %d\n", want);
    printf("%d %d\n", want, atomic_load(&x));
    printf("%d ", atomic_flag_test_and_set(&flag));
    printf("%d ", atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    printf("%d\n", atomic_flag_test_and_set_explicit(&flag, memory_order_relaxed));
    atomic_uchar c;
    atomic_init(&c, 255);
    atomic_fetch_add_explicit(&c, 2, memory_order_relaxed);
    printf("%d\n", atomic_load(&c));
    atomic_thread_fence(memory_order_seq_cst);
    int a[3] = {1, 2, 3};
    int *_Atomic p = a;
    printf("%d ", *atomic_exchange(&p, a + 2));
    printf("%d\n", *atomic_load(&p));
    atomic_store_explicit(&x, 6, memory_order_release);
    return atomic_load(&x);
}
