int main(int argc, char **argv)
{
    static void *const targets[] = {&&low, &&high};
    (void)argv;
    goto *targets[argc > 1];
low:
    return 1;
high:
    return 2;
}
