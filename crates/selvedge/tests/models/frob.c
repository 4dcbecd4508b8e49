struct item {
    int count;
    char *name;
};

int frob(struct item *item, int how)
{
    item->count += how;
    return item->count;
}
