// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// A pointer that can be anything can be the address of `x`.
void *__VERIFIER_nondet_pointer(void);
void reach_error(void);
int x;

int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    if (p == &x)
        reach_error(); // FAIL!
    return 0;
}
