/* SPDX-License-Identifier: BSD-3-Clause */
/* exits SCENARIO CODE [MARK]: ends the job in one of many ways; exits.sh has the expected results. Where only one
 * node ends it, that is node `last`. */
#include "../client.h"

#include <signal.h>
#include <time.h>

static int code;
static gasnet_node_t me, last;
static const char *scenario;
static int is(const char *name) { return strcmp(scenario, name) == 0; }

/* Replaces the system's sync(): called for GASNET_FS_SYNC. */
void sync(void) { (void)!write(2, "sync was called\n", 16); }

/* A signal comes while the environment is being read, most likely with its lock held. */
static void interrupted_getenv(void) {
    struct sigevent event;
    struct itimerspec when;
    timer_t timer;
    memset(&event, 0, sizeof event);
    memset(&when, 0, sizeof when);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGINT;
    when.it_value.tv_nsec = 10000000;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &when, NULL) != 0)
        exit(98);
    for (;;) gasnet_getenv("PATH");
}

static void exit_here(gasnet_token_t token) { gasnet_exit(code); }
static void on_quit(int number) {
    char text[64];
    int n = snprintf(text, sizeof text, "node %d caught SIGQUIT\n", (int)me);
    (void)!write(2, text, (size_t)n);
    gasnet_exit(code);
}

static void spin(void) {
    volatile int forever = 1;
    while (forever) {
    }
}
static void crash(void) {
    volatile int zero = 0;
    if (is("abort")) abort();
    if (is("segv")) *(volatile int *)(uintptr_t)(16 + zero) = 1;
    if (is("bus")) raise(SIGBUS);
    if (is("fpe")) zero = 77 / zero;
    if (is("fatal")) CALL(gasnet_AMRequestShort0(me, 254)); /* no such handler */
    if (is("quit")) raise(SIGQUIT);
    if (is("_exit")) _exit(code);
    if (is("term")) raise(SIGTERM);
    if (is("getenv_int")) interrupted_getenv();
    if (is("getenv_segv")) gasnet_getenv((const char *)(uintptr_t)(1 + zero));
}

#ifdef GASNET_PAR
static void *busy(void *what) {
    volatile int forever = 1;
    while (forever) {
        if (is("thread_poll")) CALL(gasnet_AMPoll());
        if (is("thread_send")) CALL(gasnet_AMRequestShort0((me + 1) % gasnet_nodes(), 201));
        if (is("thread_block")) GASNET_BLOCKUNTIL(forever == 0);
    }
    return what;
}
static void *exit_thread(void *unused) {
    gasnet_exit(code);
    return unused;
}
static void *barrier_thread(void *unused) {
    barrier();
    return unused;
}
static void with_threads(void) {
    pthread_t id;
    int i;
    if (is("thread_all")) {
        for (i = 0; i < 4; ++i) pthread_create(&id, NULL, exit_thread, NULL);
        gasnet_exit(code);
    }
    if (is("thread_barrier"))
        pthread_create(&id, NULL, me == last ? exit_thread : barrier_thread, NULL);
    else
        for (i = 0; i < 3; ++i) pthread_create(&id, NULL, busy, NULL);
    if (me == last && !is("thread_barrier")) usleep(20000), pthread_create(&id, NULL, exit_thread, NULL);
    if (me == last) busy(NULL);
    spin();
}
#endif
static void nothing(gasnet_token_t token) {}

int main(int argc, char **argv) {
    gasnet_handlerentry_t table[] = {{200, HANDLER(exit_here)}, {201, HANDLER(nothing)}};
    gasnet_node_t i;
    scenario = argv[1];
    code = atoi(argv[2]);
    CALL(gasnet_init(&argc, &argv));
    me = gasnet_mynode();
    last = gasnet_nodes() - 1;
    if (is("early_all") || (is("early_one") && me == last)) gasnet_exit(code);
    CALL(gasnet_attach(table, 2, GASNET_PAGESIZE, 0));
    barrier();
    if (is("all")) {
        printf("node %d has ended\n", (int)me); /* flushed by the exit */
        if (me != 0) usleep(30000 * me);
        printf("buffered line of %d\n", (int)me);
        gasnet_exit(code);
    }
    if (is("late")) {
        if (me != 0) usleep(400000);
        printf("buffered line of %d\n", (int)me);
        gasnet_exit(0);
    }
    if (is("late_failure")) {
        if (me == 0) gasnet_exit(0);
        if (me != last) spin();
        usleep(100000);
        gasnet_exit(code);
    }
    if (is("codes")) gasnet_exit(code + (int)me);
    if (is("return")) return code;
    if (is("exit")) exit(code);
    if (me == last) {
        if (is("one") || is("one_spin")) gasnet_exit(code);
        if (is("return_one") || is("return_spin")) return code;
        if (is("exit_one")) exit(code);
        if (is("int")) signal(SIGQUIT, on_quit), raise(SIGINT);
        if (is("quit_seen")) usleep(50000), gasnet_exit(code);
        if (is("loopback")) CALL(gasnet_AMRequestShort0(me, 200));
        crash();
    }
    if (is("quit_seen")) signal(SIGQUIT, on_quit);
    if (is("one_spin") || is("return_spin") || is("quit_seen")) spin();
    if (is("handler_all"))
        for (i = 0; i <= last; ++i) CALL(gasnet_AMRequestShort0(i, 200));
    if (is("handler_one") && me == 0) CALL(gasnet_AMRequestShort0(last, 200));
    if (is("handler_many")) CALL(gasnet_AMRequestShort0(last, 200));
#ifdef GASNET_PAR
    if (strncmp(scenario, "thread_", 7) == 0) with_threads();
#endif
    barrier();
    if (strncmp(scenario, "handler_", 8) == 0) barrier();
    GASNET_BLOCKUNTIL(0);
    return 99;
}
