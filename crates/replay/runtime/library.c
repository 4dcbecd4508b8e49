/* What else the library does on the schedule's behalf: assertions, chosen values, and functions that go through memory
 * by themselves. */
#define _GNU_SOURCE
#include "locks.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Assertions and error functions. */

OURS(void, __assert_fail, const char *text, const char *file, unsigned line, const char *function)
{
    (void)function;
    sv_fails(text, file, (int)line);
}
OURS(void, reach_error, void) { sv_fails("reach_error()", "", 0); }
OURS(void, __VERIFIER_error, void) { sv_fails("__VERIFIER_error()", "", 0); }
static void check(int condition, const char *text, const void *pc)
{
    const struct sv_place *place = sv_place_of(pc);
    if (!condition)
        sv_fails(text, place->file, place->line);
}
OURS(void, __VERIFIER_assert, int condition) { check(condition, "__VERIFIER_assert", SV_PC); }
OURS(void, __CPROVER_assert, int condition, const char *text) { check(condition, text, SV_PC); }

static int never(void *unused) { return (void)unused, 0; }

/* A thread whose assumption does not hold stops for good. */
static void assume(int condition, const char *name, const void *pc)
{
    if (!condition)
        sv_wait(never, NULL, name, pc);
}
OURS(void, __VERIFIER_assume, int condition) { assume(condition, "__VERIFIER_assume", SV_PC); }
OURS(void, __CPROVER_assume, int condition) { assume(condition, "__CPROVER_assume", SV_PC); }

static void section(const char *name, const void *pc)
{
    struct sv_operation operation = {.kind = SV_SECTION, .is_atomic = 1, .pc = pc, .name = name};
    sv_turn(&operation);
}
OURS(void, __VERIFIER_atomic_begin, void) { section("__VERIFIER_atomic_begin", SV_PC); }
OURS(void, __VERIFIER_atomic_end, void) {}
OURS(void, __CPROVER_atomic_begin, void) { section("__CPROVER_atomic_begin", SV_PC); }
OURS(void, __CPROVER_atomic_end, void) {}
OURS(void, __CPROVER_fence, const char *kind, ...) { (void)kind; }

/* Values. What the library keeps between calls is written by each. */

static char kept;

static void library(const char *name, const void *pc, const void *written, size_t written_size, const void *read,
                    size_t read_size)
{
    struct sv_operation operation = {
        .kind = SV_LIBRARY, .is_write = written != NULL, .pc = pc, .name = name, .ranges = 0,
    };
    if (written)
        operation.range[operation.ranges++] = (struct sv_range){(uintptr_t)written, written_size};
    if (read)
        operation.range[operation.ranges++] = (struct sv_range){(uintptr_t)read, read_size};
    sv_turn(&operation);
}

static int between(long long low, long long high, const void *pc)
{
    int value = (int)sv_next_value(pc);
    return value < low || value > high ? (int)low : value;
}
OURS(int, rand, void)
{
    library("rand", SV_PC, &kept, 1, NULL, 0);
    return between(0, 0x7fffffff, SV_PC);
}
OURS(long, random, void)
{
    library("random", SV_PC, &kept, 1, NULL, 0);
    return between(0, 0x7fffffff, SV_PC);
}
OURS(void, srand, unsigned seed)
{
    (void)seed;
    library("srand", SV_PC, &kept, 1, NULL, 0);
}
OURS(void, srandom, unsigned seed)
{
    (void)seed;
    library("srandom", SV_PC, &kept, 1, NULL, 0);
}
OURS(int, rand_r, unsigned *seed)
{
    *seed = (unsigned)sv_next_value(SV_PC);
    return between(0, 0x7fffffff, SV_PC);
}
OURS(int, getchar, void) { return between(-1, 255, SV_PC); }

/* Functions that read and write what they are given. */

OURS(void *, memcpy, void *to, const void *from, size_t size)
{
    library("memcpy", SV_PC, to, size, from, size);
    return memmove(to, from, size);
}
OURS(void *, memmove, void *to, const void *from, size_t size)
{
    library("memmove", SV_PC, to, size, from, size);
    return memmove(to, from, size);
}
OURS(void *, memset, void *to, int byte, size_t size)
{
    library("memset", SV_PC, to, size, NULL, 0);
    return memset(to, byte, size);
}
OURS(int, memcmp, const void *a, const void *b, size_t size)
{
    library("memcmp", SV_PC, NULL, 0, a, size);
    return memcmp(a, b, size);
}
OURS(size_t, strlen, const char *text)
{
    library("strlen", SV_PC, NULL, 0, text, strlen(text) + 1);
    return strlen(text);
}
OURS(int, strcmp, const char *a, const char *b)
{
    library("strcmp", SV_PC, NULL, 0, a, strlen(a) + 1);
    return strcmp(a, b);
}
OURS(char *, strcpy, char *to, const char *from)
{
    library("strcpy", SV_PC, to, strlen(from) + 1, from, strlen(from) + 1);
    return strcpy(to, from);
}
OURS(char *, strncpy, char *to, const char *from, size_t size)
{
    library("strncpy", SV_PC, to, size, from, strnlen(from, size));
    return strncpy(to, from, size);
}
OURS(int, puts, const char *text)
{
    library("puts", SV_PC, NULL, 0, text, strlen(text) + 1);
    return puts(text);
}
OURS(int, printf, const char *format, ...)
{
    library("printf", SV_PC, NULL, 0, format, 1);
    va_list arguments;
    va_start(arguments, format);
    int written = vprintf(format, arguments);
    va_end(arguments);
    return written;
}

/* The end of an allocation is a write of all that it is. Its memory is not used again, as if there were no end of it:
 * what is at one address stays the same object. */
OURS(void, free, void *address)
{
    if (address) {
        struct sv_operation operation = {
            .kind = SV_FREE, .is_write = 1, .ranges = 1, .pc = SV_PC, .name = "free",
            .range = {{(uintptr_t)address, malloc_usable_size(address)}},
        };
        sv_turn(&operation);
    }
}
