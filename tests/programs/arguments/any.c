// selvedge: assertion=bounded race=bounded deadlock=bounded memory=bounded
// Whatever the arguments are, there is at least one, and null comes after the last.
#include <assert.h>
#include <pthread.h>
#include <string.h>

int is_verbose, counter;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    if (is_verbose)
        counter++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(int argc, char **argv) {
    assert(argc >= 1);
    assert(argv[argc] == 0);
    if (argc != 2)
        return 1;
    is_verbose = argv[1][0] == 'v';
    pthread_t one, other;
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(counter == (is_verbose ? 2 : 0));
    return 0;
}
