int main(void)
{
    int found = 0;
    for (int i = 0; i < 3; i++) {
        int j = 0;
        do {
            if (j == i)
                continue;
            if (j > 1)
                break;
            found++;
        } while (++j < 3);
        while (found > 4)
            found -= 2;
    }
    return found;
}
