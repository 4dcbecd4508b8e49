struct point {
    int x, y;
};

static int norm(const struct point *p)
{
    return p->x * p->x + p->y * p->y;
}

int main(void)
{
    int *numbers = (int[]){3, 4};
    return norm(&(struct point){numbers[0], numbers[1]});
}
