// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The two members of one struct, told apart.
void *__VERIFIER_nondet_pointer(void);
void reach_error(void);
struct pair {
    int a, b;
} s;

int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    if (p == &s.b)
        *p = 1;
    if (s.a)
        reach_error();
    return 0;
}
