// selvedge: assertion=unsafe
// Nobody reads `written` by its name, but a pointer from nowhere may: what was chosen for it matters.
void *__VERIFIER_nondet_pointer(void);
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void);
unsigned char written;

int main(void)
{
    written = __VERIFIER_nondet_uchar();
    unsigned char *from_nowhere = __VERIFIER_nondet_pointer();
    if (*from_nowhere == 5)
        reach_error(); // FAIL!
    return 0;
}
