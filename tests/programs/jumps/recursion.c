// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Of several activations of one function a jump comes back to the one that has filled the buffer.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static int descend(int depth, jmp_buf *outer, int to)
{
    jmp_buf own;
    int value = setjmp(own);
    if (value != 0) {
        assert(depth == to && value == 10 + to);
        return depth;
    }
    if (depth == 3)
        longjmp(*outer, 10 + to);
    int result = descend(depth + 1, depth == to ? &own : outer, to);
    assert(depth < to && result == to);
    return result;
}

static void *worker(void *to)
{
    int result = descend(0, NULL, *(int *)to);
    assert(result == *(int *)to);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {0, 2};
    pthread_create(&threads[0], NULL, worker, &numbers[0]);
    pthread_create(&threads[1], NULL, worker, &numbers[1]);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
