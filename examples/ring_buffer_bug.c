/* The ring buffer of ring_buffer.c with an off-by-one in the test for full: the producer overwrites a slot that the consumer
   has not read yet. Selvedge reports the race on `slots` and the item that is lost. */
// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
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
        while (position - atomic_load(&consumed) > SLOTS) {
        }
        slots[position % SLOTS] = item; // RACE! slots
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
        assert(slots[position % SLOTS] == expected); // RACE! slots FAIL!
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
