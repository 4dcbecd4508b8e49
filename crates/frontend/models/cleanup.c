/* Clean-up handlers of threads that may end before they pop them. */

void __selvedge_too_many_cleanup_handlers(void);

static _Thread_local struct {
    void (*routine)(void *);
    void *argument;
} __selvedge_cleanup_handlers[16];
static _Thread_local int __selvedge_cleanup_count;

void __selvedge_push_cleanup_handler(void (*routine)(void *), void *argument)
{
    if (__selvedge_cleanup_count == 16)
        __selvedge_too_many_cleanup_handlers();
    __selvedge_cleanup_handlers[__selvedge_cleanup_count].routine = routine;
    __selvedge_cleanup_handlers[__selvedge_cleanup_count].argument = argument;
    __selvedge_cleanup_count++;
}

void __selvedge_pop_cleanup_handler(int execute)
{
    int last = --__selvedge_cleanup_count;
    if (execute)
        __selvedge_cleanup_handlers[last].routine(__selvedge_cleanup_handlers[last].argument);
}

void __selvedge_run_cleanup_handlers(void)
{
    while (__selvedge_cleanup_count > 0)
        __selvedge_pop_cleanup_handler(1);
}
