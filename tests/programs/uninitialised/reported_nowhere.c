// selvedge: memory=safe
// flags: --property memory --uninitialised
// What is not initialised is not read: `&&` sees to it, and `(void)` is no reading.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int choice = __VERIFIER_nondet_int(), n, unused;
    (void)unused;
    if (choice)
        n = 1;
    return choice && n == 2 ? 1 : 0;
}
