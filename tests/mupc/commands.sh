#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# commands.sh BIN SOURCES: mupcc and mupcrun as the report shows them, and mupcc with a front end, which makes C of
# UPC. BIN has mupcc, mupcrun and upcc.
set -euo pipefail
bin=$1 sources=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$sources/hello.c" filename.c

expect() {  # expect WANT COMMAND...
    local want=$1 got
    shift
    got=$("$@" 2>&1) || { echo "$*: status $?: $got"; exit 1; }
    [ "$got" = "$want" ] || { echo "$*: '$got', not '$want'"; exit 1; }
}

expect "" "$bin/mupcc" filename.c libmupc.a
expect "hello from 2 threads: 3" "$bin/mupcrun" -n 2 a.out
expect "hello from 1 threads: 1" ./a.out

# Objects, without the word libmupc.a, and the debug library.
expect "" "$bin/mupcc" -g -c filename.c
[ -f filename.o ]
expect "" "$bin/mupcc" -g -o hello filename.o
expect "hello from 3 threads: 6" "$bin/mupcrun" -n 3 ./hello

# UPC: the stand-in for a front end knows two statements.
cat > front_end <<'END'
#!/bin/sh
sed -e 's/^shared int a\[THREADS\];/#include <mupc.h>\nMUPC_SHARED(a, THREADS, 4);/' -e 's/upc_barrier;/upc_barrier(0);/' "$1" > "$2"
END
chmod +x front_end
printf 'shared int a[THREADS];\nint puts(const char *);\nint main() { upc_barrier; if (a.th == 0 && MYTHREAD == 1) puts("two"); return 0; }\n' > u.upc
expect "" "$bin/mupcc" --front-end ./front_end -o u u.upc libmupc.a
expect "two" "$bin/mupcrun" -n 2 u
MUPCC_FRONT_END=./front_end expect "" "$bin/mupcc" -c u.upc
[ -f u.o ]

# Mistakes.
refuse() {  # refuse PATTERN COMMAND...
    local pattern=$1 got
    shift
    if got=$("$@" 2>&1); then echo "$*: no error"; exit 1; fi
    [[ $got == *$pattern* ]] || { echo "$*: '$got' has no '$pattern'"; exit 1; }
}
refuse "u.upc is UPC, which mupcc does not translate; name a front end with --front-end CMD" "$bin/mupcc" u.upc
refuse "the front end 'false' failed" "$bin/mupcc" --front-end false u.upc
refuse "mupcc: -o: the output's name is missing" "$bin/mupcc" filename.c -o
refuse "mupcc: -pthreads=2: each UPC thread of MuPC is a process" "$bin/mupcc" -pthreads=2 filename.c
refuse "use \`mupcrun -n N PROGRAM\`" "$bin/mupcrun" a.out
refuse "mupcrun: the program to run is missing; use \`mupcrun" "$bin/mupcrun" -n 2
refuse "\`mupcrun --help\`" "$bin/mupcrun" --nonsense a.out
[[ $("$bin/mupcc" --version) == "mupcc (upcr) "* ]]
refuse "no input files" "$bin/mupcc"
refuse "is neither in the current folder nor in PATH" "$bin/mupcrun" -n 2 nothing.out
