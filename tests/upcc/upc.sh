# SPDX-License-Identifier: BSD-3-Clause
# UPC source to objects and programs: stages, outputs, dependencies, messages, mixtures of languages. What the
# translation does is tested with the translator; here are the files and the compilers around it.
. "$(dirname "$0")/lib.sh"
exists() { # NAME FILE...
    for file in "${@:2}"; do [ -e "$file" ] || { status=1; : > "$work/output"; report "$1" "no $file"; }; done
    checks=$((checks + 1))
    rm -f "${@:2}"
}

cat > prog.upc <<'EOF2'
#include <upc_relaxed.h>
#include <stdio.h>
#include "value.h"
shared [2] int squares[2 * THREADS];
int helper(int);
int main(void) {
    int i, sum = 0;
    upc_forall (i = 0; i < 2 * THREADS; i++; &squares[i]) squares[i] = i * i + VALUE;
    upc_barrier;
    for (i = 0; i < 2 * THREADS; i++) sum += squares[i];
    if (MYTHREAD == 0) printf("sum %d of %d threads\n", helper(sum), THREADS);
    return 0;
}
EOF2
echo '#define VALUE 1' > value.h
echo 'int helper(int x) { return x; }' > helper.c
cat > bad.upc <<'EOF2'
shared [4] int *p;
int *f(void) { return p; }
void g(void) { upc_notify; upc_notify; }
EOF2
sum() { echo $((($1 * 2 - 1) * $1 * 2 * ($1 * 4 - 1) / 6 + 2 * $1)); }  # of i * i + 1 for 2 * $1 elements

# Whole programs, of several kinds of files.
quiet "a program" "$UPCC" prog.upc helper.c -o prog
for n in 1 2 3; do prints "a program, $n threads" "^sum $(sum $n) of $n threads$" "$UPCRUN" -n $n ./prog; done
cat > digraphs.upc <<'END'
#include <upc.h>
shared struct rec <% shared [] char *text; %> all<:THREADS:>;
int main(void) <% all<:MYTHREAD:>.text = upc_alloc(2); { upc_free(all[MYTHREAD].text); } return 0; %>
END
quiet "digraphs" "$UPCC" digraphs.upc -o digraphs
quiet "-c" "$UPCC" -c prog.upc helper.c
ar rc libhelper.a helper.o
quiet "an object and an archive" "$UPCC" prog.o -L. -lhelper -o linked
prints "an object and an archive" "^sum $(sum 2) of 2 threads$" "$UPCRUN" -n 2 ./linked
exists "-c" prog.o
printf 'extern "C" int helper(int x);\nstruct Object { int value; };\nint helper(int x) { Object o{x}; return o.value; }\n' > helper.cpp
quiet "UPC and C++" "$UPCC" -T 2 prog.upc helper.cpp -o mixed
prints "UPC and C++" "^sum $(sum 2) of 2 threads$" "$UPCRUN" -n 2 ./mixed
refuses "-T 2 on three threads" "UPC Runtime error" "$UPCRUN" -n 3 ./mixed
# For a fixed number of threads the division by it is by a constant.
echo 'shared int table[8 * THREADS]; int *at; int element(long i) { return table[i]; }' > index.upc
if [ "$(uname -m)-$POINTER_BYTES" = x86_64-8 ] && [ -z "${UPCC_CC:-}" ]; then
    constants='40\+upcri_window\(%rip\)'
    prints "a division by THREADS" "$constants" "$UPCC" -S index.upc -o -
    prints_no "no division by THREADS of -T" "$constants" "$UPCC" -T 4 -S index.upc -o -
fi
for options in -O0 -O3 -g "-g -O2" --pthreads "--pthreads=2 -g" "-std=gnu11" "-std=c17" "-std=c99"; do
    quiet "options $options" "$UPCC" $options prog.upc helper.c -o prog
    prints "options $options" "^sum $(sum 2) of 2 threads$" "$UPCRUN" -n 2 ./prog
