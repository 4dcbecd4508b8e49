// selvedge: memory=unsafe
// flags: --property memory --uninitialised
// Writing a bit-field is no reading of its neighbours.
struct flags {
    unsigned low : 4;
    unsigned high : 12;
};

int main(void)
{
    struct flags flags, others;
    flags.low = 1;
    flags.high = 2;
    unsigned sum = flags.low + flags.high;
    sum += others.high; // MEMORY! reads memory that has not been initialised
    return sum == 0;
}
