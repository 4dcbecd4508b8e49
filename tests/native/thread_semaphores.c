// POSIX semaphores: init, post, wait, trywait and getvalue.
// A thread posts, main waits after joining it.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
static sem_t s;
static void *poster(void *arg) { for (long i = 0; i < (long)arg; i++) sem_post(&s); return NULL; }
int main(void) {
    int v;
    printf("%d\n", sem_init(&s, 0, 1));
    pthread_t t;
    pthread_create(&t, NULL, poster, (void *)3);
    pthread_join(t, NULL);
    sem_getvalue(&s, &v);
    printf("%d\n", v);
    printf("%d %d\n", sem_wait(&s), sem_wait(&s));
    sem_getvalue(&s, &v);
    printf("%d\n", v);
    printf("%d %d\n", sem_trywait(&s), sem_trywait(&s));
    int r = sem_trywait(&s);
    printf("%d %d\n", r, errno == EAGAIN);
    printf("%d\n", sem_destroy(&s));
    return v;
}
