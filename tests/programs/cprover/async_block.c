// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
extern void __CPROVER_assert(_Bool condition, const char *description);

int global;

static void set(int value)
{
    global = value; // RACE! global
}

int main(void)
{
__CPROVER_ASYNC_1: {
        set(1);
        set(2);
    }
    __CPROVER_assert(global == 0, "global is 0"); // RACE! global FAIL!
    return 0;
}
