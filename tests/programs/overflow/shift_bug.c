// selvedge: overflow=unsafe
// flags: --property overflow

int bit(int n) {
    return 1 << n; // OVERFLOW! overflows a signed integer
}

int main(void) {
    return bit(30) + bit(31);
}