done
quiet "pthreads" "$UPCC" --pthreads prog.upc helper.c -o prog
prints "pthreads" "^sum $(sum 4) of 4 threads$" "$UPCRUN" -n 4 --pthreads 2 ./prog
cat > local.upc <<'EOF2'
#include <upc.h>
#include <stdio.h>
int each = 1;
static int *pointer = &each;
int local(int each) { struct { int each; } s = {each}; return s.each; }
int main(void) {
    each += MYTHREAD;
    upc_barrier;
    printf("each %d of %d %d\n", local(each), *pointer, (int)sizeof each);
    return 0;
}
EOF2
quiet "unshared data" "$UPCC" --pthreads local.upc -o local
counts "unshared data, pthreads" 1 "^each 3 of 3 4$" "$UPCRUN" -n 3 --pthreads 3 ./local
quiet "unshared data of processes" "$UPCC" local.upc -o local
counts "unshared data of processes" 1 "^each 3 of 3 4$" "$UPCRUN" -n 3 ./local
refuses "unshared data of processes, pthreads" "cannot run 3 UPC threads in a process: .*'each' in local.upc:7" "$UPCRUN" -n 3 --pthreads 3 ./local
# Names that C compilers know as functions are variables of the program here.
cat > known.upc <<'EOF2'
#include <upc.h>
#include <stdio.h>
shared int object, *jn;
int index, y1[3], gamma, *log;
static double exp;
int main(void) {
    int *read = &index;
    *read = MYTHREAD;
    y1[2] += MYTHREAD;
    log = &y1[2];
    exp = *log;
    jn = &object;
    upc_barrier;
    printf("known %d\n", index == MYTHREAD && *log == MYTHREAD && exp == MYTHREAD && gamma == 0 && jn == &object);
    return 0;
}
EOF2
for options in "" --pthreads -O0; do
    quiet "variables with names of C's functions $options" "$UPCC" $options -Wno-builtin-declaration-mismatch known.upc -o known
    counts "variables with names of C's functions $options" 3 "^known 1$" "$UPCRUN" -n 3 ./known
done
counts "variables with names of C's functions, debug" 2 "^known 1$" sh -c '"$0" -g --pthreads known.upc -o known && "$1" -n 2 --pthreads 2 ./known' "$UPCC" "$UPCRUN"
sed 's/$/\r/' prog.upc > dos.upc
quiet "ends of lines of DOS" "$UPCC" dos.upc helper.c -o dos
prints "ends of lines of DOS" "^sum $(sum 2) of 2 threads" "$UPCRUN" -n 2 ./dos
printf 'int plain;\nint renamed __asm__("other") = 4;\nint main(void) { static int local asm("third"); return renamed + local + plain == 4; }\n' > label.upc
quiet "names in the object, processes" "$UPCC" label.upc -o label
refuses "names in the object, pthreads" "^label.upc:2:13: error: with --pthreads" "$UPCC" --pthreads -c label.upc
refuses "names in the object, pthreads" "^label.upc:3:35: error: with --pthreads" "$UPCC" --pthreads -c label.upc
printf 'int placed __attribute__((section(".mine"))) = 4;\nint main(void) { return placed - 4; }\n' > section.upc
refuses "a section of the program's own" "^section.upc:1:27: error: an unshared variable" "$UPCC" -c section.upc
sed -i '1s/.*/#pragma upc c_code\n&\n#pragma upc upc_code/' section.upc
quiet "a section of the program's own, C code" "$UPCC" --pthreads section.upc -o section
prints "a section of the program's own, C code" "^$" sh -c '"$0" -n 2 --pthreads 2 ./section && echo' "$UPCRUN"
# Names of the C library: a program's own are hidden from shared libraries, except where the library is to use them.
cat > names.upc <<'EOF2'
#include <upc.h>
int poll(int a) { return a + 1; }
__attribute__((visibility("default"))) int send(int a) { return poll(a); }
int stat = 4, optind;
int malloc_trim(unsigned long bytes) { return bytes == 0; }
EOF2
quiet "names of the C library" "$UPCC" -c names.upc
for row in "poll HIDDEN" "send DEFAULT" "stat HIDDEN" "optind DEFAULT" "malloc_trim DEFAULT"; do
    prints "names of the C library, $row" " ${row#* } +[0-9A-Z]+ ${row% *}$" readelf -sW names.o
