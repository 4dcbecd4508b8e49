// selvedge: race=unsafe
// What several pieces of memory are read from is read.
#include <pthread.h>
#include <sys/uio.h>

static char head[2], body[2];

static void *worker(void *unused)
{
    struct iovec pieces[2] = {{head, 2}, {body, 2}};
    writev(1, pieces, 2); // RACE! body
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    body[1] = 1; // RACE! body
    pthread_join(thread, 0);
    return 0;
}
