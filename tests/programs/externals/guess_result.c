// selvedge: memory=unknown
// flags: --assume-externals
// That a function that nobody knows gives null is a guess.
struct item {
    int count;
};

struct item *find(int key);

int main(void)
{
    struct item *item = find(1); // UNKNOWN! would be violated if `find`
    item->count = 1;
    return 0;
}
