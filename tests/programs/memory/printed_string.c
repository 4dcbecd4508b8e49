// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// Printing reads its arguments, strings to their ends.
#include <pthread.h>
#include <stdio.h>

static char text[4] = "abc";

static void *printer(void *unused)
{
    printf("%s\n", text); // RACE! text
    return unused;
}

static void *writer(void *unused)
{
    text[1] = 'x'; // RACE! text
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
