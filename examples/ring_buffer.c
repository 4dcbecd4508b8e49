/* A ring buffer for one producer and one consumer, without a lock: each side owns one index, and moves it only after it is
   done with the slot. The workhorse of drivers and audio. Selvedge proves that the slots do not race, though they are plain,
   and that everything arrives once and in order. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 2, ITEMS = 3 };

static int slots[SLOTS];
static atomic_uint written, consumed;

static void *producer(void *unused)
{
    for (int item = 1; item <= ITEMS; item++) {
        unsigned position = atomic_load(&written);
        while (position - atomic_load(&consumed) == SLOTS) {
        }
        slots[position % SLOTS] = item; // NORACE
        atomic_store(&written, position + 1);
    }
    return unused;
}

static void *consumer(void *unused)
{
    for (int expected = 1; expected <= ITEMS; expected++) {
        unsigned position = atomic_load(&consumed);
        while (atomic_load(&written) == position) {
        }
        assert(slots[position % SLOTS] == expected); // NORACE
        atomic_store(&consumed, position + 1);
    }
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, producer, NULL);
    pthread_create(&two, NULL, consumer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
