/* Whose turn it is, and how the run ends.
 *
 * The next event of the table belongs to one thread, which alone may move. It moves until it is in front of an operation
 * while the next event is another thread's. An operation that the table does not have (the thread alone touches what it
 * touches) is made at once; an event for which no operation comes (the compiler makes no access there) is passed over
 * when a later one of the same thread comes. Such liberties lose nothing: what is shown in the end is looked at as it
 * is, whatever way led there. */
#define _GNU_SOURCE
#include "schedule.h"

#include <linux/futex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct sv_thread sv_threads[SV_THREADS];
static int baton;     /* the thread that may move */
static int position;  /* the next event of the table */
static int idle;      /* threads found waiting since something last happened */
static int marked;    /* accesses of interference that have been made */
static struct { int is_taken, thread; struct sv_operation operation; } parked[2];
static __thread int self;
static FILE *report;
static int is_traced; /* every operation is told */

int sv_self(void) { return self; }

static void futex(int operation, int value)
{
    syscall(SYS_futex, &baton, operation, value, NULL, NULL, 0);
}

static void await_baton(void)
{
    for (;;) {
        int holder = __atomic_load_n(&baton, __ATOMIC_SEQ_CST);
        if (holder == self)
            return;
        futex(FUTEX_WAIT_PRIVATE, holder);
    }
}

static void pass_baton(int thread)
{
    __atomic_store_n(&baton, thread, __ATOMIC_SEQ_CST);
    futex(FUTEX_WAKE_PRIVATE, SV_THREADS);
}

static void give(int thread)
{
    if (thread == self)
        return;
    pass_baton(thread);
    await_baton();
}

void sv_become(int thread)
{
    self = thread;
    await_baton();
}

static void open_report(void)
{
    const char *path = getenv("SELVEDGE_REPORT");
    report = path ? fopen(path, "w") : NULL;
    if (!report)
        report = stderr;
}

static void say(const char *word, const char *format, va_list arguments)
{
    fprintf(report, "%s: ", word);
    vfprintf(report, format, arguments);
    fputc('\n', report);
}

static void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("note", format, arguments);
    va_end(arguments);
}

static void finish(int status)
{
    fflush(report);
    fflush(stdout);
    _exit(status);
}

static void where_everybody_is(void)
{
    for (int thread = 0; thread < SV_THREADS; thread++) {
        const struct sv_thread *other = &sv_threads[thread];
        if (!other->is_started)
            continue;
        if (other->is_finished)
            note("thread %d has ended", thread);
        else if (other->is_blocked)
            note("thread %d waits in %s at %s", thread, other->waits_in, sv_show(other->pc));
        else if (other->pc)
            note("thread %d was last seen at %s", thread, sv_show(other->pc));
        else
            note("thread %d has not begun to run", thread);
    }
}

void sv_reproduced(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("reproduced", format, arguments);
    va_end(arguments);
    if (sv_end.shows == SV_DEADLOCK)
        where_everybody_is();
    fflush(report);
}

void sv_not_reproduced(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("not reproduced", format, arguments);
    va_end(arguments);
    note("%d of %d events of the schedule have happened", position, sv_event_count);
    if (position < sv_event_count) {
        const struct sv_event *next = &sv_events[position];
        note("the next is of thread %d at %s:%d", next->thread, next->file < 0 ? "?" : sv_files[next->file],
             next->first_line);
    }
    where_everybody_is();
    if (!sv_knows_places())
        note("there is no addr2line, which says where in the source the program is");
    finish(SV_EXIT_NOT_SHOWN);
    abort();
}

static int overlap(const struct sv_range *a, const struct sv_range *b)
{
    if (a->size == 0 || b->size == 0)
        return a->address == b->address || (a->size && b->address - a->address < a->size) ||
               (b->size && a->address - b->address < b->size);
    return a->address < b->address + b->size && b->address < a->address + a->size;
}

static const char *verb(const struct sv_operation *operation)
{
    if (operation->kind == SV_FREE)
        return "freeing";
    if (operation->kind == SV_LOCK || operation->kind == SV_LIBRARY || operation->kind == SV_CREATE)
        return operation->name;
    return operation->is_write ? "writing" : "reading";
}

