// What lies beside a held lock is moved, not the lock.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static struct {
    pthread_mutex_t lock;
    char text[12];
    int used;
} message;

static void *writer(void *text)
{
    pthread_mutex_lock(&message.lock);
    memcpy(message.text, text, 4);
    memset(message.text + 4, 0, sizeof message.text - 4);
    message.used = 4;
    pthread_mutex_unlock(&message.lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, "one");
    pthread_create(&t2, NULL, writer, "two");
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    char copy[12];
    memcpy(copy, message.text, sizeof copy);
    assert(copy[0] == 'o' || copy[0] == 't');
    return 0;
}
