// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
// Not null is not enough.
void *__VERIFIER_nondet_pointer(void);

int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    if (p)
        *p = 1; // MEMORY!
    return 0;
}
