// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// On its way through a call.
void *__VERIFIER_nondet_pointer(void);
void reach_error(void);
int x;

static void set(int *p)
{
    if (p == &x)
        *p = 1;
}

int main(void)
{
    set(__VERIFIER_nondet_pointer());
    if (x > 1)
        reach_error();
    return 0;
}
