// selvedge: memory=unknown
// flags: --assume-externals
// An index that a function gives which nobody knows.
int next(void);

int table[4];

int main(void)
{
    int at = next(); // UNKNOWN! would be violated if `next`
    return table[at];
}
