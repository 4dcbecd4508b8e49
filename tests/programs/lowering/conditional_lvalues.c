int a, b;

int main(int argc, char **argv)
{
    (void)argv;
    *(argc > 1 ? &a : &b) = 4;
    int c = (a++, b += a, b);
    return argc > 2 ? c : -c;
}
