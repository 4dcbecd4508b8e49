#include <pthread.h>

static void *worker(void *argument)
{
    return (char *)argument + 1;
}

int main(void)
{
    pthread_t thread;
    void *result;
    char text[2] = "a";
    pthread_create(&thread, NULL, worker, text);
    pthread_join(thread, &result);
    return *(char *)result;
}
