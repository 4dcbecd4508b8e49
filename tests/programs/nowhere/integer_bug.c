// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// An integer that can be anything can be what an address is as an integer.
unsigned long __VERIFIER_nondet_ulong(void);
void reach_error(void);
int x;

int main(void)
{
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n == (unsigned long)&x)
        reach_error(); // FAIL!
    return 0;
}
