// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// No pointer is two addresses.
void *__VERIFIER_nondet_pointer(void);
void reach_error(void);
int x, y;

int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    if (p == &x)
        if (p == &y)
            reach_error();
    return 0;
}
