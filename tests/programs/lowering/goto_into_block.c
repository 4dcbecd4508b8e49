int main(void)
{
    int i = 0;
    goto inside;
    while (i < 3) {
        i += 2;
    inside:
        i++;
    }
    return i;
}
