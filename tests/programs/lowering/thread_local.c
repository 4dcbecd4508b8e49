static _Thread_local int own = 3;
__thread char buffer[4];

int main(void)
{
    own++;
    buffer[1] = (char)own;
    return buffer[1];
}
