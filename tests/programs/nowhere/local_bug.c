// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// The address of a local.
void *__VERIFIER_nondet_pointer(void);
void reach_error(void);

int main(void)
{
    int x = 0;
    int *p = __VERIFIER_nondet_pointer();
    if (p == &x)
        *p = 1;
    if (x)
        reach_error(); // FAIL!
    return 0;
}
