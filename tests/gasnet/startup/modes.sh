#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# modes.sh UPCRUN CC CXX SOURCE_DIR BUILD_DIR: the header in all languages; objects that were compiled for different
# configurations do not become a program that runs.
set -u
upcrun=$1 cc=$2 cxx=$3 source=$4 build=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
include="-I$source/include -I$build/include"
link="-L$build/lib -Wl,-rpath,$build/lib -pthread"

for language in "$cc -std=c99" "$cc -std=gnu89" "$cc -std=gnu17" "$cc -std=gnu99 -fgnu89-inline" \
    "$cxx -x c++ -std=c++98" "$cxx -x c++ -std=c++20"; do
    for mode in SEQ PARSYNC PAR; do
        $language -Wall -Wextra -Werror -fsyntax-only -DGASNET_$mode $include "$source/tests/gasnet/startup/constants.c" ||
            fail "constants.c as $language, $mode"
    done
done
for defines in "" "-DGASNET_SEQ -DGASNET_PAR" "-DGASNET_SEQ -DGASNET_SEGMENT_FAST -DGASNET_SEGMENT_LARGE"; do
    echo '#include <gasnet.h>' | $cc -x c $defines $include -fsyntax-only - 2>/dev/null &&
        fail "accepted: '$defines'"
done

# The hints, before declarations and in inner blocks, with warnings that other headers pass, too.
cat >"$work/hints.c" <<'END'
#include <gasnet.h>
int hinted(gasnet_threadinfo_t info);
int begins(void);
int hinted(gasnet_threadinfo_t info)
{
    GASNET_POST_THREADINFO(info);
    int one = 1;
    return one;
}
int begins(void)
{
    GASNET_BEGIN_FUNCTION();
    gasnet_threadinfo_t info = GASNET_GET_THREADINFO();
    {
        GASNET_BEGIN_FUNCTION();
        int two = 2;
        return hinted(info) + two;
    }
}
END
warnings="-Wall -Wextra -Wshadow -Wconversion -Wredundant-decls -Wunused-local-typedefs -Werror"
for mode in SEQ PARSYNC PAR; do
    for language in "$cc -std=gnu89 -Wnested-externs -Wdeclaration-after-statement" \
        "$cc -std=c99 -Wnested-externs -Wpedantic" "$cxx -x c++ -std=c++98" "$cxx -x c++ -std=c++20 -Wpedantic"; do
        $language $warnings -fsyntax-only -DGASNET_$mode $include "$work/hints.c" || fail "hints as $language, $mode"
    done
done

cat >"$work/a.c" <<'END'
#include <gasnet.h>
int other(void);
int main(void)
{
    gasnet_init(NULL, NULL);
    gasnet_attach(NULL, 0, 0, 0);
    gasnet_exit(other());
}
END
printf '#include <gasnet.h>\nint other(void);\nint other(void) { return 3 * (gasnet_nodes() > 0); }\n' >"$work/b.c"
# build A_DEFINES B_DEFINES LIBRARY
build() {
    $cc $1 $include -c -o "$work/a.o" "$work/a.c" && $cc $2 $include -c -o "$work/b.o" "$work/b.c" &&
        $cc -o "$work/program" "$work/a.o" "$work/b.o" $link -l$3 2>"$work/log"
}
build -DGASNET_SEQ -DGASNET_SEQ gasnet || fail "one configuration does not link: $(cat "$work/log")"
"$work/program"
[ $? -eq 3 ] || fail "one configuration does not run"
for other in -DGASNET_PAR "-DGASNET_SEQ -DGASNET_SEGMENT_EVERYTHING" "-DGASNET_SEQ -DGASNET_DEBUG"; do
    build -DGASNET_SEQ "$other" gasnet || { fail "$other does not link"; continue; }
    output=$("$upcrun" -n 1 "$work/program" 2>&1) && fail "runs with $other"
    grep -q "different GASNet configurations.*a.c.*b.c" <<<"$output" || fail "with $other: $output"
done
build "-DGASNET_SEQ -DGASNET_DEBUG" "-DGASNET_SEQ -DGASNET_DEBUG" gasnet && fail "debug links with libgasnet"
grep -q gasneti_init_for_libgasnet_debug "$work/log" || fail "debug with libgasnet: $(cat "$work/log")"
build "-DGASNET_SEQ" "-DGASNET_SEQ" gasnet_debug && fail "nodebug links with libgasnet_debug"

