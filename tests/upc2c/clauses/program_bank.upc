/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers between accounts that are structs with several members, in an array of blocks of 3. */
#include <upc.h>
#include <stdio.h>
#include <string.h>
#define ACCOUNTS 6
typedef struct account {
    long balance;
    unsigned open : 1, kind : 3;
    signed int rating : 6;
    char owner[12];
    struct { int day, month; } opened;
} account;
shared [3] account accounts[ACCOUNTS * THREADS];
upc_lock_t *lock;

static long transfer(shared account *unused, shared [3] account *from, shared [3] account *to, long amount) {
    (void)unused;
    if (from->balance < amount) amount = from->balance;
    from->balance -= amount;
    (*to).balance += amount;
    to->rating++;
    --from->rating;
    return amount;
}
int main(void) {
    int i, n = ACCOUNTS * THREADS;
    long sum = 0, ratings = 0;
    lock = upc_all_lock_alloc();
    upc_forall (i = 0; i < n; i++; &accounts[i]) {
        account a;
        memset(&a, 0, sizeof a);
        a.balance = 100 * i;
        a.open = 1;
        a.kind = i & 7;
        strcpy(a.owner, "owner");
        a.opened.day = i % 28 + 1;
        accounts[i] = a;
        accounts[i].owner[0] = 'A' + i % 26;
    }
    upc_barrier;
    for (i = 0; i < 40; i++) {
        int from = (i * 7 + MYTHREAD) % n, to = (i * 5 + 3 * MYTHREAD + 1) % n;
        upc_lock(lock);
        transfer(NULL, &accounts[from], accounts + to, 13 * i);
        upc_unlock(lock);
    }
    upc_barrier;
    for (i = 0; i < n; i++) {
        sum += accounts[i].balance;
        ratings += accounts[i].rating;
        if (!accounts[i].open || accounts[i].kind != (i & 7) || accounts[i].owner[0] != 'A' + i % 26 || accounts[i].owner[1] != 'w' ||
            accounts[i].opened.day != i % 28 + 1)
            return 1;
    }
    if (sum != 100L * n * (n - 1) / 2 || ratings % 64 != 0) {
        printf("sum %ld ratings %ld\n", sum, ratings);
        return 2;
    }
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}
