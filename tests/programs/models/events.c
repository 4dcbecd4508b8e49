// epoll, mapped memory and lines of input.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>

#if CASE == 0
static int shared;
int main(void)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &shared}, happened[2];
    int epoll = epoll_create1(0);
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, 3, &event) != 0)
        return 1;
    int count = epoll_wait(epoll, happened, 2, -1);
    if (count <= 0)
        return 2;
    return count == 1 && happened[0].data.ptr == &shared ? 3 : 4; // EXPECT[0]: exit 1 | exit 2 | exit 3
}
#elif CASE == 1
int main(void)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = 7};
    int status = epoll_ctl(1, EPOLL_CTL_ADD, 3, &event) + 2 * epoll_ctl(1, EPOLL_CTL_ADD, 3, &event);
    return status + 8; // EXPECT[1]: exit 5 | exit 6 | exit 7
}
#elif CASE == 2
int main(void)
{
    int *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int first = page[0] + page[1023];
    page[7] = 4;
    int last = page[7];
    munmap(page, 4096);
    return first + last; // EXPECT[2]: exit 4
}
#elif CASE == 3
int main(void)
{
    int *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(page, 4096);
    return page[0]; // EXPECT[3]: undefined UseAfterFree
}
#elif CASE == 4
int main(void)
{
    char *pages = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return munmap(pages, 4096); // EXPECT[4]: unsupported call of `munmap` for a part of what was mapped
}
#elif CASE == 6
int main(void)
{
    char *file = mmap(NULL, 16, PROT_READ, MAP_SHARED, 3, 0);
    return file[0] < 0 ? 1 : 2; // EXPECT[6]: exit 1 | exit 2
}
#elif CASE == 5
int main(void)
{
    char *line = NULL;
    size_t size = 0;
    long length = getline(&line, &size, stdin);
    int fits = length < 0 || (length > 0 && (size_t)length == strlen(line) && (size_t)length < size);
    free(line);
    return fits ? 5 : 1; // EXPECT[5]: exit 5
}
#endif
