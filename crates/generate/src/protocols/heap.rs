//! Objects on the heap: shared with their lock inside, handed over by a pointer, counted, or a thread's own.

use super::{Care, Maker, Protocol};
use crate::random::Random;

pub(super) const MAKERS: [Maker; 10] =
    [boxed, slot, slot, counted, scratch, lazy, list, list, two_of_a_site, two_of_a_site];

/// Objects with their lock inside.
fn boxed(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let several = random.chance(40);
    let choose = if several {
        format!("struct box{n} *b = __VERIFIER_nondet_bool() ? box{n} : other{n};")
    } else {
        format!("struct box{n} *b = box{n};")
    };
    let (take, give) = ("pthread_mutex_lock(&b->lock);", "pthread_mutex_unlock(&b->lock);");
    let mut uses = vec![
        format!("{choose} {take} b->data = 1; b->copy = 1; {give}"),
        format!("{choose} {take} assert(b->data == b->copy); {give}"),
        format!("{choose} bump{n}(b);"),
    ];
    if care == Care::Broken {
        uses.push(match random.below(4) {
            0 => format!("{choose} b->data = b->copy;"),
            1 => format!("{choose} {take} b->data = 2; {give} {take} b->copy = 2; {give}"),
            2 => format!("{choose} pthread_mutex_lock(&other{n}->lock); b->copy = b->data; pthread_mutex_unlock(&other{n}->lock);"),
            _ => format!("{choose} {take} {give} free(b);"),
        });
    }
    Protocol {
        globals: format!(
            "struct box{n} {{ pthread_mutex_t lock; int data, copy; }};\nstatic struct box{n} *box{n}, *other{n};\n\
            static struct box{n} *new{n}(void) {{ struct box{n} *b = malloc(sizeof *b); pthread_mutex_init(&b->lock, 0); b->data = b->copy = 0; return b; }}\n\
            static void bump{n}(struct box{n} *b) {{ {take} b->data ^= 1; b->copy ^= 1; {give} }}\n"
        ),
        setup: format!("box{n} = new{n}(); other{n} = new{n}();"),
        uses,
        afterwards: format!("assert(box{n}->data == box{n}->copy); free(box{n});"),
        ..Protocol::default()
    }
}

/// A pointer by which an object changes hands.
fn slot(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let mut uses = vec![format!(
        "struct item{n} *i = malloc(sizeof *i); i->value = 3; i = atomic_exchange(&slot{n}, i); if (i) {{ assert(i->value == 3); free(i); }}"
    )];
    let mut took = format!("struct item{n} *i = atomic_exchange(&slot{n}, (struct item{n} *)0);");
    let mut done = "free(i);".to_owned();
    if care == Care::Broken {
        match random.below(5) {
            0 => took = format!("struct item{n} *i = atomic_load(&slot{n});"),
            1 => done = "free(i); i->value = 1;".to_owned(),
            2 => done = format!("atomic_store(&slot{n}, i); i->value = 3;"),
            3 => uses.push(format!("struct item{n} *i = malloc(sizeof *i); atomic_store(&slot{n}, i); i->value = 3;")),
            _ => done = "free(i); free(i);".to_owned(),
        }
    }
    uses.push(format!("{took} if (i) {{ assert(i->value == 3); {done} }}"));
    Protocol {
        globals: format!("struct item{n} {{ int value; }};\nstatic struct item{n} *_Atomic slot{n};\n"),
        uses,
        ..Protocol::default()
    }
}

/// An object that the last one frees.
fn counted(random: &mut Random, n: u64, threads: u64, care: Care) -> Protocol {
    let references = if care == Care::Broken && random.chance(40) { threads - 1 } else { threads };
    let last = if references == threads && care == Care::Broken {
        format!(
            "int left = atomic_load(&obj{n}->references) - 1; atomic_store(&obj{n}->references, left); if (left == 0) free(obj{n});"
        )
    } else {
        format!("if (atomic_fetch_sub(&obj{n}->references, 1) == 1) free(obj{n});")
    };
    Protocol {
        globals: format!(
            "struct obj{n} {{ atomic_int references; const int value; }};\nstatic struct obj{n} *obj{n};\n"
        ),
        setup: format!("obj{n} = malloc(sizeof *obj{n}); atomic_init(&obj{n}->references, {references});"),
        uses: vec![format!("assert(atomic_load(&obj{n}->references) != 9);")],
        everyone: last,
        ..Protocol::default()
    }
}

