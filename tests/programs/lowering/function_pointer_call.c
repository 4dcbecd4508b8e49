static int add(int a, int b)
{
    return a + b;
}

static int subtract(int a, int b)
{
    return a - b;
}

static int (*operation)(int, int) = add;

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        operation = &subtract;
    return (*operation)(5, 3) + operation(1, 1);
}