# The number of nodes from the environment; the job's environment; arguments.
build -DGASNET_SEQ -DGASNET_SEQ gasnet
output=$(GASNET_PSHM_NODES=2 GASNET_VERBOSEENV=1 GASNET_MAX_SEGSIZE=1.5M PATH="$(dirname "$upcrun"):$PATH" \
    "$work/program" 2>&1)
grep -q '^ENV parameter: GASNET_PSHM_NODES = 2$' <<<"$output" || fail "GASNET_VERBOSEENV: $output"
grep -q '^ENV parameter: GASNET_MAX_SEGSIZE = 1536 KB$' <<<"$output" || fail "GASNET_MAX_SEGSIZE: $output"
output=$(GASNET_PSHM_NODES=1 GASNET_VERBOSEENV=1 GASNET_MAX_SEGSIZE=1048576 PATH="$(dirname "$upcrun"):$PATH" \
    "$work/program" 2>&1)
grep -q '^ENV parameter: GASNET_MAX_SEGSIZE = 1 MB$' <<<"$output" || fail "GASNET_MAX_SEGSIZE in bytes: $output"
output=$(GASNET_PSHM_NODES=2 GASNET_VERBOSEENV=1 PATH="$(dirname "$upcrun"):$PATH" "$work/program" 2>&1)
[ "$(grep -c 'GASNET_PSHM_NODES' <<<"$output")" -eq 1 ] || fail "settings are shown more than once: $output"

output=$(GASNET_MAX_SEGSIZE=zz "$upcrun" -n 1 "$work/program" 2>&1) && fail "GASNET_MAX_SEGSIZE=zz is accepted"
grep -q 'GASNET_MAX_SEGSIZE=zz: expected a size' <<<"$output" || fail "GASNET_MAX_SEGSIZE=zz: $output"

# gasnet_frozen in a debugger lets a frozen program go on.
if command -v gdb >/dev/null; then
    GASNET_FREEZE=1 "$work/program" 2>"$work/log" &
    frozen=$!
    for _ in $(seq 600); do grep -q "frozen by GASNET_FREEZE .*'set var \*(int\*)&gasnet_frozen = 0'" "$work/log" && break; sleep 0.1; done
    timeout 100 gdb -p $frozen -batch -ex 'set var *(int*)&gasnet_frozen = 0' >"$work/gdb" 2>&1
    for _ in $(seq 600); do kill -0 $frozen 2>/dev/null || break; sleep 0.1; done
    if kill $frozen 2>/dev/null && ! grep -q "Operation not permitted\|Could not" "$work/gdb"; then fail "frozen for good: $(cat "$work/log" "$work/gdb")"; fi
    wait $frozen
fi

# The largest segments can be attached, also where the address space is limited; operations on nothing have the
# invalid handle; a forked child dies of its signals, and is no node.
cat >"$work/children.c" <<'END'
#include <gasnet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int end_of_child(int number) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        raise(number);
        _exit(77);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : -1;
}
int main(int argc, char **argv)
{
    char b[8];
    if (gasnet_init(&argc, &argv) != GASNET_OK ||
        gasnet_attach(NULL, 0, gasnet_getMaxGlobalSegmentSize(), 0) != GASNET_OK)
        return 1;
    if (gasnet_get_nb(b, gasnet_mynode(), b, 0) != GASNET_INVALID_HANDLE) return 2;
    if (gasnet_put_nb_bulk(gasnet_mynode(), b, b, 0) != GASNET_INVALID_HANDLE) return 3;
    if (gasnet_memset_nb(gasnet_mynode(), b, 0, 0) != GASNET_INVALID_HANDLE) return 4;
    if (end_of_child(SIGTERM) != SIGTERM || end_of_child(SIGABRT) != SIGABRT || end_of_child(SIGQUIT) != SIGQUIT)
        return 5;
    gasnet_exit(0);
}
END
for library in gasnet gasnet_debug; do
    defines=-DGASNET_SEQ
    [ $library = gasnet ] || defines="$defines -DGASNET_DEBUG"
    $cc $defines $include -o "$work/children" "$work/children.c" $link -l$library || { fail "children.c"; continue; }
    output=$( (ulimit -v 3000000 && "$upcrun" -n 2 "$work/children") 2>&1) || fail "under ulimit -v, $library: $output"
    output=$(grep -v "accesses take a slower path" <<<"$output")
    [ -z "$output" ] || fail "children are reported as nodes: $output"
done