done
quiet "names of the C library, -fvisibility" "$UPCC" -fvisibility=default -c names.upc
prints "names of the C library, -fvisibility" " DEFAULT +[0-9]+ poll$" readelf -sW names.o
printf '#include <upc.h>\nint poll(int a) { return a + 1; }\n' > shared.upc
for options in -fPIC -fPIE ""; do
    [ "$options" = -fPIC ] || [ -z "$SANITIZE" ] || continue # which adds code that is not for shared libraries
    quiet "a shared library $options" "$UPCC" -shared $options shared.upc -o shared.so
    prints "a shared library $options" " T poll$" nm -D shared.so
done
cat > version.upc <<'EOF2'
#include <upc.h>
#include <argp.h>
const char *argp_program_version = "prog 1.0";
static struct argp all;
int main(int argc, char **argv) { return argp_parse(&all, argc, argv, 0, 0, 0); }
EOF2
quiet "a variable that the C library reads" "$UPCC" version.upc -o version
prints "a variable that the C library reads" "^prog 1\.0$" "$UPCRUN" -n 1 ./version --version
printf '#include <upc.h>\n#include <stdio.h>\nint getopt(int, char *const *, const char *);\nchar *optarg;\nint main(int c, char **v) { getopt(c, v, "x:"); puts(optarg); return 0; }\n' > getopt.upc
quiet "a variable that the C library writes" "$UPCC" getopt.upc -o getopt
prints "a variable that the C library writes" "^given$" "$UPCRUN" -n 1 ./getopt -x given

