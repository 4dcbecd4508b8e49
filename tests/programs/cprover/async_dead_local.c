// selvedge: assertion=safe race=unsafe deadlock=safe memory=unsafe
// The pointer leads to a local of a function that may have returned.
static void start(void)
{
    int n = 1;
    int *pointer = &n;
__CPROVER_ASYNC_1:
    *pointer = 2; // RACE! n MEMORY! accesses a local variable
    n = 3; // RACE! n
}

int main(void)
{
    start();
    int other = 1;
    return other - 1;
}
