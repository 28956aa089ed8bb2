/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers: every combination of names and flags at notify and wait against the table of the specification,
 * and messages that are handled in them. */
#include <unistd.h>

#include "../client.h"

enum {
    ANON = GASNET_BARRIERFLAG_ANONYMOUS,
    MIS = GASNET_BARRIERFLAG_MISMATCH,
    UNNAMED = GASNET_BARRIERFLAG_UNNAMED
};

/* Node i's value in a phase; the same computation on every node. */
struct word {
    int id, flags, wait_id, wait_flags;
};
static struct word words[64];

static void draw(uint64_t *state) {
    gasnet_node_t i;
    unsigned kind = random_number(state) % 8;
    int name = (int)(0xcafef00du + random_number(state) % 3);
    for (i = 0; i < gasnet_nodes(); ++i) {
        struct word *w = &words[i];
        w->id = name;
        w->flags = 0;
        if (kind == 0) w->flags = ANON;
        if (kind == 1 && random_number(state) % 2) w->flags = ANON, w->id = (int)random_number(state);
        if (kind == 2 && random_number(state) % 4 == 0) w->id = name + 1;
        if (kind == 3 && random_number(state) % 4 == 0) w->flags = MIS;
        if (kind == 4) w->flags = UNNAMED;
        if (kind == 5 && random_number(state) % 2) w->flags = random_number(state) % 2 ? ANON : MIS;
        w->wait_id = w->id;
        w->wait_flags = w->flags;
        if (kind < 3 && random_number(state) % 3 == 0) w->wait_flags = ANON;
        if (kind == 1 && random_number(state) % 3 == 0) w->wait_flags = 0, w->wait_id = name;
        if (kind == 6 && random_number(state) % 4 == 0) w->wait_id = name + 5;
        if (kind == 7) w->flags = ANON, w->wait_flags = 0, w->wait_id = (int)random_number(state);
    }
}

/* The specification's table. */
static void check_phase(int got, int *mismatch) {
    const struct word *mine = &words[gasnet_mynode()];
    int named = 0, value = 0, expected = GASNET_OK, agreed = 0, anonymous;
    gasnet_node_t i;
    *mismatch = 0;
    for (i = 0; i < gasnet_nodes(); ++i) {
        if (words[i].flags & MIS)
            *mismatch = 1;
        else if (!(words[i].flags & ANON)) {
            if (named && words[i].id != value) *mismatch = 1;
            named = 1;
            value = words[i].id;
        }
    }
    if (*mismatch || (named && !(mine->wait_flags & ANON) && mine->wait_id != value))
        expected = GASNET_ERR_BARRIER_MISMATCH;
    CHECK(got == expected);
    if (*mismatch) return;
    anonymous = gasnet_barrier_result(&agreed);
    CHECK((anonymous != 0) == !named);
    CHECK(!named || agreed == value);
}

static int wait_by_trying(const struct word *w) {
    int result;
    while ((result = gasnet_barrier_try(w->wait_id, w->wait_flags)) == GASNET_ERR_NOT_READY) {
    }
    return result;
}

/* A node that arrives last at every barrier never waits in one, but must poll there all the same: a request to
 * node 0 is handled while it only computes and passes barriers. Its value in each barrier shows that. */
enum { REQUEST = 200, MOST_TURNS = 50 };
static volatile int served;
static void on_request(gasnet_token_t token) {
    (void)token;
    ++served;
}
static void serve_in_barriers(void) {
    int turns, result = 0, from_all = (int)gasnet_nodes() - 1;
    if (gasnet_mynode() != 0) CALL(gasnet_AMRequestShort0(0, REQUEST));
    for (turns = 0; result < from_all && turns < MOST_TURNS; ++turns) {
        int last = gasnet_mynode() == 0;
        if (last) usleep(200); /* the others have arrived by then */
        gasnet_barrier_notify(served, last ? 0 : ANON);
        CHECK(gasnet_barrier_wait(served, ANON) == GASNET_OK);
        CHECK(!gasnet_barrier_result(&result));
    }
    CHECK(result == from_all);
}

int main(int argc, char **argv) {
    gasnet_handlerentry_t table[] = {{REQUEST, HANDLER(on_request)}};
    uint64_t state = 4711;
    int phase, phases, mismatch, got;
    CALL(gasnet_init(&argc, &argv));
    CALL(gasnet_attach(table, 1, GASNET_PAGESIZE, 0));
    phases = effort(600);
    for (phase = 0; phase < phases; ++phase) {
        const struct word *w = &words[gasnet_mynode()];
        draw(&state);
        if (phase % 3 == 2 && w->flags == w->wait_flags && w->id == w->wait_id) {
            got = gasnet_barrier(w->id, w->flags);
        } else {
            gasnet_barrier_notify(w->id, w->flags);
            if (phase % 5 == 0) CALL(gasnet_AMPoll());
            got = phase % 2 ? wait_by_trying(w) : gasnet_barrier_wait(w->wait_id, w->wait_flags);
        }
        check_phase(got, &mismatch);
    }
    serve_in_barriers();
    CHECK(gasnet_barrier(7, 0) == GASNET_OK);
    CHECK(gasnet_barrier(7, gasnet_mynode() == 0 ? MIS : 0) == GASNET_ERR_BARRIER_MISMATCH);
    barrier();
    return 0; /* the same as gasnet_exit(0) */
}
