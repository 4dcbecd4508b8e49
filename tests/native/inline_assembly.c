/* Inline assembly of x86: what libraries of atomics are made of. */
#include <stdio.h>
static int add(int *p, int v) { __asm__ __volatile__("lock; xaddl %0, %1" : "+r"(v), "+m"(*p) : : "memory", "cc"); return v; }
static unsigned char decz(int *p) { unsigned char c; __asm__ __volatile__("lock\n\tdecl %0\n\tsete %1" : "+m"(*p), "=qm"(c) : : "memory"); return c; }
static int cas(int *p, int old, int new) { int prev; __asm__ __volatile__("lock; cmpxchgl %2,%1" : "=a"(prev), "+m"(*p) : "r"(new), "0"(old) : "memory"); return prev; }
static unsigned char casz(long *p, long *old, long new) { unsigned char ok; __asm__ __volatile__("lock cmpxchgq %[new], %[p]; setz %[ok]" : [ok] "=q"(ok), [p] "+m"(*p), "+a"(*old) : [new] "r"(new) : "memory", "cc"); return ok; }
static int xchg(volatile int *p, int v) { __asm__("xchgl %0,%1" : "=r"(v), "=m"(*p) : "0"(v), "m"(*p) : "memory"); return v; }
static int tas(unsigned long *p, long bit) { int r; __asm__ __volatile__("lock; btsq %2,%1\n\tsbbl %0,%0" : "=r"(r), "+m"(*p) : "r"(bit) : "memory"); return r; }
static int tas2(unsigned *p, int bit) { unsigned char r; __asm__ __volatile__("lock; btsl %2,%1; setc %0" : "=q"(r), "+m"(*p) : "Ir"(bit) : "memory"); return r; }
static long ld(long *p) { long r; __asm__ __volatile__("movq %1, %0" : "=r"(r) : "m"(*p)); return r; }
static void st(char *p, char v) { __asm__ __volatile__("movb %1, %0" : "=m"(*p) : "iq"(v) : "memory"); }
static unsigned sumc(unsigned a, unsigned b, int *carry) { unsigned char c; __asm__("addl %2, %0; setc %1" : "+r"(a), "=&q"(c) : "r"(b)); *carry = c; return a; }
static int cmpl(int a, int b) { int z; unsigned char l; __asm__("cmpl %3, %2; setl %1; movzbl %1, %0" : "=&r"(z), "=&q"(l) : "r"(a), "r"(b)); return z; }
static unsigned neg(unsigned a) { __asm__("negl %0; notl %0; incl %0; xorl $0xff, %k0; decl %0" : "+r"(a)); return a; }
static int viaptr(int *p, int v) { __asm__ __volatile__("lock; addl %1, (%0)\n\taddl $2, 4(%0)" : : "r"(p), "r"(v) : "memory"); return p[0]; }
static int fl(unsigned a, unsigned b) { int r; __asm__("cmpl %2, %1" : "=@cca"(r) : "r"(a), "r"(b)); return r; }
static long high(long x) { __asm__("xorl %k0, %k0; orb $3, %b0" : "+r"(x)); return x; }
static short w(short x) { __asm__("addw $1, %0" : "+r"(x)); return x; }
int main(void)
{
    int x = 5, a[2] = {1, 2}, c, r, q;
    long l = 77, o = 77;
    unsigned long bits[2] = {0, 0};
    unsigned ub[3] = {0, 0, 0};
    char ch;
    r = add(&x, 3);
    printf("%d %d\n", r, x);
    r = decz(&x);
    printf("%d %d\n", r, x);
    x = 1;
    r = decz(&x);
    printf("%d %d\n", r, x);
    r = cas(&x, 0, 9);
    printf("%d %d\n", r, x);
    r = cas(&x, 0, 10);
    printf("%d %d\n", r, x);
    r = casz(&l, &o, 78);
    printf("%d %ld %ld\n", r, l, o);
    r = casz(&l, &o, 79);
    printf("%d %ld %ld\n", r, l, o);
    r = xchg(&x, 4);
    printf("%d %d\n", r, x);
    r = tas(bits, 3);
    q = tas(bits, 3);
    printf("%d %d %lu\n", r, q, bits[0]);
    r = tas(bits, 65);
    printf("%d %lu\n", r, bits[1]);
    r = tas2(ub, 33);
    q = tas2(ub, 33);
    printf("%d %d %u\n", r, q, ub[1]);
    st(&ch, 7);
    printf("%ld %d\n", ld(&l), ch);
    r = sumc(4000000000u, 500000000u, &c);
    printf("%d %d\n", r, c);
    printf("%d %d\n", cmpl(-1, 1), cmpl(1, -1));
    printf("%u\n", neg(12));
    r = viaptr(a, 5);
    printf("%d %d\n", r, a[1]);
    printf("%d %d\n", fl(3, 2), fl(2, 3));
    printf("%ld %d\n", high(-1), w(32767));
    __asm__ __volatile__("" ::: "memory");
    __asm__ __volatile__("rep; nop");
    __asm__ __volatile__("lock; addl $0,0(%%rsp)" ::: "memory");
    __asm__ __volatile__("pause\n\tmfence # text");
    return 0;
}
