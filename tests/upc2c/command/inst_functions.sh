#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# inst_functions.sh UPCC UPCRUN: with --inst-functions the entry and the exit of every function are reported, wherever
# it returns.
set -eu
upcc=$1 upcrun=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >tool.c <<'EOF'
#include <gasp_upc.h>
#include <stdio.h>
struct _gasp_context_S { int unused; } context;
gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv) { return &context; }
void gasp_event_notify(gasp_context_t c, unsigned tag, gasp_evttype_t type, const char *file, int line, int col, ...) {
    va_list args;
    va_start(args, col);
    if (tag == GASP_UPC_C_FUNC) printf("%s %s\n", type == GASP_START ? "enter" : "leave", va_arg(args, const char *));
    va_end(args);
}
EOF
cat >prog.upc <<'EOF'
#include <upc.h>
shared int x;
static int plain(int n) { if (n > 1) return 1; return 2; }
static void loop(void) { for (;;) { if (x == 1) return; x = 1; } }
static int recursive(int n) { return n == 0 ? x : recursive(n - 1); }
inline int inlined(int n) { return n + x; }
int main(void) {
    loop();
    return plain(1) + recursive(2) + inlined(0) - 4;
}
EOF
cat >expected <<'EOF'
enter main
enter loop
leave loop
enter plain
leave plain
enter recursive
enter recursive
enter recursive
leave recursive
leave recursive
leave recursive
enter inlined
leave inlined
leave main
EOF
"$upcc" --inst-functions prog.upc tool.c -o prog
"$upcrun" -n 1 --timeout 100 ./prog >output
sed -n 's/user_main/main/; /^enter\|^leave/p' output >events
diff expected events
