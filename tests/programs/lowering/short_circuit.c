int a, b, c;

int main(void)
{
    c = a && b;
    c = a || b;
    if (a && (b || c))
        return 1;
    return 0;
}
