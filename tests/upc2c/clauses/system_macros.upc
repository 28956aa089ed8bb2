/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros of system headers: the translation is preprocessed a second time, and they must not be expanded twice. */
#define _GNU_SOURCE 1
#include "check.h"
#include <arpa/inet.h>
#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <netdb.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
static volatile sig_atomic_t caught;
static jmp_buf back;
static _Atomic int counter = 1;
shared int total;

static void handler(int signal, siginfo_t *info, void *context)
{
    caught = signal + (info->si_signo == signal && context != NULL && info->si_code <= 0 ? 0 : 100);
}
static bool is_set(int n, ...)
{
    va_list list;
    fd_set set;
    va_start(list, n);
    FD_ZERO(&set);
    FD_SET(n, &set);
    n = va_arg(list, int);
    va_end(list);
    return FD_ISSET(n, &set);
}
static int (*classify)(int) = isalpha, (*lower)(int) = tolower;

int main(void)
{
    struct sigaction act;
    struct stat info;
    struct hostent host;
    char text[64], *addresses[] = {text, NULL};
    double complex z = 1.5 + 2 * I;
    memset(&act, 0, sizeof act);
    act.sa_sigaction = handler;
    act.sa_flags = SA_SIGINFO;
    CHECK(act.sa_handler == (void (*)(int))handler && sigaction(SIGUSR1, &act, NULL) == 0);
    raise(SIGUSR1);
    CHECK(caught == SIGUSR1);
    CHECK(stat("/", &info) == 0 && S_ISDIR(info.st_mode) && info.st_mtime == info.st_mtim.tv_sec);
    host.h_addr_list = addresses;
    CHECK(host.h_addr == text && htons(0x1234) == htons(0x1234) && ntohl(htonl(7)) == 7);
    snprintf(text, sizeof text, "%" PRIu64 " %d", UINT64_MAX, INT_MAX == __INT_MAX__);
    CHECK(strcmp(text, "18446744073709551615 1") == 0);
    CHECK(isdigit('7') && !isspace('x') && classify('a') && lower('A') == 'a' && toupper('b') == 'B');
    CHECK(creal(z) == 1.5 && cimag(z) == 2 && isinf(INFINITY) && isnan(NAN) && signbit(-1.0) && DBL_DIG == 15);
    CHECK(WIFEXITED(0) && WEXITSTATUS(0x300) == 3 && offsetof(struct stat, st_mode) > 0);
    if (setjmp(back) == 0) longjmp(back, 1);
    errno = ENOENT;
    CHECK(errno == 2 && is_set(3, 3) && !is_set(3, 4) && true);
    atomic_fetch_add(&counter, 2);
    CHECK(atomic_load(&counter) == 3 && strchr("abc", 'b')[0] == 'b' && strncmp("ab", "ac", 1) == 0);
    if (MYTHREAD == 0) total = EOF;
    upc_barrier;
    assert(total == EOF && MYTHREAD < THREADS);
    upc_barrier;
    return finish();
}
