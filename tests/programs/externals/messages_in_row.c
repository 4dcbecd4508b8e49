// selvedge: memory=safe
// `recvmmsg` fills each message as `recvmsg` does, as many as come.
#define _GNU_SOURCE
#include <sys/socket.h>

int main(void)
{
    char first[4], second[4];
    struct iovec parts[2] = {{first, sizeof first}, {second, sizeof second}};
    struct mmsghdr messages[2] = {{.msg_hdr = {.msg_iov = &parts[0], .msg_iovlen = 1}},
                                  {.msg_hdr = {.msg_iov = &parts[1], .msg_iovlen = 1}}};
    int came = recvmmsg(3, messages, 2, 0, 0);
    char sum = 0;
    for (int at = 0; at < came; at++)
        for (unsigned byte = 0; byte < messages[at].msg_len; byte++)
            sum += ((char *)messages[at].msg_hdr.msg_iov->iov_base)[byte];
    return sum > 100;
}
