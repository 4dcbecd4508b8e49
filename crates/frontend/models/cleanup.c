/* Clean-up handlers of threads that may end before they pop them, in records of the functions that push them. */

struct __selvedge_cleanup_record {
    struct __selvedge_cleanup_record *previous;
    void (*routine)(void *);
    void *argument;
};

static _Thread_local struct __selvedge_cleanup_record *__selvedge_last_cleanup_record;

void __selvedge_push_cleanup_handler(struct __selvedge_cleanup_record *record, void (*routine)(void *), void *argument)
{
    record->previous = __selvedge_last_cleanup_record;
    record->routine = routine;
    record->argument = argument;
    __selvedge_last_cleanup_record = record;
}

void __selvedge_pop_cleanup_handler(struct __selvedge_cleanup_record *record, int execute)
{
    __selvedge_last_cleanup_record = record->previous;
    if (execute)
        record->routine(record->argument);
}

void __selvedge_run_cleanup_handlers(void)
{
    while (__selvedge_last_cleanup_record != 0) {
        struct __selvedge_cleanup_record *record = __selvedge_last_cleanup_record;
        __selvedge_last_cleanup_record = record->previous;
        record->routine(record->argument);
    }
}

/* Which handler was pushed last: `setjmp` keeps it. */
void *__selvedge_last_cleanup_handler(void)
{
    return __selvedge_last_cleanup_record;
}
