/* The type of every function of the headers we replace. Holds for ours and
   for the system's. */
#define _GNU_SOURCE 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <threads.h>

/* A function keeps its type whether or not a macro hides its name. */
#define FUNCTION(name, result, parameters) \
  _Static_assert (__builtin_types_compatible_p (__typeof__ ((name)), \
                                                result parameters), #name)

/* <pthread.h> */
FUNCTION (pthread_create, int, (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *));
FUNCTION (pthread_exit, void, (void *));
FUNCTION (pthread_join, int, (pthread_t, void **));
FUNCTION (pthread_detach, int, (pthread_t));
FUNCTION (pthread_self, pthread_t, (void));
FUNCTION (pthread_equal, int, (pthread_t, pthread_t));
FUNCTION (pthread_setschedparam, int, (pthread_t, int, const struct sched_param *));
FUNCTION (pthread_getschedparam, int, (pthread_t, int *, struct sched_param *));
FUNCTION (pthread_setschedprio, int, (pthread_t, int));
FUNCTION (pthread_once, int, (pthread_once_t *, void (*)(void)));
FUNCTION (pthread_atfork, int, (void (*)(void), void (*)(void), void (*)(void)));
FUNCTION (pthread_getconcurrency, int, (void));
FUNCTION (pthread_setconcurrency, int, (int));
FUNCTION (pthread_getcpuclockid, int, (pthread_t, clockid_t *));
FUNCTION (pthread_tryjoin_np, int, (pthread_t, void **));
FUNCTION (pthread_timedjoin_np, int, (pthread_t, void **, const struct timespec *));
FUNCTION (pthread_clockjoin_np, int, (pthread_t, void **, clockid_t, const struct timespec *));
FUNCTION (pthread_getname_np, int, (pthread_t, char *, size_t));
FUNCTION (pthread_setname_np, int, (pthread_t, const char *));
FUNCTION (pthread_yield, int, (void));
FUNCTION (pthread_setaffinity_np, int, (pthread_t, size_t, const cpu_set_t *));
FUNCTION (pthread_getaffinity_np, int, (pthread_t, size_t, cpu_set_t *));
FUNCTION (pthread_getattr_default_np, int, (pthread_attr_t *));
FUNCTION (pthread_setattr_default_np, int, (const pthread_attr_t *));
FUNCTION (pthread_getattr_np, int, (pthread_t, pthread_attr_t *));
FUNCTION (pthread_attr_init, int, (pthread_attr_t *));
FUNCTION (pthread_attr_destroy, int, (pthread_attr_t *));
FUNCTION (pthread_attr_getdetachstate, int, (const pthread_attr_t *, int *));
FUNCTION (pthread_attr_setdetachstate, int, (pthread_attr_t *, int));
FUNCTION (pthread_attr_getguardsize, int, (const pthread_attr_t *, size_t *));
FUNCTION (pthread_attr_setguardsize, int, (pthread_attr_t *, size_t));
FUNCTION (pthread_attr_getschedparam, int, (const pthread_attr_t *, struct sched_param *));
FUNCTION (pthread_attr_setschedparam, int, (pthread_attr_t *, const struct sched_param *));
FUNCTION (pthread_attr_getschedpolicy, int, (const pthread_attr_t *, int *));
FUNCTION (pthread_attr_setschedpolicy, int, (pthread_attr_t *, int));
FUNCTION (pthread_attr_getinheritsched, int, (const pthread_attr_t *, int *));
FUNCTION (pthread_attr_setinheritsched, int, (pthread_attr_t *, int));
FUNCTION (pthread_attr_getscope, int, (const pthread_attr_t *, int *));
FUNCTION (pthread_attr_setscope, int, (pthread_attr_t *, int));
FUNCTION (pthread_attr_getstackaddr, int, (const pthread_attr_t *, void **));
FUNCTION (pthread_attr_setstackaddr, int, (pthread_attr_t *, void *));
FUNCTION (pthread_attr_getstacksize, int, (const pthread_attr_t *, size_t *));
FUNCTION (pthread_attr_setstacksize, int, (pthread_attr_t *, size_t));
FUNCTION (pthread_attr_getstack, int, (const pthread_attr_t *, void **, size_t *));
FUNCTION (pthread_attr_setstack, int, (pthread_attr_t *, void *, size_t));
FUNCTION (pthread_attr_setaffinity_np, int, (pthread_attr_t *, size_t, const cpu_set_t *));
FUNCTION (pthread_attr_getaffinity_np, int, (const pthread_attr_t *, size_t, cpu_set_t *));
FUNCTION (pthread_attr_setsigmask_np, int, (pthread_attr_t *, const sigset_t *));
FUNCTION (pthread_attr_getsigmask_np, int, (const pthread_attr_t *, sigset_t *));
FUNCTION (pthread_setcancelstate, int, (int, int *));
FUNCTION (pthread_setcanceltype, int, (int, int *));
FUNCTION (pthread_cancel, int, (pthread_t));
FUNCTION (pthread_testcancel, void, (void));
FUNCTION (pthread_mutex_init, int, (pthread_mutex_t *, const pthread_mutexattr_t *));
FUNCTION (pthread_mutex_destroy, int, (pthread_mutex_t *));
FUNCTION (pthread_mutex_trylock, int, (pthread_mutex_t *));
FUNCTION (pthread_mutex_lock, int, (pthread_mutex_t *));
FUNCTION (pthread_mutex_unlock, int, (pthread_mutex_t *));
FUNCTION (pthread_mutex_getprioceiling, int, (const pthread_mutex_t *, int *));
FUNCTION (pthread_mutex_setprioceiling, int, (pthread_mutex_t *, int, int *));
FUNCTION (pthread_mutex_timedlock, int, (pthread_mutex_t *, const struct timespec *));
FUNCTION (pthread_mutex_consistent, int, (pthread_mutex_t *));
FUNCTION (pthread_mutex_clocklock, int, (pthread_mutex_t *, clockid_t, const struct timespec *));
FUNCTION (pthread_mutex_consistent_np, int, (pthread_mutex_t *));
FUNCTION (pthread_mutexattr_init, int, (pthread_mutexattr_t *));
FUNCTION (pthread_mutexattr_destroy, int, (pthread_mutexattr_t *));
FUNCTION (pthread_mutexattr_getpshared, int, (const pthread_mutexattr_t *, int *));
FUNCTION (pthread_mutexattr_setpshared, int, (pthread_mutexattr_t *, int));
FUNCTION (pthread_mutexattr_getprotocol, int, (const pthread_mutexattr_t *, int *));
FUNCTION (pthread_mutexattr_setprotocol, int, (pthread_mutexattr_t *, int));
FUNCTION (pthread_mutexattr_getprioceiling, int, (const pthread_mutexattr_t *, int *));
FUNCTION (pthread_mutexattr_setprioceiling, int, (pthread_mutexattr_t *, int));
FUNCTION (pthread_mutexattr_gettype, int, (const pthread_mutexattr_t *, int *));
FUNCTION (pthread_mutexattr_settype, int, (pthread_mutexattr_t *, int));
FUNCTION (pthread_mutexattr_getrobust, int, (const pthread_mutexattr_t *, int *));
FUNCTION (pthread_mutexattr_setrobust, int, (pthread_mutexattr_t *, int));
FUNCTION (pthread_mutexattr_getrobust_np, int, (pthread_mutexattr_t *, int *));
FUNCTION (pthread_mutexattr_setrobust_np, int, (pthread_mutexattr_t *, int));
FUNCTION (pthread_rwlock_init, int, (pthread_rwlock_t *, const pthread_rwlockattr_t *));
FUNCTION (pthread_rwlock_destroy, int, (pthread_rwlock_t *));
FUNCTION (pthread_rwlock_rdlock, int, (pthread_rwlock_t *));
FUNCTION (pthread_rwlock_tryrdlock, int, (pthread_rwlock_t *));
FUNCTION (pthread_rwlock_wrlock, int, (pthread_rwlock_t *));
FUNCTION (pthread_rwlock_trywrlock, int, (pthread_rwlock_t *));
FUNCTION (pthread_rwlock_unlock, int, (pthread_rwlock_t *));
FUNCTION (pthread_rwlock_timedrdlock, int, (pthread_rwlock_t *, const struct timespec *));
FUNCTION (pthread_rwlock_timedwrlock, int, (pthread_rwlock_t *, const struct timespec *));
FUNCTION (pthread_rwlock_clockrdlock, int, (pthread_rwlock_t *, clockid_t, const struct timespec *));
FUNCTION (pthread_rwlock_clockwrlock, int, (pthread_rwlock_t *, clockid_t, const struct timespec *));
FUNCTION (pthread_rwlockattr_init, int, (pthread_rwlockattr_t *));
FUNCTION (pthread_rwlockattr_destroy, int, (pthread_rwlockattr_t *));
FUNCTION (pthread_rwlockattr_getpshared, int, (const pthread_rwlockattr_t *, int *));
FUNCTION (pthread_rwlockattr_setpshared, int, (pthread_rwlockattr_t *, int));
FUNCTION (pthread_rwlockattr_getkind_np, int, (const pthread_rwlockattr_t *, int *));
FUNCTION (pthread_rwlockattr_setkind_np, int, (pthread_rwlockattr_t *, int));
FUNCTION (pthread_cond_init, int, (pthread_cond_t *, const pthread_condattr_t *));
FUNCTION (pthread_cond_destroy, int, (pthread_cond_t *));
FUNCTION (pthread_cond_signal, int, (pthread_cond_t *));
FUNCTION (pthread_cond_broadcast, int, (pthread_cond_t *));
FUNCTION (pthread_cond_wait, int, (pthread_cond_t *, pthread_mutex_t *));
FUNCTION (pthread_cond_timedwait, int, (pthread_cond_t *, pthread_mutex_t *, const struct timespec *));
FUNCTION (pthread_cond_clockwait, int, (pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *));
FUNCTION (pthread_condattr_init, int, (pthread_condattr_t *));
FUNCTION (pthread_condattr_destroy, int, (pthread_condattr_t *));
FUNCTION (pthread_condattr_getpshared, int, (const pthread_condattr_t *, int *));
FUNCTION (pthread_condattr_setpshared, int, (pthread_condattr_t *, int));
FUNCTION (pthread_condattr_getclock, int, (const pthread_condattr_t *, clockid_t *));
FUNCTION (pthread_condattr_setclock, int, (pthread_condattr_t *, clockid_t));
FUNCTION (pthread_spin_init, int, (pthread_spinlock_t *, int));
FUNCTION (pthread_spin_destroy, int, (pthread_spinlock_t *));
FUNCTION (pthread_spin_lock, int, (pthread_spinlock_t *));
FUNCTION (pthread_spin_trylock, int, (pthread_spinlock_t *));
FUNCTION (pthread_spin_unlock, int, (pthread_spinlock_t *));
FUNCTION (pthread_barrier_init, int, (pthread_barrier_t *, const pthread_barrierattr_t *, unsigned int));
FUNCTION (pthread_barrier_destroy, int, (pthread_barrier_t *));
FUNCTION (pthread_barrier_wait, int, (pthread_barrier_t *));
FUNCTION (pthread_barrierattr_init, int, (pthread_barrierattr_t *));
FUNCTION (pthread_barrierattr_destroy, int, (pthread_barrierattr_t *));
FUNCTION (pthread_barrierattr_getpshared, int, (const pthread_barrierattr_t *, int *));
FUNCTION (pthread_barrierattr_setpshared, int, (pthread_barrierattr_t *, int));
FUNCTION (pthread_key_create, int, (pthread_key_t *, void (*)(void *)));
FUNCTION (pthread_key_delete, int, (pthread_key_t));
FUNCTION (pthread_getspecific, void *, (pthread_key_t));
FUNCTION (pthread_setspecific, int, (pthread_key_t, const void *));

/* <threads.h> */
FUNCTION (thrd_create, int, (thrd_t *, thrd_start_t, void *));
FUNCTION (thrd_equal, int, (thrd_t, thrd_t));
FUNCTION (thrd_current, thrd_t, (void));
FUNCTION (thrd_sleep, int, (const struct timespec *, struct timespec *));
FUNCTION (thrd_exit, void, (int));
FUNCTION (thrd_detach, int, (thrd_t));
FUNCTION (thrd_join, int, (thrd_t, int *));
FUNCTION (thrd_yield, void, (void));
FUNCTION (mtx_init, int, (mtx_t *, int));
FUNCTION (mtx_lock, int, (mtx_t *));
FUNCTION (mtx_timedlock, int, (mtx_t *, const struct timespec *));
FUNCTION (mtx_trylock, int, (mtx_t *));
FUNCTION (mtx_unlock, int, (mtx_t *));
FUNCTION (mtx_destroy, void, (mtx_t *));
FUNCTION (call_once, void, (once_flag *, void (*)(void)));
FUNCTION (cnd_init, int, (cnd_t *));
FUNCTION (cnd_signal, int, (cnd_t *));
FUNCTION (cnd_broadcast, int, (cnd_t *));
FUNCTION (cnd_wait, int, (cnd_t *, mtx_t *));
FUNCTION (cnd_timedwait, int, (cnd_t *, mtx_t *, const struct timespec *));
FUNCTION (cnd_destroy, void, (cnd_t *));
FUNCTION (tss_create, int, (tss_t *, tss_dtor_t));
FUNCTION (tss_get, void *, (tss_t));
FUNCTION (tss_set, int, (tss_t, void *));
FUNCTION (tss_delete, void, (tss_t));

/* <semaphore.h> */
FUNCTION (sem_init, int, (sem_t *, int, unsigned int));
FUNCTION (sem_destroy, int, (sem_t *));
FUNCTION (sem_open, sem_t *, (const char *, int, ...));
FUNCTION (sem_close, int, (sem_t *));
FUNCTION (sem_unlink, int, (const char *));
FUNCTION (sem_wait, int, (sem_t *));
FUNCTION (sem_trywait, int, (sem_t *));
FUNCTION (sem_post, int, (sem_t *));
FUNCTION (sem_getvalue, int, (sem_t *, int *));
FUNCTION (sem_timedwait, int, (sem_t *, const struct timespec *));
FUNCTION (sem_clockwait, int, (sem_t *, clockid_t, const struct timespec *));

/* <stdatomic.h> */
FUNCTION (atomic_thread_fence, void, (memory_order));
FUNCTION (atomic_signal_fence, void, (memory_order));
FUNCTION (atomic_flag_test_and_set, _Bool, (volatile atomic_flag *));
FUNCTION (atomic_flag_test_and_set_explicit, _Bool, (volatile atomic_flag *, memory_order));
FUNCTION (atomic_flag_clear, void, (volatile atomic_flag *));
FUNCTION (atomic_flag_clear_explicit, void, (volatile atomic_flag *, memory_order));

/* <assert.h> */
FUNCTION (__assert_fail, void, (const char *, const char *, unsigned int, const char *));
FUNCTION (__assert_perror_fail, void, (int, const char *, unsigned int, const char *));
FUNCTION (__assert, void, (const char *, const char *, int));

/* <signal.h> */
FUNCTION (pthread_sigmask, int, (int, const sigset_t *, sigset_t *));
FUNCTION (pthread_kill, int, (pthread_t, int));
FUNCTION (pthread_sigqueue, int, (pthread_t, int, const union sigval));
