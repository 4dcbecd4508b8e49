/* What is kept of locks, for those who take and give them up. */
#ifndef SELVEDGE_LOCKS_H
#define SELVEDGE_LOCKS_H

#include "schedule.h"

#include <pthread.h>

struct lock {
    uintptr_t address;
    int is_recursive, is_checking;
    int owner; /* the thread that holds it, from 1; 0 for nobody */
    int depth;
    int readers;
    long count;     /* of a semaphore; of threads that have arrived at a barrier */
    long threshold; /* of a barrier */
    int once;       /* 0 before, 1 while, 2 after the routine of a once control runs */
};

/* The state of a lock; a new one is free. */
struct lock *sv_lock_of(const volatile void *object);
struct lock *sv_mutex_of(pthread_mutex_t *mutex);
struct lock *sv_reset(const volatile void *object);
int sv_is_free(void *lock);
int sv_take(struct lock *lock, const char *name, const void *pc);
int sv_give_up(struct lock *lock);

/* Waits for the turn of an operation on an object, or two. A plain one sets it up or destroys it. */
const struct sv_event *sv_turn_at(const volatile void *object, const volatile void *other, int is_plain,
                                  const char *name, const void *pc);

static inline const struct sv_event *sv_turn_of(const volatile void *object, const char *name, const void *pc)
{
    return sv_turn_at(object, NULL, 0, name, pc);
}

static inline int sv_me(void) { return sv_self() + 1; }

/* A function that the program calls instead of the library's. */
#define OURS(result, name, ...)        \
    result __wrap_##name(__VA_ARGS__); \
    result __wrap_##name(__VA_ARGS__)

#endif
