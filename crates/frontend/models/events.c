/* epoll: what is registered with a descriptor comes back when something happens to it, whatever that may be. */

void __selvedge_atomic_begin(void);
void __selvedge_atomic_end(void);
int __selvedge_nondet_int(void);
unsigned int __selvedge_nondet_unsigned(void);
void __selvedge_copy8(void *target, const void *source);
void __selvedge_too_many_descriptors(void);

/* As Linux lays it out on x86: eight bytes of the program's after the events. */
struct __selvedge_event {
    unsigned int events;
    char data[8];
} __attribute__((packed));

static struct {
    int is_used, instance, descriptor;
    union {
        void *pointer;
        char bytes[8];
    } data;
} __selvedge_registered[8];

static int __selvedge_find(int instance, int descriptor)
{
    for (int at = 0; at < 8; at++)
        if (__selvedge_registered[at].is_used && __selvedge_registered[at].instance == instance &&
            __selvedge_registered[at].descriptor == descriptor)
            return at;
    return -1;
}

static int __selvedge_free_slot(void)
{
    for (int at = 0; at < 8; at++)
        if (!__selvedge_registered[at].is_used)
            return at;
    __selvedge_too_many_descriptors();
    return 0;
}

/* 1 adds, 2 removes, 3 changes. */
int __selvedge_epoll_ctl(int instance, int operation, int descriptor, struct __selvedge_event *event)
{
    union {
        void *pointer;
        char bytes[8];
    } data;
    data.pointer = 0;
    if (operation != 2)
        __selvedge_copy8(&data, event->data);
    if (__selvedge_nondet_int())
        return -1;
    __selvedge_atomic_begin();
    int at = __selvedge_find(instance, descriptor), fits = operation == 1 ? at < 0 : at >= 0;
    if (fits && operation == 1) {
        at = __selvedge_free_slot();
        __selvedge_registered[at].is_used = 1;
        __selvedge_registered[at].instance = instance;
        __selvedge_registered[at].descriptor = descriptor;
    }
    if (fits && operation == 2)
        __selvedge_registered[at].is_used = 0;
    else if (fits)
        __selvedge_copy8(&__selvedge_registered[at].data, &data);
    __selvedge_atomic_end();
    return fits ? 0 : -1;
}

/* What of the program's memory it writes, it writes outside of the section: other threads may race with that. */
int __selvedge_epoll_wait(int instance, struct __selvedge_event *events, int most)
{
    union {
        void *pointer;
        char bytes[8];
    } data[8];
    int count = 0;
    if (most <= 0 || __selvedge_nondet_int())
        return -1;
    __selvedge_atomic_begin();
    for (int at = 0; at < 8 && count < most; at++)
        if (__selvedge_registered[at].is_used && __selvedge_registered[at].instance == instance &&
            __selvedge_nondet_int())
            __selvedge_copy8(&data[count++], &__selvedge_registered[at].data);
    __selvedge_atomic_end();
    for (int at = 0; at < count; at++) {
        events[at].events = __selvedge_nondet_unsigned();
        __selvedge_copy8(events[at].data, &data[at]);
    }
    return count;
}
