// selvedge: memory=unknown
// flags: --assume-externals
// A function that nobody knows fills in a struct: that it leaves a pointer in it null is a guess.
struct options {
    int count;
    char *name;
};

int parse(struct options *options);

int main(void)
{
    struct options options = { 0, 0 };
    parse(&options); // UNKNOWN! would be violated if `parse`
    if (options.count == 1)
        return options.name[0];
    return 0;
}
