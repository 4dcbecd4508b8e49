"""Writes C programs of growing size in the shape of real ones: modules with their own structs, locks and tables of functions, that
share a heap wrapper, generic containers of `void *`, an event loop with callbacks, a logger and a pool of workers.

    programs.py FOLDER LINES…
"""
import pathlib
import random
import sys

HEAD = """#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

static void *take(size_t size) { void *p = malloc(size); if (!p) abort(); return p; }
static void *take_zeroed(size_t size) { void *p = take(size); memset(p, 0, size); return p; }

struct item { struct item *next, *previous; void *data; };
struct list { struct item head; pthread_mutex_t lock; int length; void (*release)(void *); };
static void list_init(struct list *l, void (*release)(void *)) {
  l->head.next = l->head.previous = &l->head; l->length = 0; l->release = release; pthread_mutex_init(&l->lock, 0); }
static void list_push(struct list *l, void *data) {
  struct item *i = take(sizeof *i); i->data = data; pthread_mutex_lock(&l->lock);
  i->next = l->head.next; i->previous = &l->head; i->next->previous = i; l->head.next = i; l->length++;
  pthread_mutex_unlock(&l->lock); }
static void *list_pop(struct list *l) {
  void *data = 0; pthread_mutex_lock(&l->lock);
  struct item *i = l->head.next;
  if (i != &l->head) { i->previous->next = i->next; i->next->previous = i->previous; data = i->data; l->length--; free(i); }
  pthread_mutex_unlock(&l->lock); return data; }

struct slot { const char *key; void *value; struct slot *next; };
struct map { struct slot *slots[64]; unsigned used; };
static unsigned hash(const char *s) { unsigned h = 5381; while (*s) h = h * 33 + (unsigned char)*s++; return h % 64; }
static void map_put(struct map *m, const char *key, void *value) {
  struct slot *s = take(sizeof *s); s->key = key; s->value = value; s->next = m->slots[hash(key)];
  m->slots[hash(key)] = s; m->used++; }
static void *map_get(struct map *m, const char *key) {
  for (struct slot *s = m->slots[hash(key)]; s; s = s->next) if (strcmp(s->key, key) == 0) return s->value;
  return 0; }

struct event { int kind; void *owner; void (*run)(struct event *, void *); void *argument; struct event *next; };
static struct event *pending; static pthread_mutex_t pending_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t pending_some = PTHREAD_COND_INITIALIZER; static int stopping;
static void post(int kind, void *owner, void (*run)(struct event *, void *), void *argument) {
  struct event *e = take_zeroed(sizeof *e); e->kind = kind; e->owner = owner; e->run = run; e->argument = argument;
  pthread_mutex_lock(&pending_lock); e->next = pending; pending = e; pthread_cond_signal(&pending_some);
  pthread_mutex_unlock(&pending_lock); }
static void *worker(void *unused) { (void)unused;
  for (;;) { pthread_mutex_lock(&pending_lock);
    while (!pending && !stopping) pthread_cond_wait(&pending_some, &pending_lock);
    struct event *e = pending; if (e) pending = e->next; pthread_mutex_unlock(&pending_lock);
    if (!e) return 0;
    e->run(e, e->argument); free(e); } }

struct buffer { char *start, *at, *end; };
static void buffer_need(struct buffer *b, size_t more) {
  if ((size_t)(b->end - b->at) >= more) return;
  size_t used = b->at - b->start, room = (used + more) * 2; char *fresh = take(room);
  if (used) memcpy(fresh, b->start, used);
  free(b->start); b->start = fresh; b->at = fresh + used; b->end = fresh + room; }
static void buffer_put(struct buffer *b, const void *from, size_t size) {
  buffer_need(b, size); memcpy(b->at, from, size); b->at += size; }

struct module { const char *name; int (*start)(struct module *, void *); int (*stop)(struct module *); void *state; };
static struct module modules[4096]; static int module_count; static struct map registry; static struct list trash;
static void enlist(const char *name, int (*start)(struct module *, void *), int (*stop)(struct module *), void *state) {
  struct module *m = &modules[module_count++]; m->name = name; m->start = start; m->stop = stop; m->state = state;
  map_put(&registry, name, m); }
"""

