// Numbers in the order of networks.
#include <arpa/inet.h>
#include <stdio.h>

int main(void) {
    volatile unsigned number = 0x01020304u;
    volatile unsigned short small = 0x8003u;
    printf("%x %x\n", (unsigned)htonl(number), (unsigned)ntohl(number));
    printf("%x %x\n", (unsigned)htons(small), (unsigned)ntohs(small));
    printf("%d\n", htonl(ntohl(number)) == number && ntohs(htons(small)) == small);
    uint32_t (*convert)(uint32_t) = htonl;
    printf("%x\n", (unsigned)convert(number));
    return 0;
}
