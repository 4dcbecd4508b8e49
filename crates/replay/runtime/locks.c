/* Locks of all kinds, condition variables, semaphores, barriers: what they do is done here, by their addresses, so that
 * nobody waits but where the schedule says. */
#define _GNU_SOURCE
#include "locks.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

#define LOCKS 4096

static struct lock locks[LOCKS];

static struct lock *state_of(const volatile void *object, int *is_new)
{
    for (int at = 0; at < LOCKS; at++) {
        if (locks[at].address == (uintptr_t)object)
            return &locks[at];
        if (!locks[at].address) {
            locks[at].address = (uintptr_t)object;
            if (is_new)
                *is_new = 1;
            return &locks[at];
        }
    }
    sv_not_reproduced("the program has more than %d locks", LOCKS);
}

struct lock *sv_lock_of(const volatile void *object) { return state_of(object, NULL); }

struct lock *sv_reset(const volatile void *object)
{
    struct lock *lock = sv_lock_of(object);
    *lock = (struct lock){.address = (uintptr_t)object};
    return lock;
}

struct lock *sv_mutex_of(pthread_mutex_t *mutex)
{
    int is_new = 0;
    struct lock *lock = state_of(mutex, &is_new);
    if (is_new) {
#ifdef __GLIBC__
        lock->is_recursive = (mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE;
        lock->is_checking = (mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK;
#endif
    }
    return lock;
}

const struct sv_event *sv_turn_at(const volatile void *object, const volatile void *other, int is_plain,
                                      const char *name, const void *pc)
{
    struct sv_operation operation = {
        .kind = SV_LOCK, .is_write = 1, .is_atomic = !is_plain, .ranges = other ? 2 : 1,
        .range = {{(uintptr_t)object, 0}, {(uintptr_t)other, 0}}, .pc = pc, .name = name,
    };
    return sv_turn(&operation);
}

int sv_is_free(void *lock) { return ((struct lock *)lock)->owner == 0 && ((struct lock *)lock)->readers == 0; }

int sv_take(struct lock *lock, const char *name, const void *pc)
{
    if (lock->owner == sv_me() && lock->is_recursive) {
        lock->depth++;
        return 0;
    }
    if (lock->owner == sv_me() && lock->is_checking)
        return EDEADLK;
    sv_wait(sv_is_free, lock, name, pc);
    SV_ACQUIRED(lock->address);
    lock->owner = sv_me();
    lock->depth = 1;
    return 0;
}

static int try(struct lock *lock)
{
    if (lock->owner == sv_me() && lock->is_recursive) {
        lock->depth++;
        return 0;
    }
    if (!sv_is_free(lock))
        return EBUSY;
    SV_ACQUIRED(lock->address);
    lock->owner = sv_me();
    lock->depth = 1;
    return 0;
}

int sv_give_up(struct lock *lock)
{
    if (lock->owner != sv_me())
        return EPERM;
    if (--lock->depth > 0)
        return 0;
    SV_RELEASES(lock->address);
    lock->owner = 0;
    return 0;
}

/* Mutexes. */

OURS(int, pthread_mutex_init, pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    int kind = PTHREAD_MUTEX_DEFAULT;
    sv_turn_at(mutex, NULL, 1, "pthread_mutex_init", SV_PC);
    if (attributes)
        pthread_mutexattr_gettype(attributes, &kind);
    struct lock *lock = sv_reset(mutex);
    lock->is_recursive = kind == PTHREAD_MUTEX_RECURSIVE;
    lock->is_checking = kind == PTHREAD_MUTEX_ERRORCHECK;
    return 0;
}
OURS(int, pthread_mutex_destroy, pthread_mutex_t *mutex)
{
    sv_turn_at(mutex, NULL, 1, "pthread_mutex_destroy", SV_PC);
    return 0;
}
OURS(int, pthread_mutex_lock, pthread_mutex_t *mutex)
{
    sv_turn_of(mutex, "pthread_mutex_lock", SV_PC);
    return sv_take(sv_mutex_of(mutex), "pthread_mutex_lock", SV_PC);
}
OURS(int, pthread_mutex_trylock, pthread_mutex_t *mutex)
{
    sv_turn_of(mutex, "pthread_mutex_trylock", SV_PC);
    return try(sv_mutex_of(mutex));
}
OURS(int, pthread_mutex_timedlock, pthread_mutex_t *mutex, const struct timespec *until)
{
    (void)until;
    sv_turn_of(mutex, "pthread_mutex_timedlock", SV_PC);
    return try(sv_mutex_of(mutex)) ? ETIMEDOUT : 0;
}
OURS(int, pthread_mutex_unlock, pthread_mutex_t *mutex)
{
    sv_turn_of(mutex, "pthread_mutex_unlock", SV_PC);
    return sv_give_up(sv_mutex_of(mutex));
}
OURS(int, mtx_init, mtx_t *mutex, int kind)
{
    sv_turn_at(mutex, NULL, 1, "mtx_init", SV_PC);
    sv_reset(mutex)->is_recursive = (kind & mtx_recursive) != 0;
    return thrd_success;
}
OURS(void, mtx_destroy, mtx_t *mutex) { sv_turn_at(mutex, NULL, 1, "mtx_destroy", SV_PC); }
OURS(int, mtx_lock, mtx_t *mutex)
{
    sv_turn_of(mutex, "mtx_lock", SV_PC);
    return sv_take(sv_lock_of(mutex), "mtx_lock", SV_PC) ? thrd_error : thrd_success;
}
OURS(int, mtx_trylock, mtx_t *mutex)
{
    sv_turn_of(mutex, "mtx_trylock", SV_PC);
    return try(sv_lock_of(mutex)) ? thrd_busy : thrd_success;
}
OURS(int, mtx_timedlock, mtx_t *mutex, const struct timespec *until)
{
    (void)until;
    sv_turn_of(mutex, "mtx_timedlock", SV_PC);
    return try(sv_lock_of(mutex)) ? thrd_timedout : thrd_success;
}
OURS(int, mtx_unlock, mtx_t *mutex)
{
    sv_turn_of(mutex, "mtx_unlock", SV_PC);
    return sv_give_up(sv_lock_of(mutex)) ? thrd_error : thrd_success;
}

/* Spin locks. */

OURS(int, pthread_spin_init, pthread_spinlock_t *lock, int shared)
{
    (void)shared;
    sv_turn_at(lock, NULL, 1, "pthread_spin_init", SV_PC);
    sv_reset(lock);
    return 0;
}
OURS(int, pthread_spin_destroy, pthread_spinlock_t *lock)
{
    sv_turn_at(lock, NULL, 1, "pthread_spin_destroy", SV_PC);
    return 0;
}
OURS(int, pthread_spin_lock, pthread_spinlock_t *lock)
{
    sv_turn_of(lock, "pthread_spin_lock", SV_PC);
    return sv_take(sv_lock_of(lock), "pthread_spin_lock", SV_PC);
}
OURS(int, pthread_spin_trylock, pthread_spinlock_t *lock)
{
    sv_turn_of(lock, "pthread_spin_trylock", SV_PC);
    return try(sv_lock_of(lock));
}
OURS(int, pthread_spin_unlock, pthread_spinlock_t *lock)
{
    sv_turn_of(lock, "pthread_spin_unlock", SV_PC);
    return sv_give_up(sv_lock_of(lock));
}

/* Read-write locks. */

static int has_no_writer(void *lock) { return ((struct lock *)lock)->owner == 0; }

OURS(int, pthread_rwlock_init, pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
    (void)attributes;
    sv_turn_at(lock, NULL, 1, "pthread_rwlock_init", SV_PC);
    sv_reset(lock);
    return 0;
}
OURS(int, pthread_rwlock_destroy, pthread_rwlock_t *lock)
{
    sv_turn_at(lock, NULL, 1, "pthread_rwlock_destroy", SV_PC);
    return 0;
}
static int read_lock(pthread_rwlock_t *object, int is_patient, int otherwise, const char *name, const void *pc)
{
    sv_turn_of(object, name, pc);
    struct lock *lock = sv_lock_of(object);
    if (!is_patient && !has_no_writer(lock))
        return otherwise;
    if (lock->owner == sv_me())
        return EDEADLK;
    sv_wait(has_no_writer, lock, name, pc);
    SV_ACQUIRED(object);
    lock->readers++;
    return 0;
}
static int write_lock(pthread_rwlock_t *object, int is_patient, int otherwise, const char *name, const void *pc)
{
    sv_turn_of(object, name, pc);
    struct lock *lock = sv_lock_of(object);
    if (!is_patient && !sv_is_free(lock))
        return otherwise;
    if (lock->owner == sv_me())
        return EDEADLK;
    return sv_take(lock, name, pc);
}
OURS(int, pthread_rwlock_rdlock, pthread_rwlock_t *lock)
{
    return read_lock(lock, 1, 0, "pthread_rwlock_rdlock", SV_PC);
}
OURS(int, pthread_rwlock_tryrdlock, pthread_rwlock_t *lock)
{
    return read_lock(lock, 0, EBUSY, "pthread_rwlock_tryrdlock", SV_PC);
}
OURS(int, pthread_rwlock_timedrdlock, pthread_rwlock_t *lock, const struct timespec *until)
{
    (void)until;
    return read_lock(lock, 0, ETIMEDOUT, "pthread_rwlock_timedrdlock", SV_PC);
}
OURS(int, pthread_rwlock_wrlock, pthread_rwlock_t *lock)
{
    return write_lock(lock, 1, 0, "pthread_rwlock_wrlock", SV_PC);
}
OURS(int, pthread_rwlock_trywrlock, pthread_rwlock_t *lock)
{
    return write_lock(lock, 0, EBUSY, "pthread_rwlock_trywrlock", SV_PC);
}
OURS(int, pthread_rwlock_timedwrlock, pthread_rwlock_t *lock, const struct timespec *until)
{
    (void)until;
    return write_lock(lock, 0, ETIMEDOUT, "pthread_rwlock_timedwrlock", SV_PC);
}
OURS(int, pthread_rwlock_unlock, pthread_rwlock_t *object)
{
    sv_turn_of(object, "pthread_rwlock_unlock", SV_PC);
    struct lock *lock = sv_lock_of(object);
    if (lock->owner == sv_me())
        return sv_give_up(lock);
    SV_RELEASES(object);
    lock->readers -= lock->readers > 0;
    return 0;
}
