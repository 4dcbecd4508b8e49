// selvedge: memory=unsafe
// The third round has one element on both sides.
int a[4];

int main(void) {
    for (int i = 0; i < 4; i++)
        a[i] = a[2]--; // MEMORY! in an order that C leaves open
    return 0;
}
