/* SPDX-License-Identifier: BSD-3-Clause */
/* Fatal errors, backtraces (own and the program's), freezing, signals and sudden ends. */
#include <gasnet_tools.h>
#include <fcntl.h>
#include <signal.h>

#include "check.h"

static int calls, last_fd, result;
GASNETT_BEGIN_EXTERNC
static int own_backtrace(int fd) {
    calls++;
    last_fd = fd;
    return result;
}
GASNETT_END_EXTERNC
gasnett_backtrace_type_t gasnett_backtrace_user = {"USER", own_backtrace, 1};

static void plain(void) { gasnett_fatalerror("the number is %d and %s", 7, "so on"); }
static void with_newline(void) { gasnett_fatalerror("ends here\n"); }
static void with_backtrace(void) {
    gasnett_setenv("GASNET_BACKTRACE", "1");
    gasnett_setenv("GASNET_BACKTRACE_TYPE", "EXECINFO");
    gasnett_backtrace_init("x");
    plain();
}
static void killed(void) {
    printf("lost");
    gasnett_killmyprocess(-1);
}

static volatile int flag;
static void frozen(void) {
    gasnett_freezeForDebuggerNow(&flag, "flag");
    _exit(flag == 0 ? 9 : 1);
}

static void check_frozen(void) {
    int ends[2], status = 0;
    char text[1024] = "";
    size_t used = 0;
    pid_t child;
    CHECK(pipe(ends) == 0);
    child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        frozen();
    }
    while (!strchr(text, '\n')) used += (size_t)read(ends[0], text + used, sizeof text - 1 - used);
    CHECK(strstr(text, "'set var *(int*)&flag = 0'"));
    kill(child, SIGCONT);
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 9);
}

static volatile int caught;
GASNETT_BEGIN_EXTERNC
static void on_signal(int sig) { caught = sig; }
GASNETT_END_EXTERNC

int main(int argc, char **argv) {
    static char text[65536];
    int status, null = -1;
    (void)argc;
    unsetenv("GASNET_BACKTRACE");
    unsetenv("GASNET_BACKTRACE_TYPE");
    CHECK_FATAL(plain, "*** FATAL ERROR: the number is 7 and so on");
    run_child(with_newline, text, sizeof text);
    CHECK(strstr(text, "*** FATAL ERROR: ends here") && strchr(text, '\n') == text + strlen(text) - 1);
    status = run_child(plain, text, sizeof text);
    CHECK(WIFSIGNALED(status) &&
          strchr(text, '\n') == text + strlen(text) - 1); /* no backtrace unless it is enabled */
    status = run_child(with_backtrace, text, sizeof text);
    CHECK(WIFSIGNALED(status) && strstr(text, "#0 ") && strstr(text, "#1 "));

    null = open("/dev/null", O_WRONLY);
    CHECK(gasnett_print_backtrace(null) != 0 && calls == 0); /* not initialised */
    gasnett_setenv("GASNET_BACKTRACE_TYPE", "USER");
    gasnett_backtrace_init(argv[0]);
    CHECK(gasnett_print_backtrace(null) == 0 && calls == 1 && last_fd == null);
    CHECK(gasnett_print_backtrace_ifenabled(null) != 0 && calls == 1);
    gasnett_setenv("GASNET_BACKTRACE", "yes");
    CHECK(gasnett_print_backtrace_ifenabled(null) == 0 && calls == 2);
    result = 1; /* the only mechanism fails */
    CHECK(gasnett_print_backtrace(null) != 0 && calls == 3);
    gasnett_setenv("GASNET_BACKTRACE_TYPE", "nonsense, user ,EXECINFO");
    gasnett_backtrace_init(argv[0]);
    CHECK(gasnett_print_backtrace(null) == 0 && calls == 4);
    check_frozen();
    CHECK(gasnet_frozen == 0);
    status = run_child(killed, text, sizeof text);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 255);

    CHECK(gasnett_reghandler(SIGUSR1, on_signal) == SIG_DFL);
    raise(SIGUSR1);
    CHECK(caught == SIGUSR1);
    CHECK(gasnett_reghandler(SIGUSR1, SIG_IGN) == on_signal);
    raise(SIGUSR1);
    CHECK(gasnett_reghandler(SIGUSR1, SIG_DFL) == SIG_IGN);
    return 0;
}
