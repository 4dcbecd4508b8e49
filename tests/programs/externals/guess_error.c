// selvedge: assertion=unknown
// flags: --assume-externals
// The condition of an error is what a function gives which nobody knows.
void reach_error(void);
int next(void);

int main(void)
{
    if (next() < 0) // UNKNOWN! would be violated if `next`
        reach_error();
    return 0;
}
