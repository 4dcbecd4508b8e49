/* Numbers of threads, for programs that ask for them: in the order of creation, from 0 for the first thread. */

void __selvedge_atomic_begin(void);
void __selvedge_atomic_end(void);

static int __selvedge_last_thread_number;
static _Thread_local int __selvedge_own_thread_number;

int __selvedge_next_thread_number(void)
{
    __selvedge_atomic_begin();
    int number = ++__selvedge_last_thread_number;
    __selvedge_atomic_end();
    return number;
}

void *__selvedge_start_numbered_thread(void *(*routine)(void *), void *argument, int number)
{
    __selvedge_own_thread_number = number;
    return routine(argument);
}

int __selvedge_thread_number(void)
{
    return __selvedge_own_thread_number;
}