# Names that resemble a variable's, once a job; other programs' variables and those of UPC programs say nothing.
misspelt() { # NAME PATTERN
    output=$(env "$1=1" "$upcrun" -n 2 "$work/program" 2>&1)
    [ "$(wc -l <<<"$output")" -eq 1 ] && grep -q "$2" <<<"$output" || fail "$1: $output"
}
misspelt GASNET_MAX_SEGSIEZ 'WARNING: unknown GASNET_MAX_SEGSIEZ, did you mean GASNET_MAX_SEGSIZE?'
misspelt GASNET_VERBOSE_ENV 'WARNING: unknown GASNET_VERBOSE_ENV, did you mean GASNET_VERBOSEENV?'
misspelt GASNET_FREEZ 'WARNING: unknown GASNET_FREEZ, did you mean GASNET_FREEZE?'
output=$("$upcrun" -n 2 --stats="$work/s.json" "$work/program" 2>&1)
[ "$(wc -l <<<"$output")" -eq 1 ] && grep -q 'UPCR_STATS (upcrun --stats) is for programs of UPC; GASNet clients have GASNET_STATSFILE' \
    <<<"$output" || fail "--stats: $output"
output=$(UPCR_STATS=no "$upcrun" -n 2 "$work/program" 2>&1)
[ -z "$output" ] || fail "UPCR_STATS=no: $output"
for name in GASNET_OF_MINE GASNET_COLL_SCRATCH_SIZE GASNET_EXITTIMEOUT UPC_SHARED_HEAP_SZIE UPCR_OF_MINE; do
    output=$(env "$name=1" "$upcrun" -n 2 "$work/program" 2>&1)
    [ -z "$output" ] || fail "$name: $output"
done

# The binding of nodes: one of GASNET_SEQ has a CPU of its own, one with threads is not bound.
cat >"$work/cpus.c" <<'END'
#include <gasnet.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    char line[4096];
    FILE *status;
    gasnet_init(&argc, &argv);
    gasnet_attach(NULL, 0, 0, 0);
    status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, "Cpus_allowed_list:", 18) == 0) fputs(line, stdout);
    fflush(stdout);
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
    gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
    gasnet_exit(0);
    return 0;
}
END
unset OMP_NUM_THREADS
whole=$(grep Cpus_allowed_list /proc/self/status)
bin=$(dirname "$upcrun")
# cpus COMMAND...: the different CPU lists of the nodes.
cpus() { "$@" | sort -u; }
for mode in SEQ PARSYNC PAR; do
    $cc -DGASNET_$mode $include -o "$work/cpus_$mode" "$work/cpus.c" $link -lgasnet-smp-${mode,,} || fail "cpus.c, $mode"
done
printf '#!/bin/sh\nexec "$0_PAR"\n' >"$work/cpus"
chmod +x "$work/cpus"
# Has a UPC program's marks; prints its CPUs only.
cat >"$work/upc.c" <<'END'
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    if (argc > 1) puts("libupcr.so");
    return execlp("grep", "grep", "Cpus_allowed_list", "/proc/self/status", (char *)0);
}
END
$cc -o "$work/upc" "$work/upc.c" || fail "upc.c"
for program in cpus_PARSYNC cpus_PAR; do
    [ "$(cpus "$upcrun" -n 2 "$work/$program")" = "$whole" ] || fail "$program is bound"
    [ "$(GASNET_PSHM_NODES=2 PATH=$bin:$PATH cpus "$work/$program")" = "$whole" ] || fail "$program alone is bound"
done
[ "$(cpus "$bin/gasnetrun_smp" -n 2 "$work/cpus")" = "$whole" ] || fail "a script that runs a client is bound"
[ "$(cpus "$bin/gasnetrun_smp" --bind core -n 1 "$work/cpus_PAR")" = "$whole" ] || fail "one node does not get all CPUs"
if [ "$(nproc)" -ge 2 ]; then
    [ "$(cpus "$bin/gasnetrun_smp" -n 2 "$work/cpus_SEQ" | wc -l)" -eq 2 ] || fail "cpus_SEQ is not bound"
    [ "$(cpus "$bin/gasnetrun_smp" -n 2 "$work/upc" | wc -l)" -eq 2 ] || fail "a UPC program is not bound"
    [ "$(OMP_NUM_THREADS=1 cpus "$bin/gasnetrun_smp" -n 2 "$work/cpus_PAR" | wc -l)" -eq 2 ] || fail "OMP_NUM_THREADS has no effect"
    [ "$(cpus "$bin/gasnetrun_smp" -c 1 -n 2 "$work/cpus_PAR" | wc -l)" -eq 2 ] || fail "-c has no effect"
    [ "$(cpus "$bin/gasnetrun_smp" --bind core -n 2 "$work/cpus_PAR" | wc -l)" -eq 2 ] || fail "--bind core has no effect"
fi
exit $failed
