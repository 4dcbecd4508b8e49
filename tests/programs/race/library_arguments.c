// selvedge: race=unsafe deadlock=safe memory=safe
// What a library function is given is accessed: the seed, what remains of a pause, a name, an attribute.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

unsigned seed;
struct timespec rest;
char name[4] = "one";
pthread_mutexattr_t attr;
pthread_mutex_t m;

void *run(void *arg)
{
    rand_r(&seed);                                 // RACE! seed
    struct timespec pause = {0, 1};
    nanosleep(&pause, &rest);                      // RACE! rest
    name[0] = 'n';                                 // RACE! name
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_NORMAL); // RACE! attr
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_init(&attr);
    pthread_create(&t, 0, run, 0);
    seed = 1;                                      // RACE! seed
    rest.tv_sec = 1;                               // RACE! rest
    pthread_setname_np(pthread_self(), name);      // RACE! name
    pthread_mutex_init(&m, &attr);                 // RACE! attr
    pthread_join(t, 0);
    return 0;
}
