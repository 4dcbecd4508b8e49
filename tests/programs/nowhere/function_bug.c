// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// The address of a function.
void *__VERIFIER_nondet_pointer(void);
void reach_error(void);

void target(void)
{
    reach_error(); // FAIL!
}

int main(void)
{
    void (*f)(void) = (void (*)(void))__VERIFIER_nondet_pointer();
    if (f == target)
        f();
    return 0;
}
