// Dijkstra's shortest paths on a small directed graph, then Floyd-Warshall.
// Both must agree; the path is reconstructed.
#include <limits.h>
#include <stdio.h>
#define N 6
static const struct { unsigned char from, to, w; } edges[] = {{0, 1, 7}, {0, 2, 9}, {0, 5, 14}, {1, 2, 10}, {1, 3, 15}, {2, 3, 11}, {2, 5, 2}, {3, 4, 6}, {5, 4, 9}};
static int dist[N], prev[N], all[N][N];
static void dijkstra(int s) {
    _Bool done[N] = {0};
    for (int i = 0; i < N; i++) { dist[i] = INT_MAX; prev[i] = -1; }
    dist[s] = 0;
    for (;;) {
        int u = -1;
        for (int i = 0; i < N; i++) if (!done[i] && dist[i] < INT_MAX && (u < 0 || dist[i] < dist[u])) u = i;
        if (u < 0) return;
        done[u] = 1;
        for (unsigned e = 0; e < sizeof edges / sizeof *edges; e++)
            if (edges[e].from == u && dist[u] + edges[e].w < dist[edges[e].to]) { dist[edges[e].to] = dist[u] + edges[e].w; prev[edges[e].to] = u; }
    }
}
static void path(int v) { if (prev[v] >= 0) path(prev[v]); printf("%d ", v); }
int main(void) {
    dijkstra(0);
    for (int i = 0; i < N; i++) printf("%d ", dist[i]);
    putchar('\n');
    path(4);
    putchar('\n');
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) all[i][j] = i == j ? 0 : 1000;
    for (unsigned e = 0; e < sizeof edges / sizeof *edges; e++) all[edges[e].from][edges[e].to] = edges[e].w;
    for (int k = 0; k < N; k++) for (int i = 0; i < N; i++) for (int j = 0; j < N; j++)
        if (all[i][k] + all[k][j] < all[i][j]) all[i][j] = all[i][k] + all[k][j];
    for (int i = 0; i < N; i++) printf("%d", all[0][i] == dist[i]);
    printf(" %d\n", all[4][0]);
    return dist[4];
}
