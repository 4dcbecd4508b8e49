/* Selvedge's <threads.h>: C11 threads as opaque types and plain
   declarations. */

#ifndef _THREADS_H
#define _THREADS_H 1

#include <features.h>
#include <time.h>
#include <bits/types/struct_timespec.h>

#ifndef __cplusplus
# define thread_local _Thread_local
#endif

#define TSS_DTOR_ITERATIONS 4
#define ONCE_FLAG_INIT { 0 }

typedef unsigned int tss_t;
typedef void (*tss_dtor_t) (void *);
typedef unsigned long int thrd_t;
typedef int (*thrd_start_t) (void *);
typedef struct { int __selvedge_state; } once_flag;

#include <bits/selvedge-locks.h>

/* Laid out as pthread_mutex_t and pthread_cond_t are. */
typedef struct __SELVEDGE_MUTEX mtx_t;
typedef struct __SELVEDGE_CONDITION cnd_t;

enum
{
  thrd_success = 0,
  thrd_busy = 1,
  thrd_error = 2,
  thrd_nomem = 3,
  thrd_timedout = 4
};

enum
{
  mtx_plain = 0,
  mtx_recursive = 1,
  mtx_timed = 2
};

extern int thrd_create (thrd_t *__tid, thrd_start_t __start, void *__arg);
extern int thrd_equal (thrd_t __left, thrd_t __right);
extern thrd_t thrd_current (void);
extern int thrd_sleep (const struct timespec *__duration,
                       struct timespec *__remaining);
extern void thrd_exit (int __result) __attribute__ ((__noreturn__));
extern int thrd_detach (thrd_t __tid);
extern int thrd_join (thrd_t __tid, int *__result);
extern void thrd_yield (void);

extern int mtx_init (mtx_t *__mutex, int __type);
extern int mtx_lock (mtx_t *__mutex);
extern int mtx_timedlock (mtx_t *__restrict __mutex,
                          const struct timespec *__restrict __abstime);
extern int mtx_trylock (mtx_t *__mutex);
extern int mtx_unlock (mtx_t *__mutex);
extern void mtx_destroy (mtx_t *__mutex);

extern void call_once (once_flag *__flag, void (*__routine) (void));

extern int cnd_init (cnd_t *__cond);
extern int cnd_signal (cnd_t *__cond);
extern int cnd_broadcast (cnd_t *__cond);
extern int cnd_wait (cnd_t *__cond, mtx_t *__mutex);
extern int cnd_timedwait (cnd_t *__restrict __cond, mtx_t *__restrict __mutex,
                          const struct timespec *__restrict __abstime);
extern void cnd_destroy (cnd_t *__cond);

extern int tss_create (tss_t *__key, tss_dtor_t __destructor);
extern void *tss_get (tss_t __key);
extern int tss_set (tss_t __key, void *__value);
extern void tss_delete (tss_t __key);

#endif
