signed char narrow = -1;
unsigned wide;
double real = 2.5;
_Bool flag;

int main(void)
{
    wide = narrow;
    flag = real;
    narrow = (signed char)(wide >> 4);
    return (int)(real * narrow) - flag;
}
