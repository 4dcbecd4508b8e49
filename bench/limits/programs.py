"""Writes 30 programs that are too large for the engines, one way each, into a folder."""
import pathlib
import sys

HEAD = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n"


def threads(body, count, more=""):
    return (
        HEAD
        + more
        + "static int n; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        + "static void *work(void *x) { (void)x; " + body + " return 0; }\n"
        + f"static pthread_t t[{count}];\n"
        + f"int main(void) {{ for (int i = 0; i < {count}; i++) pthread_create(&t[i], 0, work, 0);\n"
        + f"  for (int i = 0; i < {count}; i++) pthread_join(t[i], 0); assert(n >= 0); return 0; }}\n"
    )


def main(body, more=""):
    return HEAD + more + "int main(void) { " + body + " return 0; }\n"


LOCKED = "pthread_mutex_lock(&m); {} pthread_mutex_unlock(&m);"
DOUBLED = "".join(f"#define M{i} M{i - 1} M{i - 1}\n" for i in range(1, 31))
CASES = " ".join(f"case {i}: n += {i}; break;" for i in range(20000))
LOCALS = " ".join(f"int v{i} = n + {i};" for i in range(5000)) + " ".join(f"n += v{i};" for i in range(5000))
LINES = "\n".join(f"static int f{i}(int x) {{ return x + {i}; }}\nint g{i} = {i};" for i in range(20000))
CALLS = " ".join(f"n += f{i}(g{i});" for i in range(0, 20000, 10))
GRID = "static int grid[300][300];\n"
SWEEP = "for (int i = 0; i < 300; i++) for (int j = 0; j < 300; j++) grid[i][j]++;"
COMPARE = "static int less(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n"
FIB = "static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
DEEP = "static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }\n"
NONDET = "int __VERIFIER_nondet_int(void); static int n;\n"

PROGRAMS = {
    "threads-10000": threads(LOCKED.format("n++;"), 10000),
    "threads-64-racing": threads("n++;", 64),
    "threads-64-atomic-loop": threads("for (int i = 0; i < 1000; i++) __atomic_fetch_add(&n, 1, 5);", 64),
    "grid-300x300-64-threads": threads(LOCKED.format(SWEEP), 64, GRID),
    "grid-300x300-alone": main(SWEEP + " assert(grid[0][0] == 1);", GRID),
    "endless-counter": main("for (;;) n++;", "static int n;\n"),
    "iterations-1000000": main("for (int i = 0; i < 1000000; i++) n += i & 1; assert(n == 500000);", "static int n;\n"),
    "race-after-10000000": threads("for (volatile int i = 0; i < 10000000; i++) ; n++;", 2),
    "fibonacci-40": main("assert(fib(40) > 0);", FIB),
    "recursion-1000000": main("assert(deep(1000000) == 1000000);", DEEP),
    "recursion-endless": main("assert(deep(-1) == 0);", DEEP),
    "sort-1000": main("for (int i = 0; i < 1000; i++) a[i] = 1000 - i; qsort(a, 1000, sizeof *a, less); assert(a[0] == 1);", COMPARE + "static int a[1000];\n"),
    "initialise-1000000": main("for (int i = 0; i < 1000000; i++) a[i] = i; assert(a[5] == 5);", "static int a[1000000];\n"),
    "copy-64-mebibytes": main("memcpy(a, b, sizeof a); assert(a[5] == 0);", "static char a[1 << 26], b[1 << 26];\n"),
    "set-64-mebibytes": main("memset(a, 1, sizeof a); assert(a[5] == 1);", "static char a[1 << 26];\n"),
    "allocations-100000": main("for (int i = 0; i < 100000; i++) { p[i] = malloc(16); *p[i] = i; } assert(*p[5] == 5);", "static int *p[100000];\n"),
    "list-100000": main("struct c { struct c *next; } *l = 0; for (int i = 0; i < 100000; i++) { struct c *c = malloc(sizeof *c); c->next = l; l = c; } assert(l);"),
    "object-16-gibibytes": main("a[5] = 1; assert(a[5] == 1);", "static char a[1UL << 34];\n"),
    "local-16-mebibytes": main("char a[1 << 24]; a[5] = 1; a[1 << 20] = 2; assert(a[5] == 1);"),
    "designator-2000000000": "static int a[] = {[2000000000] = 3};\n" + main("assert(a[5] == 0);"),
    "macros-doubled-30": "#define M0 1 +\n" + DOUBLED + "int x; int main(void) { x = M30 0; return 0; }\n",
    "printf-9000000": '#include <stdio.h>\nint main(void) { printf("%9000000d", 3); return 0; }\n',
    "switch-20000": main("switch (__VERIFIER_nondet_int()) { " + CASES + " }", NONDET),
    "locals-5000": main(LOCALS, NONDET),
    "lines-40000": LINES + "\n" + main(CALLS, NONDET),
    "choices-32-bits": main("for (int i = 0; i < 20; i++) n ^= __VERIFIER_nondet_int(); assert(n != 12345);", NONDET),
    "multiplied": main("unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong(); assert(a < 2 || b < 2 || a * b != 0xffffffffffffffc5ul);", "unsigned long __VERIFIER_nondet_ulong(void);\n"),
    "locks-1000": threads("for (int i = 0; i < 1000; i++) { pthread_mutex_lock(&l[i]); n++; pthread_mutex_unlock(&l[i]); }", 4, "static pthread_mutex_t l[1000];\n"),
    "timed-waits": threads("struct timespec s; pthread_mutex_lock(&m); while (!n) { clock_gettime(CLOCK_REALTIME, &s); s.tv_sec++; pthread_cond_timedwait(&c, &m, &s); } pthread_mutex_unlock(&m);", 3, "#include <time.h>\nstatic pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"),
    "queue-endless": threads("for (unsigned i = 0;; i++) { pthread_mutex_lock(&m); q[i % 1024] = i; n++; pthread_mutex_unlock(&m); }", 8, "static unsigned q[1024];\n"),
}

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for name, text in PROGRAMS.items():
    (folder / f"{name}.c").write_text(text)
print(len(PROGRAMS), "programs")
