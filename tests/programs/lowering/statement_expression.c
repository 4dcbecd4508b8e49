#define maximum(a, b) ({ __auto_type x_ = (a); __auto_type y_ = (b); x_ > y_ ? x_ : y_; })

int limit = 3;

int main(void)
{
    int n = 0;
    return maximum(limit, n++) + n;
}
