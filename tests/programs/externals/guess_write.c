// selvedge: memory=unknown
// flags: --assume-externals
// A string literal is given to a function that nobody knows and whose prototype lets it write there.
int set(int option, char *value);

int main(void)
{
    return set(1, "name"); // UNKNOWN! would be violated if `set`
}
