// selvedge: memory=unsafe
// A variable-length array has at least one element (C11 6.7.6.2).
int sum(int n) {
    int a[n]; // MEMORY! declares an array whose length is not positive
    return n ? a[0] = n : 0;
}

int main(void) {
    return sum(2) + sum(0);
}
