int main(int argc, char **argv)
{
    (void)argv;
    int result = 0;
    switch (argc) {
    case 1:
        result = 10;
        break;
    case 2:
        result = 20;
        /* fall through */
    default:
        result++;
    }
    return result;
}
