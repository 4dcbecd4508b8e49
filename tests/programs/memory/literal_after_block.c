// selvedge: memory=unsafe
// A compound literal lives as long as the block around it.
struct point { int x, y; };

int main(void) {
    struct point *p = 0;
    if (1) {
        p = &(struct point){1, 2};
    }
    return p->x; // MEMORY! accesses a local variable whose block or function has ended
}