compilers=cc
if [ -z "$SANITIZE" ] && command -v clang > /dev/null; then compilers="cc clang"; fi # sanitizers of two compilers do not mix
# clang has constants of its own with such names: .L.str.1, .L__const.main.name
cat > constants.upc <<'EOF2'
#include <stdnoreturn.h>
#include <upc.h>
#include <stdio.h>
char *str = "a string", *name;
noreturn void fail(void) { upc_global_exit(1); }
int main(void) {
    const char *volatile words[] = {"one string", "another one"};
    char name[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    volatile char *use = name;
    if (str[0] != 'a' || use[8] != 9 || words[1][0] != 'a') fail();
    printf("constants\n");
    return 0;
}
EOF2
for cc in $compilers; do
    quiet "constants, $cc" env UPCC_CC=$cc "$UPCC" -Wall --pthreads constants.upc -o constants
    counts "constants, $cc" 2 "^constants$" "$UPCRUN" -n 2 --pthreads 2 ./constants
done
printf 'static f(x) { return g(x); }\nint main(void) { return f(1); }\n' > old.upc
counts "one warning each of implicit int and function" 2 "warning: " "$UPCC" -Wall -c old.upc
printf '#include <upc.h>\nint plain = 3;\nint main(void) { return plain - 3; }\n' > once.upc
quiet "-Wredundant-decls" "$UPCC" -Wredundant-decls -c once.upc
cat > letters.upc <<'EOF2'
#include <upc.h>
#include <stdio.h>
int été = 2, ñ;
static int \u00fcber = 3;
int main(void) {
    static int ö = 4;
    été += MYTHREAD, über += MYTHREAD, ö += MYTHREAD, ñ += MYTHREAD;
    upc_barrier;
    printf("letters %d\n", été - 2 == MYTHREAD && über - 3 == MYTHREAD && ö - 4 == MYTHREAD && ñ == MYTHREAD);
    return 0;
}
EOF2
quiet "letters of other languages, processes" "$UPCC" letters.upc -o letters
refuses "letters of other languages, processes" "'été' in letters.upc:7" "$UPCRUN" -n 3 --pthreads 3 ./letters
for cc in $compilers; do
    quiet "letters of other languages, $cc" env UPCC_CC=$cc "$UPCC" --pthreads letters.upc -o letters
    counts "letters of other languages, $cc" 3 "^letters 1$" "$UPCRUN" -n 3 --pthreads 3 ./letters
done
if [ "$compilers" != cc ]; then
    quiet "clang" env UPCC_CC=clang "$UPCC" prog.upc helper.c -o prog
    prints "clang" "^sum $(sum 2) of 2 threads$" "$UPCRUN" -n 2 ./prog
fi
quiet "-x upc" sh -c 'cp prog.upc prog.txt && exec "$0" -x upc prog.txt -x none helper.c -o prog' "$UPCC"
quiet "-x upc of standard input" sh -c '"$0" -x upc -c - -o stdin.o < prog.upc' "$UPCC"
exists "-x upc of standard input" stdin.o
refuses "objects for 2 and 3 threads" "-T" sh -c '"$0" -T2 -c prog.upc -o p2.o && "$0" -T3 -c -x upc helper.c -o h3.o && exec "$0" p2.o h3.o' "$UPCC"
refuses "C23" "-std=gnu2x: UPC source is C99, C11 or C17" "$UPCC" -std=gnu2x -c prog.upc
# The program's macros, directories and forced headers reach the preprocessor, once each.
mkdir inc && printf '#ifndef FORCED\nstruct forced { int x; };\nenum { FORCED_VALUE = 4 };\n#endif\n' > inc/forced.h
cat > macros.upc <<'EOF2'
#include "forced.h"
#if !defined(A) || A != 2 || defined(linux)
#error macros
#endif
struct forced f;
int value = FORCED_VALUE + __UPC__;
EOF2
sed -i '1d' macros.upc
quiet "-D, -U, -I, -include" "$UPCC" -DA=2 -Ulinux -I inc -include forced.h -c macros.upc
quiet "-Dinclude twice" "$UPCC" -DA=2 -Ulinux -Iinc -include inc/forced.h -MMD -c macros.upc
prints "-include in dependencies" "inc/forced.h" cat macros.d

quiet "macros with names of upcr's variables" "$UPCC" -Dword=100 -Dbase=3 -D span=5 -Dlow=2 '-Dbases(x)=x' -Dpad=7 \
    -DT=5 -Dmain=main prog.upc helper.c -o prog
prints "macros with names of upcr's variables" "^sum $(sum 2) of 2 threads$" "$UPCRUN" -n 2 ./prog
printf '#define _GNU_SOURCE\n#include <stdio.h>\nint f(char **s) { return asprintf(s, "x"); }\n' > gnu.upc
quiet "a source's own _GNU_SOURCE" "$UPCC" -Wimplicit-function-declaration -c gnu.upc
sed -i 1d gnu.upc
quiet "_GNU_SOURCE" "$UPCC" -Werror=implicit-function-declaration -c gnu.upc
refuses "-U_GNU_SOURCE" "asprintf" "$UPCC" -U_GNU_SOURCE -Werror=implicit-function-declaration -c gnu.upc
printf '#include <upc.h>\nstatic int a[4] = {1, 2}, b[4] = {1, 2};\nint f(int i) { return a[i] * b[i]; }\n' > equal.upc
quiet "equal variables that nobody writes" "$UPCC" -c equal.upc

# Stages.
prints "-E" "shared \[2\] int squares\[2 \* THREADS\];" "$UPCC" -E prog.upc
prints_no "-E has no #define" "^#define" "$UPCC" -E prog.upc
quiet "-E -o" "$UPCC" -E prog.upc -o prog.i
exists "-E -o" prog.i
quiet "-S" "$UPCC" -S prog.upc
prints "-S" "user_main" cat prog.s
quiet "--trans" "$UPCC" --trans prog.upc
prints "--trans" "UPCRI_ALLOC_" cat prog.trans.c
quiet "a translation is C that upcc compiles" "$UPCC" prog.trans.c helper.c -o prog
prints "a translation is C that upcc compiles" "^sum $(sum 2) of 2 threads$" "$UPCRUN" -n 2 ./prog
exists "--trans" prog.trans.c
quiet "--trans=FILE" "$UPCC" --trans=out.c prog.upc
exists "--trans=FILE" out.c
prints "--trans to standard output" "UPCRI_ALLOC_" "$UPCC" --trans=- prog.upc
refuses "--trans over the source" "prog.upc: the translation would be written over its source" "$UPCC" --trans=prog.upc prog.upc
mkdir out && quiet "--keep-trans" "$UPCC" --keep-trans -c prog.upc -o out/prog.o
exists "--keep-trans" out/prog.trans.c out/prog.o
quiet "--keep-trans of a program" "$UPCC" --keep-trans prog.upc helper.c -o out/prog
exists "--keep-trans of a program" prog.trans.c
quiet "-fsyntax-only" "$UPCC" -fsyntax-only prog.upc
[ ! -e prog.o ] || report "-fsyntax-only writes nothing"
prints_no "-fsyntax-only runs no compiler" " -c " "$UPCC" -v -fsyntax-only prog.upc
prints "-v" "^cc .*-E -dD -dI .*prog.upc$" "$UPCC" -v -c prog.upc
prints "-v" "^upcc: translate prog.upc to" "$UPCC" -v -c prog.upc
prints "--show" "^cc .* -o prog.o -x c" "$UPCC" --show -c prog.upc
rm -f prog.o
quiet "--show writes nothing" sh -c '"$0" --show -c prog.upc 2>/dev/null; [ ! -e prog.o ]' "$UPCC"

# Rules for make.
prints "-MM" "^prog.o: prog.upc value.h$" "$UPCC" -MM prog.upc
prints "-M has the system's headers" "stdio.h" "$UPCC" -M prog.upc
quiet "-MMD" "$UPCC" -MMD -c prog.upc -o out/deep.o
prints "-MMD" "^out/deep.o: prog.upc value.h$" cat out/deep.d
quiet "-MMD -MF -MT -MP" "$UPCC" -MMD -MP -MF deps -MT target -c prog.upc
prints "-MT" "^target: prog.upc value.h" cat deps
prints "-MP" "^value.h:$" cat deps
quiet "-MD at -fsyntax-only" "$UPCC" -fsyntax-only -MMD -MF deps prog.upc
prints "-MD at -fsyntax-only" "^prog.o: prog.upc value.h" cat deps
quiet "-MMD and a program" "$UPCC" -MMD prog.upc helper.c -o prog
prints "-MMD and a program" "^prog: prog.upc value.h" cat prog.d
quiet "-MMD and one source" "$UPCC" -MMD prog.upc -L. -lhelper -o out/alone.exe
prints "-MMD and one source" "^out/alone.exe: prog.upc value.h" cat out/alone.d

refuses "a folder that is not there" "no/such/prog.o" "$UPCC" -c prog.upc -o no/such/prog.o
! grep -q "refused the translation" "$work/output" || report "the translation is not to blame"
if [ -e /dev/full ]; then
    refuses "-trans to a full disk" "cannot write /dev/full" "$UPCC" --trans=/dev/full prog.upc
    [ -e /dev/full ] || report "/dev/full is no output that can be removed"
fi

if unshare -m true 2>/dev/null; then
    refuses "-trans to a full disk" "cannot write full/prog.trans.c" unshare -m sh -c 'mkdir full; mount -t tmpfs -o size=4k none full &&
        head -c 4096 /dev/zero >full/file; "$0" --trans=full/prog.trans.c prog.upc; status=$?; [ ! -e full/prog.trans.c ] && exit $status' "$UPCC"
    refuses "nothing is left of it" "^none$" sh -c '[ -e full/prog.trans.c ] || echo none; exit 1'
fi
if [ "$(id -u)" != 0 ]; then
    echo kept > kept.c && chmod 444 kept.c
    refuses "-trans to a file that is not writable" "cannot write kept.c" "$UPCC" --trans=kept.c prog.upc
    prints "the file that is not writable" "^kept$" cat kept.c
fi

# Messages.
refuses "an error" "^bad.upc:2:23: error: .*pointer-to-shared.*\[D-CNV-LOCAL\]$" "$UPCC" -c bad.upc
[ "$status" = 1 ] || report "status of an error"
refuses "a warning" "^bad.upc:3:28: warning: .*\[-Wupc-barrier-order\]" "$UPCC" -c bad.upc
[ ! -e bad.o ] || report "no object after an error"
cp bad.upc worse.upc
refuses "every file is diagnosed" "^worse.upc:2:23: error" "$UPCC" bad.upc worse.upc prog.upc helper.c -o never
refuses "the rest after an error" "^bad.upc:2:23: error" "$UPCC" -c bad.upc prog.upc
exists "the rest after an error" prog.o
sed 2d bad.upc > warns.upc
prints "-W of a group" "warning: .*upc-barrier-order" "$UPCC" -fsyntax-only warns.upc
quiet "-Wno- of a group" "$UPCC" -Wno-upc-barrier-order -c warns.upc
quiet "-w" "$UPCC" -w -c warns.upc
refuses "-Werror" "error: .*upc-barrier-order|error: .*D-BAR-ORDER" "$UPCC" -Werror -c warns.upc
refuses "-Werror=" "error: .*D-BAR-ORDER" "$UPCC" -Werror=upc-barrier-order -c warns.upc
prints "-Wno-error" "warning: .*upc-barrier-order" "$UPCC" -Werror -Wno-error -c warns.upc
prints_no "groups of UPC are not for the C compiler" "^cc .*-Wupc" "$UPCC" -Wupc-forall-nested -Wno-upc-pragma -v -c prog.upc helper.c
refuses "JSON" '"id": "D-CNV-LOCAL"' "$UPCC" -fdiagnostics-format=json -c bad.upc
refuses "a form that there is not" "sarif-stderr: messages about UPC are written as text" "$UPCC" -fdiagnostics-format=sarif-stderr -c bad.upc
printf '#include <no-such.h>\n' > header.upc
cc --version | grep -q "Free Software Foundation" &&
    refuses "JSON of the preprocessor" '^\[.*"no-such.h: No such file' "$UPCC" -fdiagnostics-format=json -fsyntax-only header.upc
prints "JSON without messages" '^\[\]$' "$UPCC" -fdiagnostics-format=json -fsyntax-only prog.upc
refuses "colours" "$(printf '\033')\[" "$UPCC" -fdiagnostics-color=always -c bad.upc
refuses "-fmax-errors" "too many errors" "$UPCC" -Werror -fmax-errors=1 -c bad.upc
refuses "the preprocessor's errors" "^nohead.upc:1:.*no-such.h" sh -c 'echo "#include <no-such.h>" > nohead.upc; exec "$0" -c nohead.upc' "$UPCC"
refuses "no such file" "nowhere.upc" "$UPCC" -c nowhere.upc
# Errors that only the C compiler detects are reported at the line of the source.
printf '#include <upc.h>\n#include <stdio.h>\nint f(void) {\n    shared int *p = 0;\n    return p == 0;\n}\n\n_Static_assert(sizeof(int) == 5, "five");\n' > static.upc
refuses "the C compiler's errors" "^static.upc:8: ?error: .*five" "$UPCC" -c static.upc
refuses "the C compiler's errors" "^upcc: the C compiler has refused the translation of static.upc" "$UPCC" -c static.upc
printf 'int f(int x) {\n    int unused;\n    return x;\n}\n' > unused.upc
quiet "no warnings of the C compiler" "$UPCC" -c unused.upc
prints "warnings of the C compiler on request" "^unused.upc:2: warning: unused variable" "$UPCC" -Wunused-variable -c unused.upc
# A clean program gets no warnings about names that it does not have.
cat > clean.upc <<'EOF2'
#include <upc_relaxed.h>
typedef struct { int a; double d[2]; } record;
shared [4] double a[4 * THREADS];
shared record records[THREADS];
static shared int hidden = 3;
static int table[3] = {1, 2, 3};
static double sum(shared [4] double *p, int n) {
    double s = 0;
    static int calls;
    calls++;
    for (int i = 0; i < n; i++) s += p[i];
    return s + calls;
}
int main(int argc, char **argv) {
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i]) a[i] = i;
    upc_barrier 3;
    upc_lock(lock);
    records[MYTHREAD].a += hidden + table[argc % 3];
    upc_unlock(lock);
    upc_forall (int i = 0; i < THREADS; i++; i) if (argc > 1) a[i]++; else a[i] = table[argc % 2];
    upc_forall (int i = 0; i < argc; i++; i);
    return sum(a, 4) < 0 || argv == 0;
}
EOF2
for options in "" -O2 -g --pthreads "-T 2"; do
    quiet "no warnings about a clean program $options" "$UPCC" $options -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Wshadow -c clean.upc