MODULE = """
struct m@_entry {{ int id; struct m@_entry *next; char name[16]; struct m@_state *home; long counts[{fields}];
  int (*handle)(struct m@_entry *, int); }};
struct m@_state {{ pthread_mutex_t lock; struct m@_entry *first; struct m@_entry table[{table}]; struct buffer out; struct list done;
  int total, limit; struct m@_state *peer; void (*notify)(void *, int); void *listener; }};
static struct m@_state m@_main;
static int m@_seen;
static int m@_plain(struct m@_entry *e, int n) {{ e->counts[n % {fields}]++; return e->id + n; }}
static int m@_twice(struct m@_entry *e, int n) {{ e->counts[0] += 2; return m@_plain(e, n) * 2; }}
static struct m@_entry *m@_find(struct m@_state *s, int id) {{
  for (struct m@_entry *e = s->first; e; e = e->next) if (e->id == id) return e;
  for (int i = 0; i < {table}; i++) if (s->table[i].id == id) return &s->table[i];
  return 0; }}
static struct m@_entry *m@_add(struct m@_state *s, int id, const char *name) {{
  struct m@_entry *e = m@_find(s, id);
  if (e) return e;
  e = take_zeroed(sizeof *e); e->id = id; strncpy(e->name, name, sizeof e->name - 1); e->home = s;
  e->handle = id % 2 ? m@_plain : m@_twice;
  pthread_mutex_lock(&s->lock); e->next = s->first; s->first = e; s->total++; pthread_mutex_unlock(&s->lock);
  return e; }}
static void m@_release(void *p) {{ struct m@_entry *e = p; if (e->home) e->home->total--; free(e); }}
static void m@_drop(struct m@_state *s, int id) {{
  pthread_mutex_lock(&s->lock);
  for (struct m@_entry **at = &s->first; *at; at = &(*at)->next)
    if ((*at)->id == id) {{ struct m@_entry *e = *at; *at = e->next; list_push(&s->done, e); s->total--; break; }}
  pthread_mutex_unlock(&s->lock); }}
static void m@_write(struct m@_state *s, struct m@_entry *e) {{
  char line[32]; int n = e->id;
  memcpy(line, e->name, sizeof e->name);
  buffer_put(&s->out, line, sizeof e->name); buffer_put(&s->out, &n, sizeof n);
  for (int i = 0; i < {fields}; i++) buffer_put(&s->out, &e->counts[i], sizeof e->counts[i]); }}
static int m@_sum(struct m@_state *s) {{
  int sum = 0; struct m@_entry copy;
  for (struct m@_entry *e = s->first; e; e = e->next) {{ copy = *e; sum += copy.handle(&copy, sum); }}
  return sum; }}
static void m@_event(struct event *e, void *argument) {{
  struct m@_state *s = e->owner; struct m@_entry *entry = argument;
  pthread_mutex_lock(&s->lock); m@_seen += entry->handle(entry, e->kind); m@_write(s, entry);
  if (s->notify) s->notify(s->listener, e->kind);
  pthread_mutex_unlock(&s->lock); }}
static void m@_notice(void *listener, int kind) {{
  struct m@_state *s = listener; struct m@_entry *e = m@_find(s, kind);
  if (e) post(kind + 1, s, m@_event, e); {calls} }}
static int m@_work(struct m@_state *s, int rounds) {{
  for (int i = 0; i < rounds; i++) {{
    struct m@_entry *e = m@_add(s, i, "entry @"); e->handle(e, i);
    post(i, s, m@_event, e); m@_write(s, e);
    if (i % 3 == 0) m@_drop(s, i); }}
  return m@_sum(s); }}
static int m@_start(struct module *m, void *argument) {{
  struct m@_state *s = m->state; s->listener = argument; s->limit = {fields};
  list_init(&s->done, m@_release); pthread_mutex_init(&s->lock, 0);
  for (int i = 0; i < {table}; i++) {{ s->table[i].id = -i; s->table[i].home = s; s->table[i].handle = m@_plain; }}
  return m@_work(s, s->limit); }}
static int m@_stop(struct module *m) {{
  struct m@_state *s = m->state; void *p; int n = 0;
  while ((p = list_pop(&s->done))) {{ s->done.release(p); n++; }}
  {more}
  free(s->out.start); return n; }}
static void m@_register(void) {{ m@_main.notify = m@_notice; m@_main.peer = &m@_main; {wire}
  enlist("module @", m@_start, m@_stop, &m@_main); }}
"""

TAIL = """
int main(void) {{
  pthread_t threads[4];
  list_init(&trash, free);
{register}
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < module_count; i++) modules[i].start(&modules[i], modules[(i + 1) % module_count].state);
  struct module *m = map_get(&registry, "module 0"); if (m) m->stop(m);
  pthread_mutex_lock(&pending_lock); stopping = 1; pthread_cond_broadcast(&pending_some); pthread_mutex_unlock(&pending_lock);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  for (int i = 0; i < module_count; i++) modules[i].stop(&modules[i]);
  return 0;
}}
"""


def module(number, rng):
    others = [rng.randrange(number) for _ in range(rng.randrange(1, 4))] if number else []
    calls = " ".join(f"m{other}_work(&m{other}_main, kind);" for other in others[:1])
    more = " ".join(f"list_push(&trash, m{other}_find(&m{other}_main, n));" for other in others[1:])
    wire = " ".join(f"m{number}_main.notify = m{other}_notice; m{number}_main.listener = &m{other}_main;" for other in others[:1])
    return MODULE.format(fields=rng.randrange(2, 6), table=rng.randrange(2, 9), calls=calls, more=more, wire=wire).replace(
        "@", str(number)
    )


def program(lines):
    rng = random.Random(lines)
    parts, count, number = [HEAD], HEAD.count("\n") + 16, 0
    while count < lines:
        parts.append(module(number, rng))
        count += parts[-1].count("\n") + 1
        number += 1
    parts.append(TAIL.format(register="\n".join(f"  m{i}_register();" for i in range(number))))
    return "".join(parts)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for size in map(int, sys.argv[2:]):
        (folder / f"program-{size}.c").write_text(program(size))
