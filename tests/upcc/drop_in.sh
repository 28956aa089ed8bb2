# SPDX-License-Identifier: BSD-3-Clause
# upcc in the place of other compilers, in builds that know nothing of it: command lines of gcc, and UPC of old.
. "$(dirname "$0")/lib.sh"
cat > p.upc <<'END'
shared int x;
int main(void) { x += 1; return 0; }
END
printf 'int other(void) { return 0; }\n' > c.c
cp p.upc kept.upc

# UPC in files named .c, as benchmarks of the first UPC compilers have it.
printf '#include <upc_relaxed.h>\nshared [4] double grid[8 * THREADS];\nint main(void) { upc_barrier; return THREADS - 2; }\n' > cg.c
quiet "UPC named .c" "$UPCC" cg.c -o cg
quiet "UPC named .c runs" "$UPCRUN" -n 2 ./cg
quiet "UPC named .c, object" "$UPCC" -c cg.c
quiet "UPC named .c, linked" "$UPCC" cg.o -o cg
refuses "-x c makes it C" "upc_relaxed.h" "$UPCC" -x c -c cg.c
printf '#ifdef __UPC__\n#include <upc.h>\n#endif\nint strict = 1;\n' > both.c
quiet "UPC under #if alone: C" "$UPCC" -c both.c
mkdir products
printf '#define CODES 12\n' > products/upc.h
printf '#include "upc.h"\nint strict = CODES;\n' > products/codes.c
quiet "a upc.h of the program's: C" "$UPCC" -c products/codes.c
printf '#include "upc.h"\nint relaxed = CODES;\n' > codes.c
quiet "a upc.h of the program's by -I: C" "$UPCC" -I products -c codes.c
sed 's/<upc_relaxed.h>/"upc_relaxed.h"/' cg.c > quoted.c
quiet "UPC by quotes" "$UPCC" -c quoted.c
quiet "-x upc at the link, too" "$UPCC" -x upc cg.o -o cg
quiet "-xc" sh -c '"$0" -xc -c -o from_stdin.o - < c.c' "$UPCC"
quiet "-xupc" "$UPCC" -xupc -fsyntax-only p.upc
prints "- without a language, -E" "define __GNUC__" "$UPCC" -dM -E -

# Pragmas for the C compiler before loops.
cat > loops.upc <<'END'
shared [] double a[64], m[8][8];
void plain(void) {
#pragma omp parallel for
    for (int i = 0; i < 64; i++) a[i] = i;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) m[i][j] = 1;
#pragma GCC ivdep
    for (int i = 0; i < 64; i++) a[i] += 1;
    _Pragma("GCC unroll 4") for (int i = 0; i < 64; i++) a[i] += 1;
}
void owners(void) {
#pragma GCC ivdep
    upc_forall (int i = 0; i < 64; i++; i) a[i] = i;
#pragma GCC unroll 4
    upc_forall (int i = 0; i < 64; i++; &a[i]) a[i] = i;
}
int main(void) {
    if (MYTHREAD == 0) plain();
    upc_barrier;
    double sum = 0;
    for (int i = 0; i < 64; i++) sum += a[i];
    upc_barrier;
    owners();
    return sum != 64 * 63 / 2 + 2 * 64 || m[7][7] != 1;
}
END
for level in "" -O -O2 "-O2 --opt=0"; do
    quiet "pragmas before loops $level" "$UPCC" $level -fopenmp loops.upc -o loops
    quiet "pragmas before loops $level, run" "$UPCRUN" -n 2 ./loops
done
quiet "collapse with --opt-only" "$UPCC" -O2 --opt-only=8 -fopenmp -c loops.upc
printf 'shared [] int a[64];\nvoid f(void) {\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored "-Wunused"\n    for (int i = 0; i < 64; i++) a[i] = i;\n#pragma GCC diagnostic pop\n}\n' > other.upc
prints "pragmas of no loop" "other.upc:5:.*private" "$UPCC" -O2 -Rupc -c other.upc
prints "remark about pragmas" "loops.upc:4:.*stays general: a pragma before it" "$UPCC" -O2 -Rupc -c loops.upc

