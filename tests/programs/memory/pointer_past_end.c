// selvedge: memory=unsafe
// A pointer further than one past the end is undefined, used or not.
int a[4];

int main(void) {
    int *p = a + 6; // MEMORY! moves a pointer out of the object
    return p == 0;
}
