// A binary search tree on the heap: insert, search, traverse, height, delete, free.
// Deletion replaces a node by its successor.
#include <stdio.h>
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
static struct tree *insert(struct tree *t, int k) {
    if (!t) { t = calloc(1, sizeof *t); t->key = k; return t; }
    if (k < t->key) t->left = insert(t->left, k);
    else if (k > t->key) t->right = insert(t->right, k);
    return t;
}
static int height(const struct tree *t) { if (!t) return 0; int l = height(t->left), r = height(t->right); return 1 + (l > r ? l : r); }
static void inorder(const struct tree *t) { if (t) { inorder(t->left); printf("%d ", t->key); inorder(t->right); } }
static struct tree **find(struct tree **t, int k) { while (*t && (*t)->key != k) t = k < (*t)->key ? &(*t)->left : &(*t)->right; return t; }
static int erase(struct tree **root, int k) {
    struct tree **p = find(root, k), *d = *p;
    if (!d) return 0;
    if (d->left && d->right) {
        struct tree **s = &d->right;
        while ((*s)->left) s = &(*s)->left;
        d->key = (*s)->key;
        p = s;
        d = *s;
    }
    *p = d->left ? d->left : d->right;
    free(d);
    return 1;
}
static int release(struct tree *t) { if (!t) return 0; int n = release(t->left) + release(t->right) + 1; free(t); return n; }
int main(void) {
    int keys[] = {50, 30, 70, 20, 40, 60, 80, 35, 45, 65, 30};
    struct tree *t = NULL;
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) t = insert(t, keys[i]);
    inorder(t);
    printf("h%d\n", height(t));
    printf("%d %d\n", *find(&t, 45) != NULL, *find(&t, 46) != NULL);
    printf("%d ", erase(&t, 30));
    printf("%d ", erase(&t, 50));
    printf("%d ", erase(&t, 20));
    printf("%d\n", erase(&t, 99));
    inorder(t);
    printf("h%d root %d\n", height(t), t->key);
    return release(t);
}
