#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# slim.sh COMPILER INCLUDE_DIR BUILD_INCLUDE_DIR: upcr.h with UPCR_SLIM. Names of the C library that the program does
# not include stay the program's own, and what it declares of the C library may stand before upcr.h and after it.
compiler=$1 includes="-I$2 -I$3"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }

cat >"$folder/own.c" <<'END'
int y1, j0, signgam, optarg, stdin, environ;
typedef int bool;
typedef float complex;
typedef struct { int x; } FILE, DIR, div_t, regex_t, sigset_t;
typedef unsigned short uint, ulong, u_char, off_t, pid_t, time_t, wchar_like, error_t;
union sigval { int x; };
struct stat { int x; };
struct tm { int x; };
struct timespec { int x; };
struct sigaction { int x; };
enum { BUFSIZ = 1, EOF, EINVAL, INFINITY_, NAN_, SIGINT, O_RDONLY, R_OK, DBL_MAX, INT_MAX, M_PI, RAND_MAX };
static int index(int a) { return a + y1; }
static int rindex(int a) { return index(a); }
static int read(int a) { return rindex(a); }
static int write(int a) { return read(a); }
static int remove(int a) { return write(a); }
static int link(int a) { return remove(a); }
static int stat(int a) { return link(a); }
static int time(int a) { return stat(a); }
static int signal(int a) { return time(a); }
static int isalpha(int a) { return signal(a); }
static int memcpy_(int a) { return isalpha(a); }
int gamma(int a) { return memcpy_(a); }
int main(void) { return gamma(j0); }
END
cat >"$folder/libc.c" <<'END'
extern void *malloc(unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
extern void *memset();
extern int printf(const char *, ...);
extern double log(double), sqrt();
extern char *getenv(), *strcpy(char *, const char *);
extern int rand(void), abs(int), atoi(const char *);
extern void srand(), exit(int), free(void *), qsort(), abort(void);
int f(int x) { return rand() + abs(x) + printf("%p", malloc(4)) + (getenv("X") != 0) + atoi("1") + (int)sqrt(log(2.)); }
END
cat >"$folder/all.c" <<'END'
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
int f(void) { return rand() + (int)strlen(getenv("X")); }
END
compile() { # compile FILE OPTION...: behind and before upcr.h, as translated C is compiled
    file=$1
    shift
    for order in "upcr.h $file" "$file upcr.h"; do
        for header in $order; do printf '#include "%s"\n' "$header"; done >"$folder/unit.c"
        "$compiler" -std=gnu99 -w -DUPCR_SLIM=1 -D__BERKELEY_UPC_SECOND_PREPROCESS__=1 -D_GNU_SOURCE=1 "$@" $includes \
            -I"$folder" -fsyntax-only "$folder/unit.c" || fail "$order $*"
    done
}
for options in "" -DUPCR_DEBUG=1 "-O2 -D_FORTIFY_SOURCE=2" -DUPCRI_USING_TLD=1; do
    for file in own libc all; do compile $file.c $options; done
done

# Of the system only what declares no function.
echo '#include <upcr.h>' >"$folder/unit.c"
"$compiler" -std=gnu99 -DUPCR_SLIM=1 -D_GNU_SOURCE=1 $includes -E "$folder/unit.c" | grep -o '^# [0-9]* "[^"]*"' |
    cut -d'"' -f2 | sort -u | grep -E '/(string|strings|stdlib|stdio|math|signal|time|unistd|sys/types)\.h$' &&
    fail "upcr.h with UPCR_SLIM includes these"
exit $failed