/* Both threads of a race stand in front of their accesses: do these really conflict? */
static void look_at_race(void)
{
    const struct sv_operation *a = &parked[0].operation, *b = &parked[1].operation;
    const struct sv_range *shared = NULL;
    for (int i = 0; i < a->ranges; i++)
        for (int j = 0; j < b->ranges; j++)
            if (overlap(&a->range[i], &b->range[j]))
                shared = a->range[i].size ? &a->range[i] : &b->range[j];
    if (!shared)
        sv_not_reproduced("the two accesses of the race are to different addresses");
    if (!(a->is_write || b->is_write) || (a->is_atomic && b->is_atomic))
        sv_not_reproduced("the two accesses of the race do not conflict");
    sv_reproduced("data race at address %p", (void *)shared->address);
    for (int i = 0; i < 2; i++)
        note("thread %d stands before %s%s it at %s", parked[i].thread,
             parked[i].operation.is_atomic ? "atomically " : "", verb(&parked[i].operation),
             sv_show(parked[i].operation.pc));
#ifdef SV_TSAN
    fflush(report);
#else
    finish(SV_EXIT_SHOWN);
#endif
}

/* Stops in front of an access that races. With ThreadSanitizer both accesses are made in the end, for it to see. */
static void park(const struct sv_operation *operation)
{
    int which = parked[0].is_taken;
    parked[which].is_taken = 1;
    parked[which].thread = self;
    parked[which].operation = *operation;
    if (which == 0) {
        if (position >= sv_event_count)
            sv_not_reproduced("the table has only one access of the race");
        give(sv_events[position].thread);
    } else {
        look_at_race();
    }
}

/* After the last event. Nobody waits for a turn any more; who moves depends on what is to be seen. */
static void after_the_last(void)
{
    switch (sv_end.shows) {
    case SV_ASSERTION:
    case SV_UNDEFINED:
        give(sv_end.thread);
        return;
    case SV_DEADLOCK:
        return;
    case SV_INTERFERENCE:
        if (marked != 3)
            sv_not_reproduced("%d of the three accesses have been seen", marked);
        sv_reproduced("another thread has come between two accesses");
        finish(SV_EXIT_SHOWN);
        return;
    case SV_RACE:
        if (parked[0].is_taken && parked[1].is_taken) {
            /* The second access has been made: now the first one, and that is the end. */
            if (self == parked[1].thread)
                give(parked[0].thread);
            finish(SV_EXIT_SHOWN);
        }
        sv_not_reproduced("the accesses of the race have not been reached");
    }
}

/* Passes over events of threads that have ended. */
static void skip_the_dead(void)
{
    while (position < sv_event_count && sv_threads[sv_events[position].thread].is_finished)
        position++;
}

static void give_to_next(void)
{
    int next = sv_events[position].thread;
    if (!sv_threads[next].is_started)
        sv_not_reproduced("it is the turn of thread %d, which has not been started", next);
    give(next);
}

static const struct sv_event *turn(const struct sv_operation *operation)
{
    if (operation->pc)
        sv_threads[self].pc = operation->pc;
    idle = 0;
    for (;;) {
        skip_the_dead();
        if (position >= sv_event_count) {
            after_the_last();
            return NULL;
        }
        if (sv_events[position].thread != self) {
            give_to_next();
            continue;
        }
        int found = sv_find(operation, position);
        if (found < 0)
            return NULL;
        int end = position;
        while (end < sv_event_count && sv_events[end].thread == self)
            end++;
        if (found >= end) {
            position = end;
            continue;
        }
        const struct sv_event *event = &sv_events[found];
        position = found + 1;
        sv_learn(event, operation);
        if (event->flags & SV_MARK)
            marked++;
        if (event->flags & SV_PARK)
            park(operation);
        if (event->flags & SV_FILL && operation->ranges == 1 && operation->range[0].size <= sizeof event->value)
            memcpy((void *)operation->range[0].address, &event->value, operation->range[0].size);
        return event;
    }
}

const struct sv_event *sv_turn(const struct sv_operation *operation)
{
    const struct sv_event *event = turn(operation);
    if (is_traced)
        note("thread %d: %s %p at %s is event %d", self, operation->name,
             operation->ranges ? (void *)operation->range[0].address : NULL, sv_show(operation->pc),
             event ? (int)(event - sv_events) : -1);
    return event;
}

static int live_threads(void)
{
    int live = 0;
    for (int thread = 0; thread < SV_THREADS; thread++)
        live += sv_threads[thread].is_started && !sv_threads[thread].is_finished;
    return live;
}

/* The next live thread after this one, in a circle. */
static int successor(void)
{
    for (int step = 1; step <= SV_THREADS; step++) {
        int thread = (self + step) % SV_THREADS;
        if (sv_threads[thread].is_started && !sv_threads[thread].is_finished)
            return thread;
    }
    return self;
}