# An output is never an input.
for command in "-c p.upc -o p.upc" "p.upc -o p.upc" "-S p.upc -o ./p.upc" "-MM p.upc -o p.upc" "c.c p.upc -o c.c"; do
    refuses "output over input: $command" "would be written over an input" "$UPCC" $command
done
quiet "no input was written over" cmp p.upc kept.upc
quiet "/dev/null twice" "$UPCC" -x c -c /dev/null -o /dev/null

# Dependencies.
quiet "-MF joined" "$UPCC" -MD -MFfoo.d -MTfoo.o -c p.upc
prints "-MF joined" "^foo.o:.* p.upc" cat foo.d
prints_no "-MT joined is the only target" "^p.o" cat foo.d
prints "-MF -" "p.o: p.upc" "$UPCC" -MMD -MF - -c p.upc
quiet "-MMD of a program" "$UPCC" -MMD p.upc c.c -o prog
prints "-MMD of a program, UPC" "^prog: p.upc" cat p.d
prints "-MMD of a program, C" "^prog: c.c" cat c.d

# Headers.
mkdir mine system
printf '#define MINE 1\n' > mine/gasp.h
printf '#include "gasp.h"\nint mine = MINE;\n' > a.c
quiet "the program's header wins over upcr's" "$UPCC" -Imine -c a.c
printf '#ifdef __UPC__\nstatic inline int side(void) { return __UPC_VERSION__ > 0; }\n#endif\n' > system/side.h
printf '#include <side.h>\nshared int s;\nint main(void) { return !side(); }\n' > side.upc
quiet "__UPC__ in headers of the system" "$UPCC" -isystem system side.upc -o side
quiet "__UPC__ in headers of the system, run" "$UPCRUN" -n 1 ./side
printf '#include <upc.h>\n#include <stdint.h>\nextern shared int32_t libx[THREADS];\nstatic inline void put(int v) { libx[MYTHREAD] = v; }\n' > system/upclib.h
printf '#include <upclib.h>\n#include <stdio.h>\nshared int32_t libx[THREADS];\nint main(void) { put(4); return libx[MYTHREAD] - 4; }\n' > library.upc
quiet "UPC in a header of the system" "$UPCC" -Wall -isystem system library.upc -o library
quiet "UPC in a header of the system, run" "$UPCRUN" -n 2 ./library
mkdir system/lib
printf '#include <upc.h>\n#include "types.h"\n#include "more.h"\nextern shared cell_t cells[THREADS];\n' > system/lib/cells.h
printf 'typedef struct { int a; } cell_t;\n' > system/lib/types.h
printf 'extern shared int more;\n' > system/lib/more.h
printf '#include <lib/cells.h>\n' > system/umbrella.h
printf 'typedef int wrong;\n' > types.h
printf '#include <umbrella.h>\nshared cell_t cells[THREADS];\nshared int more;\nint main(void) { cells[MYTHREAD].a = more = 2; return cells[MYTHREAD].a - 2; }\n' > cells.upc
quiet "UPC in headers of a folder of the system" "$UPCC" -isystem system cells.upc -o cells
quiet "UPC in headers of a folder of the system, run" "$UPCRUN" -n 2 ./cells
quiet "UPC in a header of the system, C_INCLUDE_PATH" env C_INCLUDE_PATH=system "$UPCC" library.upc -o library

# Warnings about the form of a text, which the translation has and the source has not.
printf 'shared int x;\nshared [] int a[32];\nint main(void) {\n    x += 1;\n    for (int i = 0; i < 32; i++) a[i] = i;\n    return 0;\n}\n' > clean.upc
for group in pedantic padded unused-macros declaration-after-statement vla aggregate-return bad-function-cast \
    c++-compat long-long traditional traditional-conversion c90-c99-compat inline nested-externs; do
    quiet "-W$group" "$UPCC" -O2 -Werror -W$group -c clean.upc
    quiet "-Werror=$group" "$UPCC" -O2 -Werror=$group -c clean.upc
done
for group in conversion sign-conversion; do
    quiet "-Werror -W$group" sh -c '"$0" -O2 -Werror -W$1 -c clean.upc 2>/dev/null' "$UPCC" $group
