// selvedge: memory=unknown
// flags: --assume-externals
// A pointer to a function in a variable that nobody defines: that it is null is a guess.
extern void (*release)(void *);

int main(void)
{
    release(0); // UNKNOWN! would be violated if `release`
    return 0;
}