/* The executing thread cannot move: another one does. */
static void let_another_move(void)
{
    skip_the_dead();
    if (position < sv_event_count) {
        if (sv_events[position].thread == self)
            sv_not_reproduced("thread %d has to wait in %s at %s, where the schedule has it go on", self,
                              sv_threads[self].waits_in, sv_show(sv_threads[self].pc));
        give_to_next();
        return;
    }
    if (sv_end.shows == SV_DEADLOCK) {
        if (++idle >= live_threads()) {
            sv_reproduced("deadlock: all %d live threads wait", live_threads());
            finish(SV_EXIT_SHOWN);
        }
        give(successor());
        return;
    }
    if (sv_end.thread == self && (sv_end.shows == SV_ASSERTION || sv_end.shows == SV_UNDEFINED))
        sv_not_reproduced("thread %d has to wait in %s at %s before it fails", self, sv_threads[self].waits_in,
                          sv_show(sv_threads[self].pc));
    after_the_last();
}

void sv_wait(int (*holds)(void *), void *argument, const char *function, const void *pc)
{
    struct sv_thread *me = &sv_threads[self];
    me->pc = pc;
    me->waits_in = function;
    while (!holds(argument)) {
        me->is_blocked = 1;
        let_another_move();
    }
    me->is_blocked = 0;
    idle = 0;
}

void sv_leave(void)
{
    idle = 0;
    skip_the_dead();
    if (live_threads() == 0) {
        if (position < sv_event_count || sv_end.shows != SV_DEADLOCK)
            sv_not_reproduced("all threads have ended");
        sv_not_reproduced("all threads have ended: there is no deadlock");
    }
    int next;
    if (position < sv_event_count)
        next = sv_events[position].thread;
    else if (sv_end.shows == SV_DEADLOCK)
        next = successor();
    else
        next = sv_end.thread;
    if (!sv_threads[next].is_started || sv_threads[next].is_finished)
        sv_not_reproduced("it is the turn of thread %d, which does not run", next);
    pass_baton(next);
}

void sv_fails(const char *text, const char *file, int line)
{
    const char *slash = strrchr(file, '/');
    const char *expected = sv_end.file < 0 ? "" : sv_files[sv_end.file];
    const char *expected_slash = strrchr(expected, '/');
    int is_there = line == 0 || (line == sv_end.line && strcmp(slash ? slash + 1 : file,
                                                               expected_slash ? expected_slash + 1 : expected) == 0);
    if (sv_end.shows != SV_ASSERTION || !is_there)
        sv_not_reproduced("another assertion fails: %s at %s:%d", text, file, line);
    if (line)
        sv_reproduced("assertion fails in thread %d: %s at %s:%d", self, text, file, line);
    else
        sv_reproduced("thread %d reaches %s", self, text);
    fflush(stdout);
    signal(SIGABRT, SIG_DFL);
    abort();
}

unsigned long long sv_next_value(const void *pc)
{
    const struct sv_place *place = sv_place_of(pc);
    for (int at = 0; at < sv_value_count; at++) {
        const struct sv_value *value = &sv_values[at];
        if (!sv_taken[at] && value->thread == self &&
            sv_is_in(place, value->file, value->first_line, value->last_line)) {
            sv_taken[at] = 1;
            return value->value;
        }
    }
    return 0;
}

static void on_alarm(int signal_number)
{
    (void)signal_number;
    sv_not_reproduced("the run does not come to its end in time");
}

static void on_fault(int signal_number)
{
    const struct sv_thread *me = &sv_threads[self];
    if (sv_end.shows == SV_UNDEFINED && position >= sv_event_count && self == sv_end.thread) {
        sv_reproduced("signal %d in thread %d, after %s", signal_number, self, sv_show(me->pc));
        signal(signal_number, SIG_DFL);
        raise(signal_number);
        return;
    }
    sv_not_reproduced("signal %d in thread %d, after %s", signal_number, self, sv_show(me->pc));
}

/* The end of the process waits for its turn as well: threads that have something left to do come first. */
static void at_end(void)
{
    struct sv_operation operation = {.kind = SV_END, .name = "the end of the process"};
    sv_turn(&operation);
    sv_not_reproduced("the process ends");
}

__attribute__((constructor)) static void begin(void)
{
    const char *seconds = getenv("SELVEDGE_SECONDS");
    open_report();
    is_traced = getenv("SELVEDGE_TRACE") != NULL;
    sv_threads[0].is_started = 1;
    sv_find_variables();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGALRM, on_alarm);
    signal(SIGSEGV, on_fault);
    signal(SIGBUS, on_fault);
    signal(SIGFPE, on_fault);
    signal(SIGABRT, on_fault);
    alarm(seconds ? (unsigned)atoi(seconds) : 10);
    atexit(at_end);
}
