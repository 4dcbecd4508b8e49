// selvedge: assertion=unknown race=unknown deadlock=unknown memory=unknown
#include <pthread.h>

static int x;

static void *worker(void *unused)
{
    __asm__ volatile("cpuid" : "+m"(x)); // UNKNOWN! asm
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
