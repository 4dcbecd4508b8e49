// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// The labelled statement runs in a thread of its own, beside the next one.
extern void __CPROVER_assert(_Bool condition, const char *description);

int global;

int main(void)
{
__CPROVER_ASYNC_1:
    global = 1; // RACE! global
    global = 2; // RACE! global
    __CPROVER_assert(global == 2, "global is 2"); // RACE! global FAIL!
    return 0;
}
