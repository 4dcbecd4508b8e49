// selvedge: memory=unsafe
// Even forming the address of what lies more than one element past the end.
struct s { int a[4]; int b[4]; } s;

int main(void) {
    int *p = &s.a[5]; // MEMORY! indexes an array beyond its bounds
    return *p;
}
