/* Handlers of signals. One that is installed may run at any moment in any thread that does not block its signal: the
   lowering calls `__selvedge_run_handler_of_signal` wherever a thread may be interrupted. */

void __selvedge_atomic_begin(void);
void __selvedge_atomic_end(void);
void __selvedge_assume(int condition);
int __selvedge_nondet_int(void);
unsigned long __selvedge_any_bytes(char *buffer, unsigned long count);
void __selvedge_look1(const void *source);
void __selvedge_copy8(void *target, const void *source);
void __selvedge_too_many_reentries(void);
void __selvedge_handler_within_itself(void);
void __selvedge_signal_perhaps_blocked(void);
int __selvedge_masks_matter(void);
int __selvedge_is_jumping(void);

/* As the C library lays it out on Linux. */
struct __selvedge_sigaction {
    void (*handler)(int);
    unsigned long mask[128 / sizeof(unsigned long)];
    int flags;
    void (*restorer)(void);
};

/* By order of their first handler: each in an array of its own, so that a place that is not known is a place of its
   kind. */
static int __selvedge_signal_numbers[64], __selvedge_signal_flags[64];
static unsigned long long __selvedge_signal_masks[64];
static void (*__selvedge_signal_handlers[64])(int);
static int __selvedge_dispositions_used;

/* Sets of signals, a bit for each: which have a handler, which had one until it ran (SA_RESETHAND), which a thread
   blocks, and whose handlers it is in. */
static unsigned long long __selvedge_handled, __selvedge_reset;
static _Thread_local unsigned long long __selvedge_blocked, __selvedge_running;
static _Thread_local int __selvedge_reentries;

static unsigned long long __selvedge_signal_bit(int number)
{
    return 1ULL << (number - 1);
}

/* What cannot be blocked is left out, and so are the signals that glibc uses itself. */
static unsigned long long __selvedge_that_can_be_blocked(unsigned long long mask)
{
    return mask & ~0x180040100ULL;
}

/* The first 64 bits of a set. */
static unsigned long long __selvedge_read_mask(const unsigned long *words)
{
    unsigned long long mask = words[0];
    if (sizeof(unsigned long) == 4)
        mask |= (unsigned long long)words[1] << 32;
    return __selvedge_that_can_be_blocked(mask);
}

/* Neither SIG_DFL nor SIG_IGN. */
static int __selvedge_is_handler(void (*handler)(int))
{
    return handler != 0 && handler != (void (*)(int))1;
}

/* In an atomic section: the place of a signal, or -1. */
static int __selvedge_slot(int number)
{
    for (int at = 0; at < __selvedge_dispositions_used; at++)
        if (__selvedge_signal_numbers[at] == number)
            return at;
    return -1;
}

/* In an atomic section. */
static void __selvedge_set_disposition(int at, void (*handler)(int))
{
    unsigned long long bit = __selvedge_signal_bit(__selvedge_signal_numbers[at]);
    unsigned long long others = __selvedge_handled & ~bit;
    __selvedge_signal_handlers[at] = handler;
    __atomic_store_n(&__selvedge_handled, __selvedge_is_handler(handler) ? others | bit : others, 5);
}

/* SIG_ERR for what is no signal or cannot be handled. A signal whose disposition was never set has the default one. */
static void (*__selvedge_install(int number, void (*handler)(int), int flags, const unsigned long *mask))(int)
{
    if (number < 1 || number > 64 || number == 9 || number == 19)
        return (void (*)(int))-1;
    /* SA_NODEFER */
    if (flags & 0x40000000)
        __selvedge_handler_within_itself();
    __selvedge_atomic_begin();
    int at = __selvedge_slot(number);
    if (at < 0) {
        at = __selvedge_dispositions_used;
        __selvedge_signal_numbers[at] = number;
        __atomic_store_n(&__selvedge_dispositions_used, at + 1, 5);
    }
    void (*old)(int) = __selvedge_signal_handlers[at];
    __selvedge_signal_flags[at] = flags;
    if (mask != 0)
        __selvedge_copy8(&__selvedge_signal_masks[at], mask);
    else
        __selvedge_signal_masks[at] = 0;
    __selvedge_set_disposition(at, handler);
    __selvedge_atomic_end();
    return old;
}

/* `signal`, which blocks the signal while its handler runs, as in glibc. */
void (*__selvedge_signal(int number, void (*handler)(int)))(int)
{
    return __selvedge_install(number, handler, 0, 0);
}

/* As in System V: the signal is not blocked, and the handler runs once (SA_NODEFER and SA_RESETHAND). */
void (*__selvedge_sysv_signal(int number, void (*handler)(int)))(int)
{
    return __selvedge_install(number, handler, (int)0xc0000000, 0);
}

/* What was there before the program came is any disposition without a handler. */
int __selvedge_sigaction(int number, const struct __selvedge_sigaction *new, struct __selvedge_sigaction *old)
{
    if (number < 1 || number > 64 || ((number == 9 || number == 19) && new != 0))
        return -1;
    struct __selvedge_sigaction was;
    was.handler = 0;
    if (old != 0) {
        was.flags = __selvedge_nondet_int();
        __selvedge_any_bytes((char *)was.mask, sizeof was.mask);
        __selvedge_atomic_begin();
        int at = __selvedge_slot(number);
        if (at >= 0) {
            was.handler = __selvedge_signal_handlers[at];
            was.flags = __selvedge_signal_flags[at];
            __selvedge_copy8(was.mask, &__selvedge_signal_masks[at]);
        }
        __selvedge_atomic_end();
    }
    if (new != 0)
        was.handler = __selvedge_install(number, new->handler, new->flags, new->mask);
    if (old != 0) {
        old->handler = was.handler == 0 && __selvedge_nondet_int() ? (void (*)(int))1 : was.handler;
        old->flags = was.flags;
        for (unsigned at = 0; at < sizeof was.mask; at += 8)
            __selvedge_copy8((char *)old->mask + at, (char *)was.mask + at);
    }
    return 0;
}

