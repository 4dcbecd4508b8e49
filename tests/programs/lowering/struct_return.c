struct pair {
    int a, b;
};

static struct pair swapped(struct pair p)
{
    return (struct pair){p.b, p.a};
}

int main(void)
{
    struct pair p = {1, 2};
    return swapped(p).a + swapped(swapped(p)).b;
}
