// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// On its way through a variable.
void *__VERIFIER_nondet_pointer(void);
void reach_error(void);
int x;
int *stored;

int main(void)
{
    stored = __VERIFIER_nondet_pointer();
    if (stored == &x)
        reach_error(); // FAIL!
    return 0;
}
