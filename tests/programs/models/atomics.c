// C11 atomics, __atomic_… and __sync_….
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;
static int plain;

#if CASE == 0
static void *add(void *unused)
{
    atomic_fetch_add(&counter, 1);
    __atomic_add_fetch(&plain, 1, __ATOMIC_RELAXED);
    __sync_fetch_and_add(&plain, 1);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    return 10 * atomic_load(&counter) + plain; // EXPECT[0]: exit 24
}
#elif CASE == 1
static void *add(void *unused)
{
    __sync_fetch_and_add(&plain, 1);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    static volatile int delay; delay = 1; plain = 2; // EXPECT[1]: race
    pthread_join(t, 0);
    return 0; // EXPECT[1]: exit 0
}
#elif CASE == 2
int main(void)
{
    int expected = 5;
    atomic_store_explicit(&counter, 7, memory_order_release);
    if (atomic_compare_exchange_strong(&counter, &expected, 9) || expected != 7)
        return 1;
    if (!atomic_compare_exchange_strong_explicit(&counter, &expected, 9, memory_order_acq_rel, memory_order_relaxed))
        return 2;
    return atomic_exchange(&counter, 3) + counter; // EXPECT[2]: exit 12
}
#elif CASE == 3
// A weak one may fail without cause; it tells so, and what it found.
int main(void)
{
    int expected = 0;
    if (atomic_compare_exchange_weak(&counter, &expected, 1))
        return counter; // EXPECT[3]: exit 1
    return 10 + expected + counter; // EXPECT[3]: exit 10
}
#elif CASE == 4
int main(void)
{
    int array[4] = { 10, 11, 12, 13 };
    int *_Atomic moving = array;
    int *bytes = array;
    if (atomic_fetch_add(&moving, 2) != array || *moving != 12)
        return 1;
    if (__atomic_fetch_add(&bytes, 2 * sizeof(int), __ATOMIC_SEQ_CST) != array || *bytes != 12)
        return 2;
    atomic_fetch_sub(&moving, 1);
    return *moving; // EXPECT[4]: exit 11
}
#elif CASE == 5
int main(void)
{
    atomic_flag flag = ATOMIC_FLAG_INIT;
    int first = atomic_flag_test_and_set(&flag), second = atomic_flag_test_and_set_explicit(&flag, memory_order_acquire);
    atomic_flag_clear(&flag);
    atomic_thread_fence(memory_order_seq_cst);
    return 100 * first + 10 * second + atomic_flag_test_and_set(&flag); // EXPECT[5]: exit 10
}
#elif CASE == 6
int main(void)
{
    unsigned char small = 0xf0;
    long long wide = 1;
    int status = 0;
    status += __sync_fetch_and_nand(&small, 0x3c) != 0xf0 || small != 0xcf;
    status += __atomic_xor_fetch(&wide, 3, __ATOMIC_SEQ_CST) != 2;
    status += __sync_or_and_fetch(&wide, 8) != 10;
    status += __sync_and_and_fetch(&wide, 12) != 8;
    status += __sync_sub_and_fetch(&wide, 9) != -1;
    status += __sync_val_compare_and_swap(&wide, -1, 5) != -1 || wide != 5;
    status += __sync_bool_compare_and_swap(&wide, 4, 6);
    status += __sync_lock_test_and_set(&wide, 9) != 5;
    __sync_lock_release(&wide);
    status += wide != 0;
    status += __atomic_load_n(&small, __ATOMIC_ACQUIRE) != 0xcf;
    long long loaded, stored = -7, old;
    __atomic_store(&wide, &stored, __ATOMIC_RELEASE);
    __atomic_load(&wide, &loaded, __ATOMIC_ACQUIRE);
    __atomic_exchange(&wide, &(long long){ 4 }, &old, __ATOMIC_SEQ_CST);
    status += loaded != -7 || old != -7 || wide != 4;
    long long expected = 4, desired = 1LL << 40;
    status += !__atomic_compare_exchange(&wide, &expected, &desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    status += __atomic_compare_exchange_n(&wide, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return status + (expected != desired); // EXPECT[6]: exit 0
}
#elif CASE == 7
int main(void)
{
    _Atomic int *none = 0;
    return atomic_load(none); // EXPECT[7]: undefined NullDereference
}
#elif CASE == 8
// What an exchange reads besides the object is not atomic.
static int expected;
static void *write(void *unused)
{
    expected = 1;
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, write, 0);
    static volatile int delay; delay = 1; atomic_compare_exchange_strong(&counter, &expected, 9); // EXPECT[8]: race
    pthread_join(t, 0);
    return 0; // EXPECT[8]: exit 0
}
#elif CASE == 9
int main(void)
{
    _Atomic _Bool yes = 0;
    _Atomic double half = 0.5;
    atomic_store(&yes, 4);
    double was = atomic_exchange(&half, 2);
    return 10 * atomic_load(&yes) + (was == 0.5 && half == 2.0); // EXPECT[9]: exit 11
}
#endif
