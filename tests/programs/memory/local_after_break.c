// selvedge: memory=unsafe
// However a block is left, what was declared in it is gone.
int main(void) {
    int *p = 0;
    for (int i = 0; i < 3; i++) {
        int a[2] = {i, i};
        p = a;
        if (i == 1)
            break;
    }
    return p[1]; // MEMORY! accesses a local variable whose block or function has ended
}
