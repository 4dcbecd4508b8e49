/* Readers and a writer: the first reader locks the writer out, the last one lets it in. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t count_lock;
atomic_bool room;
int readers;
int data;

static void take_room(void) {
    _Bool is_taken = 0;
    while (!atomic_compare_exchange_strong(&room, &is_taken, 1)) is_taken = 0;
}

void *reader(void *arg) {
    for (;;) {
        pthread_mutex_lock(&count_lock);
        readers++;
        if (readers == 1) take_room();
        pthread_mutex_unlock(&count_lock);
        int seen = data;
        pthread_mutex_lock(&count_lock);
        readers--;
        if (readers == 0) room = 0;
        pthread_mutex_unlock(&count_lock);
        assert(seen == 0 || seen == 1);
    }
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, reader, 0);
    pthread_create(&u, 0, reader, 0);
    for (;;) {
        take_room();
        data = !data;
        room = 0;
    }
}