done
# gcc does not see that the address of memory that is not mapped is not used.
cat > list.upc <<'EOF2'
#include <upc.h>
struct node { int key; shared struct node *next; };
shared struct node *shared head[THREADS];
int insert(int key) {
    int b = key % THREADS;
    shared struct node *n = head[b];
    while (n && n->key != key) n = n->next;
    if (!n) { n = upc_alloc(sizeof *n); n->key = key; n->next = head[b]; head[b] = n; }
    return n->key;
}
int main(void) { return insert(1) - 1; }
EOF2
for options in "" -O1 -O2 -O3 "-O1 --pthreads" "-O2 -T 4"; do
    quiet "no warnings about the runtime's headers $options" "$UPCC" $options -Wall -Wextra -c list.upc
done
sed 's/int main(.*{/int main(int, char **);\n&/' clean.upc > declared.upc
# Members that system headers declare without a tag.
cat > system.upc <<'EOF2'
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <upc.h>
shared siginfo_t signals[2 * THREADS], *p;
shared struct in6_addr address;
struct own { int a; struct { int b, c[4]; } m[3]; union { struct { char d, e; }; short f; } u; };
shared struct own own[THREADS];
int main(void) {
    const int me = MYTHREAD;
    siginfo_t *const s = (siginfo_t *)&signals[me];
    struct own *const o = (struct own *)&own[me];
    shared int *pid;
    p = &signals[me];
    signals[me].si_pid = 5 + me, p->si_uid = 7, p->si_pid++;
    address.s6_addr[3] = 9;
    own[me].m[2].c[me % 4] = 3, own[me].u.e = 4, own[me].m[1].b += 6;
    pid = (shared int *)&p->si_pid;
    upc_barrier;
    printf("%d %d %d %d; %d %d %d\n", s->si_pid - me, signals[me].si_pid - me, *pid - me, (int)s->si_uid,
           o->m[2].c[me % 4], o->u.e, own[me].m[1].b);
    return address.s6_addr[3] - 9;
}
EOF2
for options in "" "-g" "--pthreads=2"; do
    quiet "members without a tag $options" "$UPCC" $options -Wall system.upc -o system
    counts "members without a tag $options" 2 "^6 6 6 7; 3 4 6$" "$UPCRUN" -n 2 ./system
