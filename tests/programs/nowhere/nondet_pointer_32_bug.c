// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// flags: -m32
// The same where pointers are as wide as `int`.
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
