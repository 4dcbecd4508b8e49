// selvedge: memory=unsafe
// A condition is computed once, whichever way it goes: one place is undefined.

int main(void) {
    int zero = 0;
    if (1 / zero) // MEMORY! divides by zero
        return 1;
    return 0;
}
