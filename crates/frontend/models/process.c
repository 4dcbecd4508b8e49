/* Handlers that run at the end of the process, the last one first. */

void __selvedge_atomic_begin(void);
void __selvedge_atomic_end(void);
void __selvedge_too_many_handlers(void);

static void (*__selvedge_handlers[32])(void);
static int __selvedge_handler_count;

int __selvedge_atexit(void (*handler)(void))
{
    __selvedge_atomic_begin();
    if (__selvedge_handler_count == 32)
        __selvedge_too_many_handlers();
    __selvedge_handlers[__selvedge_handler_count++] = handler;
    __selvedge_atomic_end();
    return 0;
}

void __selvedge_run_handlers(void)
{
    for (;;) {
        void (*handler)(void) = 0;
        __selvedge_atomic_begin();
        if (__selvedge_handler_count > 0)
            handler = __selvedge_handlers[--__selvedge_handler_count];
        __selvedge_atomic_end();
        if (handler == 0)
            return;
        handler();
    }
}

int __selvedge_nondet_int(void);
long __selvedge_nondet_long(void);
unsigned long __selvedge_strlen(const char *s);

/* The process's number, found out when it is first asked for. */
int __selvedge_getpid(void)
{
    static int __selvedge_pid;
    __selvedge_atomic_begin();
    if (__selvedge_pid == 0) {
        int any = __selvedge_nondet_int();
        __selvedge_pid = any > 0 ? any : 1;
    }
    int pid = __selvedge_pid;
    __selvedge_atomic_end();
    return pid;
}

/* What is changed by one thread while another looks: the environment, and the time that `localtime` gives. */
static char __selvedge_state_of_environment;

void __selvedge_look_at_environment(void)
{
    (void)*(volatile char *)&__selvedge_state_of_environment;
}

static int __selvedge_change_environment(void)
{
    __selvedge_state_of_environment = 0;
    return __selvedge_nondet_int() ? -1 : 0;
}

int __selvedge_setenv(const char *name, const char *value, int overwrite)
{
    (void)overwrite;
    __selvedge_strlen(name);
    __selvedge_strlen(value);
    return __selvedge_change_environment();
}

int __selvedge_unsetenv(const char *name)
{
    __selvedge_strlen(name);
    return __selvedge_change_environment();
}

int __selvedge_putenv(char *text)
{
    __selvedge_strlen(text);
    return __selvedge_change_environment();
}

int __selvedge_clearenv(void)
{
    return __selvedge_change_environment();
}

struct __selvedge_tm {
    int second, minute, hour, day, month, year, weekday, yearday, is_dst;
    long offset;
    const char *zone;
};

static int __selvedge_below(int limit)
{
    int any = __selvedge_nondet_int();
    return any >= 0 && any < limit ? any : 0;
}

void *__selvedge_localtime_r(const long *time, struct __selvedge_tm *result)
{
    (void)*(volatile const long *)time;
    result->second = __selvedge_below(61);
    result->minute = __selvedge_below(60);
    result->hour = __selvedge_below(24);
    result->day = __selvedge_below(31) + 1;
    result->month = __selvedge_below(12);
    result->year = __selvedge_nondet_int();
    result->weekday = __selvedge_below(7);
    result->yearday = __selvedge_below(366);
    result->is_dst = __selvedge_below(3) - 1;
    result->offset = __selvedge_nondet_long();
    result->zone = "";
    return result;
}

static struct __selvedge_tm __selvedge_state_of_localtime;

void *__selvedge_localtime(const long *time)
{
    return __selvedge_localtime_r(time, &__selvedge_state_of_localtime);
}