done
quiet "no warnings about a main that is declared" "$UPCC" -Wall -Wextra -Wmissing-prototypes -c declared.upc
sed 's/int main(.*{/int main(int argc, char **argv, char **envp) { (void)envp;/' clean.upc > environment.upc
quiet "no warnings about a main with the environment" "$UPCC" -Wall -Wextra -c environment.upc
printf 'typedef struct { int a[2], b; } pair;\n#include <upc.h>\nshared pair p = {{1, 2}, 3}, q[2 * THREADS] = {1, 2, 3};\n' > braces.upc
quiet "no warnings at lines that the source has not" "$UPCC" -Wall -Wno-missing-braces -c braces.upc
printf '#include <upc.h>\nshared int a[THREADS];\nint f(int n) {\n    int i;\n    upc_forall (i = 0; i < n; i++; i)\n        if (n = i)\n            a[i] = 1;\n    return n;\n}\n' > assigned.upc
prints "warnings of the C compiler about UPC" "^assigned.upc:6: warning: suggest parentheses around assignment" "$UPCC" -Wall -c assigned.upc
printf '#include <upc.h>\nint f(void);\nvoid main(void) { f(); }\nint f(void) { return 0; }\n' > void.upc
quiet "no warnings about a main of another type" "$UPCC" -Wno-main -Wmissing-prototypes -c void.upc

