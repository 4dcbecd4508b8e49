// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// glibc declares these with a transparent union for the address: what it holds is the pointer.
#define _GNU_SOURCE
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

int main(void)
{
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    int socket_ = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(socket_, (struct sockaddr *)&address, sizeof address) < 0)
        return 1;
    return accept(socket_, 0, 0) < 0;
}
