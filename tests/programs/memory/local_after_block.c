// selvedge: memory=unsafe
// The life of a local ends with its block.
int main(void) {
    int *p = 0;
    {
        int x = 1;
        p = &x;
    }
    return *p; // MEMORY! accesses a local variable whose block or function has ended
}
