#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# inst.sh UPCC UPCRUN EXAMPLES_DIR: upcc --inst without a tool, with one in an archive, and without --inst;
# the event of an immediate end, for a tool with only the required functions;
# calls of malloc and the like beside members and declarations of that name.
upcc=$1 upcrun=$2 sources=$3
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" && cp "$sources"/gasp/*.c . || exit 1
failed=0
fail() { echo "FAILED: $*"; cat out; failed=1; }
"$upcc" --inst gasp.c -o alone >out 2>&1 || fail "no tool: does not link"
"$upcrun" -n 1 --timeout 100 ./alone >out 2>&1
[ $? -eq 255 ] && grep -q 'compiled with --inst, but no GASP tool is linked: nothing defines gasp_init' out ||
  fail "no tool: no such message"
"$upcc" --inst -c tool.c -o tool.o >out 2>&1 && ar rc libtool.a tool.o &&
  "$upcc" --inst gasp.c -L. -ltool -o archive >out 2>&1 || fail "archive: does not link"
"$upcrun" -n 2 --timeout 100 ./archive >out 2>&1 || fail "archive: does not run"
grep -q '^thread 1 line 14: 40 bytes, 10 times$' out || fail "archive: no events"
"$upcc" gasp.c tool.c -o plain >out 2>&1 || fail "without --inst: does not link"
"$upcrun" -n 2 --timeout 100 ./plain >out 2>&1 || fail "without --inst: does not run"
[ "$(cat out)" = "done" ] || fail "without --inst: events"
"$upcc" --inst-toolname=x gasp.c >out 2>&1 && fail "--inst-toolname is accepted"
grep -q 'upcc has --inst, --inst-functions and --inst-local' out || fail "--inst-toolname: no reason"
cat >least.c <<'END'
#include <gasp_upc.h>
#include <stdio.h>
struct _gasp_context_S { int unused; } context;
gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv) { return &context; }
void gasp_event_notify(gasp_context_t c, unsigned tag, gasp_evttype_t type, const char *file, int line, int col, ...) {
    va_list args;
    va_start(args, col);
    if (tag == GASP_UPC_NONCOLLECTIVE_EXIT)
        fprintf(stderr, "%s: ends with %d\n", type == GASP_ATOMIC ? "atomic" : "span", va_arg(args, int));
    va_end(args);
}
END
cat >memory.c <<'END'
#include <upcr.h>
#ifndef UPCR_TRANS_EXTRA_INCL
#define UPCR_TRANS_EXTRA_INCL
#endif
extern void *malloc(unsigned long);
struct operations { void *(*malloc)(unsigned long); void (*free)(void *); };
int at_11(unsigned long n) {
    extern void free(void *);
    struct operations own = {malloc, free}, *o = &own;
    free(calloc(10, 1));
    void *member = o->malloc(n), *mine = member == 0 ? own.malloc(n) : realloc(malloc(n), 12);
    int failed = mine == 0;
    o->free(member), own.free(mine);
    return failed;
}
int user_main(void) {
    UPCR_BEGIN_FUNCTION();
    return at_11(11);
}
END
cat >memory_tool.c <<'END'
#include <gasp_upc.h>
#include <stdio.h>
struct _gasp_context_S { int unused; } context;
gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv) { return &context; }
void gasp_event_notify(gasp_context_t c, unsigned tag, gasp_evttype_t type, const char *file, int line, int col, ...) {
    if (type == GASP_START && tag >= GASP_UPC_C_MALLOC && tag <= GASP_UPC_C_FREE) printf("%u:%d ", tag, line);
}
END
"$upcc" --inst memory.c memory_tool.c -o memory >out 2>&1 || fail "private memory: does not compile"
"$upcrun" -n 1 --timeout 100 ./memory >out 2>&1 || fail "private memory: does not run"
[ "$(cat out)" = "1020:10 1022:10 1020:11 1021:11 " ] || fail "private memory: other events"
sed 's/puts(.*);/upcr_global_exit(7);/' gasp.c >ends.c
"$upcc" --inst ends.c least.c -o ends >out 2>&1 || fail "upcr_global_exit: does not link"
"$upcrun" -n 1 --timeout 100 ./ends >out 2>&1
[ $? -eq 7 ] && [ "$(grep -c 'ends with' out)" -eq 1 ] && grep -q '^atomic: ends with 7$' out ||
  fail "upcr_global_exit: not the one event"
# For a tool that does not number events the library numbers them, with one tag for each name.
cat >users.c <<'END'
#include <upcr.h>
#include <pupc.h>
#ifndef UPCR_TRANS_EXTRA_INCL
#define UPCR_TRANS_EXTRA_INCL
#endif
int user_main(void) {
    UPCR_BEGIN_FUNCTION();
    const unsigned a = pupc_create_event("a", 0), b = pupc_create_event("b", 0);
    printf("%u %u %u\n", a, b, pupc_create_event("a", 0));
    return 0;
}
END
"$upcc" --inst users.c least.c -o users >out 2>&1 || fail "events of the user: does not link"
"$upcrun" -n 1 --timeout 100 ./users >out 2>&1
[ "$(cat out)" = "100 101 100" ] || fail "events of the user: other tags"
exit $failed
