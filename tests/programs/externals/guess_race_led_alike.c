// selvedge: race=unsafe
// flags: --assume-externals
// Two threads access what a function gave that nobody knows: wherever that leads to, both are led there.
#include <pthread.h>

struct item {
    int count;
};

struct item *find(int key);

struct item *item;

void *work(void *arg)
{
    item->count++; // RACE! heap
    return 0;
}

int main(void)
{
    pthread_t thread;
    item = find(1);
    if (!item)
        return 0;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
