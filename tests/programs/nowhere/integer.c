// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// An integer of a pointer's width that never meets an address.
unsigned long __VERIFIER_nondet_ulong(void);
void reach_error(void);

int main(void)
{
    unsigned long n = __VERIFIER_nondet_ulong();
    int small = n < 10, large = n > 20;
    if (small && large)
        reach_error();
    return 0;
}
