// selvedge: memory=unsafe
// The index leaves the array, though not the struct: that is undefined all the same.
struct s { int a[4]; int b; } s;

int main(void) {
    for (int i = 0; i <= 4; i++)
        s.a[i] = 1; // MEMORY! indexes an array beyond its bounds
    return s.b;
}