# What a C compiler warns of without being asked: upcc shows it, once, at the line of the UPC source.
cat >default.upc <<'END'
#include <upc.h>
int x[2] = {1, 2, 3};
long *f(int *p) { long *q = p; return q; }
int g(int *p, long *q) { return p == q; }
int *h(const int *p) { int *q = p; return q; }
shared int a[THREADS];
void k(void) { switch (a[MYTHREAD]) { case 0: a[0] = 1; } }
END
for options in "" -g -O2 --pthreads=2; do
    counts "warnings by default $options" 4 "^default.upc:[2345]: warning: " "$UPCC" $options -c default.upc
    counts "no other warning by default $options" 4 "warning: " "$UPCC" $options -c default.upc
    quiet "-w $options" "$UPCC" $options -w -c default.upc
done

# Names of libraries.
printf '#include <upc.h>\n#include <stdio.h>\nupc_lock_t *lock;\nint *p(void) { printf("%%p", lock); return lock; }\nint x = sqrt(2.0) + INT_MAX;\n' > names.upc
refuses "the header of a constant" "names.upc:5:21: error: 'INT_MAX' is not declared; <limits.h> declares it \[D-UNDECLARED\]" "$UPCC" -c names.upc
refuses "the header of a function" "names.upc:5:9: warning: 'sqrt' is called without .*; <math.h> declares it \[-Wimpl" "$UPCC" -c names.upc
refuses "upc_lock_t in messages" "\^~~~ 'upc_lock_t \*'" "$UPCC" -c names.upc
refuses "a pointer-to-shared for printf" "names.upc:4:29: warning: 'printf' knows no pointers-to-shared; .*\[-Wupc-pts-variadic\]" "$UPCC" -c names.upc
printf '#include <stdio.h>\nshared int *p;\nint user(int n, ...);\nvoid f(void) { user(1, p); printf("%%d", *p); }\n' > variadic.upc
quiet "a pointer-to-shared for a function of the program" "$UPCC" -c variadic.upc
cat > alignof.upc <<'EOF2'
#include <upc.h>
struct s { char c; shared int *p; double d[3]; };
shared struct s object;
shared [3] short shorts[3 * THREADS];
_Static_assert(_Alignof(shared [3] double) == 8 && _Alignof(shared struct s) == 8 && _Alignof(shared [] char[3]) == 1, "");
_Static_assert(_Alignof(object) == 8 && __alignof__(shorts) == 2 && __alignof__(object.c) == 1, "");
_Static_assert(_Alignof(THREADS) == 4 && _Alignof(upc_lock_t *) == __alignof__(&shorts[1]), "");
EOF2
quiet "_Alignof" "$UPCC" -c alignof.upc

