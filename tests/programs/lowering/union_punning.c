union number {
    float real;
    unsigned bits;
    unsigned char bytes[4];
};

int main(void)
{
    union number n = {.real = 1.0f};
    n.bytes[3] ^= 0x80;
    return n.bits >> 31;
}
