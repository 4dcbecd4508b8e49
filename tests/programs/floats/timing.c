// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// What is computed with floating-point numbers is printed, and nothing depends on it.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static int done;

int main(void)
{
    struct timeval begin, end;
    gettimeofday(&begin, 0);
    done = 1;
    gettimeofday(&end, 0);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_usec - begin.tv_usec) / 1e6;
    double share = (double)rand() / RAND_MAX;
    printf("%f %g\n", seconds, share);
    assert(done == 1);
    return 0;
}
