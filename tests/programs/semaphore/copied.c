// The copy of a semaphore has the value of the original.
#include <semaphore.h>

struct gate {
    int number;
    sem_t open;
};

static struct gate a, b;

int main(void)
{
    sem_init(&a.open, 0, 1);
    b = a;
    sem_wait(&b.open);
    sem_wait(&a.open);
    return 0;
}
