char exact[3] = "abc";
char padded[6] = "abc";
const char *pointer = "abc" "def";

int main(void)
{
    char local[] = "xy";
    return exact[2] + padded[4] + pointer[5] + local[1];
}
