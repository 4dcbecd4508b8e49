// selvedge: assertion=safe memory=safe
// Addresses of four bytes, and sets of signals, are exact.
#include <arpa/inet.h>
#include <assert.h>
#include <signal.h>

int main(void)
{
    struct in_addr address;
    assert(inet_pton(AF_INET, "127.0.0.1", &address) == 1);
    assert(address.s_addr == htonl(0x7f000001));
    assert(inet_pton(AF_INET, "127.0.0.256", &address) == 0);
    assert(inet_pton(AF_INET, "127.0.0.1 ", &address) == 0);
    assert(inet_addr("10.1") == htonl(0x0a000001));
    assert(inet_aton("0x7f.1", &address) == 1);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    assert(sigismember(&set, SIGINT) == 1);
    assert(sigismember(&set, SIGTERM) == 0);
    return 0;
}
