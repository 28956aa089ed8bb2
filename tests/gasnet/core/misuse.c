/* SPDX-License-Identifier: BSD-3-Clause */
/* misuse CASE: violates one rule. misuse.sh reads the debug library's messages from the lines "CASE: PATTERN"
 * below.
 *
 * nested_hold: gasnet_hold_interrupts called twice
 * lone_resume: gasnet_resume_interrupts called without
 * init_twice: gasnet_hsl_init: .* initialized already
 * destroy_twice: gasnet_hsl_destroy: .* not initialized
 * destroy_locked: gasnet_hsl_destroy: .* is locked
 * unlock_free: gasnet_hsl_unlock: .* is not locked
 * wrong_order: gasnet_hsl_unlock: .* released before one that was locked later
 * recursive: gasnet_hsl_lock: this thread holds
 * try_own: gasnet_hsl_trylock: this thread holds
 * poll_locked: gasnet_AMPoll called while a handler-safe lock
 * poll_held: gasnet_AMPoll called between gasnet_hold_interrupts
 * request_locked: gasnet_AMRequestShort called while a handler-safe lock
 * return_locked: a handler returned with a handler-safe lock
 * reply_locked: gasnet_AMReplyShort called by a handler that holds
 * request_in_handler: gasnet_AMRequestShort called in an active-message handler
 * reply_twice: replied twice
 * reply_in_reply: a reply handler replied
 * no_handler: a message from rank 0 names client handler 250, .*\(node 1/2
 * no_node: gasnet_AMRequestShort: there is no node 2; the job has 2
 * long_outside: gasnet_AMRequestLong: \[.*\) is not in the segment of node 1, which is \[0x
 * too_long: gasnet_AMRequestMedium: [0-9]+ bytes; [0-9]+ are the most
 * early_mynode: gasnet_mynode called before gasnet_init
 * early_nodes: gasnet_nodes called before gasnet_init
 * early_poll: gasnet_AMPoll called before gasnet_attach
 * early_barrier: gasnet_barrier_notify called before gasnet_attach
 * notify_twice: gasnet_barrier_notify called twice
 * lone_wait: gasnet_barrier_wait called without gasnet_barrier_notify
 * lone_try: gasnet_barrier_try called without gasnet_barrier_notify
 * open_result: gasnet_barrier_result called between
 * coll_root: gasnet_coll_broadcast: image 2 is out of range: this team has the images 0 to 1
 * coll_bytes: rank 1 expects 8 bytes from rank 0, which sends 16: do all images
 * coll_no_bytes: rank 1 expects 0 bytes from rank 0, which sends 16: do all images
 * coll_bytes_missing: rank 1 expects 8 bytes from rank 0, which sends 0: do all images
 * coll_function: gasnet_coll_reduce: there is no function 1: gasnet_coll_init\(\) was given 1
 * coll_block: gasnet_coll_reduce: src_blksz is 3 and src_offset 0
 * coll_images: gasnet_coll_init: node 1 has no image
 * coll_image: gasnet_coll_init: my_image is 1 on node 0, whose images are 0 to 0
 * coll_locked: gasnet_coll_gather_all called while a handler-safe lock
 * coll_notify_twice: gasnet_coll_barrier_notify called twice
 * coll_lone_wait: gasnet_coll_barrier_wait called without gasnet_coll_barrier_notify
 * coll_free_all: gasnet_coll_team_free: GASNET_TEAM_ALL stays
 */
#include "../client.h"

static const char *what;
static int is(const char *name) { return strcmp(what, name) == 0; }
static gasnet_hsl_t one = GASNET_HSL_INITIALIZER, two = GASNET_HSL_INITIALIZER, fresh;
static volatile int done;

static void on_request(gasnet_token_t token) {
    if (is("return_locked") || is("reply_locked")) gasnet_hsl_lock(&one);
    if (is("return_locked")) return;
    if (is("request_in_handler")) CALL(gasnet_AMRequestShort0(0, 200));
    gasnet_hold_interrupts(); /* ignored here */
    CALL(gasnet_AMReplyShort0(token, 201));
    if (is("reply_twice")) CALL(gasnet_AMReplyShort0(token, 201));
}
static void on_reply(gasnet_token_t token) {
    if (is("reply_in_reply")) CALL(gasnet_AMReplyShort0(token, 201));
    done = 1;
}

static void sum(void *results, size_t n, const void *left, size_t n_left, const void *right, size_t size,
                int flags, int arg) {
    *(long *)results = *(const long *)left + *(const long *)right;
}

