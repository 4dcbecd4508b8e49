struct shape {
    int sides;
    struct {
        char name[4];
        short corners[3];
    } detail;
};

static struct shape shapes[] = {
    [1] = {.detail.corners[2] = 7, .sides = 3},
    [0].detail = {.name = "dot"},
};

int main(void)
{
    struct shape local = {.detail = {.corners = {1, [2] = 2}}};
    return shapes[1].sides + local.detail.corners[2];
}
