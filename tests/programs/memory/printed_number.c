// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
#include <pthread.h>
#include <stdio.h>

static int x;

static void *printer(void *unused)
{
    printf("%d\n", x); // RACE! x
    return unused;
}

static void *writer(void *unused)
{
    x = 1; // RACE! x
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, printer, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
