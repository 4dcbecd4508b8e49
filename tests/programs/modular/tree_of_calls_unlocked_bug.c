// selvedge: race=unsafe?
// flags: --property race --timeout 3
// INFINITE: any number of threads, loops without end
// The last function does without the lock in one of the 4,096 ways in which it is called.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int count;

static void zeroth(int depth)
{
    if (depth != 24)
        pthread_mutex_lock(&m);
    if (count < 1000) // RACE! count
        count++; // RACE! count
    if (depth != 24)
        pthread_mutex_unlock(&m);
}

static void first(int depth)
{
    zeroth(depth + 1);
    zeroth(depth + 2);
}

static void second(int depth)
{
    first(depth + 1);
    first(depth + 2);
}

static void third(int depth)
{
    second(depth + 1);
    second(depth + 2);
}

static void fourth(int depth)
{
    third(depth + 1);
    third(depth + 2);
}

static void fifth(int depth)
{
    fourth(depth + 1);
    fourth(depth + 2);
}

static void sixth(int depth)
{
    fifth(depth + 1);
    fifth(depth + 2);
}

static void seventh(int depth)
{
    sixth(depth + 1);
    sixth(depth + 2);
}

static void eighth(int depth)
{
    seventh(depth + 1);
    seventh(depth + 2);
}

static void ninth(int depth)
{
    eighth(depth + 1);
    eighth(depth + 2);
}

static void tenth(int depth)
{
    ninth(depth + 1);
    ninth(depth + 2);
}

static void eleventh(int depth)
{
    tenth(depth + 1);
    tenth(depth + 2);
}

static void twelfth(int depth)
{
    eleventh(depth + 1);
    eleventh(depth + 2);
}


void *worker(void *argument)
{
    for (;;)
        twelfth(0);
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
        pthread_mutex_lock(&m);
        assert(count <= 1000); // RACE! count
        pthread_mutex_unlock(&m);
    }
}
