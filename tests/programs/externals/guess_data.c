// selvedge: memory=unknown
// flags: --assume-externals
// Data that nobody defines: that its pointers are null is a guess.
struct source {
    const char *name;
    struct source *next;
};

extern struct source first;

int main(void)
{
    return first.name[0]; // UNKNOWN! would be violated if `first`
}