# Transformations of loops.
printf 'shared int a[9 * THREADS];\nvoid f(void) {\n    int i;\n    upc_forall (i = 0; i < 9; i++; i) a[i] = i;\n    upc_forall (i = 0; i < 8; i++; i) a[i] = i;\n}\n' > loop.upc
prints "loops with -O2" "^loop.upc:4:5: remark: .*private: 'a\[i\]' \[-Rupc\]" "$UPCC" -O2 -Rupc -c loop.upc
prints "loops with -O1" "remark: iterations by owner \[-Rupc\]" "$UPCC" -O1 -Rupc -c loop.upc
printf 'void g(shared [] double *p, double *s) {\n    for (int i = 0; i < 99; i++) *s += p[i];\n}\n' > copied.upc
prints "copies" "^copied.upc:2:5: remark: private where mapped, else copied: 'p\[i\]' \[-Rupc\]" "$UPCC" -O2 -Rupc -c copied.upc
quiet "no remarks" "$UPCC" -O2 -c loop.upc
for options in "" -O0 "-O2 -g" "-O2 --inst" "-O3 --opt=0"; do
    quiet "loops as written with '$options'" "$UPCC" -Rupc $options -c loop.upc
done
prints "--opt without -O" "remark: .*private" "$UPCC" --opt=2 -Rupc -c loop.upc
prints "--opt-only" "^loop.upc:5:5: remark" "$UPCC" -O2 --opt-only=5 -Rupc -c loop.upc
prints_no "--opt-only" "^loop.upc:4" "$UPCC" -O2 --opt-only=5 -Rupc -c loop.upc
quiet "remarks are no warnings" sh -c '"$0" -Werror -O2 -Rupc -c loop.upc 2>/dev/null' "$UPCC"
refuses "levels of --opt" "the levels are 0, 1 and 2" "$UPCC" --opt=3 -c loop.upc

# C with CC=upcc, as scripts of autotools have it.
printf 'int main(void) { return 0; }\n' > conftest.c
quiet "conftest.c" "$UPCC" -o conftest conftest.c
quiet "conftest runs" ./conftest
prints_no "conftest.c is C" "__UPC__" "$UPCC" --show -c conftest.c
finish
