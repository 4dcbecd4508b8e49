// selvedge: assertion=safe race=safe
// flags: --property assertion --property race
// INFINITE: any number of workers, values of 32 bits, loops without end
// Workers take jobs one by one from a slot; whoever has a job has it alone.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int has_job, job, is_closed, done;

void *worker(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        while (!has_job && !is_closed)
            pthread_cond_wait(&changed, &m);
        if (is_closed && !has_job) {
            pthread_mutex_unlock(&m);
            return 0;
        }
        int mine = job;
        has_job = 0;
        assert(mine > 0);
        if (done < 1000000)
            done++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
    }
}

void *client(void *arg)
{
    for (;;) {
        int x = __VERIFIER_nondet_int();
        pthread_mutex_lock(&m);
        while (has_job)
            pthread_cond_wait(&changed, &m);
        if (x > 0 && !is_closed) {
            job = x;
            has_job = 1;
        } else if (x < 0) {
            is_closed = 1;
        }
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
        pthread_create(&t, 0, client, 0);
    }
}
