// selvedge: deadlock=unknown
#include <semaphore.h>
#include <string.h>

static sem_t a, b;

int main(void)
{
    void *from = &a, *to = &b;
    sem_init(&a, 0, 1);
    memcpy(to, from, sizeof a); // UNKNOWN! a lock that is in use
    sem_wait(&b);
    return 0;
}
