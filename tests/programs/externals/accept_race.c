// selvedge: race=unsafe
// flags: --property race
// The length is written all the same.
#include <pthread.h>
#include <sys/socket.h>

socklen_t length = 0;

void *serve(void *unused)
{
    accept(3, 0, &length); // RACE! length
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, serve, 0);
    accept(3, 0, &length); // RACE! length
    pthread_join(thread, 0);
    return 0;
}
