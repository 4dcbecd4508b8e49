int array[4];
int next;

static int index_of(void)
{
    return next++;
}

int main(void)
{
    array[index_of()] += 2;
    array[next]++;
    return --array[0];
}
