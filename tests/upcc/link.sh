# SPDX-License-Identifier: BSD-3-Clause
# Programs of several files: translated, C, C++, archives, libraries; which file has main(); the programs are run.
. "$(dirname "$0")/lib.sh"
M=$FIXTURES/mixed
run2=("$UPCRUN" -n 2)

quiet "one command" "$UPCC" -DC_VALUE=20 "$M/main.trans.c" "$M/second/main.trans.c" "$M/plain.c" "$M/more.cpp"
prints "a.out" "^mixed: 51122$" "${run2[@]}" ./a.out
"$UPCC" -c "$M/main.trans.c" -o m.o; "$UPCC" -c "$M/second/main.trans.c" -o s.o
"$UPCC" -DC_VALUE=30 -c "$M/plain.c"; "$UPCC" -c "$M/more.cpp"
quiet "objects" "$UPCC" m.o s.o plain.o more.o -lstdc++ -o objects
prints "objects" "^mixed: 51132$" "${run2[@]}" ./objects
quiet "the order is free" "$UPCC" more.o plain.o s.o m.o -lstdc++ -o order
prints "the order is free" "^mixed: 51132$" "${run2[@]}" ./order
mkdir lib "sp ace" && ar rcs lib/libparts.a s.o plain.o more.o && ar rcsT thin.a s.o plain.o more.o
quiet "an archive" "$UPCC" m.o lib/libparts.a -lstdc++ -o archive
prints "an archive" "^mixed: 51132$" "${run2[@]}" ./archive
quiet "a thin archive" "$UPCC" m.o thin.a -lstdc++ -o thin
prints "a thin archive" "^mixed: 51132$" "${run2[@]}" ./thin
quiet "-L and -l" "$UPCC" m.o -L lib -lparts --link-with CXX -o dashl
prints "-L and -l" "^mixed: 51132$" "${run2[@]}" ./dashl
quiet "-l with a blank" "$UPCC" m.o -Llib -l parts -lstdc++ -o dashl2
quiet "a shared library" "$UPCC" -shared -fPIC "$M/second/main.trans.c" -o lib/libsecond.so
quiet "with a shared library" "$UPCC" m.o plain.o more.o -L lib -lsecond -Wl,-rpath,"$PWD/lib" -lstdc++ -o dynamic
prints "with a shared library" "^mixed: 51132$" "${run2[@]}" ./dynamic
cp "$M"/*.h "sp ace/"; cp "$M/main.trans.c" "sp ace/ma in.trans.c"; cp "$M/plain.c" "sp ace/pl'ain.c"
quiet "blanks and quotes in names" "$UPCC" -DC_VALUE=20 "sp ace/ma in.trans.c" "sp ace/pl'ain.c" s.o more.o -lstdc++ -o "sp ace/pro gram"
prints "blanks and quotes in names" "^mixed: 51122$" "${run2[@]}" "./sp ace/pro gram"
ln -s "$(dirname "$(dirname "$UPCC")")" "$work/li nk"
quiet "an upcc in such a folder" "$work/li nk/bin/upcc" -o spaced "$FIXTURES/hasmain.c"

# The same entry points twice: one object was given twice.
refuses "an object twice" "multiple definition" "$UPCC" m.o m.o s.o plain.o more.o -lstdc++ -o twice

# Which file has main().
prints "user_main of both producers" "whirl2c 1 of 2: grid/table 403 counter 40 calls 5" \
    sh -c '"$0" -o w "$1" && "$2" -n 2 ./w' "$UPCC" "$FIXTURES/whirl2c.trans.c" "$UPCRUN"
prints "main in a translated file" "hasmain 1 of 2" sh -c '"$0" -o h "$1" && "$2" -n 2 ./h' "$UPCC" "$FIXTURES/hasmain.c" "$UPCRUN"
prints "C that starts the runtime" "embed 1 of 2" sh -c '"$0" -o e "$1" && "$2" -n 2 ./e' "$UPCC" "$FIXTURES/embed.c" "$UPCRUN"
quiet "main in C, found" "$UPCC" "$FIXTURES/externmain.c" "$FIXTURES/library.trans.c" -o found
counts "main in C, found" 2 "^library [01]$" "${run2[@]}" ./found
quiet "main in C, said" "$UPCC" --extern-main "$FIXTURES/externmain.c" "$FIXTURES/library.trans.c" -o said
counts "main in C, said" 2 "^library [01]$" "${run2[@]}" ./said
quiet "main in C that shows no names" "$UPCC" -flto "$FIXTURES/embed.c" -o lto
prints "main in C that shows no names" "^embed 1 of 2$" "${run2[@]}" ./lto
refuses "no main" "upcc: no main: .*user_main.*--extern-main" "$UPCC" "$FIXTURES/library.trans.c"
refuses "two mains" "upcc: both main\(\) in .*externmain.c and user_main\(\) in .*calls_library.trans.c" \
    "$UPCC" "$FIXTURES/externmain.c" "$FIXTURES/calls_library.trans.c" "$FIXTURES/library.trans.c"

# The start-up file.
quiet "hooks of a translator" "$UPCC" "$FIXTURES/calls_library.trans.c" "$FIXTURES/library.trans.c" "$FIXTURES/hooks.c" -o hooks
counts "hooks of a translator" 2 "^hooks: process hook ran 1 times before$" "${run2[@]}" ./hooks
quiet "--shared-heap" "$UPCC" --shared-heap 8MB "$FIXTURES/segment.trans.c" -o heap
prints "--shared-heap" "^segment 8388608$" "$UPCRUN" -n 1 ./heap
prints "the environment wins" "^segment 16777216$" env UPC_SHARED_HEAP_SIZE=16MB "$UPCRUN" -n 1 ./heap
quiet "variables of the program's own" "$UPCC" "$FIXTURES/segment.trans.c" "$FIXTURES/ownlink.c" -o own
prints "variables of the program's own" "^segment 16777216$" "$UPCRUN" -n 1 ./own
quiet "-T" "$UPCC" -T 2 "$FIXTURES/static_threads.trans.c" -o static
counts "-T" 2 "^static [01]: 2$" "${run2[@]}" ./static
refuses "-T, another number" "UPC Runtime error: .*2.*" "$UPCRUN" -n 3 ./static
"$UPCC" -T 2 -c "$FIXTURES/static_threads.trans.c"
quiet "-T of the objects" "$UPCC" static_threads.trans.o -o static2
refuses "-T of the objects" "UPC Runtime error: " "$UPCRUN" -n 3 ./static2
"$UPCC" -T 4 -c "$FIXTURES/library.trans.c"
refuses "two -T" "upcc: library.trans.o: compiled with -T 4, but static_threads.trans.o with -T 2" "$UPCC" static_threads.trans.o library.trans.o
refuses "-T against an object's" "upcc: static_threads.trans.o: compiled with -T 2, but this link has -T 3" "$UPCC" -T 3 static_threads.trans.o
"$UPCC" -g -c "$FIXTURES/segment.trans.c"
quiet "objects of -g" "$UPCC" segment.trans.o -o debug
prints "objects of -g" "libupcr_debug.so" ldd ./debug
for options in "-no-pie" "-Wl,--gc-sections" "-fuse-ld=gold" "-fuse-ld=lld" "-O0" "-g" "-O3 -march=native"; do
    case $options in -fuse-ld=*) command -v "ld.${options#*=}" >"$work/which" || continue ;; esac
    quiet "$options" "$UPCC" $options "$FIXTURES/whirl2c.trans.c" "$FIXTURES/hooks.c" -o options
    counts "$options" 2 "^whirl2c [01] of 2: grid/table 403 counter 40 calls 5$" "${run2[@]}" ./options
done
if [ -z "$SANITIZE" ] && command -v clang >"$work/which"; then # sanitizers of two compilers do not mix
    quiet "clang" env UPCC_CC=clang "$UPCC" "$FIXTURES/whirl2c.trans.c" -o clang
    counts "clang" 2 "^whirl2c [01] of 2: grid/table 403 counter 40 calls 5$" "${run2[@]}" ./clang
fi

# Links without upcc: its objects, and programs of C, with the library alone.
"$UPCC" -c "$FIXTURES/calls_library.trans.c"; "$UPCC" -c "$FIXTURES/library.trans.c"
LIBRARY="$LIBDIR/libupcr.so -Wl,-rpath,$LIBDIR $SANITIZE"
quiet "C alone" cc $SANITIZE $INCLUDES "$FIXTURES/embed.c" $LIBRARY -o cembed
prints "C alone" "^embed 1 of 2$" "${run2[@]}" ./cembed
# Nothing but upcc's link allocates the static data of UPC files.
echo 'shared int five = 5; int value(void) { return five; }' > five.upc
printf '#include <stdio.h>\n#include <upcr.h>\nint value(void);\nint main(int argc, char **argv) { bupc_init(&argc, &argv); printf("value %%d\\n", value()); bupc_exit(0); return 0; }\n' > uses_five.c
quiet "static data" "$UPCC" -c five.upc
quiet "static data, linked by cc" cc $SANITIZE $INCLUDES uses_five.c five.o $LIBRARY -o five
refuses "static data, linked by cc, run" "static shared data, but was not linked by upcc" "${run2[@]}" ./five
quiet "static data, linked by upcc" "$UPCC" uses_five.c five.o -o five
prints "static data, linked by upcc, run" "^value 5$" "${run2[@]}" ./five
quiet "another compiler's start-up file" cc -std=gnu99 -fcommon -w $SANITIZE $INCLUDES "$FIXTURES/other_startup.c" calls_library.trans.o \
    library.trans.o $LIBRARY -o other
counts "another compiler's start-up file" 2 "^library [01]$" "${run2[@]}" ./other
quiet "the same with hooks" cc -std=gnu99 -fcommon -w $SANITIZE $INCLUDES "$FIXTURES/other_startup.c" calls_library.trans.o \
    library.trans.o "$FIXTURES/hooks.c" $LIBRARY -o other
counts "the same with hooks" 2 "^hooks: process hook ran 1 times before$" "${run2[@]}" ./other

# A main() in C that starts no runtime.
echo 'int helper(void); int main(void) { return helper(); }' > c_main.c
echo '#include <upcr.h>
int helper(void); int main(int argc, char **argv) { bupc_init(&argc, &argv); return helper() != 0; }' > c_starts.c
echo 'int helper(void) { return MYTHREAD; }' > helper.upc
prints "nothing starts the runtime" "main.. in c_main.c is not UPC, and nothing calls bupc_init" "$UPCC" c_main.c helper.upc -o c_main
printf '#include <upc.h>\nshared int x; int helper(void) { return x; }\n' > data.upc
prints "nothing starts the runtime of shared data" "main.. in c_main.c is not UPC, and nothing calls bupc_init" \
    "$UPCC" c_main.c data.upc -o c_main
quiet "main() in C starts the runtime" "$UPCC" c_starts.c helper.upc -o c_starts

# One file compiled twice, with other macros.
printf '#include <upc.h>\nstatic shared int count = VALUE;\nint NAME(void) { return count; }\n' > twice.upc
printf 'int one(void), two(void);\nint main(void) { return two() - one() != 1; }\n' > both.upc
"$UPCC" -DNAME=one -DVALUE=1 -c twice.upc -o one.o && "$UPCC" -DNAME=two -DVALUE=2 -c twice.upc -o two.o
quiet "one file, two objects" "$UPCC" both.upc one.o two.o -o both
quiet "one file, two objects" "${run2[@]}" ./both
"$UPCC" -shared -fPIC -DNAME=one -DVALUE=1 -o libone.so twice.upc
"$UPCC" -shared -fPIC -DNAME=two -DVALUE=2 -o libtwo.so twice.upc
quiet "one file, two libraries" "$UPCC" both.upc ./libone.so ./libtwo.so -o both
quiet "one file, two libraries" "${run2[@]}" ./both

# An inline function that is declared before its definition.
printf '#include <upc.h>\nextern shared int x;\ninline int next(void);\ninline int next(void) { return x + 1; }\n' > next.h
printf '#include "next.h"\nshared int x; extern inline int next(void);\nint other(void);\nint main(void) { return next() + other() - 2; }\n' > next.upc
printf '#include "next.h"\nint other(void) { return next(); }\n' > other.upc
for compiler in gcc clang; do
    [ $compiler = gcc ] || { [ -z "$SANITIZE" ] && command -v clang >"$work/which"; } || continue
    quiet "an inline function that is declared, $compiler" env UPCC_CC=$compiler "$UPCC" -Wall -Werror next.upc other.upc -o next
    quiet "an inline function that is declared, $compiler" "${run2[@]}" ./next
done

# No file is left behind after an error or a signal.
echo 'int mistake = no_such_name;' | cat "$FIXTURES/upc2c.c" - > broken.c
refuses "a mistake" "no_such_name" "$UPCC" -o broken broken.c
[ ! -e broken ] || { status=0; report "a mistake" "leaves a program"; }
printf '#!/bin/sh\ntouch "%s/started"\nexec sleep 60\n' "$work" > "$work/slow" && chmod +x "$work/slow"
for signal in TERM HUP PIPE QUIT; do
    rm -f "$work/started"
    UPCC_CC="$work/slow" setsid env --default-signal=PIPE,QUIT "$UPCC" -c "$FIXTURES/upc2c.c" &
    pid=$!
    for _ in $(seq 600); do [ -e "$work/started" ] && break; sleep 0.1; done
    kill -$signal $pid
    wait $pid 2>/dev/null
    status=$?
    : > "$work/output"
    checks=$((checks + 1))
    [ "$status" -gt 128 ] && [ -z "$(ls -A "$TMPDIR")" ] || report "SIG$signal" "ls $TMPDIR"
done
finish
