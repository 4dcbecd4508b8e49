int main(int argc, char **argv)
{
    (void)argv;
    int squares[argc + 1];
    for (int i = 0; i <= argc; i++)
        squares[i] = i * i;
    return squares[argc] + (int)sizeof squares;
}
