// selvedge: memory=unsafe
// A struct parameter is a variable of the function that is called.
struct pair { int a, b; };
struct pair *kept;

void keep(struct pair pair) {
    kept = &pair;
}

int main(void) {
    struct pair mine = {1, 2};
    keep(mine);
    return kept->a; // MEMORY! accesses a local variable whose block or function has ended
}
