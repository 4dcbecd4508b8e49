// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
// flags: --engine interference
// The status that a process ends with is computed like any other value.
extern int __VERIFIER_nondet_int(void);
extern void exit(int);

int main(void)
{
    int divisor = __VERIFIER_nondet_int();
    exit(10 / divisor); // MEMORY! divides by zero
}
