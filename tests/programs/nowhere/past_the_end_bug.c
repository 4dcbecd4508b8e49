// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Just past the end of an array there is an address, too.
void *__VERIFIER_nondet_pointer(void);
void reach_error(void);
char a[2];

int main(void)
{
    char *p = __VERIFIER_nondet_pointer();
    if (p == a + 2)
        reach_error(); // FAIL!
    return 0;
}
