static int next(void)
{
    static int count = 5;
    static int *const where = &count;
    return ++*where;
}

int main(void)
{
    static int count;
    return next() + count++;
}