/* `pthread_sigmask`, also for `sigprocmask`: 0, or EINVAL. Of the old mask 64 bits are written, as the system does. */
int __selvedge_sigmask(int how, const unsigned long *set, unsigned long *old)
{
    unsigned long long was = __selvedge_blocked;
    if (set != 0) {
        unsigned long long mask = __selvedge_read_mask(set);
        /* SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK */
        if (how == 0)
            __selvedge_blocked = was | mask;
        else if (how == 1)
            __selvedge_blocked = was & ~mask;
        else if (how == 2)
            __selvedge_blocked = mask;
        else
            return 22;
    }
    if (old != 0) {
        old[0] = was;
        if (sizeof(unsigned long) == 4)
            old[1] = was >> 32;
    }
    return 0;
}

/* The same where no handler runs: the old mask is anything. */
int __selvedge_no_sigmask(const unsigned long *set, unsigned long *old)
{
    if (set != 0)
        for (int at = 0; at < 8; at++)
            __selvedge_look1((const char *)set + at);
    if (old != 0)
        __selvedge_any_bytes((char *)old, 8);
    return 0;
}

/* A new thread blocks what the thread that creates it blocks. */
unsigned long long __selvedge_own_mask(void)
{
    return __selvedge_blocked;
}

void *__selvedge_start_masked_thread(void *(*routine)(void *), void *argument, unsigned long long mask)
{
    __selvedge_blocked = mask;
    return routine(argument);
}

void *__selvedge_start_thread(void *(*routine)(void *), void *argument);

void *__selvedge_start_masked_thread_with_keys(void *(*routine)(void *), void *argument, unsigned long long mask)
{
    __selvedge_blocked = mask;
    return __selvedge_start_thread(routine, argument);
}

/* What a buffer of `sigsetjmp` holds behind the registers. */
struct __selvedge_kept_signals {
    int are_kept;
    unsigned long blocked[8 / sizeof(unsigned long)];
};

int __selvedge_keep_blocked(struct __selvedge_kept_signals *kept, int keeps)
{
    kept->are_kept = keeps != 0;
    if (keeps) {
        kept->blocked[0] = __selvedge_blocked;
        if (sizeof(unsigned long) == 4)
            kept->blocked[1] = __selvedge_blocked >> 32;
    }
    return 0;
}

int __selvedge_block_as_kept(const struct __selvedge_kept_signals *kept)
{
    if (kept->are_kept)
        __selvedge_blocked = __selvedge_read_mask(kept->blocked);
    return 0;
}

/* Whether one has run. */
int __selvedge_run_handler_of_signal(void)
{
    int at = 0;
    while (at < __atomic_load_n(&__selvedge_dispositions_used, 5) - 1 && __selvedge_nondet_int())
        at++;
    __selvedge_atomic_begin();
    int number = __selvedge_signal_numbers[at], flags = __selvedge_signal_flags[at];
    void (*handler)(int) = __selvedge_signal_handlers[at];
    unsigned long long blocked = __selvedge_blocked, running = __selvedge_running;
    if (!__selvedge_is_handler(handler) || (blocked & __selvedge_signal_bit(number))) {
        __selvedge_atomic_end();
        return 0;
    }
    unsigned long long bit = __selvedge_signal_bit(number), mask = flags & 0x40000000 ? 0 : bit;
    if (__selvedge_masks_matter())
        mask |= __selvedge_that_can_be_blocked(__selvedge_signal_masks[at]);
    __selvedge_blocked = blocked | mask;
    __selvedge_running = running | bit;
    /* SA_RESETHAND */
    if (flags & 0x80000000) {
        __atomic_store_n(&__selvedge_reset, __selvedge_reset | bit, 5);
        __selvedge_set_disposition(at, 0);
    }
    __selvedge_atomic_end();
    __selvedge_signal_perhaps_blocked();
    /* How deep handlers can lie in each other has no bound where one may interrupt itself. */
    if ((running & bit) && ++__selvedge_reentries > 2)
        __selvedge_too_many_reentries();
    /* SA_SIGINFO */
    if (flags & 4) {
        char information[128], context[1024];
        ((void (*)(int, void *, void *))handler)(number, information, context);
    } else {
        handler(number);
    }
    if (running & bit)
        __selvedge_reentries--;
    __selvedge_running = running;
    /* A handler that ends by a jump leaves its signals blocked. */
    if (!__selvedge_is_jumping())
        __selvedge_blocked = blocked;
    return 1;
}

static int __selvedge_may_be_interrupted(void)
{
    unsigned long long handled = __atomic_load_n(&__selvedge_handled, 5) | __atomic_load_n(&__selvedge_reset, 5);
    return (handled & ~__selvedge_blocked) != 0;
}

/* A wait ends early: only if there is a handler that could have run. */
int __selvedge_assume_interruption(void)
{
    __selvedge_assume(__selvedge_may_be_interrupted());
    return 0;
}

/* `pause`, `sigsuspend`: goes on when a handler has run. That none ever comes is not looked at, since any signal
   without a handler may end the process. */
int __selvedge_wait_for_handler(void)
{
    __selvedge_assume(__selvedge_run_handler_of_signal());
    return 0;
}

int __selvedge_suspend(const unsigned long *mask)
{
    unsigned long long was = __selvedge_blocked;
    __selvedge_blocked = __selvedge_read_mask(mask);
    __selvedge_wait_for_handler();
    __selvedge_blocked = was;
    return 0;
}
