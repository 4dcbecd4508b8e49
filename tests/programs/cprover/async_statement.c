// selvedge: assertion=unknown
// Only calls can be asynchronous: a statement that would run on as if it were not labelled must not pass silently.
extern void __CPROVER_assert(_Bool condition, const char *description);

int global;

int main(void)
{
__CPROVER_ASYNC_1:
    global = 1; // UNKNOWN! asynchronous
    global = 2;
    __CPROVER_assert(global == 2, "global is 2");
    return 0;
}