done

# Libraries with UPC that the linker finds by other ways than -L.
printf 'shared int counted;\n' > counted.upc
"$UPCC" -c counted.upc && ar rc libcounted.a counted.o
printf 'extern shared int counted;\nint main(void) { counted = 3; return counted - 3; }\n' > uses.upc
mkdir static
cp other.upc static/libcounted.a # not where the linker looks: -Bstatic is no folder
for command in "-Wl,--library-path=. -Wl,--library=counted" "-Wl,-Bstatic -L. -lcounted -Wl,-Bdynamic" "-Wl,counted.o" "-Wl,-L. -Wl,-lcounted" "-Wl,-L.,-lcounted" "-Wl,libcounted.a" "-Xlinker -L. -Xlinker -lcounted" "-B. -lcounted"; do
    quiet "library by $command" "$UPCC" uses.upc $command -o uses
    quiet "library by $command, run" "$UPCRUN" -n 1 ./uses
done
mkdir script && mv libcounted.a script/libkept.a
printf 'INPUT(libkept.a)\n' > script/libcounted.so
"$UPCC" -shared -fPIC counted.upc -o libother.so
quiet "shared library by -Wl," "$UPCC" uses.upc -Wl,libother.so -Wl,-rpath,. -o uses
quiet "shared library by -Wl,, run" "$UPCRUN" -n 2 ./uses
quiet "library by a script of the linker" "$UPCC" uses.upc -Lscript -lcounted -o uses
quiet "library by a script of the linker, run" "$UPCRUN" -n 2 ./uses
quiet "library by a script of the linker, debug" "$UPCC" -g uses.upc -Lscript -lcounted -o uses
quiet "library by a script of the linker, debug, run" "$UPCRUN" -n 1 ./uses
mv script/libkept.a libcounted.a
quiet "LIBRARY_PATH" env LIBRARY_PATH=/no/such:. "$UPCC" uses.upc -lcounted -o uses
quiet "LIBRARY_PATH, run" "$UPCRUN" -n 1 ./uses

# Other options.
quiet "-r" "$UPCC" -r counted.o c.c -o joined.o
quiet "-r, linked" "$UPCC" uses.upc joined.o -o uses
quiet "-r, run" "$UPCRUN" -n 1 ./uses
quiet "-fupc-threads-N" "$UPCC" -fupc-threads-2 p.upc -o two
refuses "-fupc-threads-N is -T" "2 (UPC )?threads" "$UPCRUN" -n 3 ./two
quiet "-fupc-threads=N" "$UPCC" -fupc-threads=2 -c p.upc
prints "-v alone" "^(gcc|.*clang) version" "$UPCC" -v
prints "-v and no file" "^(gcc|.*clang) version" "$UPCC" -O2 -v
prints "-Wl,--version" "^(GNU ld|LLD|mold)" "$UPCC" -Wl,--version
quiet "--coverage" "$UPCC" --coverage p.upc -o covered
quiet "--coverage, run" "$UPCRUN" -n 1 ./covered
quiet "--coverage of the start-up file" sh -c '! ls "$TMPDIR"/*/upcc_startup.gc* 2>/dev/null'
rm -rf "${TMPDIR:?}"/*
# What compilers write beside an object is beside the program, when upcc compiles and links in one command.
quiet "--coverage counts" test -s covered-p.gcno -a -s covered-p.gcda
printf 'int square(int x) { return x * x; }\n' > square.c
quiet "files beside a program" "$UPCC" -fstack-usage -save-temps p.upc square.c -o beside
quiet "files of both sources" test -s beside-p.su -a -s beside-square.su -a -s beside-p.s -a -s beside-square.i
quiet "files of a.out" sh -c '"$0" -fstack-usage p.upc && test -s a-p.su' "$UPCC"
quiet "-g" sh -c '"$0" -g p.upc -o first && "$0" -g p.upc -o second && cmp first second' "$UPCC"
printf '#define EXTRA 1\ntypedef int extra;\n' > extra.h
quiet "-Wp,-include" "$UPCC" -Wp,-include,extra.h -c p.upc
finish
