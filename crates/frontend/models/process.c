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
unsigned long __selvedge_strlen(const char *s);
void __selvedge_exit_at_once(int status);

static void __selvedge_read_list(char *const list[])
{
    for (int at = 0; list != 0 && list[at] != 0; at++)
        __selvedge_strlen(list[at]);
}

/* Another program takes this one's place, or does not. */
int __selvedge_execve(const char *path, char *const arguments[], char *const environment[])
{
    __selvedge_strlen(path);
    __selvedge_read_list(arguments);
    __selvedge_read_list(environment);
    if (__selvedge_nondet_int())
        __selvedge_exit_at_once(0);
    return -1;
}

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

char *__selvedge_strcpy(char *target, const char *source);
unsigned long __selvedge_any_bytes(char *buffer, unsigned long count);
unsigned long __selvedge_any_string(char *buffer, unsigned long size);
void *__selvedge_malloc(unsigned long size);
void __selvedge_free(void *pointer);

/* `ftw`: the function is called for the folder itself and for any files below it, as long as it answers with 0. */
int __selvedge_walk(const char *folder, int (*visit)(const char *, void *, int), int most)
{
    (void)most;
    unsigned long length = __selvedge_strlen(folder);
    char *name = __selvedge_malloc(length + 17);
    __selvedge_strcpy(name, folder);
    int stopped = 0;
    if (__selvedge_nondet_int())
        stopped = -1;
    else
        do {
            /* As large as a `struct stat`, and larger. */
            unsigned long status[24];
            __selvedge_any_bytes((char *)status, sizeof status);
            int kind = __selvedge_nondet_int();
            stopped = visit(name, status, kind < 0 || kind > 4 ? 0 : kind);
            name[length] = '/';
            __selvedge_any_string(name + length + 1, 16);
        } while (stopped == 0 && __selvedge_nondet_int());
    __selvedge_free(name);
    return stopped;
}
