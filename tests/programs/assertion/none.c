// selvedge: assertion=safe
// flags: --property assertion
// Without an assertion there is nothing to check, however long the program runs.
int n;

int main(void) {
    for (;;) {
        n++;
    }
}
