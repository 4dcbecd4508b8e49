// selvedge: memory=unsafe
// Two writes of a variable in no particular order.
int main(void) {
    int i = 0;
    i = i++ + ++i; // MEMORY! in an order that C leaves open
    return i;
}
