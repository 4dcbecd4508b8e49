// selvedge: memory=unsafe
// flags: --property memory --timeout 5
// What is called was never set, and no function has an address: it is not one.
static void part(void) {
    void (*f)(void);
    if (f)
        f(); // MEMORY! function
}

int main(void) {
    part();
    return 0;
}