/* One node's calls of wrong collectives; the other node calls the same, or correctly. */
static void collectives(void) {
    gasnet_coll_fn_entry_t functions[] = {{sum, 0}};
    gasnet_image_t counts[] = {1, 1};
    char data[64] = "";
    const gasnet_node_t me = gasnet_mynode();
    if (is("coll_images")) counts[1] = 0;
    gasnet_coll_init(counts, is("coll_image") && me == 0 ? 1 : me, functions, 1, 0);
    if (is("coll_root")) gasnet_coll_broadcast(GASNET_TEAM_ALL, data, 2, data, 8, 0);
    if (is("coll_bytes")) gasnet_coll_broadcast(GASNET_TEAM_ALL, data, 0, data, me == 0 ? 16 : 8, 0);
    if (is("coll_no_bytes")) gasnet_coll_broadcast(GASNET_TEAM_ALL, data, 0, data, me == 0 ? 16 : 0, 0);
    if (is("coll_bytes_missing")) gasnet_coll_broadcast(GASNET_TEAM_ALL, data, 0, data, me == 0 ? 0 : 8, 0);
    if (is("coll_function")) gasnet_coll_reduce(GASNET_TEAM_ALL, 0, data, data, 0, 0, 8, 1, 1, 0, 0);
    if (is("coll_block")) gasnet_coll_reduce(GASNET_TEAM_ALL, 0, data, data, 3, 0, 8, 1, 0, 0, 0);
    if (is("coll_locked")) gasnet_hsl_lock(&one), gasnet_coll_gather_all(GASNET_TEAM_ALL, data, data, 8, 0);
    if (is("coll_notify_twice"))
        gasnet_coll_barrier_notify(GASNET_TEAM_ALL, 0, 0), gasnet_coll_barrier_notify(GASNET_TEAM_ALL, 0, 0);
    if (is("coll_lone_wait")) gasnet_coll_barrier_wait(GASNET_TEAM_ALL, 0, 0);
    if (is("coll_free_all")) gasnet_coll_team_free(GASNET_TEAM_ALL);
}

int main(int argc, char **argv) {
    gasnet_handlerentry_t table[] = {{200, HANDLER(on_request)}, {201, HANDLER(on_reply)}};
    gasnet_seginfo_t segments[2];
    static char big[1 << 17];
    int id;
    what = argv[1];
    if (is("early_mynode")) (void)gasnet_mynode();
    if (is("early_nodes")) (void)gasnet_nodes();
    CALL(gasnet_init(&argc, &argv));
    if (gasnet_mynode() == 0) {
        if (is("early_poll")) gasnet_AMPoll();
        if (is("early_barrier")) gasnet_barrier_notify(0, 0);
    }
    CALL(gasnet_attach(table, 2, GASNET_PAGESIZE, 0));
    CALL(gasnet_getSegmentInfo(segments, 2));
    barrier();
    if (strncmp(what, "coll_", 5) == 0) collectives();
    if (gasnet_mynode() == 0) {
        if (is("nested_hold") || is("poll_held")) gasnet_hold_interrupts();
        if (is("nested_hold")) gasnet_hold_interrupts();
        if (is("lone_resume")) gasnet_resume_interrupts();
        if (is("init_twice")) gasnet_hsl_init(&fresh), gasnet_hsl_init(&fresh);
        if (is("destroy_twice")) gasnet_hsl_destroy(&one), gasnet_hsl_destroy(&one);
        if (is("destroy_locked")) gasnet_hsl_lock(&one), gasnet_hsl_destroy(&one);
        if (is("unlock_free")) gasnet_hsl_unlock(&one);
        if (is("wrong_order")) gasnet_hsl_lock(&one), gasnet_hsl_lock(&two), gasnet_hsl_unlock(&one);
        if (is("recursive")) gasnet_hsl_lock(&one), gasnet_hsl_lock(&one);
        if (is("try_own")) gasnet_hsl_lock(&one), (void)gasnet_hsl_trylock(&one);
        if (is("poll_locked") || is("request_locked")) gasnet_hsl_lock(&one);
        if (is("poll_locked") || is("poll_held")) gasnet_AMPoll();
        if (is("no_handler")) CALL(gasnet_AMRequestShort0(1, 250));
        if (is("no_node")) CALL(gasnet_AMRequestShort0(2, 200));
        if (is("long_outside"))
            CALL(gasnet_AMRequestLong0(1, 200, big, 2, (char *)segments[1].addr + segments[1].size - 1));
        if (is("too_long")) CALL(gasnet_AMRequestMedium0(1, 200, big, gasnet_AMMaxMedium() + 1));
        if (is("notify_twice")) gasnet_barrier_notify(0, 0), gasnet_barrier_notify(0, 0);
        if (is("lone_wait")) gasnet_barrier_wait(0, 0);
        if (is("lone_try")) gasnet_barrier_try(0, 0);
        if (is("open_result")) gasnet_barrier_notify(0, 0), gasnet_barrier_result(&id);
        CALL(gasnet_AMRequestShort0(1, 200));
        GASNET_BLOCKUNTIL(done);
    }
    barrier();
    return 0;
}
