// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A function that does no harm.
void *__VERIFIER_nondet_pointer(void);
void reach_error(void);
int n;

void target(void)
{
    n = 1;
}

int main(void)
{
    void (*f)(void) = (void (*)(void))__VERIFIER_nondet_pointer();
    if (f == target)
        f();
    if (n > 1)
        reach_error();
    return 0;
}
