// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// What stands in a local without an initialiser may happen to be the address of `x`.
void *__VERIFIER_nondet_pointer(void);
void reach_error(void);
int x;

int main(void)
{
    int *p;
    if (p == &x)
        reach_error(); // FAIL!
    return 0;
}