/// Memory of a thread's own.
fn scratch(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let made = *random.pick(&[
        "malloc(2 * sizeof(int))",
        "calloc(2, sizeof(int))",
        "realloc(malloc(sizeof(int)), 2 * sizeof(int))",
    ]);
    let mut uses = vec![
        format!("int *p = {made}; p[0] = 1; p[1] = 2; assert(p[0] + p[1] == 3); free(p);"),
        format!("int *p = {made}; int *q = {made}; *p = 1; *q = 2; free(q); assert(*p == 1); free(p);"),
        format!("int *p = pass{n}({made}); p[1] = 1; p = realloc(p, 3 * sizeof(int)); p[2] = p[1]; free(p);"),
        format!("for (int i = 0; i < 2; i++) {{ int *p = pass{n}({made}); *p = i; assert(*p == i); free(p); }}"),
    ];
    if care == Care::Broken {
        uses.push(match random.below(6) {
            0 => format!("int *p = {made}; free(p); *p = 1;"),
            1 => format!("int *p = {made}; int *q = pass{n}(p); free(p); free(q);"),
            2 => format!("int *p = {made}; p[2] = 0; free(p);"),
            3 => format!("int *p = 0, *q = 0; for (int i = 0; i < 2; i++) {{ q = p; p = {made}; *p = i; }} assert(*p == *q); free(p); free(q);"),
            4 => format!("int *p = 0; for (int i = 0; i < 2; i++) {{ int *q = {made}; *q = 0; if (p) *p = 1; free(q); p = q; }}"),
            _ => format!("int *p = {made}; *p = 1; int *q = realloc(p, 4 * sizeof(int)); assert(*q == 1); *p = 2; free(q);"),
        });
    }
    Protocol { globals: format!("static int *pass{n}(int *p) {{ return p; }}\n"), uses, ..Protocol::default() }
}

/// An object that the first to come makes.
fn lazy(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let (lock, unlock) = (format!("pthread_mutex_lock(&lm{n});"), format!("pthread_mutex_unlock(&lm{n});"));
    let make = match care {
        Care::Broken if random.chance(50) => {
            format!("lazy{n} = malloc(sizeof *lazy{n}); {unlock} {lock} *lazy{n} = 6;")
        }
        _ => format!("int *made = malloc(sizeof *made); *made = 6; lazy{n} = made;"),
    };
    let check = if care == Care::Broken && !make.contains("unlock") {
        format!("if (!lazy{n}) {{ {lock} {make} {unlock} }}")
    } else {
        format!("{lock} if (!lazy{n}) {{ {make} }} {unlock}")
    };
    Protocol {
        globals: format!("static pthread_mutex_t lm{n} = PTHREAD_MUTEX_INITIALIZER;\nstatic int *lazy{n};\n"),
        uses: vec![
            format!("{check} {lock} assert(*lazy{n} == 6); {unlock}"),
            format!("{lock} if (lazy{n}) assert(*lazy{n} == 6); {unlock}"),
        ],
        ..Protocol::default()
    }
}

/// A list under a lock.
fn list(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let (lock, unlock) = (format!("pthread_mutex_lock(&km{n});"), format!("pthread_mutex_unlock(&km{n});"));
    let push =
        format!("struct node{n} *k = malloc(sizeof *k); k->value = 1; {lock} k->next = top{n}; top{n} = k; {unlock}");
    let pop = format!(
        "{lock} struct node{n} *k = top{n}; if (k) top{n} = k->next; {unlock} if (k) {{ k->value = 0; free(k); }}"
    );
    let wrong = match random.below(4) {
        0 => format!("{lock} struct node{n} *k = top{n}; {unlock} if (k) k->value = 2;"),
        1 => format!(
            "struct node{n} *k = malloc(sizeof *k); {lock} k->next = top{n}; top{n} = k; {unlock} k->value = 1;"
        ),
        2 => format!("{lock} struct node{n} *k = top{n}; if (k) free(k); {unlock}"),
        _ => format!(
            "{lock} struct node{n} *k = top{n}; {unlock} if (k) {{ {lock} top{n} = k->next; {unlock} free(k); }}"
        ),
    };
    let mut uses = vec![push, pop];
    if care == Care::Broken {
        uses.push(wrong);
    }
    Protocol {
        globals: format!(
            "struct node{n} {{ int value; struct node{n} *next; }};\nstatic pthread_mutex_t km{n} = PTHREAD_MUTEX_INITIALIZER;\nstatic struct node{n} *top{n};\n"
        ),
        uses,
        ..Protocol::default()
    }
}

/// Several objects of one site in one function's hands.
fn two_of_a_site(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let wrong = match random.below(7) {
        0 => "free(q); *q = 2; assert(*p == 1);",
        1 => "free(q); free(q); *p = 1;",
        2 => "free(p); int *r = q; q = p; assert(*r == 2); *q = 1;",
        3 => "*q = 1; assert(*p == 1 && *q == 2);",
        4 => "assert(p == q);",
        5 => "int *r = __VERIFIER_nondet_bool() ? p : q; *r = 3; assert(*p == 3 || *q != 3);",
        _ => "free(p); int *r = site_(1); *r = 1; assert(*p == 1);",
    };
    let wrong = wrong.replace("site_", &format!("site{n}"));
    let both = format!("int *p = site{n}(1), *q = site{n}(2);");
    let mut uses = vec![
        format!("{both} assert(*p == 1); assert(*q == 2); free(p); free(q);"),
        format!("{both} free(q); *p = 2; assert(*p == 2); free(p);"),
        format!("{both} assert(p != q); int *r = p; free(p); p = q; *p = 3; assert(*q == 3); free(q); (void)r;"),
        format!("int *p = site{n}(1); free(p); p = site{n}(2); assert(*p == 2); free(p);"),
    ];
    if care == Care::Broken {
        uses.push(format!("{both} {wrong}"));
    }
    Protocol {
        globals: format!("static int *site{n}(int value) {{ int *p = malloc(sizeof *p); *p = value; return p; }}\n"),
        uses,
        ..Protocol::default()
    }
}
