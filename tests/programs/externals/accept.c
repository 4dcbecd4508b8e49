// selvedge: memory=safe?
// flags: --property memory --engine explicit
// INFINITE: the length is any number up to that of the address
// The length that a call has left is the one that the next gets: it is never more than the address has room for.
#include <sys/socket.h>

int main(void)
{
    struct sockaddr address;
    socklen_t length = sizeof address;
    for (int i = 0; i < 2; i++)
        accept(3, &address, &length);
    return 0;
}
