/* Structures in shared space that point at each other; unions, bit-fields, functions in structures. */
typedef unsigned long size_t;
extern shared void *upc_alloc(size_t);
typedef struct node node_t;
typedef shared [] node_t *link_t;
struct node {
    union { long number; char text[8]; struct { short x, y; }; } value;
    link_t next, *table;
    unsigned used : 1, kind : 7;
    int (*visit)(shared [] node_t *self, void *context);
    struct { link_t left; shared struct leaf *right; } sides[2];
};
struct leaf { link_t parent; double weights[]; };
shared link_t heads[THREADS];
shared struct { link_t first; int count; } queues[2 * THREADS];
static int visit(link_t self, void *context) { return self->value.number + *(int *)context; }
static link_t new_node(long number, link_t next)
{
    link_t made = (link_t)upc_alloc(sizeof(node_t));
    made->value.number = number;
    made->next = next;
    made->used = 1;
    made->visit = visit;
    made->sides[0].left = made->sides[1].left = (void *)0;
    return made;
}
int main(void)
{
    int sum = 0;
    struct node copy, *local;
    for (int i = 0; i < 5; i++) heads[MYTHREAD] = new_node(i, heads[MYTHREAD]);
    upc_barrier;
    for (link_t p = heads[(MYTHREAD + 1) % THREADS]; p; p = p->next) {
        copy = *p;
        sum += copy.visit(p, &sum) + p->value.x + (p->kind |= 3);
        p->value.text[3] ^= 'a';
        p->sides[p->used].right = 0;
    }
    local = (struct node *)heads[MYTHREAD];
    queues[MYTHREAD].first = local->next == heads[0] ? heads[0] : local->next;
    queues[MYTHREAD].count++;
    return sum == 0 ? ({ int n = queues[0].count--; n; }) : !queues[0].first;
}
