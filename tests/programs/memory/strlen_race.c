// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
#include <pthread.h>
#include <string.h>

static char text[4] = "abc";

static void *reader(void *unused)
{
    if (strlen(text) > 3) // RACE! text
        text[3] = 0; // NORACE
    return unused;
}

static void *writer(void *unused)
{
    text[1] = 0; // RACE! text
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
