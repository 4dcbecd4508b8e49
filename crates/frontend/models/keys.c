/* Destructors of thread-specific data, and threads that run them when they end. Used only in programs that have any. */

void __selvedge_atomic_begin(void);
void __selvedge_atomic_end(void);
void *__selvedge_get_specific(unsigned key);
void __selvedge_set_specific(unsigned key, void *value);

static void (*__selvedge_destructors[1024])(void *);
static unsigned __selvedge_keys_with_destructors;

void __selvedge_set_destructor(unsigned key, void (*destructor)(void *))
{
    __selvedge_atomic_begin();
    __selvedge_destructors[key] = destructor;
    if (destructor != 0 && key >= __selvedge_keys_with_destructors)
        __selvedge_keys_with_destructors = key + 1;
    __selvedge_atomic_end();
}

/* A destructor may set values again; after four rounds the rest is left alone. */
void __selvedge_run_destructors(void)
{
    for (int round = 0; round < 4; round++) {
        int is_done = 1;
        for (unsigned key = 0;; key++) {
            void (*destructor)(void *) = 0;
            __selvedge_atomic_begin();
            unsigned keys = __selvedge_keys_with_destructors;
            if (key < keys)
                destructor = __selvedge_destructors[key];
            __selvedge_atomic_end();
            if (key >= keys)
                break;
            void *value = __selvedge_get_specific(key);
            if (destructor != 0 && value != 0) {
                is_done = 0;
                __selvedge_set_specific(key, 0);
                destructor(value);
            }
        }
        if (is_done)
            return;
    }
}

void *__selvedge_start_thread(void *(*routine)(void *), void *argument)
{
    void *result = routine(argument);
    __selvedge_run_destructors();
    return result;
}

int __selvedge_start_c11_thread(int (*routine)(void *), void *argument)
{
    int result = routine(argument);
    __selvedge_run_destructors();
    return result;
}
