/* Everything that UPC adds to C, in one file without headers. */
typedef unsigned long size_t;
typedef struct cell { int n; double v[4]; unsigned f : 3, : 0, g : 5; shared [] struct cell *next; } cell;
#pragma upc relaxed
shared int one, many[THREADS], both[2 * THREADS][3], given[10 * THREADS] = { 1, 2, [5] = 3 };
shared [4] double blocked[100 * THREADS];
shared [] char indefinite[64];
shared [*] long spread[8 * THREADS];
strict shared int flag;
relaxed shared [3] const float tuned[6][THREADS];
extern shared [] cell *shared head;
static shared cell cells[THREADS];
shared int *shared pts[THREADS];
shared [4] double *private_to_shared = &blocked[8], *shared shared_to_shared;
typedef shared [7] int sevens;
typedef sevens *sevens_ptr;
sevens table[7 * THREADS];
shared void *generic;
int local = 3, *where = &local;
double sum(shared [] double *p, int n), (*fp)(shared int *, sevens_ptr) = 0;
static int helper(shared [4] double a[], shared int b[][10], int n)
{
    #pragma upc strict
    static shared int calls[THREADS];
    int i, s = 0;
    for (i = 0; i < n; i++) s += (int)a[i] + b[i][i % 10];
    calls[MYTHREAD]++;
    return s + upc_localsizeof(blocked) + upc_blocksizeof (sevens) + upc_elemsizeof(shared int);
}
int main(int argc, char **argv)
{
    int i, j;
    sevens_ptr p = table + 3;
    cell *mine = (cell *)&cells[MYTHREAD];
    upc_forall (i = 0; i < 10 * THREADS; i++; &given[i]) given[i] = i * i;
    upc_forall (int k = 0; k < 100; k++; k) {
        if (k % 3) continue;
        blocked[k] = k + 0.5;
    }
    upc_forall (i = 0, j = 1; i < 3; i++, j *= 2; continue) local += j;
    upc_notify 3;
    *p++ += many[MYTHREAD];
    head->next->v[2] = cells[0].v[1] + mine->v[0];
    cells[MYTHREAD].f = cells[(MYTHREAD + 1) % THREADS].g;
    upc_wait 3;
    upc_barrier;
    if (p - table > 3 && generic == p && !head) upc_barrier i + 1;
    upc_fence;
    shared_to_shared = private_to_shared ? (shared [4] double *)generic : 0;
    flag = sizeof(many) > sizeof (shared [4] double *) ? 1 : (size_t)upc_elemsizeof(shared cell) != 0;
    return helper(blocked, 0, argc) + local + argv[0][0];
}
