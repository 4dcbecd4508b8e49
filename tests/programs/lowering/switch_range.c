static int kind(unsigned char c)
{
    switch (c) {
    case '0' ... '9':
        return 1;
    case 'a' ... 'z':
    case 'A' ... 'Z':
        return 2;
    default:
        return 0;
    }
}

int main(void)
{
    return kind('x') - kind('7');
}
