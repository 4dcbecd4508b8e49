struct pair {
    char tag;
    int values[2];
} from, to;

int main(void)
{
    struct pair local = from;
    local.values[1] = 3;
    to = local;
    return to.tag;
}
