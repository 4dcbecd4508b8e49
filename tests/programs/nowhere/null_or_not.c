// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Only whether it is null matters.
void *__VERIFIER_nondet_pointer(void);
void reach_error(void);

int main(void)
{
    void *p = __VERIFIER_nondet_pointer();
    int n = 0;
    if (p)
        n = 1;
    else
        n = 2;
    if (n == 0)
        reach_error();
    return 0;
}
