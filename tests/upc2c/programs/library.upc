/* Declarations as the UPC library's headers have them, and calls. */
typedef unsigned long size_t;
typedef int upc_flag_t;
typedef shared void upc_lock_t;
extern shared void *upc_all_alloc(size_t, size_t), *upc_alloc(size_t);
extern void upc_free(shared void *), upc_memget(void *restrict, shared const void *restrict, size_t);
extern void upc_memput(shared void *restrict dst, const void *restrict src, size_t n);
extern upc_lock_t *upc_all_lock_alloc(void);
extern void upc_lock(upc_lock_t *), upc_unlock(upc_lock_t *);
extern size_t upc_threadof(shared void *);
extern void upc_all_reduceI(shared void *restrict, shared const void *restrict, unsigned long long, size_t, size_t,
                            int (*)(int, int), upc_flag_t);
enum { kBlock = 8 };
shared [kBlock] int *data;
shared int result;
upc_lock_t *lock;
static int add(int a, int b) { return a + b; }
int main(void)
{
    int buffer[kBlock], sum = 0;
    data = (shared [kBlock] int *)upc_all_alloc(THREADS, kBlock * sizeof(int));
    lock = upc_all_lock_alloc();
    upc_forall (int i = 0; i < kBlock * THREADS; i++; &data[i]) data[i] = i + (int)upc_threadof(&data[i]);
    upc_barrier;
    upc_memget(buffer, &data[((MYTHREAD + 1) % THREADS) * kBlock], sizeof buffer);
    for (int i = 0; i < kBlock; i++) sum += buffer[i];
    upc_lock(lock);
    result += sum;
    upc_unlock(lock);
    upc_all_reduceI(&result, data, 1ULL << 0, kBlock * THREADS, kBlock, add, 0);
    upc_memput((shared [] char *)data + 3, "x", 1);
    if (!MYTHREAD) upc_free(data);
    return 0;
}
