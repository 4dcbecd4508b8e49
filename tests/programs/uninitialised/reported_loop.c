// selvedge: memory=unsafe
// flags: --property memory --uninitialised
// Each round has another local.
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int n;
        if (i == 0)
            n = 1;
        sum += n; // MEMORY! reads memory that has not been initialised
    }
    return sum;
}
