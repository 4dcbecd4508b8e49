// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Once a member has been looked at it has a value, and that is copied.
void reach_error(void);

struct pair { unsigned char r[3], m; int k; };

static int seen;

static struct pair same(struct pair value) { return value; }

int main(void)
{
    struct pair s, t;
    t = same(s);
    if (t.m != s.m)
        seen = 1;
    s = t;
    if (s.m != t.m)
        reach_error();
    return 0;
}
