int calls;

static int next(void)
{
    return calls++;
}

int main(void)
{
    return next() ?: next() ?: 7;
}
