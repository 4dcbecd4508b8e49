// selvedge: assertion=unknown
extern void __CPROVER_assert(_Bool condition, const char *description);

int global;

static void set(int value)
{
    global = value;
}

int main(void)
{
__CPROVER_ASYNC_1: { // UNKNOWN! asynchronous
        set(1);
        set(2);
    }
    __CPROVER_assert(global == 0, "global is 0");
    return 0;
}
