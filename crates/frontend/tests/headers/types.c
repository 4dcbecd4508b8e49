/* Every type and constant of the headers we replace: sizes, alignments and
   values. Holds for ours and for the system's, on x86. */
#define _GNU_SOURCE 1
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>

#if defined __x86_64__
# define WIDE(wide, narrow) wide
#else
# define WIDE(wide, narrow) narrow
#endif

#define LAYOUT(type, size, align) \
  _Static_assert (sizeof (type) == (size), "size of " #type); \
  _Static_assert (_Alignof (type) == (align), "alignment of " #type)
#define SAME(type, other) \
  _Static_assert (__builtin_types_compatible_p (type, other), #type)
#define VALUE(name, value) _Static_assert ((name) == (value), #name)

/* <pthread.h> */
SAME (pthread_t, unsigned long);
SAME (pthread_key_t, unsigned int);
SAME (pthread_once_t, int);
SAME (pthread_spinlock_t, volatile int);
SAME (pthread_attr_t, union pthread_attr_t);
LAYOUT (pthread_attr_t, WIDE (56, 36), WIDE (8, 4));
LAYOUT (pthread_mutex_t, WIDE (40, 24), WIDE (8, 4));
LAYOUT (pthread_mutexattr_t, 4, 4);
LAYOUT (pthread_cond_t, 48, WIDE (8, 4));
LAYOUT (pthread_condattr_t, 4, 4);
LAYOUT (pthread_rwlock_t, WIDE (56, 32), WIDE (8, 4));
LAYOUT (pthread_rwlockattr_t, 8, WIDE (8, 4));
LAYOUT (pthread_barrier_t, WIDE (32, 20), WIDE (8, 4));
LAYOUT (pthread_barrierattr_t, 4, 4);

VALUE (PTHREAD_CREATE_JOINABLE, 0);
VALUE (PTHREAD_CREATE_DETACHED, 1);
VALUE (PTHREAD_MUTEX_TIMED_NP, 0);
VALUE (PTHREAD_MUTEX_RECURSIVE_NP, 1);
VALUE (PTHREAD_MUTEX_ERRORCHECK_NP, 2);
VALUE (PTHREAD_MUTEX_ADAPTIVE_NP, 3);
VALUE (PTHREAD_MUTEX_NORMAL, 0);
VALUE (PTHREAD_MUTEX_RECURSIVE, 1);
VALUE (PTHREAD_MUTEX_ERRORCHECK, 2);
VALUE (PTHREAD_MUTEX_DEFAULT, 0);
VALUE (PTHREAD_MUTEX_FAST_NP, 0);
VALUE (PTHREAD_MUTEX_STALLED, 0);
VALUE (PTHREAD_MUTEX_STALLED_NP, 0);
VALUE (PTHREAD_MUTEX_ROBUST, 1);
VALUE (PTHREAD_MUTEX_ROBUST_NP, 1);
VALUE (PTHREAD_PRIO_NONE, 0);
VALUE (PTHREAD_PRIO_INHERIT, 1);
VALUE (PTHREAD_PRIO_PROTECT, 2);
VALUE (PTHREAD_RWLOCK_PREFER_READER_NP, 0);
VALUE (PTHREAD_RWLOCK_PREFER_WRITER_NP, 1);
VALUE (PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP, 2);
VALUE (PTHREAD_RWLOCK_DEFAULT_NP, 0);
VALUE (PTHREAD_INHERIT_SCHED, 0);
VALUE (PTHREAD_EXPLICIT_SCHED, 1);
VALUE (PTHREAD_SCOPE_SYSTEM, 0);
VALUE (PTHREAD_SCOPE_PROCESS, 1);
VALUE (PTHREAD_PROCESS_PRIVATE, 0);
VALUE (PTHREAD_PROCESS_SHARED, 1);
VALUE (PTHREAD_CANCEL_ENABLE, 0);
VALUE (PTHREAD_CANCEL_DISABLE, 1);
VALUE (PTHREAD_CANCEL_DEFERRED, 0);
VALUE (PTHREAD_CANCEL_ASYNCHRONOUS, 1);
VALUE (PTHREAD_ONCE_INIT, 0);
VALUE (PTHREAD_BARRIER_SERIAL_THREAD, -1);
VALUE (PTHREAD_ATTR_NO_SIGMASK_NP, -1);
SAME (__typeof__ (PTHREAD_CANCELED), void *);

/* Some names must be visible to the preprocessor. */
#if !defined PTHREAD_CREATE_JOINABLE || !defined PTHREAD_CREATE_DETACHED \
  || !defined PTHREAD_INHERIT_SCHED || !defined PTHREAD_EXPLICIT_SCHED \
  || !defined PTHREAD_SCOPE_SYSTEM || !defined PTHREAD_SCOPE_PROCESS \
  || !defined PTHREAD_PROCESS_PRIVATE || !defined PTHREAD_PROCESS_SHARED \
  || !defined PTHREAD_CANCEL_ENABLE || !defined PTHREAD_CANCEL_DISABLE \
  || !defined PTHREAD_CANCEL_DEFERRED || !defined PTHREAD_STACK_MIN \
  || !defined PTHREAD_CANCEL_ASYNCHRONOUS || !defined pthread_cleanup_push \
  || !defined pthread_cleanup_pop || !defined pthread_cleanup_push_defer_np \
  || !defined pthread_cleanup_pop_restore_np
# error "a macro of <pthread.h> is missing"
#endif

pthread_mutex_t mutexes[] = {
  PTHREAD_MUTEX_INITIALIZER,
  PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
  PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,
  PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP,
};
pthread_rwlock_t rwlocks[] = {
  PTHREAD_RWLOCK_INITIALIZER,
  PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP,
};
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
pthread_once_t once = PTHREAD_ONCE_INIT;

static void handler (void *arg) { (void) arg; }

int
cleanup (void *arg, pthread_mutex_t *fresh)
{
  *fresh = (pthread_mutex_t) PTHREAD_MUTEX_INITIALIZER;
  pthread_cleanup_push (handler, arg);
  pthread_cleanup_push_defer_np (handler, arg);
  if (arg)
    goto out;
out:
  pthread_cleanup_pop_restore_np (0);
  pthread_cleanup_pop (arg != NULL);
  return 0;
}

/* <semaphore.h> */
LAYOUT (sem_t, WIDE (32, 16), WIDE (8, 4));
SAME (__typeof__ (SEM_FAILED), sem_t *);

/* <threads.h> */
SAME (thrd_t, unsigned long);
SAME (tss_t, unsigned int);
SAME (tss_dtor_t, void (*) (void *));
SAME (thrd_start_t, int (*) (void *));
LAYOUT (mtx_t, WIDE (40, 24), WIDE (8, 4));
LAYOUT (cnd_t, 48, WIDE (8, 4));
LAYOUT (once_flag, 4, 4);
VALUE (thrd_success, 0);
VALUE (thrd_busy, 1);
VALUE (thrd_error, 2);
VALUE (thrd_nomem, 3);
VALUE (thrd_timedout, 4);
VALUE (mtx_plain, 0);
VALUE (mtx_recursive, 1);
VALUE (mtx_timed, 2);
VALUE (TSS_DTOR_ITERATIONS, 4);
once_flag flag = ONCE_FLAG_INIT;
thread_local int local;

/* <stdatomic.h> */
#define ATOMIC(name, type) SAME (name, _Atomic (type))
ATOMIC (atomic_bool, _Bool);
ATOMIC (atomic_char, char);
ATOMIC (atomic_schar, signed char);
ATOMIC (atomic_uchar, unsigned char);
ATOMIC (atomic_short, short);
ATOMIC (atomic_ushort, unsigned short);
ATOMIC (atomic_int, int);
ATOMIC (atomic_uint, unsigned int);
ATOMIC (atomic_long, long);
ATOMIC (atomic_ulong, unsigned long);
ATOMIC (atomic_llong, long long);
ATOMIC (atomic_ullong, unsigned long long);
ATOMIC (atomic_char16_t, __CHAR16_TYPE__);
ATOMIC (atomic_char32_t, __CHAR32_TYPE__);
ATOMIC (atomic_wchar_t, __WCHAR_TYPE__);
ATOMIC (atomic_int_least8_t, __INT_LEAST8_TYPE__);
ATOMIC (atomic_uint_least8_t, __UINT_LEAST8_TYPE__);
ATOMIC (atomic_int_least16_t, __INT_LEAST16_TYPE__);
ATOMIC (atomic_uint_least16_t, __UINT_LEAST16_TYPE__);
ATOMIC (atomic_int_least32_t, __INT_LEAST32_TYPE__);
ATOMIC (atomic_uint_least32_t, __UINT_LEAST32_TYPE__);
ATOMIC (atomic_int_least64_t, __INT_LEAST64_TYPE__);
ATOMIC (atomic_uint_least64_t, __UINT_LEAST64_TYPE__);
ATOMIC (atomic_int_fast8_t, __INT_FAST8_TYPE__);
ATOMIC (atomic_uint_fast8_t, __UINT_FAST8_TYPE__);
ATOMIC (atomic_int_fast16_t, __INT_FAST16_TYPE__);
ATOMIC (atomic_uint_fast16_t, __UINT_FAST16_TYPE__);
ATOMIC (atomic_int_fast32_t, __INT_FAST32_TYPE__);
ATOMIC (atomic_uint_fast32_t, __UINT_FAST32_TYPE__);
ATOMIC (atomic_int_fast64_t, __INT_FAST64_TYPE__);
ATOMIC (atomic_uint_fast64_t, __UINT_FAST64_TYPE__);
ATOMIC (atomic_intptr_t, __INTPTR_TYPE__);
ATOMIC (atomic_uintptr_t, __UINTPTR_TYPE__);
ATOMIC (atomic_size_t, __SIZE_TYPE__);
ATOMIC (atomic_ptrdiff_t, __PTRDIFF_TYPE__);
ATOMIC (atomic_intmax_t, __INTMAX_TYPE__);
ATOMIC (atomic_uintmax_t, __UINTMAX_TYPE__);
LAYOUT (atomic_flag, 1, 1);
LAYOUT (memory_order, 4, 4);
VALUE (memory_order_relaxed, 0);
VALUE (memory_order_consume, 1);
VALUE (memory_order_acquire, 2);
VALUE (memory_order_release, 3);
VALUE (memory_order_acq_rel, 4);
VALUE (memory_order_seq_cst, 5);
#if ATOMIC_BOOL_LOCK_FREE != 2 || ATOMIC_CHAR_LOCK_FREE != 2 \
  || ATOMIC_CHAR16_T_LOCK_FREE != 2 || ATOMIC_CHAR32_T_LOCK_FREE != 2 \
  || ATOMIC_WCHAR_T_LOCK_FREE != 2 || ATOMIC_SHORT_LOCK_FREE != 2 \
  || ATOMIC_INT_LOCK_FREE != 2 || ATOMIC_LONG_LOCK_FREE != 2 \
  || ATOMIC_LLONG_LOCK_FREE != 2 || ATOMIC_POINTER_LOCK_FREE != 2
# error "a lock-free macro of <stdatomic.h> is missing"
#endif
atomic_flag spin = ATOMIC_FLAG_INIT;
atomic_int counter = ATOMIC_VAR_INIT (3);
int depend (int value) { return kill_dependency (value); }

/* <assert.h> */
static_assert (sizeof (char) == 1, "char");
int
assertions (int *pointer, double number)
{
  int done = (assert (pointer), 1);
  assert_perror (0);
  pointer ? assert (number) : assert (!number && done);
  return done;
}
