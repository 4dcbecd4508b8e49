/* Threads: started, joined, ended. They are real ones; when they move, the schedule says. */
#define _GNU_SOURCE
#include "schedule.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
void __real_pthread_exit(void *) __attribute__((noreturn));

static int thread_count = 1;

static const struct sv_event *turn(enum sv_kind kind, const void *object, const char *name, const void *pc)
{
    struct sv_operation operation = {
        .kind = kind, .is_write = 1, .is_atomic = 1, .ranges = object ? 1 : 0, .range = {{(uintptr_t)object, 0}},
        .pc = pc, .name = name,
    };
    return sv_turn(&operation);
}

static struct sv_thread *find(unsigned long id)
{
    sv_threads[0].id = sv_threads[0].id ? sv_threads[0].id : sv_self() == 0 ? pthread_self() : 0;
    for (int thread = thread_count - 1; thread >= 0; thread--)
        if (sv_threads[thread].is_started && sv_threads[thread].id == id)
            return &sv_threads[thread];
    return NULL;
}

/* The last thing that a thread does, however it ends. */
static void end(void *unused)
{
    (void)unused;
    struct sv_thread *me = &sv_threads[sv_self()];
    turn(SV_EXIT, NULL, "the end of a thread", NULL);
    SV_RELEASES(me);
    me->is_finished = 1;
    sv_leave();
}

static void *start(void *number)
{
    int thread = (int)(intptr_t)number;
    struct sv_thread *me = &sv_threads[thread];
    sv_become(thread);
    pthread_cleanup_push(end, NULL);
    me->result = me->routine(me->argument);
    pthread_cleanup_pop(1);
    return me->result;
}

static int create(pthread_t *id, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument,
                  const char *name, const void *pc)
{
    const struct sv_event *event = turn(SV_CREATE, id, name, pc);
    int thread = event ? (int)event->value : thread_count;
    while (thread < SV_THREADS && sv_threads[thread].is_started)
        thread++;
    if (thread >= SV_THREADS)
        sv_not_reproduced("more than %d threads are started", SV_THREADS);
    if (thread >= thread_count)
        thread_count = thread + 1;
    sv_threads[0].id = sv_threads[0].id ? sv_threads[0].id : sv_self() == 0 ? pthread_self() : 0;
    struct sv_thread *other = &sv_threads[thread];
    other->routine = routine;
    other->argument = argument;
    int state = PTHREAD_CREATE_JOINABLE;
    if (attributes)
        pthread_attr_getdetachstate(attributes, &state);
    other->is_detached = state == PTHREAD_CREATE_DETACHED;
    int error = __real_pthread_create(id, attributes, start, (void *)(intptr_t)thread);
    if (error)
        sv_not_reproduced("a thread cannot be started: error %d", error);
    other->id = *id;
    other->is_started = 1;
    return 0;
}

int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument);
int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
    return create(id, attributes, routine, argument, "pthread_create", SV_PC);
}

int __wrap_thrd_create(thrd_t *id, thrd_start_t routine, void *argument);
int __wrap_thrd_create(thrd_t *id, thrd_start_t routine, void *argument)
{
    create((pthread_t *)id, NULL, (void *(*)(void *))(void (*)(void))routine, argument, "thrd_create", SV_PC);
    return thrd_success;
}

pthread_t __wrap___VERIFIER_spawn(void *(*routine)(void *), void *argument);
pthread_t __wrap___VERIFIER_spawn(void *(*routine)(void *), void *argument)
{
    pthread_t id;
    create(&id, NULL, routine, argument, "__VERIFIER_spawn", SV_PC);
    return id;
}

static int has_finished(void *thread) { return ((struct sv_thread *)thread)->is_finished; }

static int join(unsigned long id, void **result, const char *name, const void *pc)
{
    struct sv_thread *thread = find(id);
    turn(SV_LOCK, thread, name, pc);
    if (!thread)
        return ESRCH;
    if (thread == &sv_threads[sv_self()])
        return EDEADLK;
    if (thread->is_detached)
        return EINVAL;
    sv_wait(has_finished, thread, name, pc);
    SV_ACQUIRED(thread);
    if (result)
        *result = thread->result;
    return 0;
}

int __wrap_pthread_join(pthread_t id, void **result);
int __wrap_pthread_join(pthread_t id, void **result) { return join(id, result, "pthread_join", SV_PC); }

int __wrap_pthread_tryjoin_np(pthread_t id, void **result);
int __wrap_pthread_tryjoin_np(pthread_t id, void **result)
{
    struct sv_thread *thread = find(id);
    turn(SV_LOCK, thread, "pthread_tryjoin_np", SV_PC);
    if (thread && !thread->is_finished)
        return EBUSY;
    if (thread && result)
        *result = thread->result;
    return 0;
}

int __wrap_thrd_join(thrd_t id, int *result);
int __wrap_thrd_join(thrd_t id, int *result)
{
    void *value = NULL;
    if (join(id, &value, "thrd_join", SV_PC))
        return thrd_error;
    if (result)
        *result = (int)(intptr_t)value;
    return thrd_success;
}

void *__wrap___VERIFIER_join(pthread_t id);
void *__wrap___VERIFIER_join(pthread_t id)
{
    void *value = NULL;
    join(id, &value, "__VERIFIER_join", SV_PC);
    return value;
}

static int detach(unsigned long id, const char *name, const void *pc)
{
    struct sv_thread *thread = find(id);
    turn(SV_LOCK, thread, name, pc);
    if (!thread)
        return ESRCH;
    if (thread->is_detached)
        return EINVAL;
    thread->is_detached = 1;
    return 0;
}

int __wrap_pthread_detach(pthread_t id);
int __wrap_pthread_detach(pthread_t id) { return detach(id, "pthread_detach", SV_PC); }
int __wrap_thrd_detach(thrd_t id);
int __wrap_thrd_detach(thrd_t id) { return detach(id, "thrd_detach", SV_PC) ? thrd_error : thrd_success; }

/* The first thread has no function of ours around it. */
static void leave(void *value) __attribute__((noreturn));
static void leave(void *value)
{
    sv_threads[sv_self()].result = value;
    if (sv_self() == 0)
        end(NULL);
    __real_pthread_exit(value);
}

void __wrap_pthread_exit(void *value) __attribute__((noreturn));
void __wrap_pthread_exit(void *value) { leave(value); }
void __wrap_thrd_exit(int value) __attribute__((noreturn));
void __wrap_thrd_exit(int value) { leave((void *)(intptr_t)value); }

/* Time does not pass. */
int __wrap_usleep(unsigned microseconds);
int __wrap_usleep(unsigned microseconds) { return (void)microseconds, 0; }
unsigned __wrap_sleep(unsigned seconds);
unsigned __wrap_sleep(unsigned seconds) { return (void)seconds, 0; }
int __wrap_nanosleep(const struct timespec *duration, struct timespec *left);
int __wrap_nanosleep(const struct timespec *duration, struct timespec *left) { return (void)duration, (void)left, 0; }
int __wrap_thrd_sleep(const struct timespec *duration, struct timespec *left);
int __wrap_thrd_sleep(const struct timespec *duration, struct timespec *left) { return (void)duration, (void)left, 0; }
int __wrap_sched_yield(void);
int __wrap_sched_yield(void) { return 0; }
void __wrap_thrd_yield(void);
void __wrap_thrd_yield(void) {}
