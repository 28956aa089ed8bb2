# SPDX-License-Identifier: BSD-3-Clause
# UPC in gdb: lines, variables and breakpoints of the source, and share/upcr/gdb/upc.py. Both UPC threads are threads of
# one process. The environment gives SCRIPT.
. "$(dirname "$0")/lib.sh"
export ASAN_OPTIONS=detect_leaks=0 # LeakSanitizer does not work under a debugger
command -v gdb >/dev/null || { echo "SKIP: there is no gdb here"; exit 0; }

compilers=cc
command -v clang >/dev/null && [ -z "$SANITIZE" ] && compilers="cc clang"
for compiler in $compilers; do
    quiet "$compiler" env UPCC_CC=$compiler "$UPCC" -g --pthreads "$FIXTURES/debugged.upc" -o debugged
    cat > commands <<END
set pagination off
set debuginfod enabled off
source $SCRIPT
break debugged.upc:14 if \$upc_mythread() == 0
run
set scheduler-locking on
echo \n
next
print local
print mine
print p
print generic
upc-print *p
upc-print mine[2]
upc-print *mine
backtrace 1
set scheduler-locking off
delete
break debugged.upc:31 if \$upc_mythread() == 0
continue
upc-print table[2][3]
upc-print table
upc-print cells[1].n
upc-print cells[0]
upc-print cells[0].next->n
upc-print cells[1].next->v[1]
upc-print directory[1][2]
upc-print *directory[0]
upc-print pairs[5].b
upc-print scalar
upc-objects
upc-threads
delete
continue
END
    attempt "$UPCRUN" -n 2 --pthreads 2 gdb -batch -x commands --args ./debugged
    cp "$work/output" gdb.out
    grep -q "ptrace: Operation not permitted\|Could not trace" gdb.out && { echo "SKIP: no debugging here"; exit 0; }
    expect() { # NAME LINE: a line of gdb's output
        checks=$((checks + 1))
        grep -qxE -- "$2" gdb.out || { head -n 0 gdb.out >"$work/output"; report "$compiler: $1 ($2)" gdb; }
    }
    history='\$[0-9]+'
    offset='offset 0x[0-9a-f]+'
    expect "a breakpoint" "14[[:space:]]+table\[2\]\[2 \* THREADS - 1\] = \*p; /\* line 14 \*/"
    expect "a step" "15[[:space:]]+upc_barrier;                    /\* line 15 \*/"
    expect "a private variable" "$history = 40"
    expect "a pointer to an indefinite block" "$history = \{thread 0, $offset\} shared \[\] double \*"
    expect "a pointer to blocks of 2" "$history = \{thread 0, phase 1, $offset\} shared \[2\] int \*"
    expect "a generic pointer" "$history = \{thread 1, $offset\} shared void \*"
    expect "what a pointer points to" "2\.5"
    expect "what a pointer points to" "0\.5"
    expect "the function" "#0 +follow \(.*\) at .*debugged.upc:15"
    expect "an element" "23"
    expect "an array" "\{\{0, 1, 2, 3\}, \{10, 11, 12, 13\}, \{20, 21, 22, 23\}\}"
    expect "a member" "11"
    expect "a structure" "\{n = 10, v = \{0, 1\.25, 0\}, next = \{thread 1, $offset\} shared \[\] struct cell \*\}"
    expect "a member through a pointer" "1\.25"
    expect "a scalar" "77"
    expect "an element of a typedef's type" "8"
    expect "objects" "table: shared \[2\] int \[3\]\[2\*THREADS\] at \{thread 0, $offset\}"
    expect "objects" "directory: shared \[\] double \*shared \[THREADS\] at \{thread 0, $offset\}"
    expect "threads" "\* thread [0-9]+ of gdb: MYTHREAD is 0"
    expect "threads" "  thread [0-9]+ of gdb: MYTHREAD is 1"
    expect "threads" "THREADS is 2"
    [ "$(grep -cE '^2\.5$' gdb.out)" = 2 ] || { cp gdb.out "$work/output"; report "$compiler: directory[1][2]" gdb; }
    grep -i "error\|exception" gdb.out && { cp gdb.out "$work/output"; report "$compiler: no error" gdb; }
    [ "$failures" = 0 ] || cat gdb.out
done
finish
