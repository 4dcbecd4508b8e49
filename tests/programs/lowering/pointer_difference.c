struct item {
    char text[12];
} items[4];

int main(void)
{
    struct item *last = &items[3], *first = items;
    long distance = last - first;
    return first < last ? (int)distance : *(first + 1)->text;
}
