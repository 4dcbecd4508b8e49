// selvedge: memory=unsafe
// One element more than there is room for.
int main(void)
{
    unsigned set[4];
    unsigned long rest = 5;
    unsigned *end = set;
    __asm__ volatile("rep stosl" : "+c"(rest), "+D"(end) : "a"(0) : "memory"); // MEMORY!
    return 0;
}
