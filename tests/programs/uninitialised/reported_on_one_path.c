// selvedge: memory=unsafe
// flags: --property memory --uninitialised
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int choice = __VERIFIER_nondet_int(), n;
    if (choice)
        n = 1;
    return n; // MEMORY! reads memory that has not been initialised
}
