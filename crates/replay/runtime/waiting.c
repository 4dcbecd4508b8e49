/* Condition variables, semaphores, barriers, once controls. */
#define _GNU_SOURCE
#include "locks.h"

#include <errno.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

/* A sleeper and the mutex that it takes again. */
struct sleeper {
    struct sv_thread *thread;
    struct lock *mutex;
};

static int can_wake(void *argument)
{
    struct sleeper *sleeper = argument;
    return sleeper->thread->is_woken && (sv_is_free(sleeper->mutex) || sleeper->mutex->owner == sv_me());
}

/* Releases the mutex and sleeps. The schedule may have a sleeper wake up without cause, or at the end of its time; where
 * it says nothing, only a signal wakes it. */
static int sleep_on(void *condition, struct lock *mutex, int timed_out, const char *name, const void *pc)
{
    struct sv_thread *self = &sv_threads[sv_self()];
    void *object = (void *)mutex->address;
    sv_turn_at(condition, object, 0, name, pc);
    if (mutex->owner != sv_me())
        return EPERM;
    self->sleeps_on = (uintptr_t)condition;
    self->is_woken = 0;
    /* Of a recursive mutex, one level. */
    sv_give_up(mutex);
    struct sleeper sleeper = {self, mutex};
    self->is_blocked = 1;
    self->waits_in = name;
    const struct sv_event *event = sv_turn_at(condition, object, 0, name, pc);
    int answer = 0;
    if (event) {
        answer = !self->is_woken && timed_out && event->value == (unsigned)timed_out ? timed_out : 0;
        self->is_woken = 1;
    }
    sv_wait(can_wake, &sleeper, name, pc);
    self->sleeps_on = 0;
    SV_ACQUIRED(condition);
    sv_take(mutex, name, pc);
    return answer;
}

static void wake(void *condition, int is_all, const char *name, const void *pc)
{
    const struct sv_event *event = sv_turn_of(condition, name, pc);
    int whom = event && event->value ? (int)event->value - 1 : -1;
    SV_RELEASES(condition);
    for (int thread = 0; thread < SV_THREADS; thread++) {
        struct sv_thread *other = &sv_threads[thread];
        if (other->sleeps_on != (uintptr_t)condition || other->is_woken || (!is_all && whom >= 0 && whom != thread))
            continue;
        other->is_woken = 1;
        if (!is_all)
            return;
    }
}

OURS(int, pthread_cond_init, pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
    (void)attributes;
    sv_turn_at(condition, NULL, 1, "pthread_cond_init", SV_PC);
    return 0;
}
OURS(int, pthread_cond_destroy, pthread_cond_t *condition)
{
    sv_turn_at(condition, NULL, 1, "pthread_cond_destroy", SV_PC);
    return 0;
}
OURS(int, pthread_cond_wait, pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    return sleep_on(condition, sv_mutex_of(mutex), 0, "pthread_cond_wait", SV_PC);
}
OURS(int, pthread_cond_timedwait, pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
    (void)until;
    return sleep_on(condition, sv_mutex_of(mutex), ETIMEDOUT, "pthread_cond_timedwait", SV_PC);
}
OURS(int, pthread_cond_signal, pthread_cond_t *condition)
{
    wake(condition, 0, "pthread_cond_signal", SV_PC);
    return 0;
}
OURS(int, pthread_cond_broadcast, pthread_cond_t *condition)
{
    wake(condition, 1, "pthread_cond_broadcast", SV_PC);
    return 0;
}
OURS(int, cnd_init, cnd_t *condition)
{
    sv_turn_at(condition, NULL, 1, "cnd_init", SV_PC);
    return thrd_success;
}
OURS(void, cnd_destroy, cnd_t *condition) { sv_turn_at(condition, NULL, 1, "cnd_destroy", SV_PC); }
OURS(int, cnd_wait, cnd_t *condition, mtx_t *mutex)
{
    return sleep_on(condition, sv_lock_of(mutex), 0, "cnd_wait", SV_PC) ? thrd_error : thrd_success;
}
OURS(int, cnd_timedwait, cnd_t *condition, mtx_t *mutex, const struct timespec *until)
{
    (void)until;
    return sleep_on(condition, sv_lock_of(mutex), thrd_timedout, "cnd_timedwait", SV_PC);
}
OURS(int, cnd_signal, cnd_t *condition)
{
    wake(condition, 0, "cnd_signal", SV_PC);
    return thrd_success;
}
OURS(int, cnd_broadcast, cnd_t *condition)
{
    wake(condition, 1, "cnd_broadcast", SV_PC);
    return thrd_success;
}

