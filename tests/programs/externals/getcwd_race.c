// selvedge: race=unsafe
// Two threads ask for the working directory, in one buffer.
#include <pthread.h>
#include <unistd.h>

char path[16];

void *work(void *arg)
{
    getcwd(path, sizeof path); // RACE! path
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    getcwd(path, sizeof path); // RACE! path
    pthread_join(thread, 0);
    return 0;
}
