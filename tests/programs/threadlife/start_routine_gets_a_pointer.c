// selvedge: race=unknown deadlock=unknown memory=unknown
// A pointer does not fit into an `int`: the low half of an address is not modelled.
#include <pthread.h>

int x;

void *narrow(int i)
{
    return i == 0 ? &x : 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, (void *(*)(void *))narrow, &x); // UNKNOWN! numeric address
    pthread_join(t, 0);
    return 0;
}
