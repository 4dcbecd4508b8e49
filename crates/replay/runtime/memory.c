/* Accesses to memory. The compiler calls `__tsan_...` in front of each; here that is where a thread waits for its turn.
 * With ThreadSanitizer linked in, its own functions are called afterwards, as if from the same place. */
#include "schedule.h"

#include <string.h>

#ifdef SV_TSAN
#define HOOK(name) __wrap_##name
#define THEN(name, ...) return __real_##name(__VA_ARGS__)
#else
#define HOOK(name) name
#define THEN(name, ...) return
#endif

static void access(enum sv_kind kind, int is_write, const volatile void *address, size_t size, const void *pc)
{
    struct sv_operation operation = {
        .kind = kind, .is_write = is_write, .is_atomic = kind == SV_ATOMIC, .ranges = 1,
        .range = {{(uintptr_t)address, size}}, .pc = pc, .name = is_write ? "write" : "read",
    };
    sv_turn(&operation);
}

#define PLAIN(name, kind, is_write, size)          \
    void __real_##name(void *);                    \
    void HOOK(name)(void *address);                \
    void HOOK(name)(void *address)                 \
    {                                              \
        access(kind, is_write, address, size, SV_PC); \
        THEN(name, address);                       \
    }
#define PLAINS(size)                                          \
    PLAIN(__tsan_unaligned_read##size, SV_READ, 0, size)      \
    PLAIN(__tsan_unaligned_write##size, SV_WRITE, 1, size)    \
    PLAIN(__tsan_read##size, SV_READ, 0, size)                \
    PLAIN(__tsan_write##size, SV_WRITE, 1, size)
PLAIN(__tsan_read1, SV_READ, 0, 1)
PLAIN(__tsan_write1, SV_WRITE, 1, 1)
PLAINS(2)
PLAINS(4)
PLAINS(8)
PLAINS(16)

#define RANGE(name, kind, is_write)                      \
    void __real_##name(void *, size_t);                  \
    void HOOK(name)(void *address, size_t size);         \
    void HOOK(name)(void *address, size_t size)          \
    {                                                    \
        access(kind, is_write, address, size, SV_PC);    \
        THEN(name, address, size);                       \
    }
RANGE(__tsan_read_range, SV_READ, 0)
RANGE(__tsan_write_range, SV_WRITE, 1)

/* A function is entered. One that must not be reached counts, whatever its body does. */
static void enter(const void *pc)
{
    if (sv_end.shows != SV_ASSERTION || sv_self() != sv_end.thread)
        return;
    const char *function = sv_place_of(pc)->function;
    if (strcmp(function, "reach_error") == 0 || strcmp(function, "__VERIFIER_error") == 0)
        sv_fails(function, "", 0);
}

void __real___tsan_func_entry(void *);
void HOOK(__tsan_func_entry)(void *caller);
void HOOK(__tsan_func_entry)(void *caller)
{
    (void)caller;
    enter(SV_PC);
    THEN(__tsan_func_entry, caller);
}

#ifndef SV_TSAN
void __tsan_init(void);
void __tsan_init(void) {}
void __tsan_func_exit(void);
void __tsan_func_exit(void) {}
void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order) { (void)order; }
void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order) { (void)order; }
#endif

/* Atomic operations. The turn decides the order, so the operations themselves are plain. */
static const struct sv_event *atomic(const volatile void *address, size_t size, int is_write, const void *pc)
{
    struct sv_operation operation = {
        .kind = SV_ATOMIC, .is_write = is_write, .is_atomic = 1, .ranges = 1,
        .range = {{(uintptr_t)address, size}}, .pc = pc, .name = "atomic",
    };
    return sv_turn(&operation);
}

#ifdef SV_TSAN
#define BODY(name, own, ...) return __real_##name(__VA_ARGS__)
#else
#define BODY(name, own, ...) own
#endif

#define LOAD(bits, type)                                                                     \
    type __real___tsan_atomic##bits##_load(const volatile type *, int);                      \
    type HOOK(__tsan_atomic##bits##_load)(const volatile type *address, int order);          \
    type HOOK(__tsan_atomic##bits##_load)(const volatile type *address, int order)           \
    {                                                                                        \
        (void)order;                                                                         \
        atomic(address, sizeof(type), 0, SV_PC);                                             \
        BODY(__tsan_atomic##bits##_load, return *address, address, order);                   \
    }
#define STORE(bits, type)                                                                    \
    void __real___tsan_atomic##bits##_store(volatile type *, type, int);                     \
    void HOOK(__tsan_atomic##bits##_store)(volatile type *address, type value, int order);   \
    void HOOK(__tsan_atomic##bits##_store)(volatile type *address, type value, int order)    \
    {                                                                                        \
        (void)order;                                                                         \
        atomic(address, sizeof(type), 1, SV_PC);                                             \
        BODY(__tsan_atomic##bits##_store, *address = value, address, value, order);          \
    }
#define UPDATE(bits, type, name, result)                                                     \
    type __real___tsan_atomic##bits##_##name(volatile type *, type, int);                    \
    type HOOK(__tsan_atomic##bits##_##name)(volatile type *address, type value, int order);  \
    type HOOK(__tsan_atomic##bits##_##name)(volatile type *address, type value, int order)   \
    {                                                                                        \
        (void)order;                                                                         \
        atomic(address, sizeof(type), 1, SV_PC);                                             \
        BODY(__tsan_atomic##bits##_##name, type old = *address; *address = (type)(result); return old, \
             address, value, order);                                                         \
    }
/* A weak exchange that the schedule has fail fails. */
#define EXCHANGE(bits, type, name)                                                           \
    int __real___tsan_atomic##bits##_##name(volatile type *, type *, type, int, int);        \
    int HOOK(__tsan_atomic##bits##_##name)(volatile type *address, type *expected, type value, int order, int failing); \
    int HOOK(__tsan_atomic##bits##_##name)(volatile type *address, type *expected, type value, int order, int failing) \
    {                                                                                        \
        (void)order, (void)failing;                                                          \
        const struct sv_event *event = atomic(address, sizeof(type), 1, SV_PC);              \
        int fails = event && event->flags & SV_KEEP;                                         \
        if (fails && *address == *expected)                                                  \
            return 0;                                                                        \
        BODY(__tsan_atomic##bits##_##name, type old = *address; if (old == *expected) { *address = value; return 1; } \
             *expected = old; return 0, address, expected, value, order, failing);           \
    }
#define EXCHANGE_VALUE(bits, type)                                                           \
    type __real___tsan_atomic##bits##_compare_exchange_val(volatile type *, type, type, int, int); \
    type HOOK(__tsan_atomic##bits##_compare_exchange_val)(volatile type *address, type expected, type value, int order, \
                                                          int failing);                      \
    type HOOK(__tsan_atomic##bits##_compare_exchange_val)(volatile type *address, type expected, type value, int order, \
                                                          int failing)                       \
    {                                                                                        \
        (void)order, (void)failing;                                                          \
        atomic(address, sizeof(type), 1, SV_PC);                                             \
        BODY(__tsan_atomic##bits##_compare_exchange_val, type old = *address;                \
             if (old == expected) *address = value; return old, address, expected, value, order, failing); \
    }
#define ATOMICS(bits, type)                              \
    LOAD(bits, type)                                     \
    STORE(bits, type)                                    \
    UPDATE(bits, type, exchange, value)                  \
    UPDATE(bits, type, fetch_add, old + value)           \
    UPDATE(bits, type, fetch_sub, old - value)           \
    UPDATE(bits, type, fetch_and, old & value)           \
    UPDATE(bits, type, fetch_or, old | value)            \
    UPDATE(bits, type, fetch_xor, old ^ value)           \
    UPDATE(bits, type, fetch_nand, ~(old & value))       \
    EXCHANGE(bits, type, compare_exchange_strong)        \
    EXCHANGE(bits, type, compare_exchange_weak)          \
    EXCHANGE_VALUE(bits, type)
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