/* Semaphores. */

static int has_count(void *lock) { return ((struct lock *)lock)->count > 0; }

OURS(int, sem_init, sem_t *semaphore, int shared, unsigned count)
{
    (void)shared;
    sv_turn_at(semaphore, NULL, 1, "sem_init", SV_PC);
    sv_reset(semaphore)->count = count;
    return 0;
}
OURS(int, sem_destroy, sem_t *semaphore)
{
    sv_turn_at(semaphore, NULL, 1, "sem_destroy", SV_PC);
    return 0;
}
OURS(int, sem_wait, sem_t *semaphore)
{
    sv_turn_of(semaphore, "sem_wait", SV_PC);
    sv_wait(has_count, sv_lock_of(semaphore), "sem_wait", SV_PC);
    SV_ACQUIRED(semaphore);
    sv_lock_of(semaphore)->count--;
    return 0;
}
static int try_semaphore(sem_t *semaphore, int error, const char *name, const void *pc)
{
    sv_turn_of(semaphore, name, pc);
    if (!has_count(sv_lock_of(semaphore))) {
        errno = error;
        return -1;
    }
    SV_ACQUIRED(semaphore);
    sv_lock_of(semaphore)->count--;
    return 0;
}
OURS(int, sem_trywait, sem_t *semaphore) { return try_semaphore(semaphore, EAGAIN, "sem_trywait", SV_PC); }
OURS(int, sem_timedwait, sem_t *semaphore, const struct timespec *until)
{
    (void)until;
    return try_semaphore(semaphore, ETIMEDOUT, "sem_timedwait", SV_PC);
}
OURS(int, sem_post, sem_t *semaphore)
{
    sv_turn_of(semaphore, "sem_post", SV_PC);
    SV_RELEASES(semaphore);
    sv_lock_of(semaphore)->count++;
    return 0;
}
OURS(int, sem_getvalue, sem_t *semaphore, int *count)
{
    sv_turn_of(semaphore, "sem_getvalue", SV_PC);
    *count = (int)sv_lock_of(semaphore)->count;
    return 0;
}

/* Barriers. */

static int is_awake(void *thread) { return ((struct sv_thread *)thread)->is_woken; }

OURS(int, pthread_barrier_init, pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count)
{
    (void)attributes;
    if (count == 0)
        return EINVAL;
    sv_turn_at(barrier, NULL, 1, "pthread_barrier_init", SV_PC);
    sv_reset(barrier)->threshold = count;
    return 0;
}
OURS(int, pthread_barrier_destroy, pthread_barrier_t *barrier)
{
    sv_turn_at(barrier, NULL, 1, "pthread_barrier_destroy", SV_PC);
    return 0;
}
OURS(int, pthread_barrier_wait, pthread_barrier_t *barrier)
{
    struct lock *lock = sv_lock_of(barrier);
    struct sv_thread *self = &sv_threads[sv_self()];
    sv_turn_of(barrier, "pthread_barrier_wait", SV_PC);
    SV_RELEASES(barrier);
    if (++lock->count >= lock->threshold) {
        lock->count = 0;
        for (int thread = 0; thread < SV_THREADS; thread++)
            if (sv_threads[thread].sleeps_on == (uintptr_t)barrier)
                sv_threads[thread].is_woken = 1;
        SV_ACQUIRED(barrier);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    self->sleeps_on = (uintptr_t)barrier;
    self->is_woken = 0;
    self->is_blocked = 1;
    self->waits_in = "pthread_barrier_wait";
    sv_turn_at(barrier, self, 0, "pthread_barrier_wait", SV_PC);
    sv_wait(is_awake, self, "pthread_barrier_wait", SV_PC);
    self->sleeps_on = 0;
    SV_ACQUIRED(barrier);
    return 0;
}

/* Once controls. */

static int is_settled(void *lock) { return ((struct lock *)lock)->once != 1; }

static void once(void *control, void (*routine)(void), const char *name, const void *pc)
{
    struct lock *lock = sv_lock_of(control);
    sv_turn_of(control, name, pc);
    sv_wait(is_settled, lock, name, pc);
    if (lock->once == 0) {
        lock->once = 1;
        routine();
        sv_turn_of(control, name, pc);
        SV_RELEASES(control);
        lock->once = 2;
    } else {
        SV_ACQUIRED(control);
    }
}

OURS(int, pthread_once, pthread_once_t *control, void (*routine)(void))
{
    once(control, routine, "pthread_once", SV_PC);
    return 0;
}
OURS(void, call_once, once_flag *control, void (*routine)(void)) { once(control, routine, "call_once", SV_PC); }
