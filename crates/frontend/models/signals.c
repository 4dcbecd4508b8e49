/* Handlers of signals. One that is installed may run at any moment in any thread: the lowering calls
   `__selvedge_run_handler_of_signal` wherever a thread may be interrupted. */

void __selvedge_atomic_begin(void);
void __selvedge_atomic_end(void);
void __selvedge_assume(int condition);
int __selvedge_nondet_int(void);
unsigned long __selvedge_any_bytes(char *buffer, unsigned long count);
void __selvedge_too_many_signals(void);
void __selvedge_handler_within_itself(void);
void __selvedge_signal_perhaps_blocked(void);
void __selvedge_handler_in_handler(void);

/* As the C library lays it out on Linux. */
struct __selvedge_sigaction {
    void (*handler)(int);
    unsigned long mask[128 / sizeof(unsigned long)];
    int flags;
    void (*restorer)(void);
};

static struct {
    int number, flags;
    void (*handler)(int);
} __selvedge_dispositions[4];

/* How many signals have a handler, and how many handlers a thread is in. */
static int __selvedge_handlers_installed, __selvedge_dispositions_used;
static _Thread_local int __selvedge_handlers_running;
static _Thread_local char __selvedge_is_running[4];

/* Neither SIG_DFL nor SIG_IGN. */
static int __selvedge_is_handler(void (*handler)(int))
{
    return handler != 0 && handler != (void (*)(int))1;
}

static int __selvedge_slot(int number)
{
    for (int at = 0; at < 4; at++)
        if (__selvedge_dispositions[at].number == number)
            return at;
    int next = __selvedge_dispositions_used;
    if (next == 4)
        __selvedge_too_many_signals();
    __atomic_store_n(&__selvedge_dispositions_used, next + 1, 5);
    return next;
}

/* In an atomic section. */
static void __selvedge_set_disposition(int at, void (*handler)(int), int flags)
{
    int was = __selvedge_is_handler(__selvedge_dispositions[at].handler), is = __selvedge_is_handler(handler);
    __selvedge_dispositions[at].handler = handler;
    __selvedge_dispositions[at].flags = flags;
    __atomic_store_n(&__selvedge_handlers_installed, __selvedge_handlers_installed - was + is, 5);
}

/* SIG_ERR for what is no signal or cannot be handled. */
void (*__selvedge_install(int number, void (*handler)(int), int flags))(int)
{
    if (number < 1 || number > 64 || number == 9 || number == 19)
        return (void (*)(int))-1;
    /* SA_NODEFER */
    if (flags & 0x40000000)
        __selvedge_handler_within_itself();
    __selvedge_atomic_begin();
    int at = __selvedge_slot(number);
    void (*old)(int) = __selvedge_dispositions[at].handler;
    __selvedge_dispositions[at].number = number;
    __selvedge_set_disposition(at, handler, flags);
    __selvedge_atomic_end();
    return old;
}

/* `signal`, which blocks the signal while its handler runs, as in glibc. */
void (*__selvedge_signal(int number, void (*handler)(int)))(int)
{
    return __selvedge_install(number, handler, 0);
}

/* What was there before the program came is any disposition without a handler. */
int __selvedge_sigaction(int number, const struct __selvedge_sigaction *new, struct __selvedge_sigaction *old)
{
    if (number < 1 || number > 64 || ((number == 9 || number == 19) && new != 0))
        return -1;
    void (*handler)(int) = 0;
    if (new != 0) {
        handler = __selvedge_install(number, new->handler, new->flags);
    } else {
        __selvedge_atomic_begin();
        for (int at = 0; at < 4; at++)
            if (__selvedge_dispositions[at].number == number)
                handler = __selvedge_dispositions[at].handler;
        __selvedge_atomic_end();
    }
    if (old != 0) {
        __selvedge_any_bytes((char *)old->mask, sizeof old->mask);
        old->handler = handler == 0 && __selvedge_nondet_int() ? (void (*)(int))1 : handler;
        old->flags = __selvedge_nondet_int();
    }
    return 0;
}

void __selvedge_run_handler_of_signal(void)
{
    int at = 0;
    while (at < __atomic_load_n(&__selvedge_dispositions_used, 5) - 1 && __selvedge_nondet_int())
        at++;
    __selvedge_atomic_begin();
    int number = __selvedge_dispositions[at].number, flags = __selvedge_dispositions[at].flags;
    void (*handler)(int) = __selvedge_dispositions[at].handler;
    if (!__selvedge_is_handler(handler) || __selvedge_is_running[at]) {
        __selvedge_atomic_end();
        return;
    }
    /* SA_RESETHAND */
    if (flags & 0x80000000)
        __selvedge_set_disposition(at, 0, 0);
    __selvedge_atomic_end();
    __selvedge_signal_perhaps_blocked();
    if (__selvedge_handlers_running > 0)
        __selvedge_handler_in_handler();
    __selvedge_is_running[at] = 1;
    __selvedge_handlers_running++;
    /* SA_SIGINFO */
    if (flags & 4) {
        char information[128], context[1024];
        ((void (*)(int, void *, void *))handler)(number, information, context);
    } else {
        handler(number);
    }
    __selvedge_handlers_running--;
    __selvedge_is_running[at] = 0;
}

/* A wait ends early: only if there is a handler that could have run. */
int __selvedge_assume_interruption(void)
{
    __selvedge_assume(__atomic_load_n(&__selvedge_handlers_installed, 5) > 0);
    return 0;
}
