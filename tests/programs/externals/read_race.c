// selvedge: race=unsafe
// Two threads read into one buffer.
#include <pthread.h>
#include <unistd.h>

char buffer[2];

void *work(void *arg)
{
    return read(0, buffer, sizeof buffer) > 0 ? buffer : 0; // RACE! buffer
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
