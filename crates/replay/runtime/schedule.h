/* The schedule of a violation as a table, and what the parts of the runtime know of each other.
 *
 * One thread moves at a time. Before each event (an access to memory, a library operation on threads and locks) a
 * thread asks for its turn; the table says whose turn it is. What a thread does between two events it does at once. */
#ifndef SELVEDGE_SCHEDULE_H
#define SELVEDGE_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What an event is. */
enum sv_kind {
    SV_READ,    /* a plain read */
    SV_WRITE,   /* a plain write */
    SV_ATOMIC,  /* an atomic access */
    SV_LIBRARY, /* a library function that reads or writes what it is given */
    SV_FREE,    /* the end of an allocation */
    SV_LOCK,    /* an operation on a lock, a semaphore, a thread, ... */
    SV_CREATE,  /* a thread is started */
    SV_EXIT,    /* a thread ends */
    SV_SECTION, /* an atomic section begins */
    SV_END      /* the process ends; not in a table */
};

/* What the table wants of an event beside its order. */
enum sv_flag {
    SV_PARK = 1,  /* one of two accesses that race: the thread stops in front of it */
    SV_MARK = 2,  /* one of three accesses that show interference */
    SV_FILL = 4,  /* what is read was never written, and is `value` */
    SV_KEEP = 8   /* an atomic update that writes nothing */
};

/* Objects that one event touches, at most. */
#define SV_OBJECTS 3

/* A piece of an object. Objects are numbered from 0, in no particular order; the runtime learns at their first events
 * where they are. Those below 0 stand for threads: -1 for the first. */
struct sv_piece {
    int object;
    long offset;
    long size; /* 0 for a lock */
};

enum sv_storage { SV_STATIC, SV_HEAP, SV_LOCAL };

struct sv_event {
    int thread;
    enum sv_kind kind;
    int flags;
    int file; /* in sv_files; -1 for none */
    int first_line, last_line;
    int pieces;
    struct sv_piece piece[SV_OBJECTS];
    /* SV_CREATE: the new thread. SV_LOCK: what the operation answers, or whom it wakes. SV_FILL: what is read. */
    unsigned long long value;
};

/* A value that the schedule chose: the result of a call on a line. */
struct sv_value {
    int thread;
    int file;
    int first_line, last_line;
    unsigned long long value;
};

enum sv_shows { SV_ASSERTION, SV_RACE, SV_DEADLOCK, SV_INTERFERENCE, SV_UNDEFINED };

/* What is to be seen in the end. */
struct sv_end {
    enum sv_shows shows;
    int thread; /* who fails, for SV_ASSERTION and SV_UNDEFINED */
    int file, line;
};

extern const struct sv_event sv_events[];
extern const int sv_event_count;
extern const struct sv_value sv_values[];
extern const int sv_value_count;
extern const char *const sv_files[];
extern const int sv_object_count;
extern const enum sv_storage sv_storage_of[]; /* what the objects are */
extern const char *const sv_name_of[];        /* the names of variables; null for others */
extern uintptr_t sv_object_at[];   /* where the objects are; 0 while it is not known */
extern unsigned char sv_taken[];   /* which of sv_values have been used */
extern const struct sv_end sv_end;

/* What a thread is about to do. */
struct sv_range {
    uintptr_t address;
    size_t size; /* 0 for a lock */
};

struct sv_operation {
    enum sv_kind kind;
    int is_write, is_atomic;
    int ranges;
    struct sv_range range[SV_OBJECTS];
    const void *pc;   /* where it is called from */
    const char *name; /* for people */
};

/* A thread. */
struct sv_thread {
    unsigned long id; /* its pthread_t */
    int is_started, is_finished, is_detached;
    int is_blocked;
    const char *waits_in; /* the library function that it is in */
    const void *pc;       /* where it was last seen */
    void *result;
    void *(*routine)(void *);
    void *argument;
    uintptr_t sleeps_on; /* a condition variable or a barrier */
    int is_woken;
};

#define SV_THREADS 256
extern struct sv_thread sv_threads[SV_THREADS];

/* The executing thread's number. */
int sv_self(void);
void sv_become(int thread);

/* The event of the executing thread that an operation is, from a position of the table on; -1 if there is none. */
int sv_find(const struct sv_operation *operation, int position);
/* Learns from an operation where an event's objects are. */
void sv_learn(const struct sv_event *event, const struct sv_operation *operation);

/* Waits for the turn of an operation. Gives the event that it is, or null if the table has none for it. */
const struct sv_event *sv_turn(const struct sv_operation *operation);

/* Waits until a condition holds, which other threads make true. */
void sv_wait(int (*holds)(void *), void *argument, const char *function, const void *pc);

/* The executing thread has ended: another one moves. Comes back if there is none. */
void sv_leave(void);

/* Ends the run: it has shown what it is to show, or cannot. */
void sv_reproduced(const char *format, ...) __attribute__((format(printf, 1, 2)));
void sv_not_reproduced(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* The exit statuses of a run that does not end by a signal. */
enum { SV_EXIT_SHOWN = 90, SV_EXIT_NOT_SHOWN = 91 };

/* Looks up where variables are. */
void sv_find_variables(void);

/* Where a return address is in the source. */
struct sv_place {
    char function[64];
    char file[192];
    int line;
};
const struct sv_place *sv_place_of(const void *pc);
int sv_knows_places(void);
int sv_is_in(const struct sv_place *place, int file, int first_line, int last_line);
/* "queue.c:12", in one of a few buffers that are used in turn. */
const char *sv_show(const void *pc);

/* The next value that the schedule has for a call from here; 0 if it has none. */
unsigned long long sv_next_value(const void *pc);

/* An assertion fails, or an error function is reached. */
void sv_fails(const char *text, const char *file, int line);

#define SV_PC __builtin_return_address(0)

/* The linker leads every call of these to us, our own calls too; what follows calls the library. */
void *__real_memcpy(void *, const void *, size_t);
void *__real_memmove(void *, const void *, size_t);
void *__real_memset(void *, int, size_t);
int __real_memcmp(const void *, const void *, size_t);
size_t __real_strlen(const char *);
int __real_strcmp(const char *, const char *);
char *__real_strcpy(char *, const char *);
char *__real_strncpy(char *, const char *, size_t);
int __real_puts(const char *);
#define memcpy __real_memcpy
#define memmove __real_memmove
#define memset __real_memset
#define memcmp __real_memcmp
#define strlen __real_strlen
#define strcmp __real_strcmp
#define strcpy __real_strcpy
#define strncpy __real_strncpy
#define puts __real_puts

/* With ThreadSanitizer linked in, what we do ourselves instead of the library is told to it. */
#ifdef SV_TSAN
void __tsan_acquire(void *);
void __tsan_release(void *);
#define SV_ACQUIRED(address) __tsan_acquire((void *)(address))
#define SV_RELEASES(address) __tsan_release((void *)(address))
#else
#define SV_ACQUIRED(address) ((void)(address))
#define SV_RELEASES(address) ((void)(address))
#endif

#endif
