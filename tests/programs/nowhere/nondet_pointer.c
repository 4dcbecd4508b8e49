// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The pointer is only used where it is the address of `x`.
void *__VERIFIER_nondet_pointer(void);
void reach_error(void);
int x;

int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    if (p == &x)
        *p = 1;
    if (x > 1)
        reach_error();
    return 0;
}
