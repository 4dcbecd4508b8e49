// selvedge: memory=unsafe
// flags: --property memory --uninitialised
int main(void)
{
    int n;
    return n != 0; // MEMORY! reads memory that has not been initialised
}
