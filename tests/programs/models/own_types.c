// Models go by name and work whatever types the program declares, as preprocessed files and programs with stubs do.
typedef unsigned long int pthread_t;
struct __pthread_mutex_s {
    int lock;
    unsigned count;
    int owner;
#if __SIZEOF_LONG__ == 8
    unsigned users;
#endif
    int __kind;
};
typedef union { struct __pthread_mutex_s __data; char __size[40]; long __align; } pthread_mutex_t;
typedef union { char size[48]; long long align; } pthread_cond_t;
typedef union { char size[4]; int align; } pthread_mutexattr_t;

extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock();
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
extern int pthread_mutexattr_init(pthread_mutexattr_t *), pthread_mutexattr_settype(pthread_mutexattr_t *, int);
extern const unsigned short **__ctype_b_loc(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((__noreturn__));
extern int *__errno_location(void);

static pthread_mutex_t m = { { 0 } };
static int shared;

#if CASE == 0
static void *add(void *unused)
{
    pthread_mutex_lock(&m);
    shared++;
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    ((shared == 2) ? (void)0 : __assert_fail("shared == 2", "f.c", 1, "main"));
    *__errno_location() = 3;
    return (*__ctype_b_loc())['7'] & 2048 ? *__errno_location() : 1; // EXPECT[0]: exit 3
}
#elif CASE == 1
int main(void)
{
    shared == 1 ? (void)0 : __assert_fail("shared == 1", "f.c", 1, "main"); // EXPECT[1]: assertion
}
#elif CASE == 2
// The kind of a recursive mutex that is initialised by the C library's own macro.
static pthread_mutex_t r = { { .__kind = 1 } };
int main(void)
{
    pthread_mutex_lock(&r);
    pthread_mutex_lock(&r);
    pthread_mutex_unlock(&r);
    return pthread_mutex_unlock(&r); // EXPECT[2]: exit 0
}
#elif CASE == 3
// An error function counts even if the program defines it to do nothing.
void reach_error(void) {}
int main(void)
{
    reach_error(); // EXPECT[3]: assertion
}
#elif CASE == 4
// What the program defines is its own, even under a library's name.
int abs(int n)
{
    return n + 1;
}
void *memcpy(void *to, const void *from, unsigned long size)
{
    shared = (int)size;
    return to;
}
int main(void)
{
    char a[4] = "abc", b[4] = "xyz";
    memcpy(a, b, 3);
    return 10 * abs(-3) + shared + 30 * (a[0] == 'a'); // EXPECT[4]: exit 13
}
#endif
