// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// The address of a member.
void *__VERIFIER_nondet_pointer(void);
void reach_error(void);
struct pair {
    int a, b;
} s;

int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    if (p == &s.b)
        reach_error(); // FAIL!
    return 0;
}
