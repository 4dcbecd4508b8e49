// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Both may be the same address.
void *__VERIFIER_nondet_pointer(void);
void reach_error(void);
int x;

int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    int *q = __VERIFIER_nondet_pointer();
    if (p == &x)
        if (q == p)
            reach_error(); // FAIL!
    return 0;
}
