struct flags {
    unsigned low : 3;
    signed middle : 5;
    unsigned high : 24;
} flags;

int main(void)
{
    flags.low = 5;
    flags.middle -= 1;
    return flags.middle + flags.low;
}
