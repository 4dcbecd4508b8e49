// selvedge: memory=unsafe
// An argument reads what another writes.
int g;

static int sum(int a, int b) {
    return a + b;
}

int main(void) {
    return sum(g, g++); // MEMORY! in an order that C leaves open
}
