// selvedge: memory=unsafe
// Undefined only where both pointers are to one variable.
int x = 1, y = 2;

static void add(int *p, int *q) {
    *p = (*q)++; // MEMORY! in an order that C leaves open
}

int main(void) {
    add(&x, &y);
    add(&y, &x);
    add(&x, &x);
    return 0;
}
