// selvedge: memory=unsafe
// flags: --assume-externals
// A pointer is null because of a function that nobody knows, or because of the program itself: the latter is no guess.
int __VERIFIER_nondet_int(void);

struct item {
    int count;
};

struct item *find(int key);

int main(void)
{
    struct item *item = find(1);
    if (__VERIFIER_nondet_int() == 3)
        item = 0;
    item->count = 1; // MEMORY! dereferences a null pointer
    return 0;
}
